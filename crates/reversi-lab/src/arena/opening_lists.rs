//! Lists of openings as text: one transcript per line. What follows a `#` is a comment. A line such as `% goal=reversed`
//! or `# ten openings of the reversed goal` names the goal for which the openings were chosen.
//!
//! Two lists ship with the program, for 8x8 under either goal: eight random moves each, chosen to be about even. Like
//! the XOT openings they test players in the midgame instead of their knowledge of openings.

use reversi_engine::{Game, GameBoard};
use reversi_rules::{Geometry, Goal, Passing, Start};

/// Why a line is no opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ListError {
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// The openings of a list for games that begin like this one.
///
/// # Errors
/// A line with an illegal move, or after which the game is over; a list for the other goal.
pub fn read(text: &str, start: &Game) -> Result<Vec<Game>, ListError> {
    let mut games = Vec::new();
    for (place, line) in text.lines().map(str::trim).enumerate() {
        let fault = |reason: String| ListError { line: place + 1, reason };
        if let Some(comment) = line.strip_prefix(['%', '#']) {
            check_goal(comment, start.rules().goal).map_err(fault)?;
            continue;
        }
        let moves = line.split('#').next().unwrap_or_default().trim();
        if moves.is_empty() {
            continue;
        }
        let mut game = start.clone();
        game.play_transcript(moves).map_err(|error| fault(error.to_string()))?;
        if game.is_over() {
            return Err(fault("the game is over after these moves".to_owned()));
        }
        games.push(game);
    }
    Ok(games)
}

/// Checks that a comment does not name another goal alone.
fn check_goal(comment: &str, played: Goal) -> Result<(), String> {
    let comment = comment.to_ascii_lowercase();
    let names =
        |goal: Goal| comment.split(|sign: char| !sign.is_alphanumeric()).any(|word| word == goal.name());
    let other = played.other();
    match names(other) && !names(played) {
        true => {
            Err(format!("these openings are for the {other} goal, but the games are of the {played} goal"))
        }
        false => Ok(()),
    }
}

/// The shipped list for games that begin like this one; `None` if there is none.
pub fn shipped(start: &Game) -> Option<Vec<Game>> {
    let eight = GameBoard::start(Geometry::EIGHT.into(), Start::Diagonal);
    if *start.first_board() != eight || start.passing() != Passing::Allowed || !start.moves().is_empty() {
        return None;
    }
    let text = match start.rules().goal {
        Goal::Normal => include_str!("../../../../data/8x8-normal-xot.txt"),
        Goal::Reversed => include_str!("../../../../data/8x8-reversed-xot.txt"),
    };
    Some(read(text, start).expect("a test reads the lists"))
}

#[cfg(test)]
mod tests {
    use super::super::openings::canonical_key;
    use super::*;
    use reversi_rules::{Rules, Scoring};
    use std::collections::HashSet;

    fn start(size: &str, goal: Goal) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::new(goal, Scoring::Winner), Passing::Allowed)
    }

    #[test]
    fn shipped_openings_are_eight_moves_long_and_distinct_up_to_symmetry() {
        for goal in Goal::ALL {
            let games = shipped(&start("8x8", goal)).unwrap();
            assert!(games.len() >= 300, "{goal}: {}", games.len());
            assert!(games.iter().all(|game| game.board().empty_count() == 60 - 8));
            let different: HashSet<_> = games.iter().map(|game| canonical_key(game.board())).collect();
            assert_eq!(different.len(), games.len(), "{goal}");
        }
        assert!(shipped(&start("6x6", Goal::Normal)).is_none());
    }

    #[test]
    fn a_list_is_read_with_remarks_and_its_faults_are_named() {
        let start = start("8x8", Goal::Normal);
        let games = read("# four\nf5 d6 c3 d3 # a remark\n\nf5f6e6f4\n", &start).unwrap();
        let moves: Vec<String> = games.iter().map(Game::transcript).collect();
        assert_eq!(moves, ["f5d6c3d3", "f5f6e6f4"]);
        assert_eq!(read("% goal=normal\nf5d6\n", &start).unwrap().len(), 1);
        let other = read("% goal=reversed scoring=winner\nf5d6\n", &start).unwrap_err();
        assert!(
            other.to_string().contains("for the reversed goal, but the games are of the normal goal"),
            "{other}"
        );
        for told in ["# goal=reversed", "% reversed goal", "% goal = reversed"] {
            let refused = read(&format!("{told}\nf5d6\n"), &start).unwrap_err();
            assert_eq!(refused.line, 1, "{refused}");
        }
        let error = read("f5d6\n\nf5a1\n", &start).unwrap_err();
        assert_eq!(error.line, 3, "{error}");
        assert!(error.to_string().contains("a1"), "{error}");
    }
}
