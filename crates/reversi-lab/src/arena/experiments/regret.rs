//! Regret: the discs that a player's moves and games lose against perfect play.

use super::exact_scores::{ExactScorer, ScoredPosition};
use crate::arena::duel::GameFault;
use crate::arena::seed::seed_at;
use crate::arena::statistics::Sum;
use crate::arena::{Contestant, Duel, Ending};
use crate::columns::{Column, Kind, Row};
use rayon::prelude::*;
use reversi_engine::{Clock, Game, GameMove, Limits, Player, PlayerError, PlayerSpec, Resources};
use reversi_rules::Color;
use reversi_solver::oracle::OracleError;
use reversi_solver::search::Stop;
use serde::Serialize;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// The moves of one player at known positions.
#[derive(Clone, Debug)]
pub struct Regret {
    /// Each move, in the order of the positions; fewer than positions where it was stopped.
    pub moves: Vec<MoveRegret>,
}

/// One move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveRegret {
    /// Empty squares before it.
    pub empties: u32,
    /// The move.
    pub mv: GameMove,
    /// The discs it gives away; `None` for a move that is not legal.
    pub discs: Option<u32>,
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
    /// Moves that are not legal and count nowhere else.
    pub illegal: u64,
    /// Discs lost a move where there was a choice.
    pub with_choice: Sum,
}

impl Summary {
    /// The share of moves that lose nothing; `None` without a move.
    pub fn perfect_share(&self) -> Option<f64> {
        (self.discs.count > 0).then(|| self.perfect as f64 / self.discs.count as f64)
    }

    /// The figures of these moves. `is_exact`: they are all there are, so that their mean has no interval.
    pub fn row(&self, is_exact: bool) -> MovesRow {
        MovesRow {
            moves: self.discs.count,
            mean: self.discs.mean(),
            half_width: if is_exact { Some(0.0) } else { self.discs.half_width() },
            worst: self.discs.largest,
            perfect: self.perfect_share(),
            illegal: self.illegal,
            moves_with_choice: self.with_choice.count,
            mean_with_choice: self.with_choice.mean(),
        }
    }
}

/// The figures of a player's moves, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MovesRow {
    /// Legal moves.
    pub moves: u64,
    /// Discs lost a move.
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    pub half_width: Option<f64>,
    /// Most discs lost by a move.
    pub worst: f64,
    /// The share of moves that lose nothing.
    pub perfect: Option<f64>,
    /// Moves that are not legal.
    pub illegal: u64,
    /// Legal moves where there was a choice.
    pub moves_with_choice: u64,
    /// Discs lost a move where there was a choice.
    pub mean_with_choice: Option<f64>,
}

impl Row for MovesRow {
    const COLUMNS: &'static [Column] = &[
        Column::hidden("moves"),
        Column::new("mean", ["discs lost", "a move"], Kind::Mean("half_width")),
        Column::hidden("half_width"),
        Column::new("worst", ["", "worst"], Kind::Count),
        Column::new("perfect", ["perfect", "moves"], Kind::Share),
        Column::hidden("illegal"),
        Column::hidden("moves_with_choice"),
        Column::new("mean_with_choice", ["where there", "is a choice"], Kind::Decimal),
    ];
}

impl Regret {
    /// The sum of the moves with these numbers of empty squares.
    pub fn summary(&self, empties: RangeInclusive<u32>) -> Summary {
        let mut summary = Summary::default();
        for mv in self.moves.iter().filter(|mv| empties.contains(&mv.empties)) {
            let Some(discs) = mv.discs else {
                summary.illegal += 1;
                continue;
            };
            summary.discs.add(discs.into());
            summary.perfect += u64::from(discs == 0);
            if mv.choice {
                summary.with_choice.add(discs.into());
            }
        }
        summary
    }
}

