//! Records and positions as people paste them and programs write them.

pub mod decode;
pub mod drawings;
mod error;
mod forms;
pub mod ggf;
pub mod obf;
mod other_json;
pub mod own;
pub mod pgn;
pub mod quest;
pub mod reader;
mod reading;
mod records;
pub mod sgf;
pub mod text;
pub mod wthor;
