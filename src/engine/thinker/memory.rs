//! What the search has thought of positions before: one thread's table of estimates.

use crate::rules::Position;

/// "No move known".
pub(super) const NO_MOVE: u8 = 64;

/// What a value says about the true value of that depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::engine) enum Bound {
    #[default]
    AtLeast,
    AtMost,
    Exactly,
}

impl Bound {
    /// What a value that came out of a search with this window is.
    pub fn of<T: PartialOrd>(value: T, alpha: T, beta: T) -> Bound {
        match value {
            _ if value >= beta => Bound::AtLeast,
            _ if value <= alpha => Bound::AtMost,
            _ => Bound::Exactly,
        }
    }

    /// Whether such a value says all that a search with this window is asked.
    pub fn settles<T: PartialOrd>(self, value: T, alpha: T, beta: T) -> bool {
        match self {
            Bound::Exactly => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        }
    }
}

/// What was found of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Memo {
    /// In units of an estimate, for the side to move.
    pub value: i32,
    pub bound: Bound,
    pub depth: u8,
    /// Square of the best move or [`NO_MOVE`].
    pub best: u8,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    position: Position,
    value: i32,
    /// Which game it belongs to; 0 for no entry at all.
    game: u16,
    depth: u8,
    best: u8,
    bound: Bound,
}

/// A table that holds two entries in each place: the deepest, and the latest.
pub struct Memory {
    places: Vec<[Entry; 2]>,
    game: u16,
}

impl Memory {
    /// A table of at most `bytes`, at least one place: the largest power of two that fits.
    pub fn new(bytes: usize) -> Memory {
        let places = (bytes / size_of::<[Entry; 2]>()).max(1);
        Memory { places: vec![[Entry::default(); 2]; 1 << places.ilog2()], game: 1 }
    }

    /// From now on nothing is known.
    pub fn forget(&mut self) {
        if self.game == u16::MAX {
            self.places.fill([Entry::default(); 2]);
            self.game = 0;
        }
        self.game += 1;
    }

    fn place(&self, position: Position) -> usize {
        let mixed = position.player.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ position.opponent.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(32);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    /// What is known of the position.
    pub(super) fn probe(&self, position: Position) -> Option<Memo> {
        let known = |entry: &&Entry| entry.game == self.game && entry.position == position;
        let entry = self.places[self.place(position)].iter().find(known)?;
        Some(Memo { value: entry.value, bound: entry.bound, depth: entry.depth, best: entry.best })
    }

    /// Remembers; of two other positions in the same place the deeper one stays.
    pub(super) fn store(&mut self, position: Position, memo: Memo) {
        let Memo { value, bound, depth, best } = memo;
        let entry = Entry { position, value, game: self.game, depth, best, bound };
        let game = self.game;
        let place = self.place(position);
        let [deepest, latest] = &mut self.places[place];
        let gives_way = deepest.game != game || deepest.position == position || deepest.depth <= depth;
        if gives_way {
            if deepest.position != position {
                *latest = *deepest;
            }
            *deepest = entry;
        } else {
            *latest = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memo(depth: u8) -> Memo {
        Memo { value: i32::from(depth) * 10, bound: Bound::Exactly, depth, best: 19 }
    }

    #[test]
    fn the_deepest_and_the_latest_stay() {
        let mut memory = Memory::new(0);
        let positions = [1, 2, 4, 8].map(|player| Position::new(player, 0));
        for (position, depth) in positions.into_iter().zip([3, 9, 4, 5]) {
            memory.store(position, memo(depth));
        }
        assert_eq!(memory.probe(positions[0]), None);
        assert_eq!(memory.probe(positions[1]), Some(memo(9)));
        assert_eq!(memory.probe(positions[2]), None);
        assert_eq!(memory.probe(positions[3]), Some(memo(5)));
    }

    #[test]
    fn another_game_knows_nothing() {
        let mut memory = Memory::new(1 << 12);
        let position = Position::new(3, 4);
        for _ in 0..=u32::from(u16::MAX) + 1 {
            memory.store(position, memo(1));
            assert_eq!(memory.probe(position), Some(memo(1)));
            memory.forget();
            assert_eq!(memory.probe(position), None);
        }
    }
}
