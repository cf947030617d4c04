//! The extension module `reversi_oracle._native`: boards, tables, the oracle, the solver and the players, as Python sees
//! them. What needs no speed is written in Python, in `reversi_oracle/`.
//!
//! Rules that hold in every file:
//!
//! - Locks are taken with the GIL held and given back before it is released, unless the file says otherwise. A `fork`
//!   happens with the GIL held, so the child finds no lock of another thread taken.
//! - Searches run without the GIL on a thread of their own while the calling thread looks for signals, see [`run`].
//! - A panic becomes an exception, `InternalError`.

mod arrays;
mod board;
mod calls;
mod cpu;
mod drawing;
mod errors;
mod games;
mod lab;
mod oracle;
mod player;
mod run;
mod solve;
mod table;
mod words;

/// The parts of the package that are not written in Python.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::{
        board::PyBoard,
        calls::end_calls,
        cpu::{cpu_level, target_features},
        games::{play_game, read_games, write_game},
        lab::{regret_figures, sample},
        oracle::NativeOracle,
        player::{NativePlayer, player_names},
        solve::solve,
        table::{NativeTable, TableIterator, use_data},
    };
}
