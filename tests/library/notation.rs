//! What is written is read back; what is wrong is refused with the right words; nothing panics.

use crate::common;
use proptest::prelude::*;
use reversi::engine::{Game, GameBoard, GameMove};
use reversi::rules::geometry::GeometryError;
use reversi::rules::naive::SizeError;
use reversi::rules::notation::{self, TranscriptError, parse_board, parse_square_name, square_name};
use reversi::rules::{Board, Geometry, Move, Passing, Rules, Square, Start, naive};

/// The `|`-separated records of a data file.
fn records(text: &'static str) -> Vec<[&'static str; 3]> {
    let records: Vec<[&str; 3]> = common::records(text)
        .map(|line| {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            fields.try_into().unwrap_or_else(|_| panic!("not three fields: {line}"))
        })
        .collect();
    assert!(records.len() > 10, "the file has records");
    records
}

/// A game of the moves that a transcript holds.
fn played(first: GameBoard, transcript: &str, passing: Passing) -> Result<Game, TranscriptError> {
    let mut game = Game::new(first, Rules::default(), passing);
    game.play_transcript(transcript)?;
    Ok(game)
}

#[test]
fn bad_boards_are_refused_with_the_reason() {
    for [size, text, message] in records(include_str!("../data/bad-boards.txt")) {
        if size == "?" {
            assert_eq!(parse_board(None, text).unwrap_err().to_string(), message, "{text}");
            continue;
        }
        let error = parse_board(Some(size.parse().unwrap()), text).unwrap_err();
        assert_eq!(error.to_string(), message, "{size} {text}");
        assert_eq!(naive::Board::parse(Some(size.parse().unwrap()), text), Err(error), "{size} {text}");
    }
}

#[test]
fn bad_transcripts_are_refused_with_move_number_token_and_reason() {
    for [size, text, message] in records(include_str!("../data/bad-transcripts.txt")) {
        let start = Board::start(size.parse::<Geometry>().unwrap(), Start::Diagonal);
        let error = notation::replay(start, text).unwrap_err();
        assert_eq!(error.to_string(), message, "{size} {text}");
        assert_eq!(played(start.into(), text, Passing::Allowed).unwrap_err(), error, "{size} {text}");
    }
}

#[test]
fn numbers_of_moves_are_no_moves() {
    let start = Board::start(Geometry::SIX, Start::Diagonal);
    let plain = notation::replay(start, "c2b4d5").unwrap();
    for numbered in ["1. c2 2. b4 3. d5", "1.c2 b4 2.d5", "1. c2 1... b4 2. d5 3.", "12.c2b4 13.d5"] {
        assert_eq!(notation::replay(start, numbered).unwrap(), plain, "{numbered}");
        assert!(notation::are_moves(numbered));
    }
    let error = notation::replay(start, "1. c2 2. a1").unwrap_err();
    assert_eq!(error.to_string(), "move 2 \"a1\": turns no disc");
    for none in ["", "1.", "1", "1 c2", ".c2"] {
        assert!(!notation::are_moves(none), "{none}");
    }
}

#[test]
fn a_game_without_passes_ends_for_the_transcript_too() {
    let stuck = GameBoard::parse(None, "XO-- ---- ---- ---- O").unwrap();
    let game = played(stuck.clone(), "c1", Passing::Allowed).unwrap();
    assert_eq!(game.moves(), [GameMove::Pass, GameMove::Play(2, 0)]);
    let error = played(stuck, "c1", Passing::EndsGame).unwrap_err();
    assert_eq!(error.to_string(), "move 1 \"c1\": the game is over");
}

#[test]
fn sizes_are_read_strictly() {
    assert_eq!(" 12 X 16 ".parse(), naive::Size::new(12, 16));
    for bad in ["", "6", "6x", "x6", "6*6", "-6x6", "6x-6", "+6x6", "6x6x6", "99999999999x6"] {
        assert_eq!(bad.parse::<naive::Size>(), Err(SizeError::Syntax(bad.to_owned())));
        assert_eq!(bad.parse::<Geometry>(), Err(GeometryError::Syntax(bad.to_owned())));
    }
    for bad in ["25x24", "2x5", "0x0", "12"] {
        let error = bad.parse::<naive::Size>().unwrap_err().to_string();
        assert!(error.contains(bad) && error.len() > bad.len() + 20, "{error}");
    }
}

