//! A game as it is played: the first board, the moves, undo and redo, on any board from 3x3 to 24x24.

use super::board::GameBoard;
use crate::notation::{self, IllegalMove, TranscriptError};
use crate::{Color, Passing, Rules};
use reversi_naive::{Move as GameMove, Size};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Black's discs at the end.
    pub black: u32,
    /// White's discs at the end.
    pub white: u32,
    /// What the game is worth for Black in discs, under the game's goal and scoring: positive if Black has won.
    pub score: i32,
}

impl GameResult {
    /// The winner; `None` if the game is drawn.
    pub fn winner(self) -> Option<Color> {
        match self.score {
            0 => None,
            score if score > 0 => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

/// A move that cannot be made, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{mv}\": {reason}")]
pub struct PlayError {
    /// The move.
    pub mv: GameMove,
    /// What is wrong with it.
    pub reason: IllegalMove,
}

/// A move of a record that cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordedMoveError {
    /// The record gives it to a side that is not to move, and the other side need not pass.
    #[error("the other side is to move")]
    OtherSide,
    /// It is not legal.
    #[error("{0}")]
    Illegal(IllegalMove),
}

/// A game: where it began, the moves made, and those taken back.
///
/// ```
/// use reversi_rules::game::Game;
/// use reversi_rules::{Board, Geometry, Passing, Rules, Start};
/// let first = Board::start(Geometry::SIX, Start::Diagonal);
/// let mut game = Game::new(first.into(), Rules::default(), Passing::Allowed);
/// game.play_transcript("c2 b4 d5").unwrap();
/// assert_eq!(game.undo().unwrap().to_string(), "d5");
/// assert_eq!(game.transcript(), "c2b4");
/// assert_eq!(game.redo().unwrap().to_string(), "d5");
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    passing: Passing,
    /// The board before each move and after the last one, moves taken back included: one more than `moves`.
    boards: Vec<GameBoard>,
    moves: Vec<GameMove>,
    /// How many of `moves` are made; the rest can be redone.
    made: usize,
}

impl Game {
    /// A game that begins on `first`, whatever side is to move there.
    pub fn new(first: GameBoard, rules: Rules, passing: Passing) -> Game {
        Game { rules, passing, boards: vec![first], moves: Vec::new(), made: 0 }
    }

    /// What a finished game is worth.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What happens when the side to move has no move.
    pub fn passing(&self) -> Passing {
        self.passing
    }

    /// The board before the first move.
    pub fn first_board(&self) -> &GameBoard {
        &self.boards[0]
    }

    /// The board now.
    pub fn board(&self) -> &GameBoard {
        &self.boards[self.made]
    }

    /// The side to move, even if it has no move.
    pub fn to_move(&self) -> Color {
        self.board().to_move()
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.first_board().size()
    }

    /// The moves made, passes included, without those taken back.
    pub fn moves(&self) -> &[GameMove] {
        &self.moves[..self.made]
    }

    /// The moves taken back that can be made again, the next one first.
    pub fn undone(&self) -> &[GameMove] {
        &self.moves[self.made..]
    }

    /// The board before each move made and after the last: one more than [`Game::moves`].
    pub fn boards(&self) -> &[GameBoard] {
        &self.boards[..=self.made]
    }

    /// All legal moves in row-major order: only a pass where the side to move must pass, none when the game is over.
    pub fn legal_moves(&self) -> Vec<GameMove> {
        if self.must_pass() { vec![GameMove::Pass] } else { self.board().placements() }
    }

    /// Whether the side to move has to pass.
    pub fn must_pass(&self) -> bool {
        !self.board().has_placement() && !self.is_over()
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        !self.board().has_placement()
            && (self.passing == Passing::EndsGame || !self.board().passed().has_placement())
    }

    /// How the game ended; `None` while it goes on.
    pub fn result(&self) -> Option<GameResult> {
        self.is_over().then(|| {
            let (black, white) = (self.board().count(Color::Black), self.board().count(Color::White));
            GameResult { black, white, score: self.board().final_score(self.rules) }
        })
    }

    /// Makes a move; moves taken back before can no longer be redone.
    ///
    /// # Errors
    /// [`PlayError`] with the reason, and the game unchanged, if the move is not legal.
    pub fn play(&mut self, mv: GameMove) -> Result<(), PlayError> {
        let next = self.after(mv).ok_or_else(|| PlayError { mv, reason: self.why_illegal(mv) })?;
        self.forget_undone();
        self.moves.push(mv);
        self.boards.push(next);
        self.made += 1;
        Ok(())
    }

    /// Makes a move and, before it, a forced pass that was left out. Returns whether there was such a pass.
    ///
    /// # Errors
    /// [`PlayError`] with the reason, and the game unchanged, if the move is not legal.
    pub fn play_after_pass(&mut self, mv: GameMove) -> Result<bool, PlayError> {
        if mv == GameMove::Pass || !self.must_pass() {
            return self.play(mv).map(|()| false);
        }
        let before = self.clone();
        self.play(GameMove::Pass)?;
        self.play(mv).map(|()| true).inspect_err(|_| *self = before)
    }

