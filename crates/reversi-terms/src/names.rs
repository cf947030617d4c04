//! Reads the names of goals, scorings and starts on the command line and in files.

/// A word that is none of the known names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{}\" is no {what}; there are {}", .found.escape_debug(), .choices.join(" and "))]
pub struct UnknownName {
    /// The kind of name that was expected, such as "goal".
    pub what: &'static str,
    /// The word.
    pub found: String,
    /// The names there are.
    pub choices: Vec<&'static str>,
}

/// The value with this name; only lower-case letters match.
pub(crate) fn read<T: Copy>(
    what: &'static str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    word: &str,
) -> Result<T, UnknownName> {
    let found = all.iter().copied().find(|&value| name(value) == word);
    found.ok_or_else(|| {
        let choices = all.iter().map(|&value| name(value)).collect();
        UnknownName { what, found: word.to_owned(), choices }
    })
}

#[cfg(test)]
mod tests {
    use crate::{Goal, Scoring, Start};
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    fn assert_read_as_written<T: FromStr<Err: Debug> + Display + PartialEq + Debug + Copy>(all: [T; 2]) {
        for value in all {
            assert_eq!(value.to_string().parse::<T>().unwrap(), value);
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        assert_read_as_written(Goal::ALL);
        assert_read_as_written(Scoring::ALL);
        assert_read_as_written(Start::ALL);
    }

    #[test]
    fn other_words_are_refused_with_the_choices() {
        let text = "Both".parse::<Goal>().unwrap_err().to_string();
        assert_eq!(text, "\"Both\" is no goal; there are normal and reversed");
        assert!("Normal".parse::<Goal>().is_err(), "small letters only");
        assert!("".parse::<Scoring>().is_err());
        assert!("diagonal ".parse::<Start>().is_err());
    }
}
