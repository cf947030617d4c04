//! The catalogue of players: names, parameters, and the recipes of the historical players.

use super::classic::{Depth, Recipe};
use super::plain_search::{Presort, SearchSettings, Shuffle};
use crate::historical::Historical;

/// A name in the catalogue of players.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name before the colon.
    pub name: &'static str,
    /// A description in one sentence.
    pub summary: &'static str,
    /// The supported boards.
    pub boards: &'static str,
    /// The parameters that may follow the colon.
    pub parameters: &'static [Parameter],
}

/// A parameter of a player, as in `depth=6`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The word before `=`.
    pub name: &'static str,
    /// The valid values.
    pub values: &'static str,
    /// The effect.
    pub meaning: &'static str,
}

const ALL_BOARDS: &str = "3x3 to 24x24";
const SMALL_BOARDS: &str = "3x3 to 8x8";
const ONLY_8X8: &str = "8x8";
const DISCS_ANYWHERE: &str =
    "3x3 to 24x24 with discs, only 8x8 with positional, phases and stages, 3x3 to 8x8 with the others";

const DEPTH: Parameter = Parameter {
    name: "depth",
    values: "1 to 60",
    meaning: "plies searched; may be given as the number alone",
};
const EVAL: Parameter = Parameter {
    name: "eval",
    values: "discs, positional, tokens, corners, moves, corners-tokens, corners-tokens-moves, corners-moves-tokens, phases, stages",
    meaning: "the evaluation; may be given as the name alone",
};
const SHUFFLE: Parameter = Parameter {
    name: "shuffle",
    values: "root, nodes, off",
    meaning: "where moves are shuffled, so that the choice among equal moves varies",
};
const PRUNING: Parameter = Parameter {
    name: "pruning",
    values: "on, off",
    meaning: "alpha-beta (on), or a search of every node (off)",
};
const PRESORT: Parameter = Parameter {
    name: "presort",
    values: "on, nodes, off",
    meaning: "sort moves by a search of depth 1: at the root (on) or at every node (nodes)",
};
const NULL_WINDOW: Parameter = Parameter {
    name: "nullwindow",
    values: "on, off",
    meaning: "null windows for all moves but the first (principal variation search)",
};
const MEMORY: Parameter = Parameter {
    name: "memory",
    values: "on, off",
    meaning: "a transposition table for positions that come up again within a search, as large as the memory limit allows",
};
const OPENING: Parameter = Parameter {
    name: "opening",
    values: "on, off",
    meaning: "the first four moves at random inside the centre",
};
const TIME: Parameter = Parameter {
    name: "time",
    values: "such as 5s or 500ms; none",
    meaning: "per move; when it is over, the best move so far is played",
};
const MOBILITY: Parameter =
    Parameter { name: "mobility", values: "7, 5", meaning: "weight of mobility in the middle of the game" };

const CLASSIC: &[Parameter] = &[DEPTH, SHUFFLE, PRUNING, PRESORT, NULL_WINDOW, MEMORY, TIME];
const WITH_EVAL: &[Parameter] = &[DEPTH, EVAL, SHUFFLE, PRUNING, PRESORT, NULL_WINDOW, MEMORY, TIME];
const PHASES: &[Parameter] = &[DEPTH, OPENING, SHUFFLE, PRUNING, PRESORT, NULL_WINDOW, MEMORY, TIME];
const STAGES: &[Parameter] = &[MOBILITY, SHUFFLE, PRUNING, PRESORT, NULL_WINDOW, MEMORY, TIME];

const ENGINE: &[Parameter] = &[
    Parameter {
        name: "depth",
        values: "1 to 60",
        meaning: "plies searched; exact if no more squares than this are empty",
    },
    Parameter { name: "time", values: "such as 1s or 500ms", meaning: "for each move" },
    Parameter {
        name: "level",
        values: "0 to 20",
        meaning: "plies searched. Below level 10: exact with at most 8 * level / 3 empty squares (at most 14). From level 10 on: exact with at most 8 + level * 4 / 5 empty squares, selective to the end with at most 10 + level, with cuts and tables",
    },
    Parameter {
        name: "cuts",
        values: "on, off",
        meaning: "ProbCut on boards with shipped weights: skips a search if one about half as deep lies a standard deviation outside the window; never in exact endgames. On by default from level 10 on and with a time limit; with a time limit the search to the end is repeated at 1.6 and 2.4 standard deviations",
    },
    Parameter {
        name: "tables",
        values: "on, off",
        meaning: "play the moves of tables of exact values; on by default from level 10 on and with a time limit",
    },
    Parameter {
        name: "turned",
        values: "on, off",
        meaning: "use the evaluation learned for the other goal with its sign reversed, to measure what learning is worth",
    },
];

