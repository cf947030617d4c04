//! The words of the command line before they are parsed.

use reversi_formats::reader::begins_with_board;
use reversi_rules::notation;
use std::ffi::OsString;

/// The program's arguments. An argument that begins with dashes but is no option gets a space in front. It may be a
/// board whose first squares are empty, or a pass among moves: `--` after moves, or at the head of an argument that
/// goes on with moves. Without the space the option parser would take a lone `--` for the end of the options and drop
/// the pass silently, and it would reject `-- c4` as an unknown option.
pub fn arguments() -> impl Iterator<Item = OsString> {
    let mut follows_moves = false;
    std::env::args_os().map(move |argument| {
        let argument = if follows_moves && argument == "--" { OsString::from(" --") } else { argument };
        let argument = argument.to_str().and_then(not_an_option).unwrap_or(argument);
        // A number may stand between a move and a pass.
        follows_moves = argument.to_str().is_some_and(|word| {
            let is_number = notation::tokens(word).next().is_none();
            notation::are_moves(word) || follows_moves && is_number
        });
        argument
    })
}

/// An argument that begins with dashes, but is a board, or moves after a pass.
fn not_an_option(argument: &str) -> Option<OsString> {
    let after_a_pass = argument.strip_prefix("--").filter(|rest| rest.starts_with(char::is_whitespace));
    let is_board =
        argument.starts_with('-') && (notation::looks_like_a_board(argument) || begins_as_a_board(argument));
    (is_board || after_a_pass.is_some_and(notation::are_moves_with_a_square))
        .then(|| format!(" {argument}").into())
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