    /// Makes a move of a record, made by the side `by` if the record names sides. A pass after the end of the game is
    /// left out, and a forced pass that the record leaves out is made before the move. Returns the moves made.
    ///
    /// # Errors
    /// The game is unchanged if the move is the other side's or not legal.
    pub fn play_recorded(
        &mut self,
        mv: GameMove,
        by: Option<Color>,
    ) -> Result<&[GameMove], RecordedMoveError> {
        let before = self.made;
        let is_late = mv == GameMove::Pass && self.is_over();
        if !is_late {
            let passes = mv != GameMove::Pass && by != Some(self.to_move()) && self.must_pass();
            let side = if passes { self.to_move().other() } else { self.to_move() };
            if by.is_some_and(|by| by != side) {
                return Err(RecordedMoveError::OtherSide);
            }
            let played = if passes { self.play_after_pass(mv).map(drop) } else { self.play(mv) };
            played.map_err(|error| RecordedMoveError::Illegal(error.reason))?;
        }
        Ok(&self.moves[before..self.made])
    }

    /// Reads one word as a move on this board, not yet known to be legal.
    ///
    /// # Errors
    /// [`IllegalMove::Syntax`] or [`IllegalMove::NoSuchSquare`].
    pub fn read_move(&self, word: &str) -> Result<GameMove, IllegalMove> {
        let square = notation::parse_token(self.size().width(), self.size().height(), word.trim())?;
        Ok(square.map_or(GameMove::Pass, |(column, row)| GameMove::Play(column, row)))
    }

    /// Makes the moves of a transcript, including forced passes that it leaves out.
    ///
    /// # Errors
    /// The first token that cannot be played, with its number and the reason; the moves before it stay made.
    pub fn play_transcript(&mut self, text: &str) -> Result<(), TranscriptError> {
        for (place, token) in notation::tokens(text).enumerate() {
            let fail = |reason| TranscriptError { number: place + 1, token: token.to_owned(), reason };
            let mv = self.read_move(token).map_err(fail)?;
            self.play_after_pass(mv).map_err(|error| fail(error.reason))?;
        }
        Ok(())
    }

    fn forget_undone(&mut self) {
        self.moves.truncate(self.made);
        self.boards.truncate(self.made + 1);
    }

    /// Takes the last move back and returns it; `None` at the first board.
    pub fn undo(&mut self) -> Option<GameMove> {
        self.made = self.made.checked_sub(1)?;
        Some(self.moves[self.made])
    }

    /// Makes the move last taken back again and returns it; `None` if there is none.
    pub fn redo(&mut self) -> Option<GameMove> {
        let mv = *self.moves.get(self.made)?;
        self.made += 1;
        Some(mv)
    }

    /// The moves made, run together, passes written as `pa`.
    pub fn transcript(&self) -> String {
        self.moves().iter().map(GameMove::to_string).collect()
    }

    fn after(&self, mv: GameMove) -> Option<GameBoard> {
        match mv {
            GameMove::Play(column, row) => self.board().after_placement(column, row),
            GameMove::Pass => self.must_pass().then(|| self.board().passed()),
        }
    }

    fn why_illegal(&self, mv: GameMove) -> IllegalMove {
        self.board().to_naive().why_illegal(mv, self.passing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Start;

    fn game(size: &str, passing: Passing) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::default(), passing)
    }

    #[test]
    fn undo_and_redo_walk_the_same_boards() {
        let mut game = game("6x6", Passing::Allowed);
        game.play_transcript("c2b4d5e2").unwrap();
        let boards = game.boards().to_vec();
        for board in boards.iter().rev().skip(1) {
            assert!(game.undo().is_some());
            assert_eq!(game.board(), board);
        }
        assert_eq!(game.undo(), None, "nothing before the first board");
        for board in &boards[1..] {
            assert!(game.redo().is_some());
            assert_eq!(game.board(), board);
        }
        assert_eq!(game.redo(), None);
    }

    #[test]
    fn a_new_move_forgets_those_taken_back() {
        let mut game = game("6x6", Passing::Allowed);
        game.play_transcript("c2b4").unwrap();
        game.undo();
        assert_eq!(game.undone().len(), 1);
        game.play_transcript("b2").unwrap();
        assert_eq!(game.undone(), []);
        assert_eq!(game.transcript(), "c2b2");
    }

    #[test]
    fn an_illegal_move_after_a_pass_that_was_left_out_leaves_the_game_as_it_was() {
        let mut game = game("3x3", Passing::Allowed);
        game.play_transcript("c2c1pab3").unwrap();
        game.undo();
        game.undo();
        assert!(game.must_pass());
        let undone = game.undone().to_vec();
        let occupied = GameMove::Play(2, 1);
        assert_eq!(game.play_after_pass(occupied).unwrap_err().reason, IllegalMove::Occupied);
        assert_eq!((game.undone(), game.transcript()), (&undone[..], "c2c1".to_owned()));
        assert_eq!(game.play_after_pass(GameMove::Play(1, 2)), Ok(true));
    }

