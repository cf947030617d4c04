//! Reads games and positions from any text or file that people pass on, by what it holds and not by its name: GGF, SGF,
//! PGN, WTHOR, games of Othello Quest, problems of Edax, and boards and moves in no format at all.

pub use crate::error::ReadError;
pub use crate::reading::{Kind, Reading};

use crate::decode::without_mark;
use crate::drawings::Entries;
use crate::ggf::{self, Record};
use crate::obf::{self, ObfFault};
use crate::own;
use crate::pgn;
use crate::quest;
use crate::reader::{Wanted, begins_with_board, read_plain};
use crate::sgf;
use crate::wthor;
use reversi_rules::game::{GameBoard, GameSetup};
use std::iter;

/// Games of a text, one after the other.
pub type Readings<'a> = Box<dyn Iterator<Item = Result<Reading, ReadError>> + 'a>;

/// Reads the first game or position of a text. Moves without a board begin as the setup says; the goal is the setup's
/// unless the text names one, if only in a line such as `% goal=reversed` before boards and moves in no format.
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
pub fn read(text: &str, wanted: impl Into<Wanted>) -> Result<Reading, ReadError> {
    read_as(text, wanted.into(), Asked::One).next().expect("a text is one game at least, or one fault")
}

/// What a text is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// One game: a line that begins as a game but has a fault is not taken for a game of its own.
    One,
    /// All games.
    Each,
}

/// Reads all games of a text lazily: all positions of a problem file, and of any other text what [`read`] finds. A game
/// that cannot be read is an error in its place; a fault in a problem file is the only item.
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
pub fn read_each(text: &str, wanted: impl Into<Wanted>) -> Readings<'_> {
    read_as(text, wanted.into(), Asked::Each)
}

fn read_as(text: &str, wanted: Wanted, asked: Asked) -> Readings<'_> {
    let text = without_mark(text);
    if sgf::is_sgf(text) {
        return Box::new(sgf::games(text, wanted.setup).map(|game| Ok(game?)));
    }
    if quest::is_json(text) {
        return match quest::games(text, &wanted) {
            Ok(games) => Box::new(games.into_iter().map(|game| Ok(game?))),
            Err(error) => Box::new(iter::once(Err(error.into()))),
        };
    }
    if ggf::has_record(text) {
        return Box::new(ggf::records(text).map(move |record| read_record(record?, &wanted)));
    }
    if let Some(columns) = own::columns_of(text) {
        let mut rows = own::positions(text, columns, wanted).map(|row| Ok(row?)).peekable();
        return match rows.peek() {
            None => Box::new(iter::once(Err(ReadError::Nothing))),
            Some(_) => Box::new(rows),
        };
    }
    if pgn::is_pgn(text) {
        return Box::new(pgn::games(text, wanted).map(|game| Ok(game?)));
    }
    if is_obf(text) {
        return match read_problems(text, &wanted) {
            Ok(readings) => Box::new(readings.into_iter().map(Ok)),
            Err(error) => Box::new(iter::once(Err(error))),
        };
    }
    let wanted = match obf::settings(text) {
        Ok(named) => Wanted { setup: under(wanted.setup, &named), ..wanted },
        Err(error) => return Box::new(iter::once(Err(error.into()))),
    };
    if asked == Asked::Each
        && let Some(drawings) = several_drawings(text, wanted)
    {
        return Box::new(drawings.into_iter().map(move |drawing| read_moves(&drawing, &wanted)));
    }
    let each_line = || Box::new(lines(text).map(move |line| read_moves(line, &wanted)));
    match read_moves(text, &wanted) {
        Ok(one) if asked == Asked::Each && are_games_too(text, &wanted) => {
            if lines(text).all(|line| number_before(line) == Some(1)) {
                return each_line();
            }
            let other = "a game on each line; number the moves, each game from 1";
            let error = ReadError::ambiguous(&one.game.transcript(), "one game", other);
            Box::new(iter::once(Err(error)))
        }
        Err(_) if has_games_in_lines(text, &wanted, asked) => each_line(),
        one => Box::new(iter::once(one)),
    }
}

