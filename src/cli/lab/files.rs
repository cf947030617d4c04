//! What the laboratory writes beside what it prints.

use crate::cli::Failure;
use crate::cli::chart::Chart;
use crate::cli::common::Output;
use crate::cli::csv;
use crate::cli::places::{check_file, make_directory};
use crate::cli::print::{print_line, print_remark};
use clap::{Args, ValueEnum};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// How what was measured is printed, and a table of it.
#[derive(Args, Clone)]
pub struct Tables {
    /// How results are printed [default: text; json with --json]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write a table of comma separated values too; its directory must be there
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// How results are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// Tables for people
    Text,
    /// The lines of --csv
    Csv,
    /// An object with all numbers
    Json,
}

/// Where to write what was measured.
#[derive(Args, Clone)]
pub struct Files {
    #[command(flatten)]
    pub tables: Tables,
    /// Write plots into this directory, as SVG and PNG; made if it is not there
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// Lines of a table below their names.
pub struct Lines {
    pub names: Vec<String>,
    pub lines: Vec<Vec<String>>,
}

/// Something measured, in every form in which it is printed.
pub trait Printed {
    /// For people.
    fn text(&self) -> String;
    /// All numbers.
    fn json(&self) -> Json;
    /// A table.
    fn lines(&self) -> Lines;
}

impl Tables {
    /// Finds out before a long measurement whether they can be written.
    ///
    /// # Errors
    /// A place where they cannot be written, or two forms at once.
    pub fn check(&self, output: Output) -> Result<(), Failure> {
        if output.json && self.format.is_some_and(|format| format != Format::Json) {
            return Err(Failure::usage("usage", "--json prints JSON: leave --format out, or --json"));
        }
        let Some(path) = &self.csv else { return Ok(()) };
        if path.as_os_str() == "-" {
            let message = "--csv -: name a file; --format csv prints the table";
            return Err(Failure::usage("bad-file", message));
        }
        check_file("--csv", path)
    }

    /// Whether the table is to be written to this file.
    pub fn are_in(&self, path: &Path) -> bool {
        self.csv.as_deref() == Some(path)
    }

    /// Prints what was measured in the form that was asked for.
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

    /// Writes the table if one was asked for, which takes an older one's place; after Ctrl-C nothing: a part of what
    /// was asked for is not to replace the whole. Without `--quiet` that is said.
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
            tell_nothing_written(output);
            return Ok(());
        }
        let Lines { names, lines } = measured.lines();
        csv::save("--csv", path, csv::distinct(names), lines)
    }
}

impl Files {
    /// Finds out before a long measurement whether they can be written; makes the directory for plots.
    ///
    /// # Errors
    /// A place where they cannot be written, or two forms at once.
    pub fn check(&self, output: Output) -> Result<(), Failure> {
        self.tables.check(output)?;
        self.plots.as_deref().map_or(Ok(()), |directory| make_directory("--plots", directory))
    }

    /// Writes the files that were asked for, as [`Tables::write_unless`].
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
            if self.tables.csv.is_none() {
                tell_nothing_written(output);
            }
            return Ok(());
        }
        plots().into_iter().try_for_each(|(name, chart)| chart.save(directory, &name))
    }
}

fn tell_nothing_written(output: Output) {
    if !output.quiet {
        print_remark("interrupted: no files were written");
    }
}