/// Lets a player move once at each position. It begins each time as in a new game, with random numbers of
/// the position's own. Once stopped, the moves made till then; `on_each` hears of each.
///
/// # Errors
/// A player that cannot be made, does not play here, or gives no move.
pub fn of_player(
    known: &[ScoredPosition],
    player: &Contestant,
    resources: &Resources,
    seed: u64,
    stop: &Stop,
    on_each: impl Fn() + Sync,
) -> Result<Regret, PlayerError> {
    let made = || player.make(resources, stop);
    let places: Vec<(u64, &ScoredPosition)> = (0..).zip(known).collect();
    let at_least = least_share(player, places.len());
    let moves = places.into_par_iter().with_min_len(at_least).map_init(made, |made, (place, known)| {
        if stop.is_set() {
            return Ok(None);
        }
        let found = made.as_mut().map_err(|error| error.clone()).and_then(|mover| {
            mover.new_game(seed_at(seed, place));
            one_move(known, &mut **mover, stop)
        });
        on_each();
        unless_stopped(found, stop)
    });
    Ok(Regret { moves: moves.filter_map(Result::transpose).collect::<Result<_, _>>()? })
}

/// Drops a result found after the stop was set: the move may not be the player's best, and a fault may not be its own.
fn unless_stopped<T, E>(found: Result<T, E>, stop: &Stop) -> Result<Option<T>, E> {
    if stop.is_set() { Ok(None) } else { found.map(Some) }
}

/// How many tasks a player is made for at least: of another program no more are started than there are
/// threads, and of players that are not ours no more made.
fn least_share(player: &Contestant, tasks: usize) -> usize {
    match player {
        Contestant::Named(_) => 1,
        Contestant::External { .. } | Contestant::Own(_) => {
            tasks.div_ceil(rayon::current_num_threads()).max(1)
        }
    }
}

fn one_move(known: &ScoredPosition, player: &mut dyn Player, stop: &Stop) -> Result<MoveRegret, PlayerError> {
    let mv = player.choose(&known.game, &Limits::default(), stop)?.mv;
    Ok(MoveRegret { empties: known.empties, mv, discs: known.regret(mv), choice: known.moves.len() > 1 })
}

/// What is lost in whole games.
#[derive(Clone, Debug, Default)]
pub struct GamesRegret {
    /// For each game the discs lost in all: what the opening was worth less what came out.
    pub discs: Sum,
    /// Games that are different: not alike move by move with the same colours.
    pub different: u64,
    /// Games that ended with an illegal move of the player and count nowhere else.
    pub illegal: u64,
    /// Games whose result is that of perfect play.
    pub perfect: u64,
    /// Games that perfect play would not have lost, and that were lost.
    pub thrown_away: u64,
}

impl GamesRegret {
    /// Half the width of the 95 % interval of the discs lost a game; the same game again makes nothing more
    /// certain.
    pub fn half_width(&self) -> Option<f64> {
        self.discs.half_width_of(self.different)
    }

    /// The figures of games from openings with this number of empty squares.
    pub fn row(&self, empties: u32) -> GamesRow {
        GamesRow {
            empties,
            games: self.discs.count,
            different: self.different,
            mean: self.discs.mean(),
            half_width: self.half_width(),
            worst: self.discs.largest,
            perfect: self.perfect,
            thrown_away: self.thrown_away,
            illegal: self.illegal,
        }
    }

    fn of(games: &[GameRegret]) -> GamesRegret {
        let mut regret = GamesRegret::default();
        let mut seen = HashSet::new();
        for GameRegret { color, moves, worth, result } in games {
            let Some(result) = result else {
                regret.illegal += 1;
                continue;
            };
            regret.discs.add((worth - result).into());
            regret.perfect += u64::from(worth == result);
            regret.thrown_away += u64::from(*worth >= 0 && *result < 0);
            seen.insert((color, moves));
        }
        regret.different = seen.len() as u64;
        regret
    }
}

/// The figures of a player's games against perfect play, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GamesRow {
    /// Empty squares where the games begin.
    pub empties: u32,
    /// Games.
    pub games: u64,
    /// Games that differ from one another.
    pub different: u64,
    /// Discs lost a game.
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    pub half_width: Option<f64>,
    /// Most discs lost in a game.
    pub worst: f64,
    /// Games whose result is that of perfect play.
    pub perfect: u64,
    /// Games that were lost and need not have been.
    pub thrown_away: u64,
    /// Games that ended with an illegal move.
    pub illegal: u64,
}

