//! What the laboratory writes beside what it prints.

use crate::cli::Failure;
use crate::cli::chart::{Chart, make_directory};
use crate::cli::csv;
use clap::Args;
use std::path::PathBuf;

/// Where to write what was measured.
#[derive(Args, Clone)]
pub struct Files {
    /// Write a table of comma separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write plots into this directory, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// Lines of a table below their names.
pub struct Lines {
    pub names: Vec<String>,
    pub lines: Vec<Vec<String>>,
}

impl Files {
    /// Writes the files that were asked for; what is in the way is replaced.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(
        &self,
        table: impl FnOnce() -> Lines,
        plots: impl FnOnce() -> Vec<(String, Chart)>,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.csv {
            let Lines { names, lines } = table();
            csv::save(path, csv::distinct(names), lines)?;
        }
        let Some(directory) = &self.plots else { return Ok(()) };
        make_directory(directory)?;
        plots().into_iter().try_for_each(|(name, chart)| chart.save(directory, &name))
    }
}
