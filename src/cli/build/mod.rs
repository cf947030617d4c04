//! `reversi build`: solves a board, or a region of a large one, and writes its tables.

mod estimate;
mod job;
mod known;
mod listing;
mod progress;
mod region;
mod shared;

use super::choices::Choice;
use super::ending::Ending;
use super::interrupt::stop_on_ctrl_c;
use super::places::{check_file, make_directory};
use super::print::{print_line, print_remark};
use super::table::sha256_of;
use super::values::{in_threads, parse_memory, parse_threads};
use super::{Exit, Failure, common::Output};
use clap::Args;
use rayon::prelude::*;
use reversi_lab::build::enumerate::{
    BYTES_PER_POSITION, EnumerateError, Reachable, Solved, expected_positions,
};
use reversi_rules::geometry::GeometryError;
use reversi_rules::{Board, Geometry, Goal, Rules, Score, Scoring, Start};
use reversi_solver::search::Stop;
use reversi_table::library::{FileError, file_name};
use reversi_table::{Contents, RawEntry, Region, Table, Writer, Written};
use serde_json::{Map, Value as Json, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solve a small board, or a region of a large one, and write its tables
///
/// Small boards: finds every reachable position, values them from the end of the game backwards, and writes one table
/// for each goal, scoring and start.
///
/// Large boards, with --prefix and --down-to: solves every position of the first plies, and every position that can
/// arise when one side (either of them) plays its stored best moves, down to E empty squares. Writes one table for each
/// goal. Results are saved every half minute next to the table. After Ctrl-C or a crash --resume continues; searches
/// that had not ended start again. An existing smaller table of the same name is the starting point. Its contents are
/// trusted, unless --anew is passed.
///
/// Several processes, on machines that share a directory, can build a region with --plan, --shard and --merge. The
/// guide docs/guide/cluster.md has the scripts.
///
/// Equal parameters give equal bytes, with any number of threads, any memory, and one machine or many. The one
/// exception: a build without --moves keeps the best moves that the replaced table has for the prefix's last ply.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi build 4x4\n  \
    reversi build 4x5 --goal normal --scoring raw --start diagonal --out /tmp\n  \
    reversi build 6x6 --goal normal --prefix 9 --down-to 14 --dry-run\n  \
    reversi build 5x4 --goal normal --prefix 2 --down-to 10 --plan /tmp/plan-5x4\n  \
    reversi build --shard 1/1 /tmp/plan-5x4\n  \
    reversi build --merge /tmp/plan-5x4")]
pub struct Build {
    /// Board size, columns x rows, as in 4x4 or 3x5
    #[arg(value_name = "SIZE", required_unless_present_any = ["shard", "merge", "keep", "recheck"])]
    board: Option<String>,
    /// Which side wins
    #[arg(long, value_enum, default_value_t = Choice::Both)]
    goal: Choice<Goal>,
    /// Which side the empty squares count for at the end [default: both; with --prefix raw]
    #[arg(long, value_enum)]
    scoring: Option<Choice<Scoring>>,
    /// Arrangement of the first four discs [default: both; with --prefix diagonal]
    #[arg(long, value_enum)]
    start: Option<Choice<Start>>,
    /// Directory for the tables; created if missing [default: data; with --merge that of the plan]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Maximum memory, as in 512M or 1G: a board whose positions are expected to need more is refused. For a region of
    /// a large board this is only what the search remembers, and more is not faster; the results take additional
    /// memory, see --dry-run
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    memory: usize,
    /// Take nothing from the table to be replaced: rebuilds a damaged or wrong table from scratch
    #[arg(long)]
    anew: bool,
    #[command(flatten)]
    region: region::RegionOptions,
    #[command(flatten)]
    shared: shared::SharedOptions,
}

impl Build {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        self.shared.check_seed()?;
        self.region.check_reading()?;
        self.region.check_from(self.shared.keeps())?;
        let built = match &self.board {
            Some(_) if self.shared.rests_on_plan() => {
                let message = "the plan in the directory already fixes the board: leave the board out";
                return Err(Failure::usage("usage", message));
            }
            Some(board) => self.build_board(board, output)?,
            None => in_threads(self.threads, || self.with_plan(output))?,
        };
        Ending::exit_of(built)
    }

    fn build_board(&self, board: &str, output: Output) -> Result<Result<Exit, Ending>, Failure> {
        let geometry: Geometry =
            board.parse().map_err(|error: GeometryError| Failure::usage("bad-board", error.to_string()))?;
        let bounds = self.region.bounds();
        if bounds.is_none() {
            reversi_table::check_size(geometry)
                .map_err(|error| Failure::usage("bad-board", error.to_string()))?;
            if self.region.dry_run {
                return in_threads(self.threads, || self.estimate_listing(geometry, output));
            }
            self.refuse_what_is_too_large(geometry)?;
        }
        let built = in_threads(self.threads, || match bounds {
            Some(bounds) => self.build_regions(geometry, bounds, output),
            None => self.build_all(geometry, output),
        })?;
        Ok(built.map(|()| Exit::Done))
    }

    /// Where the table of a whole board goes.
    fn path_of(&self, geometry: Geometry, rules: Rules, start: Start) -> PathBuf {
        self.out().join(file_name(geometry, rules, start))
    }

    /// Where the tables go.
    fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("data"))
    }

    /// Refuses a board with too many positions before any work is done.
    fn refuse_what_is_too_large(&self, geometry: Geometry) -> Result<(), Failure> {
        let choice = self.start.unwrap_or(Choice::Both);
        let starts = choice.values();
        let positions = starts.iter().map(|&start| expected_positions(geometry, start)).fold(0.0, f64::max);
        let gigabytes = positions * BYTES_PER_POSITION as f64 / f64::from(1 << 30);
        if gigabytes <= self.memory as f64 / f64::from(1 << 30) {
            return Ok(());
        }
        let words = |gigabytes: f64| match gigabytes < 1.0 {
            true => format!("{}M", (1024.0 * gigabytes).ceil()),
            false => format!("{}G", gigabytes.ceil()),
        };
        let size = words(gigabytes);
        let way_out = if gigabytes < 1000.0 {
            // The count is a guess: the memory to ask for has to be enough.
            format!("pass --memory {} if the machine has that much", words(1.5 * gigabytes))
        } else {
            "--prefix and --down-to solve the first plies and what perfect play leads to".to_owned()
        };
        let message = format!(
            "{geometry} has about {positions:.0e} reachable positions; listing them takes about \
             {size} of memory, more than --memory allows: {way_out}"
        );
        Err(Failure::usage("too-large", message))
    }

    fn build_all(&self, geometry: Geometry, output: Output) -> Result<(), Ending> {
        make_directory("--out", self.out())?;
        let stop = stop_on_ctrl_c();
        let mut built_starts = Vec::new();
        let mut build = |&start: &Start| {
            let built = self.build_start(geometry, start, output, &stop)?;
            if output.json {
                built_starts.push(built.json());
            } else {
                built.print(geometry);
            }
            Ok(())
        };
        let ended = self.start.unwrap_or(Choice::Both).values().iter().try_for_each(&mut build);
        if output.json {
            print_built(geometry, "starts", built_starts, &ended);
        }
        ended.inspect_err(|ending| {
            ending.tell_if_stopped(
                output,
                "stopped; finished tables are complete, unfinished ones are not kept",
            );
        })
    }

    fn build_start(
        &self,
        geometry: Geometry,
        start: Start,
        output: Output,
        stop: &Stop,
    ) -> Result<Built, Ending> {
        let started = Instant::now();
        let show_progress = !output.quiet && expected_positions(geometry, start) > 1e6;
        let progress = |discs, positions| {
            if show_progress {
                print_remark(format_args!("{geometry} {start}: {positions} positions with {discs} discs"));
            }
        };
        let rules = self.rules_of_listing();
        rules.iter().try_for_each(|&rules| check_file("--out", &self.path_of(geometry, rules, start)))?;
        let root = Board::start(geometry, start).position();
        let reachable = Reachable::from_roots(geometry, &[root], self.memory as u64, stop, progress)?;
        let progress = |discs| {
            if show_progress {
                print_remark(format_args!("{geometry} {start}: solved the positions with {discs} discs"));
            }
        };
        let solved = reachable.solve(&rules, stop, progress).ok_or(Ending::Stopped)?;
        let tables = self.write_tables(geometry, start, &solved, stop)?;
        let discs =
            reachable.counts().into_iter().enumerate().filter(|&(_, positions)| positions > 0).collect();
        Ok(Built { start, discs, tables, seconds: started.elapsed().as_secs_f64() })
    }

    /// Writes one table for each of the rules. Most of the time is spent waiting for the disk, so tables are written in
    /// parallel. If several cannot be written, the first error is returned.
    fn write_tables(
        &self,
        geometry: Geometry,
        start: Start,
        solved: &Solved,
        stop: &Stop,
    ) -> Result<Vec<Made>, Ending> {
        let root = Board::start(geometry, start).position();
        let write = |&rules| {
            let path = self.path_of(geometry, rules, start);
            let contents = Contents { geometry, rules, roots: vec![root], region: Region::Complete };
            write_table(Writer::create(&path, contents)?, solved.entries(rules), stop)
        };
        let written: Vec<_> = solved.rules().par_iter().map(write).collect();
        written.into_iter().collect()
    }

    /// Every requested goal with each of these scorings.
    fn rules(&self, scoring: Choice<Scoring>) -> Vec<Rules> {
        let with = |&goal: &Goal| {
            scoring.values().iter().map(move |&scoring| Rules::new(goal, scoring)).collect::<Vec<_>>()
        };
        self.goal.values().iter().flat_map(with).collect()
    }
}

