//! `reversi hint`: what the engine thinks of a position, or of every position of a file: the best lines with depth and
//! value.

mod file;

use super::common::{Output, PositionOptions, RulesOptions, tell_weights};
use super::games::{ResourceOptions, USUAL_PLAYER};
use super::interrupt::stop_on_ctrl_c;
use super::print::print_line;
use super::search_info;
use super::values::{duration, parse_player};
use super::{Exit, Failure};
use clap::Args;
use file::Format;
use reversi_engine::hints::{self, Hint, MAX_DEPTH};
use reversi_engine::{Game, GameMove, Info, Limits, Player, PlayerError, PlayerSpec, Value};
use reversi_rules::Geometry;
use reversi_solver::search::Stop;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Ask the engine what it thinks of a position
///
/// A single line is the one that the player finds in a game. For several lines each legal move is searched separately,
/// with increasing depth, as deep as the player searches; the last finished depth is shown. If time runs out before
/// anything is found, the exit code is 1. Ctrl-C ends the search and shows what was found. Where a book given by
/// --book knows all moves, its values are shown, and nothing is searched.
///
/// Proved values are marked `exact`. All others are estimates, in discs for the side to move, or in the historical
/// systems' own points. Boards go up to 8x8; on larger ones use `hint` in a game of `reversi play`.
///
/// With `--file` the ply of a position is the number of moves before it, passes among them.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi hint f5d6c3
  reversi hint f5d6c3 --lines 3 --depth 6
  reversi hint --board 6x6 c2b4 --goal reversed --time 500ms --json
  printf 'f5d6c3d3c4\\nf5f6e6f4\\n' > /tmp/games.txt
  reversi hint --file /tmp/games.txt --depth 6 --format csv   # each position
  reversi sample --empties 9 --count 5 | reversi hint --file - --player engine")]
pub struct HintCommand {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    rules: RulesOptions,
    /// Player to ask; `reversi players` lists the names
    #[arg(long, value_name = "PLAYER", default_value = USUAL_PLAYER)]
    player: String,
    /// Number of best moves to show, each with the line expected after it
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    lines: u32,
    /// Maximum search depth of the engine in plies, at least 2 for several lines. The historical systems always search
    /// as deep as their names say [default: the player's own]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Time for the answer, as in 1s or 200ms [default: 5s for several lines]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Ask about each position that has a move, of a problem file or of every game in a file of games (- for standard
    /// input); each is treated as if it were the only one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    file: Option<PathBuf>,
    /// With --file: only the last position of each game
    #[arg(long, requires = "file")]
    last: bool,
    /// With --file: format of the answers [default: text; json with --json]
    #[arg(long, value_enum, requires = "file")]
    format: Option<Format>,
    #[command(flatten)]
    resources: ResourceOptions,
}

/// Default time for several lines.
const USUAL_TIME: Duration = Duration::from_secs(5);

