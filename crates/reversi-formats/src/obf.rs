//! Edax problem files (`.obf`): positions with the scores of their moves.
//!
//! A record is a board, the side to move and, each ended by `;`, either the scored moves or one score:
//!
//! ```text
//! % goal=normal scoring=raw
//! XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X; F6:+20;
//! -----OX--XO----- X; -8; % the start of 4x4
//! ```
//!
//! Scores are for the side to move. A comment line that begins with `key=value` words may name the goal and the scoring
//! of the whole file (ours; other readers skip it as a comment).
//!
//! A file that names none leaves goal and scoring to its reader. Files of other programs use the normal goal, and on
//! 8x8 give empty squares to the winner. The commands of this program assume the same, and raw scores on other boards
//! ([`Scoring::usual`]), unless their options say otherwise.

pub use crate::error::{ObfError, ObfFault};

use crate::decode::without_mark;
use crate::error::ReadError;
use crate::reader::{Zero, check_cells, check_shape, is_rules_alone, sets_rules};
use reversi_rules::notation;
use reversi_rules::{Board, Color, Geometry, Goal, Move, Score, Scoring};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A problem file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct File {
    /// The goal its scores are for, if the file says so.
    pub goal: Option<Goal>,
    /// The scoring its scores are for, if the file says so.
    pub scoring: Option<Scoring>,
    /// The problems in the order of the file.
    pub records: Vec<Record>,
}

/// One problem: a position and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Line of the file, from 1; not written, though a record read back from another line is not equal.
    pub line: usize,
    /// The position. Any placement of discs is accepted.
    pub board: Board,
    /// Moves with their scores, legal and each listed once, in the order of the file: usually best first.
    pub moves: Vec<(Move, Score)>,
    /// The score of the position where it stands alone, without moves.
    pub score: Option<Score>,
    /// What follows `%`, without the spaces around it. Ends of lines are written as spaces.
    pub comment: Option<String>,
}

impl Record {
    /// The score of the position: the one given alone, or the highest of the listed moves.
    pub fn best_score(&self) -> Option<Score> {
        self.score.or_else(|| self.moves.iter().map(|&(_, score)| score).max())
    }

    /// The moves listed with the highest score.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        let best = self.moves.iter().map(|&(_, score)| score).max();
        self.moves.iter().filter(move |&&(_, score)| Some(score) == best).map(|&(mv, _)| mv)
    }
}

/// What the caller names besides the text.
#[derive(Clone, Copy, Default, Debug)]
pub struct Asked {
    /// The board of all records; without it the number of cells must be that of a square board.
    pub geometry: Option<Geometry>,
    /// The side to move in all records: one that names the other side is refused.
    pub side: Option<Color>,
    /// What `0` stands for; if not given, `0` is a white disc on boards that have another sign for empty squares.
    pub zero: Option<Zero>,
}

impl From<Option<Geometry>> for Asked {
    /// Nothing but the board.
    fn from(geometry: Option<Geometry>) -> Asked {
        Asked { geometry, ..Asked::default() }
    }
}

/// Reads a problem file.
///
/// # Errors
/// The first line that cannot be read, with the reason.
///
/// ```
/// use reversi_formats::obf;
/// let file = obf::parse("-----OX--XO----- X; b1:-8; a2:-8; % the start", None).unwrap();
/// assert_eq!(file.records[0].best_score().unwrap().discs(), -8);
/// assert_eq!(file.records[0].best_moves().count(), 2);
/// ```
pub fn parse(text: &str, asked: impl Into<Asked>) -> Result<File, ObfError> {
    let asked = asked.into();
    let mut file = File::default();
    for (index, line) in without_mark(text).lines().enumerate() {
        let number = index + 1;
        file.read_line(number, line.trim(), &asked).map_err(|fault| ObfError { line: number, fault })?;
    }
    Ok(file)
}

