//! How a game begins.

use crate::names::{self, UnknownName};
use std::fmt;
use std::str::FromStr;

/// How the first four discs stand in the central 2x2 block (the one nearest a1 where a side is odd).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// Each colour on a diagonal: the usual start. White top left and bottom right.
    #[default]
    Diagonal,
    /// White on the upper two squares, Black on the lower two.
    Parallel,
}

impl Start {
    /// Both starts, in the order files and reports list them.
    pub const ALL: [Start; 2] = [Start::Diagonal, Start::Parallel];

    /// The one that this is not.
    pub const fn other(self) -> Start {
        match self {
            Start::Diagonal => Start::Parallel,
            Start::Parallel => Start::Diagonal,
        }
    }

    /// The word used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Start::Diagonal => "diagonal",
            Start::Parallel => "parallel",
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By its name.
impl FromStr for Start {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Start, UnknownName> {
        names::read("start", &Start::ALL, Start::name, word)
    }
}
