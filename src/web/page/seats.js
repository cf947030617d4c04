// The form for the players: it gives each side its player with its strength, and programs their time.

import { ask } from "./api.js";
import { specOf } from "./game.js";

const at = (id) => document.getElementById(id);
const COLORS = ["black", "white"];
const OWN = "own";
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20];
const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8, 10];
/** Pause between a typed letter and the request that checks the text. */
const PATIENCE = 150;

export class Seating {
  /** `current()` gives the game; `changed()` is called when others have taken the seats by the form, `replaced()` when
      they take the place of players who cannot play the game, with a sentence for each. */
  constructor(computers, { current, changed, replaced }) {
    this.computers = computers;
    this.current = current;
    this.changed = changed;
    this.replaced = replaced;
    this.catalogue = [];
    this.rules = null;
    this.offer([]);
    for (const color of COLORS) this.wireSeat(color);
    at("move-time").addEventListener("change", ({ target }) => {
      const time = target.valueAsNumber > 0 ? target.valueAsNumber : null;
      if (time === null) target.value = "";
      computers.limit(time);
    });
    at("players-form").addEventListener("submit", (event) => event.preventDefault());
    at("swap").addEventListener("click", () => {
      const { black, white } = computers.seats;
      this.take({ black: white, white: black });
    });
  }

  wireSeat(color) {
    const take = (player) => this.take({ ...this.computers.seats, [color]: player });
    const base = () => at(`${color}-player`).value;
    const named = (parameters) => (parameters ? `${base()}:${parameters}` : base());
    // Parameters belong to one player: another one begins with its defaults.
    at(`${color}-player`).addEventListener("change", ({ target }) => take(target.value));
    at(`${color}-strength`).addEventListener("change", ({ target }) => {
      if (target.value !== OWN) take(named(target.value));
      this.showOwn(color);
      if (target.value === OWN) at(`${color}-parameters`).focus();
    });
    const parameters = at(`${color}-parameters`);
    let timer = null;
    parameters.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.check(color, named(parameters.value.trim())), PATIENCE);
    });
    parameters.addEventListener("change", async () => {
      clearTimeout(timer);
      const player = named(parameters.value.trim());
      if (await this.check(color, player)) take(player);
    });
  }

  /** Whether a player can play the game with its parameters; if not, the form says why. */
  async check(color, player) {
    let fault = "";
    try {
      await ask("player", { game: { ...specOf(this.current(), 0), moves: [] }, player });
    } catch (error) {
      fault = error.message;
    }
    this.showFault(color, fault);
    return fault === "";
  }

  showFault(color, fault) {
    at(`${color}-fault`).textContent = fault;
    at(`${color}-parameters`).setAttribute("aria-invalid", String(fault !== ""));
  }

  /** Offers people and the players that can play a game. A player that cannot play it is replaced by one that can. */
  async offerFor(game) {
    const rules = [game.board, game.goal, game.passing].join();
    if (this.rules === rules) return;
    this.rules = rules;
    const question = { game: { ...specOf(game, 0), moves: [] } };
    const { players } = await ask("players", question).catch((error) => {
      this.rules = null;
      throw error;
    });
    if (this.rules !== rules) return;
    this.offer(players);
    const { seats } = this.computers;
    const canPlay = (seat) => seat === "human" || players.some(({ name }) => name === seat.split(":")[0]);
    const [usual] = ["engine", "alphabeta"].filter(canPlay);
    const seat = (color) => (canPlay(seats[color]) ? seats[color] : usual);
    const replaced = COLORS.filter((color) => !canPlay(seats[color]));
    const faults = replaced.map((color) => `${seats[color]} cannot play this game; ${usual} takes its place.`);
    this.sit({ black: seat("black"), white: seat("white") });
    replaced.forEach((color, place) => this.showFault(color, faults[place]));
    if (faults.length > 0) this.replaced(faults);
  }

  offer(catalogue) {
    this.catalogue = catalogue;
    for (const color of COLORS) {
      const options = [new Option("human"), ...catalogue.map(({ name }) => new Option(name))];
      at(`${color}-player`).replaceChildren(...options);
    }
  }

  take(seats) {
    const { black, white } = this.computers.seats;
    this.sit(seats);
    if (seats.black !== black || seats.white !== white) this.changed();
  }

  sit(seats) {
    this.computers.seats = { ...seats };
    for (const color of COLORS) {
      const [name, ...rest] = seats[color].split(":");
      at(`${color}-player`).value = name;
      at(`${color}-parameters`).value = rest.join(":");
      this.offerStrengths(color, rest.join(":"));
      this.showFault(color, "");
    }
    this.showHelp();
  }

  /** The strengths of a player: levels or depths, or parameters typed by hand. */
  offerStrengths(color, parameters) {
    const entry = this.catalogue.find(({ name }) => name === at(`${color}-player`).value);
    const known = (name) => entry?.parameters.some((parameter) => parameter.name === name);
    const strengths = [new Option("usual", "")];
    if (known("level")) strengths.push(...LEVELS.map((level) => new Option(levelInWords(level), `level=${level}`)));
    else if (known("depth")) strengths.push(...DEPTHS.map((depth) => new Option(`${depth} ${depth === 1 ? "move" : "moves"} deep`, `depth=${depth}`)));
    strengths.push(new Option("by parameters…", OWN));
    const menu = at(`${color}-strength`);
    menu.replaceChildren(...strengths);
    const wanted = /^\d+$/.test(parameters) ? `depth=${parameters}` : parameters;
    menu.value = strengths.some(({ value }) => value === wanted) ? wanted : OWN;
    menu.closest("label").hidden = !entry || entry.parameters.length === 0;
    this.showOwn(color);
  }

  showOwn(color) {
    const menu = at(`${color}-strength`);
    at(`${color}-parameters`).closest("label").hidden = menu.closest("label").hidden || menu.value !== OWN;
  }

  showHelp() {
    const names = new Set(COLORS.map((color) => at(`${color}-player`).value));
    const lines = this.catalogue.filter(({ name }) => names.has(name)).map(({ name, summary, parameters }) => {
      const known = parameters.map((parameter) => `${parameter.name}=… (${parameter.values}: ${parameter.meaning})`);
      return `${name}: ${summary} ${known.length ? `Parameters: ${known.join("; ")}.` : "No parameters."}`;
    });
    at("player-help").textContent = lines.join(" ");
    at("player-about").hidden = lines.length === 0;
  }
}

function levelInWords(level) {
  const words = { 0: "sees no move ahead", 1: "beginner", 4: "casual", 8: "strong", 10: "as usual", 20: "strongest, takes long" };
  return `level ${level}${words[level] ? `: ${words[level]}` : ""}`;
}
