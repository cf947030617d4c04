//! No text makes a reader of squares, moves, sizes, boards or games panic, a transcript is replayed as it is played,
//! and what was read is written so that it is read back.

use reversi::engine::Game;
use reversi::rules::{Board, Geometry, Move, Passing, Rules, Start, naive, notation};

/// Reads the bytes as squares, moves, sizes, boards and games.
pub fn check(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let _ = text.parse::<Move>();
    let _ = text.parse::<Geometry>();
    let _ = text.parse::<naive::Size>();
    read_board(text);
    for (width, height) in [(3, 3), (4, 4), (6, 6), (8, 5)] {
        replay(Geometry::new(width, height).expect("the size is supported"), text);
    }
}

fn read_board(text: &str) {
    if let Ok(board) = notation::parse_board(None, text) {
        let written = board.to_string();
        assert_eq!(notation::parse_board(None, &written), Ok(board));
        assert_eq!(naive::Board::parse(None, text), Ok(board.into()));
    }
    if let Ok(board) = naive::Board::parse(None, text) {
        assert_eq!(naive::Board::parse(None, &board.to_string()), Ok(board));
    }
}

fn replay(geometry: Geometry, text: &str) {
    let start = Board::start(geometry, Start::Diagonal);
    let mut game = Game::new(start.into(), Rules::default(), Passing::Allowed);
    match (notation::replay(start, text), game.play_transcript(text)) {
        (Ok((moves, end)), Ok(())) => {
            assert_eq!(game.board().small(), Some(end));
            assert_eq!(notation::replay(start, &notation::transcript(&moves)), Ok((moves, end)));
        }
        (replayed, played) => assert_eq!(replayed.err(), played.err()),
    }
}
