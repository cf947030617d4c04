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
/// Of a file of games, in any form, the position at the end of the moves of each is solved; --empties E takes the one
/// with E empty squares, which of finished games is what is wanted; of a game without one it is said so in its place, and
/// the exit code is 2 at the end. The file `-` is standard input.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi solve --board 4x4\n  \
    reversi solve --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\" --all\n  \
    echo \"-----OX--XO----- X; -8;\" > /tmp/problems.obf\n  \
    reversi solve /tmp/problems.obf --check\n  \
    echo f5d6c5f4e3f6g5e6e7 > /tmp/games.txt\n  \
    reversi solve /tmp/games.txt --empties 55 --time 1\n  \
    reversi solve --board 4x6 --goal reversed --wld\n\n\
    An .obf file sets goal and scoring in a line \"% goal=normal scoring=winner\". Nodes are positions in \
    which moves were looked for; the last empty square is counted, not searched.")]
pub struct Solve {
    #[command(flatten)]
    rules: FileRulesOptions,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Only who wins, which is faster
    #[arg(long)]
    wld: bool,
    /// Find every best move, symmetric twins too; with --wld every move with the best outcome
    #[arg(long)]
    all: bool,
    /// Compare with the .obf file: the score, and that the best move found is among those listed with the highest
    /// score, with --all that both list the same; with --wld only who wins. Other moves are not compared. Exit code 5
    /// on any difference
    #[arg(long)]
    check: bool,
    /// Of a file of games: solve the position of each with this number of empty squares
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(0..=64))]
    empties: Option<u32>,
    /// Stop after this time, as in 5 or 500ms, for a whole file too, and say what is proved of what was begun; exit
    /// code 1
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
}

/// How a command ends that was stopped: by Ctrl-C or because the time is over.
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

    /// The file of positions, if one is named: what exists, a pipe too, or ends as a problem file does, or `-` alone. It
    /// holds the positions, so nothing else may.
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

    /// Score, best moves and, if wanted, a line, as far as time allows.
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
            solved.complete = self.find_all_best(solver, position, &mut solved, stop).is_ok();
        }
        solved.seconds = started.elapsed().as_secs_f64();
        // A move with the best outcome need not be one with the best score.
        let score = solved.score().filter(|&score| !self.wld || score == Score::DRAW);
        if let (true, Some(score)) = (with_line && solved.complete, score) {
            let mut line = Vec::new();
            solved.line_complete = self.find_line(solver, board, &solved, score, stop, &mut line).is_ok();
            solved.line = Some(line);
        }
        solved
    }

    /// All best moves, where they are asked for. A side that loses in any case has no worse outcome to fear, so every
    /// legal move has the best.
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
