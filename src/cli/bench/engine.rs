//! `reversi bench engine`: evaluations a second, and how deep the engine looks in a second.

use crate::cli::common::Output;
use crate::cli::interrupt::fail_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::values::{duration, parse_threads};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_engine::{Game, Info, Limits, PlayerError, PlayerSpec, Resources};
use reversi_lab::evaluation_rate::evaluations_a_second;
use reversi_rules::{Board, Geometry, Goal, Passing, Position, Rules, Scoring, Start};
use reversi_solver::search::Stop;
use serde_json::json;
use std::time::Duration;

/// How long evaluations are counted.
const EVALUATING: Duration = Duration::from_secs(1);

/// Empty squares of the positions, as shares of the board.
const SHARES: [f64; 5] = [0.8, 0.65, 0.5, 0.4, 0.3];

/// Measure the engine: evaluations per second, nodes per second and depth
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi bench engine --time 100ms\n  \
    reversi bench engine --board 6x6 --goal reversed --time 100ms")]
pub struct EngineBench {
    /// The board: one with a learned evaluation
    #[arg(long, value_name = "SIZE", default_value = "8x8")]
    board: String,
    /// Goal of the game: normal or reversed
    #[arg(long, default_value = "normal")]
    goal: Goal,
    /// Time for each position
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    time: Duration,
    /// Threads of the engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads)]
    threads: usize,
}

/// The measurements at one position.
struct Measured {
    empties: u32,
    info: Info,
}

impl EngineBench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        fail_on_ctrl_c();
        let evaluator = super::evaluator(&self.board, self.goal, None)?;
        let geometry = evaluator.geometry();
        let games: Vec<Game> = SHARES.iter().filter_map(|share| game(geometry, self.goal, *share)).collect();
        let boards = games.iter().filter_map(|game| game.board().small());
        let roots: Vec<Position> = boards.map(|board| board.position()).collect();
        let evaluations = evaluations_a_second(&evaluator, &roots, EVALUATING);
        let searched = self.search(&games)?;
        let nodes: u64 = searched.iter().map(|measured| measured.info.nodes).sum();
        let seconds: f64 = searched.iter().map(|measured| measured.info.seconds).sum();
        let nodes_a_second = nodes as f64 / seconds.max(1e-9);
        if output.json {
            let positions: Vec<_> = searched
                .iter()
                .map(|Measured { empties, info }| {
                    json!({"empties": empties, "depth": info.depth, "nodes": info.nodes, "seconds": info.seconds})
                })
                .collect();
            print_line(json!({"schema": "reversi.bench-engine/1", "board": geometry.to_string(),
                    "evaluations_per_second": evaluations, "nodes_per_second": nodes_a_second, "positions": positions}));
            return Ok(Exit::Done);
        }
        print_line(format!("{:.1} million evaluations a second on one core", evaluations / 1e6));
        for Measured { empties, info } in &searched {
            print_line(format!(
                "{empties} empty squares: depth {} in {:.2} s, {} nodes",
                info.depth, info.seconds, info.nodes
            ));
        }
        print_line(format!(
            "{:.2} million nodes a second with {} threads",
            nodes_a_second / 1e6,
            self.threads
        ));
        Ok(Exit::Done)
    }

    fn search(&self, games: &[Game]) -> Result<Vec<Measured>, PlayerError> {
        let resources = Resources { threads: self.threads, ..Resources::default() };
        let spec: PlayerSpec = "engine".parse().expect("a player of that name");
        let mut engine = spec.build(&resources, 1);
        let limits = Limits::per_move(self.time);
        games
            .iter()
            .map(|game| {
                engine.new_game(1);
                engine.prepare(game)?;
                let info = engine.choose(game, &limits, &Stop::never())?.info;
                Ok(Measured { empties: game.board().empty_count(), info })
            })
            .collect()
    }
}

/// A random game, the same in every run, played until only this share of the board is empty.
fn game(geometry: Geometry, goal: Goal, share: f64) -> Option<Game> {
    let first = Board::start(geometry, Start::Diagonal).into();
    let mut game = Game::new(first, Rules::new(goal, Scoring::Winner), Passing::Allowed);
    let mut random = fastrand::Rng::with_seed(7);
    while f64::from(game.board().empty_count()) > share * f64::from(geometry.square_count()) {
        let mv = random.choice(game.legal_moves().iter().copied())?;
        game.play(mv).ok()?;
    }
    Some(game)
}
