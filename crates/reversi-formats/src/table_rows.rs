//! Tables of positions with a row for each: what this program writes as CSV, the entries of a table of values
//! (`position,score,best`), and tables of others that name their columns likewise.

pub use crate::error::TableError;

use crate::error::ReadError;
use crate::own::named;
use crate::reader::{Wanted, agreed, read_plain, side_named};
use crate::reading::Reading;
use reversi_rules::game::{GameSetup, Size};
use reversi_rules::{Color, Goal, Scoring};
use std::str::FromStr;

/// The columns of a table of positions that is read line by line, in small letters.
#[derive(Clone, Debug)]
pub struct Columns {
    names: Vec<String>,
    delimiter: u8,
}

impl Columns {
    /// The columns that the first line of a table names; `None` if the line is no such heading.
    pub fn of(line: &str) -> Option<Columns> {
        DELIMITERS.into_iter().find_map(|delimiter| {
            let names: Vec<String> = fields_between(line, delimiter);
            // `Position` may be in the heading of a drawing.
            let is_named = names.iter().any(|name| name == POSITION);
            let names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
            let has = |column: &str| names.iter().any(|name| name == column);
            let is_table = is_named || has(POSITION) && OTHER_COLUMNS.into_iter().any(has);
            is_table.then_some(Columns { names, delimiter })
        })
    }

    /// Whether these are entries of a table of values that do not say under which rules.
    pub fn name_no_rules(&self) -> bool {
        self.are_of_an_export() && self.place_of("goal").is_none()
    }

    fn place_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// The entries of a table of values name no side: the player to move is X.
    fn are_of_an_export(&self) -> bool {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        names == EXPORT || names == EXPORT_WITH_RULES
    }

    /// What a row says; `None` for a row without a position.
    ///
    /// # Errors
    /// An unknown board size, goal, scoring or side.
    pub fn row(&self, line: &str) -> Result<Option<Row>, ReadError> {
        let fields = fields_between(line, self.delimiter);
        self.row_of(|place| fields.get(place).map(String::as_str))
    }

    /// The same from the cells of a row.
    fn row_of<'a>(&self, cell_at: impl Fn(usize) -> Option<&'a str>) -> Result<Option<Row>, ReadError> {
        let cell = |name: &str| cell_at(self.place_of(name)?).filter(|cell| !cell.is_empty());
        let Some(position) = cell(POSITION) else { return Ok(None) };
        let read_side = |word: &str| side_named(word).ok_or_else(|| ReadError::SideWord(word.to_owned()));
        let side = SIDE.into_iter().find_map(cell).map(read_side).transpose()?;
        Ok(Some(Row {
            position: position.to_owned(),
            side: side.or(self.are_of_an_export().then_some(Color::Black)),
            size: cell("board").map(Size::from_str).transpose()?,
            goal: named(cell("goal"))?,
            scoring: named(cell("scoring"))?,
        }))
    }
}

/// What a row of a table says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The cells of the board, perhaps with the side to move.
    pub position: String,
    /// The side to move, where a column or the kind of table says it.
    pub side: Option<Color>,
    /// The size of the board.
    pub size: Option<Size>,
    /// The goal.
    pub goal: Option<Goal>,
    /// The scoring.
    pub scoring: Option<Scoring>,
}

impl Row {
    /// The side to move, which the row and the caller may name.
    ///
    /// # Errors
    /// Both name one, and they differ.
    pub fn side_agreed(&self, wanted: Option<Color>) -> Result<Option<Color>, ReadError> {
        agreed(self.side, wanted)
    }
}

/// The column that every table of positions has.
const POSITION: &str = "position";
/// Columns of the side to move.
const SIDE: [&str; 2] = ["side", "to_move"];
/// Columns beside it in tables of this program and of others.
const OTHER_COLUMNS: [&str; 9] =
    ["board", "side", "to_move", "goal", "scoring", "score", "best", "empties", "number"];
/// The columns of the entries of a table of values.
const EXPORT: [&str; 3] = [POSITION, "score", "best"];
/// The same with the rules.
const EXPORT_WITH_RULES: [&str; 5] = [POSITION, "score", "best", "goal", "scoring"];
/// What stands between the fields of a line: a comma, or what spreadsheets write where a comma is part of a number.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// The fields of a line of a table with commas, trimmed. A comma between quotes is part of its field.
pub fn fields(line: &str) -> Vec<String> {
    fields_between(line, b',')
}

fn fields_between(line: &str, delimiter: u8) -> Vec<String> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(line.as_bytes());
    let row = reader.into_records().next().and_then(Result::ok).unwrap_or_default();
    row.iter().map(str::to_owned).collect()
}

/// The columns of a text that is a table: its first line names a column `position`.
pub fn columns_of(text: &str) -> Option<Columns> {
    Columns::of(text.lines().next().unwrap_or_default())
}

/// The positions of a table with these columns, one per row, as [`Columns::row`] reads them. The entries of a table of
/// values (`position,score,best`) name no side: the player to move is X.
pub fn positions(
    text: &str,
    columns: Columns,
    wanted: Wanted,
) -> impl Iterator<Item = Result<Reading, TableError>> {
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(columns.delimiter)
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    // Collected, since rows borrow from the reader.
    let rows: Vec<Result<csv::StringRecord, csv::Error>> = rows.records().collect();
    let mut lines = Lines { text, counted_to: 0, line: 1 };
    rows.into_iter().enumerate().map(move |(index, row)| {
        let mut line_of =
            |place: Option<&csv::Position>| place.map_or(index as u64 + 2, |place| lines.line_at(place));
        let row = row.map_err(|error| TableError {
            line: line_of(error.position()),
            fault: error.to_string(),
            board: None,
        })?;
        read_row(&columns, &row, wanted).map_err(|error| TableError {
            line: line_of(row.position()),
            fault: error.to_string(),
            board: error.board_fault().cloned(),
        })
    })
}

