//! The exact score of every move of a position, by the oracle, for many positions at once.

use fastrand::Rng;
use rayon::prelude::*;
use reversi_engine::{Game, GameMove, Resources};
use reversi_rules::{Board, Geometry, Move, Passing, Position, Rules, Score, Start};
use reversi_solver::oracle::{Oracle, OracleError};
use reversi_solver::search::Stop;
use std::fmt;

/// A position with the exact score of each of its moves.
#[derive(Clone, Debug)]
pub struct ScoredPosition {
    /// The game that leads to it.
    pub game: Game,
    /// Its discs.
    pub position: Position,
    /// Number of empty squares.
    pub empties: u32,
    /// The score of the best move.
    pub best: Score,
    /// Every move with its score for the side that makes it.
    pub moves: Vec<(GameMove, Score)>,
}

impl ScoredPosition {
    /// All best moves, in row-major order.
    pub fn best_moves(&self) -> impl Iterator<Item = GameMove> {
        self.moves.iter().filter(|(_, score)| *score == self.best).map(|&(mv, _)| mv)
    }

    /// All moves with their scores, best first, those of the same score in row-major order.
    pub fn best_first(&self) -> Vec<(GameMove, Score)> {
        let mut moves = self.moves.clone();
        moves.sort_by_key(|&(_, score)| -score.discs());
        moves
    }

    /// The discs that a move gives away; `None` for a move that is not legal.
    pub fn regret(&self, mv: GameMove) -> Option<u32> {
        let (_, score) = self.moves.iter().find(|(known, _)| *known == mv)?;
        Some(self.loss(*score))
    }

    /// All moves.
    pub(super) fn all(&self) -> MoveLosses {
        MoveLosses(self.moves.iter().map(|&(_, score)| self.loss(score)).collect())
    }

    /// The moves with the highest rank, which may be several. `rank` gets the move and the position after it.
    pub(super) fn first_by(&self, geometry: Geometry, rank: impl Fn(Move, Position) -> i64) -> MoveLosses {
        let children = self.position.children(geometry);
        let ranks: Vec<i64> = children.into_iter().map(|(mv, after)| rank(mv, after)).collect();
        let most = ranks.iter().max();
        let first = self.moves.iter().zip(&ranks).filter(|(_, rank)| Some(*rank) == most);
        MoveLosses(first.map(|((_, score), _)| self.loss(*score)).collect())
    }

    fn loss(&self, score: Score) -> u32 {
        self.best.discs().abs_diff(score.discs())
    }
}

/// The discs lost by some moves of one position, at least one move.
pub(super) struct MoveLosses(Vec<u32>);

impl MoveLosses {
    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn mean(&self) -> f64 {
        f64::from(self.0.iter().sum::<u32>()) / self.0.len() as f64
    }

    /// The share of moves that give nothing away.
    pub fn share_of_best(&self) -> f64 {
        self.0.iter().filter(|&&loss| loss == 0).count() as f64 / self.0.len() as f64
    }
}

/// Oracles for one board under one set of rules, one for each thread.
pub struct ExactScorer {
    geometry: Geometry,
    rules: Rules,
    oracles: Vec<Oracle>,
}

impl fmt::Debug for ExactScorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExactScorer { geometry, rules, .. } = self;
        f.debug_struct("ExactScorer")
            .field("geometry", geometry)
            .field("rules", rules)
            .finish_non_exhaustive()
    }
}

impl ExactScorer {
    /// Oracles with the tables that are found, one for each thread of the current rayon pool.
    ///
    /// # Errors
    /// A table that is there but cannot be used.
    pub fn new(geometry: Geometry, rules: Rules, resources: &Resources) -> Result<ExactScorer, OracleError> {
        let resources = Resources { threads: 1, ..resources.clone() };
        let oracle = || resources.oracle(geometry, rules);
        let oracles = (0..rayon::current_num_threads()).map(|_| oracle()).collect::<Result<_, _>>()?;
        Ok(ExactScorer { geometry, rules, oracles })
    }

    /// The oracle of this thread.
    fn oracle(&self) -> &Oracle {
        &self.oracles[rayon::current_thread_index().unwrap_or(0) % self.oracles.len()]
    }

