//! Random games and positions are drawn and written as programs and people do. Each is read as what it is, the same as
//! the strict reader reads from its plain spelling, or refused; never as another position.

use proptest::prelude::*;
use reversi_formats::reader::Wanted;
use reversi_formats::text;
use reversi_rules::Color;
use reversi_rules::game::{Game, GameMove, GameSetup};

fn game(size: &str, choices: &[usize]) -> Game {
    let mut game = GameSetup::new(size.parse().unwrap()).new_game();
    for choice in choices {
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        game.play(legal[choice % legal.len()]).unwrap();
    }
    game
}

fn games() -> impl Strategy<Value = Game> {
    let sizes = prop::sample::select(vec!["8x8", "6x6", "4x4", "10x10"]);
    (sizes, prop::collection::vec(0..64usize, 0..60)).prop_map(|(size, choices)| game(size, &choices))
}

fn wanted() -> Wanted {
    GameSetup::new("8x8".parse().unwrap()).into()
}

/// The signs of Black, White and empty squares.
const SIGNS: [[&str; 3]; 9] = [
    ["X", "O", "-"],
    ["x", "o", "."],
    ["*", "O", "-"],
    ["B", "W", "_"],
    ["●", "○", "·"],
    ["X", "O", "."],
    ["@", "O", "."],
    ["⚫", "⚪", "・"],
    ["⚫\u{fe0f}", "⚪\u{fe0f}", "🟩"],
];

