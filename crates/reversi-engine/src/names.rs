//! Player specifications: parses names such as `alphabeta:6,discs` and creates the players.

use super::book::WithBook;
use super::catalogue::{self, CATALOGUE, Parameter};
use super::classic::{Classic, Recipe};
use super::parameters;
use super::perfect::{MoveChoice, Perfect};
use super::player::Player;
use super::resources::Resources;
use super::search::{Engine, EngineOptions};
use super::simple::{Anything, First};
use reversi_rules::Goal;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A player's name with its parameters, parsed and checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSpec {
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    First,
    Random,
    Perfect(MoveChoice),
    Classic(Recipe),
    Engine(EngineOptions),
}

/// Errors of player specifications.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// No player has this name.
    #[error("there is no player \"{name}\"; the nearest names are {}", nearest.join(", "))]
    Unknown {
        /// The text before the colon.
        name: String,
        /// The names with the smallest edit distance.
        nearest: Vec<&'static str>,
    },
    /// The player has no such parameter.
    #[error("player {player}: \"{parameter}\" is none of its parameters; {}", known_parameters(player))]
    Parameter {
        /// The player.
        player: &'static str,
        /// The text of the parameter.
        parameter: String,
    },
    /// A parameter without a value.
    #[error("player {player}: {parameter} needs a value, as in {parameter}=...; {allowed}")]
    NoValue {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The valid values.
        allowed: &'static str,
    },
    /// A parameter with two values.
    #[error("player {player}: {parameter} is given twice; leave one out")]
    Twice {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// An invalid value.
    #[error("player {player}: \"{value}\" is no value for {parameter}; {allowed}")]
    Value {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The text of the value.
        value: String,
        /// The valid values.
        allowed: &'static str,
    },
}

fn known_parameters(player: &str) -> String {
    let parameters = catalogue::entry(player).map_or(&[][..], |entry| entry.parameters);
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) }
}

impl FromStr for PlayerSpec {
    type Err = NameError;

    fn from_str(text: &str) -> Result<PlayerSpec, NameError> {
        let (name, parameters) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let unknown = || NameError::Unknown { name: name.to_owned(), nearest: nearest(name) };
        let mut spec = PlayerSpec::usual(name).ok_or_else(unknown)?;
        let mut given = Vec::new();
        for text in parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty()) {
            let (parameter, value) = spec.parameter_and_value(text)?;
            if given.contains(&parameter.name) {
                return Err(NameError::Twice { player: spec.name, parameter: parameter.name });
            }
            given.push(parameter.name);
            spec.set(parameter, value)?;
        }
        Ok(spec)
    }
}

impl PlayerSpec {
    /// The player of this name with default parameters.
    fn usual(name: &str) -> Option<PlayerSpec> {
        let name = catalogue::entry(name)?.name;
        let kind = match name {
            "first" => Kind::First,
            "random" => Kind::Random,
            "perfect" => Kind::Perfect(MoveChoice::Best),
            "worst" => Kind::Perfect(MoveChoice::Worst),
            "engine" => Kind::Engine(EngineOptions::default()),
            _ => Kind::Classic(catalogue::recipe(name)?),
        };
        Some(PlayerSpec { name, kind })
    }

    /// Sets one parameter.
    fn set(&mut self, parameter: &Parameter, value: &str) -> Result<(), NameError> {
        let taken = match &mut self.kind {
            Kind::First | Kind::Random | Kind::Perfect(_) => None,
            Kind::Classic(recipe) => parameters::set(recipe, parameter.name, value),
            Kind::Engine(options) => options.set(parameter.name, value),
        };
        taken.ok_or_else(|| NameError::Value {
            player: self.name,
            parameter: parameter.name,
            value: value.to_owned(),
            allowed: parameter.values,
        })
    }