/// The goal and the scoring that comment lines name in a text of positions or moves in no named format.
///
/// # Errors
/// The first line that is at fault, as in a problem file.
pub(crate) fn settings(text: &str) -> Result<File, ObfError> {
    let (mut file, mut has_content) = (File::default(), false);
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        match file.read_comment(line, has_content) {
            Some(result) => result.map_err(|fault| ObfError { line: number, fault })?,
            None => has_content |= !line.is_empty() && !line.starts_with(['#', ';']),
        }
    }
    Ok(file)
}

impl FromStr for File {
    type Err = ObfError;

    fn from_str(text: &str) -> Result<File, ObfError> {
        parse(text, Asked::default())
    }
}

impl File {
    fn read_line(&mut self, number: usize, line: &str, asked: &Asked) -> Result<(), ObfFault> {
        match self.read_comment(line, !self.records.is_empty()) {
            Some(result) => result?,
            None if line.is_empty() => {}
            None => {
                let record = read_record(number, line, asked)?;
                let is_first = self.records.is_empty();
                self.read_remark(record.comment.as_deref().unwrap_or_default(), is_first)?;
                self.records.push(record);
            }
        }
        Ok(())
    }

    /// Applies `goal=` and `scoring=` words in the comment after a position; everything else there is ignored. After
    /// the first position (`is_first`) they set the rules of the file. For callers that read line by line.
    ///
    /// # Errors
    /// Rules that differ from those of the positions so far.
    pub fn read_remark(&mut self, comment: &str, is_first: bool) -> Result<(), ObfFault> {
        let comment = comment.to_ascii_lowercase();
        for word in setting_words(&comment) {
            let fits = match word.split_once('=') {
                Some(("goal", name)) => is_taken(&mut self.goal, name, is_first),
                Some(("scoring", name)) => is_taken(&mut self.scoring, name, is_first),
                _ => true,
            };
            if !fits {
                return Err(ObfFault::Late(word.to_owned()));
            }
        }
        Ok(())
    }

    /// Applies what a line sets that is a comment; `None` for other lines. In a comment behind `#`, which may be about
    /// anything, only `goal=` and `scoring=` count; one of rules in words alone is refused. After the first position
    /// (`has_positions`) it must not change the rules. For callers that read line by line.
    ///
    /// # Errors
    /// A setting that is unclear, unknown, too late, or contradicts an earlier one.
    pub fn read_comment(&mut self, line: &str, has_positions: bool) -> Option<Result<(), ObfFault>> {
        if let Some(comment) = line.strip_prefix('%') {
            return Some(self.set(comment, has_positions));
        }
        let comment = line.strip_prefix('#')?;
        if is_rules_alone(comment) {
            return Some(Err(ObfFault::Setting(comment.trim().to_owned())));
        }
        sets_rules(comment).then(|| self.read_remark(line, !has_positions))
    }

    /// Applies the settings of a comment line. After the first position they must not change anything.
    fn set(&mut self, comment: &str, has_positions: bool) -> Result<(), ObfFault> {
        let before = (self.goal, self.scoring);
        self.read_settings(comment)?;
        match has_positions && before != (self.goal, self.scoring) {
            true => Err(ObfFault::Late(comment.trim().to_owned())),
            false => Ok(()),
        }
    }

