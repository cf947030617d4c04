//! `reversi query`: the exact value of a position, every move's value, and perfect play from there.

mod batch;
mod show;

use super::common::{FileRulesOptions, Output, PositionOptions, SearchOptions, no_table};
use super::interrupt::fail_on_ctrl_c;
use super::print::{print_line, print_remark};
use super::progress;
use super::values::duration;
use super::{Exit, Failure};
use crate::cli::choices::by_name;
use clap::Args;
use reversi_rules::{Board, Geometry, Rules};
use reversi_solver::oracle::{Answer, LineEnd, Oracle, OracleError, Source, Value};
use reversi_solver::search::Stop;
use reversi_solver::search::cost;
use reversi_table::library::{Library, OpenedTable};
use reversi_table::{Entry, TableError};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Ask the oracle: exact value, every move's exact value, all best moves, a perfect line
///
/// Answers that are in a table come at once. All others are searched to the end of the game, and the answer says so.
/// Nothing is ever guessed.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi query --board 4x4
  reversi query --board 4x4 b1a1 --goal reversed --json
  reversi query --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\"
  reversi query --quick --board 4x4 --position \"---- -OX- -XO- ---- X\" c4
  echo \"-----OX--XO----- X b1\" | reversi query --batch -
  printf 'c2b4\\nc2b4d5\\n' | reversi query --batch - --board 6x6
  echo \"-----OX--XO----- X; -8;\" > /tmp/problems.obf
  reversi query --batch /tmp/problems.obf
  reversi query --batch /tmp/problems.obf --format csv

A line \"% goal=reversed scoring=raw\" before the positions of a batch sets the rules that the options leave open.")]
pub struct Query {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    rules: FileRulesOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Probe this table first, such as one that was built from another position
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Only the value and one best move
    #[arg(long)]
    quick: bool,
    /// How far the line of best moves goes
    #[arg(long, value_parser = by_name::<LineEnd>(), default_value = "table", conflicts_with = "quick")]
    line: LineEnd,
    /// Time limit for the live search of a position, as in 5 or 500ms. At the limit there is no answer, or one whose
    /// line is cut short; exit code 1
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Read positions from a file (- for standard input), one per line: cells, side to move and optional moves; or
    /// moves alone, from the start given by --board and --start; or as in .obf files. Or a table with a column
    /// `position`. A named file may also have drawings, with a blank line after each. Writes one line of JSON per
    /// position, with the number of its line as `number`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    batch: Option<PathBuf>,
    /// With --batch: format of the answers [default: json]
    #[arg(long, value_enum, requires = "batch")]
    format: Option<batch::Format>,
}

/// The board if neither --board nor the position names one.
const USUAL_BOARD: Geometry = Geometry::SIX;

/// The result of a question.
enum Reply {
    Quick(Value),
    Full(Answer),
}

