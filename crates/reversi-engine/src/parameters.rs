//! Parsing and writing of player parameters.

use super::catalogue;
use super::classic::{Depth, Recipe};
use super::hints::MAX_DEPTH;
use super::plain_search::{Presort, Shuffle};
use crate::historical::Historical;
use std::time::Duration;

/// Sets one parameter; `None` if the value is invalid.
pub(super) fn set(recipe: &mut Recipe, name: &str, value: &str) -> Option<()> {
    match (name, &mut recipe.depth, &mut recipe.evaluation) {
        ("depth", Depth::Fixed(depth) | Depth::Rising(depth), _) => *depth = parse_depth(value)?,
        ("mobility", _, Historical::Stages { middle_mobility }) => {
            *middle_mobility = ["7", "5"].contains(&value).then(|| value.parse().ok())??;
        }
        ("eval", _, evaluation) => {
            *evaluation = Historical::ALL.into_iter().find(|known| known.name() == value)?;
        }
        ("shuffle", ..) => {
            recipe.settings.shuffle = SHUFFLES.into_iter().find(|known| shuffle_name(*known) == value)?;
        }
        ("pruning", ..) => recipe.settings.pruning = parse_switch(value)?,
        ("presort", ..) => {
            recipe.settings.presort = PRESORTS.into_iter().find(|known| presort_name(*known) == value)?;
        }
        ("nullwindow", ..) => recipe.settings.null_windows = parse_switch(value)?,
        ("memory", ..) => recipe.settings.memory = parse_switch(value)?,
        ("opening", ..) => recipe.random_opening = parse_switch(value)?,
        ("time", ..) => recipe.time = Some(parse_duration(value)?),
        _ => return None,
    }
    Some(())
}

const SHUFFLES: [Shuffle; 3] = [Shuffle::Off, Shuffle::Root, Shuffle::Nodes];

const fn shuffle_name(shuffle: Shuffle) -> &'static str {
    match shuffle {
        Shuffle::Off => "off",
        Shuffle::Root => "root",
        Shuffle::Nodes => "nodes",
    }
}

const PRESORTS: [Presort; 3] = [Presort::Off, Presort::Root, Presort::Nodes];

const fn presort_name(presort: Presort) -> &'static str {
    match presort {
        Presort::Off => "off",
        Presort::Root => "on",
        Presort::Nodes => "nodes",
    }
}

pub(super) fn parse_depth(text: &str) -> Option<u32> {
    text.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth))
}

pub(super) fn parse_switch(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// A year: longer than any game, and no clock overflows.
const MOST_SECONDS: f64 = 365.0 * 86_400.0;

/// Parses `1.5s`, `500ms`, `2m`, `1h`, `2:30`, `1:30:00`; a number alone is in seconds. At most a year, and not zero.
pub fn parse_duration(text: &str) -> Option<Duration> {
    parse_duration_or_zero(text).filter(|time| !time.is_zero())
}

/// As [`parse_duration`], but zero is allowed.
pub fn parse_duration_or_zero(text: &str) -> Option<Duration> {
    let seconds = if text.contains(':') { clock_seconds(text)? } else { seconds_in_units(text)? };
    (0.0..=MOST_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn seconds_in_units(text: &str) -> Option<f64> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let (number, seconds) =
        units.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))?;
    Some(number.trim().parse::<f64>().ok()? * seconds)
}

/// Seconds of `m:s` or `h:m:s`.
fn clock_seconds(text: &str) -> Option<f64> {
    let (before, seconds) = text.rsplit_once(':')?;
    let seconds: f64 = seconds.parse().ok().filter(|seconds| (0.0..60.0).contains(seconds))?;
    let minutes = match before.split_once(':') {
        None => f64::from(before.parse::<u32>().ok()?),
        Some((hours, minutes)) => {
            let minutes = minutes.parse::<u32>().ok().filter(|&minutes| minutes < 60)?;
            60.0 * f64::from(hours.parse::<u32>().ok()?) + f64::from(minutes)
        }
    };
    Some(60.0 * minutes + seconds)
}

/// The parameters that differ from the default recipe of that name, and the depth where it is fixed.
pub(super) fn unusual(name: &str, recipe: &Recipe) -> Vec<String> {
    let Some(usual) = catalogue::recipe(name) else { return Vec::new() };
    let mut parameters = Vec::new();
    match recipe.depth {
        Depth::Fixed(depth) => parameters.push(depth.to_string()),
        Depth::Rising(depth) if recipe.depth != usual.depth => parameters.push(depth.to_string()),
        Depth::Rising(_) | Depth::Staged => {}
    }
    if recipe.evaluation != usual.evaluation {
        parameters.push(match recipe.evaluation {
            Historical::Stages { middle_mobility } if name == "stages" => {
                format!("mobility={middle_mobility}")
            }
            evaluation => evaluation.to_string(),
        });
    }
    if recipe.settings.shuffle != usual.settings.shuffle {
        parameters.push(format!("shuffle={}", shuffle_name(recipe.settings.shuffle)));
    }
    if recipe.settings.presort != usual.settings.presort {
        parameters.push(format!("presort={}", presort_name(recipe.settings.presort)));
    }
    let switches = [
        ("pruning", recipe.settings.pruning, usual.settings.pruning),
        ("nullwindow", recipe.settings.null_windows, usual.settings.null_windows),
        ("memory", recipe.settings.memory, usual.settings.memory),
        ("opening", recipe.random_opening, usual.random_opening),
    ];
    for (name, now, _) in switches.into_iter().filter(|(_, now, usual)| now != usual) {
        parameters.push(format!("{name}={}", if now { "on" } else { "off" }));
    }
    parameters.extend(recipe.time.map(written_time));
    parameters
}

pub(super) fn written_time(time: Duration) -> String {
    format!("time={}s", time.as_secs_f64())
}
