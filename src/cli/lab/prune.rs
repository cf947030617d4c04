//! `reversi lab prune`: whether pruning changes what a search finds.

use crate::arena::lab::ends::{self, Untrue};
use crate::arena::lab::prune::{self, Compared, Difference, Opinions, Plan, SMALL, Variant, check_all};
use crate::arena::lab::selective::{self, DEPTH, Selective};
use crate::arena::lab::truth::Truth;
use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::progress::Counter;
use crate::cli::values::{data_directory, in_threads, parse_size, parse_threads};
use crate::cli::{Exit, Failure};
use crate::engine::Equipment;
use crate::engine::plain_search::Flaw;
use crate::engine::trial::Trial;
use crate::rules::{Board, Color, Geometry, Goal, Passing, Rules, Scoring, notation};
use crate::search::Stop;
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::path::PathBuf;

/// Check that no enhancement of a search changes what it finds
///
/// Alpha-beta, null windows, memory and each way of ordering moves, alone and all together, and the
/// engine's own search must find the value of plain minimax at the same depth, and a move of that
/// value: the very same move where they look at the moves in the same order. Searches to the end of
/// the game must find the truth. Ends with code 5 where one does not.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi lab prune\n  \
    reversi lab prune --board 6x6 --eval corners --positions 1000 --depth 5\n  \
    reversi lab prune --board 4x4 --search memory --depth 3 --eval discs --position \"-----OX--XO----- X\"")]
pub struct Prune {
    /// How many positions, of all boards from 3x3 to 8x8 and both goals in turn
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "position")]
    positions: u64,
    /// The deepest search in plies; boards of at most 25 squares are searched two plies deeper
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=120))]
    depth: u32,
    /// Only on this board, columns x rows
    #[arg(long, value_name = "SIZE")]
    board: Option<String>,
    /// Only under this goal
    #[arg(long, value_enum)]
    goal: Option<Goal>,
    /// Only with this evaluation: one of the five systems, or learned, or plain (the engine's where nothing
    /// is learned)
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,
    /// Only this search: minimax, alpha-beta, null-windows, memory, presort, sorting, shuffling,
    /// everything, engine
    #[arg(long, value_name = "NAME")]
    search: Option<String>,
    /// Only this position, at the depth given: cells row by row, then the side to move
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true)]
    position: Option<String>,
    /// With --position: end the game where the side to move has no move
    #[arg(long, requires = "position")]
    no_passing: bool,
    /// With --position: search to the end of the game and compare with the oracle
    #[arg(long, requires = "position", conflicts_with_all = ["no_passing", "depth"])]
    to_the_end: bool,
    /// Positions follow from it
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "position")]
    seed: u64,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Where tables and weights are looked for first
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
    /// Break the search on purpose, to see that it is noticed
    #[arg(long, value_enum, hide = true)]
    plant: Option<Flaw>,
}

/// Most differences of a kind that are printed in full; JSON has all.
const SHOWN: usize = 3;

/// What came out.
#[derive(Default)]
struct Outcome {
    /// How many positions there were to compare at, and at how many all was done.
    asked: u64,
    done: u64,
    interrupted: bool,
    compared: Vec<(Trial, Vec<Compared>)>,
    differences: Vec<Difference>,
    to_the_end: u64,
    untrue: Vec<Untrue>,
    selective: Selective,
}

impl Outcome {
    fn boards(&self) -> HashSet<Geometry> {
        self.compared.iter().map(|(trial, _)| trial.geometry).collect()
    }

    /// How far it came by Ctrl-C: nobody is to take a part for a check of all.
    fn interruption(&self, all: &str) -> String {
        match self.interrupted {
            false => String::new(),
            true if self.done < self.asked => {
                format!("interrupted after {} of {all}\n", self.done)
            }
            true => format!("interrupted after all {all}, in the searches that follow\n"),
        }
    }
}

