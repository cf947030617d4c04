//! Opening books: positions with the results of their searches, from which the values of moves follow by negamax.
//!
//! A book stores searched positions only, each once up to symmetry. A position is *inner* if all its legal moves lead
//! to positions of the book. Its value is the best of its moves' values, and a player chooses among these moves. So a
//! book corrects itself as it grows, and two books for the same rules can be merged: of each position the deeper search
//! stays.

mod file;
mod load;
mod player;
mod shipped;
mod text;

pub use file::{BookError, ContentError};
pub use player::Books;
pub(crate) use player::WithBook;

use crate::Value;
use reversi_rules::{Geometry, Move, Passing, Position, Rules, Score, Square, symmetry};
use reversi_solver::eval::Eval;
use std::collections::HashMap;

/// The board of all books.
pub const GEOMETRY: Geometry = Geometry::EIGHT;

/// The passing rule of all books.
pub const PASSING: Passing = Passing::Allowed;

/// The result of a search of one position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    value: Worth,
    /// Depth of the search in plies.
    depth: u8,
}

/// A value for the side to move, and whether it is proved. In a book, estimated and proved values count on the same
/// scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Worth {
    /// 1/128 of a disc.
    units: i32,
    is_exact: bool,
}

/// A legal move of an inner position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// Its square.
    pub square: Square,
    /// Its value for the side that makes it. Exact only if every value that it is derived from is exact.
    pub value: Value,
    /// Depth in plies of the search of the position after it; `None` if the value is backed up from later positions, or
    /// if the move ends the game.
    pub depth: Option<u8>,
}

/// An opening book for 8x8.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    rules: Rules,
    found: HashMap<Position, Found>,
}

impl Found {
    /// A search result; `depth` is in plies and stored up to 64. `None` for points, which are on no common scale.
    pub fn new(value: Value, depth: u32) -> Option<Found> {
        let value = match value {
            Value::Exact(score) => Worth { units: Eval::from(score).units(), is_exact: true },
            Value::Estimate(eval) => {
                Worth { units: eval.units().clamp(-file::MOST_UNITS, file::MOST_UNITS), is_exact: false }
            }
            Value::Points(_) => return None,
        };
        Some(Found { value, depth: depth.min(64) as u8 })
    }

    /// The result that a book keeps of two searches of one position: a proved value before an estimate, then the deeper
    /// search, then the higher value, so that the order of the two does not matter.
    fn better(self, other: Found) -> Found {
        let key = |found: Found| (found.value.is_exact, found.depth, found.value.units);
        if key(self) >= key(other) { self } else { other }
    }
}

impl Worth {
    fn value(self) -> Value {
        match self.is_exact {
            true => Value::Exact(Score::new(self.units / Eval::UNITS_PER_DISC)),
            false => Value::Estimate(Eval::new(self.units)),
        }
    }
}

/// Where a move leads: a position in which a side can move, or the end of the game.
pub(super) enum Reply {
    /// The opponent is to move.
    Theirs(Position),
    /// The opponent must pass, and the same side moves again.
    OwnAgain(Position),
    Over(Score),
}

impl Reply {
    /// The position after the move and a pass, with the side to move there; `None` at the end of the game.
    fn position(&self) -> Option<Position> {
        match self {
            Reply::Theirs(position) | Reply::OwnAgain(position) => Some(*position),
            Reply::Over(_) => None,
        }
    }
}

/// The values of all positions of a book, backed up from the searched ones.
#[derive(Clone, Debug)]
pub struct Values {
    book: Book,
    worth: HashMap<Position, Worth>,
    /// Depths of the searches whose values were not replaced by backed-up ones.
    depth: HashMap<Position, u8>,
}

impl Book {
    /// A book without a position.
    pub fn new(rules: Rules) -> Book {
        Book { rules, found: HashMap::new() }
    }

    /// The rules of its values.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Adds a search result of a position, or of one of its images, unless the book has a better one.
    pub fn add(&mut self, position: Position, found: Found) {
        let kept = self.found.entry(canonical(position)).or_insert(found);
        *kept = kept.better(found);
    }

    /// Adds all positions of another book; `false`, without a change, if it is for other rules.
    pub fn merge(&mut self, other: &Book) -> bool {
        if other.rules != self.rules {
            return false;
        }
        other.found.iter().for_each(|(&position, &found)| self.add(position, found));
        true
    }

