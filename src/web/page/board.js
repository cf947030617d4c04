// The board: squares for the mouse, the keyboard and the screen reader.

import { colorToMove, nameOf, sides, squareName } from "./game.js";

const NAMES = { X: "black", O: "white" };

export class Board {
  /** `play(move)` is called with the chosen square. */
  constructor(element, play) {
    this.element = element;
    this.play = play;
    /** The squares in the order of the game, and in the order on the screen. */
    this.squares = [];
    this.shown = [];
    this.focused = 0;
    this.size = "";
    /** Quarter turns to the right, and whether columns run from right to left before that. */
    this.view = { turns: 0, isFlipped: false };
    /** Whether the square with the focus was reached by a pointer: then the arrow keys belong to the game. */
    this.isPointed = false;
    element.addEventListener("pointerdown", () => {
      this.isPointed = true;
    });
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Tab") this.isPointed = false;
    });
    element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Turns or mirrors what is shown; the game stays as it is. */
  look(view) {
    this.view = { turns: view.turns % 4, isFlipped: view.isFlipped };
    this.size = "";
  }

  /** The square that is shown at a place. */
  squareAt(column, row, { columns, rows }) {
    const { turns, isFlipped } = this.view;
    const [x, y] = [
      [column, row],
      [row, rows - 1 - column],
      [columns - 1 - column, rows - 1 - row],
      [columns - 1 - row, column],
    ][turns];
    return { column: isFlipped ? columns - 1 - x : x, row: y };
  }

  /** Shows a game; the turning of discs since `before` is animated. */
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
    this.isPointed = false;
    this.shown[this.focused]?.focus();
  }

  build(game) {
    this.size = game.board;
    const size = sides(game);
    const isOnItsSide = this.view.turns % 2 === 1;
    const [columns, rows] = isOnItsSide ? [size.rows, size.columns] : [size.columns, size.rows];
    const grid = document.createElement("div");
    grid.className = "grid";
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", `Board, ${size.columns} columns and ${size.rows} rows`);
    this.element.style.setProperty("--columns", columns);
    this.element.style.setProperty("--rows", rows);
    const label = (text) => {
      const element = document.createElement("span");
      element.className = "label";
      element.setAttribute("aria-hidden", "true");
      element.textContent = text;
      return element;
    };
    const word = (isNumber, { column, row }) => label(isNumber ? row + 1 : String.fromCharCode(97 + column));
    grid.append(label(""));
    for (let column = 0; column < columns; column++) grid.append(word(isOnItsSide, this.squareAt(column, 0, size)));
    this.squares = [];
    this.shown = [];
    for (let row = 0; row < rows; row++) {
      const line = document.createElement("div");
      line.className = "row";
      line.setAttribute("role", "row");
      grid.append(word(!isOnItsSide, this.squareAt(0, row, size)));
      for (let column = 0; column < columns; column++) {
        const place = this.squareAt(column, row, size);
        line.append(this.square(place, this.shown.length));
        this.squares[place.row * size.columns + place.column] = line.lastChild;
        this.shown.push(line.lastChild);
      }
      grid.append(line);
    }
    this.element.replaceChildren(grid);
    this.columns = columns;
    this.focused = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    this.shown[this.focused].tabIndex = 0;
  }

  square({ column, row }, index) {
    const square = document.createElement("button");
    square.type = "button";
    square.className = "square";
    square.dataset.name = squareName(column, row);
    square.setAttribute("role", "gridcell");
    square.tabIndex = -1;
    square.addEventListener("click", () => this.play(square.dataset.name));
    square.addEventListener("focus", () => this.rove(index));
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
    this.shown[this.focused].tabIndex = -1;
    this.focused = index;
    this.shown[index].tabIndex = 0;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.isPointed) return;
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
    this.shown[next]?.focus();
  }
}
