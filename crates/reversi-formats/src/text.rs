//! Reads a game from any text that people pass on: GGF, a problem of Edax, a board with moves after it, or moves alone.

use crate::ggf::{self, Annotated, GgfError, Record};
use crate::obf::{self, ObfError, ObfFault};
use reversi_rules::game::{Game, GameBoard, GameSetup, PlayError};
use reversi_rules::naive::MAX_SIDE;
use reversi_rules::notation::{self, BoardError, TranscriptError};
use std::iter;

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, all its moves made.
    pub game: Game,
    /// What the text says of its moves.
    pub notes: Vec<Annotated>,
    /// Who played Black and who White; empty where the text says nothing.
    pub players: [String; 2],
}

impl From<Game> for Reading {
    /// A game of which nothing else is said.
    fn from(game: Game) -> Reading {
        Reading { game, notes: Vec::new(), players: Default::default() }
    }
}

/// A text that holds no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It looks like GGF.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// It looks like a problem of Edax.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// It looks like a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Moves after a board.
    #[error(transparent)]
    Moves(TranscriptError),
    /// It looks like moves alone, from the setup's first board.
    #[error(transparent)]
    BareMoves(TranscriptError),
    /// A move of a GGF game, where games end without passing.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Reads the first game of a GGF text or of lines of moves, the first position of a problem file, or a board and moves.
/// Moves without a board begin as the setup says; the goal is the setup's unless the text names one.
///
/// # Errors
/// What is wrong with the text.
///
/// ```
/// use reversi_rules::game::GameSetup;
/// use reversi_formats::text;
/// use reversi_rules::Goal;
/// let setup = GameSetup::new("6x6".parse().unwrap());
/// assert_eq!(text::read("c2 B4 d5", setup).unwrap().game.transcript(), "c2b4d5");
/// assert_eq!(text::read("-----OX--XO----- X b1", setup).unwrap().game.size().to_string(), "4x4");
/// assert_eq!(text::read("(;GM[Othello]TY[4a]B[b1];)", setup).unwrap().game.rules().goal, Goal::Reversed);
/// ```
pub fn read(text: &str, setup: GameSetup) -> Result<Reading, ReadError> {
    read_each(text, setup).next().expect("a text is one game at least, or one fault")
}

/// Reads all games of a GGF text or of lines of moves, each as it is asked for, all positions of a problem file, and of
/// any other text what [`read`] finds. A game that cannot be read is an error in its place, a fault of a problem file
/// the only thing there is.
///
/// ```
/// use reversi_rules::game::GameSetup;
/// use reversi_formats::text;
/// let setup = GameSetup::new("4x4".parse().unwrap());
/// let games = "(;GM[Othello]TY[4]B[a1];) (;GM[Othello]TY[4]PB[me]B[b1];)";
/// let games: Vec<_> = text::read_each(games, setup).collect();
/// assert!(games[0].is_err());
/// assert_eq!(games[1].as_ref().unwrap().players[0], "me");
/// ```
pub fn read_each(text: &str, setup: GameSetup) -> Box<dyn Iterator<Item = Result<Reading, ReadError>> + '_> {
    // The mark that some editors put before a text.
    let text = text.trim_start_matches('\u{feff}');
    if text.contains("(;") {
        return Box::new(ggf::records(text).map(move |record| read_record(record?, setup)));
    }
    if text.contains(';') {
        return match read_problems(text, setup) {
            Ok(readings) => Box::new(readings.into_iter().map(Ok)),
            Err(error) => Box::new(iter::once(Err(error))),
        };
    }
    match read_moves(text, setup) {
        Err(_) if has_games_in_lines(text, setup) => {
            Box::new(lines(text).map(move |line| read_moves(line, setup)))
        }
        one => Box::new(iter::once(one)),
    }
}

/// A board, if there is one, and moves.
fn read_moves(text: &str, setup: GameSetup) -> Result<Reading, ReadError> {
    let (first, moves) = match end_of_board(text, |cells| is_board(setup, cells)) {
        Some(end) => (Some(read_board(&text[..end], setup)?), &text[end..]),
        None if looks_like_cells(text) => (Some(read_board(text, setup)?), ""),
        None => (None, text),
    };
    let refused = if first.is_some() { ReadError::Moves } else { ReadError::BareMoves };
    let mut game = setup.game_from(first.unwrap_or_else(|| GameBoard::start(setup.size, setup.start)));
    game.play_transcript(moves).map_err(refused)?;
    Ok(game.into())
}

