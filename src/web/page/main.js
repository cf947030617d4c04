// Puts the page together: the game, who plays it, what it is worth, and every button and key.

import * as api from "./api.js";
import { Board } from "./board.js";
import { Computers } from "./computers.js";
import { showFiles, wireFiles } from "./files.js";
import { Table, colorAt, colorToMove, nameOf, otherColor, specOf } from "./game.js";
import { drawGame } from "./graph.js";
import * as link from "./link.js";
import { Statistics } from "./statistics.js";
import { Truth } from "./values.js";

const at = (id) => document.getElementById(id);
const FIRST_GAME = { game: { board: "6x6" }, seats: { black: "human", white: "engine" } };

const table = new Table(changed);
const computers = new Computers(table, say, halt);
const board = new Board(at("board"), (square) => chosen(square));
const truth = new Truth(() => showTruth());
const statistics = new Statistics(
  () => ({ game: table.game, spec: { ...specOf(table.game, 0), moves: [] }, seats: computers.seats, time: computers.time }),
  () => table.game && showRunningScore(table.game),
);
let catalogue = [];
let resigned = null;
let isCounted = false;
/** What the address held of the game when it was last written. */
let address = null;

function say(text, isAlarm = false) {
  at("status").textContent = text;
  at("status").classList.toggle("alarm", isAlarm);
}

/** Does what may fail, and says why it did. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (!api.isDropped(error)) say(error.message, true);
  }
}

const showsValues = () => at("show-values").checked;

// The game

function changed(game, before) {
  if (before && (before.ply !== game.ply || before.first !== game.first)) resigned = null;
  board.show(game, before, isOpen(game));
  showSides(game);
  showFiles(game);
  count(game, before);
  writeAddress(game, before);
  say(statusOf(game));
  at("undo").disabled = at("first").disabled = game.ply === 0;
  at("redo").disabled = at("last").disabled = game.ply === game.moves.length;
  at("step").disabled = game.finished || resigned !== null;
  at("resign").disabled = at("step").disabled || (!computers.isHuman("black") && !computers.isHuman("white"));
  if (resigned === null) computers.consider(game);
  look(game);
  scrollToMove(game);
}

/** Keeps the game in the address, and with it whether it was counted. Where moves are lost, the browser's way back leads
    to the game that had them. */
function writeAddress(game, before) {
  const next = link.write(game, computers.seats);
  const isLeft = before && location.hash === address && !before.moves.every((move, ply) => game.moves[ply] === move);
  if (next !== location.hash || isCounted !== history.state?.isCounted) {
    history[isLeft ? "pushState" : "replaceState"]({ isCounted }, "", next);
  }
  address = location.hash;
  keep("reversi.game", address);
  keep("reversi.counted", String(isCounted));
}

/** Whether a person may make the next move. */
function isOpen(game) {
  return resigned === null && computers.isPersonsTurn(game);
}