/// All players, in the order in which they are listed.
pub const CATALOGUE: &[Entry] = &[
    Entry {
        name: "engine",
        summary: "Iterative deepening with an exact endgame; without a parameter as deep as the clock allows or as the requested depth, else level 10.",
        boards: SMALL_BOARDS,
        parameters: ENGINE,
    },
    Entry {
        name: "perfect",
        summary: "Never errs: asks the oracle, which has tables or searches to the end; made for 4x4 and 6x6 (blog post, 4x4 game tree).",
        boards: "3x3 to 36 squares",
        parameters: &[],
    },
    Entry {
        name: "worst",
        summary: "Always plays the worst move according to the oracle; for measurements.",
        boards: "3x3 to 36 squares",
        parameters: &[],
    },
    Entry {
        name: "random",
        summary: "Each legal move with the same chance.",
        boards: ALL_BOARDS,
        parameters: &[],
    },
    Entry {
        name: "first",
        summary: "Always the first legal move, row by row from a1 (DumAI, Copenhagen 2023).",
        boards: ALL_BOARDS,
        parameters: &[],
    },
    Entry {
        name: "minimax",
        summary: "Minimax without pruning to a depth of 3, children shuffled at every node (Toronto 2021).",
        boards: DISCS_ANYWHERE,
        parameters: WITH_EVAL,
    },
    Entry {
        name: "alphabeta",
        summary: "Alpha-beta to a depth of 4, children shuffled at every node (Toronto 2021).",
        boards: DISCS_ANYWHERE,
        parameters: WITH_EVAL,
    },
    Entry {
        name: "tokens",
        summary: "Alpha-beta of depth 8 for the share of discs (Copenhagen 2023).",
        boards: SMALL_BOARDS,
        parameters: CLASSIC,
    },
    Entry {
        name: "corners",
        summary: "Alpha-beta of depth 7 for the share of corners held or capturable (Copenhagen 2023).",
        boards: SMALL_BOARDS,
        parameters: CLASSIC,
    },
    Entry {
        name: "moves",
        summary: "Alpha-beta of depth 6 for few moves of the opponent (Copenhagen 2023).",
        boards: SMALL_BOARDS,
        parameters: CLASSIC,
    },
    Entry {
        name: "corners-tokens",
        summary: "Alpha-beta of depth 7, corners before tokens (Copenhagen 2023).",
        boards: SMALL_BOARDS,
        parameters: CLASSIC,
    },
    Entry {
        name: "corners-tokens-moves",
        summary: "Alpha-beta of depth 6, corners before tokens before moves (Copenhagen 2023).",
        boards: SMALL_BOARDS,
        parameters: CLASSIC,
    },
    Entry {
        name: "corners-moves-tokens",
        summary: "Alpha-beta of depth 6, corners before moves before tokens (Copenhagen 2023).",
        boards: SMALL_BOARDS,
        parameters: CLASSIC,
    },
    Entry {
        name: "phases",
        summary: "Opening at random, then alpha-beta of depth 4 or 5 with weights and mobility, at the end discs; made for the reversed goal (SUSTech 2022).",
        boards: ONLY_8X8,
        parameters: PHASES,
    },
    Entry {
        name: "stages",
        summary: "Depth 3, then 4, then to the end, with weights, mobility and edges; made for the reversed goal (SUSTech).",
        boards: ONLY_8X8,
        parameters: STAGES,
    },
];

/// The entry of a name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// The default recipe of the historical player with this name.
pub(super) fn recipe(name: &str) -> Option<Recipe> {
    let unshuffled = SearchSettings { pruning: true, ..SearchSettings::MINIMAX };
    let root = SearchSettings { shuffle: Shuffle::Root, ..unshuffled };
    let nodes = SearchSettings { shuffle: Shuffle::Nodes, ..unshuffled };
    let (evaluation, depth, settings) = match name {
        "minimax" => (Historical::Discs, Depth::Fixed(3), SearchSettings { pruning: false, ..nodes }),
        "alphabeta" => (Historical::Discs, Depth::Fixed(4), nodes),
        "tokens" => (Historical::Tokens, Depth::Fixed(8), root),
        "corners" => (Historical::Corners, Depth::Fixed(7), root),
        "moves" => (Historical::Moves, Depth::Fixed(6), root),
        "corners-tokens" => (Historical::CornersTokens, Depth::Fixed(7), root),
        "corners-tokens-moves" => (Historical::CornersTokensMoves, Depth::Fixed(6), root),
        "corners-moves-tokens" => (Historical::CornersMovesTokens, Depth::Fixed(6), root),
        "phases" => {
            let settings = SearchSettings { presort: Presort::Root, leaf_without_moves: true, ..unshuffled };
            (Historical::Phases, Depth::Rising(4), settings)
        }
        "stages" => (Historical::Stages { middle_mobility: 7 }, Depth::Staged, unshuffled),
        _ => return None,
    };
    Some(Recipe { evaluation, depth, settings, random_opening: name == "phases", time: None })
}
