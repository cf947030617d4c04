//! The database files of the French federation (WTHOR): games (`.wtb`), players (`.jou`) and tournaments (`.trn`).
//!
//! A file begins with a header of 16 bytes: the date it was made (century, year, month, day), the number of records (4
//! bytes, little endian), a second number (2), the year of the games (2), the board's size (0 and 8 are 8x8), the kind
//! (1 for problems), the depth of the theoretical scores, and one unused byte.
//!
//! A game has 68 bytes: the numbers of its tournament, of Black and of White (2 each), Black's discs at the end, with
//! the empty squares given to the winner, Black's discs after perfect play from the depth on (255 where this program
//! does not know them), and 60 moves, each 10 times the row plus the column, both from 1, or 0 for none. Passes are
//! left out.
//!
//! A player's name has 20 bytes, a tournament's 26, in Latin-1, ended by 0.

pub use crate::error::WthorError;

use crate::ggf::{Numbers, Outcome, Record};
use crate::reading::{Kind, Reading};
use reversi_rules::game::{GameBoard, GameMove, GameSetup, Size};
use reversi_rules::{Goal, Scoring, Start};
use std::collections::BTreeSet;

const HEADER: usize = 16;
const RECORD: usize = 68;
const MOVES: usize = 60;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;
/// Stands for an unknown theoretical score: it is no number of discs.
const UNKNOWN: u8 = 255;

/// The names that the numbers of a file of games stand for.
#[derive(Clone, Default, Debug)]
pub struct Names {
    players: Vec<String>,
    tournaments: Vec<String>,
}

impl Names {
    /// From the bytes of a `.jou` and of a `.trn` file; empty bytes hold no name.
    pub fn read(players: &[u8], tournaments: &[u8]) -> Names {
        Names { players: names(players, PLAYER), tournaments: names(tournaments, TOURNAMENT) }
    }
}

fn names(bytes: &[u8], length: usize) -> Vec<String> {
    let records = bytes.get(HEADER..).unwrap_or_default().chunks_exact(length);
    let name = |record: &[u8]| {
        record.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as char).collect::<String>()
    };
    records.map(|record| name(record).trim().to_owned()).collect()
}

/// Whether the bytes are a file of games: as long as its header says.
pub fn is_wthor(bytes: &[u8]) -> bool {
    let Some(header) = bytes.get(..HEADER) else { return false };
    let count = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    let (month, day) = (header[2], header[3]);
    let is_dated = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_dated
        && header[13] <= 1
        && count.checked_mul(RECORD).and_then(|all| all.checked_add(HEADER)) == Some(bytes.len())
}

/// The fault of bytes that begin like a WTHOR file but are not a file of games; `None` if they do not look like one, or
/// are one.
pub fn fault(bytes: &[u8]) -> Option<WthorError> {
    let header = bytes.get(..HEADER)?;
    let (month, day) = (header[2], header[3]);
    let is_dated = (19..=21).contains(&header[0])
        && header[1] < 100
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && header[15] == 0;
    let games = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let records = usize::from(u16::from_le_bytes([header[8], header[9]]));
    let are_names =
        [PLAYER, TOURNAMENT].iter().any(|length| games == 0 && bytes.len() == HEADER + records * length);
    if !is_dated || is_wthor(bytes) {
        return None;
    }
    let expected = HEADER as u64 + u64::from(games) * RECORD as u64;
    Some(if are_names {
        WthorError::Names
    } else if expected == bytes.len() as u64 {
        WthorError::Kind(header[13])
    } else {
        WthorError::Length { games, expected, found: bytes.len() }
    })
}

/// All games of a file for which [`is_wthor`] holds.
///
/// # Errors
/// The games are for another board than 8x8.
///
/// # Panics
/// The bytes are shorter than a header.
pub fn games(
    bytes: &[u8],
    names: &Names,
    setup: GameSetup,
) -> Result<Vec<Result<Reading, WthorError>>, WthorError> {
    if !matches!(bytes[12], 0 | 8) {
        return Err(WthorError::Size(bytes[12]));
    }
    let (year, depth) = (u16::from_le_bytes([bytes[10], bytes[11]]), bytes[14]);
    let setup = GameSetup {
        size: Size::new(8, 8).expect("8x8 is a size"),
        goal: Goal::Normal,
        start: Start::Diagonal,
        ..setup
    };
    let read = |(index, record): (usize, &[u8])| {
        read(record, names, (year, depth), setup).map_err(|fault| WthorError::Game { game: index + 1, fault })
    };
    Ok(bytes[HEADER..].chunks_exact(RECORD).enumerate().map(read).collect())
}

