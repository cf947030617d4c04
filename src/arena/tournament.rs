//! Every player against every other with both colours, so many games each; what was played can be taken up again.

use super::contest::Contestant;
use super::duel::{Duel, Ending, Fault, TimeControl, fault_of};
use super::seed::seed_at;
use crate::engine::{Equipment, Game, Player, PlayerError};
use crate::rules::Color;
use crate::rules::notation::TranscriptError;
use crate::search::Stop;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A tournament to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who takes part.
    pub players: Vec<Contestant>,
    /// Whether each plays against itself too.
    pub with_itself: bool,
    /// Games of each player with Black against each other with White.
    pub games: u32,
    /// Where games begin: game `n` of each cell on opening `n`, from the first again when there are more
    /// games. Not empty.
    pub openings: Vec<Game>,
    /// Discs put on the board in each opening, forced passes not counted.
    pub opening_plies: u32,
    /// Time of each player.
    pub time: TimeControl,
    /// Games played at once, at least 1.
    pub at_once: usize,
    /// What each player may use.
    pub equipment: Equipment,
    /// The random numbers of all players follow from it.
    pub seed: u64,
}

/// Which game of a tournament: places of both players in the list, and the number of the game in their cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The game of these two, from 0.
    pub game: u32,
    /// Who has Black.
    pub black: usize,
    /// Who has White.
    pub white: usize,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Which one.
    #[serde(flatten)]
    pub pairing: Pairing,
    /// 1 if Black has won, -1 if White has, 0 if nobody.
    pub winner: i8,
    /// What the game was worth for Black in discs; `None` if a fault ended it.
    pub score: Option<i32>,
    /// What the loser did, if that ended the game.
    pub fault: Option<Fault>,
    /// The moves.
    pub moves: String,
}

impl Played {
    /// Who has lost by what, if a fault ended the game.
    pub fn forfeit(&self) -> Option<(Color, &Fault)> {
        let loser = if self.winner > 0 { Color::White } else { Color::Black };
        self.fault.as_ref().map(|fault| (loser, fault))
    }
}

impl Tournament {
    /// All games in the order in which they are begun: the first of each pair, then the second, so that
    /// whenever it ends all have played about as many.
    pub fn pairings(&self) -> Vec<Pairing> {
        let places = 0..self.players.len();
        let pairs: Vec<(usize, usize)> = places
            .clone()
            .flat_map(|black| places.clone().map(move |white| (black, white)))
            .filter(|(black, white)| self.with_itself || black != white)
            .collect();
        let games = 0..self.games;
        games
            .flat_map(|game| pairs.iter().map(move |&(black, white)| Pairing { game, black, white }))
            .collect()
    }

    /// How a game begins.
    pub fn opening(&self, pairing: Pairing) -> &Game {
        &self.openings[pairing.game as usize % self.openings.len()]
    }

    /// A game once more, from its first board.
    ///
    /// # Errors
    /// The first of its moves that cannot be made.
    pub fn replay(&self, played: &Played) -> Result<Game, TranscriptError> {
        let opening = self.opening(played.pairing);
        let mut game = Game::new(opening.first_board().clone(), opening.rules(), opening.passing());
        game.play_transcript(&played.moves)?;
        Ok(game)
    }

    /// Plays what is not in `done`; `on_game` hears of each game as it ends, in any order. All games,
    /// those done before too, in their order; once stopped, those that were played.
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
        for player in &self.players {
            if !player.is_ready_for_all(&self.openings, &self.equipment, stop)? {
                return Ok(done);
            }
        }
        let known: BTreeSet<Pairing> = done.iter().map(|played| played.pairing).collect();
        let open: Vec<Pairing> =
            self.pairings().into_iter().filter(|pairing| !known.contains(pairing)).collect();
        let (next, played) = (AtomicUsize::new(0), Mutex::new(done));
        std::thread::scope(|scope| {
            for _ in 0..self.at_once.max(1) {
                scope.spawn(|| {
                    let mut room = Room { tournament: self, seated: [None, None] };
                    while let Some(&pairing) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(game) = room.play(pairing, stop) else { return };
                        on_game(&game);
                        played.lock().expect("no thread panics while it holds the lock").push(game);
                    }
                });
            }
        });
        let mut played = played.into_inner().expect("no thread has panicked");
        played.sort_by_key(|game| game.pairing);
        Ok(played)
    }
}