    /// The positions after the legal moves that the book does not hold, in canonical form, after the pass if the
    /// opponent must pass. Finished games are not among them: their value is known.
    pub fn missing(&self, position: Position) -> Vec<Position> {
        let replies = position.children(GEOMETRY).into_iter().filter(|(mv, _)| *mv != Move::Pass);
        let searched = replies.filter_map(|(_, child)| self.reply(child).position().map(canonical));
        let mut missing: Vec<Position> = searched.filter(|child| !self.found.contains_key(child)).collect();
        missing.sort_unstable_by_key(|position| (position.player, position.opponent));
        missing.dedup();
        missing
    }

    /// Computes the values of all positions from the book as it is now.
    pub fn into_values(self) -> Values {
        let mut order: Vec<Position> = self.found.keys().copied().collect();
        // Later positions first: they decide the earlier ones.
        order.sort_unstable_by_key(|position| position.empty_count(GEOMETRY));
        let worth = HashMap::with_capacity(order.len());
        let mut values = Values { book: self, worth, depth: HashMap::new() };
        for position in order {
            let Found { value: own, depth } = values.book.found[&position];
            let backed_up = if own.is_exact { None } else { values.best(position) };
            if backed_up.is_none() {
                values.depth.insert(position, depth);
            }
            values.worth.insert(position, backed_up.unwrap_or(own));
        }
        values
    }

    fn reply(&self, child: Position) -> Reply {
        if child.is_over(GEOMETRY) {
            Reply::Over(-child.final_score(GEOMETRY, self.rules))
        } else if child.must_pass(GEOMETRY) {
            Reply::OwnAgain(child.pass())
        } else {
            Reply::Theirs(child)
        }
    }
}

impl Values {
    /// The book.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Gives the book back, to be changed.
    pub fn into_book(self) -> Book {
        self.book
    }

    /// The legal moves of an inner position, best first, equal ones in row-major order; `None` for others, and where
    /// every move ends the game: no position of the book follows.
    pub fn moves(&self, position: Position) -> Option<Vec<BookMove>> {
        let mut moves = self.worths(position)?;
        moves.sort_by_key(|(_, worth)| -worth.units);
        let after = |square| self.book.reply(position.after(Move::Play(square))).position();
        let goes_on = moves.iter().any(|&(square, _)| after(square).is_some());
        let moves = moves.into_iter().map(|(square, worth)| {
            let depth = after(square).and_then(|after| self.depth(after));
            BookMove { square, value: worth.value(), depth }
        });
        goes_on.then(|| moves.collect())
    }

    /// The value of a position of the book.
    pub fn value(&self, position: Position) -> Option<Value> {
        self.worth.get(&canonical(position)).map(|worth| worth.value())
    }

    /// The depth of the search that a position's value is from; `None` if the value is backed up from later positions,
    /// or if the book does not hold the position.
    pub fn depth(&self, position: Position) -> Option<u8> {
        self.depth.get(&canonical(position)).copied()
    }

    fn worths(&self, position: Position) -> Option<Vec<(Square, Worth)>> {
        let children = position.children(GEOMETRY).into_iter().filter_map(|(mv, child)| match mv {
            Move::Play(square) => Some((square, child)),
            Move::Pass => None,
        });
        let worth = |child| match self.book.reply(child) {
            Reply::Theirs(position) => {
                let Worth { units, is_exact } = *self.worth.get(&canonical(position))?;
                Some(Worth { units: -units, is_exact })
            }
            Reply::OwnAgain(position) => self.worth.get(&canonical(position)).copied(),
            Reply::Over(score) => Some(Worth { units: Eval::from(score).units(), is_exact: true }),
        };
        let moves: Option<Vec<_>> = children.map(|(square, child)| Some((square, worth(child)?))).collect();
        moves.filter(|moves| !moves.is_empty())
    }

    /// The best of the moves' values. It is exact only if all of them are: otherwise another move may be better.
    fn best(&self, position: Position) -> Option<Worth> {
        let moves = self.worths(position)?;
        let units = moves.iter().map(|(_, worth)| worth.units).max()?;
        Some(Worth { units, is_exact: moves.iter().all(|(_, worth)| worth.is_exact) })
    }
}

