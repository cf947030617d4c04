// Games in and out: pasted texts, copies, links, GGF files.

import { ask } from "./api.js";
import { specOf, usualScoring } from "./game.js";

/** Wires the panel. `put(game)` takes a game that was read; `current()` gives the game and its players. */
export function wireFiles({ table, put, current }) {
  const at = (id) => document.getElementById(id);
  const say = (text) => {
    at("files-message").textContent = text;
  };
  at("read-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (at("text").value.trim() === "") {
      say("There is nothing to read: paste a game or a position above.");
      return;
    }
    try {
      const { board, goal, scoring, passing, start } = table.game;
      const game = await ask("read", { text: at("text").value, game: { board, goal, scoring, passing, start } });
      put(game);
      say(`Read: ${game.board}, ${game.moves.length} ${game.moves.length === 1 ? "move" : "moves"}.`);
    } catch (error) {
      say(error.message);
    }
  });
  const copies = { "copy-moves": () => at("transcript").textContent, "copy-position": () => table.game.position, "copy-link": () => location.href };
  for (const [id, text] of Object.entries(copies)) {
    at(id).addEventListener("click", async () => {
      const isCopied = await copy(text());
      const lost = id === "copy-moves" && !table.game.passing ? ", without the no-passing rule, which the text cannot express" : "";
      say(isCopied ? `Copied${lost}.` : "The browser does not allow copying; select the text below instead.");
    });
  }
  at("save-ggf").addEventListener("click", async () => {
    try {
      const { game, seats } = current();
      const names = { black: seats.black, white: seats.white, date: new Date().toISOString().slice(0, 10) };
      const { ggf } = await ask("record", { game: specOf(game, game.moves.length), ...names });
      save(`${ggf}\n`, `reversi-${game.board}.ggf`);
      const lost = [game.scoring === usualScoring(game.board) ? "" : `the scoring (${game.scoring})`, game.passing ? "" : "the no-passing rule"].filter(Boolean);
      say(lost.length === 0 ? "Saved." : `Saved, without ${lost.join(" and ")}, which GGF cannot express.`);
    } catch (error) {
      say(error.message);
    }
  });
}

/** All moves, including those taken back, after the first board. The diagonal start of 8x8 is left out, since every
    reader assumes it. A line with unusual rules comes first. */
function textOf({ board, goal, scoring, start, first, moves }) {
  const rules = [goal === "reversed" ? "goal=reversed" : "", scoring === usualScoring(board) ? "" : `scoring=${scoring}`].filter(Boolean);
  const line = rules.length > 0 ? `% ${rules.join(" ")}\n` : "";
  const transcript = moves.join("");
  if (board === "8x8" && start === "diagonal") return transcript === "" ? "" : line + transcript;
  return line + (moves.length === 0 ? first : `${first} ${transcript}`);
}

/** Shows the game and the position as text. */
export function showFiles(game) {
  document.getElementById("transcript").textContent = textOf(game);
  document.getElementById("position").textContent = game.position;
}

/** Copies a text to the clipboard; returns whether that worked. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function save(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ggf" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
