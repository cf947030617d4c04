//! Tables for spreadsheets and scripts: comma separated values, a line of names first.

use super::Failure;
use super::places::write_file;
use std::path::Path;

/// Writes a table; an older file is replaced as a whole. `option` is the option that named the file or its directory.
///
/// # Errors
/// A file that cannot be written.
pub fn save<Name: AsRef<[u8]>>(
    option: &str,
    path: &Path,
    names: impl IntoIterator<Item = Name>,
    lines: impl IntoIterator<Item = Vec<String>>,
) -> Result<(), Failure> {
    let table = bytes(names, lines).map_err(|error| Failure::cannot_write(path.display(), error))?;
    write_file(option, path, &table)
}

fn bytes<Name: AsRef<[u8]>>(
    names: impl IntoIterator<Item = Name>,
    lines: impl IntoIterator<Item = Vec<String>>,
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names: Vec<Name> = names.into_iter().collect();
    if !names.is_empty() {
        writer.write_record(names)?;
    }
    lines.into_iter().try_for_each(|line| writer.write_record(&line))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// One line of a table that is printed, without its end.
pub fn line(cells: &[String]) -> String {
    let written = bytes::<&str>([], [cells.to_vec()]).expect("memory can be written to");
    String::from_utf8_lossy(&written).trim_end_matches('\n').to_owned()
}

/// A number, or an empty cell if there is none.
pub fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// The names of columns; a repeated name gets a number, since scripts find columns by their names.
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