/// Reads all games of a file in any form: a text in an encoding that [`crate::decode::text`] recognizes, or a WTHOR
/// file. `names` are the players and tournaments of a WTHOR file; the default has none. A file that is empty or has
/// comments alone is an error, unlike an empty text, which is a game without a move.
pub fn read_bytes(
    bytes: &[u8],
    names: &wthor::Names,
    wanted: impl Into<Wanted>,
) -> Vec<Result<Reading, ReadError>> {
    let wanted = wanted.into();
    if wthor::is_wthor(bytes) {
        return match wthor::games(bytes, names, wanted.setup) {
            Ok(games) => games.into_iter().map(|game| Ok(game?)).collect(),
            Err(error) => vec![Err(error.into())],
        };
    }
    if let Some(error) = wthor::fault(bytes) {
        return vec![Err(error.into())];
    }
    let text = crate::decode::text(bytes);
    if text.contains('\0') {
        return vec![Err(ReadError::Binary)];
    }
    if says_nothing(&text) {
        return vec![Err(ReadError::Nothing)];
    }
    read_each(&text, wanted).collect()
}

/// Whether all lines are blank or comments.
fn says_nothing(text: &str) -> bool {
    lines(without_mark(text)).all(|line| line.trim_start().starts_with(';'))
}

/// Whether it is a file of problems: a line has a board before its first semicolon.
pub fn is_obf(text: &str) -> bool {
    lines(text).any(|line| {
        let content = line.split('%').next().unwrap_or_default();
        content.split_once(';').is_some_and(|(board, _)| begins_with_board(board))
    })
}

/// A board, if there is one, and moves.
fn read_moves(text: &str, wanted: &Wanted) -> Result<Reading, ReadError> {
    let read = read_plain(text, wanted)?;
    let kind = if read.has_board { Kind::Board } else { Kind::Moves };
    Ok(Reading { has_board: read.has_board, skipped: read.skipped, ..Reading::new(read.game, kind) })
}

/// The drawings of a text that has nothing but drawings, two or more, each perhaps with the answer of this program below
/// it.
fn several_drawings(text: &str, wanted: Wanted) -> Option<Vec<String>> {
    let lines = text.lines().map(|line| Ok(line.to_owned()));
    let entries = Entries::new(lines, wanted).map(|entry| entry.expect("the lines are there").1);
    let drawings: Vec<String> = entries.filter(|entry| !is_blank(entry)).collect();
    (drawings.len() > 1 && drawings.iter().all(|entry| entry.contains('\n'))).then_some(drawings)
}

/// Whether the lines of a text that reads as one game of moves alone are whole games too, unless the numbers of their
/// moves go on.
fn are_games_too(text: &str, wanted: &Wanted) -> bool {
    let is_game = |line| {
        let alone = read_moves(line, wanted);
        alone.is_ok_and(|alone| !alone.has_board && !alone.game.moves().is_empty()) && !has_later_number(line)
    };
    lines(text).count() > 1 && lines(text).all(is_game)
}

/// The lines that are not blank.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !is_blank(line))
}

/// Whether a line is blank or a comment.
fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', '%'])
}

