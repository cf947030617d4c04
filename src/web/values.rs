//! The values of all moves of a position, and of all positions of a game, sent as they are found.

use super::answers::{put_value, read_time};
use super::game::{self, GameSpec};
use super::lines::{Body, Sender, lines, lines_response};
use super::object::object;
use super::refusal::Refusal;
use super::search_pool::{SearchPool, on_a_thread};
use crate::json;
use hyper::Response;
use reversi_engine::hints::{self, Hint};
use reversi_engine::{Game, GameMove, Info, Limits, PlayerSpec, Value};
use reversi_rules::{Board, Passing};
use reversi_solver::oracle::{Answer, LineEnd, OracleError};
use reversi_solver::search::{Stop, cost};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for the estimates before a search to the end.
const ESTIMATE_TIME: Duration = Duration::from_millis(1200);
/// Plies of the estimates of whole games.
const DEPTH_IN_GAMES: u32 = 8;
/// The player that estimates.
const ADVISER: &str = "engine:depth=60";

/// A request for the values of all moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
    time: Option<f64>,
}

/// A request for the values of the positions of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameValuesQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
    /// Which positions, by the number of moves before them; all, the last one first, if not given.
    plies: Option<Vec<usize>>,
    time: Option<f64>,
}

/// Something whose values are sent line by line.
pub trait Told: Send + 'static {
    /// The requested maximum time.
    ///
    /// # Errors
    /// An invalid time.
    fn time(&self) -> Result<Option<Duration>, Refusal>;

    /// The game it is about.
    ///
    /// # Errors
    /// An invalid game.
    fn game(&self) -> Result<Game, Refusal>;

    /// Whether tables alone hold everything that is sent, so that nothing has to be searched.
    ///
    /// # Errors
    /// A table that cannot be used.
    fn is_known(&self, game: &Game, pool: &SearchPool) -> Result<bool, Refusal>;

    /// Sends what is found, without the line that ends it.
    ///
    /// # Errors
    /// The reason why it cannot continue.
    fn tell(&self, game: &Game, pool: &SearchPool, lines: &Sender, stop: &Stop) -> Result<(), Refusal>;
}

/// Answers with lines; the last one says whether everything was sent. If tables hold everything to the end, no place
/// among the searches is needed.
///
/// # Errors
/// An invalid question, or no place for a search.
pub async fn told(question: impl Told, pool: Arc<SearchPool>) -> Result<Response<Body>, Refusal> {
    let time = pool.search_time(question.time()?);
    let (question, game, is_known, pool) = on_a_thread(move || {
        let game = question.game()?;
        let is_known = question.is_known(&game, &pool)?;
        Ok((question, game, is_known, pool))
    })
    .await?;
    let place = if is_known { pool.aside(time) } else { pool.place(time).await? };
    let (sender, body) = lines(place.stop.clone());
    place.begin(move |stop| {
        let started = Instant::now();
        let result = question.tell(&game, &pool, &sender, stop);
        sender.end(result.map_err(|refusal| refusal.json()), stop, started);
    });
    Ok(lines_response(body))
}

impl Told for MovesQuestion {
    fn time(&self) -> Result<Option<Duration>, Refusal> {
        read_time(self.time)
    }

    fn game(&self) -> Result<Game, Refusal> {
        let game = self.game.game()?;
        match game.board().small() {
            Some(_) => Ok(game),
            None => Err(Refusal::bad("bad-board", "moves have values only on boards up to 8x8")),
        }
    }

    fn is_known(&self, game: &Game, pool: &SearchPool) -> Result<bool, Refusal> {
        // The line goes to the end of the game; beyond the table it is searched.
        Ok(in_tables(game, pool)?.is_some_and(|answer| answer.line_complete))
    }

    fn tell(&self, game: &Game, pool: &SearchPool, lines: &Sender, stop: &Stop) -> Result<(), Refusal> {
        let board = game::for_the_oracle(game).ok();
        let is_searched = |board: &Board| {
            cost::is_searched_while_waiting(board.geometry, board.position().empty_count(board.geometry))
        };
        let is_soon_found =
            |board: &Board| board.position().empty_count(board.geometry) <= cost::INSTANT_EMPTIES;
        match board {
            Some(board)
                if is_searched(&board) && is_soon_found(&board) || in_tables(game, pool)?.is_some() =>
            {
                tell_exact(&board, game, pool, lines, stop)
            }
            Some(board) if is_searched(&board) => {
                tell_estimates(game, pool, lines, &stop.and_at(Instant::now() + ESTIMATE_TIME))?;
                tell_exact(&board, game, pool, lines, stop)
            }
            _ => tell_estimates(game, pool, lines, stop),
        }
    }
}

/// The tables' answer for all moves, with the line as far as they go; `None` if they do not hold every value.
fn in_tables(game: &Game, pool: &SearchPool) -> Result<Option<Answer>, Refusal> {
    let Ok(board) = game::for_the_oracle(game) else { return Ok(None) };
    let oracle = pool.oracle(board.geometry, game.rules())?;
    match oracle.answer(board.position(), LineEnd::OfTable, &Stop::already()) {
        Err(OracleError::Stopped) => Ok(None),
        answer => Ok(Some(answer?)),
    }
}

fn tell_exact(
    board: &Board,
    game: &Game,
    pool: &SearchPool,
    lines: &Sender,
    stop: &Stop,
) -> Result<(), Refusal> {
    let started = Instant::now();
    let oracle = pool.oracle(board.geometry, game.rules())?;
    let found = |scored| {
        let mut line = json::move_score(&scored);
        line["type"] = json!("exact");
        lines.send(&line);
    };
    let answer = oracle.answer_as_found(board.position(), LineEnd::OfGame, stop, found)?;
    let answer = json::answer(*board, game.rules(), &answer, started.elapsed().as_secs_f64());
    lines.send(&json!({"type": "answer", "answer": answer}));
    Ok(())
}

