//! Contests, measurements, training and the building of tables.

pub mod arena;
pub mod build;
pub mod prototype;
pub mod columns;
pub mod sigmas;
pub mod train;
