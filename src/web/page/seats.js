// Who plays: the form that gives each side its player, and programs their time.

const at = (id) => document.getElementById(id);
const COLORS = ["black", "white"];

export class Seating {
  /** `changed()` is called when others have taken the seats by the form. */
  constructor(computers, changed) {
    this.computers = computers;
    this.changed = changed;
    this.offer([]);
    for (const color of COLORS) this.wireSeat(color);
    at("move-time").addEventListener("change", ({ target }) => {
      computers.limit(target.valueAsNumber > 0 ? target.valueAsNumber : null);
    });
    at("players-form").addEventListener("submit", (event) => event.preventDefault());
    at("swap").addEventListener("click", () => {
      const { black, white } = computers.seats;
      this.take({ black: white, white: black });
    });
  }

  wireSeat(color) {
    const take = (player) => this.take({ ...this.computers.seats, [color]: player });
    // Its parameters are a player's own: another one begins with its usual ones.
    at(`${color}-player`).addEventListener("change", ({ target }) => take(target.value));
    at(`${color}-parameters`).addEventListener("change", ({ target }) => {
      const [name] = this.computers.seats[color].split(":");
      const parameters = target.value.trim();
      take(parameters ? `${name}:${parameters}` : name);
    });
  }

  /** Lets programs be chosen beside people. */
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
      at(`${color}-parameters`).disabled = name === "human";
    }
    this.showHelp();
  }

  showHelp() {
    const names = new Set(COLORS.map((color) => at(`${color}-player`).value));
    const lines = this.catalogue.filter(({ name }) => names.has(name)).map(({ name, summary, boards, parameters }) => {
      const known = parameters.map((parameter) => `${parameter.name}=… (${parameter.values}: ${parameter.meaning})`);
      return `${name}: ${summary} Boards ${boards}. ${known.length ? `Parameters: ${known.join("; ")}.` : "No parameters."}`;
    });
    at("player-help").textContent = lines.join(" ");
  }
}
