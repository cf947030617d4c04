//! A player that plays from a book as long as it can, and then searches.

use super::{Book, BookMove, GEOMETRY, PASSING, Reply, Values, Worth};
use crate::Value;
use crate::player::{Choice, Hint, Info, Limits, Player, PlayerError};
use reversi_rules::game::{Game, GameMove, Size};
use reversi_rules::{Move, Passing, Position, Rules, Square};
use reversi_solver::search::Stop;
use std::sync::Arc;
use std::time::Instant;

/// A player with a book.
pub(crate) struct WithBook {
    player: Box<dyn Player>,
    books: Books,
    random: fastrand::Rng,
}

/// Moves at most this much worse than the best one are played too, in discs: values of a book differ from those of
/// deeper searches by more than this.
const SPREAD: f64 = 0.5;

/// The moves among which the seed decides: the best ones, and those nearly as good after which the book goes on. A value
/// of one search is less certain, and the book ends after such a move.
fn good(moves: &[BookMove]) -> Vec<BookMove> {
    let worse_by = |mv: &BookMove| moves[0].value.number() - mv.value.number();
    let is_good = |mv: &&BookMove| worse_by(mv) == 0.0 || worse_by(mv) <= SPREAD && mv.depth.is_none();
    moves.iter().filter(is_good).copied().collect()
}

/// The books of a player, at most one of which is for a game: the first one for its board and rules.
#[derive(Clone, Default, Debug)]
pub struct Books(Arc<[Values]>);

impl Book {
    /// The position of a game for which the book has values: on its board, under its rules.
    fn position_of(&self, game: &Game) -> Option<Position> {
        let board = game.board().small().filter(|board| board.geometry == GEOMETRY)?;
        (game.rules() == self.rules && game.passing() == PASSING).then(|| board.position())
    }
}

impl Values {
    /// The rules of the games on 8x8 for which the values are.
    pub fn rules(&self) -> Rules {
        self.book.rules
    }

    /// The moves of a game's position, best first; `None` if the book does not hold the values of all of them, or is
    /// for another board or other rules.
    pub fn moves_of(&self, game: &Game) -> Option<Vec<BookMove>> {
        self.moves(self.book.position_of(game)?)
    }

    /// The value of a game's position for the side to move and the depth of its search in plies, where the book holds
    /// the position itself but not all its moves.
    pub fn value_of(&self, game: &Game) -> Option<(Value, u8)> {
        let position = self.book.position_of(game)?;
        Some((self.value(position)?, self.depth(position)?))
    }

    /// These moves as hints.
    fn hints(&self, game: &Game) -> Option<Vec<Hint>> {
        let position = self.book.position_of(game)?;
        let hints = self.moves(position)?.into_iter().map(|BookMove { square, value, .. }| {
            let pv: Vec<GameMove> = self.line(position, square).into_iter().map(GameMove::from).collect();
            Hint { mv: pv[0], value, depth: 0, nodes: 0, pv, is_from_book: true }
        });
        Some(hints.collect())
    }

    /// A move of an inner position, and the best moves after it as far as the book goes.
    fn line(&self, mut position: Position, first: Square) -> Vec<Move> {
        let (mut line, mut next) = (Vec::new(), Some(first));
        while let Some(square) = next {
            line.push(Move::Play(square));
            match self.book.reply(position.after(Move::Play(square))) {
                Reply::Theirs(after) => position = after,
                Reply::OwnAgain(after) => {
                    line.push(Move::Pass);
                    position = after;
                }
                Reply::Over(_) => break,
            }
            next = self.moves(position).map(|moves| moves[0].square);
        }
        line
    }
}

impl Books {
    /// Whether there is no book.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Values> {
        self.0.iter()
    }

    /// The book for games like this one: on its board, under its rules.
    pub fn book_for(&self, game: &Game) -> Option<&Values> {
        self.iter().find(|values| values.book.position_of(game).is_some())
    }
}

impl FromIterator<Book> for Books {
    fn from_iter<I: IntoIterator<Item = Book>>(books: I) -> Books {
        Books(books.into_iter().map(Book::into_values).collect())
    }
}