pub(super) fn canonical(position: Position) -> Position {
    symmetry::canonical(GEOMETRY, position).0
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use reversi_rules::{Board, Goal, Scoring, Start};

    pub fn start() -> Position {
        Board::start(GEOMETRY, Start::Diagonal).position()
    }

    pub fn rules() -> Rules {
        Rules::new(Goal::Normal, Scoring::Winner)
    }

    /// A value that follows from the position, as if it had been searched.
    fn searched(position: Position) -> Found {
        let mut random = fastrand::Rng::with_seed(position.player ^ position.opponent.rotate_left(7));
        Found::new(Value::Estimate(Eval::new(random.i32(-900..900))), 4).unwrap()
    }

    pub fn expand(book: &mut Book, position: Position) {
        for missing in book.missing(position) {
            book.add(missing, searched(missing));
        }
    }

    /// Positions after random moves from the start, all expanded.
    pub fn grown(seed: u64, lines: usize) -> Book {
        let (mut book, mut random) = (Book::new(rules()), fastrand::Rng::with_seed(seed));
        for _ in 0..lines {
            let mut position = start();
            for _ in 0..random.usize(1..8) {
                expand(&mut book, position);
                position = random.choice(position.children(GEOMETRY)).unwrap().1;
            }
        }
        book
    }

    /// Whether the book knows the values of all legal moves of a position whose side to move has one.
    fn is_inner(book: &Book, position: Position) -> bool {
        position.legal_moves(GEOMETRY) != 0 && book.missing(position).is_empty()
    }

    /// Negamax over the book, position by position, without a list of values.
    fn slow_value(book: &Book, position: Position) -> i32 {
        if !is_inner(book, position) {
            return book.found[&canonical(position)].value.units;
        }
        position.children(GEOMETRY).into_iter().map(|(_, child)| -slow_value(book, child)).max().unwrap()
    }

    #[test]
    fn values_are_those_of_negamax() {
        let book = grown(3, 12);
        let values = book.clone().into_values();
        assert!(book.len() > 100 && is_inner(&book, start()));
        let inner = book.found.keys().filter(|position| is_inner(&book, **position));
        let mut compared = 0;
        for &position in inner {
            let best = values.moves(position).unwrap()[0];
            assert_eq!(best.value, Worth { units: slow_value(&book, position), is_exact: false }.value());
            assert_eq!(values.value(position), Some(best.value));
            compared += 1;
        }
        assert!(compared > 10);
    }

    #[test]
    fn images_of_a_position_are_one_entry() {
        let mut book = Book::new(rules());
        let children = start().children(GEOMETRY);
        children.iter().for_each(|(_, child)| book.add(*child, searched(canonical(*child))));
        assert_eq!((children.len(), book.len()), (4, 1));
        let values = book.clone().into_values();
        let moves = values.moves(start()).unwrap();
        assert!(moves.len() == 4 && moves.iter().all(|mv| mv.value == moves[0].value));
        assert_eq!(values.moves(children[0].1), None, "its moves are not known");
    }

    #[test]
    fn two_books_together_are_the_book_of_both() {
        let (mut one, other) = (grown(1, 8), grown(2, 8));
        let mut turned = other.clone();
        assert!(turned.merge(&one) && one.merge(&other));
        assert_eq!(one, turned, "in any order");
        let mut both = Book::new(rules());
        for (&position, &found) in grown(1, 8).found.iter().chain(&other.found) {
            both.add(position, found);
        }
        assert_eq!(
            (&one, one.clone().into_values().value(start())),
            (&both, both.clone().into_values().value(start()))
        );
        let reversed = Book::new(Rules::new(Goal::Reversed, Scoring::Winner));
        assert!(!one.merge(&reversed) && one == both);
    }

    #[test]
    fn the_better_search_of_a_position_stays() {
        let estimate = |discs, depth| Found::new(Value::Estimate(Eval::from_discs(discs)), depth).unwrap();
        let exact = Found::new(Value::Exact(Score::new(-2)), 3).unwrap();
        let (shallow, deep) = (estimate(3.0, 4), estimate(1.0, 9));
        assert_eq!((shallow.better(deep), deep.better(shallow)), (deep, deep));
        assert_eq!((exact.better(deep), deep.better(exact)), (exact, exact));
        assert_eq!(Found::new(Value::Points(7), 3), None);
    }

    #[test]
    fn a_value_is_exact_only_if_all_below_it_is() {
        let mut book = Book::new(rules());
        let replies = canonical(start().children(GEOMETRY)[0].1);
        let exact = Found::new(Value::Exact(Score::new(4)), 50).unwrap();
        let children: Vec<Position> = book.missing(replies);
        children.iter().for_each(|child| book.add(*child, exact));
        book.add(replies, searched(replies));
        assert_eq!(book.clone().into_values().value(replies), Some(Value::Exact(Score::new(-4))));
        let mut partly = Book::new(rules());
        children.iter().skip(1).for_each(|child| partly.add(*child, exact));
        partly.add(children[0], Found::new(Value::Estimate(Eval::from_discs(9.0)), 4).unwrap());
        partly.add(replies, searched(replies));
        assert_eq!(
            partly.clone().into_values().value(replies),
            Some(Value::Estimate(Eval::from_discs(-4.0)))
        );
    }
}
