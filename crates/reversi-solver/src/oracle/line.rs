//! Lines of best play: from tables, and beyond them by search.

use super::{LineEnd, Oracle, OracleError, agree};
use crate::search::Stop;
use reversi_rules::{Move, Position, Score};
use reversi_table::Entry;

impl Oracle {
    /// The line of best play from a position of this score that begins with `first`, and whether it reaches the end of
    /// the game.
    pub(super) fn line(
        &self,
        mut position: Position,
        mut score: Score,
        first: Option<Move>,
        end: LineEnd,
        stop: &Stop,
    ) -> Result<(Vec<Move>, bool), OracleError> {
        let mut line = Vec::new();
        let mut next = first;
        while let Some(mv) = next {
            line.push(mv);
            (position, score) = (position.after(mv), -score);
            next = match end {
                LineEnd::OfTable => self.best_in_tables(position)?,
                LineEnd::OfGame => match self.best_of_score(position, score, stop) {
                    Err(OracleError::Stopped) => None,
                    best => best?,
                },
            };
        }
        Ok((line, position.is_over(self.geometry)))
    }

    /// A best move of a position whose score is known; `None` at the end of the game.
    fn best_of_score(
        &self,
        position: Position,
        score: Score,
        stop: &Stop,
    ) -> Result<Option<Move>, OracleError> {
        if let Some((found, entry)) = self.probe(position)? {
            agree(found, entry.score, score)?;
            return match entry.best {
                None => Ok(self.find_best(position, found, score, stop)?.0),
                stored => Ok(stored),
            };
        }
        match position.children(self.geometry).as_slice() {
            [] => Ok(None),
            &[(only, _)] => Ok(Some(only)),
            // If a table was wrong, no move reaches the score that it gave; a search then finds a best move.
            _ => match self.move_reaching(position, score, stop)? {
                None => Ok(self.search(position, stop)?.best),
                best => Ok(best),
            },
        }
    }

    /// A best move from table entries alone.
    fn best_in_tables(&self, position: Position) -> Result<Option<Move>, OracleError> {
        if let Some((_, Entry { best: Some(best), .. })) = self.probe(position)? {
            return Ok(Some(best));
        }
        let mut best: Option<(Move, Score)> = None;
        for (mv, child) in position.children(self.geometry) {
            let Some((_, entry)) = self.look_up(child)? else { return Ok(None) };
            if best.is_none_or(|(_, score)| -entry.score > score) {
                best = Some((mv, -entry.score));
            }
        }
        Ok(best.map(|(mv, _)| mv))
    }
}
