//! Games between two players, one after the other, told as they end.

use super::answers::{read_player, read_time};
use super::game::{GameSpec, color_name};
use super::lines::{Body, Sender, lines, lines_response};
use super::refusal::Refusal;
use super::room::Room;
use crate::arena::duel::{Duel, Ending, TimeControl};
use crate::arena::openings;
use crate::engine::{Game, PlayerSpec};
use crate::search::Stop;
use fastrand::Rng;
use hyper::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most games of one request.
const MOST_GAMES: usize = 1000;
/// Longest time of one request.
const TIME: Duration = Duration::from_secs(60 * 60);
/// Most random moves before the players begin.
const MOST_RANDOM_MOVES: u32 = 20;

/// Asks for games between two players.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesQuestion {
    /// Where each game begins.
    game: GameSpec,
    black: String,
    white: String,
    games: usize,
    /// Moves at random before the players begin, so that not all games are the same.
    #[serde(default)]
    random_moves: u32,
    /// Seconds for each move.
    time: Option<f64>,
    seed: Option<u64>,
}

/// The games to be played.
struct Batch {
    openings: Vec<Game>,
    black: PlayerSpec,
    white: PlayerSpec,
    time: TimeControl,
    random: Rng,
}

impl GamesQuestion {
    /// Answers with a line for each game.
    ///
    /// # Errors
    /// A question that is none, or no place to play.
    pub async fn told(self, room: Arc<Room>) -> Result<Response<Body>, Refusal> {
        let batch = self.batch()?;
        for spec in [&batch.black, &batch.white] {
            let first = &batch.openings[0];
            room.with_player(spec, 0, |player| player.supports(first.size(), first.rules().goal))?;
        }
        let place = room.place(TIME).await?;
        let (sender, body) = lines(place.stop.clone());
        place.begin(move |stop| {
            let started = Instant::now();
            batch.play(&room, &sender, stop);
            sender.end(Ok(()), stop, started);
        });
        Ok(lines_response(body))
    }

    fn batch(&self) -> Result<Batch, Refusal> {
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(Refusal::bad("bad-games", format!("\"games\" is a number from 1 to {MOST_GAMES}")));
        }
        if self.random_moves > MOST_RANDOM_MOVES {
            let message = format!("\"random_moves\" is a number up to {MOST_RANDOM_MOVES}");
            return Err(Refusal::bad("bad-games", message));
        }
        let game = self.game.game()?;
        let mut random = Rng::with_seed(self.seed.unwrap_or_else(|| fastrand::u64(..)));
        let openings = match self.random_moves {
            0 => vec![game; self.games],
            plies => openings::random(&game, plies, self.games, random.u64(..)),
        };
        if openings.len() < self.games || openings[0].is_over() {
            return Err(Refusal::bad("game-over", "the game is over before the players begin"));
        }
        let time = read_time(self.time)?.map_or(TimeControl::None, TimeControl::PerMove);
        Ok(Batch {
            openings,
            black: read_player(&self.black)?,
            white: read_player(&self.white)?,
            time,
            random,
        })
    }
}

impl Batch {
    fn play(mut self, room: &Room, lines: &Sender, stop: &Stop) {
        for (number, opening) in self.openings.into_iter().enumerate() {
            let (black_seed, white_seed) = (self.random.u64(..), self.random.u64(..));
            let duel = room.with_player(&self.black, black_seed, |black| {
                room.with_player(&self.white, white_seed, |white| {
                    Duel::play(opening, black, white, self.time, stop)
                })
            });
            if duel.ending == Ending::Interrupted {
                return;
            }
            lines.send(&duel_json(number, &duel));
        }
    }
}

fn duel_json(number: usize, duel: &Duel) -> Value {
    let mut object = json!({
        "type": "game",
        "number": number,
        "winner": duel.winner().map(color_name),
        "moves": duel.game.transcript(),
    });
    match &duel.ending {
        Ending::Finished(result) => object["score"] = json!(result.score),
        Ending::Forfeit { fault, .. } => object["fault"] = json!(fault.to_string()),
        Ending::Interrupted => {}
    }
    object
}
