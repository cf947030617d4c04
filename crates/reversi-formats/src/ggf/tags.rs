//! Reads a record tag by tag.

use super::{Annotated, GgfFault, Numbers, Record, Told};
use reversi_rules::game::{Game, RecordedMoveError};
use reversi_rules::notation::parse_sides;
use reversi_rules::{Color, Goal, Passing, Rules, Scoring, Start, naive};

/// Whether a tag can have this name and is kept without being understood.
pub(super) fn means_nothing(name: &str) -> bool {
    let mut tags = Tags::default();
    tags.set(name, "");
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase()) && !tags.others.is_empty()
}

/// The tags of one record, as far as they are known.
#[derive(Default)]
pub(super) struct Tags<'a> {
    game: Option<&'a str>,
    place: &'a str,
    date: &'a str,
    black: &'a str,
    white: &'a str,
    kind: Option<&'a str>,
    board: Option<&'a str>,
    result: Option<f64>,
    forfeit: Option<char>,
    moves: Vec<(Color, &'a str)>,
    others: Vec<(String, &'a str)>,
}

impl<'a> Tags<'a> {
    /// Reads the tags of one game from behind its `(;`, and returns the text after the game, or the fault and the text
    /// in which the next game may be.
    pub fn read(&mut self, text: &'a str) -> Result<&'a str, (GgfFault, &'a str)> {
        // A `(;` before the last one is not closed either.
        let unclosed = || (GgfFault::Unclosed, text.rsplit_once("(;").map_or(text, |(_, behind)| behind));
        let mut rest = text.trim_start();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
            if let Some(tail) = rest.strip_prefix(')') {
                return Ok(tail);
            }
            let name_length = rest.find(|c: char| !c.is_ascii_alphabetic()).ok_or_else(unclosed)?;
            let (name, tail) = rest.split_at(name_length);
            let value = match tail.trim_start().strip_prefix('[') {
                Some(value) if !name.is_empty() => value,
                _ => return Err(tail.chars().next().map_or_else(unclosed, |c| (GgfFault::NoTag(c), tail))),
            };
            let (value, tail) = value.split_once(']').ok_or_else(unclosed)?;
            self.set(&name.to_ascii_uppercase(), value.trim());
            rest = tail;
        }
    }

    fn set(&mut self, name: &str, value: &'a str) {
        match name {
            "GM" => self.game = Some(value),
            "PC" => self.place = value,
            "DT" => self.date = value,
            "PB" => self.black = value,
            "PW" => self.white = value,
            "TY" => self.kind = Some(value),
            "BO" => self.board = Some(value),
            "RE" => {
                let (number, how) = value.split_once(':').unwrap_or((value, ""));
                self.result = read_number(number);
                self.forfeit = how.trim().chars().next().filter(char::is_ascii_alphabetic);
            }
            "B" => self.moves.push((Color::Black, value)),
            "W" => self.moves.push((Color::White, value)),
            name => self.others.push((name.to_owned(), value)),
        }
    }

    /// The fault of a record of another game.
    pub fn other_game(&self) -> Option<GgfFault> {
        let is_ours = |game: &&str| ["Othello", "Reversi"].iter().any(|name| game.eq_ignore_ascii_case(name));
        self.game.filter(|game| !is_ours(game)).map(|game| GgfFault::OtherGame(game.to_owned()))
    }

    pub fn into_record(self) -> Result<Record, GgfFault> {
        if let Some(fault) = self.other_game() {
            return Err(fault);
        }
        let (ty, goal) = self.kind.map_or(Ok((None, Goal::Normal)), read_kind)?;
        let first = match (self.board, ty) {
            (Some(board), _) => read_board(board)?,
            (None, Some(size)) => naive::Board::start(size, Start::Diagonal),
            (None, None) => return Err(GgfFault::NoSize),
        };
        if let Some(ty) = ty.filter(|&ty| ty != first.size()) {
            return Err(GgfFault::Sizes { ty, bo: first.size() });
        }
        let squares = f64::from(first.size().square_count());
        let mut game = Game::new(first.into(), Rules::new(goal, Scoring::Raw), Passing::Allowed);
        let mut moves = Vec::new();
        for (index, &(color, token)) in self.moves.iter().enumerate() {
            read_move(&mut game, &mut moves, index + 1, color, token)?;
        }
        Ok(Record {
            place: self.place.to_owned(),
            date: self.date.to_owned(),
            black: self.black.to_owned(),
            white: self.white.to_owned(),
            goal,
            first: game.first_board().clone(),
            moves,
            // More discs than squares are no result.
            result: self.result.filter(|result| result.abs() <= squares),
            told: Told::default(),
            forfeit: self.forfeit,
            other_tags: self.others.into_iter().map(|(name, value)| [name, value.to_owned()]).collect(),
            theoretical: None,
            numbers: Numbers::default(),
        })
    }
}

/// `8`, `6a`, `4x6`; on servers also `s8r18` (synchronised pairs, random start). `a` is the reversed goal.
fn read_kind(text: &str) -> Result<(Option<naive::Size>, Goal), GgfFault> {
    let text = text.trim_start_matches(['s', 'S']);
    let length = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, 'x' | 'X')).unwrap_or(text.len());
    let (size, flags) = text.split_at(length);
    let goal = if flags.contains(['a', 'A']) { Goal::Reversed } else { Goal::Normal };
    let size = if size.is_empty() { None } else { Some(read_size(size)?) };
    Ok((size, goal))
}

/// `8` or, for boards that are not square, `4x6`.
fn read_size(text: &str) -> Result<naive::Size, GgfFault> {
    let sides = parse_sides(text).or_else(|| text.parse().ok().map(|side| (side, side)));
    let size = sides.and_then(|(width, height)| naive::Size::new(width, height).ok());
    size.ok_or_else(|| GgfFault::Size(text.to_owned()))
}

fn read_board(text: &str) -> Result<naive::Board, GgfFault> {
    let (size, cells) =
        text.split_once(char::is_whitespace).ok_or_else(|| GgfFault::Size(text.to_owned()))?;
    Ok(naive::Board::parse(Some(read_size(size)?), cells)?)
}

/// Plays one move and notes it.
fn read_move(
    game: &mut Game,
    moves: &mut Vec<Annotated>,
    number: usize,
    color: Color,
    text: &str,
) -> Result<(), GgfFault> {
    let mut parts = text.split('/').map(str::trim);
    let token = parts.next().unwrap_or_default();
    let eval = parts.next().and_then(read_number);
    let seconds = parts.next().and_then(read_seconds);
    let illegal = |reason| GgfFault::Move { number, token: token.to_owned(), reason };
    let mv = game.read_move(token).map_err(illegal)?;
    let made = game.play_recorded(mv, Some(color)).map_err(|error| match error {
        RecordedMoveError::OtherSide => GgfFault::Color { number, token: token.to_owned(), color },
        RecordedMoveError::Illegal(reason) => illegal(reason),
    })?;
    moves.extend(Annotated::of(made, eval, seconds));
    Ok(())
}

fn read_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// `12.5`, or with minutes and hours `1:02.5`.
fn read_seconds(text: &str) -> Option<f64> {
    let parts = text.split(':').map(read_number);
    parts.into_iter().try_fold(0.0, |sum, part| part.map(|part| 60.0 * sum + part))
}
