//! Measured results as rows of named columns. A row is a serde struct; its list of columns defines how each field is
//! displayed. Text, CSV, JSON and HTML are all made from these two, so no form can lack a figure that another has.

use serde::Serialize;

/// A row of a table of measured results. The columns are the fields of the struct, in their order.
pub trait Row: Serialize {
    /// A column for each field.
    const COLUMNS: &'static [Column];
}

/// A column of a table of measured results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name of the field: the key in JSON and, with `-` for `_`, the heading of the column in CSV.
    pub name: &'static str,
    /// The displayed heading, on two lines in text.
    pub head: [&'static str; 2],
    /// How its values are displayed.
    pub kind: Kind,
}

/// How the values of a column are displayed. A missing value is a dash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// As it is.
    Text,
    /// A whole number.
    Count,
    /// A whole number that is usually 0: the column is displayed only if a row has another value.
    Exceptions,
    /// A number with two decimals: discs, or a correlation.
    Decimal,
    /// A number with two decimals, and half the width of its 95 % interval, which is the field of this name: 0 for an
    /// exact number, and none if it is not known.
    Mean(&'static str),
    /// A share from 0 to 1, in percent.
    Share,
    /// Only in JSON and CSV.
    Hidden,
}

impl Column {
    /// A column that is displayed.
    pub const fn new(name: &'static str, head: [&'static str; 2], kind: Kind) -> Column {
        Column { name, head, kind }
    }

    /// A column that only JSON and CSV have.
    pub const fn hidden(name: &'static str) -> Column {
        Column { name, head: ["", ""], kind: Kind::Hidden }
    }
}

/// A row of one stage of the game, or of one number of empty squares.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part<R, Empties> {
    /// The figures of the positions with these empty squares.
    #[serde(flatten)]
    pub row: R,
    /// The number of empty squares, or the least and the largest.
    pub empties: Empties,
}
