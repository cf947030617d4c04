//! Bytes of a file as text.

/// The text of a file in UTF-8, with or without a byte order mark, or in UTF-16. UTF-16 is recognized by its mark, or
/// by a zero byte in the same half of each of the first eight pairs of bytes. Bytes that are no UTF-8 are read as Latin-1,
/// in which older programs write names. Invalid sequences of UTF-16 become U+FFFD, which occurs in no board and no move;
/// an odd last byte of it is dropped.
///
/// ```
/// assert_eq!(reversi_formats::decode::text(b"\xff\xfef\x005\x00"), "f5");
/// assert_eq!(reversi_formats::decode::text(b"\xef\xbb\xbff5"), "f5");
/// assert_eq!(reversi_formats::decode::text(b"PB[M\xfcller]"), "PB[M\u{fc}ller]");
/// ```
pub fn text(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        _ if zeros(bytes, 1) => utf16(bytes, u16::from_le_bytes),
        _ if zeros(bytes, 0) => utf16(bytes, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

/// UTF-8, and Latin-1 where it is none.
fn utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    text
}

/// A text without the byte order mark that some editors begin a file with.
///
/// ```
/// assert_eq!(reversi_formats::decode::without_mark("\u{feff}f5"), "f5");
/// ```
pub fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Whether each of the first eight pairs of bytes has a zero in this place and only there.
fn zeros(bytes: &[u8], place: usize) -> bool {
    let pairs: Vec<&[u8]> = bytes.chunks_exact(2).take(8).collect();
    pairs.len() >= 2 && pairs.iter().all(|pair| pair[place] == 0 && pair[1 - place] != 0)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}
