// The games that were played here, stored in this browser: who won, and how the shares of points developed.

import { isDropped, listen } from "./api.js";
import { nameOf } from "./game.js";
import { drawResults, drawShares, percent } from "./graph.js";

const KEY = "reversi.statistics";
const MOST = 5000;
const LAST = 50;

function load() {
  try {
    const games = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(games) ? games.filter((game) => game !== null && typeof game === "object") : [];
  } catch {
    return [];
  }
}

/** Everything in which games differ besides their moves; a board that was set up is a start of its own. */
const rulesOf = ({ board, goal, scoring, start, first, passing }) => ({ board, goal, scoring, start: start ?? first, passing });

/** Whether games may be counted together. Games stored by an older page do not name all of their rules. */
function pairing({ black, white, board, goal, scoring, start, passing }) {
  const words = [`${black} – ${white}`, board];
  if (goal === "reversed") words.push("reversed");
  words.push(scoring === undefined ? "rules not kept" : `${scoring} scoring`);
  if (start !== undefined && start !== "diagonal") words.push(start === "parallel" ? "parallel start" : `from ${start}`);
  if (passing === false) words.push("no passing");
  return words.join(", ");
}

const pointsOf = (game, color) => (game.winner === null ? 0.5 : game.winner === color ? 1 : 0);

/** For each number the mean of the last `most` numbers. */
function means(numbers, most) {
  let sum = 0;
  return numbers.map((number, index) => {
    sum += number - (index >= most ? numbers[index - most] : 0);
    return sum / Math.min(index + 1, most);
  });
}

export class Statistics {
  /** `current()` gives the game on the page, its players and their time; `changed()` is called after every change. */
  constructor(current, changed) {
    this.current = current;
    this.changed = changed;
    this.games = load();
    /** How many of the last games are not stored yet. */
    this.fresh = 0;
    this.batch = null;
    const at = (id) => document.getElementById(id);
    this.at = at;
    at("stat-color").addEventListener("change", () => this.show());
    at("stat-filter").addEventListener("change", () => this.show());
    at("clear-statistics").addEventListener("click", () => this.clear());
    at("games-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.play();
    });
    at("games-stop").addEventListener("click", () => this.batch?.abort());
    addEventListener("storage", (event) => {
      if (event.key === KEY) this.takeOver();
    });
    this.show();
  }

  /** Adds a game that has ended. */
  add(game, seats, winner) {
    this.note(game, seats, winner);
    this.store();
  }

  note(game, { black, white }, winner) {
    this.games.push({ black, white, ...rulesOf(game), winner });
    this.fresh += 1;
  }

  clear() {
    const filter = this.at("stat-filter").value;
    this.games = filter === "" ? [] : this.games.filter((game) => pairing(game) !== filter);
    this.store();
  }

  store() {
    this.games = this.games.slice(-MOST);
    this.fresh = 0;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.games));
    } catch {
      // Without space or permission the games last as long as the page.
    }
    this.show();
  }

  /** Called when another window has stored games; games of this one that are not stored yet are kept. */
  takeOver() {
    const fresh = this.fresh === 0 ? [] : this.games.slice(-this.fresh);
    this.games = [...load(), ...fresh];
    this.show();
  }

  /** `2 : 1, 1 drawn`: the games of these players on this board under these rules. */
  running(game, seats) {
    const same = pairing({ ...seats, ...rulesOf(game) });
    const games = this.games.filter((one) => pairing(one) === same);
    const won = (winner) => games.filter((one) => one.winner === winner).length;
    const drawn = won(null) ? `, ${won(null)} drawn` : "";
    return games.length ? `Games won ${won("black")} : ${won("white")}${drawn}` : "";
  }

  show() {
    const filter = this.at("stat-filter");
    const chosen = filter.value;
    const names = [...new Set(this.games.map(pairing))];
    const options = [new Option("all players", ""), ...names.map((name) => new Option(name, name))];
    filter.replaceChildren(...options);
    filter.value = names.includes(chosen) ? chosen : "";
    const color = this.at("stat-color").value;
    const games = this.games.filter((game) => filter.value === "" || pairing(game) === filter.value);
    const points = games.map((game) => pointsOf(game, color));
    const all = means(points, points.length);
    const last = means(points, LAST);
    const count = (number) => points.filter((one) => one === number).length;
    this.at("stat-summary").textContent = points.length
      ? `${points.length} games: ${nameOf(color)} won ${count(1)}, drew ${count(0.5)}, lost ${count(0)}; share ${percent(all.at(-1))}, of the last ${Math.min(LAST, points.length)} games ${percent(last.at(-1))}`
      : "No games yet.";
    drawResults(this.at("stat-results"), points);
    drawShares(this.at("stat-shares"), all, last);
    this.at("clear-statistics").disabled = games.length === 0;
    this.at("stat-panel").hidden = this.games.length === 0;
    this.changed();
  }

  /** Games can be played if programs have both seats; otherwise the page says what is missing. Games that are played
      already can be stopped whoever has the seats. */
  showSeats({ black, white }) {
    const isReady = black !== "human" && white !== "human";
    this.at("games-form").hidden = !isReady && !this.batch;
    this.at("games-hint").hidden = isReady;
  }

  /** Lets the two programs on the page play many games. */
  async play() {
    const { spec, game, time, ...current } = this.current();
    // A player that takes a seat meanwhile has not played these games.
    const seats = { ...current.seats };
    const say = (text) => {
      this.at("games-message").textContent = text;
    };
    const games = this.at("games-count").valueAsNumber || 1;
    const question = { game: spec, ...seats, games, random_moves: this.at("games-random").valueAsNumber || 0 };
    if (time) question.time = time;
    const progress = this.at("games-progress");
    const running = (isRunning) => {
      progress.hidden = !isRunning;
      this.at("games-stop").hidden = !isRunning;
      this.at("games-start").disabled = isRunning;
    };
    this.batch = new AbortController();
    running(true);
    progress.max = games;
    progress.value = 0;
    let played = 0;
    say("");
    try {
      const end = await listen("games", question, this.batch.signal, (line) => {
        played += 1;
        progress.value = played;
        say(`${played} of ${games} games`);
        this.note(game, seats, line.winner);
        // Shown one by one they would take longer than they take to play.
        if (this.fresh === 1) setTimeout(() => this.store(), 100);
      });
      this.store();
      say(end.complete ? `${played} games played.` : `${played} of ${games} games played: ${end.error?.message ?? "stopped"}`);
    } catch (error) {
      say(isDropped(error) ? `Stopped after ${played} games.` : error.message);
    }
    this.batch = null;
    running(false);
    this.showSeats(this.current().seats);
  }
}