/// Prints what was built, also if the build then ended early.
fn print_built(geometry: Geometry, kind: &str, made: Vec<Json>, ended: &Result<(), Ending>) {
    if ended.is_ok() || !made.is_empty() {
        let (board, complete) = (geometry.to_string(), ended.is_ok());
        print_line(json!({"schema": "reversi.build/1", "board": board, "complete": complete, kind: made}));
    }
}

impl From<EnumerateError> for Ending {
    fn from(error: EnumerateError) -> Ending {
        match error {
            EnumerateError::Stopped => Ending::Stopped,
            error => Ending::Failed(Failure::usage("too-large", format!("{error}: pass a larger --memory"))),
        }
    }
}

/// Writes a table, opens it again, reads all of it, and says what was made.
fn write_table(
    mut writer: Writer,
    entries: impl Iterator<Item = RawEntry>,
    stop: &Stop,
) -> Result<Made, Ending> {
    for entry in entries {
        if stop.is_set() {
            return Err(Ending::Stopped);
        }
        writer.push(entry)?;
    }
    let Written { path, header } = writer.finish()?;
    let rules = header.contents.rules;
    let fail = |error| FileError { path: path.clone(), error };
    let table = Table::open(&path).map_err(fail)?;
    table.check_all_blocks().map_err(fail)?;
    let score = table.header().root_scores()[0];
    let sha256 = sha256_of(&table).map_err(fail)?;
    Ok(Made { rules, score, bytes: table.header().file_length(), sha256, path })
}

