//! What several tests share.

#![allow(dead_code, reason = "no test binary uses all of it")]

pub mod players;
#[cfg(feature = "program")]
mod program;
pub mod region;
pub mod specification;

#[cfg(feature = "program")]
#[allow(unused_imports, reason = "the tests of the library run no program")]
pub use program::*;

/// The text of a file in `tests/data`.
pub fn data(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines of such a text that are neither empty nor comments.
pub fn records(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}