fn tell_estimates(game: &Game, pool: &SearchPool, lines: &Sender, stop: &Stop) -> Result<(), Refusal> {
    let report = |round: &[Hint], _| {
        let moves: Vec<Json> = round.iter().map(hint_json).collect();
        lines.send(&json!({"type": "estimates", "moves": moves}));
    };
    pool.with_player(&adviser()?, 0, |player| {
        let started = Instant::now();
        player.prepare(game)?;
        // A short time would be over before a new player's first estimate.
        let stop = stop.postponed(started.elapsed());
        hints::deepen(player, game, hints::MAX_DEPTH, &stop, report)
    })?;
    Ok(())
}

fn adviser() -> Result<PlayerSpec, Refusal> {
    ADVISER.parse().map_err(|error| Refusal::failed("internal", error))
}

fn hint_json(hint: &Hint) -> Json {
    let line: Vec<String> = hint.pv.iter().map(GameMove::to_string).collect();
    let mut object = json!({"move": hint.mv.to_string(), "depth": hint.depth, "line": line});
    put_value(&mut object, hint.value);
    object
}

impl GameValuesQuestion {
    /// The requested positions that the game has, each once.
    fn plies(&self, game: &Game) -> Vec<usize> {
        let last = game.moves().len();
        let mut plies = self.plies.clone().unwrap_or_else(|| (0..=last).rev().collect());
        let mut seen = HashSet::new();
        plies.retain(|&ply| ply <= last && seen.insert(ply));
        plies
    }
}

impl Told for GameValuesQuestion {
    fn time(&self) -> Result<Option<Duration>, Refusal> {
        read_time(self.time)
    }

    fn game(&self) -> Result<Game, Refusal> {
        let game = self.game.game()?;
        let is_end = |ply| ply == game.moves().len() && game.is_over();
        match game.board().small().is_some() || self.plies(&game).into_iter().all(is_end) {
            true => Ok(game),
            false => Err(Refusal::bad("bad-board", "positions have values only on boards up to 8x8")),
        }
    }

    fn is_known(&self, game: &Game, pool: &SearchPool) -> Result<bool, Refusal> {
        let Some(geometry) =
            reversi_rules::Geometry::from_size(game.size()).filter(|_| game.passing() == Passing::Allowed)
        else {
            return Ok(false);
        };
        let oracle = pool.oracle(geometry, game.rules())?;
        for ply in self.plies(game) {
            let board = game.boards()[ply].small();
            if let Some(board) = board
                && oracle.probe(board.position())?.is_none()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tell(&self, game: &Game, pool: &SearchPool, lines: &Sender, stop: &Stop) -> Result<(), Refusal> {
        for ply in self.plies(game) {
            let mut game = game.clone();
            while game.moves().len() > ply {
                game.undo();
            }
            let Some((value, depth)) = value_of(&game, pool, stop)? else {
                return Err(Refusal::out_of_time());
            };
            let to_move = game.to_move().symbol().to_string();
            let mut line = json!({"type": "position", "ply": ply, "to_move": to_move});
            if let Some(depth) = depth {
                line["depth"] = json!(depth);
            }
            put_value(&mut line, value);
            lines.send(&line);
        }
        Ok(())
    }
}

/// The value of a position for the side to move: exact if it is known or soon found, else the engine's estimate, with
/// its depth. `None` if it was stopped.
fn value_of(game: &Game, pool: &SearchPool, stop: &Stop) -> Result<Option<(Value, Option<u32>)>, Refusal> {
    if let Ok(board) = game::for_the_oracle(game) {
        let oracle = pool.oracle(board.geometry, game.rules())?;
        if let Some((_, entry)) = oracle.probe(board.position())? {
            return Ok(Some((Value::Exact(entry.score), None)));
        }
        if cost::is_searched_in_games(board.geometry, board.position().empty_count(board.geometry)) {
            let value = oracle.value(board.position(), stop)?;
            return Ok(Some((Value::Exact(value.score), None)));
        }
    }
    let limits = Limits { depth: Some(DEPTH_IN_GAMES), ..Limits::default() };
    let Info { value, depth, .. } =
        pool.with_player(&adviser()?, 0, |player| hints::evaluate(player, game, &limits, stop))?;
    Ok(value.filter(|_| !stop.is_set()).map(|value| (value, Some(depth))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::Settings;
    use reversi_engine::Resources;

    fn pool() -> SearchPool {
        let resources = Resources { memory_bytes: 64 << 20, ..Resources::default() };
        let (address, search_time) = (([127, 0, 0, 1], 0).into(), Duration::from_secs(1));
        SearchPool::new(&Settings { address, hosts: Vec::new(), searches: 1, search_time, resources })
    }

    /// Beyond the table the line is searched, which has to wait for its place like any search.
    #[test]
    fn a_line_that_goes_beyond_the_table_needs_a_place_among_the_searches() {
        let pool = pool();
        for (game, has_values, is_known) in [
            (json!({"board": "4x4"}), true, true),
            (json!({"board": "6x6", "moves": "c2b4c5"}), true, false),
            (json!({"board": "5x5"}), false, false),
        ] {
            let question: MovesQuestion = serde_json::from_value(json!({"game": game})).unwrap();
            let asked = question.game().unwrap();
            assert_eq!(in_tables(&asked, &pool).unwrap().is_some(), has_values, "{game}");
            assert_eq!(question.is_known(&asked, &pool).unwrap(), is_known, "{game}");
        }
    }
}
