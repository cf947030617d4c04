//! Records and positions as people paste them and programs write them.

pub mod decode;
pub mod drawings;
mod error;
mod forms;
pub mod ggf;
mod json;
pub mod obf;
mod other_json;
mod own;
pub mod pgn;
mod quest;
pub mod reader;
mod reading;
mod records;
pub mod sgf;
pub mod table_rows;
pub mod text;
pub mod wthor;
