// The players: people at the page, and programs that are asked for their moves.

import { ask, isDropped } from "./api.js";
import { colorToMove, nameOf, sides, specOf } from "./game.js";

/** Pause between the moves of two programs, and before a pass, so that a person can follow. */
const PAUSE = 350;
const PASS_PAUSE = 1100;

const wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("dropped", "AbortError"));
    });
  });

export class Computers {
  /** `say(text, isAlarm)` tells what happens; `halt()` pauses the game after a program has failed. */
  constructor(table, say, halt) {
    this.table = table;
    this.say = say;
    this.halt = halt;
    this.seats = { black: "human", white: "human" };
    this.paused = false;
    this.time = null;
    this.thinking = null;
  }

  isHuman(color) {
    return this.seats[color] === "human";
  }

  /** Whether a program plays one of the sides. */
  get any() {
    return !this.isHuman("black") || !this.isHuman("white");
  }

  /** Whether a person makes the next move. */
  isPersonsTurn(game) {
    return !game.finished && (this.paused || this.isHuman(colorToMove(game)));
  }

  stop() {
    this.thinking?.abort();
    this.thinking = null;
  }

  /** Limits the seconds of programs per move, `null` for no limit; a running search begins again. */
  limit(time) {
    this.time = time;
    if (this.thinking) this.consider(this.table.game, true);
  }

  /** Checks the game: passes for a side that has to, or asks the program that is to move. After moves were taken back
      it waits for a person, or for `step`. */
  async consider(game, isForced = false) {
    this.stop();
    const mustPass = game.legal[0] === "pa";
    // Paused, both sides are played by hand, but a pass cannot be made by hand.
    const goesOn = isForced || ((!this.paused || mustPass) && game.ply === game.moves.length);
    if (game.finished || !goesOn) return;
    const color = colorToMove(game);
    const thinking = new AbortController();
    this.thinking = thinking;
    try {
      if (mustPass) {
        this.say(`${nameOf(color)} has no move and passes.`);
        await wait(PASS_PAUSE, thinking.signal);
        await this.table.play("pa");
      } else if (isForced || !this.isHuman(color)) {
        await this.move(game, color, thinking.signal);
      }
    } catch (error) {
      if (isDropped(error)) return;
      this.halt();
      this.say(error.message, true);
    } finally {
      if (this.thinking === thinking) this.thinking = null;
    }
  }

  /** The player that moves for a person on request. */
  helper(game) {
    const { columns, rows } = sides(game);
    return columns <= 8 && rows <= 8 ? "engine" : "alphabeta";
  }

  async move(game, color, signal) {
    const player = this.isHuman(color) ? this.helper(game) : this.seats[color];
    this.say(`${nameOf(color)} (${player}) is thinking…`);
    const question = { game: specOf(game), player };
    if (this.time) question.time = this.time;
    const [answer] = await Promise.all([ask("move", question, signal), wait(PAUSE, signal)]);
    if (signal.aborted) return;
    const moves = [...game.moves.slice(0, game.ply), answer.move];
    await this.table.set({ ...specOf(game), moves, ply: moves.length });
  }
}