#[test]
fn cells_and_passes_are_read_in_all_their_spellings() {
    let board = parse_board(None, "Xx*B \n bOo0 \t Ww-. \r\n .-.- \u{a0} w").unwrap();
    assert_eq!(board.to_string(), "XXXXXOOOOO------ O");
    for pass in ["pa", "PA", "Pa", "pass", "PASS", "ps", "PS", "--", "@@@@", " pa "] {
        assert_eq!(pass.parse(), Ok(Move::Pass), "{pass}");
    }
    for bad in ["", "p", "pas", "-", "@@", "---", "i1", "a9", "a0", "a", "1a", "a1b", "é1", "a１"] {
        assert!(bad.parse::<Move>().is_err(), "{bad}");
    }
}

/// A board of any geometry with discs anywhere.
fn any_board() -> impl Strategy<Value = Board> {
    (3..=8u32, 3..=8u32, any::<u64>(), any::<u64>(), any::<bool>()).prop_map(
        |(width, height, discs, colors, black_to_move)| {
            let mut board = Board::start(Geometry::new(width, height).unwrap(), Start::Diagonal);
            board.black = discs & colors & board.geometry.mask();
            board.white = discs & !colors & board.geometry.mask();
            board.to_move = if black_to_move { board.to_move } else { board.to_move.other() };
            board
        },
    )
}

/// Respells a board string, with white space anywhere.
fn respell(text: &str, choices: &[u8]) -> String {
    let mut choices = choices.iter().cycle().map(|&choice| choice as usize);
    let mut spelled = String::new();
    for symbol in text.chars().filter(|symbol| !symbol.is_whitespace()) {
        let spellings: &[char] = match symbol {
            'X' => &['X', 'x', '*', 'B', 'b'],
            'O' => &['O', 'o', '0', 'W', 'w'],
            _ => &['-', '.'],
        };
        spelled.push(spellings[choices.next().unwrap() % spellings.len()]);
        spelled.push_str(["", "", "", " ", "\n", "\t "][choices.next().unwrap() % 6]);
    }
    spelled
}

/// A random game to its end, its moves chosen by `choices`.
fn game(start: Board, choices: &[u8]) -> (Vec<Move>, Board) {
    let (mut moves, mut board) = (Vec::new(), start);
    let mut choices = choices.iter().cycle().map(|&choice| choice as usize);
    loop {
        let children = board.position().children(board.geometry);
        if children.is_empty() {
            return (moves, board);
        }
        let (mv, _) = children[choices.next().unwrap() % children.len()];
        board = board.after(mv).expect("a child is a legal move");
        moves.push(mv);
    }
}

/// Writes a game as someone might: passes left out or spelled in any way, spaces, capitals.
fn respell_game(moves: &[Move], choices: &[u8]) -> String {
    let mut choices = choices.iter().cycle().map(|&choice| choice as usize);
    let mut text = String::new();
    for mv in moves {
        let choice = choices.next().unwrap();
        match mv {
            Move::Pass => text.push_str(["", "pa", "PA", "pass", "ps", "--", "@@@@"][choice % 7]),
            Move::Play(_) if choice % 2 == 0 => text.push_str(&mv.to_string().to_uppercase()),
            Move::Play(_) => text.push_str(&mv.to_string()),
        }
        text.push_str(["", "", " ", "\n"][choice / 7 % 4]);
    }
    text
}