/// A game of a file of this year and depth of theoretical scores.
fn read(record: &[u8], names: &Names, (year, depth): (u16, u8), setup: GameSetup) -> Result<Reading, String> {
    let numbers = [0, 2, 4].map(|place| u16::from_le_bytes([record[place], record[place + 1]]));
    let [tournament, black, white] = numbers.map(usize::from);
    let mut game = setup.new_game();
    let mut ended = false;
    for (index, &byte) in record[8..8 + MOVES].iter().enumerate() {
        let fail = |reason: &dyn std::fmt::Display| format!("move {} (byte {byte}): {reason}", index + 1);
        if byte == 0 {
            ended = true;
            continue;
        }
        if ended {
            return Err(fail(&"a move after the end of the game"));
        }
        let (column, row) = (u32::from(byte % 10), u32::from(byte / 10));
        if !(1..=8).contains(&column) || !(1..=8).contains(&row) {
            return Err(fail(&"no square of an 8x8 board"));
        }
        game.play_after_pass(GameMove::Play(column - 1, row - 1)).map_err(|error| fail(&error.reason))?;
    }
    let player =
        |number: usize| names.players.get(number).cloned().unwrap_or_else(|| format!("player {number}"));
    let tournament = names.tournaments.get(tournament).cloned().unwrap_or_default();
    let date = if year == 0 { String::new() } else { year.to_string() };
    // A game that has not ended is written as a draw.
    let discs = Some(record[6]).filter(|&discs| discs <= 64 && discs != 32);
    let result = discs.map(|discs| 2.0 * f64::from(discs) - 64.0);
    Ok(Reading {
        players: [player(black), player(white)],
        occasion: [date, tournament],
        theoretical: Some(record[7]).filter(|&discs| discs <= 64),
        outcome: Outcome { result, ..Outcome::default() },
        has_board: false,
        numbers: Numbers { names: numbers, depth },
        ..Reading::new(game, Kind::Wthor)
    })
}

/// Writes games as a file of games. `date` is the date of the file: year, month and day.
///
/// A file has one year for all games: the common one, 0 if the games differ or have none.
/// Likewise it has one depth for all theoretical scores, 0 if they differ. Players and tournaments are written as the
/// numbers of the file that a game comes from, else as 0; names are not written.
///
/// # Errors
/// The first game that the format cannot hold, and why.
pub fn write<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    (year, month, day): (u16, u8, u8),
) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; HEADER];
    let mut count = 0u32;
    let (mut years, mut depths) = (BTreeSet::new(), BTreeSet::new());
    for record in records {
        count += 1;
        years.insert(year_in(&record.date));
        depths.insert(record.numbers.depth);
        let game = encode(record).map_err(|fault| format!("game {count}: {fault}"))?;
        bytes.extend(game);
    }
    bytes[..4].copy_from_slice(&[(year / 100) as u8, (year % 100) as u8, month, day]);
    bytes[4..8].copy_from_slice(&count.to_le_bytes());
    let of_games = match years.iter().collect::<Vec<_>>()[..] {
        [Some(year)] => *year,
        _ => 0,
    };
    bytes[10..12].copy_from_slice(&of_games.to_le_bytes());
    bytes[12] = 8;
    bytes[14] = depths.first().copied().filter(|_| depths.len() == 1).unwrap_or_default();
    Ok(bytes)
}

/// The year in a date of any form: its first run of exactly four digits.
fn year_in(date: &str) -> Option<u16> {
    let mut numbers = date.split(|character: char| !character.is_ascii_digit());
    numbers.find(|number| number.len() == 4)?.parse().ok()
}

fn encode(record: &Record) -> Result<[u8; RECORD], String> {
    let size = Size::new(8, 8).expect("8x8 is a size");
    if record.first_board().size() != size || *record.first_board() != GameBoard::start(size, Start::Diagonal)
    {
        return Err("WTHOR holds games on 8x8 from the diagonal start alone".to_owned());
    }
    if record.goal != Goal::Normal {
        return Err("WTHOR knows no reversed goal".to_owned());
    }
    let mut bytes = [0; RECORD];
    for (place, number) in bytes[..6].chunks_exact_mut(2).zip(record.numbers.names) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    let placed = record.moves().iter().filter_map(|annotated| match annotated.mv {
        GameMove::Play(column, row) => Some((10 * (row + 1) + column + 1) as u8),
        GameMove::Pass => None,
    });
    for (place, byte) in bytes[8..].iter_mut().zip(placed) {
        *place = byte;
    }
    let setup = GameSetup { scoring: Some(Scoring::Winner), ..GameSetup::new(size) };
    let game = record.game(setup).map_err(|error| error.to_string())?;
    // Discs of Black, as a draw where the game has not ended.
    let discs = match (record.forfeit, record.result, game.result()) {
        (None, _, Some(result)) => (64 + result.score) / 2,
        // An odd difference cannot be expressed: the winner gets one disc more and stays the winner.
        (_, Some(result), _) if result.is_finite() => {
            32 + (result.abs().min(64.0) / 2.0).ceil().copysign(result) as i32
        }
        _ => 32,
    };
    (bytes[6], bytes[7]) = (discs as u8, record.theoretical.unwrap_or(UNKNOWN));
    Ok(bytes)
}
