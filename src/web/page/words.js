// A game in words: its rules, its state, and how it ended.

import { colorToMove, nameOf, otherColor } from "./game.js";

export function rulesOf(game) {
  const rules = [game.board, game.goal === "reversed" ? "fewer discs win" : "more discs win"];
  rules.push(game.scoring === "winner" ? "empty squares count for the side with more discs" : "empty squares count for neither side");
  if (!game.passing) rules.push("no passing");
  return rules.join(" · ");
}

/** `resigned` is the side that gave up, if any has; `isOpen` says whether a person may make the next move. */
export function statusOf(game, { seats, resigned, isOpen }) {
  const last = game.ply > 0 ? game.moves[game.ply - 1] : null;
  const mover = colorToMove(game);
  const made = last === null ? "" : `${nameOf(otherColor(mover))} ${last === "pa" ? "passed" : `played ${last}`}. `;
  if (resigned) return `${nameOf(resigned)} gave up: ${nameOf(otherColor(resigned))} wins.`;
  if (game.finished) return made + resultOf(game);
  if (game.legal[0] === "pa") return `${made}${nameOf(mover)} has no move and passes.`;
  if (game.ply < game.moves.length && !isOpen) {
    return `${nameOf(mover)} (${seats[mover]}) waits: Step lets it move, Pause lets you play.`;
  }
  return `${made}${nameOf(mover)} to move.`;
}

function resultOf(game) {
  const { black, white, winner, score } = game.result;
  const fewer = game.goal === "reversed" ? ", with fewer discs," : "";
  const empty = Math.abs(score) === Math.abs(black - white) ? "" : " with the empty squares";
  const outcome = winner ? `${nameOf(winner)} wins${fewer} by ${Math.abs(score)}${empty}.` : "A draw.";
  return `The game is over, ${black} to ${white}: ${outcome}`;
}