/// The results from one start.
struct Built {
    start: Start,
    /// Number of discs, and number of positions with them.
    discs: Vec<(usize, u64)>,
    tables: Vec<Made>,
    seconds: f64,
}

/// A table that was written.
struct Made {
    rules: Rules,
    score: Score,
    path: PathBuf,
    bytes: u64,
    sha256: String,
}

/// Prints how many positions there are for each number of `what`.
fn print_counts<N: Display>(what: &str, counts: &[(N, u64)]) {
    for line in counts.chunks(8) {
        let numbers: String = line.iter().map(|(number, _)| format!("{number:>10}")).collect();
        let positions: String = line.iter().map(|(_, positions)| format!("{positions:>10}")).collect();
        print_line(format_args!("  {what:<9} {numbers}\n  positions {positions}"));
    }
}

impl Built {
    fn positions(&self) -> u64 {
        self.discs.iter().map(|(_, positions)| positions).sum()
    }

    fn print(&self, geometry: Geometry) {
        print_line(format_args!(
            "{geometry} {}: {} positions in {:.3} s",
            self.start,
            self.positions(),
            self.seconds
        ));
        print_counts("discs", &self.discs);
        self.tables.iter().for_each(Made::print);
    }

    fn json(&self) -> Json {
        let discs: Map<String, Json> =
            self.discs.iter().map(|&(discs, positions)| (discs.to_string(), positions.into())).collect();
        let tables: Vec<Json> = self.tables.iter().map(Made::json).collect();
        json!({
            "start": self.start.name(), "positions": self.positions(), "discs": discs, "tables": tables,
            "seconds": self.seconds,
        })
    }
}

impl Made {
    fn print(&self) {
        let Made { rules: Rules { goal, scoring }, score, path, bytes, sha256 } = self;
        let path = path.display();
        print_line(format_args!(
            "  {goal:<8} {scoring:<6} {score:>3}  {path}  {bytes} bytes  sha256 {sha256}"
        ));
    }

    fn json(&self) -> Json {
        json!({
            "goal": self.rules.goal.name(), "scoring": self.rules.scoring.name(), "score": self.score.discs(),
            "file": self.path.display().to_string(), "bytes": self.bytes, "sha256": self.sha256,
        })
    }
}
