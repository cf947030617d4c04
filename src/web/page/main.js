// Puts the page together: the game, its players, its values, and every button and key.

import { scrollToMove, showAnalysis, showLegend } from "./analysis.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { Computers } from "./computers.js";
import { showFiles, wireFiles } from "./files.js";
import { Table, colorAt, colorToMove, nameOf, otherColor, specOf } from "./game.js";
import { wireKeys } from "./keys.js";
import * as link from "./link.js";
import { showNewGame, wireNewGame } from "./newgame.js";
import { Seating } from "./seats.js";
import { keep, kept } from "./settings.js";
import { Editor } from "./setup.js";
import { Statistics } from "./statistics.js";
import { goToTab, wireTabs } from "./tabs.js";
import { Truth } from "./values.js";
import { rulesOf, statusOf } from "./words.js";

const at = (id) => document.getElementById(id);
const FIRST_GAME = { game: { board: "6x6" }, seats: { black: "human", white: "engine" } };

const table = new Table(changed);
const computers = new Computers(table, say, halt);
const seating = new Seating(computers, { current: () => table.game, changed: reseated, replaced });
const board = new Board(at("board"), (square) => chosen(square));
const truth = new Truth(() => showTruth());
const editor = new Editor({
  show: (game) => board.show(game, null, false),
  begin: (game) => attempt(() => begin({ game })),
  leave: () => changed(table.game, table.game),
});
const statistics = new Statistics(
  () => ({ game: table.game, spec: { ...specOf(table.game, 0), moves: [] }, seats: computers.seats, time: computers.time }),
  () => table.game && showRunningScore(table.game),
);
let resigned = null;
let isCounted = false;
/** The game in the address when it was last written. */
let address = null;

function say(text, isAlarm = false) {
  at("status").textContent = text;
  at("status").classList.toggle("alarm", isAlarm);
}

/** Runs an action that may fail, and shows the error if it does. */
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
  if (editor.isOpen) editor.close();
  board.show(game, before, isOpen(game));
  showSides(game);
  showFiles(game);
  count(game, before);
  writeAddress(game, before);
  say(statusNow(game));
  at("undo").disabled = at("first").disabled = game.ply === 0;
  at("redo").disabled = at("last").disabled = game.ply === game.moves.length;
  at("step").disabled = game.finished || resigned !== null;
  at("resign").disabled = at("step").disabled;
  at("resign").hidden = !computers.isHuman("black") && !computers.isHuman("white");
  at("pause").hidden = !computers.any;
  statistics.showSeats(computers.seats);
  attempt(() => seating.offerFor(game));
  if (resigned === null) computers.consider(game);
  look(game);
  scrollToMove(game);
}

/** Keeps the game in the address, and whether it was counted. If moves are lost, the browser's Back button leads to the
    game that had them. */
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

const statusNow = (game) => statusOf(game, { seats: computers.seats, resigned, isOpen: isOpen(game) });

function showSides(game) {
  for (const color of ["black", "white"]) {
    const side = at(`${color}-side`);
    side.classList.toggle("to-move", !game.finished && !resigned && colorToMove(game) === color);
    side.querySelector(".name").textContent = computers.seats[color];
    side.querySelector(".count").textContent = game.discs[color];
    side.setAttribute("aria-label", `${nameOf(color)}, ${computers.seats[color]}: ${game.discs[color]} discs`);
  }
  at("rules-line").textContent = rulesOf(game);
  showRunningScore(game);
}

function showRunningScore(game) {
  at("running-score").textContent = statistics.running(game, computers.seats);
}

/** Each game is counted once, when it is played to its end. */
function count(game, before) {
  // Going back to the start does not make it another game.
  const isAnew = before?.ply === 0 && before.moves.length > 1 && game.moves.length === 1;
  if (game.moves.length === 0 || isAnew) isCounted = false;
  const isPlayed = before && game.ply === before.ply + 1 && game.ply === game.moves.length && before.ply === before.moves.length;
  if (!game.finished || isCounted || !isPlayed) return;
  isCounted = true;
  statistics.add(game, computers.seats, game.result.winner);
}

function chosen(square) {
  const { game } = table;
  if (editor.isOpen) return editor.paint(square);
  if (!game || !isOpen(game)) return;
  if (!game.legal.includes(square)) {
    if (game.legal[0] !== "pa") say(`${square} is no legal move for ${nameOf(colorToMove(game))}.`, true);
    return;
  }
  const moves = [...game.moves.slice(0, game.ply), square];
  attempt(() => (computers.any && !computers.paused ? table.set({ ...specOf(game), moves, ply: moves.length }) : table.play(square)));
}

/** Leaves the position. A program that searches it must not move meanwhile, and continues if it was not left. */
async function leave(change) {
  computers.stop();
  try {
    await change();
  } catch (error) {
    if (table.game && resigned === null && !editor.isOpen) computers.consider(table.game);
    throw error;
  }
}

/** Begins another game. */
function begin({ game, ...about }) {
  return leave(() => table.set(game, () => prepare(about)));
}

/** Called right before another game is shown, with other players if they are named. */
function prepare({ seats = null, wasCounted = false }) {
  isCounted = wasCounted;
  resigned = null;
  setPaused(false);
  if (seats) seating.sit(seats);
}

/** Called when the players have changed: a pause belonged to the players before, and ends. A position that is set up
    stays; the new players take their seats in its game. */
function reseated() {
  setPaused(false);
  if (!table.game) return;
  if (!editor.isOpen) return changed(table.game, table.game);
  showSides(table.game);
  statistics.showSeats(computers.seats);
  writeAddress(table.game, table.game);
}

