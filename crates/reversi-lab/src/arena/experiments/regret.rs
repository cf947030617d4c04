//! Regret: the discs that a player's moves and games lose against perfect play.

use super::exact_scores::{ExactScorer, ScoredPosition};
use crate::arena::duel::{GameFault, fault_of};
use crate::arena::statistics::Sum;
use crate::arena::{Contestant, Duel, Ending};
use crate::columns::{Column, Kind, Row};
use crate::seed::seed_at;
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
    /// Each move, in the order of the positions; fewer moves than positions after a stop.
    pub moves: Vec<MoveRegret>,
}

/// A player's answer at one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRegret {
    /// Empty squares before it.
    pub empties: u32,
    /// The move, or why there is none that could be made.
    pub mv: Result<GameMove, GameFault>,
    /// The discs the move gives away; `None` without a legal move.
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
    /// Moves that are not legal: failures.
    pub illegal: u64,
    /// Positions at which it gave no move: failures too.
    pub unanswered: u64,
    /// Discs lost a move where there was a choice.
    pub with_choice: Sum,
}

impl Summary {
    /// Illegal moves and missing ones.
    pub fn failures(&self) -> u64 {
        self.illegal + self.unanswered
    }

    /// The share of all positions at which it made a move that loses nothing; `None` without a position.
    pub fn perfect_share(&self) -> Option<f64> {
        let asked = self.discs.count + self.failures();
        (asked > 0).then(|| self.perfect as f64 / asked as f64)
    }

