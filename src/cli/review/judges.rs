//! Chooses the player that judges the moves of a game.

use crate::cli::Failure;
use crate::cli::common::Output;
use crate::cli::games::{ResourceOptions, USUAL_PLAYER};
use crate::cli::kept_player::KeptPlayer;
use crate::cli::values::parse_player;
use reversi_engine::{Game, Player, PlayerError, PlayerSpec};
use reversi_rules::{Geometry, Passing};
use reversi_solver::oracle::OracleCache;
use reversi_solver::search::cost;

/// What prevents the review of a game.
pub enum ReviewFault {
    /// A fault of this game; others may still be reviewed.
    OfGame(Failure),
    /// A fault that other games would have too, such as a damaged file: the review ends.
    OfAll(Failure),
}

/// A fault of all games, unless it is known to be of one.
impl From<Failure> for ReviewFault {
    fn from(failure: Failure) -> ReviewFault {
        ReviewFault::OfAll(failure)
    }
}

/// The player does not play such games.
impl From<PlayerError> for ReviewFault {
    fn from(error: PlayerError) -> ReviewFault {
        ReviewFault::OfGame(error.into())
    }
}

impl From<ReviewFault> for Failure {
    fn from(fault: ReviewFault) -> Failure {
        match fault {
            ReviewFault::OfGame(failure) | ReviewFault::OfAll(failure) => failure,
        }
    }
}

/// Finds a judge for one game after the other. The judge of the last game is used again for the next one on the same
/// board and under the same rules; everything it knew is forgotten.
pub struct Judges<'a> {
    /// The requested judge.
    asked: Option<PlayerSpec>,
    resources: &'a ResourceOptions,
    player: KeptPlayer<'a>,
    /// Look-ups of the first positions of games on one board.
    oracles: OracleCache,
}

impl<'a> Judges<'a> {
    /// # Errors
    /// An unknown player.
    pub fn new(
        asked: Option<&str>,
        resources: &'a ResourceOptions,
        output: Output,
    ) -> Result<Judges<'a>, Failure> {
        let asked = asked.map(parse_player).transpose()?;
        let player = KeptPlayer::new(resources, output);
        Ok(Judges { asked, resources, player, oracles: OracleCache::default() })
    }

    /// The judge of a game.
    pub fn of(&mut self, game: &Game) -> Result<&mut dyn Player, ReviewFault> {
        let size = game.size();
        let Some(geometry) = Geometry::from_size(size) else {
            let message = format!("no judge values moves in discs on {size}, only on boards up to 8x8");
            return Err(ReviewFault::OfGame(Failure::usage("bad-board", message)));
        };
        let spec = match self.asked.clone() {
            Some(spec) => spec,
            None if self.is_known(game, geometry)? => parse_player("perfect")?,
            None => parse_player(USUAL_PLAYER)?,
        };
        self.player.of(&spec, game)
    }

    /// Whether perfect play is found in seconds nearly everywhere in a game: on small boards, with few empty squares,
    /// and where a table holds the first position.
    fn is_known(&mut self, game: &Game, geometry: Geometry) -> Result<bool, Failure> {
        let Some(board) = game.first_board().small().filter(|_| cost::is_searched_whole(geometry)) else {
            return Ok(false);
        };
        if game.passing() == Passing::EndsGame {
            return Ok(false);
        }
        if cost::takes_seconds(geometry, game.first_board().empty_count()) {
            return Ok(true);
        }
        let rules = game.rules();
        let find = || self.resources.resources().oracle(geometry, rules);
        Ok(self.oracles.of(geometry, rules, find)?.probe(board.position())?.is_some())
    }
}
