//! Plain minimax: slow, simple, the reference for every faster search.
//!
//! No window, no ordering, no transposition table: every line is played to its end. 4x4 from the start takes some
//! milliseconds; other boards need about ten empty squares or fewer.

use reversi_rules::{Geometry, Move, Position, Rules, Score};

/// The exact score of a position for the side to move.
///
/// # Panics
/// If the position is not one of this board ([`Position::is_on`]), here and in the functions below.
///
/// ```
/// use reversi_rules::{Board, Geometry, Rules, Start};
/// use reversi_solver::search::reference::minimax::minimax;
///
/// let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
/// assert_eq!(minimax(Geometry::FOUR, Rules::default(), start).discs(), -8);
/// ```
pub fn minimax(geometry: Geometry, rules: Rules, position: Position) -> Score {
    position.assert_on(geometry);
    let children = position.children(geometry);
    children
        .into_iter()
        .map(|(_, child)| -minimax(geometry, rules, child))
        .max()
        .unwrap_or_else(|| position.final_score(geometry, rules))
}

/// Every legal move with its exact score for the side to move, in row-major order: one pass where
/// the side to move must pass, nothing when the game is over.
pub fn move_scores(geometry: Geometry, rules: Rules, position: Position) -> Vec<(Move, Score)> {
    position.assert_on(geometry);
    position
        .children(geometry)
        .into_iter()
        .map(|(mv, child)| (mv, -minimax(geometry, rules, child)))
        .collect()
}

/// All moves with the highest score, in row-major order; none when the game is over.
///
/// ```
/// use reversi_rules::{Board, Geometry, Rules, Start};
/// use reversi_solver::search::reference::minimax::best_moves;
///
/// let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
/// let symmetric: Vec<String> =
///     best_moves(Geometry::FOUR, Rules::default(), start).iter().map(|mv| mv.to_string()).collect();
/// assert_eq!(symmetric, ["b1", "a2", "d3", "c4"], "the four first moves are symmetric");
/// ```
pub fn best_moves(geometry: Geometry, rules: Rules, position: Position) -> Vec<Move> {
    let scored = move_scores(geometry, rules, position);
    let best = scored.iter().map(|&(_, score)| score).max();
    scored.into_iter().filter(|&(_, score)| Some(score) == best).map(|(mv, _)| mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Goal, Scoring, notation};

    fn position(cells: &str) -> (Geometry, Position) {
        let board = notation::parse_board(None, cells).unwrap();
        (board.geometry, board.position())
    }

    #[test]
    fn a_finished_game_is_worth_its_final_score() {
        let (geometry, wiped_out) = position("XXX- XX-- ---- ---- X");
        assert!(wiped_out.is_over(geometry));
        let score = |goal, scoring| minimax(geometry, Rules::new(goal, scoring), wiped_out).discs();
        assert_eq!(score(Goal::Normal, Scoring::Raw), 5);
        assert_eq!(score(Goal::Normal, Scoring::Winner), 16);
        assert_eq!(score(Goal::Reversed, Scoring::Raw), -5);
        assert_eq!(score(Goal::Reversed, Scoring::Winner), -16);
        assert_eq!(best_moves(geometry, Rules::default(), wiped_out), []);
    }

    #[test]
    fn a_forced_pass_is_the_only_move() {
        let (geometry, blocked) = position("-XXO XXXX XXXX XXXX X");
        assert!(blocked.must_pass(geometry), "X has no disc of O to close in");
        for rules in Rules::ALL {
            assert_eq!(best_moves(geometry, rules, blocked), [Move::Pass], "{rules}");
            assert_eq!(
                minimax(geometry, rules, blocked),
                -minimax(geometry, rules, blocked.pass()),
                "{rules}"
            );
        }
    }

    #[test]
    fn wiping_out_the_opponent_is_good_only_under_the_normal_goal() {
        // a1 turns the only disc of O and ends the game.
        let (geometry, one_left) = position("-OX- ---- ---- ---- X");
        let score = |goal| minimax(geometry, Rules::new(goal, Scoring::Winner), one_left).discs();
        assert_eq!(best_moves(geometry, Rules::default(), one_left).len(), 1);
        assert_eq!(score(Goal::Normal), 16);
        assert_eq!(score(Goal::Reversed), -16);
    }
}
