//! Who takes part in games: named players and other programs, in the order in which they are given.

use super::Failure;
use super::common::Output;
use super::print::print_remark;
use super::values::{duration, parse_player};
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};
use reversi_lab::arena::Contestant;
use std::time::Duration;

/// The options, as they are declared.
#[derive(Args, Clone)]
struct Declared {
    /// Players; `reversi players` lists the names
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// Command of another program that speaks GTP, in place of a player; may be given several times. The program
    /// receives the size of a square board, the moves, and the clock in whole seconds. For another goal, or for answers
    /// within less than a second, start it with options of its own
    #[arg(long, value_name = "COMMAND")]
    gtp: Vec<String>,
    /// How long another program may stay silent if no clock runs; at least ten seconds when it starts
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, requires = "gtp")]
    patience: Duration,
}

/// Who takes part.
#[derive(Clone)]
pub struct ContestantOptions {
    /// In the order of the command line.
    asked: Vec<Asked>,
    patience: Duration,
}

#[derive(Clone)]
enum Asked {
    Named(String),
    Program(String),
}

impl Args for ContestantOptions {
    fn augment_args(command: Command) -> Command {
        Declared::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Declared::augment_args_for_update(command)
    }

    fn group_id() -> Option<Id> {
        Declared::group_id()
    }
}

impl FromArgMatches for ContestantOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ContestantOptions, clap::Error> {
        let Declared { players, gtp, patience } = Declared::from_arg_matches(matches)?;
        let places = |name: &str| matches.indices_of(name).into_iter().flatten();
        let named = places("players").zip(players.into_iter().map(Asked::Named));
        let mut asked: Vec<(usize, Asked)> =
            named.chain(places("gtp").zip(gtp.into_iter().map(Asked::Program))).collect();
        asked.sort_by_key(|&(place, _)| place);
        Ok(ContestantOptions { asked: asked.into_iter().map(|(_, asked)| asked).collect(), patience })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ContestantOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ContestantOptions {
    /// All contestants, with the names they are listed under.
    ///
    /// # Errors
    /// An unknown name, a missing program, or a quote that is not closed.
    pub fn read(&self) -> Result<Vec<(String, Contestant)>, Failure> {
        let read = |asked: &Asked| match asked {
            Asked::Named(name) => named(name),
            Asked::Program(command) => Ok((command.clone(), external(command, self.patience)?)),
        };
        self.asked.iter().map(read).collect()
    }

    /// Warns if another program cannot be given so short a time limit: it may exceed the limit through no fault of its
    /// own.
    pub fn tell_untold_clock(&self, time: Option<Duration>, output: Output) {
        let has_program = self.asked.iter().any(|asked| matches!(asked, Asked::Program(_)));
        let untold = time.filter(|&time| time < Duration::from_secs(1));
        if let Some(time) = untold.filter(|_| has_program && !output.quiet) {
            print_remark(format_args!(
                "reversi: GTP counts whole seconds, so the limit of {} s cannot be sent to other programs, but it \
                 applies to them; start them with a limit of their own",
                time.as_secs_f64()
            ));
        }
    }
}

/// A player of this program, with its whole name.
///
/// # Errors
/// An unknown name.
pub fn named(name: &str) -> Result<(String, Contestant), Failure> {
    parse_player(name).map(|spec| (spec.to_string(), Contestant::Named(spec)))
}

/// Another program that speaks GTP, from the value of `--gtp`. `patience` is how long it may stay silent if no clock
/// runs.
///
/// # Errors
/// A missing program, or a quote that is not closed.
pub fn external(command: &str, patience: Duration) -> Result<Contestant, Failure> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let command = words.ok_or_else(|| {
        Failure::usage(
            "bad-player",
            format!("--gtp {command:?}: write a program and its arguments, with all quotes closed"),
        )
    })?;
    Ok(Contestant::External { command, patience })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_programs_take_part_in_the_order_in_which_they_are_given() {
        let command = ContestantOptions::augment_args(Command::new("match"));
        let order = |arguments: &str| {
            let matches = command.clone().try_get_matches_from(arguments.split(' ')).unwrap();
            let options = ContestantOptions::from_arg_matches(&matches).unwrap();
            options.read().unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(order("match first --gtp a random"), ["first", "a", "random"]);
        assert_eq!(order("match --gtp a --gtp b first"), ["a", "b", "first"]);
    }
}
