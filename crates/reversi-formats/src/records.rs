//! Games of a text in records of SGF and GGF, and what stands outside of the records.

use crate::error::{ReadError, SgfError};
use crate::ggf::{self, GgfError, Record};
use crate::reader::{Piece, Skipped, Wanted, has_compact_board, is_all_moves, is_pass, located, read_plain};
use crate::reading::{Kind, Reading};
use crate::sgf;
use reversi_rules::game::{GameBoard, GameSetup};
use std::{iter, mem};

/// Whether a text has a record.
pub(crate) fn has_record(text: &str) -> bool {
    sgf::is_sgf(text) || ggf::has_record(text)
}

/// The games of a text with records, each read in its own form.
///
/// If `each` game is asked for, lines of moves and boards outside of the records are games too, and other text is skipped.
/// If one game is asked for, a board or a line of moves outside of its record is an error.
pub(crate) fn games(
    text: &str,
    wanted: Wanted,
    each: bool,
) -> impl Iterator<Item = Result<Reading, ReadError>> {
    let mut records = Records { rest: text, line: 1, column: 1, count: 0, wanted, each, skipped: Vec::new() };
    iter::from_fn(move || records.next_games()).flatten()
}

struct Records<'a> {
    rest: &'a str,
    /// Line and column at which `rest` begins, from 1.
    line: usize,
    column: usize,
    /// Number of records read.
    count: usize,
    wanted: Wanted,
    each: bool,
    /// What was skipped since the last record.
    skipped: Vec<Skipped>,
}

impl<'a> Records<'a> {
    /// The games before the next record, its game, and behind the last record the games after it.
    fn next_games(&mut self) -> Option<Vec<Result<Reading, ReadError>>> {
        if self.rest.is_empty() {
            return None;
        }
        let mut games = self.outside();
        let mut game = self.record();
        let is_last = start_of_record(self.rest).is_none();
        let behind = if is_last { self.outside() } else { Vec::new() };
        if let Some(Ok(reading)) = &mut game {
            reading.skipped = mem::take(&mut self.skipped);
        }
        games.extend(game);
        games.extend(behind);
        Some(games)
    }

    /// Cuts off the start of the rest.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        for c in taken.chars() {
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        taken
    }

    /// The games of the text up to the next record.
    fn outside(&mut self) -> Vec<Result<Reading, ReadError>> {
        let (line, column) = (self.line, self.column);
        let text = self.take(start_of_record(self.rest).unwrap_or(self.rest.len()));
        let is_game = |line: &&str| is_moves(line) || is_board(line);
        if !self.each && (text.lines().any(|line| is_game(&line)) || has_compact_board(text)) {
            return vec![Err(ReadError::Several)];
        }
        // What is skipped in such a line would be told with its place in the line, not in the text.
        let read = |line| {
            let read = read_plain(line, &self.wanted)?;
            Ok(Reading { skipped: Vec::new(), ..Reading::of(read) })
        };
        let games: Vec<_> = text.lines().filter(is_game).map(read).collect();
        if games.is_empty() {
            let piece = Piece { range: 0..text.len(), why: "text outside of records" };
            self.skipped.extend(located(text, vec![piece]).into_iter().map(|piece| Skipped {
                line: line + piece.line - 1,
                column: if piece.line == 1 { column + piece.column - 1 } else { piece.column },
                ..piece
            }));
        }
        games
    }

    /// The game of the record with which the rest begins; `None` at the end of the text.
    fn record(&mut self) -> Option<Result<Reading, ReadError>> {
        let inside = self.rest.strip_prefix('(')?;
        self.count += 1;
        let game = self.count;
        let (read, behind) = if sgf::is_sgf(self.rest) {
            let (read, behind) = sgf::read_record(inside, self.wanted.setup);
            (read.map_err(|fault| SgfError { game, fault }.into()), behind)
        } else {
            let (record, behind) = ggf::read_record(inside);
            let record = record.map_err(|fault| GgfError { game, fault }.into());
            (record.and_then(|record| reading_of(record, &self.wanted)), behind)
        };
        self.take(self.rest.len() - behind.len());
        Some(read)
    }
}

/// Whether a line is moves alone, without the words that a remark has.
fn is_moves(line: &str) -> bool {
    let is_move = |word: &str| word.contains(|sign: char| sign.is_ascii_digit()) || is_pass(word);
    is_all_moves(line) && line.split_whitespace().all(is_move)
}

/// Whether a line is a board with its side: of 16 cells and more, not all alike, as a line that separates others is.
fn is_board(line: &str) -> bool {
    let signs = || line.chars().filter(|sign| !sign.is_whitespace());
    signs().count() > 16
        && signs().any(|sign| Some(sign) != signs().next())
        && GameBoard::parse(None, line).is_ok()
}

/// The place of the next bracket that opens a record: what follows is a tag, or anything at the start of a text.
fn start_of_record(text: &str) -> Option<usize> {
    let opens = |&(place, _): &(usize, &str)| {
        let inside = text[place + 1..].trim_start();
        inside.starts_with(';') && (text[..place].trim().is_empty() || ggf::begins_with_tag(&inside[1..]))
    };
    text.match_indices('(').find(opens).map(|(place, _)| place)
}