impl HintCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        if let Some(path) = &self.file {
            return self.run_file(path, output);
        }
        let stop = stop_on_ctrl_c();
        let (board, named, passing) = self.position.read(Geometry::EIGHT, self.rules)?;
        let rules = self.rules.rules_of(board.geometry, &named)?;
        let game = Game::new(board.into(), rules, passing);
        let spec = parse_player(&self.player)?;
        self.check_bounds(&spec)?;
        let mut player = self.resources.ready::<Failure>(&spec, &game, output)?;
        player.prepare(&game)?;
        let started = Instant::now();
        let found = self.find(&mut *player, &game, &stop);
        let (found, nodes) = found.map_err(|error| match error {
            _ if stop.is_set() => {
                Failure::new(Exit::Interrupted, "interrupted", "interrupted before anything was found")
            }
            PlayerError::OutOfTime { .. } if self.time.is_some() => self.out_of_time(&spec),
            error => error.into(),
        })?;
        // An answer from a table needs no weights.
        let goal_of_weights = spec.goal_of_weights(rules.goal).filter(|_| nodes > 0);
        if let Some(goal) = goal_of_weights {
            tell_weights(board.geometry, goal, self.resources.data.as_deref(), output);
        }
        self.check_found(&found, &game, &spec, started, &stop)?;
        let seconds = started.elapsed().as_secs_f64();
        if output.json {
            print_line(json(&game, &found, nodes, seconds));
        } else {
            show(&found, game.is_over(), stop.is_set(), nodes, seconds);
        }
        Ok(if stop.is_set() { Exit::Interrupted } else { Exit::Done })
    }

    /// Refuses a bound that would be ignored because the player has its own.
    fn check_bounds(&self, spec: &PlayerSpec) -> Result<(), Failure> {
        for (option, is_given, is_bound) in [
            ("--depth", self.depth.is_some(), spec.bounds_depth()),
            ("--time", self.time.is_some(), spec.bounds_time()),
        ] {
            if is_given && is_bound {
                let message = format!("{option}: --player {spec} has its own bound; leave one of them out");
                return Err(Failure::usage("bad-player", message));
            }
        }
        if self.lines > 1 && self.depth == Some(1) {
            let message = "several lines are searched 2 plies deep at least: write --depth 2, or --lines 1";
            return Err(Failure::usage("usage", message));
        }
        Ok(())
    }

    /// The time limit, if there is one.
    fn time(&self) -> Option<Duration> {
        self.time.or((self.lines > 1).then_some(USUAL_TIME))
    }

    fn out_of_time(&self, spec: &PlayerSpec) -> Failure {
        // A player with its own time is given no other one, see `check_bounds`.
        let message = match spec.bounds_time() {
            true => "nothing was found within the player's own time; give it more with time=".to_owned(),
            false => {
                let seconds = self.time().unwrap_or_default().as_secs_f64();
                format!("nothing was found within {seconds} s; give it more with --time")
            }
        };
        Failure::new(Exit::Failed, "out-of-time", message)
    }

    /// Checks whether nothing was found because the time was used up; players keep back up to a fifth of it.
    ///
    /// # Errors
    /// The time was used up. A player that finds nothing before that has no opinion.
    fn check_found(
        &self,
        found: &[Hint],
        game: &Game,
        spec: &PlayerSpec,
        started: Instant,
        stop: &Stop,
    ) -> Result<(), Failure> {
        let is_silent = found.is_empty() && !game.is_over() && !stop.is_set();
        let mut bounds = [self.time(), spec.own_time()].into_iter().flatten();
        match is_silent && bounds.any(|time| started.elapsed() >= time * 4 / 5) {
            true => Err(self.out_of_time(spec)),
            false => Ok(()),
        }
    }

    /// The best moves to show, and the number of positions visited.
    fn find(
        &self,
        player: &mut dyn Player,
        game: &Game,
        stop: &Stop,
    ) -> Result<(Vec<Hint>, u64), PlayerError> {
        if self.lines == 1 { self.one(player, game, stop) } else { self.many(player, game, stop) }
    }

    /// The move that the player would make, or the only legal move, and the number of positions visited.
    fn one(
        &self,
        player: &mut dyn Player,
        game: &Game,
        stop: &Stop,
    ) -> Result<(Vec<Hint>, u64), PlayerError> {
        if let Some(hints) = player.book_hints(game) {
            return Ok((hints.into_iter().take(1).collect(), 0));
        }
        let mut limits = self.time.map_or_else(Limits::default, Limits::per_move);
        limits.depth = self.depth;
        let Info { value, depth, nodes, pv, is_from_book, .. } =
            hints::evaluate(player, game, &limits, stop)?;
        let first = pv.first().copied();
        let hint = first.zip(value).map(|(mv, value)| Hint { mv, value, depth, nodes, pv, is_from_book });
        Ok((hint.into_iter().collect(), nodes))
    }

    /// The best of all moves, and the number of positions visited for all of them.
    fn many(
        &self,
        player: &mut dyn Player,
        game: &Game,
        stop: &Stop,
    ) -> Result<(Vec<Hint>, u64), PlayerError> {
        let stop = stop.and_until(self.time().map(|time| Instant::now() + time));
        let mut best = Vec::new();
        let report = |round: &[Hint], _| best = round.to_vec();
        let nodes = hints::deepen(player, game, self.depth.unwrap_or(MAX_DEPTH), &stop, report)?;
        best.truncate(self.lines as usize);
        Ok((best, nodes))
    }
}

fn show(found: &[Hint], is_over: bool, is_interrupted: bool, nodes: u64, seconds: f64) {
    if is_over {
        return print_line("the game is over");
    }
    if found.is_empty() {
        let why = if is_interrupted { "it was interrupted" } else { "this player gives none here" };
        return print_line(format_args!("no estimate: {why}"));
    }
    print_line(search_info::as_table(found).trim_end());
    if nodes == 0 {
        let is_from_book = found.iter().any(|hint| hint.is_from_book);
        return print_line(if is_from_book {
            "from the book, without a search"
        } else {
            "known without a search"
        });
    }
    let speed = nodes as f64 / seconds.max(1e-6) / 1e6;
    print_line(format!("{nodes} nodes in {seconds:.3} s, {speed:.1} million a second"));
}

/// The object of the schema `reversi.hint/1`.
fn json(game: &Game, hints: &[Hint], nodes: u64, seconds: f64) -> Json {
    let (rules, lines) = (game.rules(), hints.iter().map(line_json).collect::<Vec<_>>());
    json!({
        "schema": "reversi.hint/1", "board": game.size().to_string(), "goal": rules.goal.name(),
        "scoring": rules.scoring.name(), "position": game.board().to_string(), "finished": game.is_over(),
        "lines": lines, "nodes": nodes, "seconds": seconds,
    })
}

fn line_json(hint: &Hint) -> Json {
    let mut line = json!({"move": hint.mv.to_string(), "value": hint.value.discs(),
        "exact": hint.value.is_exact(), "depth": hint.depth, "line": words(&hint.pv), "book": hint.is_from_book});
    if let Value::Points(points) = hint.value {
        line["points"] = json!(points);
    }
    line
}

fn words(line: &[GameMove]) -> Vec<String> {
    line.iter().map(GameMove::to_string).collect()
}
