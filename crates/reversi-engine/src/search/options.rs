//! The engine's parameters, and the strength that follows.

use super::level::{MAX_LEVEL, Strength};
use crate::parameters::{parse_depth, parse_duration, parse_switch, written_time};
use std::time::Duration;

/// The engine's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EngineOptions {
    depth: Option<u32>,
    level: Option<u32>,
    /// Time for each move.
    pub time: Option<Duration>,
    probcut: Option<bool>,
    tables: Option<bool>,
    turned: Option<bool>,
}

impl EngineOptions {
    /// Sets one parameter; `None` if the value is invalid.
    pub fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "depth" => self.depth = Some(parse_depth(value)?),
            "level" => self.level = Some(value.parse().ok().filter(|level| *level <= MAX_LEVEL)?),
            "time" => self.time = Some(parse_duration(value)?),
            "cuts" => self.probcut = Some(parse_switch(value)?),
            "tables" => self.tables = Some(parse_switch(value)?),
            "turned" => self.turned = Some(parse_switch(value)?),
            _ => return None,
        }
        Some(())
    }

    /// The same at another level, in place of the depth if one was set; `None` if there is no such level.
    pub fn at_level(self, level: u32) -> Option<EngineOptions> {
        (level <= MAX_LEVEL).then_some(EngineOptions { level: Some(level), depth: None, ..self })
    }

    /// Whether the engine uses the evaluation learned for the other goal, with its sign inverted.
    pub fn is_turned(self) -> bool {
        self.turned.unwrap_or_default()
    }

    /// The strength of the smaller of level and depth, within the time.
    pub fn strength(self) -> Strength {
        let free = match (self.level, self.time, self.depth) {
            (Some(level), ..) => Strength::level(level).within(self.depth, false),
            (None, None, None) => Strength::usual(),
            (None, Some(_), depth) => Strength::unbounded().within(depth, false),
            (None, None, Some(depth)) => Strength::full_width(depth),
        };
        let free = self.probcut.map_or(free, |probcut| free.with_cuts(probcut));
        self.tables.map_or(free, |tables| free.with_tables(tables))
    }

    /// Whether a depth or a level is set.
    pub fn bounds_depth(self) -> bool {
        self.level.or(self.depth).is_some()
    }

    /// The largest depth in plies with `empties` empty squares, to the end of the game where that is one step; `None`
    /// if neither level nor depth is set.
    pub fn reach(self, empties: u32) -> Option<u32> {
        if !self.bounds_depth() {
            return None;
        }
        let Strength { depth, end_empties, exact_empties, .. } = self.strength();
        let to_the_end = empties <= end_empties.max(exact_empties);
        Some(if to_the_end { empties } else { depth })
    }

    /// The parameters as text.
    pub fn written(self) -> Vec<String> {
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        let level = self.level.map(|level| format!("level={level}"));
        let switch = |name: &str, on: bool| format!("{name}={}", if on { "on" } else { "off" });
        let switches = [("cuts", self.probcut), ("tables", self.tables), ("turned", self.turned)];
        let switches = switches.into_iter().filter_map(|(name, on)| Some(switch(name, on?)));
        depth.into_iter().chain(level).chain(self.time.map(written_time)).chain(switches).collect()
    }
}
