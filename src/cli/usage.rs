//! Errors of the command line that `clap` does not find, and our own words for errors of numbers: those of the standard
//! library speak of digits and types.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::error::Error;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// The error in our own words, if it needs any.
pub fn in_own_words(error: &clap::Error) -> Option<clap::Error> {
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (argument, value) = (said(ContextKind::InvalidArg)?, said(ContextKind::InvalidValue)?);
    let wanted = wanted(error.source()?, value)?;
    // The same text as `clap` has for every other value.
    let text = format!(
        "invalid value '{}' for '{argument}': {wanted}\n\nFor more information, try '--help'.\n",
        value.escape_debug()
    );
    Some(clap::Error::raw(ErrorKind::ValueValidation, text))
}

/// The error of an option that was given without the option that its help says it belongs to, as in "With --batch:
/// ...". `clap` does not require that option if it conflicts with another argument that was given.
pub fn without_its_option(command: &Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let is_given =
        |argument: &Arg| matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine);
    for argument in command.get_arguments().filter(|argument| is_given(argument)) {
        let named = |name: String| command.get_arguments().find(|other| other.get_long() == Some(&name));
        let Some(needed) = belongs_to(argument).and_then(named) else { continue };
        if !is_given(needed) {
            let text = format!(
                "{argument} needs {needed}, which is not given\n\nFor more information, try '--help'.\n"
            );
            return Err(clap::Error::raw(ErrorKind::MissingRequiredArgument, text));
        }
    }
    let subcommand =
        matches.subcommand().and_then(|(name, matches)| Some((command.find_subcommand(name)?, matches)));
    subcommand.map_or(Ok(()), |(command, matches)| without_its_option(command, matches))
}

/// The option that an argument's help says it belongs to, as in "With --batch: ...".
pub fn belongs_to(argument: &Arg) -> Option<String> {
    let help = argument.get_help()?.to_string();
    let (name, _) = help.strip_prefix("With --")?.split_once(':')?;
    Some(name.to_owned())
}

/// What to write instead.
fn wanted(source: &(dyn Error + 'static), value: &str) -> Option<String> {
    if let Some(error) = source.downcast_ref::<ParseIntError>() {
        return Some(match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "this number is too large".to_owned(),
            _ if is_negative(value) => "write a whole number that is not negative".to_owned(),
            _ => "write a whole number".to_owned(),
        });
    }
    if source.is::<ParseFloatError>() {
        return Some("write a number, as in 2 or 0.5".to_owned());
    }
    range(&source.to_string()).map(|(least, most)| match most {
        Some(most) => format!("write a whole number from {least} to {most}"),
        None => format!("write a whole number, {least} or more"),
    })
}

fn is_negative(value: &str) -> bool {
    value.strip_prefix('-').is_some_and(|digits| digits.parse::<u128>().is_ok())
}

/// The bounds in `clap`'s message for a number out of range, `... is not in 1..=120`; no upper bound if it is only that
/// of the type.
fn range(text: &str) -> Option<(i128, Option<i128>)> {
    let (least, most) = text.rsplit_once(" is not in ")?.1.split_once("..")?;
    let (is_included, most) = most.strip_prefix('=').map_or((false, most), |most| (true, most));
    let least = least.parse().ok()?;
    if most.is_empty() {
        return Some((least, None));
    }
    let most = most.parse::<i128>().ok()? - i128::from(!is_included);
    let is_of_type = [u32::MAX.into(), u64::MAX.into(), i64::MAX.into()].contains(&most);
    Some((least, Some(most).filter(|_| !is_of_type)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::value_parser;

    fn said(value: &str, arg: Arg) -> String {
        let command =
            Command::new("reversi").arg(arg.long("depth").value_name("N").allow_negative_numbers(true));
        let error = command.try_get_matches_from(["reversi", "--depth", value]).unwrap_err();
        in_own_words(&error).expect("an error of a number").to_string()
    }

    #[test]
    fn numbers_are_asked_for_in_words_of_our_own() {
        let plain = || Arg::new("depth").value_parser(value_parser!(u32));
        let ranged = || Arg::new("depth").value_parser(value_parser!(u32).range(1..=60));
        let open = || Arg::new("depth").value_parser(value_parser!(u32).range(1..));
        for (value, arg, words) in [
            ("abc", plain(), "write a whole number\n"),
            ("", plain(), "write a whole number\n"),
            ("2.5", ranged(), "write a whole number\n"),
            ("-1", plain(), "write a whole number, 0 or more\n"),
            ("99999999999999999999", Arg::new("depth").value_parser(value_parser!(usize)), "is too large\n"),
            ("61", ranged(), "write a whole number from 1 to 60\n"),
            ("0", open(), "write a whole number, 1 or more\n"),
            ("much", Arg::new("depth").value_parser(value_parser!(f64)), "write a number, as in 2 or 0.5\n"),
        ] {
            let said = said(value, arg);
            assert!(
                said.starts_with(&format!("error: invalid value '{value}' for '--depth <N>': ")),
                "{said}"
            );
            assert!(said.contains(words) && said.ends_with("try '--help'.\n"), "{said}");
        }
    }

    #[test]
    fn other_errors_stay_as_they_are() {
        let command = Command::new("reversi").arg(Arg::new("depth").long("depth"));
        let error = command.try_get_matches_from(["reversi", "--deep"]).unwrap_err();
        assert!(in_own_words(&error).is_none());
    }
}