    /// Applies the goal and the scoring in words of a comment of the form `goal=...` or `scoring=...`, in small letters
    /// or capitals, whatever signs stand between the words. A comment without such words changes nothing. `comment` is
    /// what follows the `%` at the beginning of a line.
    ///
    /// # Errors
    /// A setting with an unknown value, one that contradicts an earlier one, or one within a sentence, where its
    /// meaning is unclear.
    fn read_settings(&mut self, comment: &str) -> Result<(), ObfFault> {
        let comment = comment.trim().to_ascii_lowercase().replace(['"', '\'', '`'], "");
        let is_goal = |word: &str| word.parse::<Goal>().is_ok();
        let is_scoring = |word: &str| word.parse::<Scoring>().is_ok();
        if is_rules_alone(&comment)
            || is_torn(&comment, "goal", is_goal)
            || is_torn(&comment, "scoring", is_scoring)
        {
            return Err(ObfFault::Setting(comment));
        }
        let mut follows_prose = false;
        for word in setting_words(&comment) {
            let unknown = |_| ObfFault::Setting(word.to_owned());
            let fits = match word.split_once('=') {
                Some(("goal", name)) => {
                    let goal = name.parse().map_err(unknown)?;
                    *self.goal.get_or_insert(goal) == goal
                }
                Some(("scoring", name)) => {
                    let scoring = name.parse().map_err(unknown)?;
                    *self.scoring.get_or_insert(scoring) == scoring
                }
                _ => {
                    follows_prose |= !word.is_empty() && word.chars().all(char::is_alphabetic);
                    continue;
                }
            };
            if follows_prose {
                return Err(ObfFault::Sentence(word.to_owned()));
            }
            if !fits {
                return Err(ObfFault::Contradiction(word.to_owned()));
            }
        }
        Ok(())
    }
}

/// Whether the comment after a position names the goal or the scoring.
pub(crate) fn remark_names_rules(comment: &str) -> bool {
    let mut named = File::default();
    named.read_remark(comment, true).is_ok() && (named.goal, named.scoring) != (None, None)
}

/// The words of a comment, `key=value` being one.
fn setting_words(comment: &str) -> impl Iterator<Item = &str> {
    comment.split(|sign: char| !sign.is_alphanumeric() && sign != '=')
}

/// Whether the rule is, or may become, what a word names; a word that names no rule is accepted and changes nothing.
fn is_taken<T: FromStr + Copy + PartialEq>(rule: &mut Option<T>, word: &str, is_first: bool) -> bool {
    match (word.parse::<T>(), *rule) {
        (Ok(named), Some(taken)) => named == taken,
        (Ok(named), None) if is_first => {
            *rule = Some(named);
            true
        }
        (Ok(_), None) => false,
        (Err(_), _) => true,
    }
}

/// Whether a comment seems to set this key in another form than `key=value`: with another sign, with a space around the
/// sign, or with no sign before a value. Ignoring such a comment could take the scores for those of another goal or
/// scoring.
fn is_torn(comment: &str, key: &str, is_value: impl Fn(&str) -> bool) -> bool {
    let is_torn_at = |place: usize| {
        let rest = &comment[place + key.len()..];
        let is_set =
            rest.strip_prefix('=').is_some_and(|value| value.starts_with(|c: char| !c.is_whitespace()));
        let has_sign = rest.trim_start().starts_with(['=', ':']);
        let mut words = rest.trim_start().trim_start_matches(['=', ':']).split_whitespace();
        let Some(value) = words.next().map(|word| word.trim_end_matches([',', '.', ';'])) else {
            return false;
        };
        !is_set && (is_value(value) || place == 0 && has_sign && words.next().is_none())
    };
    comment.match_indices(key).any(|(place, _)| is_torn_at(place))
}

fn read_record(line: usize, text: &str, asked: &Asked) -> Result<Record, ObfFault> {
    let (content, comment) = match text.split_once('%') {
        Some((content, comment)) => (content, Some(comment.trim().to_owned())),
        None => (text, None),
    };
    let (cells, scores) = content.split_once(';').unwrap_or((content, ""));
    let board = read_board(cells, asked)?;
    let Scores { moves, score } = read_scores(board, scores)?;
    Ok(Record { line, board, moves, score, comment })
}

