//! Many questions in one run: reads one position per line, or drawings of several lines, and writes a line of JSON or
//! CSV for each.

use super::{Query, USUAL_BOARD, no_table, show};
use crate::cli::common::{Output, PositionOptions, RulesOptions};
use crate::cli::games::tell_no_rules;
use crate::cli::print::{is_unread, print_line, print_remark};
use crate::cli::reading;
use crate::cli::values::parse_size;
use crate::cli::{Exit, Failure, csv};
use crate::json::numbered;
use clap::ValueEnum;
use reversi_engine::GameSetup;
use reversi_engine::protocol::lines::next_line;
use reversi_formats::drawings::Entries;
use reversi_formats::obf::ObfFault;
use reversi_formats::reader::{
    Wanted, begins_with_board, has_move, is_all_moves, is_part_of_drawing, rules_in_words,
};
use reversi_formats::table_rows::{Columns, Row};
use reversi_formats::text::ReadError;
use reversi_formats::{decode, obf, pgn, sgf, wthor};
use reversi_rules::{Board, Geometry, Rules, notation};
use reversi_solver::oracle::Oracle;
use reversi_table::library::Library;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::mem;
use std::path::Path;
use std::time::Instant;

/// Answers every line of a file that is not blank. A line that cannot be answered gives an error object in its place.
/// The first exit code of a line that is not 0 is the exit code of the command.
///
/// # Errors
/// When the file cannot be read, or sets other rules than the options: no answer would fit the question.
pub(super) fn run(query: &Query, path: &Path, output: Output) -> Result<Exit, Failure> {
    let format = query.format.unwrap_or(Format::Json);
    if format == Format::Csv && output.json {
        return Err(Failure::usage("usage", "--json writes JSON: leave --format out, or --json"));
    }
    let bad = |message: String| Failure::usage("bad-file", format!("--batch {}: {message}", path.display()));
    let unreadable = |error: io::Error| bad(error.to_string());
    let entries = entries(path, wanted(query)?).map_err(unreadable)?;
    let is_streamed = path.to_str() == Some("-");
    let mut batch = Batch {
        query,
        settings: obf::File::default(),
        oracles: HashMap::new(),
        answered: HashMap::new(),
        is_quiet: output.quiet,
    };
    let mut exit = Exit::Done;
    if format == Format::Csv {
        print_line(csv::line(&CSV_COLUMNS.map(str::to_owned)));
    }
    let (mut columns, mut is_first, mut is_empty) = (None, true, true);
    for entry in entries {
        if is_unread() {
            break;
        }
        let (number, text) = entry.map_err(unreadable)?;
        let line = decode::without_mark(&text).trim();
        if is_first && !line.is_empty() {
            (columns, is_first) = (Columns::of(line), false);
            tell_no_rules(line, query.rules.of_games(), output);
            if columns.is_some() {
                continue;
            }
        }
        if begins_json(line) {
            let advice = "JSON over several lines; write an object a line, or let `reversi solve` read it";
            return Err(bad(format!("line {number}: {advice}")));
        }
        let fatal = |fault: String| bad(format!("line {number}: {fault}"));
        if line.starts_with(['%', '#']) {
            // Whether it comes too late is for `set` to say, which knows what was answered.
            batch.set(|settings| settings.read_comment(line, false).unwrap_or(Ok(()))).map_err(fatal)?;
        } else if !line.is_empty() {
            if columns.is_none() {
                batch.check_heading(line).map_err(fatal)?;
            }
            is_empty = false;
            match batch.answer_line(line, columns.as_ref()) {
                Ok((answer, ended)) => {
                    format.print(&numbered(number, answer));
                    exit = exit.or(ended);
                }
                Err(failure) => {
                    let failure = if is_streamed { with_way_out_of_drawing(failure, line) } else { failure };
                    exit = exit.or(failure.exit());
                    format.print(&numbered(number, failure.within(&format!("line {number}")).json()));
                }
            }
        }
    }
    if is_empty && !output.quiet {
        print_remark(format_args!("--batch {}: there is no position in it", path.display()));
    }
    Ok(exit)
}

