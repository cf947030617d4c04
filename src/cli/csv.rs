//! Tables for spreadsheets and scripts: comma separated values, a line of names first.

use super::Failure;
use super::chart::make_directory;
use std::path::Path;

/// Writes a table, or replaces what is there.
///
/// # Errors
/// A file that cannot be written.
pub fn save<Name: AsRef<[u8]>>(
    path: &Path,
    names: impl IntoIterator<Item = Name>,
    lines: impl IntoIterator<Item = Vec<String>>,
) -> Result<(), Failure> {
    let cannot_write = |error: csv::Error| Failure::cannot_write(path.display(), error);
    path.parent().map_or(Ok(()), make_directory)?;
    let mut writer = csv::Writer::from_path(path).map_err(cannot_write)?;
    writer.write_record(names).map_err(cannot_write)?;
    for line in lines {
        writer.write_record(&line).map_err(cannot_write)?;
    }
    writer.flush().map_err(|error| cannot_write(error.into()))
}

/// A number, or nothing where there is none.
pub fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