function statusOf(game) {
  const last = game.ply > 0 ? game.moves[game.ply - 1] : null;
  const mover = colorToMove(game);
  const made = last === null ? "" : `${nameOf(otherColor(mover))} ${last === "pa" ? "passed" : `played ${last}`}. `;
  if (resigned) return `${nameOf(resigned)} gave up: ${nameOf(otherColor(resigned))} wins.`;
  if (game.finished) return made + resultOf(game);
  if (game.legal[0] === "pa") return `${made}${nameOf(mover)} has no move and passes.`;
  if (game.ply < game.moves.length && !isOpen(game)) {
    return `${nameOf(mover)} (${computers.seats[mover]}) waits: Step lets it move, Pause lets you play.`;
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

function showSides(game) {
  for (const color of ["black", "white"]) {
    const side = at(`${color}-side`);
    side.classList.toggle("to-move", !game.finished && !resigned && colorToMove(game) === color);
    side.querySelector(".name").textContent = computers.seats[color];
    side.querySelector(".count").textContent = game.discs[color];
    side.setAttribute("aria-label", `${nameOf(color)}, ${computers.seats[color]}: ${game.discs[color]} discs`);
  }
  const rules = [game.board, game.goal === "reversed" ? "fewer discs win" : "more discs win"];
  rules.push(game.scoring === "winner" ? "empty squares count for the side with more discs" : "empty squares count for nobody");
  if (!game.passing) rules.push("no passing");
  at("rules-line").textContent = rules.join(" · ");
  showRunningScore(game);
}

function showRunningScore(game) {
  at("running-score").textContent = statistics.running(game, computers.seats);
}

/** Each game is counted once, when it is played to its end. */
function count(game, before) {
  // To go back to the start is not yet another game.
  const isAnew = before?.ply === 0 && before.moves.length > 1 && game.moves.length === 1;
  if (game.moves.length === 0 || isAnew) isCounted = false;
  const isPlayed = before && game.ply === before.ply + 1 && game.ply === game.moves.length && before.ply === before.moves.length;
  if (!game.finished || isCounted || !isPlayed) return;
  isCounted = true;
  statistics.add(game, computers.seats, game.result.winner);
}

function chosen(square) {
  const { game } = table;
  if (!game || !isOpen(game)) return;
  if (!game.legal.includes(square)) {
    if (game.legal[0] !== "pa") say(`${square} is no legal move for ${nameOf(colorToMove(game))}.`, true);
    return;
  }
  const moves = [...game.moves.slice(0, game.ply), square];
  attempt(() => (computers.any && !computers.paused ? table.set({ ...specOf(game), moves, ply: moves.length }) : table.play(square)));
}

/** Leaves the position; a program that thinks about it must not move in between, and goes on if it was not left. */
async function leave(change) {
  computers.stop();
  try {
    await change();
  } catch (error) {
    if (table.game && resigned === null) computers.consider(table.game);
    throw error;
  }
}

/** Begins another game. */
function begin({ game, ...about }) {
  return leave(() => table.set(game, () => prepare(about)));
}

/** Right before another game is on the table, with others in the seats if they are named. */
function prepare({ seats = null, wasCounted = false }) {
  isCounted = wasCounted;
  resigned = null;
  setPaused(false);
  if (seats) sit(seats);
}

/** Goes to a place in the game. A program that would move there waits until it is told to. */
function goTo(ply) {
  return attempt(() => leave(() => table.goTo(ply)));
}

/** Back to where a person last had the move; between programs one move, and they pause. */
function undo() {
  const { game } = table;
  if (game.ply === 0) return;
  const lastOf = (isWanted) => game.moves.slice(0, game.ply).findLastIndex((move, ply) => move !== "pa" && isWanted(ply));
  let ply = lastOf((ply) => computers.paused || computers.isHuman(colorAt(game, ply)));
  if (ply < 0) {
    setPaused(computers.any);
    ply = lastOf(() => true);
  }
  goTo(ply);
}

function setPaused(isPaused) {
  computers.paused = isPaused;
  at("pause").setAttribute("aria-pressed", String(isPaused));
  at("pause").textContent = isPaused ? "Go on" : "Pause";
}

function halt() {
  setPaused(true);
  board.show(table.game, null, isOpen(table.game));
  look(table.game);
}

function togglePause() {
  setPaused(!computers.paused);
  computers.stop();
  const { game } = table;
  board.show(game, null, isOpen(game));
  say(computers.paused && isOpen(game) ? "Paused: both sides can be played by hand." : statusOf(game));
  if (resigned === null) computers.consider(game, !computers.paused && !computers.isHuman(colorToMove(game)));
  look(game);
}

function resign() {
  const { game } = table;
  if (game.finished || resigned) return;
  const mover = colorToMove(game);
  resigned = computers.isHuman(mover) ? mover : otherColor(mover);
  computers.stop();
  if (!isCounted) statistics.add(game, computers.seats, otherColor(resigned));
  isCounted = true;
  changed(game, game);
}

// The truth

/** Looks at the position where it is shown; while a program thinks, the machine is left to it. */
function look(game) {
  const isProgramsTurn = !game.finished && !isOpen(game) && !resigned && game.ply === game.moves.length;
  if (showsValues() && !isProgramsTurn) truth.look(game);
  else truth.forget();
  showTruth();
}

function showTruth() {
  const { game } = table;
  if (!game) return;
  const isShown = showsValues();
  board.showValues(isShown ? truth.onBoard(game) : new Map());
  at("verdict").textContent = isShown ? truth.verdict(game) : "";
  at("search-progress").textContent = isShown ? truth.progress(game) : "Values are switched off.";
  const costs = isShown ? truth.costs(game) : game.moves.map(() => null);
  const curve = isShown ? truth.curve(game) : game.moves.map(() => null).concat(null);
  drawGame(at("graph"), curve, costs, game.ply, goTo);
  showMoves(game, costs);
  const line = isShown ? (truth.answer?.line ?? []) : [];
  at("line").textContent = line.join(" ");
  at("play-line").disabled = line.length === 0;
}

function showMoves(game, costs) {
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
function scrollToMove(game) {
  const list = at("moves");
  const last = list.children[game.ply - 1];
  if (last) list.scrollTop = last.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function showLegend() {
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

// Who plays

function showSeats() {
  for (const color of ["black", "white"]) {
    const [name, ...rest] = computers.seats[color].split(":");
    at(`${color}-player`).value = name;
    at(`${color}-parameters`).value = rest.join(":");
    at(`${color}-parameters`).disabled = name === "human";
  }
  showHelp();
}

function sit(seats) {
  computers.seats = { ...seats };
  showSeats();
}

function showHelp() {
  const names = new Set([at("black-player").value, at("white-player").value]);
  const lines = catalogue.filter(({ name }) => names.has(name)).map(({ name, summary, boards, parameters }) => {
    const known = parameters.map((parameter) => `${parameter.name}=… (${parameter.values}: ${parameter.meaning})`);
    return `${name}: ${summary} Boards ${boards}. ${known.length ? `Parameters: ${known.join("; ")}.` : "No parameters."}`;
  });
  at("player-help").textContent = lines.join(" ");
}

/** Others take the seats; a pause was one of the players before, and ends. */
function takeSeats(seats) {
  const { black, white } = computers.seats;
  const isChanged = seats.black !== black || seats.white !== white;
  sit(seats);
  if (!isChanged) return;
  setPaused(false);
  if (table.game) changed(table.game, table.game);
}

function wireSeat(color) {
  const take = (player) => takeSeats({ ...computers.seats, [color]: player });
  // Its parameters are a player's own: another one begins with its usual ones.
  at(`${color}-player`).addEventListener("change", ({ target }) => take(target.value));
  at(`${color}-parameters`).addEventListener("change", ({ target }) => {
    const [name] = computers.seats[color].split(":");
    const parameters = target.value.trim();
    take(parameters ? `${name}:${parameters}` : name);
  });
}

function showNewForm(game) {
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

// Tabs, keys and buttons

const tabs = [...document.querySelectorAll("[role=tab]")];

function openTab(tab) {
  for (const other of tabs) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", String(isChosen));
    other.tabIndex = isChosen ? 0 : -1;
    at(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
}

function wireTabs() {
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => openTab(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      openTab(next);
      next.focus();
    });
  });
}

const again = () => attempt(() => begin({ game: { ...specOf(table.game, 0), moves: [] } }));

const KEYS = {
  u: undo,
  "[": undo,
  r: () => goTo(table.game.ply + 1),
  "]": () => goTo(table.game.ply + 1),
  n: again,
  v: () => at("show-values").click(),
  p: togglePause,
  s: () => at("step").click(),
  b: () => board.focus(),
};

function wireKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !table.game) return;
    if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
    const tab = /^[1-4]$/.test(event.key) ? tabs[event.key - 1] : null;
    const action = tab ? () => { openTab(tab); tab.focus(); } : KEYS[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function wireButtons() {
  at("new").addEventListener("click", again);
  at("undo").addEventListener("click", undo);
  at("redo").addEventListener("click", KEYS.r);
  at("first").addEventListener("click", () => goTo(0));
  at("last").addEventListener("click", () => goTo(table.game.moves.length));
  at("pause").addEventListener("click", togglePause);
  at("step").addEventListener("click", () => {
    setPaused(true);
    computers.consider(table.game, true);
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    // Followed as a link it would take the place of the game in the address.
    event.preventDefault();
    at("board").focus();
  });
  at("resign").addEventListener("click", resign);
  at("show-values").addEventListener("change", () => {
    keep("reversi.values", showsValues() ? "on" : "off");
    look(table.game);
  });
  at("play-line").addEventListener("click", () => {
    const { game } = table;
    const moves = [...game.moves.slice(0, game.ply), ...truth.answer.line];
    setPaused(computers.any);
    attempt(() => table.set({ ...specOf(game), moves, ply: game.ply + 1 }));
  });
  wireSeat("black");
  wireSeat("white");
  at("move-time").addEventListener("change", ({ target }) => computers.limit(target.valueAsNumber > 0 ? target.valueAsNumber : null));
  at("players-form").addEventListener("submit", (event) => event.preventDefault());
  at("swap").addEventListener("click", () => {
    const { black, white } = computers.seats;
    takeSeats({ black: white, white: black });
  });
  // What is usual there may be another scoring.
  at("new-board").addEventListener("input", () => {
    at("new-scoring").value = "";
  });
  at("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => begin({ game: newSpec() }));
  });
}

// Settings last as long as the browser keeps them; without its permission, as long as the page.
function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Takes the game and the players from the address; where it names none, those of the last time. */
async function open() {
  const last = { ...(link.read(kept("reversi.game") ?? "") ?? FIRST_GAME), wasCounted: kept("reversi.counted") === "true" };
  const linked = link.read(location.hash);
  try {
    await begin(linked ? { ...linked, wasCounted: history.state?.isCounted } : last);
  } catch (error) {
    await attempt(() => stay(error, last));
  }
  if (table.game) showNewForm(table.game);
}

/** The game stays that is there, or the last one is taken up, where the address could not be followed. */
async function stay(error, last) {
  // The address that this one is written over is to lead there still when the program answers again.
  if (error.isSilence) history.pushState(null, "", location.hash);
  if (table.game) changed(table.game, table.game);
  else await begin(last).catch(() => begin(FIRST_GAME));
  say(error.isSilence ? error.message : `The link holds no game: ${error.message}`, true);
}

async function start() {
  at("show-values").checked = kept("reversi.values") !== "off";
  wireTabs();
  wireKeys();
  wireButtons();
  showLegend();
  wireFiles({
    table,
    put: (game) => {
      prepare({ seats: { black: "human", white: "human" }, wasCounted: true });
      table.put(game);
      showNewForm(game);
    },
    current: () => ({ game: table.game, seats: computers.seats }),
  });
  await attempt(async () => {
    catalogue = await api.players();
  });
  for (const color of ["black", "white"]) {
    const options = [new Option("human"), ...catalogue.map(({ name }) => new Option(name))];
    at(`${color}-player`).replaceChildren(...options);
  }
  addEventListener("hashchange", open);
  setInterval(() => {
    if (table.game && truth.search) at("search-progress").textContent = truth.progress(table.game);
  }, 500);
  await open();
  document.documentElement.dataset.ready = "yes";
}

start();