/// What to assume of the positions of the file.
fn wanted(query: &Query) -> Result<Wanted, Failure> {
    let size = query.position.board.as_deref().map(parse_size).transpose()?;
    let setup = GameSetup::new(size.unwrap_or(USUAL_BOARD).into());
    Ok(query.position.reading.wanted(setup, size.map(Into::into)))
}

/// What is to be answered, with the number of its line, from 1.
type Entry = io::Result<(usize, String)>;

/// Everything that is to be answered.
fn entries(path: &Path, wanted: Wanted) -> io::Result<Box<dyn Iterator<Item = Entry>>> {
    Ok(match path.to_str() {
        // A client that asks line by line waits for each answer: no line may be held back until the next one is there.
        Some("-") => Box::new(lines(io::stdin().lock()).zip(1..).map(|(line, number)| Ok((number, line?)))),
        _ => Box::new(Entries::new(lines(opened(path)?), wanted)),
    })
}

/// Whether a line has only the beginning of a JSON text.
fn begins_json(line: &str) -> bool {
    !line.is_empty() && line.chars().all(|sign| matches!(sign, '[' | '{' | ' '))
}

/// Adds advice if the line is a part of a drawing, which cannot be read line by line.
fn with_way_out_of_drawing(failure: Failure, line: &str) -> Failure {
    match failure.kind() == "bad-position" && is_part_of_drawing(line) && !begins_with_board(line) {
        true => failure.followed_by("a drawing cannot be read line by line: name a file, or use --position"),
        false => failure,
    }
}

/// The lines of an input; a line longer than any line of a position is an error.
fn lines(mut input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    let mut number = 0;
    std::iter::from_fn(move || {
        number += 1;
        match next_line(&mut input) {
            Ok(None) => None,
            Ok(Some(line)) if line.is_cut => {
                Some(Err(io::Error::other(format!("line {number} is longer than any line of a position"))))
            }
            Ok(Some(line)) => Some(Ok(line.text())),
            Err(error) => Some(Err(error)),
        }
    })
}

/// What is said of files of games, which are not read here.
const FOR_GAMES: &str = "`reversi solve` and `hint --file` read the games of a file";

/// The lines of a file, with UTF-16 as UTF-8. UTF-8 is read line by line: the file may be long, or still be written.
fn opened(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut input = BufReader::new(File::open(path)?);
    let head = input.fill_buf()?;
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || head.contains(&0) {
        let bytes = reading::read_whole(input)?;
        if wthor::is_wthor(&bytes) {
            return Err(io::Error::other(format!("this is a WTHOR file; {FOR_GAMES}")));
        }
        let text = decode::text(&bytes);
        return match text.contains('\0') {
            true => Err(io::Error::other(reading::advised(&ReadError::Binary))),
            false => Ok(Box::new(io::Cursor::new(text.into_bytes()))),
        };
    }
    Ok(Box::new(input))
}

/// The format of the answers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One JSON object per line
    Json,
    /// Comma-separated values with a header line
    Csv,
}

/// The keys of the JSON, and the fault of a line, which stands in place of all of them.
const CSV_COLUMNS: [&str; 15] = [
    "number",
    "board",
    "goal",
    "scoring",
    "position",
    "score",
    "source",
    "best",
    "moves",
    "line",
    "line_complete",
    "finished",
    "seconds",
    "error",
    "best_source",
];

impl Format {
    fn print(self, answer: &Json) {
        match self {
            Format::Json => print_line(answer),
            Format::Csv => print_line(csv::line(&CSV_COLUMNS.map(|name| cell(answer, name)))),
        }
    }
}

