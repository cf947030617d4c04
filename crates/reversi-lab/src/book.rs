//! Grows an opening book by play of the book against itself. A game follows good moves of the book from the start to
//! the first position some of whose moves the book does not hold; there each of these moves is searched, and the values
//! are backed up. So moves that turn out bad are abandoned sooner or later, and the remaining lines grow longer.

use crate::arena::openings;
use reversi_engine::book::{Book, Books, Found, GEOMETRY, PASSING, Values};
use reversi_engine::{Game, GameMove, Limits, Player, PlayerError, PlayerSpec, Resources, Value, hints};
use reversi_rules::{Board, Color, Position, Start};
use reversi_solver::search::Stop;
use std::collections::HashSet;

/// The most positions that are expanded between two computations of all values.
const ROUND: usize = 16;

/// The most games that are tried to find the positions of a round. If none of them leaves the book, it grows no more.
pub const ATTEMPTS: usize = 2000;

/// How a book grows.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The player that searches the positions, each with empty tables, so that a value depends on the position alone.
    pub searcher: PlayerSpec,
    /// The largest number of plies for which games follow the book.
    pub plies: usize,
    /// Moves at most this much worse than the best one are followed, in discs.
    pub spread: f64,
    /// Determines the choice among them.
    pub seed: u64,
}

/// How the growth of a book ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Growth {
    /// The book is as large as was asked for, or [`ATTEMPTS`] games found nothing more.
    Done,
    /// The stop was set.
    Stopped,
    /// The searcher does not play on 8x8, or has failed.
    Failed(PlayerError),
}

impl Plan {
    /// Grows the book until it has `positions` positions, or until nothing more is found. `on_round` gets the book
    /// after each round and may save it: growing a saved book further leads to the same book. However growth ends, the
    /// returned book is that of the last whole round.
    pub fn grow(
        &self,
        book: Book,
        positions: usize,
        resources: &Resources,
        stop: &Stop,
        on_round: impl FnMut(&Book),
    ) -> (Book, Growth) {
        let mut searcher =
            self.searcher.build(&Resources { books: Books::default(), ..resources.clone() }, self.seed);
        self.grow_by(&mut *searcher, book, positions, stop, on_round)
    }

    fn grow_by(
        &self,
        searcher: &mut dyn Player,
        mut book: Book,
        positions: usize,
        stop: &Stop,
        mut on_round: impl FnMut(&Book),
    ) -> (Book, Growth) {
        if let Err(error) = searcher.supports(GEOMETRY.into(), PASSING) {
            return (book, Growth::Failed(error));
        }
        while book.len() < positions {
            let values = book.into_values();
            let chosen = self.choose(&values);
            book = values.into_book();
            if chosen.is_empty() {
                break;
            }
            match expanded(searcher, &book, chosen, stop) {
                Ok(Some(grown)) => book = grown,
                Ok(None) => return (book, Growth::Stopped),
                Err(error) => return (book, Growth::Failed(error)),
            }
            on_round(&book);
        }
        (book, Growth::Done)
    }

