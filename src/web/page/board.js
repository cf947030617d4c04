// The board: squares to click on, to reach with the keyboard, and to hear.

import { colorToMove, nameOf, sides, squareName } from "./game.js";

const NAMES = { X: "black", O: "white" };

export class Board {
  /** `play(move)` is called with the square that was chosen. */
  constructor(element, play) {
    this.element = element;
    this.play = play;
    this.squares = [];
    this.focused = 0;
    this.size = "";
    element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows a game; discs that have turned since `before` are turned before the eyes. */
  show(game, before, isPlayable) {
    if (this.size !== game.board) this.build(game);
    this.game = game;
    const animate = before && before.board === game.board && Math.abs(before.ply - game.ply) <= 1;
    const last = game.ply > 0 ? game.moves[game.ply - 1] : null;
    this.squares.forEach((square, index) => {
      const cell = game.position[index];
      const disc = NAMES[cell];
      const was = animate ? before.position[index] : cell;
      square.classList.toggle("legal", isPlayable && game.legal.includes(square.dataset.name));
      square.classList.toggle("last", square.dataset.name === last);
      square.replaceChildren();
      if (disc) {
        const element = document.createElement("span");
        element.className = `disc ${disc}`;
        if (was !== cell) element.classList.add(was === "-" ? "placed" : "turned");
        square.append(element);
      } else if (isPlayable && game.legal.includes(square.dataset.name)) {
        const dot = document.createElement("span");
        dot.className = "dot";
        square.append(dot);
      }
    });
    this.describe(new Map());
  }

  /** Writes values on squares: a map from the name of a square to `{ text, detail, classes, spoken }`. */
  showValues(values) {
    for (const square of this.squares) {
      square.querySelector(".value")?.remove();
      const value = values.get(square.dataset.name);
      square.querySelector(".dot")?.toggleAttribute("hidden", Boolean(value));
      if (!value) continue;
      const element = document.createElement("span");
      element.className = `value ${value.classes}`;
      element.textContent = value.text;
      if (value.detail) {
        const detail = document.createElement("small");
        detail.textContent = value.detail;
        element.append(detail);
      }
      square.append(element);
    }
    this.describe(values);
  }

  focus() {
    this.squares[this.focused]?.focus();
  }

  build(game) {
    this.size = game.board;
    const { columns, rows } = sides(game);
    const grid = document.createElement("div");
    grid.className = "grid";
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", `Board, ${columns} columns and ${rows} rows`);
    this.element.style.setProperty("--columns", columns);
    this.element.style.setProperty("--rows", rows);
    const label = (text) => {
      const element = document.createElement("span");
      element.className = "label";
      element.setAttribute("aria-hidden", "true");
      element.textContent = text;
      return element;
    };
    grid.append(label(""));
    for (let column = 0; column < columns; column++) grid.append(label(String.fromCharCode(97 + column)));
    this.squares = [];
    for (let row = 0; row < rows; row++) {
      const line = document.createElement("div");
      line.className = "row";
      line.setAttribute("role", "row");
      grid.append(label(row + 1));
      for (let column = 0; column < columns; column++) line.append(this.square(column, row));
      grid.append(line);
    }
    this.element.replaceChildren(grid);
    this.columns = columns;
    this.focused = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    this.squares[this.focused].tabIndex = 0;
  }

  square(column, row) {
    const square = document.createElement("button");
    const index = this.squares.length;
    square.type = "button";
    square.className = "square";
    square.dataset.name = squareName(column, row);
    square.setAttribute("role", "gridcell");
    square.tabIndex = -1;
    square.addEventListener("click", () => this.play(square.dataset.name));
    square.addEventListener("focus", () => this.rove(index));
    this.squares.push(square);
    return square;
  }

  /** What a screen reader says of each square. */
  describe(values) {
    for (const [index, square] of this.squares.entries()) {
      const { name } = square.dataset;
      const disc = NAMES[this.game.position[index]] ?? "empty";
      const parts = [name, disc];
      if (square.classList.contains("last")) parts.push("last move");
      if (square.classList.contains("legal")) parts.push(`legal for ${nameOf(colorToMove(this.game))}`);
      if (values.has(name)) parts.push(values.get(name).spoken);
      square.setAttribute("aria-label", parts.join(", "));
    }
  }

  rove(index) {
    this.squares[this.focused].tabIndex = -1;
    this.focused = index;
    this.squares[index].tabIndex = 0;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { columns, focused } = this;
    const column = focused % columns;
    const next = {
      ArrowLeft: column > 0 ? focused - 1 : focused,
      ArrowRight: column < columns - 1 ? focused + 1 : focused,
      ArrowUp: focused - columns,
      ArrowDown: focused + columns,
      Home: focused - column,
      End: focused - column + columns - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.squares[next]?.focus();
  }
}
