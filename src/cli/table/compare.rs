//! `reversi table compare`: a table against values from elsewhere, or against another table.

use crate::cli::common::Output;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_formats::decode::without_mark;
use reversi_formats::{obf, table_rows};
use reversi_rules::{Board, Color, Position, Rules};
use reversi_table::Table;
use reversi_table::format::MAGIC;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

/// Compare a table with values from elsewhere, or with another table
///
/// The other file may be a table for the same board and the same rules; then the scores of the positions in both are
/// compared. Any other file has a position and a score in each line, separated by a comma; anything after another comma
/// is ignored. If the first line names the columns, `position` and `score` are read, and values for another `goal` or
/// `scoring` are refused.
///
/// Positions are written row by row, turned or mirrored in any way, then the side to move, which is X by default.
/// Scores are for the side to move. The first 20 values that differ are shown, in JSON as `differences`. The exit code is
/// 5 if a value differs.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table export /tmp/4x4-normal-raw-diagonal.rvt > /tmp/4x4.csv
  reversi table compare /tmp/4x4-normal-raw-diagonal.rvt /tmp/4x4.csv
  reversi table compare /tmp/4x4-normal-raw-diagonal.rvt \\
    data/4x4-normal-raw-diagonal.rvt")]
pub struct Compare {
    /// A table, as in data/6x6-normal-raw-diagonal.rvt
    file: PathBuf,
    /// Another table, or positions and scores: `position,score` in each line; - for standard input
    other: PathBuf,
}

#[derive(Default)]
struct Counts {
    agree: u64,
    missing: u64,
    differ: u64,
    /// The first differences, at most [`MOST_SHOWN`]: line or position, and both scores.
    shown: Vec<String>,
}

/// As many differences are shown; there may be millions.
const MOST_SHOWN: usize = 20;

pub fn run(options: &Compare, output: Output) -> Result<Exit, Failure> {
    let table = super::open(&options.file)?;
    let mut other = options.open_other()?;
    let is_table = other.fill_buf().map_err(|error| options.unreadable(&error))?.starts_with(&MAGIC);
    let counts = match is_table {
        true => options.compare_entries(&table, other)?,
        false => options.compare_lines(&table, other)?,
    };
    let name = options.other.display();
    if let Some(why) = counts.nothing_compared() {
        let message = format!("{name} {why}: there is nothing to compare");
        return Err(Failure::usage("nothing-to-compare", message));
    }
    let Counts { agree, missing, differ, shown } = counts;
    match output.json {
        true => print_line(json!({
            "schema": "reversi.table-compare/1", "file": options.file.display().to_string(),
            "other": name.to_string(), "agree": agree, "missing": missing, "differ": differ,
            "first": shown.first(), "differences": shown,
        })),
        false => {
            print_line(format_args!("{agree} agree, {missing} are not in the table, {differ} differ"));
            shown.iter().for_each(|shown| print_line(format_args!("differs: {shown}")));
            if differ > shown.len() as u64 {
                print_line(format_args!("and {} more", differ - shown.len() as u64));
            }
        }
    }
    Ok(if differ > 0 { Exit::Difference } else { Exit::Done })
}

impl Compare {
    fn is_from_stdin(&self) -> bool {
        self.other.to_str() == Some("-")
    }

    fn open_other(&self) -> Result<Box<dyn BufRead>, Failure> {
        match self.is_from_stdin() {
            true => Ok(Box::new(io::stdin().lock())),
            false => match File::open(&self.other) {
                Ok(file) => Ok(Box::new(BufReader::new(file))),
                Err(error) => Err(self.unreadable(&error)),
            },
        }
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::usage("bad-file", format!("{}: {error}", self.other.display()))
    }

    fn compare_lines(&self, table: &Table, input: impl BufRead) -> Result<Counts, Failure> {
        let (mut counts, mut columns) = (Counts::default(), Columns::usual());
        for (number, line) in (1u64..).zip(input.lines()) {
            let line = line.map_err(|error| self.unreadable(&error))?;
            let line = without_mark(&line);
            let name = self.other.display();
            let refuse = |why: String| Failure::usage("bad-file", format!("{name}, line {number}: {why}"));
            if let Some(named) = Columns::named(line).filter(|_| number == 1) {
                columns = named.map_err(refuse)?;
            } else if !line.trim().is_empty() {
                let (position, score) = columns.read(table, line).map_err(refuse)?;
                let stored = self.stored(table, position)?;
                counts.add(stored, score, || format!("line {number}"));
            }
        }
        Ok(counts)
    }

