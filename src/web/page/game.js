// The game on the page. The service knows the rules; this holds its answers, and notifies the page of changes.

import { ask } from "./api.js";

/** What a request needs to name this game. */
export function specOf(game, ply = game.ply) {
  const { board, goal, scoring, passing, first, moves } = game;
  return { board, goal, scoring, passing, position: first, moves, ply };
}

/** How the empty squares at the end usually count on a board. */
export const usualScoring = (board) => (board === "8x8" ? "winner" : "raw");

export const colorToMove = (game) => (game.position.endsWith("X") ? "black" : "white");
export const nameOf = (color) => (color === "black" ? "Black" : "White");
export const otherColor = (color) => (color === "black" ? "white" : "black");

/** The side that makes the move after `ply` moves. */
export function colorAt(game, ply) {
  const first = game.first.endsWith("X");
  return first === (ply % 2 === 0) ? "black" : "white";
}

/** Columns and rows. */
export function sides(game) {
  const [columns, rows] = game.board.split("x").map(Number);
  return { columns, rows };
}

export const squareName = (column, row) => String.fromCharCode(97 + column) + (row + 1);

/** Holds the game; `changed(game, before)` is called after every change. */
export class Table {
  constructor(changed) {
    this.changed = changed;
    this.game = null;
    this.turn = 0;
  }

  /** Sets the game that a request describes, and calls `prepare()` right before. The latest request counts. */
  async set(spec, prepare = () => {}) {
    const turn = ++this.turn;
    let game;
    try {
      game = await ask("game", { game: spec });
    } catch (error) {
      if (turn === this.turn) throw error;
    }
    if (turn !== this.turn) return;
    prepare();
    this.put(game);
  }

  /** Sets a game that the service has described. */
  put(game) {
    this.turn += 1;
    const before = this.game;
    this.game = game;
    this.changed(game, before);
  }

  /** Makes a move. Moves that were taken back are kept if the next of them is the same. */
  play(move) {
    const { game } = this;
    if (game.moves[game.ply] === move) return this.goTo(game.ply + 1);
    const moves = [...game.moves.slice(0, game.ply), move];
    return this.set({ ...specOf(game), moves, ply: moves.length });
  }

  goTo(ply) {
    const last = this.game.moves.length;
    return this.set(specOf(this.game, Math.min(Math.max(ply, 0), last)));
  }
}