/// Whether each line of a text that cannot be read as one game is a game of its own.
///
/// The first line must begin as a game does. Then another line must be a whole game, with a board if and only if the
/// first line has one, and must not continue the game before it. A line that continues the game and then has a fault
/// belongs to a single game. If each game is asked for, such a line counts too if it alone is a whole game of more than
/// one move, and a line that does not continue the game counts if it alone begins as a game does.
fn has_games_in_lines(text: &str, wanted: &Wanted, asked: Asked) -> bool {
    let has_board = |line: &str| begins_with_board(line);
    let mut lines = lines(text);
    let Some(first) = lines.next() else { return false };
    let mut game = match read_moves(first, wanted) {
        Ok(reading) if !reading.has_board && reading.game.moves().is_empty() => return false,
        Ok(reading) => Some(reading.game),
        Err(error) if is_behind_a_move(&error) || has_board(first) => None,
        Err(_) => return false,
    };
    for line in lines {
        let goes_on = game.as_mut().map(|game| crate::reader::play_moves(game, line));
        if matches!(goes_on, Some(Ok(_))) {
            continue;
        }
        let is_like_first = has_board(line) == has_board(first) && !has_later_number(line);
        let alone = read_moves(line, wanted);
        if goes_on.is_some_and(|end| end.is_err_and(|error| is_behind_a_move(&error))) {
            // A single move may belong to either game.
            let is_whole = alone.is_ok_and(|alone| alone.game.moves().len() > 1);
            return asked == Asked::Each && is_like_first && is_whole;
        }
        match alone {
            Ok(_) if is_like_first => return true,
            Err(error) if asked == Asked::Each && is_like_first && is_behind_a_move(&error) => return true,
            _ => {}
        }
    }
    false
}

/// Whether at least the first move is legal.
fn is_behind_a_move(error: &ReadError) -> bool {
    matches!(error, ReadError::Moves(error) | ReadError::BareMoves(error) if error.number > 1)
}

/// Whether a line begins with the number of a move that is not the first of its game, as in `3. c4 e3`.
fn has_later_number(line: &str) -> bool {
    number_before(line).is_some_and(|number| number > 1)
}

/// The number of a move with which a line begins, as in `3. c4 e3`.
fn number_before(line: &str) -> Option<u32> {
    line.trim_start().split_once('.').and_then(|(number, _)| number.parse().ok())
}

fn read_record(record: Record, wanted: &Wanted) -> Result<Reading, ReadError> {
    let game = record.game(GameSetup { goal: record.goal, ..wanted.setup })?;
    let notes = record.moves().to_vec();
    let outcome = record.outcome();
    Ok(Reading {
        notes,
        players: [record.black, record.white],
        occasion: [record.date, record.place],
        other_tags: record.other_tags,
        outcome,
        ..Reading::new(game, Kind::Ggf)
    })
}

/// The positions of a problem file; if it has only comments, the setup's first board.
fn read_problems(text: &str, wanted: &Wanted) -> Result<Vec<Reading>, ReadError> {
    let setup = wanted.setup;
    let asked = obf::Asked { geometry: None, side: wanted.side, zero: wanted.zero };
    let file = obf::parse(text, asked).or_else(|error| {
        match (&error.fault, reversi_rules::Geometry::from_size(setup.size)) {
            (ObfFault::Board(_), Some(geometry)) => {
                // The guess that reads further fits the boards of the file.
                obf::parse(text, obf::Asked { geometry: Some(geometry), ..asked })
                    .map_err(|other| if other.line < error.line { error } else { other })
            }
            _ => Err(error),
        }
    })?;
    let setup = under(setup, &file);
    let mut boards: Vec<GameBoard> = file.records.iter().map(|record| record.board.into()).collect();
    if boards.is_empty() {
        boards.push(GameBoard::start(setup.size, setup.start));
    }
    Ok(boards.into_iter().map(|board| Reading::new(setup.game_from(board), Kind::Obf)).collect())
}

