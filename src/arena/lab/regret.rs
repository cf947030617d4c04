//! What a player's moves and games cost it against perfect play.

use super::sample::seed_at;
use super::statistics::Sum;
use super::truth::{Known, Truth, TruthError};
use crate::arena::{Contestant, Duel, Ending, TimeControl};
use crate::engine::{Equipment, Game, Limits, Player, PlayerError, PlayerSpec};
use crate::rules::Color;
use crate::search::Stop;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// The moves of one player at known positions.
#[derive(Clone, Debug)]
pub struct Regret {
    /// Empty squares and discs lost of each move, in the order of the positions.
    pub moves: Vec<MoveRegret>,
}

/// One move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveRegret {
    /// Empty squares before it.
    pub empties: u32,
    /// The discs it gives away.
    pub discs: u32,
    /// Whether there was another move.
    pub choice: bool,
}

/// Moves added up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// Discs lost a move.
    pub discs: Sum,
    /// Moves that lose nothing.
    pub perfect: u64,
    /// Discs lost a move where there was a choice.
    pub with_choice: Sum,
}

impl Summary {
    /// The share of moves that lose nothing; `None` without a move.
    pub fn perfect_share(&self) -> Option<f64> {
        (self.discs.count > 0).then(|| self.perfect as f64 / self.discs.count as f64)
    }
}

impl Regret {
    /// The moves with so many empty squares added up.
    pub fn summary(&self, empties: RangeInclusive<u32>) -> Summary {
        let mut summary = Summary::default();
        for mv in self.moves.iter().filter(|mv| empties.contains(&mv.empties)) {
            summary.discs.add(mv.discs.into());
            summary.perfect += u64::from(mv.discs == 0);
            if mv.choice {
                summary.with_choice.add(mv.discs.into());
            }
        }
        summary
    }
}

/// Lets a player move once at each position. It begins each time as in a new game, with random numbers of
/// the position's own. `None` once stopped; `on_each` hears of each move.
///
/// # Errors
/// A player that cannot be made, does not play here, gives no move or an illegal one.
pub fn of_player(
    known: &[Known],
    player: &Contestant,
    equipment: &Equipment,
    seed: u64,
    stop: &Stop,
    on_each: impl Fn() + Sync,
) -> Result<Option<Regret>, PlayerError> {
    if let Some(first) = known.first() {
        player.make(equipment)?.supports(first.game.size(), first.game.rules().goal)?;
    }
    let made = || player.make(equipment);
    let places: Vec<(u64, &Known)> = (0..).zip(known).collect();
    let at_least = least_share(player, places.len());
    let moves = places.into_par_iter().with_min_len(at_least).map_init(made, |made, (place, known)| {
        if stop.is_set() {
            return Ok(None);
        }
        let mover = made.as_mut().map_err(|error| error.clone())?;
        mover.new_game(seed_at(seed, place));
        let found = one_move(known, &mut **mover, stop);
        on_each();
        if stop.is_set() { Ok(None) } else { found.map(Some) }
    });
    let moves: Option<Vec<MoveRegret>> = moves.collect::<Result<Vec<_>, _>>()?.into_iter().collect();
    Ok(moves.map(|moves| Regret { moves }))
}

/// How many tasks a player is made for at least: of another program no more are started than there are
/// threads.
fn least_share(player: &Contestant, tasks: usize) -> usize {
    match player {
        Contestant::Named(_) => 1,
        Contestant::External { .. } => tasks.div_ceil(rayon::current_num_threads()).max(1),
    }
}

fn one_move(known: &Known, player: &mut dyn Player, stop: &Stop) -> Result<MoveRegret, PlayerError> {
    let mv = player.choose(&known.game, &Limits::default(), stop)?.mv;
    let discs = known.regret(mv).ok_or_else(|| PlayerError::Failed {
        player: player.name().to_owned(),
        reason: format!("it answered {mv} at {}, which is not legal", known.game.board()),
    })?;
    Ok(MoveRegret { empties: known.empties, discs, choice: known.moves.len() > 1 })
}

