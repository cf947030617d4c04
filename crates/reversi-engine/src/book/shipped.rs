//! The opening books that are compiled in.

use super::{Book, Books};
use reversi_rules::Goal;
use std::sync::LazyLock;

impl Book {
    /// The book of a goal that is part of the program.
    pub fn shipped(goal: Goal) -> Book {
        let bytes: &[u8] = match goal {
            Goal::Normal => include_bytes!("../../../../data/8x8-normal.rvo"),
            Goal::Reversed => include_bytes!("../../../../data/8x8-reversed.rvo"),
        };
        Book::from_bytes(bytes).expect("the books in the program are sound; the tests read both")
    }
}

impl Books {
    /// The books of both goals that are part of the program, read at the first call.
    pub fn shipped() -> Books {
        static SHIPPED: LazyLock<Books> =
            LazyLock::new(|| Goal::ALL.into_iter().map(Book::shipped).collect());
        SHIPPED.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, GameBoard};
    use reversi_rules::{Passing, Rules, Scoring, Start};

    #[test]
    fn shipped_books_are_sound_and_know_the_first_moves() {
        let books = Books::shipped();
        for goal in Goal::ALL {
            let rules = Rules::new(goal, Scoring::Winner);
            let first = GameBoard::start("8x8".parse().unwrap(), Start::Diagonal);
            let game = Game::new(first, rules, Passing::Allowed);
            let values = books.book_for(&game).unwrap();
            assert_eq!(values.rules(), rules);
            assert_eq!(values.moves_of(&game).map(|moves| moves.len()), Some(4));
        }
    }
}
