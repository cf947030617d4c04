//! Values of library types as values of options, with their help texts.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use reversi_engine::plain_search::InjectedBug;
use reversi_lab::train::Play;
use reversi_rules::{Color, Goal, Scoring, Start};
use reversi_solver::oracle::LineEnd;
use std::slice;

/// A type of a library crate whose values have names on the command line.
pub trait Named: Copy + Send + Sync + 'static {
    /// The values, in the order in which the help lists them.
    const ALL: &'static [Self];

    /// The name of a value, with its help text.
    fn possible_value(self) -> PossibleValue;
}

/// Reads a value by its name.
pub fn by_name<T: Named>() -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(T::ALL.iter().map(|value| value.possible_value()));
    names.map(|name| {
        let found = T::ALL.iter().find(|value| value.possible_value().get_name() == name);
        *found.expect("only these names are let through")
    })
}

impl Named for Goal {
    const ALL: &'static [Goal] = &Goal::ALL;

    fn possible_value(self) -> PossibleValue {
        let help = match self {
            Goal::Normal => "More discs win",
            Goal::Reversed => "Fewer discs win",
        };
        PossibleValue::new(self.name()).help(help)
    }
}

impl Named for Scoring {
    const ALL: &'static [Scoring] = &Scoring::ALL;

    fn possible_value(self) -> PossibleValue {
        let help = match self {
            Scoring::Raw => "Empty squares count for neither side",
            Scoring::Winner => "Empty squares count for the side with more discs",
        };
        PossibleValue::new(self.name()).help(help)
    }
}

impl Named for Start {
    const ALL: &'static [Start] = &Start::ALL;

    fn possible_value(self) -> PossibleValue {
        let help = match self {
            Start::Diagonal => "Each colour on a diagonal",
            Start::Parallel => "Each colour on a row",
        };
        PossibleValue::new(self.name()).help(help)
    }
}

impl Named for Color {
    const ALL: &'static [Color] = &[Color::Black, Color::White];

    fn possible_value(self) -> PossibleValue {
        let help = match self {
            Color::Black => "The side that moves first",
            Color::White => "The side that moves second",
        };
        PossibleValue::new(self.name()).help(help)
    }
}

impl Named for LineEnd {
    const ALL: &'static [LineEnd] = &[LineEnd::OfTable, LineEnd::OfGame];

    fn possible_value(self) -> PossibleValue {
        match self {
            LineEnd::OfTable => PossibleValue::new("table")
                .help("To the end of the table; for a searched position to the end of the game"),
            LineEnd::OfGame => {
                PossibleValue::new("full").help("To the end of the game, by search beyond the table")
            }
        }
    }
}

impl Named for Play {
    const ALL: &'static [Play] = &[Play::Wild, Play::Tame, Play::Even];

    fn possible_value(self) -> PossibleValue {
        let help = match self {
            Play::Wild => {
                "Each game has its own share of random moves, from 3 % to all: for positions of any kind"
            }
            Play::Tame => {
                "Each game has its own share of random moves, from 1 % to 12 %: for positions of good games"
            }
            Play::Even => {
                "Even openings, then moves by a search of two plies, up to 6 % of them random: for positions of even \
                 games. Both need weights: the first generation without --from takes any opening and moves that \
                 leave few replies"
            }
        };
        PossibleValue::new(self.name()).help(help)
    }
}

impl Named for InjectedBug {
    const ALL: &'static [InjectedBug] = &[InjectedBug::CutOff, InjectedBug::Bound, InjectedBug::NullWindow];

    fn possible_value(self) -> PossibleValue {
        match self {
            InjectedBug::CutOff => PossibleValue::new("cut-off").help("Cut off at alpha instead of at beta"),
            InjectedBug::Bound => PossibleValue::new("bound").help("Take remembered bounds for values"),
            InjectedBug::NullWindow => {
                PossibleValue::new("null-window").help("Take what a null window finds for the value")
            }
        }
    }
}

/// A rule with two values, of which an option can choose one or both.
pub trait Pair: Named {
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
    /// The chosen values.
    pub fn values(&self) -> &[T] {
        match self {
            Choice::One(value) => slice::from_ref(value),
            Choice::Both => T::ALL,
        }
    }
}

impl<T: Pair> ValueEnum for Choice<T> {
    fn value_variants<'a>() -> &'a [Choice<T>] {
        T::CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Choice::One(value) => Some(value.possible_value()),
            Choice::Both => Some(PossibleValue::new("both").help("Each of the two")),
        }
    }
}
