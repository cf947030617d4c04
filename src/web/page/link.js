// The address holds the whole game: after the # come the game, the current move and the players.

const GAME_KEYS = ["board", "goal", "scoring", "start", "position", "moves", "ply"];

/** The part of the address after #, for a game and its players. */
export function write(game, seats) {
  const parts = new URLSearchParams();
  parts.set("board", game.board);
  parts.set("goal", game.goal);
  parts.set("scoring", game.scoring);
  if (game.start) parts.set("start", game.start);
  else parts.set("position", game.first.replaceAll(" ", ""));
  if (!game.passing) parts.set("passing", "no");
  if (game.moves.length > 0) parts.set("moves", game.moves.join(""));
  if (game.ply < game.moves.length) parts.set("ply", game.ply);
  for (const color of SEATS) parts.set(color, seats[color]);
  return `#${parts}`;
}

const SEATS = ["black", "white"];

/** The game and the players that an address names; `null` if it names none. If it names moves or players without a
    board, the service reports the fault. */
export function read(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  if (![...GAME_KEYS, "passing", ...SEATS].some((key) => parts.has(key))) return null;
  const game = {};
  for (const key of GAME_KEYS) if (parts.has(key)) game[key] = parts.get(key);
  if (game.ply !== undefined) game.ply = Math.max(0, Math.trunc(Number(game.ply)));
  if (Number.isNaN(game.ply)) delete game.ply;
  if (["no", "false"].includes(parts.get("passing"))) game.passing = false;
  return { game, seats: { black: parts.get("black") ?? "human", white: parts.get("white") ?? "human" } };
}
