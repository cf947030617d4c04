//! Every player plays every other with both colours, several games each; an interrupted tournament can be resumed.

use super::contest::Contestant;
use super::duel::{Duel, Ending, GameFault, fault_of};
use super::tally::Outcomes;
use super::workers::for_each_worker;
use crate::seed::seed_at;
use reversi_engine::{Clock, Game, Player, PlayerError, Resources};
use reversi_rules::Color;
use reversi_rules::notation::TranscriptError;
use reversi_solver::search::Stop;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A tournament to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The participants.
    pub players: Vec<Contestant>,
    /// Whether each plays against itself too.
    pub with_itself: bool,
    /// Games of each player with Black against each other with White.
    pub games: u32,
    /// The openings: game `n` of each cell uses opening `n`, in a cycle if there are more games. Not empty.
    pub openings: Vec<Game>,
    /// Time of each player at the beginning of a game.
    pub time: Clock,
    /// Games played at once, at least 1.
    pub at_once: usize,
    /// What each player may use.
    pub resources: Resources,
    /// Determines the random numbers of all players.
    pub seed: u64,
}

/// Which game of a tournament: places of both players in the list, and the number of the game in their cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The game of these two, from 0.
    pub game: u32,
    /// The player with Black.
    pub black: usize,
    /// The player with White.
    pub white: usize,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Which one.
    #[serde(flatten)]
    pub pairing: Pairing,
    /// 1 if Black has won, -1 if White has, 0 for a draw.
    pub winner: i8,
    /// The result for Black in discs; `None` if a fault ended the game.
    pub score: Option<i32>,
    /// The fault of the loser, if a fault ended the game.
    pub fault: Option<GameFault>,
    /// The moves.
    pub moves: String,
}

impl Played {
    /// The winner; `None` for a draw.
    pub fn won_by(&self) -> Option<Color> {
        match self.winner {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }

    /// Whether this side has won; `None` for a draw.
    fn is_won_by(&self, side: Color) -> Option<bool> {
        self.won_by().map(|winner| winner == side)
    }

    /// The loser and its fault, if a fault ended the game.
    pub fn forfeit(&self) -> Option<(Color, &GameFault)> {
        self.won_by().map(Color::other).zip(self.fault.as_ref())
    }
}

impl Tournament {
    /// All games in the order in which they begin: first the first game of every cell, then the second, so that all
    /// players have about as many games whenever it ends.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> {
        let places = 0..self.players.len();
        let colors = move |game| {
            let whites = places.clone();
            let pair = move |black| whites.clone().map(move |white| Pairing { game, black, white });
            places.clone().flat_map(pair)
        };
        (0..self.games).flat_map(colors).filter(|&pairing| self.asks_for(pairing))
    }

    /// Whether there is such a game.
    pub fn asks_for(&self, Pairing { game, black, white }: Pairing) -> bool {
        let players = self.players.len();
        game < self.games && black < players && white < players && (self.with_itself || black != white)
    }

    /// How many games there are.
    pub fn game_count(&self) -> u64 {
        let players = self.players.len() as u64;
        let opponents = if self.with_itself { players } else { players.saturating_sub(1) };
        u64::from(self.games) * players * opponents
    }

    /// How a game begins.
    pub fn opening(&self, pairing: Pairing) -> &Game {
        &self.openings[pairing.game as usize % self.openings.len()]
    }

    /// Replays a game from its first board.
    ///
    /// # Errors
    /// The first of its moves that cannot be made.
    pub fn replay(&self, played: &Played) -> Result<Game, TranscriptError> {
        let opening = self.opening(played.pairing);
        let mut game = Game::new(opening.first_board().clone(), opening.rules(), opening.passing());
        game.play_transcript(&played.moves)?;
        Ok(game)
    }

    /// Plays the games that are not in `done`; `on_game` is called for each game as it ends, in any order. Returns all
    /// games, those of `done` included, in their order; after a stop those that were played.
    ///
    /// # Errors
    /// A player that cannot be made or does not play here, before any game is played.
    ///
    /// # Panics
    /// If there are no openings.
    pub fn play(
        &self,
        done: Vec<Played>,
        stop: &Stop,
        on_game: impl Fn(&Played) + Sync,
    ) -> Result<Vec<Played>, PlayerError> {
        let mut played = done;
        if self.are_all_ready(stop)? {
            let known: HashSet<Pairing> = played.iter().map(|game| game.pairing).collect();
            let open = self.pairings().filter(|pairing| !known.contains(pairing));
            let workers = (0..self.at_once.max(1)).map(|_| Worker { tournament: self, seated: [None, None] });
            played.extend(for_each_worker(
                workers,
                open,
                |worker, pairing| worker.play(pairing, stop),
                on_game,
            ));
        }
        played.sort_by_key(|game| game.pairing);
        Ok(played)
    }

