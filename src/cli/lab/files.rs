//! What the laboratory writes beside what it prints.

use crate::cli::Failure;
use crate::cli::chart::Chart;
use crate::cli::common::Output;
use crate::cli::csv;
use crate::cli::places::{check_file, make_directory};
use crate::cli::print::print_remark;
use clap::Args;
use std::path::PathBuf;

/// Where to write what was measured.
#[derive(Args, Clone)]
pub struct Files {
    /// Write a table of comma separated values; its directory must be there
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write plots into this directory, as SVG and PNG; made if it is not there
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// Lines of a table below their names.
pub struct Lines {
    pub names: Vec<String>,
    pub lines: Vec<Vec<String>>,
}

impl Files {
    /// Finds out before a long measurement whether they can be written; makes the directory for plots.
    ///
    /// # Errors
    /// A place where they cannot be written.
    pub fn check(&self) -> Result<(), Failure> {
        if let Some(path) = &self.csv {
            if path.as_os_str() == "-" {
                let message = "--csv -: name a file; standard output has all numbers with --json";
                return Err(Failure::usage("bad-file", message));
            }
            check_file("--csv", path)?;
        }
        self.plots.as_deref().map_or(Ok(()), |directory| make_directory("--plots", directory))
    }

    /// Writes the files that were asked for; what is in the way is replaced. A part of what was asked for is not to
    /// replace the whole: after Ctrl-C nothing is written, and, without `--quiet`, that is said.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_unless(
        &self,
        interrupted: bool,
        output: Output,
        table: impl FnOnce() -> Lines,
        plots: impl FnOnce() -> Vec<(String, Chart)>,
    ) -> Result<(), Failure> {
        if interrupted {
            if !output.quiet && (self.csv.is_some() || self.plots.is_some()) {
                print_remark("interrupted: no files were written");
            }
            return Ok(());
        }
        if let Some(path) = &self.csv {
            let Lines { names, lines } = table();
            csv::save("--csv", path, csv::distinct(names), lines)?;
        }
        let Some(directory) = &self.plots else { return Ok(()) };
        plots().into_iter().try_for_each(|(name, chart)| chart.save(directory, &name))
    }
}
