//! What the program promises: every command as people and scripts see it.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod bench;
mod build_region;
mod golden;
mod hint;
mod lab;
mod match_;
mod perft;
mod prove;
mod query;
mod readme;
mod review;
mod sessions;
mod shared_build;
mod solve;
mod table_files;
mod tournament;
mod train;