    /// The positions at which the games of a round leave the book; book and seed determine them.
    fn choose(&self, values: &Values) -> Vec<Position> {
        let mut random = fastrand::Rng::with_seed(self.seed ^ (values.book().len() as u64).rotate_left(32));
        let (mut chosen, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..ATTEMPTS {
            if chosen.len() == ROUND {
                break;
            }
            let game = self.game(values, &mut random);
            let is_new = game.as_ref().is_some_and(|game| seen.insert(openings::canonical_key(game.board())));
            if let Some(board) = game.filter(|_| is_new).and_then(|game| game.board().small()) {
                chosen.push(board.position());
            }
        }
        chosen
    }

    /// A game up to the position at which it leaves the book; `None` if it does not leave it before the last ply, or is
    /// over.
    fn game(&self, values: &Values, random: &mut fastrand::Rng) -> Option<Game> {
        let first = Board::start(GEOMETRY, Start::Diagonal).into();
        let mut game = Game::new(first, values.book().rules(), PASSING);
        for _ in 0..self.plies {
            if game.must_pass() {
                game.play(GameMove::Pass).expect("it must pass");
            }
            if game.is_over() {
                return None;
            }
            let Some(moves) = values.moves_of(&game) else {
                // At the very end of a game no position is missing.
                let position = game.board().small().expect("a game on 8x8").position();
                return (!values.book().missing(position).is_empty()).then_some(game);
            };
            let least = moves[0].value.number() - self.spread;
            let good: Vec<_> = moves.iter().take_while(|mv| mv.value.number() >= least).collect();
            let mv = random.choice(good).expect("the best move is good");
            game.play(reversi_rules::Move::Play(mv.square).into()).expect("the book holds legal moves");
        }
        None
    }
}

/// The book with the positions after all moves of `chosen`; `None` if `stop` was set.
fn expanded(
    searcher: &mut dyn Player,
    book: &Book,
    chosen: Vec<Position>,
    stop: &Stop,
) -> Result<Option<Book>, PlayerError> {
    let mut grown = book.clone();
    for position in chosen {
        for missing in grown.missing(position) {
            let found = search(searcher, book, missing, stop);
            if stop.is_set() {
                return Ok(None);
            }
            grown.add(missing, found?);
        }
    }
    Ok(Some(grown))
}

/// The result of a search of a position with empty tables.
fn search(
    searcher: &mut dyn Player,
    book: &Book,
    position: Position,
    stop: &Stop,
) -> Result<Found, PlayerError> {
    let board = Board::from_position(GEOMETRY, position, Color::Black);
    let game = Game::new(board.into(), book.rules(), PASSING);
    searcher.new_game(0);
    let info = hints::evaluate(searcher, &game, &Limits::default(), stop)?;
    let value = info.value.filter(|value| !matches!(value, Value::Points(_)));
    let found = value.and_then(|value| Found::new(value, info.depth));
    found.ok_or_else(|| PlayerError::Unsupported {
        player: searcher.name().to_owned(),
        reason: "it gives no values in discs".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::Choice;
    use reversi_rules::{Goal, Rules, Scoring};

    fn plan() -> Plan {
        Plan { searcher: "engine:depth=2".parse().unwrap(), plies: 12, spread: 3.0, seed: 3 }
    }

    fn grow(plan: &Plan, book: Book, positions: usize, stop: &Stop) -> (Book, Growth) {
        let resources = Resources { memory_bytes: 1 << 20, ..Resources::default() };
        plan.grow(book, positions, &resources, stop, |_| ())
    }

    /// A searcher that fails when none of its searches is left.
    struct Failing {
        searcher: Box<dyn Player>,
        left: u32,
    }

    impl Player for Failing {
        fn name(&self) -> &str {
            self.searcher.name()
        }

        fn new_game(&mut self, seed: u64) {
            self.searcher.new_game(seed);
        }

        fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
            self.left = self.left.checked_sub(1).ok_or(PlayerError::GameOver)?;
            self.searcher.choose(game, limits, stop)
        }
    }

    #[test]
    fn a_book_that_is_gone_on_with_is_the_book_that_was_never_stopped() {
        for goal in Goal::ALL {
            let rules = Rules::new(goal, Scoring::Winner);
            let (whole, _) = grow(&plan(), Book::new(rules), 600, &Stop::never());
            assert!(whole.len() >= 600 && whole.len() < 900, "{}", whole.len());
            let (part, _) = grow(&plan(), Book::new(rules), 200, &Stop::never());
            assert!(part.len() < whole.len());
            assert_eq!(grow(&plan(), part, 600, &Stop::never()).0, whole);
        }
    }

    #[test]
    fn a_stop_keeps_the_last_whole_round() {
        let rules = Rules::new(Goal::Normal, Scoring::Winner);
        let (whole, _) = grow(&plan(), Book::new(rules), 600, &Stop::never());
        let (part, growth) = grow(&plan(), Book::new(rules), 600, &Stop::after_looks(400));
        assert!(growth == Growth::Stopped && part.len() < whole.len());
        assert_eq!(grow(&plan(), part, 600, &Stop::never()), (whole, Growth::Done));
    }

    #[test]
    fn a_searcher_that_fails_leaves_the_last_whole_round() {
        let rules = Rules::new(Goal::Normal, Scoring::Winner);
        let (whole, _) = grow(&plan(), Book::new(rules), 600, &Stop::never());
        let searcher = plan().searcher.build(&Resources::default(), plan().seed);
        let (mut rounds, stop) = (Vec::new(), Stop::never());
        let mut searcher = Failing { searcher, left: 400 };
        let (part, growth) =
            plan().grow_by(&mut searcher, Book::new(rules), 600, &stop, |book| rounds.push(book.len()));
        assert_eq!(growth, Growth::Failed(PlayerError::GameOver));
        assert!(rounds.len() > 1 && rounds.last() == Some(&part.len()) && part.len() < whole.len());
        assert_eq!(grow(&plan(), part, 600, &stop), (whole, Growth::Done));
    }

    #[test]
    fn books_of_two_beginnings_together_know_the_moves_of_both() {
        let rules = Rules::new(Goal::Normal, Scoring::Winner);
        let [one, two] =
            [3, 4].map(|seed| grow(&Plan { seed, ..plan() }, Book::new(rules), 300, &Stop::never()).0);
        let mut both = one.clone();
        assert!(both.merge(&two) && both.len() > one.len().max(two.len()));
        // Each position is worth the same in both: a value follows from the position alone.
        let mut again = two;
        assert!(again.merge(&one) && again == both);
    }
}