/// Counts the lines of a text up to one place after the other.
struct Lines<'a> {
    text: &'a str,
    /// The byte up to which they are counted.
    counted_to: usize,
    /// The line of that byte, from 1.
    line: u64,
}

impl Lines<'_> {
    /// The line, from 1, in which the row at a place begins; not before the place asked for last. The place may be before
    /// line ends that precede the row, and the `\n` of `\r\n` may be one of them, so that the line of the place itself
    /// can be too low.
    fn line_at(&mut self, place: &csv::Position) -> u64 {
        let after = self.text.get(place.byte() as usize..).unwrap_or_default();
        let row = self.text.len() - after.trim_start_matches(['\r', '\n']).len();
        let between = self.text.as_bytes().get(self.counted_to..row).unwrap_or_default();
        self.line += between.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.counted_to = self.counted_to.max(row);
        self.line
    }
}

fn read_row(columns: &Columns, cells: &csv::StringRecord, wanted: Wanted) -> Result<Reading, ReadError> {
    let row = columns.row_of(|place| cells.get(place))?.ok_or(ReadError::Nothing)?;
    let (setup, side) = (wanted.setup, row.side_agreed(wanted.side)?);
    let rules =
        GameSetup { goal: row.goal.unwrap_or(setup.goal), scoring: row.scoring.or(setup.scoring), ..setup };
    let wanted = Wanted { setup: rules, size: row.size.or(wanted.size), side, ..wanted };
    let read = read_plain(&row.position, &wanted)?;
    if !read.has_board {
        return Err(ReadError::Nothing);
    }
    Ok(Reading::of(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_faulty_row_names_its_line() {
        let text = "position\r\nbad\r\n\r\n\"b\na\"\r\n-----OX--XO----- X\n\nworse\r\n";
        let wanted = Wanted::from(GameSetup::new("4x4".parse().unwrap()));
        let read = positions(text, columns_of(text).unwrap(), wanted);
        let lines: Vec<_> = read.map(|row| row.err().map(|error| error.line)).collect();
        assert_eq!(lines, [Some(2), Some(4), None, Some(8)]);
    }

    #[test]
    fn a_row_names_its_rules() {
        let columns = Columns::of("number, goal ,position,error").unwrap();
        let position = "-----OX--XO----- X".to_owned();
        let row = Row { position, side: None, size: None, goal: Some(Goal::Reversed), scoring: None };
        assert_eq!(columns.row("2,reversed,-----OX--XO----- X,\"a, b\""), Ok(Some(row.clone())));
        let loud = columns.row("2,Reversed,-----OX--XO----- X,\"a, b\"");
        assert_eq!(loud, Ok(Some(row.clone())));
        assert!(columns.row("2,misere,-----OX--XO----- X,\"a, b\"").is_err());
        assert_eq!(columns.row("3,,,\"a fault\""), Ok(None));
        let export = Columns::of("position,score,best").unwrap();
        let of_export =
            Row { position: "-----OX--XO-----".to_owned(), side: Some(Color::Black), ..row.clone() };
        let unruled = Row { goal: None, ..of_export.clone() };
        assert_eq!(export.row("-----OX--XO-----,-8,b1"), Ok(Some(unruled)));
        let ruled = Columns::of("position,score,best,goal,scoring").unwrap();
        let reversed = ruled.row("-----OX--XO-----,3,b1,reversed,winner");
        assert_eq!(reversed, Ok(Some(Row { scoring: Some(Scoring::Winner), ..of_export })));
        for line in ["Position;Goal", "Goal\tPosition", "GOAL,POSITION"] {
            let columns = Columns::of(line).unwrap_or_else(|| panic!("{line}"));
            let cells = ["-----OX--XO----- X", "reversed"];
            let place = |name| columns.place_of(name).unwrap();
            let mut fields = [""; 2];
            (fields[place("position")], fields[place("goal")]) = (cells[0], cells[1]);
            let joined = fields.join(std::str::from_utf8(&[columns.delimiter]).unwrap());
            assert_eq!(columns.row(&joined), Ok(Some(row.clone())), "{line}");
        }
        for heading in ["Position", "Position, Black to move:", "Position; Black to move:"] {
            assert!(Columns::of(heading).is_none(), "{heading}");
        }
        let with_side = Columns::of("position,score,best,comment").unwrap();
        let position = "-----OX--XO----- O".to_owned();
        let white = Row { position, goal: None, ..row.clone() };
        assert_eq!(with_side.row("-----OX--XO----- O,-8,b1,"), Ok(Some(white)));
        let sided = Columns::of("position,side,board").unwrap();
        let row = sided.row("-----OX--XO-----,white,4x4").unwrap().unwrap();
        assert_eq!((row.side, row.size), (Some(Color::White), Some(Size::new(4, 4).unwrap())));
        assert_eq!(row.side_agreed(None), Ok(Some(Color::White)));
        assert!(matches!(row.side_agreed(Some(Color::Black)), Err(ReadError::OtherSide { .. })));
        assert!(matches!(sided.row("-----OX--XO-----,maybe,4x4"), Err(ReadError::SideWord(_))));
        assert!(matches!(sided.row("-----OX--XO-----,X,four"), Err(ReadError::Size(_))));
        assert!(Columns::of("position").is_some());
        assert!(Columns::of("-----OX--XO----- X").is_none());
    }
}
