//! Contests, measurements, training and the building of tables.

pub mod arena;
pub mod build;
pub mod columns;
pub mod prototype;
pub mod sigmas;
pub mod train;
