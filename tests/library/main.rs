//! What the library promises: rules, values, searches, tables, players, formats.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../fuzz/src/lib.rs"]
mod fuzzed;

mod engine;
mod enumerate;
mod exact;
mod five_systems;
mod fuzz;
mod ggf;
mod known_values;
mod last_ply;
mod notation;
mod obf;
mod oracle;
mod perft;
mod prove;
mod region;
mod rules;
mod shared_build;
mod sources;
mod table_changed;
mod table_corruption;
mod table_round_trip;
mod table_versions;
mod table_writer;
mod verify;
mod whole;
