//! The command line: a file or directory for each subcommand, the code they share, and the only place that prints.
//!
//! Results go to stdout, progress and logs to stderr. A command returns a [`Failure`] with the exit
//! code of the conventions (2 wrong input, 3 a missing table, ...), printed once, here.

mod arguments;
mod bench;
mod book;
mod build;
mod chart;
mod checksum;
mod choices;
mod columns;
mod common;
mod completions;
mod contestants;
mod convert;
mod csv;
mod data;
mod ending;
mod evenness;
mod failure;
mod games;
mod gtp;
mod hint;
mod interrupt;
mod kept_player;
mod lab;
mod man;
mod match_;
mod nboard;
mod openings;
mod output;
mod perft;
mod places;
mod play;
mod players;
mod print;
mod processor_time;
mod progress;
mod prove;
mod query;
mod reading;
mod review;
mod sample;
mod saved;
mod search_info;
mod serve;
mod solve;
mod spread;
mod table;
mod tournament;
mod train;
mod unread;
mod usage;
mod values;
mod verify_state;

pub use failure::{Exit, Failure};

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use output::Output;
use reversi_rules::kernel;
use reversi_table::library;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::LazyLock;

/// Perfect play on small Othello boards, and a judge of everything else.
#[derive(Parser)]
#[command(name = "reversi", version, long_version = long_version(), max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "Examples:
  reversi query --board 4x4
  reversi solve --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\"
  reversi play --board 6x6 --white engine:level=5
  reversi match engine random --games 4";

#[derive(Subcommand)]
enum Command {
    Bench(bench::Bench),
    Book(book::BookCommand),
    Build(build::Build),
    Completions(completions::Completions),
    Convert(convert::Convert),
    Data(data::Data),
    Gtp(gtp::Gtp),
    #[command(mut_arg("board", usually("8x8")))]
    Hint(hint::HintCommand),
    Lab(lab::Lab),
    Man(man::ManPages),
    Match(match_::Match),
    #[command(name = "nboard")]
    NBoard(nboard::NBoard),
    Openings(openings::Openings),
    #[command(mut_arg("board", usually("8x8")))]
    Perft(perft::Perft),
    Play(play::Play),
    Players(players::Players),
    #[command(mut_arg("board", usually("6x6")))]
    Prove(prove::Prove),
    #[command(mut_arg("board", usually("6x6")))]
    Query(query::Query),
    Review(review::Review),
    Sample(sample::SampleCommand),
    Serve(serve::Serve),
    #[command(mut_arg("board", usually("6x6")))]
    Solve(solve::Solve),
    Table(table::TableCommand),
    Tournament(tournament::TournamentCommand),
    Train(train::Train),
}

impl Command {
    /// Whether the command may probe tables so often, or for so long, that they are better read into memory, since
    /// their files may be replaced meanwhile.
    fn runs_for_long(&self) -> bool {
        match self {
            Command::Query(query) => query.is_batch(),
            Command::Bench(_)
            | Command::Book(_)
            | Command::Build(_)
            | Command::Gtp(_)
            | Command::Hint(_)
            | Command::Lab(_)
            | Command::Match(_)
            | Command::NBoard(_)
            | Command::Openings(_)
            | Command::Play(_)
            | Command::Prove(_)
            | Command::Review(_)
            | Command::Sample(_)
            | Command::Serve(_)
            | Command::Tournament(_)
            | Command::Train(_) => true,
            Command::Completions(_)
            | Command::Convert(_)
            | Command::Data(_)
            | Command::Man(_)
            | Command::Perft(_)
            | Command::Players(_)
            | Command::Solve(_)
            | Command::Table(_) => false,
        }
    }
}

/// The largest table that is read into memory, in bytes.
const TABLES_IN_MEMORY: u64 = 64 << 20;

/// The help of `--board`, with the default size of this command.
fn usually(size: &str) -> impl Fn(Arg) -> Arg {
    let help =
        format!("Board size, columns x rows, as in 6x6 or 4x6 [default: {size}, or that of --position]");
    move |board| board.help(help.clone())
}

/// The version and the instructions that this build was made for: what a bug report should contain.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| format!("{}\nmoves and flips: {} code", env!("CARGO_PKG_VERSION"), kernel::NAME));
    &TEXT
}

