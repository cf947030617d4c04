//! The words of the command line before they are parsed.

use reversi_formats::reader::begins_with_board;
use reversi_rules::notation;
use std::ffi::OsString;

/// The program's arguments. An argument that begins with dashes but is no option gets a space in front. It may be a
/// board whose first squares are empty, or a pass among moves: `--` after moves, after a board and last of all, or at the
/// head of an argument that goes on with moves. Without the space the option parser would take a lone `--` for the end of
/// the options and drop the pass silently, and it would reject `-- c4` as an unknown option.
pub fn arguments() -> Vec<OsString> {
    with_passes(std::env::args_os().collect())
}

fn with_passes(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let passes_at_the_end =
        arguments.split_last().is_some_and(|(last, before)| last == "--" && end_with_board(before));
    let last = arguments.len().saturating_sub(1);
    let mut follows_moves = false;
    for (place, argument) in arguments.iter_mut().enumerate() {
        if *argument == "--" && (follows_moves || passes_at_the_end && place == last) {
            *argument = " --".into();
        }
        if let Some(shielded) = argument.to_str().and_then(not_an_option) {
            *argument = shielded;
        }
        // A number may stand between a move and a pass.
        follows_moves = argument.to_str().is_some_and(|word| {
            let is_number = notation::tokens(word).next().is_none();
            notation::are_moves(word) || follows_moves && is_number
        });
    }
    arguments
}

/// Whether the last arguments, behind all options, are a board, in one word or several.
fn end_with_board(arguments: &[OsString]) -> bool {
    let words = arguments.iter().rev().map_while(|argument| argument.to_str());
    let words: Vec<&str> = words.take_while(|word| !word.starts_with('-') || is_board(word)).collect();
    (1..=words.len()).any(|count| {
        let board: Vec<&str> = words[..count].iter().rev().copied().collect();
        is_board(&board.join(" "))
    })
}

/// An argument that begins with dashes, but is a board, or moves after a pass.
fn not_an_option(argument: &str) -> Option<OsString> {
    let after_a_pass = argument.strip_prefix("--").filter(|rest| rest.starts_with(char::is_whitespace));
    (argument.starts_with('-') && is_board(argument)
        || after_a_pass.is_some_and(notation::are_moves_with_a_square))
    .then(|| format!(" {argument}").into())
}

fn is_board(argument: &str) -> bool {
    notation::looks_like_a_board(argument) || begins_as_a_board(argument)
}

/// Whether an argument begins like a board with its side and moves: its first words have at least as many dashes and
/// discs as the smallest board has squares.
fn begins_as_a_board(argument: &str) -> bool {
    // Rows may be separated as in FEN or by bars, and discs may be symbols.
    let is_cell = |c: &char| {
        matches!(c, '-' | '.' | '_' | '/' | '|' | '0'..='2' | '●' | '○') || notation::read_side(*c).is_some()
    };
    let cells = argument.chars().filter(|c| !c.is_whitespace()).take_while(is_cell).count();
    cells >= 9 && begins_with_board(argument) && !notation::are_moves(argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_pair_of_dashes_is_a_pass_after_moves_and_at_the_end_after_a_board() {
        let board = "-----OX--XO----- X";
        let shielded = " -----OX--XO----- X";
        for (words, expected) in [
            (&["query", "b1", "--"][..], &["query", "b1", " --"][..]),
            (&["query", "b1", "5.", "--", "c4"], &["query", "b1", "5.", " --", "c4"]),
            (&["query", board, "--"], &["query", shielded, " --"]),
            (&["query", "--position", board, "--", "b1"], &["query", "--position", shielded, "--", "b1"]),
            (&["query", "XXXXXXXXXXXXXXO-", "O", "--"], &["query", "XXXXXXXXXXXXXXO-", "O", " --"]),
            (
                &["query", "--board", "4x4", "XXXX", "XXXX", "XXXX", "XXO-", "O", "--"],
                &["query", "--board", "4x4", "XXXX", "XXXX", "XXXX", "XXO-", "O", " --"],
            ),
            (&["query", "--json", "--"], &["query", "--json", "--"]),
            (&["query", "--", "b1"], &["query", "--", "b1"]),
        ] {
            let read = with_passes(words.iter().map(OsString::from).collect());
            assert_eq!(read, expected, "{words:?}");
        }
    }

    #[test]
    fn only_moves_after_dashes_make_them_a_pass() {
        for (argument, moves) in [("-- c4", " -- c4"), ("--\tc4d3", " --\tc4d3"), ("-- -- c4", " -- -- c4")] {
            assert_eq!(not_an_option(argument), Some(moves.into()), "{argument}");
        }
        for argument in
            ["--", "----", "--a1", "--board", "--board=6x6", "--wld", "-c4", "c4", "X---------------X"]
        {
            assert_eq!(not_an_option(argument), None, "{argument}");
        }
    }

    #[test]
    fn a_board_is_no_option() {
        for board in ["-----OX--XO-----", "-----OX--XO----- X", "---------------- X"] {
            assert_eq!(not_an_option(board), Some(format!(" {board}").into()), "{board}");
        }
        for argument in ["-----", "--ordering", "-- -- -- -- -- --", "-bow"] {
            assert_eq!(not_an_option(argument), None, "{argument}");
        }
    }
}