impl Query {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        fail_on_ctrl_c();
        if let Some(path) = &self.batch {
            return batch::run(&self, path, output);
        }
        let (board, named) = self.position.board_and_rules(USUAL_BOARD, self.rules.of_games())?;
        let rules = self.rules.rules_of(board.geometry, &named)?;
        let oracle = self.oracle(board.geometry, rules)?;
        if !output.quiet {
            self.tell_of_a_search(&oracle, board);
        }
        let empties = board.position().empty_count(board.geometry);
        let what = if self.quick { "score" } else { "reply" };
        let started = Instant::now();
        let reply = progress::shown(output, empties, what, oracle.watch(), || self.ask(&oracle, board))?;
        let seconds = started.elapsed().as_secs_f64();
        match output.json {
            true => print_line(show::json(board, oracle.rules(), &reply, seconds)),
            false => print_line(show::text(board, &oracle, &reply, self.is_cut_by_time(&reply), seconds)),
        }
        Ok(self.exit(&reply))
    }

    /// Whether it answers many questions.
    pub fn is_batch(&self) -> bool {
        self.batch.is_some()
    }

    fn exit(&self, reply: &Reply) -> Exit {
        if self.is_cut_by_time(reply) { Exit::Failed } else { Exit::Done }
    }

    /// Whether time ran out before the line was complete.
    fn is_cut_by_time(&self, reply: &Reply) -> bool {
        let Reply::Full(answer) = reply else { return false };
        let to_the_end = answer.source == Source::Search || self.line == LineEnd::OfGame;
        to_the_end && !answer.line_complete
    }

    /// The oracle of a board, with the tables of both starts, the requested one first.
    fn oracle(&self, geometry: Geometry, rules: Rules) -> Result<Oracle, Failure> {
        let mut oracle = self.search.oracle(geometry, rules, self.position.start())?;
        if let Some(path) = &self.table {
            oracle.ask_first(own_table(path, geometry, rules)?);
        }
        Ok(oracle)
    }

    fn ask(&self, oracle: &Oracle, board: Board) -> Result<Reply, Failure> {
        let stop = Stop::never().and_until(self.time.map(|time| Instant::now() + time));
        let position = board.position();
        let reply = match self.quick {
            true => oracle.value(position, &stop).map(Reply::Quick),
            false => oracle.answer(position, self.line, &stop).map(Reply::Full),
        };
        reply.map_err(|error| self.failure(error, oracle, board))
    }

    /// The failure for an error of the oracle; if time ran out it reports at least what a table says.
    fn failure(&self, error: OracleError, oracle: &Oracle, board: Board) -> Failure {
        let (OracleError::Stopped, Some(time)) = (&error, self.time) else {
            return SearchOptions::failure(error);
        };
        let stored = oracle.probe(board.position()).ok().flatten();
        let known = match stored {
            Some((_, Entry { score, best: Some(best) })) => format!("; a table says {score} by {best}"),
            Some((_, Entry { score, best: None })) => {
                format!("; a table says {score}, but not by which move")
            }
            None => String::new(),
        };
        let way_out = if self.quick { "" } else { ", ask for less with --quick" };
        let message = format!(
            "the search did not end within {} s{known}; give it more with --time{way_out}, or let `reversi hint` estimate",
            time.as_secs_f64()
        );
        Failure::new(Exit::Failed, "out-of-time", message)
    }

    /// Says in advance that there is no table, and why the answer may take long.
    fn tell_of_a_search(&self, oracle: &Oracle, board: Board) {
        let empties = board.position().empty_count(board.geometry);
        // A table that cannot be read counts as one that holds the position: the error that follows says more.
        let is_stored = |position| oracle.probe(position).map_or(true, |found| found.is_some());
        let children = board.position().children(board.geometry);
        if is_stored(board.position()) {
            let searched = children.iter().filter(|&&(_, child)| !is_stored(child)).count();
            if searched > 0 && empties > cost::SECOND_EMPTIES && !self.quick {
                print_remark(format_args!(
                    "reversi: a table holds this position, but not the positions after {searched} of its {} moves; \
                     searching these (--quick gives value and move at once)",
                    children.len()
                ));
            }
            return;
        }
        if children.is_empty() {
            return;
        }
        let found = match oracle.tables().len() {
            0 => no_table(board.geometry, oracle.rules(), &Library::new(self.search.data.as_deref())),
            _ if empties < cost::SECOND_EMPTIES => return,
            _ => "no table holds this position".to_owned(),
        };
        let wait = if empties < cost::SECOND_EMPTIES { "" } else { ", which may take long (Ctrl-C ends it)" };
        print_remark(format_args!("reversi: {found}; searching {empties} empty squares{wait}"));
    }
}

/// The table of `--table`, whatever its name.
fn own_table(path: &Path, geometry: Geometry, rules: Rules) -> Result<OpenedTable, Failure> {
    let other = |made: &dyn Display, asked: &dyn Display, options: String| {
        let path = path.display();
        let message =
            format!("--table {path}: made for {made}, but the question is about {asked}; pass {options}");
        Failure::new(Exit::CorruptTable, "other-table", message)
    };
    OpenedTable::open(path, geometry, rules).map_err(|error| match error.error {
        TableError::WrongBoard { made, .. } => {
            other(&made, &geometry, format!("--board {made}, or a position of it"))
        }
        TableError::WrongRules { made, .. } => {
            other(&made, &rules, format!("--goal {} --scoring {}", made.goal, made.scoring))
        }
        _ => error.into(),
    })
}
