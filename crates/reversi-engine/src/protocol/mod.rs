//! Text protocols: parse a line to a value, call one function, format the answer.

pub mod gtp;
pub mod inbox;
pub mod lines;
pub mod nboard;

/// Untrusted text for one line of a terminal: without control characters, which could change colours or the title,
/// and cut after `length` characters.
pub fn one_line(text: &str, length: usize) -> String {
    let words = text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(length) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_fits_on_a_line() {
        for (said, length, line) in [
            ("Rhino 2.0", 9, "Rhino 2.0"),
            ("\u{1b}[2Jevil\u{7}\n\tname ", 60, "[2Jevil name"),
            ("größer als erlaubt", 9, "größer al..."),
            ("\u{1b}\u{0}", 60, ""),
        ] {
            assert_eq!(one_line(said, length), line);
        }
    }
}
