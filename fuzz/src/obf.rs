//! No bytes make the reader of problem files panic, and what was read is written so that it is read back.

use reversi::formats::decode;
use reversi::formats::obf::{self, File};
use reversi::rules::Geometry;

/// Reads the bytes as a problem file: of square boards, and of one board that is not square.
pub fn check(bytes: &[u8]) {
    let text = decode::text(bytes);
    for geometry in [None, Geometry::new(4, 6).ok()] {
        let Ok(file) = obf::parse(&text, geometry) else { continue };
        let written = file.to_string();
        let read = obf::parse(&written, geometry).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(without_lines(&read), without_lines(&file), "{written}");
        assert_eq!(read.to_string(), written);
    }
}

/// The file without the numbers of its lines and the comments, whose ends of lines and outer spaces are not kept.
fn without_lines(file: &File) -> File {
    let mut file = file.clone();
    for record in &mut file.records {
        (record.line, record.comment) = (0, None);
    }
    file
}
