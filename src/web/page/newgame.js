// The form of a new game: its board and its rules.

import { list } from "./api.js";
import { usualScoring } from "./game.js";

const at = (id) => document.getElementById(id);

/** `begin(spec)` is called with the requested game. */
export function wireNewGame(begin) {
  // Another board may have another usual scoring.
  at("new-board").addEventListener("input", () => {
    at("new-scoring").value = "";
  });
  at("new-form").addEventListener("input", showStartValue);
  at("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(newSpec());
  });
}

/** Shows the rules of a game, so that the next game can have the same. */
export function showNewGame(game) {
  at("new-board").value = game.board;
  at("new-goal").value = game.goal;
  at("new-scoring").value = game.scoring;
  at("new-start").value = game.start ?? "diagonal";
  at("new-passing").value = game.passing ? "pass" : "end";
  showStartValue();
}

/** The values of the starts of boards, requested once. */
let atlas;

/** Shows the value of the chosen start under perfect play, if it is known. */
async function showStartValue() {
  atlas ??= list("atlas").then((answer) => answer.values, () => []);
  const values = await atlas;
  // The form may have changed during the request.
  const { board, goal, start, scoring, passing } = newSpec();
  const isIt = (known) =>
    known.board === board && known.goal === goal && known.start === start && known.scoring === (scoring ?? usualScoring(board));
  const known = passing && values.find(isIt);
  at("new-value").textContent = known ? `With perfect play ${outcome(known.score)}.` : "";
  at("new-value").title = known ? known.source : "";
}

function outcome(score) {
  if (score === 0) return "it is a draw";
  const discs = Math.abs(score) === 1 ? "disc" : "discs";
  return `${score > 0 ? "Black" : "White"} wins by ${Math.abs(score)} ${discs}`;
}

function newSpec() {
  return {
    board: at("new-board").value.trim(),
    goal: at("new-goal").value,
    start: at("new-start").value,
    scoring: at("new-scoring").value || undefined,
    passing: at("new-passing").value === "pass",
  };
}
