//! A node of the exact search.

/// A position with the incremental data of the search.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub player: u64,
    pub opponent: u64,
    /// Number of empty squares.
    pub count: u32,
    /// Set of quadrants with an odd number of empty squares.
    pub parity: u8,
    /// The legal moves, once computed; else [`UNKNOWN`](crate::search::ordering::endgame::UNKNOWN).
    pub legal: u64,
    /// Key in the shared transposition table; 0 below [`SHARED_TT_EMPTIES`](super::search::SHARED_TT_EMPTIES).
    pub key: u64,
}