    /// The board that a game has come to.
    ///
    /// # Panics
    /// If the game is not of this board and these rules: see [`ExactScorer::of`].
    pub(super) fn board(&self, game: &Game) -> Board {
        assert_eq!(game.size(), self.geometry.into(), "the truth is about another board");
        assert_eq!(game.rules(), self.rules, "the truth is about other rules");
        assert_eq!(game.passing(), Passing::Allowed, "the truth is about games that go on after a pass");
        game.board().small().expect("a geometry is of at most 8x8")
    }

    /// The exact score of a position for the side to move.
    ///
    /// # Errors
    /// See [`OracleError`].
    pub fn score(&self, position: Position, stop: &Stop) -> Result<Score, OracleError> {
        self.oracle().score(position, stop).map(|(score, _)| score)
    }

    /// Follows a random game from the start, in which one side plays the stored moves and the other side random moves,
    /// and returns its last position that a table holds: its score is known without a search. `None` if no table holds
    /// the start.
    ///
    /// # Errors
    /// A table that is damaged where it had to be read.
    pub fn last_in_table(&self, random: &mut Rng) -> Result<Option<Position>, OracleError> {
        let (mut position, mut follows) =
            (Board::start(self.geometry, Start::Diagonal).position(), random.bool());
        let Some((_, mut entry)) = self.oracle().probe(position)? else { return Ok(None) };
        loop {
            let children = position.children(self.geometry);
            let next = match follows {
                true => children.iter().find(|&&(mv, _)| Some(mv) == entry.best),
                false => random.choice(&children),
            };
            let Some(&(_, next)) = next else { return Ok(Some(position)) };
            let Some((_, held)) = self.oracle().probe(next)? else { return Ok(Some(position)) };
            (position, entry, follows) = (next, held, !follows);
        }
    }

    /// Scores every move of a game's position, in row-major order.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// If the game is over, on another board or under other rules, or ends where a side has no move.
    pub fn of(&self, game: Game, stop: &Stop) -> Result<ScoredPosition, OracleError> {
        let position = self.board(&game).position();
        let scored = position
            .children(self.geometry)
            .into_iter()
            .map(|(mv, child)| self.score(child, stop).map(|score| (GameMove::from(mv), -score)));
        let moves = scored.collect::<Result<Vec<_>, _>>()?;
        let best = moves.iter().map(|&(_, score)| score).max().expect("the game is not over");
        Ok(ScoredPosition { game, position, empties: position.empty_count(self.geometry), best, moves })
    }

    /// Scores the moves of many games' positions in parallel; the results are in the order of the games. `on_each` is
    /// called for each as it is done. After a stop the games that were done are returned.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// See [`ExactScorer::of`].
    pub fn of_all(
        &self,
        games: Vec<Game>,
        stop: &Stop,
        on_each: impl Fn() + Sync,
    ) -> Result<Vec<ScoredPosition>, OracleError> {
        let known = games.into_par_iter().filter_map(|game| match self.of(game, stop) {
            Err(OracleError::Stopped) => None,
            known => Some(known.inspect(|_| on_each())),
        });
        known.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::GameBoard;
    use reversi_rules::{Goal, Scoring};

    fn of(size: &str, rules: Rules, passing: Passing) -> ScoredPosition {
        let scorer = ExactScorer::new(Geometry::FOUR, Rules::default(), &Resources::default()).unwrap();
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        scorer.of(Game::new(first, rules, passing), &Stop::never()).unwrap()
    }

    #[test]
    fn the_start_of_4x4_is_lost_whatever_is_played() {
        let known = of("4x4", Rules::default(), Passing::Allowed);
        assert_eq!((known.best, known.moves.len()), (Score::new(-8), 4));
    }

    #[test]
    #[should_panic = "another board"]
    fn a_game_on_another_board_is_refused() {
        of("3x3", Rules::default(), Passing::Allowed);
    }

    #[test]
    #[should_panic = "other rules"]
    fn a_game_under_another_goal_is_refused() {
        of("4x4", Rules::new(Goal::Reversed, Scoring::Raw), Passing::Allowed);
    }

    #[test]
    #[should_panic = "go on after a pass"]
    fn a_game_that_ends_with_the_first_pass_is_refused() {
        of("4x4", Rules::default(), Passing::EndsGame);
    }
}