    #[test]
    fn a_record_may_leave_out_a_pass_and_may_end_with_one() {
        let first = GameBoard::parse(None, "-OX XO- --- X").unwrap();
        let (corner, last) = (GameMove::Play(0, 0), GameMove::Play(2, 2));
        let begun = || {
            let mut game = Game::new(first.clone(), Rules::default(), Passing::Allowed);
            assert_eq!(game.play_recorded(corner, Some(Color::Black)), Ok(&[corner][..]));
            game
        };
        for by in [None, Some(Color::Black)] {
            let mut game = begun();
            assert_eq!(game.play_recorded(last, by), Ok(&[GameMove::Pass, last][..]), "{by:?}");
        }
        let mut game = begun();
        let no_move = RecordedMoveError::Illegal(IllegalMove::TurnsNothing);
        assert_eq!(game.play_recorded(last, Some(Color::White)), Err(no_move), "White must pass");
        assert_eq!(game.play_recorded(GameMove::Pass, Some(Color::Black)), Err(RecordedMoveError::OtherSide));
        let occupied = game.play_recorded(GameMove::Play(1, 0), None);
        assert_eq!(occupied, Err(RecordedMoveError::Illegal(IllegalMove::Occupied)));
        assert_eq!(game.transcript(), "a1", "a move that is refused changes nothing");
        while let Some(&mv) = game.legal_moves().first() {
            game.play(mv).unwrap();
        }
        for by in [None, Some(Color::Black), Some(Color::White)] {
            assert_eq!(game.play_recorded(GameMove::Pass, by), Ok(&[][..]), "a pass after the end");
        }
    }

    #[test]
    fn illegal_moves_leave_the_game_as_it_was() {
        let mut game = game("6x6", Passing::Allowed);
        for (text, reason) in [
            ("a1", IllegalMove::TurnsNothing),
            ("c3", IllegalMove::Occupied),
            ("g7", IllegalMove::NoSuchSquare(6, 6)),
            ("x24", IllegalMove::NoSuchSquare(6, 6)),
            ("pa", IllegalMove::MustMove),
        ] {
            assert_eq!(game.play_transcript(text).unwrap_err().reason, reason, "{text}");
        }
        assert_eq!(game.moves(), []);
    }

    #[test]
    fn an_illegal_move_after_a_pass_that_was_left_out_takes_the_pass_back() {
        let first = GameBoard::parse(None, "-OX XO- --- X").unwrap();
        let mut game = Game::new(first, Rules::default(), Passing::Allowed);
        game.play_transcript("a1").unwrap();
        assert!(game.must_pass());
        assert!(game.play_transcript("c1").is_err());
        assert_eq!((game.transcript().as_str(), game.undone()), ("a1", &[][..]));
    }

    #[test]
    fn without_passing_the_game_ends_where_a_pass_would_be() {
        // After a1 White's only disc is b2, and nothing lies behind the black discs around it.
        let first = GameBoard::parse(None, "-OX XO- --- X").unwrap();
        for passing in [Passing::Allowed, Passing::EndsGame] {
            let mut game = Game::new(first.clone(), Rules::default(), passing);
            game.play_transcript("a1").unwrap();
            assert!(game.board().placements().is_empty(), "White cannot move: {}", game.board());
            assert!(!game.board().passed().placements().is_empty(), "Black could: {}", game.board());
            assert_eq!(game.is_over(), passing == Passing::EndsGame);
            assert_eq!(game.must_pass(), passing == Passing::Allowed);
        }
    }

    #[test]
    fn small_and_large_boards_play_alike() {
        for (size, moves) in [("8x8", "f5d6c3d3c4"), ("12x12", "h7f8e5f5e6")] {
            let mut game = game(size, Passing::Allowed);
            game.play_transcript(moves).unwrap();
            assert_eq!(game.board().small().is_some(), size == "8x8");
            assert_eq!(
                (game.board().count(Color::Black), game.board().count(Color::White)),
                (6, 3),
                "{size}"
            );
            assert_eq!(game.legal_moves(), GameBoard::from(game.board().to_naive()).placements());
            assert_eq!(game.transcript(), moves);
        }
    }

    #[test]
    fn the_result_is_judged_by_goal_and_scoring() {
        let first = GameBoard::parse(None, "XXX XX- --- X").unwrap();
        let result = |rules| Game::new(first.clone(), rules, Passing::Allowed).result().unwrap();
        use crate::{Goal, Scoring};
        assert_eq!(result(Rules::new(Goal::Normal, Scoring::Raw)).score, 5);
        assert_eq!(result(Rules::new(Goal::Normal, Scoring::Winner)).score, 9);
        let reversed = result(Rules::new(Goal::Reversed, Scoring::Winner));
        assert_eq!((reversed.score, reversed.winner()), (-9, Some(Color::White)));
    }
}
