//! `reversi table moves`: the best moves that a table has room for and lacks.

use super::target::{Target, check_rewritable};
use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::places;
use crate::cli::print::{print_line, print_remark, print_stopped};
use crate::cli::progress::Counter;
use crate::cli::spread::one_search_each;
use crate::cli::values::{duration_or_zero, parse_memory, parse_threads};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_lab::build::last_ply::{MissingMoves, Moves as FoundMoves, with_moves};
use reversi_solver::search::{Solver, Stop};
use reversi_table::library::FileError;
use serde_json::json;
use std::path::PathBuf;
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

/// Find the best moves of the last ply of the prefix, and store them in the table
///
/// A build without --moves searches only the scores of that ply, so a best move there has to be searched when it is
/// asked for. The file is rewritten with the moves found every few minutes, at the end and at Ctrl-C. The same command
/// continues with the missing moves. Every run finds the same moves, with any number of threads. Positions that random
/// games meet most often come first.
///
/// A build that replaces the table keeps these moves, unless --anew is passed. Use --from to copy them to another
/// table.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi build 5x5 --prefix 3 --down-to 10 --out /tmp
  reversi table moves /tmp/5x5-normal-raw-diagonal.rvt")]
pub struct Moves {
    /// A table, as in data/6x6-normal-raw-diagonal.rvt
    file: PathBuf,
    /// First copy the moves of this table for the same board and rules
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Threads, each with its own search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Memory of the transposition table: a number followed by K, M or G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_memory)]
    memory: usize,
    /// How often the file is written
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration_or_zero)]
    checkpoint_every: Duration,
}

impl Moves {
    pub fn run(&self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let path = &self.file;
        let _lock = places::lock(path, "moves")?;
        let table = super::open(path)?;
        check_rewritable(path, &table)?;
        let mut missing = MissingMoves::of(&table).map_err(|error| super::at(path, error))?;
        let all = missing.len();
        let mut found = match &self.from {
            Some(from) => {
                let other = super::open(from)?;
                let at = |error| FileError { path: from.to_owned(), error };
                other
                    .expect(table.geometry(), table.rules())
                    .map_err(|error| Failure::other_table("--from", &at(error)))?;
                missing.take_over(&other).map_err(at)?
            }
            None => FoundMoves::new(),
        };
        let taken = found.len();
        let solver = Solver::new(table.geometry(), table.rules(), one_search_each(self.memory))?;
        let threads = self.threads.or_else(|| available_parallelism().ok().map(usize::from)).unwrap_or(1);
        let counter = Counter::new(output, "moves", missing.len() as u64, 0);
        let (mut nodes, mut written, mut stored) = (0, Instant::now(), 0);
        let mut target = Target::new(path, Some(&table));
        let mut write = |found: &FoundMoves| {
            // What was found is written whole after a stop too.
            target.write((path, &table), with_moves(&table, found), &Stop::never())
        };
        let mut failed = None;
        let finished = missing.find(&solver, threads, &stop, |one| {
            if let Some(one) = one {
                found.insert(one.key, one.best);
                nodes += one.nodes;
                counter.inc();
            }
            if found.len() > stored && written.elapsed() >= self.checkpoint_every {
                match write(&found) {
                    Ok(()) => stored = found.len(),
                    Err(failure) if may_pass(&failure) => {
                        print_remark(failure.followed_by("trying again later"));
                    }
                    Err(failure) => {
                        failed = Some(failure);
                        stop.set();
                    }
                }
                written = Instant::now();
            }
        });
        drop(counter);
        if let Some(failure) = failed {
            return Err(failure);
        }
        if found.len() > stored {
            write_when_possible(|| write(&found), found.len() - stored, &stop)?;
        }
        let (searched, left) = (found.len() - taken, all - found.len());
        match output.json {
            true => print_line(json!({
                "schema": "reversi.table-moves/1", "file": path.display().to_string(),
                "found": searched, "taken_over": taken, "missing": left, "nodes": nodes,
            })),
            false => {
                let copied = self.from.as_ref().map_or(String::new(), |_| format!("{taken} moves copied, "));
                print_line(format_args!("{copied}{searched} moves found in {nodes} nodes, {left} missing"));
            }
        }
        if finished.is_none() {
            print_stopped(output, "stopped; the same command continues");
            return Ok(Exit::Interrupted);
        }
        Ok(Exit::Done)
    }
}

/// Whether the reason may be gone when the table is written the next time.
fn may_pass(failure: &Failure) -> bool {
    ["locked", "cannot-write"].contains(&failure.kind())
}

/// Writes the last results. While another program writes the table, waits for it, after a stop for ten seconds only.
fn write_when_possible(
    mut write: impl FnMut() -> Result<(), Failure>,
    new: usize,
    stop: &Stop,
) -> Result<(), Failure> {
    const PAUSE: Duration = Duration::from_secs(1);
    const LEFT_AFTER_STOP: u32 = 10;
    let (mut is_told, mut left) = (false, LEFT_AFTER_STOP);
    loop {
        match write() {
            Err(failure) if failure.kind() == "locked" && left > 0 => {
                if !is_told {
                    print_remark(failure.followed_by("waiting for it"));
                }
                is_told = true;
                left -= u32::from(stop.is_set());
                sleep(PAUSE);
            }
            written => {
                return written.map_err(|failure| failure.followed_by(&format!("{new} new moves are lost")));
            }
        }
    }
}