    /// Splits `depth=6` into parameter and value; a number alone is a depth, a word alone an evaluation.
    fn parameter_and_value<'a>(&self, text: &'a str) -> Result<(&'static Parameter, &'a str), NameError> {
        let known = catalogue::entry(self.name).map_or(&[][..], |entry| entry.parameters);
        let parameter = |name: &str| known.iter().find(|parameter| parameter.name == name);
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), value.trim()),
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => ("depth", text),
            None => match parameter(text) {
                Some(&Parameter { name: parameter, values: allowed, .. }) => {
                    return Err(NameError::NoValue { player: self.name, parameter, allowed });
                }
                None => ("eval", text),
            },
        };
        let unknown = || NameError::Parameter { player: self.name, parameter: text.to_owned() };
        Ok((parameter(name).ok_or_else(unknown)?, value))
    }

    /// The name without parameters, as in the catalogue.
    pub fn base_name(&self) -> &'static str {
        self.name
    }

    /// Whether the player probes tables of exact values.
    pub fn asks_tables(&self) -> bool {
        match self.kind {
            Kind::Engine(options) => options.strength().tables,
            Kind::Perfect(_) => true,
            _ => false,
        }
    }

    /// The goal of the learned weights that the player uses in games with this goal, even if only for move ordering;
    /// `None` if it uses none.
    pub fn goal_of_weights(&self, goal: Goal) -> Option<Goal> {
        match self.kind {
            Kind::Engine(options) if options.is_turned() => Some(goal.other()),
            Kind::Engine(_) | Kind::Perfect(_) => Some(goal),
            _ => None,
        }
    }

    /// Whether the player has levels of strength.
    pub fn has_levels(&self) -> bool {
        matches!(self.kind, Kind::Engine(_))
    }

    /// The same player at another level of strength; `None` if it has none, or not this one.
    pub fn at_level(&self, level: u32) -> Option<PlayerSpec> {
        let Kind::Engine(options) = self.kind else { return None };
        Some(PlayerSpec { kind: Kind::Engine(options.at_level(level)?), ..*self })
    }

    /// Whether the parameters bound the depth of iterative deepening.
    pub fn bounds_depth(&self) -> bool {
        matches!(self.kind, Kind::Engine(options) if options.bounds_depth())
    }

    /// Whether the parameters bound the time of a move.
    pub fn bounds_time(&self) -> bool {
        self.own_time().is_some()
    }

    /// The time for each move that the parameters set.
    pub fn own_time(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Engine(options) => options.time,
            Kind::Classic(recipe) => recipe.time,
            Kind::First | Kind::Random | Kind::Perfect(_) => None,
        }
    }

    /// Whether the player is deterministic: it makes the same move in the same position of every new game, with one
    /// thread and without a running clock.
    pub fn repeats_itself(&self) -> bool {
        match &self.kind {
            Kind::First | Kind::Perfect(_) => true,
            Kind::Random => false,
            Kind::Classic(recipe) => recipe.repeats_itself(),
            Kind::Engine(options) => options.time.is_none(),
        }
    }

    /// Creates the player; `seed` seeds its random numbers.
    pub fn build(&self, resources: &Resources, seed: u64) -> Box<dyn Player> {
        match &self.kind {
            Kind::First => Box::new(First),
            Kind::Random => Box::new(Anything::new(seed)),
            Kind::Perfect(choice) => Box::new(Perfect::new(*choice, resources.clone())),
            Kind::Engine(options) => {
                let engine = Box::new(Engine::new(self.to_string(), *options, resources.clone()));
                match resources.books.is_empty() {
                    true => engine,
                    false => Box::new(WithBook::new(engine, resources.books.clone(), seed)),
                }
            }
            Kind::Classic(recipe) => {
                let (name, recipe) = (self.to_string(), recipe.clone());
                Box::new(Classic::new(name, recipe, resources.memory_bytes, seed))
            }
        }
    }
}

/// The name with all non-default parameters, and the depth where it is fixed; parsing it gives the same player.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = match &self.kind {
            Kind::First | Kind::Random | Kind::Perfect(_) => Vec::new(),
            Kind::Engine(options) => options.written(),
            Kind::Classic(recipe) => parameters::unusual(self.name, recipe),
        };
        let colon = if parameters.is_empty() { "" } else { ":" };
        f.pad(&format!("{}{colon}{}", self.name, parameters.join(",")))
    }
}

/// Up to three names with the smallest edit distance.
fn nearest(name: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = CATALOGUE.iter().map(|entry| entry.name).collect();
    names.sort_by_key(|known| edit_distance(name, known));
    names.truncate(3);
    names
}

