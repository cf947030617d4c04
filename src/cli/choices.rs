//! The words of the rooms below as values of options, with what `--help` says of each.

use crate::engine::plain_search::Flaw;
use crate::oracle::LineEnd;
use crate::rules::{Color, Goal, Scoring, Start};
use crate::train::Play;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::slice;

impl ValueEnum for Goal {
    fn value_variants<'a>() -> &'a [Goal] {
        &Goal::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Goal::Normal => "More discs win",
            Goal::Reversed => "Fewer discs win",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Scoring {
    fn value_variants<'a>() -> &'a [Scoring] {
        &Scoring::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Scoring::Raw => "Empty squares count for nobody",
            Scoring::Winner => "Empty squares count for the side with more discs",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Start {
    fn value_variants<'a>() -> &'a [Start] {
        &Start::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Start::Diagonal => "Each colour on a diagonal",
            Start::Parallel => "Each colour on a row",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Color {
    fn value_variants<'a>() -> &'a [Color] {
        &[Color::Black, Color::White]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Color::Black => "The side that moves first",
            Color::White => "The side that moves second",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for LineEnd {
    fn value_variants<'a>() -> &'a [LineEnd] {
        &[LineEnd::OfTable, LineEnd::OfGame]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            LineEnd::OfTable => PossibleValue::new("table")
                .help("To where the table ends; of a searched position to the end of the game"),
            LineEnd::OfGame => {
                PossibleValue::new("full").help("To the end of the game, by search where the table ends")
            }
        })
    }
}

impl ValueEnum for Play {
    fn value_variants<'a>() -> &'a [Play] {
        &[Play::Wild, Play::Tame]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Play::Wild => {
                "Each game has its own share of random moves, from 3 % to all: for positions of any kind"
            }
            Play::Tame => {
                "Each game has its own share of random moves, from 1 % to 12 %: for positions of good games"
            }
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Flaw {
    fn value_variants<'a>() -> &'a [Flaw] {
        &[Flaw::CutOff, Flaw::Bound, Flaw::NullWindow]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Flaw::CutOff => PossibleValue::new("cut-off").help("Cut off at alpha instead of at beta"),
            Flaw::Bound => PossibleValue::new("bound").help("Take remembered bounds for values"),
            Flaw::NullWindow => {
                PossibleValue::new("null-window").help("Take what a null window finds for the value")
            }
        })
    }
}

/// A rule of which there are two, so that one can be chosen or both.
pub trait Pair: ValueEnum + Copy + 'static {
    const CHOICES: &'static [Choice<Self>];
}

impl Pair for Goal {
    const CHOICES: &'static [Choice<Goal>] =
        &[Choice::One(Goal::Normal), Choice::One(Goal::Reversed), Choice::Both];
}

impl Pair for Scoring {
    const CHOICES: &'static [Choice<Scoring>] =
        &[Choice::One(Scoring::Raw), Choice::One(Scoring::Winner), Choice::Both];
}

impl Pair for Start {
    const CHOICES: &'static [Choice<Start>] =
        &[Choice::One(Start::Diagonal), Choice::One(Start::Parallel), Choice::Both];
}

/// One of two, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice<T> {
    One(T),
    Both,
}

impl<T: Pair> Choice<T> {
    /// Those that are meant.
    pub fn values(&self) -> &[T] {
        match self {
            Choice::One(value) => slice::from_ref(value),
            Choice::Both => T::value_variants(),
        }
    }
}

impl<T: Pair> ValueEnum for Choice<T> {
    fn value_variants<'a>() -> &'a [Choice<T>] {
        T::CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Choice::One(value) => value.to_possible_value(),
            Choice::Both => Some(PossibleValue::new("both").help("Each of the two")),
        }
    }
}