/// What is lost in whole games.
#[derive(Clone, Debug, Default)]
pub struct GamesRegret {
    /// For each game the discs lost in all: what the opening was worth less what came out.
    pub discs: Sum,
    /// Games whose result is that of perfect play.
    pub perfect: u64,
    /// Games that perfect play would not have lost, and that were lost.
    pub thrown_away: u64,
}

/// Plays each opening twice against a perfect player, once with each side, to its end. Where the
/// opponent never errs, the discs lost in a game are those its moves lose one by one. `None` once stopped.
///
/// # Errors
/// A player that cannot be made or does not finish its games; a table that cannot be used.
pub fn of_games(
    openings: &[Game],
    player: &Contestant,
    truth: &Truth,
    equipment: &Equipment,
    seed: u64,
    stop: &Stop,
    on_each: impl Fn() + Sync,
) -> Result<Option<GamesRegret>, GamesError> {
    let perfect: PlayerSpec = "perfect".parse().expect("there is a perfect player");
    let made = || (player.make(equipment), perfect.build(equipment, 0));
    let sides = openings.iter().flat_map(|game| [(game, Color::Black), (game, Color::White)]);
    let sides: Vec<(u64, (&Game, Color))> = (0..).zip(sides).collect();
    let at_least = least_share(player, sides.len());
    let games =
        sides.into_par_iter().with_min_len(at_least).map_init(made, |(made, perfect), (place, side)| {
            if stop.is_set() {
                return Ok(None);
            }
            let mover = made.as_mut().map_err(|error| error.clone())?;
            mover.new_game(seed_at(seed, place));
            perfect.new_game(0);
            let game = one_game(side, &mut **mover, &mut **perfect, truth, stop);
            on_each();
            game
        });
    let games: Option<Vec<(i32, i32)>> = games.collect::<Result<Vec<_>, GamesError>>()?.into_iter().collect();
    Ok(games.map(|games| add_up(&games)))
}

/// What a game was worth for the player with that colour, and what came out. `None` once stopped.
fn one_game(
    (opening, color): (&Game, Color),
    player: &mut dyn Player,
    perfect: &mut dyn Player,
    truth: &Truth,
    stop: &Stop,
) -> Result<Option<(i32, i32)>, GamesError> {
    let board = opening.board().small().expect("a board up to 8x8");
    let for_mover = match truth.score(board.position(), stop) {
        Err(_) if stop.is_set() => return Ok(None),
        score => score.map_err(TruthError::from)?.discs(),
    };
    let worth = if board.to_move == color { for_mover } else { -for_mover };
    let name = player.name().to_owned();
    let (black, white): (&mut dyn Player, &mut dyn Player) =
        if color == Color::Black { (player, perfect) } else { (perfect, player) };
    let duel = Duel::play(opening.clone(), black, white, TimeControl::None, stop);
    match duel.ending {
        Ending::Interrupted => Ok(None),
        Ending::Finished(result) => {
            Ok(Some((worth, if color == Color::Black { result.score } else { -result.score })))
        }
        Ending::Forfeit { fault, .. } => {
            let reason = format!("{fault} in the game {}", duel.game.transcript());
            Err(PlayerError::Failed { player: name, reason }.into())
        }
    }
}

/// Why games could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// By the player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// By the truth.
    #[error(transparent)]
    Truth(#[from] TruthError),
}

/// From what each game was worth and what came out.
fn add_up(games: &[(i32, i32)]) -> GamesRegret {
    let mut regret = GamesRegret::default();
    for &(worth, result) in games {
        regret.discs.add((worth - result).into());
        regret.perfect += u64::from(worth == result);
        regret.thrown_away += u64::from(worth >= 0 && result < 0);
    }
    regret
}
