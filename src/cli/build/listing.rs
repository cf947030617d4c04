//! `reversi build --dry-run` for a board whose positions are all listed: what it will cost.

use super::super::Exit;
use super::super::choices::Choice;
use super::super::common::Output;
use super::super::ending::Ending;
use super::super::interrupt::stop_on_ctrl_c;
use super::super::print::print_line;
use super::Build;
use super::estimate::{MIB, STOPPED, words};
use reversi_lab::build::enumerate::{BYTES_PER_POSITION, Reachable, expected_positions};
use reversi_rules::{Board, Geometry, Rules, Start};
use reversi_solver::search::Stop;
use serde_json::json;
use std::time::{Duration, Instant};

/// A board that is listed in a moment; its pace is the basis of all other estimates.
const SAMPLE: (u32, u32) = (3, 7);

/// Bytes of an entry in a table: 3.2 on 4x4, 5.4 in the regions of 6x6, whose keys lie further apart.
const BYTES_PER_ENTRY: f64 = 4.0;

/// Seconds for each position of the sample.
struct Pace {
    listing: f64,
    /// Under all requested goals and scorings.
    solving: f64,
}

impl Build {
    /// Prints what listing and solving the whole board will cost.
    pub(super) fn estimate_listing(&self, geometry: Geometry, output: Output) -> Result<Exit, Ending> {
        let pace = self.pace(&stop_on_ctrl_c());
        let pace = pace.inspect_err(|ending| ending.tell_if_stopped(output, STOPPED))?;
        let choice = self.start.unwrap_or(Choice::Both);
        let starts = choice.values();
        let of_starts: Vec<f64> = starts.iter().map(|&start| expected_positions(geometry, start)).collect();
        // Starts are listed one after the other, so the memory is that of the larger one.
        let positions = of_starts.iter().copied().fold(0.0, f64::max);
        let rules = self.rules_of_listing().len();
        let time = of_starts.iter().sum::<f64>() * (pace.listing + pace.solving);
        let memory = positions * BYTES_PER_POSITION as f64;
        let table = positions * BYTES_PER_ENTRY;
        let (tables, threads) = (starts.len() * rules, rayon::current_num_threads());
        if output.json {
            print_line(json!({
                "schema": "reversi.build-estimate/1", "board": geometry.to_string(), "positions": positions.round(),
                "starts": starts.len(), "tables": tables, "threads": threads, "seconds": time.round(),
                "memory_bytes": memory.round(), "table_bytes": table.round(),
                "fits_in_memory": memory <= self.memory as f64,
            }));
            return Ok(Exit::Done);
        }
        let fits = match memory <= self.memory as f64 {
            true => "within --memory".to_owned(),
            false => format!("more than the {:.0} MiB of --memory", self.memory as f64 / MIB),
        };
        print_line(format_args!("{geometry}, listed whole: a rough estimate, easily off by a factor of two"));
        let each: Vec<String> = starts
            .iter()
            .zip(&of_starts)
            .map(|(start, positions)| format!("{positions:.1e} from the {start} start"))
            .collect();
        print_line(format_args!("  positions  about {}", each.join(", ")));
        print_line(format_args!(
            "  time       about {} on {threads} threads",
            words(Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX))
        ));
        print_line(format_args!("  memory     about {:.0} MiB, {fits}", (memory / MIB).ceil()));
        print_line(format_args!("  disk       about {:.1} MiB for each of {tables} tables", table / MIB));
        Ok(Exit::Done)
    }

    /// The rules under which a wholly listed board is solved.
    pub(super) fn rules_of_listing(&self) -> Vec<Rules> {
        self.rules(self.scoring.unwrap_or(Choice::Both))
    }

    /// Lists and solves the sample.
    fn pace(&self, stop: &Stop) -> Result<Pace, Ending> {
        let (width, height) = SAMPLE;
        let geometry = Geometry::new(width, height).expect("there is such a board");
        let root = Board::start(geometry, Start::Diagonal).position();
        let started = Instant::now();
        let reachable = Reachable::from_roots(geometry, &[root], u64::MAX, stop, |_, _| ())?;
        let listed = started.elapsed();
        let rules = self.rules_of_listing();
        reachable.solve(&rules, stop, |_| ()).ok_or(Ending::Stopped)?;
        let positions: u64 = reachable.counts().into_iter().sum();
        let each = |time: Duration| time.as_secs_f64() / positions as f64;
        Ok(Pace { listing: each(listed), solving: each(started.elapsed() - listed) })
    }
}
