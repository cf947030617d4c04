// The panel of the analysis: the verdict, the graph, the moves with what they cost, and the perfect line.

import { drawGame } from "./graph.js";

const at = (id) => document.getElementById(id);

/** Shows what `truth` knows of a game, or nothing if it is `null`; `goTo(ply)` is called with the place that was chosen. */
export function showAnalysis(game, truth, goTo) {
  const unknown = game.moves.map(() => null);
  const costs = truth?.costs(game) ?? unknown;
  const line = truth?.answer?.line ?? [];
  at("verdict").textContent = truth?.verdict(game) ?? "";
  at("search-progress").textContent = truth?.progress(game) ?? "Values are switched off.";
  drawGame(at("graph"), truth?.curve(game) ?? [...unknown, null], costs, game.ply, goTo);
  showMoves(game, costs, goTo);
  at("line").textContent = line.join(" ");
  at("play-line").disabled = line.length === 0;
}

function showMoves(game, costs, goTo) {
  const items = game.moves.map((move, index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = `${index + 1}. ${move}`;
    button.classList.toggle("undone", index >= game.ply);
    if (index === game.ply - 1) button.setAttribute("aria-current", "step");
    if (costs[index] > 0) {
      const cost = document.createElement("span");
      cost.className = "cost";
      cost.textContent = ` −${costs[index]}`;
      button.append(cost);
      button.setAttribute("aria-label", `Move ${index + 1}, ${move}, gave away ${costs[index]}`);
    }
    button.addEventListener("click", () => goTo(index + 1));
    item.append(button);
    return item;
  });
  // The buttons are made anew while a search goes on: whoever is on one of them stays there.
  const focused = [...at("moves").children].findIndex((item) => item.contains(document.activeElement));
  at("moves").replaceChildren(...items);
  items[focused]?.firstChild.focus();
}

/** Brings the last move into sight; the list alone is scrolled, not the page. */
export function scrollToMove(game) {
  const list = at("moves");
  const last = list.children[game.ply - 1];
  if (last) list.scrollTop = last.offsetTop - list.offsetTop - list.clientHeight / 2;
}

export function showLegend() {
  const entry = (classes, sample, text) => `<span class="value ${classes}">${sample}</span>${text}`;
  at("legend").innerHTML = [
    "For the side to move:",
    entry("exact loss-0 best", "+4", "best"),
    entry("exact loss-1", "+2", "gives away 1–2"),
    entry("exact loss-2", "0", "3–6"),
    entry("exact loss-3", "−6", "7–12"),
    entry("exact loss-4", "−12", "more"),
    entry("exact", "+2", "exact, others not yet solved"),
    entry("estimate", "+1.3", "estimate, with its depth"),
  ].join(" ");
}