    /// The figures of these moves. `is_exact`: they are all there are, so the interval of the mean has no width.
    pub fn row(&self, is_exact: bool) -> MovesRow {
        MovesRow {
            moves: self.discs.count,
            mean: self.discs.mean(),
            half_width: if is_exact { Some(0.0) } else { self.discs.half_width() },
            worst: self.discs.mean().map(|_| self.discs.largest),
            perfect: self.perfect_share(),
            failures: self.failures(),
            illegal: self.illegal,
            unanswered: self.unanswered,
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
    /// Most discs lost by a move; `None` without one.
    pub worst: Option<f64>,
    /// The share of positions at which its move loses nothing.
    pub perfect: Option<f64>,
    /// Positions at which it made an illegal move or none.
    pub failures: u64,
    /// Moves that are not legal.
    pub illegal: u64,
    /// Positions at which it gave no move.
    pub unanswered: u64,
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
        Column::new("failures", ["", "FAILED"], Kind::Exceptions),
        Column::hidden("illegal"),
        Column::hidden("unanswered"),
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
                match mv.mv {
                    Err(GameFault::Illegal(_)) => summary.illegal += 1,
                    _ => summary.unanswered += 1,
                }
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

    /// The first failure, if there is one.
    pub fn first_failure(&self) -> Option<&GameFault> {
        self.moves.iter().find_map(|mv| mv.mv.as_ref().err())
    }
}

/// Number of successive missing answers after which a player gets no more positions: its remaining positions and games
/// count as failures too.
const MOST_SILENCES: u32 = 3;

/// A player on one thread.
struct Measured {
    player: Result<Box<dyn Player>, PlayerError>,
    /// Missing answers since its last answer.
    silences: u32,
    /// Whether a failure to move counts as a result; for a player of this program it is an error.
    may_fail: bool,
}

impl Measured {
    fn make(contestant: &Contestant, resources: &Resources, stop: &Stop) -> Measured {
        let may_fail = !matches!(contestant, Contestant::Named(_));
        Measured { player: contestant.make(resources, stop), silences: 0, may_fail }
    }

    /// The player in a new game; `None` once it gets no more positions.
    fn next(&mut self, seed: u64) -> Result<Option<&mut dyn Player>, PlayerError> {
        if self.silences >= MOST_SILENCES {
            return Ok(None);
        }
        let player = self.player.as_mut().map_err(|error| error.clone())?;
        player.new_game(seed);
        Ok(Some(&mut **player))
    }

    /// Records whether the player gave an answer.
    fn note(&mut self, fault: Option<&GameFault>) {
        self.silences = if fault == Some(&GameFault::Late) { self.silences + 1 } else { 0 };
    }
}

/// Lets a player move once at each position, each time in a new game, with random numbers of the position's own.
/// `on_each` is called after each move. After a stop the moves made so far are returned. An illegal move is a failure
/// of the player, and so is no move, unless the player is of this program.
///
/// # Errors
/// A player that cannot be made or does not play here; a player of this program that gives no move.
pub fn of_player(
    known: &[ScoredPosition],
    player: &Contestant,
    resources: &Resources,
    seed: u64,
    stop: &Stop,
    on_each: impl Fn() + Sync,
) -> Result<Regret, PlayerError> {
    let made = || Measured::make(player, resources, stop);
    let places: Vec<(u64, &ScoredPosition)> = (0..).zip(known).collect();
    let at_least = least_share(player, places.len());
    let moves = places.into_par_iter().with_min_len(at_least).map_init(made, |made, (place, known)| {
        if stop.is_set() {
            return Ok(None);
        }
        let found = one_move(known, made, seed_at(seed, place), stop);
        on_each();
        unless_stopped(found, stop)
    });
    Ok(Regret { moves: moves.filter_map(Result::transpose).collect::<Result<_, _>>()? })
}

/// Drops a result found after the stop was set: the move may not be the player's best, and a fault may not be its own.
fn unless_stopped<T, E>(found: Result<T, E>, stop: &Stop) -> Result<Option<T>, E> {
    if stop.is_set() { Ok(None) } else { found.map(Some) }
}

/// The least number of tasks for which one player is made: no more other programs are started than there are threads,
/// and likewise no more of the caller's own players are made.
fn least_share(player: &Contestant, tasks: usize) -> usize {
    match player {
        Contestant::Named(_) => 1,
        Contestant::External { .. } | Contestant::Own(_) => {
            tasks.div_ceil(rayon::current_num_threads()).max(1)
        }
    }
}

fn one_move(
    known: &ScoredPosition,
    measured: &mut Measured,
    seed: u64,
    stop: &Stop,
) -> Result<MoveRegret, PlayerError> {
    let may_fail = measured.may_fail;
    let mv = match measured.next(seed)? {
        None => Err(GameFault::Late),
        Some(player) => match player.choose(&known.game, &Limits::default(), stop) {
            Ok(choice) if known.regret(choice.mv).is_none() => Err(GameFault::Illegal(choice.mv)),
            Ok(choice) => Ok(choice.mv),
            Err(error) if may_fail && is_own_failure(&error) => Err(fault_of(&error)),
            Err(error) => return Err(error),
        },
    };
    measured.note(mv.as_ref().err());
    let discs = mv.as_ref().ok().and_then(|&mv| known.regret(mv));
    Ok(MoveRegret { empties: known.empties, mv, discs, choice: known.moves.len() > 1 })
}

/// Whether the error is a failure of the player and not of the request.
fn is_own_failure(error: &PlayerError) -> bool {
    match error {
        PlayerError::OutOfTime { .. } | PlayerError::Resigned { .. } | PlayerError::Failed { .. } => true,
        PlayerError::GameOver | PlayerError::Unsupported { .. } | PlayerError::NoMemory { .. } => false,
    }
}

/// Discs lost in whole games.
#[derive(Clone, Debug, Default)]
pub struct GamesRegret {
    /// For each game the discs lost in total: the value of the opening minus the result.
    pub discs: Sum,
    /// Games that are different: not alike move by move with the same colours.
    pub different: u64,
    /// Games that ended with an illegal move of the player and count nowhere else.
    pub illegal: u64,
    /// Games that ended because the player gave no move, and count nowhere else.
    pub unanswered: u64,
    /// Games that the player resigned: they count as lost by all discs, the worst possible result.
    pub resigned: u64,
    /// Games whose result is that of perfect play.
    pub perfect: u64,
    /// Games that perfect play would not have lost, and that were lost.
    pub thrown_away: u64,
}

impl GamesRegret {
    /// Half the width of the 95 % interval of the discs lost per game; repeated games do not narrow it.
    pub fn half_width(&self) -> Option<f64> {
        self.discs.half_width_of(self.different)
    }

    /// Games that ended with an illegal move or without one.
    pub fn failures(&self) -> u64 {
        self.illegal + self.unanswered
    }

    /// The figures of games from openings with this number of empty squares.
    pub fn row(&self, empties: u32) -> GamesRow {
        GamesRow {
            empties,
            games: self.discs.count,
            different: self.different,
            mean: self.discs.mean(),
            half_width: self.half_width(),
            worst: self.discs.mean().map(|_| self.discs.largest),
            perfect: self.perfect,
            thrown_away: self.thrown_away,
            failures: self.failures(),
            illegal: self.illegal,
            unanswered: self.unanswered,
            resigned: self.resigned,
        }
    }

    fn of(games: &[GameRegret]) -> GamesRegret {
        let mut regret = GamesRegret::default();
        let mut seen = HashSet::new();
        for GameRegret { color, moves, worth, result, resigned } in games {
            let result = match result {
                Ok(result) => result,
                Err(GameFault::Illegal(_)) => {
                    regret.illegal += 1;
                    continue;
                }
                Err(_) => {
                    regret.unanswered += 1;
                    continue;
                }
            };
            regret.resigned += u64::from(*resigned);
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
    /// Most discs lost in a game; `None` without one.
    pub worst: Option<f64>,
    /// Games whose result is that of perfect play.
    pub perfect: u64,
    /// Games that were lost and need not have been.
    pub thrown_away: u64,
    /// Games that ended with an illegal move or without one.
    pub failures: u64,
    /// Games that ended with an illegal move.
    pub illegal: u64,
    /// Games that ended because it gave no move.
    pub unanswered: u64,
    /// Games it resigned, which count as lost by all discs.
    pub resigned: u64,
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
        Column::new("failures", ["", "FAILED"], Kind::Exceptions),
        Column::hidden("illegal"),
        Column::hidden("unanswered"),
        Column::hidden("resigned"),
    ];
}

/// One game of a player against the perfect one.
struct GameRegret {
    /// The player's colour.
    color: Color,
    moves: String,
    /// The exact score of the opening for the player.
    worth: i32,
    /// The player's result in discs, or its fault.
    result: Result<i32, GameFault>,
    /// Whether it resigned.
    resigned: bool,
}

/// The perfect player, the opponent of the players that are measured.
pub fn opponent(resources: &Resources) -> Box<dyn Player> {
    let perfect: PlayerSpec = "perfect".parse().expect("there is a perfect player");
    perfect.build(resources, 0)
}

/// Plays each opening to its end twice against a perfect player, once with each side. Since the opponent never errs,
/// the discs lost in a game are the sum of the discs that its moves lose. After a stop the finished games are returned.
///
/// # Errors
/// A player that cannot be made; a player of this program that does not finish its games; a table that cannot be used.
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
    let made = || (Measured::make(player, resources, stop), opponent(resources));
    let sides = openings.iter().flat_map(|game| [(game, Color::Black), (game, Color::White)]);
    let sides: Vec<(u64, (&Game, Color))> = (0..).zip(sides).collect();
    let at_least = least_share(player, sides.len());
    let games =
        sides.into_par_iter().with_min_len(at_least).map_init(made, |(made, perfect), (place, side)| {
            if stop.is_set() {
                return Ok(None);
            }
            perfect.new_game(0);
            let game = one_game(side, made, seed_at(seed, place), &mut **perfect, scorer, stop);
            on_each();
            unless_stopped(game, stop).map(Option::flatten)
        });
    let games: Vec<GameRegret> = games.filter_map(Result::transpose).collect::<Result<_, GamesError>>()?;
    Ok(GamesRegret::of(&games))
}

/// `None` once stopped.
fn one_game(
    (opening, color): (&Game, Color),
    measured: &mut Measured,
    seed: u64,
    perfect: &mut dyn Player,
    scorer: &ExactScorer,
    stop: &Stop,
) -> Result<Option<GameRegret>, GamesError> {
    let board = scorer.board(opening);
    let for_mover = scorer.score(board.position(), stop)?.discs();
    let worth = if board.to_move == color { for_mover } else { -for_mover };
    let all_discs = (board.geometry.width() * board.geometry.height()) as i32;
    let may_fail = measured.may_fail;
    let Some(player) = measured.next(seed)? else {
        let result = Err(GameFault::Late);
        return Ok(Some(GameRegret { color, moves: opening.transcript(), worth, result, resigned: false }));
    };
    let name = player.name().to_owned();
    let (black, white): (&mut dyn Player, &mut dyn Player) =
        if color == Color::Black { (player, &mut *perfect) } else { (&mut *perfect, player) };
    let duel = Duel::play(opening.clone(), black, white, Clock::None, stop);
    let moves = duel.game.transcript();
    let (result, resigned) = match duel.ending {
        Ending::Interrupted => return Ok(None),
        Ending::Finished(result) => {
            (Ok(if color == Color::Black { result.score } else { -result.score }), false)
        }
        Ending::Forfeit { loser, fault: GameFault::Resigned } if loser == color => (Ok(-all_discs), true),
        Ending::Forfeit { loser, fault } if loser == color && (may_fail || is_illegal(&fault)) => {
            (Err(fault), false)
        }
        Ending::Forfeit { loser, fault } => {
            let player = if loser == color { name } else { perfect.name().to_owned() };
            let reason = format!("{fault} in the game {moves}");
            return Err(PlayerError::Failed { player, reason }.into());
        }
    };
    measured.note(result.as_ref().err());
    Ok(Some(GameRegret { color, moves, worth, result, resigned }))
}

fn is_illegal(fault: &GameFault) -> bool {
    matches!(fault, GameFault::Illegal(_))
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
