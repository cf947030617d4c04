//! The files that the laboratory writes besides its printed output.

use crate::cli::Failure;
use crate::cli::chart::Chart;
use crate::cli::common::Output;
use crate::cli::csv;
use crate::cli::places::{check_file, check_no_data, make_directory};
use crate::cli::print::{print_line, print_remark};
use clap::{Args, ValueEnum};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// How results are printed, and a CSV table of them.
#[derive(Args, Clone)]
pub struct Tables {
    /// Format of the results [default: text; json with --json]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Also write a table of comma-separated values; its directory must exist
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// How results are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// Tables as text
    Text,
    /// The lines of --csv
    Csv,
    /// One JSON object with all numbers
    Json,
}

/// Where to write what was measured.
#[derive(Args, Clone)]
pub struct Files {
    #[command(flatten)]
    pub tables: Tables,
    /// Write plots to this directory, as SVG and PNG; created if missing
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// Lines of a table with the names of its columns.
pub struct Lines {
    pub names: Vec<String>,
    pub lines: Vec<Vec<String>>,
}

/// A measurement, in every form in which it is printed.
pub trait Printed {
    /// As text.
    fn text(&self) -> String;
    /// All numbers.
    fn json(&self) -> Json;
    /// A table.
    fn lines(&self) -> Lines;
}

impl Tables {
    /// Checks before a long measurement that the files can be written.
    ///
    /// # Errors
    /// A place where they cannot be written, or two formats at once.
    pub fn check(&self, output: Output) -> Result<(), Failure> {
        if output.json && self.format.is_some_and(|format| format != Format::Json) {
            return Err(Failure::usage("usage", "--json prints JSON: leave --format out, or --json"));
        }
        let Some(path) = &self.csv else { return Ok(()) };
        if path.as_os_str() == "-" {
            let message = "--csv -: name a file; --format csv prints the table";
            return Err(Failure::usage("bad-file", message));
        }
        check_no_data("--csv", path)?;
        check_file("--csv", path)
    }

    /// Whether the table is to be written to this file.
    pub fn are_in(&self, path: &Path) -> bool {
        self.csv.as_deref() == Some(path)
    }

    /// Prints a measurement in the requested form.
    pub fn print(&self, output: Output, measured: &impl Printed) {
        let usual = if output.json { Format::Json } else { Format::Text };
        print_line(match self.format.unwrap_or(usual) {
            Format::Text => measured.text(),
            Format::Json => measured.json().to_string(),
            Format::Csv => {
                let Lines { names, lines } = measured.lines();
                let all = std::iter::once(csv::distinct(names)).chain(lines);
                all.map(|cells| csv::line(&cells)).collect::<Vec<_>>().join("\n")
            }
        });
    }

    /// Writes the table if one was requested; an older file is replaced. After Ctrl-C nothing is written, since a part
    /// must not replace the whole; without `--quiet` a remark says so.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_unless(
        &self,
        interrupted: bool,
        output: Output,
        measured: &impl Printed,
    ) -> Result<(), Failure> {
        let Some(path) = &self.csv else { return Ok(()) };
        if interrupted {
            tell_not_written(output, &path.display().to_string());
            return Ok(());
        }
        let Lines { names, lines } = measured.lines();
        csv::save("--csv", path, csv::distinct(names), lines)
    }
}

impl Files {
    /// Checks before a long measurement that the files can be written; creates the directory for plots.
    ///
    /// # Errors
    /// A place where they cannot be written, or two formats at once.
    pub fn check(&self, output: Output) -> Result<(), Failure> {
        self.tables.check(output)?;
        self.plots.as_deref().map_or(Ok(()), |directory| make_directory("--plots", directory))
    }

    /// Writes the requested files, as [`Tables::write_unless`] does.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_unless(
        &self,
        interrupted: bool,
        output: Output,
        measured: &impl Printed,
        plots: impl FnOnce() -> Vec<(String, Chart)>,
    ) -> Result<(), Failure> {
        self.tables.write_unless(interrupted, output, measured)?;
        let Some(directory) = &self.plots else { return Ok(()) };
        if interrupted {
            tell_not_written(output, "the plots");
            return Ok(());
        }
        plots().into_iter().try_for_each(|(name, chart)| chart.save(directory, &name))
    }
}

fn tell_not_written(output: Output, what: &str) {
    if !output.quiet {
        print_remark(format_args!("interrupted: not written: {what}"));
    }
}
