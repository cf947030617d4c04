//! No text makes the reader of GGF records panic; a record is written so that it is read back, and its moves are
//! legal.

use reversi::engine::GameSetup;
use reversi::formats::ggf::{self, Record};

/// Reads the bytes as game records.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut records = Vec::new();
    for record in ggf::records(&text) {
        records.extend(record.ok());
    }
    assert_eq!(
        ggf::parse(&text).ok(),
        (ggf::records(&text).all(|record| record.is_ok())).then(|| records.clone())
    );
    records.iter().for_each(check_record);
}

fn check_record(record: &Record) {
    let written = record.to_string();
    let read: Record = written.parse().unwrap_or_else(|error| panic!("{error}: {written}"));
    // Times and evaluations are rounded when they are written first, and only then.
    assert_eq!(read.to_string(), written);
    assert_eq!((read.goal, read.first_board()), (record.goal, record.first_board()));
    let moves = |record: &Record| record.moves().iter().map(|annotated| annotated.mv).collect::<Vec<_>>();
    assert_eq!(moves(&read), moves(record));
    let setup = GameSetup { goal: record.goal, ..GameSetup::new(record.first_board().size()) };
    let game = record.game(setup).expect("with passing allowed the moves of a record are legal");
    assert_eq!(game.moves(), moves(record));
}
