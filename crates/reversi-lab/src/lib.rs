//! Contests, measurements, training and the building of tables.

pub mod arena;
pub mod build;
<<<<<<< HEAD
pub mod prototype;
=======
pub mod columns;
>>>>>>> names
pub mod sigmas;
pub mod train;