    fn compare_entries(&self, table: &Table, mut input: impl BufRead) -> Result<Counts, Failure> {
        let at = |error| super::at(&self.other, error);
        let other = match self.is_from_stdin() {
            true => {
                let mut bytes = Vec::new();
                input.read_to_end(&mut bytes).map_err(|error| self.unreadable(&error))?;
                Table::from_vec(bytes).map_err(at)?
            }
            false => super::open(&self.other)?,
        };
        self.check_alike(table, &other)?;
        let mut counts = Counts::default();
        for entry in other.entries() {
            let (position, entry) = entry.map_err(at)?;
            let stored = self.stored(table, position)?;
            counts.add(stored, entry.score.discs(), || in_words(&other, position));
        }
        Ok(counts)
    }

    fn check_alike(&self, table: &Table, other: &Table) -> Result<(), Failure> {
        let board_and_rules = |table: &Table| format!("{} {}", table.geometry(), table.rules());
        let (made, wanted) = (board_and_rules(other), board_and_rules(table));
        if made == wanted {
            return Ok(());
        }
        let (other, file) = (self.other.display(), self.file.display());
        let message = format!(
            "{other}: is for {made}, but {file} is for {wanted}: name two tables for the same board and rules"
        );
        Err(Failure::of_kind("other-table", message))
    }

    fn stored(&self, table: &Table, position: Position) -> Result<Option<i32>, Failure> {
        let entry = table.probe(position).map_err(|error| super::at(&self.file, error))?;
        Ok(entry.map(|entry| entry.score.discs()))
    }
}

/// A position of a table as it is typed.
fn in_words(table: &Table, position: Position) -> String {
    Board::from_position(table.geometry(), position, Color::Black).to_string()
}

/// The names of a line's columns.
struct Columns(Vec<String>);

impl Columns {
    /// The default columns.
    fn usual() -> Columns {
        Columns(["position", "score"].map(str::to_owned).to_vec())
    }

    /// The columns that a line names. Of two columns the second is the score, whatever its name. `None` if no column is
    /// named `position`.
    fn named(line: &str) -> Option<Result<Columns, String>> {
        let names: Vec<String> =
            table_rows::fields(line).iter().map(|name| name.to_ascii_lowercase()).collect();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        match has("position") {
            false => None,
            true if has("score") => Some(Ok(Columns(names))),
            true if names.len() == 2 && names[0] == "position" => Some(Ok(Columns::usual())),
            true => Some(Err("no column is named score".to_owned())),
        }
    }

    /// A position and its score.
    fn read(&self, table: &Table, line: &str) -> Result<(Position, i32), String> {
        let fields = table_rows::fields(line);
        let field = |wanted: &str| fields.get(self.0.iter().position(|name| name == wanted)?);
        let (Some(position), Some(score)) = (field("position"), field("score")) else {
            return Err("there is no comma between a position and a score".to_owned());
        };
        let Rules { goal, scoring } = table.rules();
        for (column, made_for) in [("goal", goal.name()), ("scoring", scoring.name())] {
            let named = field(column).filter(|name| !name.is_empty());
            if let Some(other) = named.filter(|name| !name.eq_ignore_ascii_case(made_for)) {
                return Err(format!("{column} {other}, but the table is of {column} {made_for}"));
            }
        }
        let score: i32 = score.parse().map_err(|_| format!("{score:?} is no score"))?;
        let cells = position.chars().filter(|letter| !letter.is_whitespace()).count();
        let squares = table.geometry().square_count() as usize;
        if cells < squares {
            return Err(format!("{cells} characters, but {} has {squares} cells", table.geometry()));
        }
        let has_side = cells > squares;
        let text = if has_side { position.to_owned() } else { format!("{position} X") };
        let asked = obf::Asked::from(Some(table.geometry()));
        let board = obf::read_board(&text, &asked).map_err(|error| error.to_string())?;
        Ok((board.position(), score))
    }
}

impl Counts {
    /// Counts a comparison. `place` describes the source of the score, for the differences shown.
    fn add(&mut self, stored: Option<i32>, score: i32, place: impl FnOnce() -> String) {
        match stored {
            None => self.missing += 1,
            Some(stored) if stored == score => self.agree += 1,
            Some(stored) => {
                self.differ += 1;
                if self.shown.len() < MOST_SHOWN {
                    self.shown.push(format!("{} has {score:+}, the table {stored:+}", place()));
                }
            }
        }
    }

    /// Why nothing was compared, if that is so.
    fn nothing_compared(&self) -> Option<String> {
        match (self.agree + self.differ, self.missing) {
            (0, 0) => Some("has no positions".to_owned()),
            (0, missing) => Some(format!("has {missing} positions, none of which is in the table")),
            _ => None,
        }
    }
}