proptest! {
    #[test]
    fn boards_are_read_back(board in any_board(), choices in prop::collection::vec(any::<u8>(), 1..99)) {
        let size = Some(board.geometry);
        prop_assert_eq!(parse_board(size, &board.to_string()), Ok(board));
        prop_assert_eq!(parse_board(size, &respell(&board.to_string(), &choices)), Ok(board));
        if board.geometry.is_square() {
            prop_assert_eq!(parse_board(None, &board.to_string()), Ok(board));
        }
        let slow = naive::Board::from(board);
        prop_assert_eq!(slow.to_string(), board.to_string());
        prop_assert_eq!(naive::Board::parse(Some(slow.size()), &board.to_string()), Ok(slow));
    }

    #[test]
    fn large_boards_are_read_back(
        (width, height, cells) in (3..=24u32, 3..=24u32)
            .prop_flat_map(|(w, h)| (Just(w), Just(h), prop::collection::vec("[XO-]", (w * h) as usize))),
        choices in prop::collection::vec(any::<u8>(), 1..99),
    ) {
        let text = format!("{} O", cells.concat());
        let size = naive::Size::new(width, height).unwrap();
        let board = naive::Board::parse(Some(size), &respell(&text, &choices)).unwrap();
        prop_assert_eq!(board.to_string(), text);
        if width == height {
            prop_assert_eq!(naive::Board::parse(None, &board.to_string()), Ok(board));
        }
    }

    #[test]
    fn games_are_read_back(
        (width, height) in (3..=8u32, 3..=8u32),
        parallel in any::<bool>(),
        choices in prop::collection::vec(any::<u8>(), 1..99),
    ) {
        let start = Board::start(Geometry::new(width, height).unwrap(), Start::ALL[usize::from(parallel)]);
        let (moves, end) = game(start, &choices);
        prop_assert_eq!(notation::replay(start, &notation::transcript(&moves)), Ok((moves.clone(), end)));
        let text = respell_game(&moves, &choices);
        prop_assert_eq!(notation::replay(start, &text), Ok((moves.clone(), end)), "{}", text);
        let game = played(start.into(), &text, Passing::Allowed).unwrap();
        prop_assert_eq!(game.moves(), moves.into_iter().map(GameMove::from).collect::<Vec<_>>());
        prop_assert_eq!(game.board().small(), Some(end));
    }

    #[test]
    fn square_names_are_read_back(column in 0..24u32, row in 0..24u32) {
        let name = square_name(column, row);
        prop_assert_eq!(parse_square_name(&name), Some((column, row)));
        prop_assert_eq!(parse_square_name(&name.to_uppercase()), Some((column, row)));
        let mv = naive::Move::Play(column, row);
        prop_assert_eq!(mv.to_string(), name.clone());
        match name.parse::<Move>() {
            Ok(small) => prop_assert_eq!(small, Move::Play(Square::at(column, row))),
            Err(_) => prop_assert!(column >= 8 || row >= 8),
        }
    }

    #[test]
    fn sizes_are_read_back(width in 0..40u32, height in 0..40u32) {
        let text = format!("{width}x{height}");
        prop_assert_eq!(text.parse::<Geometry>(), Geometry::new(width, height));
        prop_assert_eq!(text.parse::<naive::Size>(), naive::Size::new(width, height));
        if let Ok(size) = naive::Size::new(width, height) {
            prop_assert_eq!(size.to_string(), text);
        }
    }

    #[test]
    fn no_text_is_lost_between_the_tokens(text in "[a-zA-Z0-9@\\- \té.]{0,40}") {
        // Numbers of moves are left out, and they have a dot.
        let has_numbers = text.contains('.');
        let counts = |c: &char| !c.is_whitespace() && !(has_numbers && (*c == '.' || c.is_ascii_digit()));
        let what_counts = |text: &str| text.chars().filter(counts).collect::<String>();
        let joined: String = notation::tokens(&text).collect();
        prop_assert_eq!(what_counts(&joined), what_counts(&text));
        prop_assert!(notation::tokens(&text).all(|token| !token.is_empty()));
    }

    #[test]
    fn no_text_makes_a_parser_panic(
        text in prop_oneof![".{0,80}", "[a-h1-8paPS@\\- ]{0,40}", "[XO*.xobw0 \\-]{9,80}", "[0-9xX +\\-]{0,12}"],
        board in any_board(),
    ) {
        let _ = parse_square_name(&text);
        let _ = text.parse::<Move>();
        let _ = text.parse::<Geometry>();
        let _ = text.parse::<naive::Size>();
        let _ = notation::replay(board, &text);
        let _ = played(board.into(), &text, Passing::EndsGame);
        for parsed in [parse_board(None, &text), parse_board(Some(board.geometry), &text)].into_iter().flatten() {
            prop_assert_eq!(parse_board(Some(parsed.geometry), &parsed.to_string()), Ok(parsed));
        }
        if let Ok(parsed) = naive::Board::parse(None, &text) {
            prop_assert_eq!(naive::Board::parse(None, &parsed.to_string()), Ok(parsed));
        }
    }
}
