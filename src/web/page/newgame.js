// The form of a new game: its board and its rules.

const at = (id) => document.getElementById(id);

/** `begin(spec)` is called with the game that is asked for. */
export function wireNewGame(begin) {
  // What is usual there may be another scoring.
  at("new-board").addEventListener("input", () => {
    at("new-scoring").value = "";
  });
  at("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(newSpec());
  });
}

/** Shows the rules of a game, for another one by the same. */
export function showNewGame(game) {
  at("new-board").value = game.board;
  at("new-goal").value = game.goal;
  at("new-scoring").value = game.scoring;
  at("new-start").value = game.start ?? "diagonal";
  at("new-passing").value = game.passing ? "pass" : "end";
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