impl Row for GamesRow {
    const COLUMNS: &'static [Column] = &[
        Column::hidden("empties"),
        Column::new("games", ["", "games"], Kind::Count),
        Column::new("different", ["different", "games"], Kind::Count),
        Column::new("mean", ["discs lost", "a game"], Kind::Mean("half_width")),
        Column::hidden("half_width"),
        Column::new("worst", ["worst", "game"], Kind::Count),
        Column::new("perfect", ["perfect", "games"], Kind::Count),
        Column::new("thrown_away", ["thrown", "away"], Kind::Count),
        Column::hidden("illegal"),
    ];
}

/// One game of a player against the perfect one.
struct GameRegret {
    /// The player's colour.
    color: Color,
    moves: String,
    /// What the opening was worth for it.
    worth: i32,
    /// What came out; `None` after an illegal move of the player.
    result: Option<i32>,
}

/// The perfect player, the opponent of the players that are measured.
pub fn opponent(resources: &Resources) -> Box<dyn Player> {
    let perfect: PlayerSpec = "perfect".parse().expect("there is a perfect player");
    perfect.build(resources, 0)
}

/// Plays each opening twice against a perfect player, once with each side, to its end. Where the
/// opponent never errs, the discs lost in a game are those its moves lose one by one. Once stopped, the games that
/// were finished.
///
/// # Errors
/// A player that cannot be made or does not finish its games; a table that cannot be used.
///
/// # Panics
/// If an opening is a game of another board or other rules than those of `scorer`: see [`ExactScorer::of`].
pub fn of_games(
    openings: &[Game],
    player: &Contestant,
    scorer: &ExactScorer,
    resources: &Resources,
    seed: u64,
    stop: &Stop,
    on_each: impl Fn() + Sync,
) -> Result<GamesRegret, GamesError> {
    let made = || (player.make(resources, stop), opponent(resources));
    let sides = openings.iter().flat_map(|game| [(game, Color::Black), (game, Color::White)]);
    let sides: Vec<(u64, (&Game, Color))> = (0..).zip(sides).collect();
    let at_least = least_share(player, sides.len());
    let games =
        sides.into_par_iter().with_min_len(at_least).map_init(made, |(made, perfect), (place, side)| {
            if stop.is_set() {
                return Ok(None);
            }
            let game = made.as_mut().map_err(|error| error.clone().into()).and_then(|mover| {
                mover.new_game(seed_at(seed, place));
                perfect.new_game(0);
                one_game(side, &mut **mover, &mut **perfect, scorer, stop)
            });
            on_each();
            unless_stopped(game, stop).map(Option::flatten)
        });
    let games: Vec<GameRegret> = games.filter_map(Result::transpose).collect::<Result<_, GamesError>>()?;
    Ok(GamesRegret::of(&games))
}

/// `None` once stopped.
fn one_game(
    (opening, color): (&Game, Color),
    player: &mut dyn Player,
    perfect: &mut dyn Player,
    scorer: &ExactScorer,
    stop: &Stop,
) -> Result<Option<GameRegret>, GamesError> {
    let board = scorer.board(opening);
    let for_mover = scorer.score(board.position(), stop)?.discs();
    let worth = if board.to_move == color { for_mover } else { -for_mover };
    let (black, white): (&mut dyn Player, &mut dyn Player) =
        if color == Color::Black { (&mut *player, &mut *perfect) } else { (&mut *perfect, &mut *player) };
    let duel = Duel::play(opening.clone(), black, white, Clock::None, stop);
    match duel.ending {
        Ending::Interrupted => Ok(None),
        Ending::Finished(result) => {
            let result = if color == Color::Black { result.score } else { -result.score };
            Ok(Some(GameRegret { color, moves: duel.game.transcript(), worth, result: Some(result) }))
        }
        Ending::Forfeit { loser, fault: GameFault::Illegal(_) } if loser == color => {
            Ok(Some(GameRegret { color, moves: duel.game.transcript(), worth, result: None }))
        }
        Ending::Forfeit { loser, fault } => {
            let player = if loser == color { player.name() } else { perfect.name() }.to_owned();
            let reason = format!("{fault} in the game {}", duel.game.transcript());
            Err(PlayerError::Failed { player, reason }.into())
        }
    }
}

/// Why games could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// By the player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// By the oracle.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}
