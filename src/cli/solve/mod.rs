//! `reversi solve`: exact values by search alone, of one position or of a file of them.

mod batch;
mod in_order;
mod result;

use super::common::{FileRulesOptions, Output, PositionOptions, SearchOptions};
use super::interrupt::stop_on_ctrl_c;
use super::print::print_line;
use super::progress;
use super::values::duration;
use super::{Exit, Failure};
use clap::Args;
use result::{Outcome, Solved};
use reversi_rules::{Board, Geometry, Move, Position, Score};
use reversi_solver::search::{Proved, Solver, Stop, Watch};
use std::path::Path;
use std::time::{Duration, Instant};

/// Solve a position, or every position of an .obf file, by exact search
///
/// A file may be named in place of MOVES; `-` is standard input. An .obf file is solved position by position. For a
/// file of games (any form) solve takes the last position of each game, or with --empties E the position with E empty
/// squares, which is what you want for finished games. A game without such a position is reported in its place, and the
/// exit code is 2.
///
/// Without --board, moves on the command line begin on 6x6, but games of a file that holds only moves begin on 8x8.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi solve --board 4x4\n  \
    reversi solve --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\" --all\n  \
    echo \"-----OX--XO----- X; -8;\" > /tmp/problems.obf\n  \
    reversi solve /tmp/problems.obf --check\n  \
    echo f5d6c5f4e3f6g5e6e7 > /tmp/games.txt\n  \
    reversi solve /tmp/games.txt --empties 55 --time 1\n  \
    reversi solve --board 4x6 --goal reversed --wld\n\n\
    An .obf file sets goal and scoring in a line \"% goal=normal scoring=winner\". Nodes are positions in \
    which moves were looked for; the last empty square is scored without a search.")]
pub struct Solve {
    #[command(flatten)]
    rules: FileRulesOptions,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Find only who wins, which is faster
    #[arg(long)]
    wld: bool,
    /// Find every best move, including symmetric twins; with --wld every move with the best outcome
    #[arg(long)]
    all: bool,
    /// Compare with the .obf file: the score must be the same, and the best move found must be among the moves listed
    /// with the highest score. With --all both must list the same moves; with --wld only who wins is compared. Other
    /// moves are not compared. Exit code 5 on any difference
    #[arg(long)]
    check: bool,
    /// For a file of games: solve the position of each game with this number of empty squares
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(0..=64))]
    empties: Option<u32>,
    /// Stop after this time, as in 5 or 500ms (for a file, in total), and report what is proved of the searches that
    /// were begun; exit code 1
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
}

/// The exit code of a command that was stopped: by Ctrl-C, or because the time is up.
fn exit_when_stopped() -> Exit {
    if stop_on_ctrl_c().is_set() { Exit::Interrupted } else { Exit::Failed }
}

