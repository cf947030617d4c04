// The panel of the analysis: the verdict, the graph, the moves with what they cost, and the perfect line.

import { sides } from "./game.js";
import { drawGame } from "./graph.js";

const at = (id) => document.getElementById(id);

/** Shows what `truth` knows of a game, or nothing if it is `null`; `goTo(ply)` is called with the chosen place. */
export function showAnalysis(game, truth, goTo) {
  const unknown = game.moves.map(() => null);
  const costs = truth?.costs(game) ?? unknown;
  const line = truth?.answer?.line ?? [];
  at("verdict").textContent = truth?.verdict(game) ?? "";
  at("search-progress").textContent = truth?.progress(game) ?? "Values are switched off.";
  drawGame(at("graph"), truth?.curve(game) ?? [...unknown, null], costs, game.ply, goTo);
  showMoves(game, costs, (ply) => truth?.isOpen(game, ply) ?? false, goTo);
  at("line").textContent = line.join(" ");
  at("play-line").disabled = line.length === 0;
  at("line-panel").hidden = line.length === 0;
  at("graph-panel").hidden = game.moves.length === 0 || !truth?.curve(game).some(Boolean);
  at("moves").hidden = game.moves.length === 0;
  at("legend").hidden = !truth || game.finished;
  showBalance(game, truth?.balance(game) ?? null);
}

/** The bar beside the board: Black's share grows with the value, and is half if the game is even. */
function showBalance(game, balance) {
  const bar = at("balance");
  const { columns, rows } = sides(game);
  const most = columns * rows;
  bar.classList.toggle("unknown", balance === null);
  bar.classList.toggle("estimate", balance?.exact === false);
  const number = Math.max(-most, Math.min(most, balance?.number ?? 0));
  // Most games end within a quarter of the squares; a square root leaves room for the others.
  const share = 50 + 50 * Math.sign(number) * Math.sqrt(Math.abs(number) / most);
  bar.style.setProperty("--black-share", `${share.toFixed(1)}%`);
  const written = balance?.exact ? String(Math.abs(number)) : Math.abs(number).toFixed(1);
  const leader = number > 0 ? "Black" : "White";
  const words = balance === null ? "not known" : `${balance.exact ? "" : "about "}${Number(written) === 0 ? "even" : `${leader} by ${written}`}`;
  bar.setAttribute("aria-valuemin", -most);
  bar.setAttribute("aria-valuemax", most);
  bar.setAttribute("aria-valuenow", number);
  bar.setAttribute("aria-valuetext", words);
  bar.title = `Value: ${words}`;
}

function showMoves(game, costs, isOpen, goTo) {
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
    } else if (costs[index] === null && isOpen(index)) {
      const open = document.createElement("span");
      open.className = "open";
      open.textContent = " …";
      button.append(open);
      button.setAttribute("aria-label", `Move ${index + 1}, ${move}, not yet judged`);
    }
    button.addEventListener("click", () => goTo(index + 1));
    item.append(button);
    return item;
  });
  // The buttons are made again during a search: the focus must stay where it is.
  const focused = [...at("moves").children].findIndex((item) => item.contains(document.activeElement));
  at("moves").replaceChildren(...items);
  items[focused]?.firstChild.focus();
}

/** Scrolls to the last move; only the list is scrolled, not the page. */
export function scrollToMove(game) {
  const list = at("moves");
  const last = list.children[game.ply - 1];
  if (last) list.scrollTop = last.offsetTop - list.offsetTop - list.clientHeight / 2;
}

export function showLegend() {
  const entry = (classes, sample, text) => `<span class="entry"><span class="value ${classes}">${sample}</span> ${text}</span>`;
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
