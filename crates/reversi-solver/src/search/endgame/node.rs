//! A node of the exact search.

/// The side to move, the other, and what the search carries along.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub player: u64,
    pub opponent: u64,
    /// Number of empty squares.
    pub count: u32,
    /// Set of quadrants with an odd number of them.
    pub parity: u8,
    /// Its legal moves where they are known already, else [`UNKNOWN`](crate::search::ordering::endgame::UNKNOWN).
    pub legal: u64,
    /// Where it is in the transposition tables, if it is to be looked for there.
    pub key: u64,
}