impl Solve {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match self.problem_file()? {
            Some(file) => batch::run(&self, file, output),
            None if self.empties.is_some() => {
                Err(Failure::usage("usage", "--empties chooses positions of a file of games: name one"))
            }
            None if self.check => {
                Err(Failure::usage("usage", "--check compares with an .obf file: name one"))
            }
            None => self.run_one(output),
        }
    }

    /// The file of positions, if the arguments name one: anything that exists (a pipe too), a name that ends as a
    /// problem file does, or `-` alone. Then no other argument may hold a position.
    fn problem_file(&self) -> Result<Option<&str>, Failure> {
        let PositionOptions { position, moves, .. } = &self.position;
        let is_file = |word: &&String| {
            word.to_ascii_lowercase().ends_with(".obf")
                || word.as_str() == "-" && moves.len() == 1
                || word.contains(['.', '/']) && Path::new(word).metadata().is_ok_and(|what| !what.is_dir())
        };
        let mut files = moves.iter().filter(is_file);
        let usage = |message| Err(Failure::usage("usage", message));
        let Some(file) = files.next() else { return Ok(None) };
        if let Some(second) = files.next() {
            return usage(format!("one file at a time: solve {file} first, then {second}"));
        }
        if position.is_some() || moves.len() > 1 {
            return usage(format!("the positions are those of {file}: leave out --position and moves"));
        }
        Ok(Some(file))
    }

    fn run_one(&self, output: Output) -> Result<Exit, Failure> {
        let (board, named) = self.position.board_and_rules(Geometry::SIX, self.rules.of_games())?;
        let rules = self.rules.rules_of(board.geometry, &named)?;
        let evaluator = self.search.evaluator(board.geometry, rules.goal)?;
        self.search.tell_weights(board.geometry, rules.goal, output);
        let solver = &Solver::with_ordering(board.geometry, rules, self.search.solver(), evaluator)?;
        let stop = self.stop();
        let solved = self.solve(solver, board, &stop, output, true);
        let text = if output.json { solved.to_json().to_string() } else { solved.to_text() };
        print_line(text.trim_end());
        Ok(if solved.complete && solved.line_complete { Exit::Done } else { exit_when_stopped() })
    }

    /// Set by Ctrl-C or when the time is over.
    fn stop(&self) -> Stop {
        stop_on_ctrl_c().and_until(self.time.map(|time| Instant::now() + time))
    }

    /// Score, best moves and, if requested, a line, as far as time allows.
    fn solve(&self, solver: &Solver, board: Board, stop: &Stop, output: Output, with_line: bool) -> Solved {
        let started = Instant::now();
        let position = board.position();
        let mut solved = Solved::new(board, solver.rules());
        let (empties, watch) = (position.empty_count(board.geometry), Watch::default());
        let found = progress::shown(output, empties, "score", &watch, || match self.wld {
            true => solver.win_loss_draw(position, stop, &watch),
            false => solver.solve_watched(position, stop, &watch).map(|solution| Proved {
                lower: solution.score,
                upper: solution.score,
                best: solution.best,
                nodes: solution.nodes,
                nodes_as_edax: solution.nodes_as_edax,
            }),
        });
        let (Ok(proved) | Err(proved)) = found;
        solved.note(proved);
        solved.complete = found.is_ok();
        if solved.complete {
            let what = format!("score {}; searching all best moves", solved.score_text());
            solved.complete = progress::timed(output, empties, &what, || {
                self.find_all_best(solver, position, &mut solved, stop).is_ok()
            });
        }
        solved.seconds = started.elapsed().as_secs_f64();
        // A move with the best outcome need not be one with the best score.
        let score = solved.score().filter(|&score| !self.wld || score == Score::DRAW);
        if let (true, Some(score)) = (with_line && solved.complete, score) {
            let mut line = Vec::new();
            let what = format!("score {score}, best {}; searching its line", solved.best_text());
            solved.line_complete = progress::timed(output, empties, &what, || {
                self.find_line(solver, board, &solved, score, stop, &mut line).is_ok()
            });
            solved.line = Some(line);
        }
        solved
    }

    /// All best moves, if requested. For a side that loses in any case all outcomes are equal, so every legal move is
    /// best.
    fn find_all_best(
        &self,
        solver: &Solver,
        position: Position,
        solved: &mut Solved,
        stop: &Stop,
    ) -> Result<(), Proved> {
        let least = match solved.outcome() {
            Some(Outcome::Loss) if self.wld => {
                let legal = position.children(solver.geometry()).into_iter().map(|(mv, _)| mv);
                let wanted = if self.all { usize::MAX } else { 1 };
                solved.best = legal.take(wanted).collect();
                return Ok(());
            }
            Some(Outcome::Win) if self.wld => Some(Score::new(1)),
            _ => solved.score(),
        };
        if let Some(least) = least.filter(|_| self.all) {
            solved.note_all_best(solver.best_moves(position, least, stop)?);
        }
        Ok(())
    }

    /// A perfect line that begins with the best move named first, as far as time allows.
    fn find_line(
        &self,
        solver: &Solver,
        board: Board,
        solved: &Solved,
        score: Score,
        stop: &Stop,
        line: &mut Vec<Move>,
    ) -> Result<(), Proved> {
        let Some(&first) = solved.best.first() else { return Ok(()) };
        line.push(first);
        solver.line(board.position().after(first), -score, stop, line)
    }
}
