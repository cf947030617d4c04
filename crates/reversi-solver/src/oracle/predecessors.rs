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
    /// move, so the score here is at least its opposite, and equal if the stored move leads here. `None` if no
    /// predecessor is in a table.
    pub(super) fn bound_by_predecessors(&self, position: Position) -> Result<Option<Bound<'_>>, OracleError> {
        let empties = position.empty_count(self.geometry);
        if !self.has_entries(empties + 1) {
            return Ok(None);
        }
        let (mut found, mut greatest): (Option<Bound>, _) = (None, None);
        for (_, before) in position.predecessors(self.geometry) {
            let Some((table, entry)) = self.look_up(before)? else { continue };
            let least = -entry.score;
            let is_exact = entry.best.is_some_and(|best| self.leads_to(before, best, position));
            if is_exact || found.is_none_or(|found| !found.is_exact && least > found.least) {
                found = Some(Bound { least, is_exact, table });
            }
            greatest = greatest.max(Some(least));
        }
        if let (Some(Bound { least, is_exact: true, table }), Some(greatest)) = (found, greatest) {
            agree(table, -least, -greatest)?;
        }
        Ok(found)
    }

    /// Whether a table has entries with this number of empty squares.
    fn has_entries(&self, empties: u32) -> bool {
        let count = |found: &OpenedTable| found.table.header().counts().nth(empties as usize);
        self.tables.iter().any(|found| count(found).is_some_and(|count| count > 0))
    }

    /// Whether a move leads to a position or an image of it.
    fn leads_to(&self, before: Position, mv: Move, position: Position) -> bool {
        let form = |position| symmetry::canonical(self.geometry, position).0;
        before.is_legal(self.geometry, mv) && form(before.after(mv)) == form(position)
    }
}