/// How a board is drawn.
#[derive(Clone, Debug)]
struct Style {
    signs: [&'static str; 3],
    /// Between the cells.
    gap: &'static str,
    /// 0 none, 1 before the rows, 2 on both sides, 3 from 0 up, 4 right before the cells.
    numbers: usize,
    letters: bool,
    frame: bool,
    /// What stands beside one row, as programs write it.
    beside: &'static str,
    before: &'static str,
    quoted: bool,
    windows: bool,
}

fn styles() -> impl Strategy<Value = Style> {
    (
        prop::sample::select(SIGNS.to_vec()),
        prop::sample::select(vec!["", " ", "  ", "\t", ", "]),
        0..5usize,
        any::<bool>(),
        any::<bool>(),
        prop::sample::select(vec![
            "",
            "",
            "   12.3 s",
            "      | | | | |",
            "  2 discs",
            "   Black: 5  White: 3",
        ]),
        prop::sample::select(vec!["", "", "Position 12:\n", "The board is now\n\n", "# a problem\n"]),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(signs, gap, numbers, letters, frame, beside, before, quoted, windows)| Style {
            signs,
            gap,
            numbers,
            letters,
            frame,
            beside,
            before,
            quoted,
            windows,
        })
}

fn drawn(game: &Game, style: &Style) -> String {
    let board = game.board();
    let (width, height) = (board.size().width(), board.size().height());
    let mut lines = Vec::new();
    let letters: Vec<String> = (0..width).map(|column| ((b'a' + column as u8) as char).to_string()).collect();
    if style.letters {
        lines.push(format!("   {}", letters.join(style.gap.trim_matches(','))));
    }
    for row in 0..height {
        let cell = |column| match board.disc(column, row) {
            Some(Color::Black) => style.signs[0],
            Some(Color::White) => style.signs[1],
            None => style.signs[2],
        };
        let cells: Vec<&str> = (0..width).map(cell).collect();
        let mut line = cells.join(style.gap);
        if style.frame {
            line = format!("|{line}|");
        }
        line = match style.numbers {
            0 => line,
            1 => format!("{} {line}", row + 1),
            2 => format!("{} {line} {}", row + 1, row + 1),
            3 => format!("{row} {line}"),
            _ => format!("{}{line}", row + 1),
        };
        if row == 1 && style.numbers > 0 {
            line += style.beside;
        }
        lines.push(line);
    }
    if style.letters {
        lines.push(format!("   {}", letters.join(style.gap.trim_matches(','))));
    }
    let side = if board.to_move() == Color::Black { "Black" } else { "White" };
    lines.push(format!("{side} to move"));
    let text = format!("{}{}\n", style.before, lines.join("\n"));
    let text =
        if style.quoted { text.lines().map(|line| format!("> {line}\n")).collect::<String>() } else { text };
    if style.windows { text.replace('\n', "\r\n") } else { text }
}

/// How moves are written.
#[derive(Clone, Debug)]
struct Around {
    /// Between the moves.
    gap: &'static str,
    /// How each move begins and ends.
    each: (&'static str, &'static str),
    pass: &'static str,
    /// 0 none, 1 `1.` before Black's, 2 before each.
    numbers: usize,
    capitals: bool,
    head: &'static str,
    tail: &'static str,
}

fn around() -> impl Strategy<Value = Around> {
    (
        prop::sample::select(vec![" ", "\n", ", ", " - ", "\t", "\r\n", " | ", " → "]),
        prop::sample::select(vec![
            ("", ""),
            ("", "!"),
            ("", ":+2"),
            ("", "/-1.50/0.3"),
            ("", " {fine}"),
            ("", " (0:03)"),
            ("", " [0:03]"),
            ("P@", ""),
            ("", " +0.5"),
            ("\"", "\""),
        ]),
        prop::sample::select(vec!["pa", "PASS", "--", "ps", "@@@@", "pass", "p", "Pa", "パス", "(pass)"]),
        0..3usize,
        any::<bool>(),
        prop::sample::select(vec!["", "", "Tiger: ", "Moves:\n", "A game of last week\n\n", "{a remark} "]),
        prop::sample::select(vec![
            "",
            "",
            " 40-24",
            " *",
            "\nthanks for the game",
            "\nBlack wins 37-27.",
            " etc.",
        ]),
    )
        .prop_map(|(gap, each, pass, numbers, capitals, head, tail)| Around {
            gap,
            each,
            pass,
            numbers,
            capitals,
            head,
            tail,
        })
}

fn written(game: &Game, around: &Around) -> String {
    let word = |(index, mv): (usize, &GameMove)| {
        let number = match around.numbers {
            1 if index % 2 == 0 => format!("{}. ", index / 2 + 1),
            2 => format!("{}.", index + 1),
            _ => String::new(),
        };
        let name = match mv {
            GameMove::Pass => return format!("{number}{}", around.pass),
            mv => mv.to_string(),
        };
        let name = if around.capitals { name.to_uppercase() } else { name };
        format!("{number}{}{name}{}", around.each.0, around.each.1)
    };
    let words: Vec<String> = game.moves().iter().enumerate().map(word).collect();
    format!("{}{}{}", around.head, words.join(around.gap), around.tail)
}

/// The moves up to the last disc.
fn placed(game: &Game) -> String {
    game.transcript().trim_end_matches("pa").to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_drawing_is_read_as_the_position_it_shows_or_refused(game in games(), style in styles()) {
        let text = drawn(&game, &style);
        match text::read(&text, wanted()) {
            Ok(read) => prop_assert_eq!(read.game.board(), game.board(), "{}", text),
            // Some of these are unclear: commas between letters, a number right before the first cell.
            Err(error) => prop_assert!(style.gap == ", " || style.gap == "\t" || style.numbers == 4, "{}\n{}", error, text),
        }
    }

    #[test]
    fn moves_are_read_as_the_game_they_are(game in games(), around in around()) {
        prop_assume!(!game.moves().is_empty());
        let text = written(&game, &around);
        let setup = GameSetup::new(game.size());
        match text::read(&text, setup) {
            // Passes at the end may be left out.
            Ok(read) => prop_assert_eq!(
                placed(&read.game),
                placed(&game),
                "{}", text
            ),
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
    }

    #[test]
    fn one_wrong_sign_gives_another_text_or_an_error_and_never_a_longer_game(
        game in games(),
        place in any::<prop::sample::Index>(),
        sign in prop::sample::select(vec!['z', '9', '0', 'i', '?', ' ', '-', 'a', '\u{0}', 'é']),
    ) {
        prop_assume!(!game.moves().is_empty());
        let mut signs: Vec<char> = game.transcript().chars().collect();
        let place = place.index(signs.len());
        signs[place] = sign;
        let text: String = signs.iter().collect();
        if let Ok(read) = text::read(&text, GameSetup::new(game.size())) {
            let plain: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            let moves = read.game.transcript();
            // All that was read stands in the text, in this order, except for passes that the text leaves out.
            let mut rest = plain.chars();
            let found = moves.replace("pa", "").chars().all(|c| rest.any(|other| other.eq_ignore_ascii_case(&c)));
            prop_assert!(found, "{} as {}", text, moves);
        }
    }
}
