//! Move ordering: the sooner the refuting move is tried, the smaller the tree. The order never changes a score.

pub(crate) mod endgame;
pub(crate) mod move_weights;
pub(crate) mod shallow;
