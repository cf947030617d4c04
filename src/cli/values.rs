//! Reads the values of options: sizes, players, amounts, times.

use super::{Exit, Failure};
use crate::advice::Advice;
use clap::builder::{PathBufValueParser, TypedValueParser};
use reversi_engine::{NameError, PlayerSpec, parse_duration, parse_duration_or_zero};
use reversi_rules::Geometry;
use std::path::PathBuf;
use std::time::Duration;

/// A board size as typed.
///
/// # Errors
/// Exit code 2, with the possible sizes.
pub fn parse_size(text: &str) -> Result<Geometry, Failure> {
    text.parse().map_err(|error| Failure::usage("bad-board", format!("--board: {error}")))
}

/// A player as typed, with its parameters.
///
/// # Errors
/// Exit code 2, with the nearest names or the possible parameters.
pub fn parse_player(text: &str) -> Result<PlayerSpec, Failure> {
    text.parse().map_err(|error: NameError| Failure::usage("bad-player", error.with_advice()))
}

/// Reads a number of bytes, or a number with K, M, G or T (powers of 1024), as in `1.5G`.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    const WANTED: &str = "write a number of bytes, as in 512M, 1.5G or 1T";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 =
        match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            "G" => 1 << 30,
            "T" => 1 << 40,
            _ => return Err(WANTED.to_owned()),
        };
    let bytes = in_bytes(digits.trim(), unit);
    bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| WANTED.to_owned())
}

/// Maximum digits after a point: more are less than a byte.
const MOST_DIGITS: usize = 15;

/// A number of units, whole or with a point, in whole bytes.
fn in_bytes(number: &str, unit: u64) -> Option<u128> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let has_point = whole.len() < number.len();
    if has_point && (unit == 1 || part.is_empty() || part.len() > MOST_DIGITS || number.contains('+')) {
        return None;
    }
    let digits: u128 = [whole, part].concat().parse().ok().filter(|_| !whole.is_empty())?;
    Some(digits.checked_mul(unit.into())? / 10u128.pow(part.len() as u32))
}

/// Runs the work on this many threads; `None` is all cores.
///
/// # Errors
/// Exit code 1 if the threads cannot be made.
pub fn in_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| Failure::new(Exit::Failed, "threads", format!("--threads: {error}")))?;
    Ok(pool.install(work))
}

/// Reads a directory in which files are looked for. A missing one would otherwise be passed over silently.
pub fn data_directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.is_dir() {
        true => Ok(path),
        false => Err("there is no such directory"),
    })
}

/// Reads a number of threads.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1024).contains(count));
    count.ok_or_else(|| "write a number of threads from 1 to 1024".to_owned())
}

/// Reads a time: `60s`, `500ms`, `2m`, `2:30`, `1:30:00`; a number alone is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .ok_or_else(|| "write a time above 0, as in 60s, 500ms, 2m or 2:30, up to a year".to_owned())
}

/// The same, but zero is allowed.
pub fn duration_or_zero(text: &str) -> Result<Duration, String> {
    parse_duration_or_zero(text)
        .ok_or_else(|| "write a time as in 60s, 500ms, 2m or 2:30, up to a year, or 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_or_without_their_unit() {
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1m"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        for bad in ["", "s", "0", "-1", "nan", "inf", "1e300", "1e20", "9000h", "é"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        assert_eq!(duration_or_zero("0"), Ok(Duration::ZERO));
        assert_eq!(duration_or_zero("3s"), Ok(Duration::from_secs(3)));
        assert_eq!(duration_or_zero("0.0ms"), Ok(Duration::ZERO));
        for bad in ["0ss", "-1", "nan", ""] {
            assert!(duration_or_zero(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_are_read_as_a_clock_shows_them() {
        assert_eq!(duration("2:30"), Ok(Duration::from_secs(150)));
        assert_eq!(duration("1:30:00"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration_or_zero("0:00"), Ok(Duration::ZERO));
        assert!(duration("0:00").is_err());
        for bad in
            ["2:-5", "2:nan", ":", "1:", "9999999:00:00", "1:2:3:4", "2:30ss", "0:90", "1:60:00", "1.5:00"]
        {
            assert!(duration_or_zero(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn memory_is_read_with_its_unit() {
        assert_eq!(parse_memory("4G"), Ok(4 << 30));
        assert_eq!(parse_memory("512MiB"), Ok(512 << 20));
        assert_eq!(parse_memory("1000"), Ok(1000));
        assert_eq!(parse_memory("1.5G"), Ok(3 << 29));
        assert_eq!(parse_memory("8192.0T"), parse_memory("8192T"));
        for text in ["9T", "9tb", "9TiB"] {
            assert_eq!(parse_memory(text), Ok(9 << 40), "{text}");
        }
        for bad in [
            "",
            "G",
            "-1",
            "1.5",
            "-1.5G",
            "1.5.5G",
            "99999999999999999999",
            "99999999999G",
            "99999999T",
            "4X",
            "é",
        ] {
            assert!(parse_memory(bad).is_err(), "{bad}");
        }
    }
}