impl WithBook {
    /// `seed` decides between moves of nearly the same value.
    pub fn new(player: Box<dyn Player>, books: Books, seed: u64) -> WithBook {
        WithBook { player, books, random: fastrand::Rng::with_seed(seed) }
    }
}

impl Player for WithBook {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn supports(&self, size: Size, passing: Passing) -> Result<(), PlayerError> {
        self.player.supports(size, passing)
    }

    fn is_symmetric(&self) -> bool {
        self.player.is_symmetric()
    }

    fn reach(&self, empties: u32) -> Option<u32> {
        self.player.reach(empties)
    }

    fn book_hints(&self, game: &Game) -> Option<Vec<Hint>> {
        self.books.book_for(game)?.hints(game)
    }

    fn searcher(&mut self) -> Option<&mut dyn Player> {
        Some(&mut *self.player)
    }

    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
        self.player.new_game(seed);
    }

    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        self.player.prepare(game)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        let found = self.books.book_for(game);
        let Some((values, moves)) = found.and_then(|values| Some((values, values.moves_of(game)?))) else {
            return self.player.choose(game, limits, stop);
        };
        let position = values.book.position_of(game).expect("it has moves");
        let square = self.random.choice(good(&moves)).expect("the best move is good").square;
        let info = Info {
            // The move's own value can be exact while another move, of an estimate only, is better.
            value: values.best(position).map(Worth::value),
            pv: values.line(position, square).into_iter().map(GameMove::from).collect(),
            seconds: started.elapsed().as_secs_f64(),
            is_from_book: true,
            ..Info::default()
        };
        Ok(Choice { mv: Move::Play(square).into(), info })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Found;
    use super::super::tests::{grown, rules};
    use super::*;
    use crate::{GameBoard, PlayerSpec, Resources, hints};
    use reversi_rules::{Passing, Score, Scoring, Start};
    use reversi_solver::eval::Eval;
    use std::collections::HashSet;

    fn game(size: &str, rules: Rules, passing: Passing) -> Game {
        Game::new(GameBoard::start(size.parse().unwrap(), Start::Diagonal), rules, passing)
    }

    #[test]
    fn a_player_follows_its_book_and_then_plays_by_itself() {
        let (books, values) = (Books::from_iter([grown(4, 30)]), grown(4, 30).into_values());
        let resources = Resources { books, ..Resources::default() };
        let mut player = "engine:depth=1".parse::<PlayerSpec>().unwrap().build(&resources, 1);
        let mut game = game("8x8", rules(), Passing::Allowed);
        let mut from_book = 0;
        while let Some(moves) = values.moves_of(&game) {
            let choice = player.choose(&game, &Limits::default(), &Stop::never()).unwrap();
            let good = good(&moves).into_iter().map(|mv| GameMove::from(Move::Play(mv.square)));
            assert!(good.collect::<Vec<_>>().contains(&choice.mv), "{moves:?}");
            assert_eq!(choice.info.value, Some(moves[0].value));
            assert!(matches!(choice.info.value, Some(Value::Estimate(_))), "never called exact");
            assert_eq!((choice.info.nodes, choice.info.pv[0]), (0, choice.mv));
            assert!(choice.info.is_from_book);
            game.play(choice.mv).unwrap();
            from_book += 1;
        }
        let choice = player.choose(&game, &Limits::default(), &Stop::never()).unwrap();
        assert!(from_book > 0 && choice.info.nodes > 0 && !choice.info.is_from_book, "{from_book}");
    }

    #[test]
    fn the_seed_decides_between_moves_of_nearly_the_same_value() {
        let resources = Resources { books: Books::from_iter([grown(4, 30)]), ..Resources::default() };
        let mut player = "engine:depth=1".parse::<PlayerSpec>().unwrap().build(&resources, 1);
        let first = game("8x8", rules(), Passing::Allowed);
        let mut chosen = |seed| {
            player.new_game(seed);
            player.choose(&first, &Limits::default(), &Stop::never()).unwrap().mv.to_string()
        };
        let moves: Vec<String> = (0..40).map(&mut chosen).collect();
        assert_eq!(moves, (0..40).map(&mut chosen).collect::<Vec<_>>());
        let different: HashSet<&String> = moves.iter().collect();
        assert_eq!(different.len(), 4, "the four first moves are images of each other: {moves:?}");
    }

    /// Hints come from the book alone or from searches of one depth alone.
    #[test]
    fn hints_of_the_book_and_of_searches_are_not_mixed() {
        let (books, values) = (Books::from_iter([grown(4, 30)]), grown(4, 30).into_values());
        let resources = Resources { books, ..Resources::default() };
        let mut player = "engine:depth=3".parse::<PlayerSpec>().unwrap().build(&resources, 1);
        let mut game = game("8x8", rules(), Passing::Allowed);
        let mut rounds_of = |game: &Game| {
            let mut rounds: Vec<Vec<Hint>> = Vec::new();
            hints::deepen(&mut *player, game, 3, &Stop::never(), |round, _| rounds.push(round.to_vec()))
                .unwrap();
            rounds
        };
        while let Some(moves) = values.moves_of(&game) {
            let rounds = rounds_of(&game);
            let [hints] = &rounds[..] else { panic!("one report of the book: {rounds:?}") };
            assert!(hints.iter().all(|hint| hint.is_from_book && hint.mv == hint.pv[0]));
            let found: Vec<_> = hints.iter().map(|hint| (hint.mv, hint.value)).collect();
            let expected: Vec<_> =
                moves.iter().map(|mv| (GameMove::from(Move::Play(mv.square)), mv.value)).collect();
            assert_eq!(found, expected);
            for hint in hints {
                let mut after = game.clone();
                hint.pv.iter().for_each(|&mv| after.play(mv).unwrap());
            }
            game.play(hints[0].mv).unwrap();
        }
        let last = rounds_of(&game).pop().unwrap();
        assert!(last.iter().all(|hint| !hint.is_from_book && hint.depth == 3 && hint.nodes > 0), "{last:?}");
    }

    #[test]
    fn a_proved_move_does_not_prove_the_position() {
        let estimate = Found::new(Value::Estimate(Eval::from_discs(-1.0)), 4).unwrap();
        let exact = Found::new(Value::Exact(Score::new(-5)), 50).unwrap();
        let mut game = game("8x8", rules(), Passing::Allowed);
        game.play(game.legal_moves()[0]).unwrap();
        let replies = game.board().small().unwrap().position();
        let mut book = Book::new(rules());
        let missing = book.missing(replies);
        missing.iter().for_each(|&child| book.add(child, if child == missing[0] { exact } else { estimate }));
        for (all_exact, expected) in
            [(false, Value::Estimate(Eval::from_discs(5.0))), (true, Value::Exact(Score::new(5)))]
        {
            if all_exact {
                missing.iter().for_each(|&child| book.add(child, exact));
            }
            let values = book.clone().into_values();
            assert_eq!(values.moves_of(&game).unwrap()[0].value, Value::Exact(Score::new(5)));
            let resources = Resources { books: [book.clone()].into_iter().collect(), ..Resources::default() };
            let mut player = "engine:depth=1".parse::<PlayerSpec>().unwrap().build(&resources, 1);
            let choice = player.choose(&game, &Limits::default(), &Stop::never()).unwrap();
            assert_eq!(choice.info.value, Some(expected));
        }
    }

    #[test]
    fn a_book_is_used_in_games_of_its_rules_only() {
        let values = grown(4, 3).into_values();
        let other = Rules::new(rules().goal.other(), Scoring::Winner);
        assert!(values.moves_of(&game("8x8", rules(), Passing::Allowed)).is_some());
        for other in [
            game("6x6", rules(), Passing::Allowed),
            game("8x8", other, Passing::Allowed),
            game("8x8", rules(), Passing::EndsGame),
        ] {
            assert_eq!(values.moves_of(&other), None);
        }
    }
}