/// One thread with the players of its last game, White and Black: more would take more memory than there is.
struct Room<'a> {
    tournament: &'a Tournament,
    seated: [Option<Seated>; 2],
}

/// A player with its place in the list.
type Seated = (usize, Box<dyn Player>);

impl Room<'_> {
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
        let Tournament { players, equipment, seed, .. } = self.tournament;
        let count = players.len() as u64;
        let cell = pairing.black as u64 * count + pairing.white as u64;
        let draw = 2 * (u64::from(pairing.game) * count * count + cell) + u64::from(has_black);
        let place = if has_black { pairing.black } else { pairing.white };
        let seat = &mut self.seated[usize::from(has_black)];
        // The one before leaves first, so that there are never three.
        if seat.as_ref().is_none_or(|(seated, _)| *seated != place) {
            *seat = None;
        }
        let (_, player) = match seat {
            Some(seated) => seated,
            None => seat.insert((place, players[place].make(equipment, stop)?)),
        };
        player.new_game(seed_at(*seed, draw));
        Ok(())
    }
}

fn forfeited(pairing: Pairing, by_black: bool, fault: Fault) -> Played {
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

/// Wins of Black, drawn games and wins of White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Black has won.
    pub black: u32,
    /// Nobody has.
    pub drawn: u32,
    /// White has won.
    pub white: u32,
}

impl Cell {
    /// Adds up games.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a Played>) -> Cell {
        let mut cell = Cell::default();
        for game in games {
            match game.winner {
                1 => cell.black += 1,
                -1 => cell.white += 1,
                _ => cell.drawn += 1,
            }
        }
        cell
    }

    /// Black's share of the games that somebody won; `None` if nobody won any.
    pub fn black_share(self) -> Option<f64> {
        let decided = self.black + self.white;
        (decided > 0).then(|| f64::from(self.black) / f64::from(decided))
    }
}

/// One of each set of games that are alike move by move between the same two players with the same colours:
/// where neither player draws its moves, all games from one opening are one.
pub fn different(mut games: Vec<&Played>) -> Vec<&Played> {
    let mut seen = HashSet::new();
    games.retain(|game| seen.insert((game.pairing.black, game.pairing.white, &game.moves)));
    games
}

/// The cells by place of Black, then of White.
pub fn matrix(players: usize, games: &[Played]) -> Vec<Vec<Cell>> {
    let cell = |black, white| {
        let here = |game: &&Played| (game.pairing.black, game.pairing.white) == (black, white);
        Cell::of(games.iter().filter(here))
    };
    (0..players).map(|black| (0..players).map(|white| cell(black, white)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameBoard;
    use crate::rules::{Passing, Rules, Start};

    fn tournament(at_once: usize) -> Tournament {
        let first = GameBoard::start("4x4".parse().unwrap(), Start::Diagonal);
        Tournament {
            players: ["random", "first", "alphabeta:2"]
                .map(|name| Contestant::Named(name.parse().unwrap()))
                .to_vec(),
            with_itself: true,
            games: 4,
            openings: vec![Game::new(first, Rules::default(), Passing::Allowed)],
            opening_plies: 0,
            time: TimeControl::None,
            at_once,
            equipment: Equipment::default(),
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
        let rest = tournament(2).play(some.clone(), &Stop::never(), |_| {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!((rest.unwrap(), counted.into_inner()), (whole.clone(), 36 - some.len()));
        let cells = matrix(3, &whole);
        assert!(cells.iter().flatten().all(|cell| cell.black + cell.drawn + cell.white == 4));
        assert!(
            [0, 4].contains(&cells[1][1].black),
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
