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

/// The names of columns, a repeated one with its number behind it, since scripts find columns by their names.
pub fn distinct(names: Vec<String>) -> Vec<String> {
    let mut given: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !given.contains(name));
        given.extend(free);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_columns_have_one_name() {
        let names = ["a", "b", "a", "a", "a (2)"].map(str::to_owned).to_vec();
        assert_eq!(distinct(names), ["a", "b", "a (2)", "a (3)", "a (2) (2)"]);
    }
}