/// The lines that are not blank.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// Whether the lines have games of their own: the first begins as a game does, and another is a whole game,
/// with a board or without one as the first, and does not go on with what stands before it. A line that goes
/// on and then is at fault is one of a single game.
fn has_games_in_lines(text: &str, setup: GameSetup) -> bool {
    let has_board = |line| end_of_board(line, |cells| is_board(setup, cells)).is_some();
    let mut lines = lines(text);
    let Some(first) = lines.next() else { return false };
    let mut game = match read_moves(first, setup) {
        Ok(reading) => Some(reading.game),
        Err(ReadError::Moves(error) | ReadError::BareMoves(error)) if error.number > 1 => None,
        Err(_) => return false,
    };
    for line in lines {
        match game.as_mut().map(|game| game.play_transcript(line)) {
            Some(Ok(())) => {}
            Some(Err(error)) if error.number > 1 => return false,
            _ if has_board(line) == has_board(first) && read_moves(line, setup).is_ok() => return true,
            _ => {}
        }
    }
    false
}

fn read_record(record: Record, setup: GameSetup) -> Result<Reading, ReadError> {
    let game = record.game(GameSetup { goal: record.goal, ..setup })?;
    Ok(Reading { game, notes: record.moves().to_vec(), players: [record.black, record.white] })
}

/// The positions, one at least: the setup's first board where there are only comments.
fn read_problems(text: &str, setup: GameSetup) -> Result<Vec<Reading>, ReadError> {
    let file = obf::parse(text, None).or_else(|error| {
        match (&error.fault, reversi_rules::Geometry::from_size(setup.size)) {
            (ObfFault::Board(_), Some(geometry)) => {
                // The one that comes further knows the boards of the file.
                obf::parse(text, Some(geometry))
                    .map_err(|other| if other.line < error.line { error } else { other })
            }
            _ => Err(error),
        }
    })?;
    let setup =
        GameSetup { goal: file.goal.unwrap_or(setup.goal), scoring: file.scoring.or(setup.scoring), ..setup };
    let mut boards: Vec<GameBoard> = file.records.iter().map(|record| record.board.into()).collect();
    if boards.is_empty() {
        boards.push(GameBoard::start(setup.size, setup.start));
    }
    Ok(boards.into_iter().map(|board| setup.game_from(board).into()).collect())
}

/// The setup's size where the cells are as many, or else the square board that has as many.
fn read_board(text: &str, setup: GameSetup) -> Result<GameBoard, BoardError> {
    GameBoard::parse(Some(setup.size), text).or_else(|_| GameBoard::parse(None, text))
}

fn is_board(setup: GameSetup, cells: usize) -> bool {
    cells == setup.size.square_count() as usize || (3..=MAX_SIDE).any(|side| (side * side) as usize == cells)
}

/// More dashes than any pass has: a board with a fault in it rather than moves, of which a number may have dots.
fn looks_like_cells(text: &str) -> bool {
    !notation::begins_with_a_square(text) && ["---", "..."].iter().any(|run| text.contains(run))
}

