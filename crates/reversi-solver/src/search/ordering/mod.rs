//! Which move first: the sooner the refuting move is tried, the smaller the tree. Only the order depends on what is
//! here, never a score.

pub(crate) mod endgame;
pub(crate) mod shallow;
