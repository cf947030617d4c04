//! What a region holds, by its definition, word by word, over the whole of 4x4.

use reversi::build::enumerate::Reachable;
use reversi::rules::{Board, Geometry, Move, Position, Rules, Start};
use reversi::search::Stop;
use reversi::table::{Contents, RawEntry, Region, key};
use reversi::verify::{Outcome, Report};
use std::collections::HashMap;

/// Scores and canonical best moves, by key.
pub type Truth = HashMap<u64, RawEntry>;

/// All of 4x4 in the order of a table.
pub fn solved(start: Start, rules: Rules) -> Vec<RawEntry> {
    let root = Board::start(Geometry::FOUR, start).position();
    let reachable =
        Reachable::from_roots(Geometry::FOUR, &[root], 1 << 30, &Stop::never(), |_, _| {}).unwrap();
    reachable.solve(&[rules], &Stop::never(), |_| ()).unwrap().entries(rules).collect()
}

/// The same, to be looked up.
pub fn truth(start: Start, rules: Rules) -> Truth {
    solved(start, rules).into_iter().map(|entry| (entry.key, entry)).collect()
}

/// What a region knows a position for.
#[derive(Default)]
pub struct Met {
    /// Plies of the prefix still to come.
    pub prefix: Option<u8>,
    pub chooses: bool,
    pub free: bool,
}

struct Walk<'a> {
    geometry: Geometry,
    down_to: u32,
    truth: &'a Truth,
    met: HashMap<u64, Met>,
}

impl Walk<'_> {
    /// Notes a position of the prefix and those after it.
    fn prefix(&mut self, position: Position, left: u8) {
        let prefix = &mut self.met.entry(key::canonical(self.geometry, position).0).or_default().prefix;
        *prefix = (*prefix).max(Some(left));
        for (mv, child) in position.children(self.geometry) {
            match mv {
                Move::Pass => self.prefix(child, left),
                Move::Play(_) if left > 0 => self.prefix(child, left - 1),
                Move::Play(_) => {}
            }
        }
    }

    /// Notes what one side's best moves lead to.
    fn play(&mut self, position: Position, chooses: bool) {
        let (key, form, _) = key::canonical(self.geometry, position);
        let met = self.met.entry(key).or_default();
        *(if chooses { &mut met.chooses } else { &mut met.free }) = true;
        for (mv, child) in form.children(self.geometry) {
            let goes_on = match mv {
                Move::Pass => true,
                Move::Play(_) if form.empty_count(self.geometry) <= self.down_to => false,
                Move::Play(square) => {
                    !chooses || self.geometry.row_major(square) as u8 == self.truth[&key].best
                }
            };
            if goes_on {
                self.play(child, !chooses);
            }
        }
    }
}

/// The positions of a region, by key.
pub fn met(contents: &Contents, truth: &Truth) -> HashMap<u64, Met> {
    let Region::SemiStrong { prefix, down_to } = contents.region else { panic!("no region but all") };
    let (geometry, down_to) = (contents.geometry, down_to.into());
    let mut walk = Walk { geometry, down_to, truth, met: HashMap::new() };
    for &root in &contents.roots {
        walk.prefix(root, prefix);
        walk.play(root, true);
        walk.play(root, false);
    }
    walk.met
}

/// The entries of a region in the order of a table.
pub fn entries(contents: &Contents, truth: &Truth) -> Vec<RawEntry> {
    let Region::SemiStrong { down_to, .. } = contents.region else { panic!("no region but all") };
    let position = |key| key::unpack(contents.geometry, key).unwrap();
    let entry = |(&key, met): (&u64, &Met)| {
        let board = position(key);
        let is_forced = board.legal_moves(contents.geometry) == 0;
        let goes_on = board.empty_count(contents.geometry) > down_to.into();
        let has_move =
            is_forced || met.chooses || met.free && goes_on || met.prefix.is_some_and(|left| left > 0);
        let entry = truth[&key];
        RawEntry { best: if has_move { entry.best } else { RawEntry::NO_MOVE }, ..entry }
    };
    let mut entries: Vec<RawEntry> = met(contents, truth).iter().map(entry).collect();
    entries.sort_by_key(|entry| (position(entry.key).disc_count(), entry.key));
    entries
}

/// The names of the checks that failed.
pub fn failures(report: &Report) -> Vec<&str> {
    let failed = report.checks.iter().filter(|check| matches!(check.outcome, Outcome::Failed { .. }));
    failed.map(|check| check.name).collect()
}
