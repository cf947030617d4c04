//! What the program promises: every command as people and scripts see it.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod bench;
mod book;
mod build_region;
mod golden;
mod hint;
mod install;
#[cfg(unix)]
mod interrupts;
mod lab;
mod match_;
mod perft;
mod proof;
mod prove;
mod query;
mod read_back;
mod readme;
mod review;
mod sample;
mod scripts;
mod sessions;
mod shared_build;
mod solve;
mod table_files;
#[cfg(unix)]
mod terminal;
mod tournament;
mod train;
