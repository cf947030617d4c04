//! Games between two players, one after the other, reported as they end.

use super::answers::{read_player, read_time};
use super::game::GameSpec;
use super::lines::{Body, Sender, lines, lines_response};
use super::object::object;
use super::refusal::Refusal;
use super::search_pool::{SearchPool, Turns, on_a_thread};
use fastrand::Rng;
use hyper::Response;
use reversi_engine::{Choice, Clock, Game, Limits, Player, PlayerError, PlayerSpec, Size};
use reversi_lab::arena::openings;
use reversi_lab::arena::{Duel, Ending};
use reversi_rules::{Color, Passing};
use reversi_solver::search::Stop;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::iter::repeat_n;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of games of one request.
const MOST_GAMES: usize = 1000;
/// Maximum time of one request.
const TIME: Duration = Duration::from_secs(60 * 60);
/// Maximum number of random moves before the players begin.
const MOST_RANDOM_MOVES: u32 = 20;

/// A request for games between two players.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesQuestion {
    /// Where each game begins.
    #[serde(deserialize_with = "object")]
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
    first: Game,
    games: usize,
    random_moves: u32,
    black: PlayerSpec,
    white: PlayerSpec,
    time: Clock,
    random: Rng,
}

impl GamesQuestion {
    /// Answers with a line for each game.
    ///
    /// # Errors
    /// An invalid question, or no place to play.
    pub async fn told(self, pool: Arc<SearchPool>) -> Result<Response<Body>, Refusal> {
        let mut batch = on_a_thread(move || self.batch()).await?;
        let turns = pool.turns(TIME).await?;
        // Made before anything takes long: dropped with the request, it ends the work, and only then is the place free.
        let (sender, body) = lines(turns.stop.clone());
        // Made only now: the players and openings of all requests that wait for a place would take much memory.
        let (turns, batch, openings, pool) = on_a_thread(move || {
            batch.check_players(&pool)?;
            let openings = batch.openings(&turns.stop)?;
            Ok((turns, batch, openings, pool))
        })
        .await?;
        turns.begin(move |turns| {
            let started = Instant::now();
            batch.play(openings, &pool, &sender, turns);
            sender.end(Ok(()), &turns.stop, started);
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
        let time = read_time(self.time)?.map_or(Clock::None, Clock::PerMove);
        Ok(Batch {
            first: self.game.game()?,
            games: self.games,
            random_moves: self.random_moves,
            black: read_player(&self.black)?,
            white: read_player(&self.white)?,
            time,
            random: Rng::with_seed(self.seed.unwrap_or_else(|| fastrand::u64(..))),
        })
    }
}

impl Batch {
    /// Checks that both players can play such games.
    fn check_players(&self, pool: &SearchPool) -> Result<(), Refusal> {
        let first = &self.first;
        for spec in [&self.black, &self.white] {
            pool.with_player(spec, 0, |player| {
                player.supports(first.size(), first.passing())?;
                player.prepare(first)
            })?;
        }
        Ok(())
    }

    /// The first positions of the games; none if all begin with the same position.
    fn openings(&mut self, stop: &Stop) -> Result<Vec<Game>, Refusal> {
        let openings = match self.random_moves {
            0 => Vec::new(),
            plies => {
                let (games, seed) = (self.games, self.random.u64(..));
                openings::random(&self.first, plies, games, seed, stop).unwrap_or_default()
            }
        };
        let too_few = self.random_moves > 0 && openings.len() < self.games;
        if too_few || self.first.is_over() {
            return Err(Refusal::bad("game-over", "the game is over before the players begin"));
        }
        Ok(openings)
    }

    fn play(mut self, openings: Vec<Game>, pool: &SearchPool, lines: &Sender, turns: &mut Turns) {
        let stop = turns.stop.clone();
        let all_alike = repeat_n(self.first, self.games - openings.len());
        for (number, opening) in openings.into_iter().chain(all_alike).enumerate() {
            let (black_seed, white_seed) = (self.random.u64(..), self.random.u64(..));
            let duel = pool.with_player(&self.black, black_seed, |black| {
                pool.with_player(&self.white, white_seed, |white| {
                    let time = pool.search_time(None);
                    let mut black = Bounded { player: black, time };
                    let mut white = Bounded { player: white, time };
                    Duel::play_in_turns(opening, &mut black, &mut white, self.time, &stop, || {
                        turns.next_turn();
                    })
                })
            });
            if duel.ending == Ending::Interrupted {
                return;
            }
            lines.send(&duel_json(number, &duel));
        }
    }
}

/// A player that thinks about a move no longer than any search may take here.
struct Bounded<'a> {
    player: &'a mut dyn Player,
    time: Duration,
}

impl Player for Bounded<'_> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn supports(&self, size: Size, passing: Passing) -> Result<(), PlayerError> {
        self.player.supports(size, passing)
    }

    fn reach(&self, empties: u32) -> Option<u32> {
        self.player.reach(empties)
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }

    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        self.player.prepare(game)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        self.player.choose(game, limits, &stop.and_at(Instant::now() + self.time))
    }
}

fn duel_json(number: usize, duel: &Duel) -> Json {
    let mut object = json!({
        "type": "game",
        "number": number,
        "winner": duel.winner().map(Color::name),
        "moves": duel.game.transcript(),
    });
    match &duel.ending {
        Ending::Finished(result) => object["score"] = json!(result.score),
        Ending::Forfeit { fault, .. } => object["fault"] = json!(fault.to_string()),
        Ending::Interrupted => {}
    }
    object
}