/// The cell of a key: lists with spaces between, moves as `c2:4`, empty if there is no such key.
fn cell(answer: &Json, name: &str) -> String {
    fn word(value: &Json) -> String {
        match value {
            Json::String(text) => text.clone(),
            Json::Array(values) => values.iter().map(word).collect::<Vec<_>>().join(" "),
            Json::Object(scored) => format!("{}:{}", word(&scored["move"]), word(&scored["score"])),
            Json::Null => String::new(),
            other => other.to_string(),
        }
    }
    let name = if name == "error" { "message" } else { name };
    answer.get(name).map(word).unwrap_or_default()
}

/// What has been read so far, and an oracle for each board that has been asked about.
struct Batch<'a> {
    query: &'a Query,
    settings: obf::File,
    oracles: HashMap<(Geometry, Rules), Oracle>,
    /// The rules used for lines that name none of their own.
    answered: HashMap<Geometry, Rules>,
    is_quiet: bool,
}

impl Batch<'_> {
    /// Takes the goal and the scoring from a comment, if it names them.
    fn set(&mut self, read: impl FnOnce(&mut obf::File) -> Result<(), ObfFault>) -> Result<(), String> {
        let mut settings = self.settings.clone();
        read(&mut settings).map_err(|fault| fault.to_string())?;
        self.query.rules.agree(&settings)?;
        let before = mem::replace(&mut self.settings, settings);
        let too_late = |(&geometry, &rules): (&Geometry, &Rules)| rules != self.rules(geometry);
        match self.answered.iter().any(too_late) {
            true => {
                self.settings = before;
                Err("sets other rules than those used for the positions above it; put it before them"
                    .to_owned())
            }
            false => Ok(()),
        }
    }

    /// Refuses a line without a position that names another goal or scoring in words: the lines below it would be answered
    /// under other rules.
    fn check_heading(&self, line: &str) -> Result<(), String> {
        if line.starts_with(['{', '[']) || line.contains('\n') || begins_with_board(line) || has_move(line) {
            return Ok(());
        }
        // A line that names both goals is refused where it is read.
        let (goal, scoring) = rules_in_words(line).unwrap_or_default();
        let asked = self.asked();
        let goal = goal.filter(|&goal| goal != asked.goal()).map(|goal| format!(" goal={goal}"));
        let scoring = scoring.filter(|&scoring| asked.scoring.is_some_and(|asked| asked != scoring));
        let scoring = scoring.map(|scoring| format!(" scoring={scoring}"));
        match goal.into_iter().chain(scoring).collect::<String>() {
            named if named.is_empty() => Ok(()),
            named => {
                Err(format!("rules in words, without a position; write `%{named}` there, or use the options"))
            }
        }
    }

    fn rules(&self, geometry: Geometry) -> Rules {
        self.query.rules.rules(geometry, &self.settings)
    }

    /// The rules of a line, which may name its own. If it names none they are remembered.
    fn rules_of(&mut self, geometry: Geometry, named: obf::File) -> Result<Rules, Failure> {
        if (named.goal, named.scoring) == (None, None) {
            let rules = self.rules(geometry);
            self.answered.insert(geometry, rules);
            return Ok(rules);
        }
        let all = obf::File {
            goal: named.goal.or(self.settings.goal),
            scoring: named.scoring.or(self.settings.scoring),
            records: Vec::new(),
        };
        self.query.rules.rules_of(geometry, &all)
    }

    /// Answers a line, or a row of a table with these columns.
    fn answer_line(&mut self, line: &str, columns: Option<&Columns>) -> Result<(Json, Exit), Failure> {
        if pgn::is_pgn(line) {
            return Err(Failure::usage("bad-position", format!("a tag of PGN; {FOR_GAMES}")));
        }
        let Some(columns) = columns else {
            let is_sgf = sgf::is_sgf(line);
            return self.answer(line).map_err(|failure| match is_sgf {
                true => failure.followed_by(FOR_GAMES),
                false => failure,
            });
        };
        match columns.row(line) {
            // A column of positions holds no lines of moves.
            Ok(Some(row)) if !is_all_moves(&row.position) => self.answer_row(row),
            Ok(_) => Err(Failure::usage("bad-position", "there is no position in it")),
            Err(error) => Err(Failure::usage(error.kind(), error.to_string())),
        }
    }

    fn answer(&mut self, line: &str) -> Result<(Json, Exit), Failure> {
        // A comment as in an .obf file.
        let (content, comment) = line.split_once('%').unwrap_or((line, ""));
        let (asked, scores, comment) = match content.split_once(';') {
            Some((board, scores)) if begins_with_board(board) => (board, scores, comment),
            _ if begins_with_board(content) => (line, "", comment),
            _ => (line, "", ""),
        };
        let (board, named) = self.position(asked)?;
        let set = self.set(|settings| settings.read_remark(comment, true));
        set.map_err(|fault| Failure::usage("bad-rules", fault))?;
        self.answer_about(board, named, scores)
    }

    /// A row of a table names the size of its board and its rules in columns of their own.
    fn answer_row(&mut self, row: Row) -> Result<(Json, Exit), Failure> {
        let size = row.size.filter(|&size| Geometry::from_size(size).is_some()).map(|size| size.to_string());
        let mut position = self.query.position.clone();
        position.reading.side = row
            .side_agreed(position.reading.side)
            .map_err(|error| Failure::usage("bad-position", error.to_string()))?;
        let position = PositionOptions {
            board: size.or(position.board),
            start: None,
            moves: vec![row.position],
            ..position
        };
        let (board, said) = position.board_and_rules(USUAL_BOARD, self.asked())?;
        let named = obf::File {
            goal: row.goal.or(said.goal),
            scoring: row.scoring.or(said.scoring),
            records: Vec::new(),
        };
        self.answer_about(board, named, "")
    }

    fn answer_about(
        &mut self,
        board: Board,
        named: obf::File,
        scores: &str,
    ) -> Result<(Json, Exit), Failure> {
        let rules = self.rules_of(board.geometry, named)?;
        obf::read_scores(board, scores).map_err(|fault| Failure::usage("bad-score", fault.to_string()))?;
        if !self.oracles.contains_key(&(board.geometry, rules)) {
            let oracle = self.query.oracle(board.geometry, rules)?;
            if oracle.tables().is_empty() && board.geometry == Geometry::SIX && !self.is_quiet {
                let library = Library::new(self.query.search.data.as_deref());
                print_remark(format_args!("reversi: {}", no_table(board.geometry, oracle.rules(), &library)));
            }
            self.oracles.insert((board.geometry, rules), oracle);
        }
        let oracle = &self.oracles[&(board.geometry, rules)];
        let started = Instant::now();
        let reply = self.query.ask(oracle, board)?;
        let seconds = started.elapsed().as_secs_f64();
        Ok((show::json(board, oracle.rules(), &reply, seconds), self.query.exit(&reply)))
    }

    /// The rules of a line that names none: those of the options, then those that were set.
    fn asked(&self) -> RulesOptions {
        let asked = self.query.rules.of_games();
        RulesOptions {
            goal: asked.goal.or(self.settings.goal),
            scoring: asked.scoring.or(self.settings.scoring),
        }
    }

    /// The position of a line, which means the same as that text on the command line under the rules set before it.
    fn position(&self, moves: &str) -> Result<(Board, obf::File), Failure> {
        let position = PositionOptions { moves: vec![moves.to_owned()], ..self.query.position.clone() };
        // The requested start applies to lines of moves only.
        let start = if begins_with_board(moves) { None } else { position.start };
        // A line without any square is not a line of moves.
        let has_moves = notation::tokens(moves).any(|token| notation::parse_square_name(token).is_some());
        PositionOptions { start, ..position }.board_and_rules(USUAL_BOARD, self.asked()).map_err(|failure| {
            match has_moves || failure.kind() == "bad-rules" {
                true => failure,
                false => Failure::usage("bad-position", failure.message()),
            }
        })
    }
}