/// Where the side to move ends and moves may begin: the last place at which everything before it is
/// cells and a side, the cells as many as a board has.
pub fn end_of_board(line: &str, is_board: impl Fn(usize) -> bool) -> Option<usize> {
    let symbols = line.char_indices().filter(|(_, symbol)| !symbol.is_whitespace());
    let mut end = None;
    for (cells, (place, symbol)) in symbols.enumerate() {
        let is_side = notation::read_side(symbol).is_some();
        let after = place + symbol.len_utf8();
        if is_side && is_board(cells) && line[after..].chars().next().is_none_or(char::is_whitespace) {
            end = Some(after);
        }
        if !is_side && !['-', '.'].contains(&symbol) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Goal;

    fn read_on(size: &str, text: &str) -> Result<Game, String> {
        let setup = GameSetup::new(size.parse().unwrap());
        read(text, setup).map(|reading| reading.game).map_err(|error| error.to_string())
    }

    #[test]
    fn every_form_gives_the_same_game() {
        for text in [
            "b1a1",
            " B1 a1\n",
            "1. b1 1... a1",
            "\u{feff}b1 a1",
            "-----OX--XO----- X b1 a1",
            "----\n-OX-\n-XO-\n---- X\nb1a1",
            "(;GM[Othello]PB[me]TY[4]BO[4 -----O*--*O----- *]B[b1]W[a1];)",
        ] {
            let game = read_on("4x4", text).unwrap();
            assert_eq!((game.size().to_string(), game.transcript()), ("4x4".into(), "b1a1".into()), "{text}");
        }
    }

    #[test]
    fn of_games_line_by_line_the_first_is_read() {
        let read = |text: &str| read_on("4x4", text).map(|game| game.transcript());
        assert_eq!(read("b1a1a2c1\n\nb1c1\nd3\n").as_deref(), Ok("b1a1a2c1"));
        assert_eq!(read("b1a1\na2c1\n").as_deref(), Ok("b1a1a2c1"), "one game on two lines");
        assert_eq!(read("b1a1a2c1\nb1c1\nz9").as_deref(), Ok("b1a1a2c1"), "the third one is not asked for");
        assert!(read("b1a1a2c1\nz9").unwrap_err().starts_with("move 5 \"z9\""));
        let start = "-----OX--XO----- X";
        assert_eq!(read(&format!("{start} b1\n{start} b1a1\n")).as_deref(), Ok("b1"));
        assert!(read(&format!("{start}\nb1a1\nz9")).unwrap_err().starts_with("move 3 \"z9\""));
    }

    #[test]
    fn each_game_of_several_is_read_and_each_fault_in_its_place() {
        let setup = GameSetup::new("4x4".parse().unwrap());
        let read = |text: &str| -> Vec<Result<String, String>> {
            let games = read_each(text, setup);
            games
                .map(|game| game.map(|read| read.game.transcript()).map_err(|error| error.to_string()))
                .collect()
        };
        let fault = |place: &str| Err(format!("{place}move 2 \"z9\": no such square on a 4x4 board"));
        assert_eq!(
            read("b1a1\n\nb1c1\nd3z9\nd3"),
            [Ok("b1a1".into()), Ok("b1c1".into()), fault(""), Ok("d3".into())]
        );
        let first_is_at_fault = [fault(""), Ok("b1c1".into())];
        assert_eq!(read("b1z9\r\nb1c1\r\n"), first_is_at_fault);
        assert_eq!(read("\u{feff}b1a1\nz9\nb1c1").len(), 3, "the second is at fault");
        assert_eq!(read("b1a1\na2c1\n"), [Ok("b1a1a2c1".into())]);
        assert_eq!(read("b1a1\na2c1z9\n"), [Err("move 5 \"z9\": no such square on a 4x4 board".into())]);
        assert_eq!(read("b1a1\na2\nc1z9\n").len(), 1, "one game on three lines, at fault");
        let ggf = "(;GM[Othello]TY[4]B[b1];)\n(;GM[Othello]TY[4]B[b1]W[z9];)(;GM[Othello]TY[4]B[d3];)";
        assert_eq!(read(ggf), [Ok("b1".into()), fault("game 2: "), Ok("d3".into())]);
        let ggf = "(;GM[Othello]TY[4]C[see (;y]B[b1]W[z9];)(;GM[Othello]TY[4]B[d3];)";
        assert_eq!(read(ggf), [fault("game 1: "), Ok("d3".into())], "a comment is no game");
        let ggf = "(;GM[Othello]TY(4)B[b1];)(;GM[Othello]TY[4]B[d3];)";
        assert_eq!(read(ggf)[1..], [Ok("d3".into())], "what is no list of tags has no known end");
        assert_eq!(read(""), [Ok("".into())], "a game without a move");
    }

    #[test]
    fn the_text_names_the_board() {
        for (text, size) in [
            ("-----OX--XO----- X", "4x4"),
            ("(;GM[Othello]TY[6a];)", "6x6"),
            ("-----OX--XO----- X; b1:-8;", "4x4"),
            ("---- -OX- -XO- ---- ---- ---- X", "4x6"),
        ] {
            assert_eq!(read_on("4x6", text).unwrap().size().to_string(), size, "{text}");
        }
    }

    #[test]
    fn a_problem_names_its_goal() {
        let game = read_on("8x8", "% goal=reversed scoring=raw\n-----OX--XO----- X; b1:+3;").unwrap();
        assert_eq!(game.rules().goal, Goal::Reversed);
    }

    #[test]
    fn a_file_of_problems_is_so_many_positions() {
        let setup = GameSetup::new("8x8".parse().unwrap());
        let text = "-----OX--XO----- X;\n\n% and on 6x6\n--------------OX----XO-------------- O; e3:+4;\n";
        let sizes = read_each(text, setup).map(|reading| reading.unwrap().game.size().to_string());
        assert_eq!(sizes.collect::<Vec<_>>(), ["4x4", "6x6"]);
        assert_eq!(read_each("% nothing;", setup).count(), 1, "the start");
    }

    /// The boards of a file may be those of the setup or square ones: told is how far the better guess came.
    #[test]
    fn of_a_file_of_problems_the_fault_is_told_and_not_another_guess() {
        let bad_move = "a1:+4;";
        for (size, board) in [("8x8", "-----OX--XO----- X;"), ("5x4", "-------OX---XO------ X;")] {
            let error = read_on(size, &format!("{board}\n{board} {bad_move}\n")).unwrap_err();
            assert_eq!(error, "line 2: move \"a1\": turns no disc", "{size}");
        }
    }

    #[test]
    fn bad_texts_are_told_what_is_wrong() {
        for (text, part) in [
            ("b1 z9", "move 2 \"z9\": no such square"),
            ("hello", "move 1 \"hello\": neither a square nor a pass"),
            ("-----OX--XO--?-- X", "cell 14 is '?'"),
            ("-----OX--XO---- X", "the side to move is missing"),
            ("-----OX--XO- X", "no square board"),
            ("(;GM[Chess];)", "not of Othello"),
            ("-----OX--XO----- X; a1:+4;", "turns no disc"),
        ] {
            let message = read_on("4x4", text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
