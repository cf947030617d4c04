//! `reversi bench estimates`: the evaluation against exact scores.

use crate::cli::common::{Output, RulesOptions};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::places::{check_file, check_no_data, write_file};
use crate::cli::print::print_line;
use crate::cli::reading::read_file;
use crate::cli::values::{data_directory, in_threads, parse_threads};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_formats::{decode, obf};
use reversi_lab::estimates::{Estimates, EstimatesReport, Known};
use reversi_rules::{Board, Color, Geometry, Rules};
use reversi_solver::search::{MemoryError, Stop};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Measure the evaluation against exact scores on positions of good games
///
/// The positions come from games that the evaluation plays against itself, with six plies per move, from even openings
/// of eight random moves; each game gives one position. Searches have exactly the given depth, without probable
/// cut-offs; 0 is the estimate of the position itself. Errors and bias are in discs: estimate minus exact score, for
/// the side to move.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi bench estimates --board 6x6 --empties 12,13 --positions 20
  reversi bench estimates --empties 20,21 --plies 1,2,4 --save /tmp/known.obf
  reversi bench estimates --from /tmp/known.obf --data data")]
pub struct EstimatesBench {
    /// The board: one with a learned evaluation
    #[arg(long, value_name = "SIZE", default_value = "8x8")]
    board: String,
    #[command(flatten)]
    rules: RulesOptions,
    /// Empty squares of the positions: one or more numbers, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "14,15,20,21", value_parser = clap::value_parser!(u32).range(1..=24))]
    empties: Vec<u32>,
    /// Plies of the searches: one or more numbers, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "0,1,2,4", value_parser = clap::value_parser!(u32).range(..=12))]
    plies: Vec<u32>,
    /// Positions per number of empty squares
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the positions with their scores to this .obf file; an existing file is replaced
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    save: Option<PathBuf>,
    /// Measure on the positions of this .obf file instead; each must have a score
    #[arg(long, value_name = "FILE", conflicts_with_all = ["empties", "positions", "seed"])]
    from: Option<PathBuf>,
    /// Directory searched first for weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

impl EstimatesBench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        if let Some(path) = &self.save {
            check_no_data("--save", path)?;
            check_file("--save", path)?;
        }
        let evaluator = super::evaluator(&self.board, self.rules.goal(), self.data.as_deref())?;
        let geometry = evaluator.geometry();
        let rules = self.rules.rules(geometry);
        let estimates = Estimates::new(evaluator, rules);
        let found = in_threads(self.threads, || {
            let Some(known) = self.known(&estimates, rules, &stop)? else { return Ok(None) };
            if let Some(path) = &self.save {
                save(&known, geometry, rules, path)?;
            }
            estimates.measure(&known, &self.plies, &stop).map_err(no_memory)
        })??;
        let Some(reports) = found else { return Ok(Exit::Interrupted) };
        if output.json {
            print_line(json!({"schema": "reversi.bench-estimates/1", "board": geometry.to_string(),
                "goal": rules.goal.name(), "scoring": rules.scoring.name(), "rows": reports}));
            return Ok(Exit::Done);
        }
        print_line("empties  plies  positions  error    bias  deviation  best first");
        for report in &reports {
            print_line(line(report));
        }
        Ok(Exit::Done)
    }

    fn known(&self, estimates: &Estimates, rules: Rules, stop: &Stop) -> Result<Option<Vec<Known>>, Failure> {
        if let Some(path) = &self.from {
            return read(path, estimates.geometry(), rules).map(Some);
        }
        let mut all = Vec::new();
        for &empties in &self.empties {
            let found = estimates.positions(empties, self.positions as usize, self.seed, stop);
            let Some(known) = found.map_err(no_memory)? else { return Ok(None) };
            all.extend(known);
        }
        Ok(Some(all))
    }
}

fn no_memory(error: MemoryError) -> Failure {
    Failure::from(error)
}

fn line(report: &EstimatesReport) -> String {
    let EstimatesReport { empties, plies, positions, error, bias, deviation, best_first } = report;
    let share = 100.0 * *best_first as f64 / (*positions).max(1) as f64;
    format!("{empties:7}  {plies:5}  {positions:9}  {error:5.2}  {bias:+6.2}  {deviation:9.2}  {share:8.0} %")
}

/// Positions are written with Black to move.
fn save(known: &[Known], geometry: Geometry, rules: Rules, path: &Path) -> Result<(), Failure> {
    let record = |known: &Known| obf::Record {
        line: 0,
        board: Board::from_position(geometry, known.position, Color::Black),
        moves: Vec::new(),
        score: Some(known.score),
        comment: None,
    };
    let records = known.iter().map(record).collect();
    let file = obf::File { goal: Some(rules.goal), scoring: Some(rules.scoring), records };
    write_file("--save", path, file.to_string().as_bytes())
}

/// The positions of a file under these rules.
fn read(path: &Path, geometry: Geometry, rules: Rules) -> Result<Vec<Known>, Failure> {
    let bad = |fault: String| Failure::usage("bad-file", format!("--from {}: {fault}", path.display()));
    let bytes = read_file(path).map_err(|error| bad(error.to_string()))?;
    let file = obf::parse(&decode::text(&bytes), Some(geometry)).map_err(|error| bad(error.to_string()))?;
    let others = (file.goal.unwrap_or(rules.goal), file.scoring.unwrap_or(rules.scoring));
    if others != (rules.goal, rules.scoring) {
        return Err(bad(format!(
            "its scores are for {} {}: say so with --goal and --scoring",
            others.0, others.1
        )));
    }
    if file.records.is_empty() {
        return Err(bad("it has no positions".to_owned()));
    }
    let known = |record: &obf::Record| match record.best_score() {
        Some(score) if record.board.position().legal_moves(geometry) != 0 => {
            Ok(Known { position: record.board.position(), score })
        }
        Some(_) => Err(bad(format!("line {}: there is no move", record.line))),
        None => Err(bad(format!("line {}: the position has no score", record.line))),
    };
    file.records.iter().map(known).collect()
}