/** Called when players that cannot play the game were replaced: the new ones wait for the go-ahead. */
function replaced(faults) {
  setPaused(true);
  if (!table.game || editor.isOpen) return;
  changed(table.game, table.game);
  say(`${faults.join(" ")} Press Go on to begin the game.`, true);
}

/** Goes to a place in the game. A program that would move there waits for the go-ahead. */
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
  if (!computers.any) return;
  setPaused(!computers.paused);
  computers.stop();
  const { game } = table;
  board.show(game, null, isOpen(game));
  say(computers.paused && isOpen(game) ? "Paused: both sides can be played by hand." : statusNow(game));
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

// The analysis

/** Analyses the position if the analysis is shown; while a program searches, the machine is left to it. */
function look(game) {
  const isProgramsTurn = !game.finished && !isOpen(game) && !resigned && game.ply === game.moves.length;
  if (showsValues() && !isProgramsTurn) truth.look(game);
  else truth.forget();
  showTruth();
}

function showTruth() {
  const { game } = table;
  if (!game || editor.isOpen) return;
  board.showValues(showsValues() ? truth.onBoard(game) : new Map());
  showAnalysis(game, showsValues() ? truth : null, goTo);
}

// Setting up and viewing the board

/** Sets up a position by hand, from the one on the board. */
function setUp() {
  if (editor.isOpen) return;
  computers.stop();
  truth.forget();
  board.showValues(new Map());
  showAnalysis(table.game, showsValues() ? truth : null, goTo);
  say("Choose squares to put discs on them.");
  editor.open(table.game);
}

function turn(change) {
  board.look(change(board.view));
  keep("reversi.view", JSON.stringify(board.view));
  if (editor.isOpen) editor.put(editor.cells);
  else {
    board.show(table.game, null, isOpen(table.game));
    showTruth();
  }
}

function takeUpView() {
  try {
    const { turns, isFlipped } = JSON.parse(kept("reversi.view"));
    if ([0, 1, 2, 3].includes(turns)) board.look({ turns, isFlipped: isFlipped === true });
  } catch {
    // Nothing was stored: the board is shown from Black's side.
  }
}

// Keys and buttons

const again = () => attempt(() => begin({ game: { ...specOf(table.game, 0), moves: [] } }));

const redo = () => goTo(table.game.ply + 1);

const back = () => goTo(table.game.ply - 1);
const toStart = () => goTo(0);
const toEnd = () => goTo(table.game.moves.length);

const KEYS = {
  u: undo,
  "[": undo,
  r: redo,
  "]": redo,
  arrowleft: back,
  arrowright: redo,
  "shift+arrowleft": toStart,
  "shift+arrowright": toEnd,
  home: toStart,
  end: toEnd,
  e: setUp,
  n: again,
  v: () => at("show-values").click(),
  p: togglePause,
  s: () => at("step").click(),
  b: () => board.focus(),
};

function wireButtons() {
  at("new").addEventListener("click", again);
  at("undo").addEventListener("click", undo);
  at("redo").addEventListener("click", redo);
  at("first").addEventListener("click", toStart);
  at("last").addEventListener("click", toEnd);
  at("set-up").addEventListener("click", setUp);
  at("rotate").addEventListener("click", () => turn(({ turns, isFlipped }) => ({ turns: turns + 1, isFlipped })));
  // Mirrored on the screen, whichever way the board is turned.
  at("flip").addEventListener("click", () => turn(({ turns, isFlipped }) => ({ turns: (4 - turns) % 4, isFlipped: !isFlipped })));
  at("games-players").addEventListener("click", () => goToTab(1));
  at("pause").addEventListener("click", togglePause);
  at("step").addEventListener("click", () => {
    setPaused(true);
    computers.consider(table.game, true);
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    // Followed as a link it would replace the game in the address.
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
}

/** Takes the game and the players from the address; if it names none, those of the last visit. */
async function open() {
  const last = { ...(link.read(kept("reversi.game") ?? "") ?? FIRST_GAME), wasCounted: kept("reversi.counted") === "true" };
  const linked = link.read(location.hash);
  try {
    await begin(linked ? { ...linked, wasCounted: history.state?.isCounted } : last);
  } catch (error) {
    await attempt(() => stay(error, last));
  }
  if (table.game) showNewGame(table.game);
}

/** If the address could not be followed, keeps the present game or takes up the last one. */
async function stay(error, last) {
  // The address that is overwritten must still work when the program answers again.
  if (error.isSilence) history.pushState(null, "", location.hash);
  if (table.game) changed(table.game, table.game);
  else await begin(last).catch(() => begin(FIRST_GAME));
  say(error.isSilence ? error.message : `The link holds no game: ${error.message}`, true);
}

async function start() {
  at("show-values").checked = kept("reversi.values") !== "off";
  wireTabs();
  takeUpView();
  wireKeys(KEYS, () => table.game !== null && !editor.isOpen);
  wireButtons();
  wireNewGame((game) => attempt(() => begin({ game })));
  showLegend();
  wireFiles({
    table,
    put: (game) => {
      prepare({ seats: { black: "human", white: "human" }, wasCounted: true });
      table.put(game);
      showNewGame(game);
    },
    current: () => ({ game: table.game, seats: computers.seats }),
  });
  addEventListener("hashchange", open);
  setInterval(() => {
    if (table.game && truth.search) at("search-progress").textContent = truth.progress(table.game);
  }, 500);
  await open();
  document.documentElement.dataset.ready = "yes";
}

start();