/// Reads the board and the side at the beginning of a line. A board that can be read in two ways is refused, as in
/// other texts.
///
/// # Errors
/// There is no board, it is unclear, or it names another side than `asked`.
pub fn read_board(text: &str, asked: &Asked) -> Result<Board, ObfFault> {
    let unclear = |error| ObfFault::Unclear(Box::new(error));
    // The last sign is the side.
    let text = text.trim_end();
    let end = text.char_indices().next_back().map_or(0, |(place, _)| place);
    let text = match asked.zero {
        Some(Zero::Empty) => Cow::Owned(text[..end].replace('0', "-") + &text[end..]),
        Some(Zero::White) => Cow::Owned(text[..end].replace('0', "O") + &text[end..]),
        None => Cow::Borrowed(text),
    };
    let board = notation::parse_board(asked.geometry, &text)?;
    let cells: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    check_cells(&cells[..cells.len() - 1]).map_err(unclear)?;
    let size = (board.geometry.width(), board.geometry.height());
    check_shape(&text, cells.len() - 1, size).map_err(unclear)?;
    match asked.side.filter(|&side| side != board.to_move) {
        Some(wanted) => Err(unclear(ReadError::OtherSide { said: board.to_move, wanted })),
        None => Ok(board),
    }
}

/// What a line says of its position: one of the two, or nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scores {
    /// Moves with their scores, for the side to move.
    pub moves: Vec<(Move, Score)>,
    /// The score of the position.
    pub score: Option<Score>,
}

/// Reads what follows the first semicolon of a line: moves with their scores, or one score. For callers that read line
/// by line.
///
/// # Errors
/// Moves that are not legal there, scores that the board does not have, or both kinds at once.
pub fn read_scores(board: Board, text: &str) -> Result<Scores, ObfFault> {
    let mut scores = Scores::default();
    for field in text.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        if scores.score.is_some() {
            return Err(ObfFault::Mixed);
        }
        match field.split_once(':') {
            Some((token, score)) if is_filler(board, token.trim(), score.trim()) => {}
            Some((token, score)) => {
                let mv = read_legal_move(board, token.trim())?;
                if scores.moves.iter().any(|&(earlier, _)| earlier == mv) {
                    return Err(ObfFault::Repeated(token.trim().to_owned()));
                }
                scores.moves.push((mv, read_score(board, score.trim())?));
            }
            None if scores.moves.is_empty() => scores.score = Some(read_score(board, field)?),
            None => {
                read_score(board, field)?;
                return Err(ObfFault::Mixed);
            }
        }
    }
    Ok(scores)
}

/// `--:-127` where there are moves: an entry that some programs write at the end of a list, without a move and with a
/// score that no board has.
fn is_filler(board: Board, token: &str, score: &str) -> bool {
    let has_no_score =
        score.parse::<i32>().is_ok_and(|discs| discs.unsigned_abs() > board.geometry.square_count());
    notation::is_pass(token) && has_no_score && !board.position().must_pass(board.geometry)
}

fn read_legal_move(board: Board, token: &str) -> Result<Move, ObfFault> {
    let fault = |reason| ObfFault::Move { token: token.to_owned(), reason };
    let mv = notation::read_move(board.geometry, token).map_err(fault)?;
    match board.after(mv) {
        Some(_) => Ok(mv),
        None => Err(fault(notation::why_illegal(board, mv))),
    }
}

fn read_score(board: Board, text: &str) -> Result<Score, ObfFault> {
    let squares = board.geometry.square_count();
    match text.parse::<i32>() {
        Ok(discs) if discs.unsigned_abs() <= squares => Ok(Score::new(discs)),
        _ => Err(ObfFault::Score { text: text.to_owned(), squares }),
    }
}

/// The whole file; settings first, then one record a line.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = self.goal.map(|goal| format!(" goal={goal}"));
        let scoring = self.scoring.map(|scoring| format!(" scoring={scoring}"));
        if goal.is_some() || scoring.is_some() {
            writeln!(f, "%{}{}", goal.unwrap_or_default(), scoring.unwrap_or_default())?;
        }
        self.records.iter().try_for_each(|record| writeln!(f, "{record}"))
    }
}