fn reading_of(record: Record, wanted: &Wanted) -> Result<Reading, ReadError> {
    let game = record.game(GameSetup { goal: record.goal, ..wanted.setup })?;
    let notes = record.moves().to_vec();
    let outcome = record.outcome();
    Ok(Reading {
        notes,
        players: [record.black, record.white],
        occasion: [record.date, record.place],
        other_tags: record.other_tags,
        outcome,
        ..Reading::new(game, Kind::Ggf)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{read_each, read_single};

    const GGF: &str = "(;GM[Othello]TY[4]B[b1];)";
    const UNCLOSED: &str = "game 1: the record does not end; a GGF game ends with \";)\"";
    const NO_TAG: &str = "game 1: \"!\" is no tag; write tags as in PB[name]";
    const SGF: &str = "(;GM[2]SZ[4];B[ba];W[aa])";

    fn setup() -> GameSetup {
        GameSetup::new("4x4".parse().unwrap())
    }

    /// The games, or what is wrong with them.
    fn each(text: &str) -> Vec<String> {
        let said = |game: Result<Reading, ReadError>| {
            game.map_or_else(|error| error.to_string(), |reading| reading.game.transcript())
        };
        read_each(text, setup()).map(said).collect()
    }

    #[test]
    fn games_beside_records_are_read_too() {
        for (text, games) in [
            (format!("{GGF}\nb1c1\nb1a1\n"), &["b1", "b1c1", "b1a1"][..]),
            (format!("b1c1\n{GGF}"), &["b1c1", "b1"]),
            (format!("-----OX--XO----- X\n{SGF}\n"), &["", "b1a1"]),
            (format!("{GGF}{SGF}{GGF}"), &["b1", "b1a1", "b1"]),
            (format!("{SGF}\n{GGF}\n( ;GM[2]SZ[4];B[cd])"), &["b1a1", "b1", "c4"]),
            (format!("{GGF}\n**********\n{GGF}\nO_o\n"), &["b1", "b1"]),
            (
                format!("{GGF}\nb1c1\nb1b2\nb1a1\n"),
                &["b1", "b1c1", "move 2 \"b2\": the square is occupied", "b1a1"],
            ),
            (format!("hi ( ; you two (; and him\n{GGF}"), &["b1"]),
            ("(;C[hi (;]GM[2]SZ[4];B[ba])".to_owned(), &["b1"]),
            // Behind a record that does not end there is no other one, but there may be lines of moves.
            ("(;GM[Othello]PB[me (;GM[Othello]PB[you\nb1c1\nb1a1".to_owned(), &[UNCLOSED, "b1c1", "b1a1"]),
            ("(;GM[Othello]TY[4]B[b1\nb1c1".to_owned(), &[UNCLOSED, "b1c1"]),
            (format!("(;GM[Othello]TY[4]B[b1]!;)\n{GGF}"), &[NO_TAG, "b1"]),
        ] {
            assert_eq!(each(&text), games, "{text}");
        }
    }

    #[test]
    fn each_record_is_read_in_its_own_form() {
        let reversed = GGF.replace("TY[4]", "TY[4a]");
        let goals: Vec<_> = read_each(&format!("{SGF}\n{reversed}"), setup())
            .map(|game| game.unwrap().game.rules().goal.name())
            .collect();
        assert_eq!(goals, ["normal", "reversed"]);
    }

    #[test]
    fn what_stands_around_records_is_skipped_and_told() {
        let text = format!("remark one\n{GGF} two\n\n  for a1\n{SGF}\nlast");
        let readings: Vec<Reading> = read_each(&text, setup()).map(Result::unwrap).collect();
        let told = |reading: &Reading| -> Vec<(usize, usize, String)> {
            reading.skipped.iter().map(|piece| (piece.line, piece.column, piece.text.clone())).collect()
        };
        let piece = |line, column, text: &str| (line, column, text.to_owned());
        assert_eq!(told(&readings[0]), [piece(1, 1, "remark one")]);
        let between = piece(2, 2 + GGF.len(), "two\n\n  for a1");
        assert_eq!(told(&readings[1]), [between, piece(6, 1, "last")]);
    }

    #[test]
    fn a_single_record_has_no_moves_or_boards_beside_it() {
        for around in [
            "see below",
            "---",
            "***",
            "bob wins",
            "Bob vs joe",
            "2012",
            "12.1.2012",
            "F5 opening",
            "a4 paper",
        ] {
            assert!(read_single(&format!("{around}\n{GGF}\nend"), setup()).is_ok(), "{around}");
            assert!(read_single(&format!("{around}\n{SGF}\nend"), setup()).is_ok(), "{around}");
        }
        for text in [
            format!("{SGF} a2"),
            format!("b1 {GGF}"),
            format!("-----OX--XO----- X {GGF}"),
            format!("{GGF}{SGF}"),
        ] {
            assert_eq!(read_single(&text, setup()).unwrap_err(), ReadError::Several, "{text}");
        }
    }
}
