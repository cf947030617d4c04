//! Draws games for the terminal, with colours or without.

use crate::cli::search_info::proof;
use reversi_engine::{Choice, Game, GameMove};
use reversi_rules::{Color, Goal};
use std::fmt::Write;
use std::io::IsTerminal;

/// Whether colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Colours and round discs; without them letters. Both can be read back as a board.
    pub colors: bool,
}

/// Green squares, as the discs lie on; yellow where the last move was made.
const SQUARE: &str = "\x1b[42m";
const LAST_SQUARE: &str = "\x1b[43m";
const BLACK: &str = "\x1b[30m";
const WHITE: &str = "\x1b[97m";
/// As the squares: a sign that is not seen, but that a copy of the screen keeps.
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const RESET: &str = "\x1b[0m";

impl Style {
    /// Colours on a terminal that supports them, unless `NO_COLOR` is set.
    pub fn of_stdout() -> Style {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Style { colors: std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb }
    }
}

/// The board with coordinates, the last move and the legal moves marked, and below it whose turn it is.
pub fn game(game: &Game, style: Style) -> String {
    let mut text = board(game, style);
    text.push_str(&status(game));
    text.push('\n');
    text
}

/// Without colours a legal move is a dot and the last move is in brackets.
fn board(game: &Game, style: Style) -> String {
    let (board, legal) = (game.board(), game.legal_moves());
    let size = board.size();
    let margin = size.height().to_string().len();
    let mut text = " ".repeat(margin);
    for column in 0..size.width() {
        text.extend([' ', (b'a' + column as u8) as char]);
    }
    text.push('\n');
    for row in 0..size.height() {
        let _ = write!(text, "{:>margin$}", row + 1);
        let mut bracket = false;
        for column in 0..size.width() {
            let mv = GameMove::Play(column, row);
            let is_last = game.moves().last() == Some(&mv);
            let cell = Cell { disc: board.disc(column, row), is_last, is_legal: legal.contains(&mv) };
            if style.colors {
                text.push_str(&cell.colored());
            } else {
                text.push(if is_last {
                    '['
                } else if bracket {
                    ']'
                } else {
                    ' '
                });
                text.push(cell.letter());
            }
            bracket = is_last;
        }
        text.push_str(if style.colors {
            RESET
        } else if bracket {
            "]"
        } else {
            ""
        });
        text.push('\n');
    }
    text
}

struct Cell {
    disc: Option<Color>,
    is_last: bool,
    is_legal: bool,
}

impl Cell {
    fn letter(&self) -> char {
        match self.disc {
            Some(color) => color.symbol(),
            None if self.is_legal => '.',
            None => '-',
        }
    }

    fn colored(&self) -> String {
        let (square, hidden) = if self.is_last { (LAST_SQUARE, YELLOW) } else { (SQUARE, GREEN) };
        // A copy of the screen has no colours.
        let (ink, symbol) = match self.disc {
            Some(Color::Black) => (BLACK, '●'),
            Some(Color::White) => (WHITE, '○'),
            None if self.is_legal => (BLACK, '·'),
            None => (hidden, '·'),
        };
        format!("{square}{ink} {symbol}")
    }
}

/// In words that the reader of pasted texts recognises as the goal.
const REVERSED: &str = " (reversed goal: fewer discs win)";

/// Whose turn it is, or how the game ended, and the discs.
fn status(game: &Game) -> String {
    let board = game.board();
    let discs = format!("Black {}, White {}", board.count(Color::Black), board.count(Color::White));
    let fewer = if game.rules().goal == Goal::Reversed { REVERSED } else { "" };
    match game.result() {
        None => {
            let side = board.to_move();
            format!("{side} ({}) to move. {discs}, {} empty{fewer}", side.symbol(), board.empty_count())
        }
        Some(result) => {
            let end = match result.winner() {
                Some(winner) => {
                    let margin = result.score.unsigned_abs();
                    // Otherwise the margin would contradict the discs.
                    let counted = match margin == result.black.abs_diff(result.white) {
                        true => "",
                        false => ", with the empty squares",
                    };
                    format!("{winner} wins by {margin}{counted}")
                }
                None => "a draw".to_owned(),
            };
            format!("Game over. {discs}: {end}{fewer}")
        }
    }
}

/// The move of a computer, with its value and cost.
pub fn choice(side: Color, name: &str, choice: &Choice) -> String {
    let mut text = format!("{side} ({name}) plays {}", choice.mv);
    if let Some(value) = choice.info.value {
        let _ = write!(text, ", {value}{}", proof(value));
    }
    if choice.info.is_from_book {
        text += ", from the book";
    } else if choice.info.nodes > 0 {
        let how_far = match choice.info.depth {
            0 => "stopped".to_owned(),
            depth => format!("depth {depth}"),
        };
        let _ = write!(text, ", {how_far}, {} nodes", choice.info.nodes);
    }
    let _ = write!(text, ", {:.2} s", choice.info.seconds);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::GameBoard;
    use reversi_formats::text;
    use reversi_rules::game::GameSetup;
    use reversi_rules::{Passing, Rules, Scoring, Start};

    fn after(size: &str, transcript: &str) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        let mut game = Game::new(first, Rules::new(Goal::Reversed, Scoring::Raw), Passing::Allowed);
        game.play_transcript(transcript).unwrap();
        game
    }

    #[test]
    fn without_colours_the_drawing_is_a_board_that_can_be_read_back() {
        let game = after("4x4", "b1");
        let expected = "  a b c d\n1 .[X]. -\n2 - X X -\n3 . X O -\n4 - - - -\nWhite (O) to move. Black 4, White 1, 11 empty (reversed goal: fewer discs win)\n";
        assert_eq!(super::game(&game, Style { colors: false }), expected);
        let cells: String = expected.lines().skip(1).take(4).map(|row| &row[1..]).collect();
        let cells: String = cells.chars().filter(|c| !"[]".contains(*c)).collect();
        assert_eq!(GameBoard::parse(None, &format!("{cells} O")).as_ref(), Ok(game.board()));
    }

    /// A copied text has no colours.
    #[test]
    fn a_copy_of_the_coloured_screen_can_be_read_back() {
        let game = after("6x6", "c2b4d5");
        let screen = super::game(&game, Style { colors: true });
        let mut parts = screen.split('\x1b');
        let mut copied = parts.next().unwrap_or_default().to_owned();
        parts.for_each(|part| copied.push_str(part.split_once('m').expect("a colour").1));
        let setup = GameSetup::new("6x6".parse().unwrap());
        let read = text::read(&copied, setup).unwrap_or_else(|error| panic!("{error}: {copied}")).game;
        assert_eq!((read.board(), read.rules().goal), (game.board(), Goal::Reversed), "{copied}");
    }

    #[test]
    fn the_last_column_has_its_closing_bracket() {
        let drawing = super::game(&after("4x4", "d3"), Style { colors: false });
        assert!(drawing.contains("\n3 - X X[X]\n"), "{drawing}");
    }

    #[test]
    fn rows_and_columns_stay_in_line_on_the_largest_board() {
        let drawing = super::game(&after("24x24", "l11"), Style { colors: false });
        let rows: Vec<&str> = drawing.lines().collect();
        assert!(rows[0].ends_with(" w x"));
        assert_eq!(rows[1].len(), rows[24].len());
        assert_eq!(rows[24].len(), rows[0].len());
    }

    #[test]
    fn colours_end_where_the_row_ends() {
        for row in super::game(&after("6x6", "c2"), Style { colors: true }).lines().skip(1).take(6) {
            assert!(row.ends_with(RESET), "{row:?}");
        }
    }
}