/// One line without its end: squares in capitals, scores signed, as Edax writes them.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.board)?;
        for (mv, score) in &self.moves {
            write!(f, " {}:{score};", mv.to_string().to_ascii_uppercase())?;
        }
        if let Some(score) = self.score {
            write!(f, " {score};")?;
        }
        match &self.comment {
            Some(comment) => write!(f, " % {}", comment.lines().collect::<Vec<_>>().join(" ")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_loosely_as_people_write_it() {
        let file = parse("\u{feff}\r\n---- -OX- -XO- ---- *;b1 : -8 ;a2:-10\r\n", None).unwrap();
        let record = &file.records[0];
        assert_eq!(record.line, 2);
        assert_eq!(record.to_string(), "-----OX--XO----- X; B1:-8; A2:-10;");
        assert_eq!(record.best_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["b1"]);
    }

    #[test]
    fn a_board_that_is_not_square_needs_its_geometry() {
        let text = "-------OX--XO------- X; +3;";
        assert!(matches!(parse(text, None), Err(ObfError { line: 1, fault: ObfFault::Board(_) })));
        let file = parse(text, Some(Geometry::new(5, 4).unwrap())).unwrap();
        assert_eq!(file.records[0].best_score(), Some(Score::new(3)));
        assert_eq!(file.records[0].best_moves().count(), 0);
    }

    #[test]
    fn a_record_may_know_nothing() {
        let file = parse("-----OX--XO----- X; % what is it worth?", None).unwrap();
        assert_eq!(file.records[0].best_score(), None);
        assert_eq!(file.records[0].comment.as_deref(), Some("what is it worth?"));
    }

    #[test]
    fn settings_are_read_from_comments_that_begin_with_them() {
        let file =
            parse("% goal=reversed scoring=raw\n% goal unknown\n% the goals are these\n% Goal: find the best move\n% depth=3\n%\n", None).unwrap();
        assert_eq!((file.goal, file.scoring), (Some(Goal::Reversed), Some(Scoring::Raw)));
        for comment in [
            "%GOAL=Reversed",
            "%% goal=reversed, 10 empties",
            "% 6x6 goal=reversed",
            "% goal=reversed (made by me)",
            "% 6x6 (goal=reversed).",
            "% empties=10 goal=reversed; not all listed",
            "% board=4x4,goal=reversed",
            "% board=4x4;goal=\"reversed\"",
            "% \"goal\"=reversed",
        ] {
            assert_eq!(parse(comment, None).unwrap().goal, Some(Goal::Reversed), "{comment}");
        }
        let error = parse("% goal=reversed\n% goal=normal is harder", None).unwrap_err();
        assert_eq!(error.fault, ObfFault::Contradiction("goal=normal".to_owned()));
        for comment in [
            "% not goal=reversed",
            "% made from a goal=reversed file",
            "% settings:goal=reversed scoring=winner",
            "% these were goal=reversed before I turned them into goal=normal",
        ] {
            let error = parse(comment, None).unwrap_err();
            assert_eq!(error.fault, ObfFault::Sentence("goal=reversed".to_owned()), "{comment}");
        }
        for torn in [
            "% goal = reversed",
            "% scoring =raw",
            "%goal\t=normal",
            "% goal: reversed",
            "% goal:reversed",
            "% Goal : reversed",
            "% scoring winner",
            "% goal: reversed scoring: raw",
            "% goal reversed scoring raw",
            "% scoring=raw goal: reversed",
            "% goal: anti",
            "% reversed goal",
            "# reversed goal",
            "# Reversed goal, raw scoring",
            "% goal= reversed",
            "% scoring=raw goal= reversed",
            "% scores for goal: reversed, scoring: raw.",
        ] {
            let error = parse(torn, None).unwrap_err();
            assert!(error.to_string().contains("is no setting; write goal=normal"), "{torn}: {error}");
        }
    }
}