/// Lets options accept negative numbers, so that the option itself says that a number is out of range. Otherwise the
/// error would be an unknown option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_numbers = |arg: &Arg| arg.get_action().takes_values() && !arg.is_positional();
    command
        .mut_args(|arg| if takes_numbers(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
}

/// Reads the arguments, runs the command, and prints errors.
///
/// Not inlined: none of its instructions may run before the processor is known to have them.
#[inline(never)]
pub fn run() -> ExitCode {
    interrupt::tell_of_file_limits();
    let arguments: Vec<OsString> = arguments::arguments();
    let mut command = with_negative_numbers(Cli::command());
    let parsed = command.try_get_matches_from_mut(&arguments).and_then(|matches| {
        usage::without_its_option(&command, &matches)?;
        Cli::from_arg_matches(&matches)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            print::set_output(Output::of_unparsed(arguments.iter().map(OsString::as_os_str)));
            return print::print_usage(&error);
        }
    };
    let output = cli.output.settled();
    print::set_output(output);
    if let Some(path) = library::missing_directory().filter(|_| !output.quiet) {
        let (variable, path) = (library::DATA_VARIABLE, path.display());
        print::print_remark(format_args!(
            "reversi: ${variable} names {path}, which is no directory; it is passed over"
        ));
    }
    if cli.command.runs_for_long() {
        library::keep_in_memory_up_to(TABLES_IN_MEMORY);
    }
    let result = match cli.command {
        Command::Bench(command) => command.run(output),
        Command::Book(command) => command.run(output),
        Command::Build(command) => command.run(output),
        Command::Completions(command) => command.run(output),
        Command::Convert(command) => command.run(output),
        Command::Data(command) => command.run(output),
        Command::Gtp(command) => command.run(output),
        Command::Hint(command) => command.run(output),
        Command::Lab(command) => command.run(output),
        Command::Man(command) => command.run(output),
        Command::Match(command) => command.run(output),
        Command::NBoard(command) => command.run(output),
        Command::Openings(command) => command.run(output),
        Command::Perft(command) => command.run(output),
        Command::Play(command) => command.run(output),
        Command::Players(command) => command.run(output),
        Command::Prove(command) => command.run(output),
        Command::Query(command) => command.run(output),
        Command::Review(command) => command.run(output),
        Command::Sample(command) => command.run(output),
        Command::Serve(command) => command.run(output),
        Command::Solve(command) => command.run(output),
        Command::Table(command) => command.run(output),
        Command::Tournament(command) => command.run(output),
        Command::Train(command) => command.run(output),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => print::print_failure(&failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All commands, at all levels.
    fn all_commands(command: &clap::Command) -> Vec<clap::Command> {
        let below = command.get_subcommands().flat_map(all_commands);
        std::iter::once(command.clone()).chain(below).collect()
    }

    /// The examples of a command's help, each on one line.
    fn examples_of(command: &clap::Command) -> Vec<String> {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        let examples = examples.split("\n\n").next().unwrap_or_default().replace(" \\\n    ", " ");
        examples.lines().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn every_command_has_examples_that_are_not_wrapped() {
        const COLUMNS: usize = 80;
        for command in all_commands(&Cli::command()) {
            assert!(!examples_of(&command).is_empty(), "{}", command.get_name());
            let help = command.get_after_help().unwrap().to_string();
            let long: Vec<&str> =
                help.lines().filter(|line| line.starts_with("  ") && line.len() > COLUMNS).collect();
            assert!(long.is_empty(), "{long:#?}");
        }
    }

    /// What [`usage::without_its_option`] relies on.
    #[test]
    fn an_option_that_belongs_to_another_names_one_of_its_own_command() {
        let mut named = 0;
        for command in all_commands(&Cli::command()) {
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let needed = usage::belongs_to(argument);
                assert_eq!(
                    needed.is_some(),
                    help.starts_with("With --"),
                    "{} {}",
                    command.get_name(),
                    argument.get_id()
                );
                let Some(needed) = needed else { continue };
                let is_there = command.get_arguments().any(|other| other.get_long() == Some(&needed));
                assert!(is_there, "{} {}: there is no --{needed}", command.get_name(), argument.get_id());
                named += 1;
            }
        }
        assert!(named > 15, "only {named}");
    }

    #[test]
    fn the_examples_are_commands_that_there_are() {
        let mut read = 0;
        for example in all_commands(&Cli::command()).iter().flat_map(examples_of) {
            let command = example.split(" | ").find(|part| part.starts_with("reversi "));
            let Some(command) = command else { continue };
            let command = command.split(" > ").next().unwrap();
            let words = shlex::split(command).unwrap();
            let parsed = with_negative_numbers(Cli::command()).try_get_matches_from(words);
            assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            read += 1;
        }
        assert!(read > 50, "only {read} examples");
    }
}