    /// `false` if `stop` was set before that was known.
    fn are_all_ready(&self, stop: &Stop) -> Result<bool, PlayerError> {
        for player in &self.players {
            if !player.is_ready_for(&self.openings, &self.resources, stop)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// One thread with the players of its last game, White and Black. More players at once could exceed the memory.
struct Worker<'a> {
    tournament: &'a Tournament,
    seated: [Option<Seated>; 2],
}

/// A player with its place in the list.
type Seated = (usize, Box<dyn Player>);

impl Worker<'_> {
    /// `None` on a stop. A player that cannot be made again loses.
    fn play(&mut self, pairing: Pairing, stop: &Stop) -> Option<Played> {
        for has_black in [true, false] {
            if let Err(error) = self.sit_down(has_black, pairing, stop) {
                return (!stop.is_set()).then(|| forfeited(pairing, has_black, fault_of(&error)));
            }
        }
        let [Some((_, white)), Some((_, black))] = &mut self.seated else {
            unreachable!("both have sat down")
        };
        let opening = self.tournament.opening(pairing).clone();
        let duel = Duel::play(opening, &mut **black, &mut **white, self.tournament.time, stop);
        record(pairing, &duel)
    }

    /// Each player of each game draws its own random numbers, whichever thread plays the game.
    fn sit_down(&mut self, has_black: bool, pairing: Pairing, stop: &Stop) -> Result<(), PlayerError> {
        let Tournament { players, resources, seed, .. } = self.tournament;
        let count = players.len() as u64;
        let cell = pairing.black as u64 * count + pairing.white as u64;
        let draw = 2 * (u64::from(pairing.game) * count * count + cell) + u64::from(has_black);
        let place = if has_black { pairing.black } else { pairing.white };
        let seat = &mut self.seated[usize::from(has_black)];
        // The previous player is dropped first, so that there are never three.
        if seat.as_ref().is_none_or(|(seated, _)| *seated != place) {
            *seat = None;
        }
        let (_, player) = match seat {
            Some(seated) => seated,
            None => seat.insert((place, players[place].make(resources, stop)?)),
        };
        player.new_game(seed_at(*seed, draw));
        Ok(())
    }
}

fn forfeited(pairing: Pairing, by_black: bool, fault: GameFault) -> Played {
    let winner = if by_black { -1 } else { 1 };
    Played { pairing, winner, score: None, fault: Some(fault), moves: String::new() }
}

/// `None` for a game that was broken off.
fn record(pairing: Pairing, duel: &Duel) -> Option<Played> {
    let winner = match duel.winner() {
        Some(Color::Black) => 1,
        Some(Color::White) => -1,
        None => 0,
    };
    let moves = duel.game.transcript();
    match &duel.ending {
        Ending::Interrupted => None,
        Ending::Finished(result) => {
            Some(Played { pairing, winner, score: Some(result.score), fault: None, moves })
        }
        Ending::Forfeit { fault, .. } => {
            Some(Played { pairing, winner, score: None, fault: Some(fault.clone()), moves })
        }
    }
}

/// The outcomes of Black.
pub fn of_black<'a>(games: impl IntoIterator<Item = &'a Played>) -> Outcomes {
    games.into_iter().map(|game| game.is_won_by(Color::Black)).collect()
}

/// The outcomes of a player against the others; `place` is its index.
pub fn of_player(place: usize, games: &[Played]) -> Outcomes {
    let outcome = |game: &Played| match (game.pairing.black == place, game.pairing.white == place) {
        (true, false) => Some(game.is_won_by(Color::Black)),
        (false, true) => Some(game.is_won_by(Color::White)),
        _ => None,
    };
    games.iter().filter_map(outcome).collect()
}

/// One game of each set of games with the same moves between the same players with the same colours: if neither player
/// is random, all games from one opening are the same.
pub fn different(mut games: Vec<&Played>) -> Vec<&Played> {
    let mut seen = HashSet::new();
    games.retain(|game| seen.insert((game.pairing.black, game.pairing.white, &game.moves)));
    games
}

/// The outcomes of Black, by index of Black, then of White.
pub fn matrix(players: usize, games: &[Played]) -> Vec<Vec<Outcomes>> {
    let cell = |black, white| {
        let here = |game: &&Played| (game.pairing.black, game.pairing.white) == (black, white);
        of_black(games.iter().filter(here))
    };
    (0..players).map(|black| (0..players).map(|white| cell(black, white)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::GameBoard;
    use reversi_rules::{Passing, Rules, Start};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn tournament(at_once: usize) -> Tournament {
        let first = GameBoard::start("4x4".parse().unwrap(), Start::Diagonal);
        Tournament {
            players: ["random", "first", "alphabeta:2"]
                .map(|name| Contestant::Named(name.parse().unwrap()))
                .to_vec(),
            with_itself: true,
            games: 4,
            openings: vec![Game::new(first, Rules::default(), Passing::Allowed)],
            time: Clock::None,
            at_once,
            resources: Resources::default(),
            seed: 1,
        }
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let whole = tournament(1).play(Vec::new(), &Stop::never(), |_| {}).unwrap();
        assert_eq!(whole.len(), 9 * 4);
        assert_eq!(tournament(3).play(Vec::new(), &Stop::never(), |_| {}).unwrap(), whole);
        let some: Vec<Played> = whole.iter().skip(3).step_by(5).cloned().collect();
        let counted = AtomicUsize::new(0);
        assert_eq!(tournament(1).pairings().count() as u64, tournament(1).game_count());
        let others = Tournament { with_itself: false, ..tournament(1) };
        assert_eq!((others.pairings().count(), others.game_count()), (6 * 4, 6 * 4));
        let rest = tournament(2).play(some.clone(), &Stop::never(), |_| {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!((rest.unwrap(), counted.into_inner()), (whole.clone(), 36 - some.len()));
        let cells = matrix(3, &whole);
        assert!(cells.iter().flatten().all(|cell| cell.games() == 4));
        assert!(
            [0, 4].contains(&cells[1][1].wins),
            "the first move against itself is one game again and again"
        );
    }

    #[test]
    fn what_is_stopped_keeps_what_was_played() {
        let stop = Stop::never();
        let played = tournament(1).play(Vec::new(), &stop, |game| {
            if game.pairing.black == 1 {
                stop.set();
            }
        });
        let played = played.unwrap();
        assert!((4..9).contains(&played.len()), "{}", played.len());
    }
}
