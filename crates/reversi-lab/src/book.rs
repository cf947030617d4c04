//! Growing an opening book by play of the book against itself: a game follows good moves of the book from the start to the
//! first position whose moves it does not all know; there each move is searched, and the values are backed up. Moves that
//! turn out bad are so left sooner or later, and the lines that stay grow longer.

use crate::arena::openings;
use reversi_engine::book::{Book, Found, GEOMETRY, PASSING, Values};
use reversi_engine::{Game, GameMove, Limits, Player, PlayerError, PlayerSpec, Resources, Value, hints};
use reversi_rules::{Board, Color, Position, Start};
use reversi_solver::search::Stop;
use std::collections::HashSet;

/// Positions that are expanded between two reckonings of all values, at most: each as far from the others as chance has it.
const ROUND: usize = 16;

/// Games without a new position before nothing more is looked for.
const ATTEMPTS: usize = 2000;

/// How a book grows.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who searches the positions, with an empty memory for each, so that its values follow from the position alone.
    pub searcher: PlayerSpec,
    /// Plies for which games follow the book at most.
    pub plies: usize,
    /// Moves that are at most this much worse than the best one are followed, in discs.
    pub spread: f64,
    /// The choice among them follows from it.
    pub seed: u64,
}

impl Plan {
    /// Grows the book until it has `positions` positions, or nothing more is found; `on_round` gets it after each round
    /// and may keep it: what is gone on from such a book ends with the same book. `false` if `stop` was set: the book then
    /// is that of the last whole round.
    ///
    /// # Errors
    /// A searcher that does not play on 8x8, or fails.
    pub fn grow(
        &self,
        mut book: Book,
        positions: usize,
        resources: &Resources,
        stop: &Stop,
        mut on_round: impl FnMut(&Book),
    ) -> Result<(Book, bool), PlayerError> {
        let mut searcher = self.searcher.build(&Resources { book: None, ..resources.clone() }, self.seed);
        searcher.supports(GEOMETRY.into(), book.rules().goal)?;
        while book.len() < positions {
            let values = book.into_values();
            let chosen = self.choose(&values);
            book = values.into_book();
            if chosen.is_empty() {
                break;
            }
            let mut grown = book.clone();
            for position in chosen {
                for missing in grown.missing(position) {
                    let found = search(&mut *searcher, &book, missing, stop);
                    if stop.is_set() {
                        return Ok((book, false));
                    }
                    grown.add(missing, found?);
                }
            }
            book = grown;
            on_round(&book);
        }
        Ok((book, true))
    }

    /// Where the games of a round leave the book. They follow from the book and the seed.
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

    /// A game to where it leaves the book; `None` if it does not before the last ply, or is over.
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
            let Some(moves) = values.moves_of(&game) else { return Some(game) };
            let least = moves[0].value.number() - self.spread;
            let good: Vec<_> = moves.iter().take_while(|mv| mv.value.number() >= least).collect();
            let mv = random.choice(good).expect("the best move is good");
            game.play(reversi_rules::Move::Play(mv.square).into()).expect("the book holds legal moves");
        }
        None
    }
}

/// What the searcher finds of a position, with an empty memory.
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
    use reversi_rules::{Goal, Rules, Scoring};

    fn plan() -> Plan {
        Plan { searcher: "engine:depth=2".parse().unwrap(), plies: 12, spread: 3.0, seed: 3 }
    }

    fn grow(plan: &Plan, book: Book, positions: usize, stop: &Stop) -> (Book, bool) {
        let resources = Resources { memory_bytes: 1 << 20, ..Resources::default() };
        plan.grow(book, positions, &resources, stop, |_| ()).unwrap()
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
        let (part, is_done) = grow(&plan(), Book::new(rules), 600, &Stop::after_looks(400));
        assert!(!is_done && part.len() < whole.len());
        assert_eq!(grow(&plan(), part, 600, &Stop::never()).0, whole);
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
