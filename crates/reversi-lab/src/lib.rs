//! Contests, measurements, training and the building of tables.

pub mod arena;
pub mod atlas;
mod batch;
pub mod book;
pub mod build;
mod codec;
pub mod columns;
pub mod estimates;
pub mod evaluation_rate;
pub mod prototype;
pub mod prove;
mod seed;
pub mod sigmas;
pub mod spread;
pub mod spreads;
pub mod table_stats;
pub mod train;
