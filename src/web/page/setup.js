// The set-up editor: discs are put on the board by hand, and a game begins from there.

import { sides } from "./game.js";

const at = (id) => document.getElementById(id);
/** What a click changes a square to, if no single colour is chosen. */
const NEXT = { "-": "X", X: "O", O: "-" };

export class Editor {
  /** `show(game)` shows a board that is set up; `begin(spec)` begins a game from it; `leave()` goes back to the game. */
  constructor({ show, begin, leave }) {
    this.show = show;
    this.game = null;
    at("setup-clear").addEventListener("click", () => this.put("-".repeat(this.cells.length)));
    at("setup-start").addEventListener("click", () => this.put(startOf(this.game)));
    at("setup-cancel").addEventListener("click", () => {
      this.close();
      leave();
    });
    at("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const { board, goal, scoring, passing } = this.game;
      const position = this.position;
      // The editor stays open if the position is refused, so that it can be corrected.
      begin({ board, goal, scoring, passing, position });
    });
  }

  get isOpen() {
    return this.game !== null;
  }

  /** The board and the side to move, in the usual text form. */
  get position() {
    return `${this.cells.join("")} ${at("setup-form").elements.mover.value}`;
  }

  /** Opens the editor with the position of a game. */
  open(game) {
    this.game = game;
    const [cells, mover] = game.position.split(" ");
    at("setup-form").elements.mover.value = mover;
    this.mode(true);
    this.put(cells);
    at("setup-form").elements.brush.focus();
  }

  close() {
    this.game = null;
    this.mode(false);
  }

  mode(isOpen) {
    at("setup-form").hidden = !isOpen;
    at("controls").hidden = isOpen;
  }

  put(cells) {
    this.cells = [...cells];
    this.show({ ...this.game, position: this.position, legal: [], moves: [], ply: 0 });
  }

  /** Puts a disc on a square, or takes it away. */
  paint(square) {
    const { columns } = sides(this.game);
    const place = (Number(square.slice(1)) - 1) * columns + square.charCodeAt(0) - 97;
    const brush = at("setup-form").elements.brush.value;
    this.cells[place] = brush === "next" ? NEXT[this.cells[place]] : brush;
    this.put(this.cells);
  }
}

/** The usual first board: four discs in the middle. */
function startOf(game) {
  const { columns, rows } = sides(game);
  const cells = Array(columns * rows).fill("-");
  const [column, row] = [Math.floor(columns / 2) - 1, Math.floor(rows / 2) - 1];
  const discs = game.start === "parallel" ? "OOXX" : "OXXO";
  [...discs].forEach((disc, index) => {
    cells[(row + (index >> 1)) * columns + column + (index & 1)] = disc;
  });
  return cells;
}