/// Levenshtein distance: insertions, deletions and replacements of letters that turn one word into the other.
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..to.len() {
            let replaced = diagonal + usize::from(letter != to[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PlayerSpec, NameError> {
        text.parse()
    }

    #[test]
    fn every_name_in_the_catalogue_is_read_and_written() {
        for entry in CATALOGUE {
            let spec = read(entry.name).unwrap();
            assert_eq!(read(&spec.to_string()).unwrap(), spec);
        }
    }

    #[test]
    fn random_and_timed_players_are_not_deterministic() {
        for (player, repeats) in [
            ("first", true),
            ("worst", true),
            ("engine:level=3", true),
            ("alphabeta:2,shuffle=off", true),
            ("random", false),
            ("alphabeta:2", false),
            ("phases", false),
            ("phases:opening=off", true),
            ("engine:level=3,time=1s", false),
            ("alphabeta:2,shuffle=off,time=1s", false),
        ] {
            assert_eq!(read(player).unwrap().repeats_itself(), repeats, "{player}");
        }
    }

    #[test]
    fn parameters_are_read_and_written() {
        for (typed, written) in [
            ("minimax", "minimax:3"),
            ("minimax:2", "minimax:2"),
            (" alphabeta:depth=6,discs", "alphabeta:6"),
            ("alphabeta:eval=positional, 6, shuffle=off", "alphabeta:6,positional,shuffle=off"),
            ("engine", "engine"),
            ("engine:7", "engine:depth=7"),
            ("engine:level=0", "engine:level=0"),
            ("engine:time=1500ms", "engine:time=1.5s"),
            ("engine:level=5,time=2", "engine:level=5,time=2s"),
            ("tokens", "tokens:8"),
            ("corners-moves-tokens:8,presort=on", "corners-moves-tokens:8,presort=on"),
            ("phases", "phases"),
            (
                "phases:3,presort=off,pruning=off,opening=off,time=500ms",
                "phases:3,presort=off,pruning=off,opening=off,time=0.5s",
            ),
            (
                "alphabeta:6,presort=nodes,nullwindow=on,memory=on",
                "alphabeta:6,presort=nodes,nullwindow=on,memory=on",
            ),
            ("stages:mobility=5", "stages:mobility=5"),
            ("stages:mobility=7,time=2", "stages:time=2s"),
        ] {
            let spec = read(typed).unwrap();
            assert_eq!(spec.to_string(), written, "{typed}");
            assert_eq!(read(written).unwrap(), spec, "{typed}");
        }
    }

    #[test]
    fn the_error_of_a_mistyped_name_lists_the_nearest() {
        for (typed, meant) in
            [("randon", "random"), ("alpha-beta:6", "alphabeta"), ("corner", "corners"), ("", "first")]
        {
            let error = read(typed).unwrap_err();
            assert!(
                matches!(error, NameError::Unknown { nearest, .. } if nearest.contains(&meant)),
                "{typed}"
            );
        }
    }

    #[test]
    fn errors_of_bad_parameters_list_the_valid_ones() {
        for (typed, message) in [
            ("first:3", "player first: \"3\" is none of its parameters; it has none"),
            (
                "stages:depth=3",
                "player stages: \"depth=3\" is none of its parameters; it has mobility, shuffle, pruning, presort, nullwindow, memory, time",
            ),
            ("minimax:0", "player minimax: \"0\" is no value for depth; 1 to 60"),
            ("minimax:99999999999", "player minimax: \"99999999999\" is no value for depth; 1 to 60"),
            ("tokens:shuffle=maybe", "player tokens: \"maybe\" is no value for shuffle; root, nodes, off"),
            ("engine:level", "player engine: level needs a value, as in level=...; 0 to 20"),
            (
                "engine:depth=3, time",
                "player engine: time needs a value, as in time=...; such as 1s or 500ms",
            ),
            ("engine:level=3,level=4", "player engine: level is given twice; leave one out"),
            ("engine:5,depth=5", "player engine: depth is given twice; leave one out"),
            ("alphabeta:discs,eval=tokens", "player alphabeta: eval is given twice; leave one out"),
        ] {
            assert_eq!(read(typed).unwrap_err().to_string(), message);
        }
        for typed in
            ["minimax:3,pawns", "phases:time=-1s", "phases:time=0", "phases:time=1e9s", "stages:mobility=6"]
        {
            assert!(matches!(read(typed), Err(NameError::Value { .. })), "{typed}");
        }
    }
}
