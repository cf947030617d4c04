// The values of moves and positions: requests them, stores them, and puts them into words.
// An exact score and an estimate are different things here too: `{ score }` or `{ estimate, depth }`.

import { isDropped, listen } from "./api.js";
import { colorAt, colorToMove, nameOf, otherColor, specOf } from "./game.js";

const isExact = (value) => value?.score !== undefined;
/** Whether an answer is incomplete for another reason than time. */
const isRefused = (end) => end.error !== undefined && end.error.kind !== "out-of-time";
const numberOf = (value) => value.score ?? value.estimate;
/** The number as it is shown: estimates are rounded to one decimal, so that -0.04 is 0. */
const rounded = (value) => (isExact(value) ? value.score : Math.round(10 * value.estimate) / 10);

/** `+4`, `−2`, `0`; estimates with one decimal. */
export function written(value) {
  const number = rounded(value);
  const digits = isExact(value) ? String(Math.abs(number)) : Math.abs(number).toFixed(1);
  return (number > 0 ? "+" : number < 0 ? "−" : "") + digits;
}

function spoken(value) {
  const number = rounded(value);
  const sign = number > 0 ? "plus " : number < 0 ? "minus " : "";
  return isExact(value)
    ? `exactly ${sign}${Math.abs(number)}`
    : `estimated ${sign}${Math.abs(number).toFixed(1)} at depth ${value.depth}`;
}

/** Of two values of a position the exact one, or else the deeper one, or else the later one. */
function surer(one, other) {
  if (!one || !other) return one ?? other;
  return isExact(one) || (!isExact(other) && one.depth > other.depth) ? one : other;
}

