//! How the program talks to other programs and reads their files: parse to a value, call one
//! function, format the answer.

pub mod ggf;
pub mod obf;
