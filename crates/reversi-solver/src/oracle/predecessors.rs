//! What the tables say about a position through its predecessors.

use super::{Oracle, OracleError, agree};
use reversi_rules::{Move, Position, Score, symmetry};
use reversi_table::library::OpenedTable;

/// What is known of the score of a position that no table holds.
#[derive(Clone, Copy)]
pub(super) struct Bound<'a> {
    /// The score is at least this, and often equal.
    pub least: Score,
    /// The score is `least`: the stored move of a predecessor leads here.
    pub is_exact: bool,
    /// The table that says so.
    pub table: &'a OpenedTable,
}

impl Oracle {
    /// What the tables say about a position that none of them holds. The score of a predecessor is that of its best
    /// move, so the score here is at least its opposite, and equal if the stored move leads here. The entry of `asked`,
    /// if it is a predecessor, is not used: the score found here will be compared with it. `None` if no other
    /// predecessor is in a table.
    pub(super) fn bound_by_predecessors(
        &self,
        position: Position,
        asked: Option<Position>,
    ) -> Result<Option<Bound<'_>>, OracleError> {
        let empties = position.empty_count(self.geometry);
        if !self.has_entries(empties + 1) {
            return Ok(None);
        }
        let (mut greatest, mut exact): (Option<Bound>, Option<Bound>) = (None, None);
        for (_, before) in position.predecessors(self.geometry) {
            if asked.is_some_and(|asked| self.are_images(asked, before)) {
                continue;
            }
            let Some((table, entry)) = self.look_up(before)? else { continue };
            let is_exact = entry.best.is_some_and(|best| self.leads_to(before, best, position));
            let bound = Bound { least: -entry.score, is_exact, table };
            if greatest.is_none_or(|greatest| bound.least > greatest.least) {
                greatest = Some(bound);
            }
            if is_exact && exact.is_none_or(|exact| bound.least < exact.least) {
                exact = Some(bound);
            }
        }
        if let (Some(exact), Some(greatest)) = (exact, greatest) {
            agree(exact.table, -exact.least, -greatest.least)?;
        }
        Ok(exact.or(greatest))
    }

    /// Whether a table has entries with this number of empty squares.
    fn has_entries(&self, empties: u32) -> bool {
        let count = |found: &OpenedTable| found.table.header().counts().nth(empties as usize);
        self.tables.iter().any(|found| count(found).is_some_and(|count| count > 0))
    }

    /// Whether a move leads to a position or an image of it.
    fn leads_to(&self, before: Position, mv: Move, position: Position) -> bool {
        before.is_legal(self.geometry, mv) && self.are_images(before.after(mv), position)
    }

    fn are_images(&self, one: Position, other: Position) -> bool {
        let form = |position| symmetry::canonical(self.geometry, position).0;
        form(one) == form(other)
    }
}
