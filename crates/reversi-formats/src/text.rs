//! Reads games and positions from any text or file that people pass on, by what it holds and not by its name: GGF, SGF,
//! PGN, WTHOR, games of Othello Quest, problems of Edax, and boards and moves in no format at all.

pub use crate::error::{JsonError, ReadError};
pub use crate::forms::{Readings, is_obf};
pub use crate::reading::{Kind, Reading};

use crate::decode::without_mark;
use crate::drawings::Entries;
use crate::forms::{self, Asked, lines};
use crate::reader::{Wanted, begins_with_board};
use crate::wthor;

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
    forms::read_first(text, wanted.into())
}

/// As [`read`], for a text that must be one game or position.
///
/// # Errors
/// As [`read`]; [`ReadError::Several`] if another follows the first one, or what is wrong with that one.
///
/// ```
/// use reversi_rules::game::GameSetup;
/// use reversi_formats::text::{self, ReadError};
/// let setup = GameSetup::new("4x4".parse().unwrap());
/// assert_eq!(text::read_single("b1a1\na2c1", setup).unwrap().game.transcript(), "b1a1a2c1");
/// assert!(matches!(text::read_single("b1a1a2c1\nb1c1", setup), Err(ReadError::Several)));
/// ```
pub fn read_single(text: &str, wanted: impl Into<Wanted>) -> Result<Reading, ReadError> {
    forms::read_single(text, wanted.into())
}

/// Reads all games of a text, those of records and tables one by one as they are asked for: all positions of a problem
/// file, and of any other text what [`read`] finds. A game that cannot be read is an error in its place; a fault in a
/// problem file is the only item.
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
    let wanted = wanted.into();
    let Some(positions) = drawings_and_boards(text, wanted) else {
        return forms::read_as(text, wanted, Asked::Each);
    };
    match forms::under_settings(text, wanted) {
        Ok(wanted) => {
            Box::new(positions.into_iter().map(move |position| forms::read_moves(&position, &wanted)))
        }
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// The positions of a text that has nothing but drawings and boards of one line, two or more: each drawing perhaps with
/// the answer of this program below it, and one drawing at least.
fn drawings_and_boards(text: &str, wanted: Wanted) -> Option<Vec<String>> {
    let lines = without_mark(text).lines().map(|line| Ok(line.to_owned()));
    let entries = Entries::new(lines, wanted).map(|entry| entry.expect("the lines are there").1);
    let (mut positions, mut has_drawing) = (Vec::new(), false);
    for entry in entries.filter(|entry| !forms::is_blank(entry)) {
        let is_drawing = entry.contains('\n');
        if !is_drawing && !begins_with_board(&entry) {
            return None;
        }
        has_drawing |= is_drawing;
        positions.push(entry);
    }
    (has_drawing && positions.len() > 1).then_some(positions)
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

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Goal;
    use reversi_rules::game::{Game, GameSetup};

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
            format!("4x4, goal reversed\n{board}"),
            format!("{board}, goal reversed"),
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