/// The setup under the rules that a text names.
fn under(setup: GameSetup, named: &obf::File) -> GameSetup {
    let goal = named.goal.unwrap_or(setup.goal);
    GameSetup { goal, scoring: named.scoring.or(setup.scoring), ..setup }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Goal;
    use reversi_rules::game::Game;

    fn read_on(size: &str, text: &str) -> Result<Game, String> {
        let setup = GameSetup::new(size.parse().unwrap());
        read(text, setup).map(|reading| reading.game).map_err(|error| error.to_string())
    }

    /// The moves or the fault of each game of a text.
    fn each_on(size: &str, text: &str) -> Vec<Result<String, String>> {
        let games = read_each(text, GameSetup::new(size.parse().unwrap()));
        games.map(|game| game.map(|read| read.game.transcript()).map_err(|error| error.to_string())).collect()
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
        let read = |text: &str| each_on("4x4", text);
        let fault = |place: &str| Err(format!("{place}move 2 \"z9\": no such square on 4x4"));
        assert_eq!(
            read("b1a1\n\nb1c1\nd3z9\nd3"),
            [Ok("b1a1".into()), Ok("b1c1".into()), fault(""), Ok("d3".into())]
        );
        let first_is_at_fault = [fault(""), Ok("b1c1".into())];
        assert_eq!(read("b1z9\r\nb1c1\r\n"), first_is_at_fault);
        assert_eq!(read("\u{feff}b1a1\nz9\nb1c1").len(), 3, "the second is at fault");
        assert!(
            read("b1a1\na2c1\n")[0].as_ref().unwrap_err().contains("as one game or as a game on each line")
        );
        assert_eq!(read("b1a1\na2c1z9\n"), [Err("move 5 \"z9\": no such square on 4x4".into())]);
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
    fn a_line_that_could_go_on_with_the_game_before_it_may_begin_one() {
        let read = |text: &str| each_on("8x8", text);
        let ok = |moves: &str| Ok(moves.to_owned());
        let fault = Err("move 2 \"d9\": no such square on 8x8".to_owned());
        assert_eq!(read("f5d6\nc4e3\n"), [ok("f5d6"), ok("c4e3")], "c4 could be the third move");
        assert_eq!(read("f5d6c3\nf5d9\n"), [ok("f5d6c3"), fault.clone()]);
        assert_eq!(read("f5d9\nf5d6c3\n"), [fault, ok("f5d6c3")]);
        assert_eq!(read("f5d6c3\nd3c4\n"), [ok("f5d6c3d3c4")], "d3 and c4 begin no game");
        assert_eq!(read("f5d6c3\nd3a1\n"), [Err("move 5 \"a1\": turns no disc".to_owned())]);
        let turns_none = Err("move 6 \"e3\": turns no disc".to_owned());
        assert_eq!(read("1. f5 d6 2. c3 d3\n3. c4 e3 4. f4\n"), [turns_none], "numbers of one game");
        // Who asks for one game gets no part of a faulty one.
        for (text, fault) in [("f5 d6\nc4 e3", "move 4 \"e3\""), ("f5d6c3\nf5d9", "move 4 \"f5\"")] {
            assert!(read_on("8x8", text).unwrap_err().starts_with(fault), "{text}");
        }
        assert!(
            read("c4c3\nd3c5\n")[0].as_ref().unwrap_err().contains("as one game or as a game on each line")
        );
        assert_eq!(read("1. c4 c3\n2. d3 c5\n"), [ok("c4c3d3c5")]);
        assert_eq!(read("1. c4 c3\n\n1. d3 c5\n"), [ok("c4c3"), ok("d3c5")]);
    }

    #[test]
    fn several_drawings_are_several_positions() {
        let boards = |text: &str| -> Vec<String> {
            let games = read_each(text, GameSetup::new("8x8".parse().unwrap()));
            games.map(|game| game.unwrap().game.board().to_string()).collect()
        };
        let drawing = "----\n-OX-\n-XO-\n----\nX";
        let other = "-X--\n-XX-\n-XO-\n----\nO";
        let read = ["-----OX--XO----- X", "-X---XX--XO----- O"];
        assert_eq!(boards(&format!("{drawing}\n\n{other}\n")), read);
        assert_eq!(boards(&format!("# two\n{drawing}\n\n\n{other}")), read);
        assert_eq!(boards(drawing), read[..1]);
    }

    #[test]
    fn a_file_without_a_word_holds_no_game() {
        let usual = || GameSetup::new("8x8".parse().unwrap());
        let read = |text: &str| read_bytes(text.as_bytes(), &wthor::Names::default(), usual());
        for text in ["", "\n \r\n", "\u{feff}", "# mine\n% goal=reversed\n; yours\n"] {
            assert!(matches!(read(text)[..], [Err(ReadError::Nothing)]), "{text:?}");
        }
        for text in ["start", "# mine\nf5", "{\"moves\":[]}"] {
            assert!(matches!(read(text)[..], [Ok(_)]), "{text:?}");
        }
    }

    #[test]
    fn a_binary_file_is_told_by_one_error() {
        let setup = GameSetup::new("8x8".parse().unwrap());
        let table = b"\x89RVT\r\n\x1a\n\x02\0\x01\0(;\n\n; [";
        let read = read_bytes(table, &wthor::Names::default(), setup);
        assert!(matches!(read[..], [Err(ReadError::Binary)]), "{read:?}");
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
    fn boards_and_moves_are_under_the_rules_that_a_line_before_them_names() {
        let rules = |text: &str| read_on("4x4", text).map(|game| game.rules().to_string());
        for text in [
            "b1a1",
            "-----OX--XO----- X",
            "----\n-OX-\n-XO-\n----\nX",
            "; mine\nb1a1",
            "-----OX--XO----- X b1\n-----OX--XO----- X",
        ] {
            let reversed = rules(&format!("% goal=reversed scoring=winner\n# mine\n{text}\n"));
            assert_eq!(
                reversed,
                rules("% goal=reversed scoring=winner\n-----OX--XO----- X; b1:+3;"),
                "{text}"
            );
            assert_ne!(reversed, rules(text), "{text}");
        }
        for (text, part) in [
            ("b1\n% goal=reversed\na1", "line 2: \"goal=reversed\" comes after positions"),
            ("% goal: reversed\nb1", "line 1: \"goal: reversed\" is no setting"),
        ] {
            let said = rules(text).unwrap_err();
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn the_words_beside_a_board_name_its_rules() {
        let setup = |goal| GameSetup { goal, ..GameSetup::new("4x4".parse().unwrap()) };
        let goal = |text: &str, asked| read(text, setup(asked)).map(|reading| reading.game.rules().goal);
        let board = "-----OX--XO----- X";
        for text in [
            format!("4x4, reversed goal: {board}"),
            format!("4x4 (reversed goal): {board}"),
            format!("Goal: reversed\n{board}"),
            format!("4x4, reversed goal, raw scoring: {board}"),
            "4x4 (reversed goal)\n\n----\n-OX-\n-XO-\n----\nBlack to move".to_owned(),
            format!("4x4, reversed goal, raw scoring. Winner: unknown\n{board}"),
            format!("Of the reversed goal. As usual: {board}"),
            "Goal: reversed\nb1a1".to_owned(),
            "(reversed goal) b1a1".to_owned(),
        ] {
            assert_eq!(goal(&text, Goal::Normal).unwrap(), Goal::Reversed, "{text}");
            assert_eq!(
                goal(&text.replace("reversed", "normal"), Goal::Reversed).unwrap(),
                Goal::Normal,
                "{text}"
            );
        }
        let unclear =
            goal(&format!("no normal goal but the reversed goal: {board}"), Goal::Normal).unwrap_err();
        assert!(matches!(unclear, ReadError::Ambiguous { .. }), "{unclear}");
    }

    #[test]
    fn a_file_of_problems_is_one_position_a_line() {
        let setup = GameSetup::new("8x8".parse().unwrap());
        let text = "-----OX--XO----- X;\n\n% and on 6x6\n--------------OX----XO-------------- O; e3:+4;\n";
        let sizes = read_each(text, setup).map(|reading| reading.unwrap().game.size().to_string());
        assert_eq!(sizes.collect::<Vec<_>>(), ["4x4", "6x6"]);
        assert_eq!(read_each("% nothing;", setup).count(), 1, "the start");
    }

    /// The boards of a file may have the setup's size or be square: the error is that of the guess that reads further.
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
