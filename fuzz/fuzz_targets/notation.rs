//! No text makes a reader of squares, moves, sizes, boards or games panic, both rules read the same,
//! and what was read is written so that it is read back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use reversi::rules::{Geometry, Move, Passing, Start, naive, notation};

fuzz_target!(|text: &str| {
    let _ = text.parse::<Move>();
    let _ = text.parse::<Geometry>();
    let _ = text.parse::<naive::Size>();
    read_board(text);
    for (width, height) in [(3, 3), (4, 4), (6, 6), (8, 5)] {
        replay(Geometry::new(width, height).expect("the size is supported"), text);
    }
});

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
    let start = geometry.start(Start::Diagonal);
    match (notation::replay(start, text), naive::replay(&start.into(), text, Passing::Allowed)) {
        (Ok((moves, end)), Ok((_, slow_end))) => {
            assert_eq!(slow_end, end.into());
            assert_eq!(notation::replay(start, &notation::transcript(&moves)), Ok((moves, end)));
        }
        (fast, slow) => assert_eq!(fast.err(), slow.err()),
    }
}