/** `moves 2, 5–9`, for numbers in ascending order; 0 is the first board. */
function moveRanges(numbers) {
  const ranges = [];
  for (const number of numbers.filter((number) => number > 0)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const written = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
  const isOne = ranges.length === 1 && ranges[0][0] === ranges[0][1];
  const moves = ranges.length > 0 ? `${isOne ? "move" : "moves"} ${written}` : "";
  return [numbers.includes(0) ? "the first board" : "", moves].filter(Boolean).join(" and ");
}

/** Which of five colours a move has, by the number of discs that it gives away. */
const lossClass = (loss) => (loss === 0 ? 0 : loss <= 2 ? 1 : loss <= 6 ? 2 : loss <= 12 ? 3 : 4);

/** Stores the values of positions, and requests those that are missing. */
export class Truth {
  /** `changed()` is called whenever something more is known. */
  constructor(changed) {
    this.changed = changed;
    this.known = new Map();
    this.forget();
  }

  /** Resets: nothing is known of the moves, and no request is running. */
  forget() {
    this.search?.abort();
    this.search = null;
    this.moves = new Map();
    /** The value of the position from the values of its moves, before it has an answer. */
    this.estimate = null;
    this.answer = null;
    this.message = "";
    this.isGraphCut = false;
    this.since = 0;
  }

  /** Drops the search of the previous position, and requests values of this one and of the game's other positions. */
  async look(game) {
    this.forget();
    const search = new AbortController();
    this.search = search;
    this.since = Date.now();
    this.changed();
    let note = "";
    try {
      // Both at once: the graph is usually there soon and need not wait for a long search of the moves, and the
      // search need not end if the graph is refused.
      const moves = game.finished ? null : this.lookAtMoves(game, search.signal);
      const graph = this.lookAtGame(game, search.signal).catch((error) => {
        if (isDropped(error)) throw error;
        note = error.message;
      });
      await Promise.all([moves, graph]);
    } catch (error) {
      // The other request must not continue: it could no longer be ended, and would report on this position when
      // another one is shown.
      search.abort();
      if (isDropped(error)) return;
      note = error.message;
    }
    if (this.search === search) {
      this.search = null;
      this.message ||= note;
      this.changed();
    }
  }

  async lookAtMoves(game, signal) {
    const end = await listen("values", { game: specOf(game) }, signal, (line) => {
      if (signal.aborted) return;
      if (line.type === "answer") {
        this.answer = line.answer;
        this.remember(game, game.ply, { score: line.answer.score });
        for (const move of line.answer.moves) this.rememberMove(game, move.move, { score: move.score });
      } else {
        for (const move of line.type === "exact" ? [line] : line.moves) this.take(move);
        this.estimate = this.bestOf(game);
      }
      this.changed();
    });
    // Not sooner: values that are stored are not requested again.
    if (!this.answer && this.estimate) this.remember(game, game.ply, this.estimate);
    this.message = end.complete || this.answer ? "" : this.unfinished(end, game);
  }

  unfinished(end, game) {
    const all = [...this.moves.values()];
    if (all.length > 0 && !all.some(isExact)) return "";
    if (isRefused(end)) return end.error.message;
    const exact = all.filter(isExact).length;
    return `${exact} of ${game.legal.length} moves were solved within the time limit of a search.`;
  }

  /** An estimate never takes the place of an exact score. */
  take({ move, score, estimate, depth }) {
    if (isExact(this.moves.get(move))) return;
    this.moves.set(move, score !== undefined ? { score } : { estimate, depth });
  }

  /** The best value, once all moves have one; only an estimate while another move may turn out to be better. */
  bestOf(game) {
    const values = [...this.moves.values()];
    if (values.length < game.legal.length || values.length === 0) return null;
    const best = values.reduce((one, other) => (numberOf(other) > numberOf(one) ? other : one));
    const open = values.filter((value) => !isExact(value));
    if (open.length === 0 || !isExact(best)) return best;
    return { estimate: best.score, depth: Math.min(...open.map(({ depth }) => depth)) };
  }

  async lookAtGame(game, signal) {
    const plies = this.missing(game);
    if (plies.length === 0) return;
    const whole = { ...specOf(game, game.moves.length) };
    const end = await listen("positions", { game: whole, plies }, signal, (line) => {
      if (signal.aborted || line.type !== "position") return;
      if (line.score !== undefined) this.remember(game, line.ply, { score: line.score });
      else if (line.estimate !== undefined) this.remember(game, line.ply, { estimate: line.estimate, depth: line.depth });
      this.changed();
    });
    if (isRefused(end)) throw new Error(end.error.message);
    this.isGraphCut = !end.complete;
  }

  /** The positions without a value, by the number of moves before them: first the one on the board, then those next
      to it. */
  missing(game) {
    const plies = Array.from({ length: game.moves.length + 1 }, (_, ply) => ply).filter((ply) => !this.at(game, ply));
    const distance = (ply) => 2 * Math.abs(ply - game.ply) + (ply > game.ply ? 1 : 0);
    return plies.sort((one, other) => distance(one) - distance(other));
  }

  /** The places where values are missing because time was up, and the moves without an exact value. */
  gap(game) {
    const missing = this.missing(game).sort((one, other) => one - other);
    if (this.isGraphCut && missing.length > 0) return `The search ran out of time; without a value: after ${moveRanges(missing)}.`;
    const isKnown = (ply) => this.at(game, ply) && this.at(game, ply + 1);
    const unjudged = this.costs(game).flatMap((cost, ply) => (cost === null && isKnown(ply) ? [ply + 1] : []));
    if (this.search || unjudged.length === 0) return "";
    return `Judged by estimates only, so that mistakes are not marked: ${moveRanges(unjudged)}.`;
  }

  /** Whether the values that show what a move has cost are still being searched. */
  isOpen(game, ply) {
    return this.search !== null && (!this.at(game, ply) || !this.at(game, ply + 1));
  }

  /** The value of the position from Black's point of view, or `null`. */
  balance(game) {
    if (game.finished) return { number: game.result.score, exact: true };
    const value = this.answer ? { score: this.answer.score } : surer(this.at(game, game.ply), this.estimate);
    if (!value) return null;
    return { number: (colorToMove(game) === "black" ? 1 : -1) * numberOf(value), exact: isExact(value) };
  }

  key(game, moves) {
    return [game.board, game.goal, game.scoring, game.passing, game.first, moves.join("")].join("|");
  }

  remember(game, ply, value) {
    this.rememberKey(this.key(game, game.moves.slice(0, ply)), value);
  }

  rememberMove(game, move, { score }) {
    this.rememberKey(this.key(game, [...game.moves.slice(0, game.ply), move]), { score: score === 0 ? 0 : -score });
  }

  rememberKey(key, value) {
    this.known.set(key, surer(this.known.get(key), value));
  }

  /** The value after `ply` moves for the side to move there, if it is known. */
  at(game, ply) {
    return this.known.get(this.key(game, game.moves.slice(0, ply)));
  }

  /** The same from Black's point of view, for every position of the game. */
  curve(game) {
    return Array.from({ length: game.moves.length + 1 }, (_, ply) => {
      const value = this.at(game, ply);
      if (!value) return null;
      const sign = colorAt(game, ply) === "black" ? 1 : -1;
      return { ply, number: sign * numberOf(value), exact: isExact(value) };
    });
  }

  /** The discs that each move has cost; `null` where that is not known exactly. */
  costs(game) {
    const curve = this.curve(game);
    return game.moves.map((_, ply) => {
      const [before, after] = [curve[ply], curve[ply + 1]];
      if (!before?.exact || !after?.exact) return null;
      return colorAt(game, ply) === "black" ? before.number - after.number : after.number - before.number;
    });
  }

  /** The text on each square. */
  onBoard(game) {
    const shown = new Map();
    const exact = [...this.moves.values()].filter(isExact);
    const best = Math.max(...exact.map(numberOf));
    const isWhole = exact.length === game.legal.length;
    const bestEstimate = Math.max(...[...this.moves.values()].map(numberOf));
    for (const [move, value] of this.moves) {
      if (isExact(value)) {
        // The cost of a move follows from the best one, once all are solved.
        const loss = best - value.score;
        const isBest = isWhole && loss === 0;
        const cost = isBest ? ", a best move" : `, gives away ${loss}`;
        shown.set(move, {
          text: written(value),
          classes: `exact${isWhole ? ` loss-${lossClass(loss)}` : ""}${isBest ? " best" : ""}`,
          spoken: spoken(value) + (isWhole ? cost : ""),
        });
      } else if (value.estimate !== undefined) {
        shown.set(move, {
          text: written(value),
          detail: `~${value.depth}`,
          classes: `estimate${numberOf(value) === bestEstimate ? " best" : ""}`,
          spoken: spoken(value),
        });
      }
    }
    return shown;
  }

  /** The result of perfect play, in a sentence. */
  verdict(game) {
    const value = this.answer ? { score: this.answer.score } : surer(this.at(game, game.ply), this.estimate);
    if (!value || game.finished) return "";
    const mover = colorToMove(game);
    const number = numberOf(value);
    if (!isExact(value)) return `About ${written(value)} for ${nameOf(mover)}, an estimate ${value.depth} moves deep`;
    if (number === 0) return "Drawn with perfect play";
    const winner = number > 0 ? mover : otherColor(mover);
    const how = game.goal === "reversed" ? "wins, with fewer discs, by" : "wins by";
    return `${nameOf(winner)} ${how} ${Math.abs(number)} with perfect play`;
  }

  /** The progress of the search of the moves and of the graph. */
  progress(game) {
    return [this.search ? this.searching(game) : this.message, this.gap(game)].filter(Boolean).join(" ");
  }

  searching(game) {
    const seconds = Math.floor((Date.now() - this.since) / 1000);
    if (seconds < 1) return "";
    const values = [...this.moves.values()];
    const exact = values.filter(isExact).length;
    const depth = values.find((value) => !isExact(value))?.depth;
    const moves = `${exact} of ${game.legal.length} moves solved${depth ? `, looked ${depth} moves deep` : ""}`;
    const open = this.missing(game).length;
    const positions = `the game's other positions, ${open} of ${game.moves.length + 1} still open`;
    return `Searching, ${seconds} s: ${this.answer || game.finished ? positions : moves}.`;
  }
}
