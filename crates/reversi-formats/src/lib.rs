//! Records and positions as people paste them and programs write them.

pub mod ggf;
pub mod obf;
pub mod text;