impl Prune {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let (variants, plan) = (self.variants()?, self.plan()?);
        let outcome = self.measure(&plan, &variants, output)?;
        let same = outcome.differences.is_empty() && outcome.untrue.is_empty();
        print_line(match output.json {
            true => self.json(&plan, &variants, &outcome).to_string(),
            false => self.text(&plan, &variants, &outcome),
        });
        Ok(match (same, outcome.interrupted) {
            (false, _) => Exit::Difference,
            (true, true) => Exit::Interrupted,
            (true, false) => Exit::Done,
        })
    }

    /// What was compared, as JSON.
    pub fn measure_json(&self, output: Output) -> Result<Json, Failure> {
        let (variants, plan) = (self.variants()?, self.plan()?);
        let outcome = self.measure(&plan, &variants, output)?;
        Ok(self.json(&plan, &variants, &outcome))
    }

    fn measure(&self, plan: &Plan, variants: &[Variant], output: Output) -> Result<Outcome, Failure> {
        in_threads(self.threads, || match &self.position {
            Some(text) => self.check_one(text, plan, variants),
            None => self.check_many(plan, variants, output),
        })?
    }

    fn variants(&self) -> Result<Vec<Variant>, Failure> {
        let mut variants = Variant::all();
        let Some(name) = &self.search else { return Ok(variants) };
        let names: Vec<&str> = variants.iter().map(|known| known.name()).collect();
        let message = format!("--search {name}: there are {}", names.join(", "));
        variants.retain(|known| known.name() == name);
        if variants.is_empty() { Err(Failure::usage("bad-search", message)) } else { Ok(variants) }
    }

    fn plan(&self) -> Result<Plan, Failure> {
        Ok(Plan {
            positions: self.positions,
            depth: self.depth,
            geometry: self.board.as_deref().map(parse_size).transpose()?,
            goal: self.goal,
            opinion: self.eval.clone(),
            seed: self.seed,
        })
    }

    fn equipment(&self) -> Equipment {
        Equipment { data: self.data.clone(), ..Equipment::default() }
    }

    fn opinions(&self, plan: &Plan) -> Result<Opinions, Failure> {
        let opinions = Opinions::of(plan, &self.equipment())?;
        if opinions.is_empty() {
            let name = self.eval.as_deref().unwrap_or_default();
            let board = plan.geometry.map_or("any board".to_owned(), |board| board.to_string());
            let message =
                format!("--eval {name}: not defined on {board}; `reversi players minimax` lists names");
            return Err(Failure::usage("bad-evaluation", message));
        }
        Ok(opinions)
    }

    /// Every evaluation that is asked for at one position.
    fn check_one(&self, text: &str, plan: &Plan, variants: &[Variant]) -> Result<Outcome, Failure> {
        let bad = |message: String| Failure::usage("bad-position", format!("--position: {message}"));
        let board = notation::parse_board(plan.geometry, text).map_err(|error| bad(error.to_string()))?;
        if board.position().legal_moves(board.geometry) == 0 {
            return Err(bad("the side to move has no move".to_owned()));
        }
        let plan = Plan { geometry: Some(board.geometry), ..plan.clone() };
        let (mut outcome, stop) = (Outcome::default(), stop_on_ctrl_c());
        let opinions = self.opinions(&plan)?;
        outcome.asked = opinions.each().count() as u64;
        for mut trial in opinions.each() {
            trial.position = board.position();
            trial.depth = self.depth;
            trial.passing = if self.no_passing { Passing::EndsGame } else { Passing::Allowed };
            if self.to_the_end {
                let (count, untrue) = self.check_end(trial, variants, &stop)?;
                outcome.to_the_end += count;
                outcome.untrue.extend(untrue);
            } else {
                match prune::check(&trial, variants, self.plant, &stop)? {
                    Ok(_) if stop.is_set() => {}
                    Ok(compared) => outcome.compared.push((trial, compared)),
                    Err(difference) => outcome.differences.push(*difference),
                }
            }
            if stop.is_set() {
                break;
            }
            outcome.done += 1;
        }
        outcome.interrupted = stop.is_set();
        if self.to_the_end && outcome.to_the_end == 0 && !stop.is_set() {
            let message = "--to-the-end: only discs, learned and plain count the discs of a finished game, and \
                           engine only searches with the last two";
            return Err(Failure::usage("bad-evaluation", message));
        }
        Ok(outcome)
    }

    /// Nothing for an evaluation that has its own idea of what a finished game is worth.
    fn check_end(&self, trial: Trial, variants: &[Variant], stop: &Stop) -> Result<ends::Checked, Failure> {
        if !ends::knows_the_end(&trial.opinion) {
            return Ok(ends::Checked::default());
        }
        let truth = Truth::new(trial.geometry, Rules::new(trial.goal, Scoring::Raw), &self.equipment())?;
        let trial = Trial { depth: ends::depth(trial.geometry, trial.position), ..trial };
        Ok(ends::check(&trial, &truth, variants, self.plant, stop)?)
    }

    fn check_many(&self, plan: &Plan, variants: &[Variant], output: Output) -> Result<Outcome, Failure> {
        let (stop, flaw) = (stop_on_ctrl_c(), self.plant);
        let counter = Counter::new(output, "positions", plan.positions, 0);
        let (compared, differences) =
            check_all(plan, &self.opinions(plan)?, variants, flaw, &stop, |done| counter.set(done))?;
        drop(counter);
        let (asked, done) = (plan.positions, compared.len() as u64);
        let mut outcome = Outcome { asked, done, compared, differences, ..Outcome::default() };
        let goes_on = outcome.differences.is_empty() && !stop.is_set();
        if goes_on && self.board.is_none() && self.eval.is_none() {
            (outcome.to_the_end, outcome.untrue) =
                ends::check_all(&self.equipment(), variants, flaw, plan.seed, &stop)?;
        }
        let trials: Vec<Trial> = outcome.compared.iter().map(|(trial, _)| trial.clone()).collect();
        outcome.selective = selective::measure(&trials, &stop)?;
        outcome.interrupted = stop.is_set();
        Ok(outcome)
    }

    /// So many positions, or of one position cases, for it is looked at once with each evaluation under each goal.
    fn counted(&self, count: u64) -> String {
        match (&self.position, count) {
            (None, _) => format!("{count} positions"),
            (Some(_), 1) => "1 case of evaluation and goal".to_owned(),
            (Some(_), _) => format!("{count} cases of evaluation and goal"),
        }
    }

    fn text(&self, plan: &Plan, variants: &[Variant], outcome: &Outcome) -> String {
        let mut text = outcome.interruption(&self.counted(outcome.asked));
        if !self.to_the_end {
            text += &self.compared(plan, variants, outcome);
        }
        if outcome.to_the_end > 0 && outcome.untrue.is_empty() {
            let _ = writeln!(
                text,
                "{} searches to the end of the game find the oracle's score",
                outcome.to_the_end
            );
        }
        text.push_str(&selective_in_words(&outcome.selective));
        for difference in outcome.differences.iter().take(SHOWN) {
            let _ = writeln!(text, "\nDIFFERENCE: {difference}");
            let _ = writeln!(text, "again with: {}", self.command(&difference.trial, difference.variant));
        }
        for untrue in outcome.untrue.iter().take(SHOWN) {
            let found = untrue.found.map_or("nothing".to_owned(), |found| found.to_string());
            let _ = writeln!(
                text,
                "\nDIFFERENCE: the score is {}, {} to the end finds {found}\nagain with: {}",
                untrue.score,
                untrue.variant.name(),
                self.end_command(untrue)
            );
        }
        let count = outcome.differences.len() + outcome.untrue.len();
        let _ = match count {
            0 if outcome.interrupted => write!(text, "no difference in what was compared"),
            0 => write!(text, "no difference"),
            1 => write!(text, "1 difference"),
            _ => write!(text, "{count} differences"),
        };
        text
    }

    /// What was compared with minimax.
    fn compared(&self, plan: &Plan, variants: &[Variant], outcome: &Outcome) -> String {
        let mut text = self.what_was_compared(plan, outcome);
        for (variant, count, nodes) in totals(variants, outcome) {
            let _ = writeln!(text, "  {:<14}{count:>7} searches{nodes:>14} nodes", variant.name());
        }
        text
    }

    fn what_was_compared(&self, plan: &Plan, outcome: &Outcome) -> String {
        let boards = outcome.boards();
        let opinions: BTreeSet<&str> =
            outcome.compared.iter().map(|(trial, _)| trial.opinion.name()).collect();
        let counted = self.counted(outcome.compared.len() as u64);
        if self.position.is_some() {
            return format!("{counted}, depth {}, against plain minimax:\n", plan.depth);
        }
        format!(
            "{counted} of {} board{}, {} evaluation{}, {}, seed {}, against plain minimax:\n",
            boards.len(),
            if boards.len() == 1 { "" } else { "s" },
            opinions.len(),
            if opinions.len() == 1 { "" } else { "s" },
            Self::depths(plan, &boards),
            plan.seed
        )
    }

    fn depths(plan: &Plan, boards: &HashSet<Geometry>) -> String {
        let deepest = boards.iter().map(|board| plan.deepest(*board)).max().unwrap_or_default();
        match plan.depth {
            depth if deepest <= depth => format!("depth 1 to {depth}"),
            depth => format!("depth 1 to {depth}, on boards of at most {SMALL} squares to {deepest}"),
        }
    }

    /// What shows one difference from minimax again.
    fn command(&self, trial: &Trial, variant: Variant) -> String {
        self.command_with(trial, variant, &format!("--depth {}", trial.depth))
    }

    /// What shows one difference from the oracle again.
    fn end_command(&self, untrue: &Untrue) -> String {
        self.command_with(&untrue.trial, untrue.variant, "--to-the-end")
    }

    fn command_with(&self, trial: &Trial, variant: Variant, how: &str) -> String {
        let board = Board::from_position(trial.geometry, trial.position, Color::Black);
        let mut command = format!(
            "reversi lab prune --board {} --goal {} --eval {} --search {} {how} --position \"{board}\"",
            trial.geometry,
            trial.goal,
            trial.opinion.name(),
            variant.name(),
        );
        if trial.passing == Passing::EndsGame {
            command += " --no-passing";
        }
        if let Some(data) = &self.data {
            command += &format!(" --data \"{}\"", data.display());
        }
        if let Some(name) = self.plant.and_then(|flaw| flaw.to_possible_value()) {
            command += &format!(" --plant {}", name.get_name());
        }
        command
    }

    fn json(&self, plan: &Plan, variants: &[Variant], outcome: &Outcome) -> Json {
        let searches: Vec<Json> = totals(variants, outcome)
            .map(|(variant, count, nodes)| json!({"search": variant.name(), "searches": count, "nodes": nodes}))
            .collect();
        let mut differences: Vec<Json> =
            outcome.differences.iter().map(|difference| self.difference_json(difference)).collect();
        differences.extend(outcome.untrue.iter().map(|untrue| {
            json!({
                "position": written(&untrue.trial),
                "search": untrue.variant.name(),
                "expected": untrue.score,
                "found": untrue.found,
                "command": self.end_command(untrue),
            })
        }));
        let positions = |count: u64| if self.position.is_some() { count.min(1) } else { count };
        json!({
            "schema": "reversi.lab.prune/1",
            "positions": positions(outcome.compared.len() as u64),
            "positions_asked": positions(outcome.asked),
            "interrupted": outcome.interrupted,
            "boards": outcome.boards().len(),
            "depth": plan.depth,
            "depth_on_small_boards": plan.deepest_on_small_boards(),
            "seed": plan.seed,
            "searches": searches,
            "to_the_end": outcome.to_the_end,
            "selective": {
                "depth": DEPTH,
                "searches": outcome.selective.difference.count,
                "changed": outcome.selective.changed,
                "other_moves": outcome.selective.other_moves,
                "mean_difference": outcome.selective.difference.mean(),
                "largest_difference": outcome.selective.difference.largest,
                "nodes": outcome.selective.nodes,
                "nodes_without": outcome.selective.all_nodes,
            },
            "differences": differences,
        })
    }

    fn difference_json(&self, difference: &Difference) -> Json {
        let trial = &difference.trial;
        json!({
            "board": trial.geometry.to_string(),
            "goal": trial.goal.name(),
            "evaluation": trial.opinion.name(),
            "depth": trial.depth,
            "position": written(trial),
            "search": difference.variant.name(),
            "expected": difference.expected.0,
            "expected_move": difference.expected.1.map(|mv| mv.to_string()),
            "found": difference.found.points,
            "found_move": difference.found.mv.to_string(),
            "worth": difference.worth,
            "command": self.command(trial, difference.variant),
        })
    }
}

fn written(trial: &Trial) -> String {
    Board::from_position(trial.geometry, trial.position, Color::Black).to_string()
}

/// Searches and nodes of each variant.
fn totals<'a>(
    variants: &'a [Variant],
    outcome: &'a Outcome,
) -> impl Iterator<Item = (Variant, u64, u64)> + 'a {
    variants.iter().map(|&variant| {
        let all = outcome.compared.iter().flat_map(|(_, compared)| compared);
        let of_it = all.filter(move |compared| compared.variant == variant);
        of_it.fold((variant, 0, 0), |(_, count, nodes), one| (variant, count + 1, nodes + one.nodes))
    })
}

/// What selective cut-offs cost is no difference: they only claim to be right most likely.
fn selective_in_words(selective: &Selective) -> String {
    let count = selective.difference.count;
    let Some(mean) = selective.difference.mean() else { return String::new() };
    format!(
        "the engine's probable cut-offs at depth {DEPTH}, beside its search without: {} of {count} values changed, \
         by {mean:.2} discs\non average and {:.2} at most, {} other moves, {} nodes instead of {}\n",
        selective.changed,
        selective.difference.largest,
        selective.other_moves,
        selective.nodes,
        selective.all_nodes
    )
}
