//! `reversi completions`: what a shell needs to complete commands, options and the names of players.

use super::common::Output;
use super::{Cli, Exit, Failure};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::{Shell, generate};
use reversi_engine::catalogue::CATALOGUE;

/// Print the completion script of a shell
#[derive(Args)]
#[command(after_help = "Examples:\n  source <(reversi completions bash)        # bash: for this session\n  \
    reversi completions fish | source         # fish: for this session\n  \
    reversi completions zsh > /tmp/_reversi   # zsh: to be put where $fpath looks")]
pub struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        output.refuse_json("completions prints a script")?;
        let mut script = Vec::new();
        generate(self.shell, &mut with_player_names(Cli::command()), "reversi", &mut script);
        super::print::print_line(String::from_utf8_lossy(&script).trim_end());
        Ok(Exit::Done)
    }
}

/// Makes the script offer the names of players as values. The program itself accepts more, since parameters may follow
/// a name.
fn with_player_names(command: Command) -> Command {
    let takes_player = |arg: &Arg| {
        arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.as_str() == "PLAYER"))
    };
    let with_names = move |arg: Arg| {
        if !takes_player(&arg) {
            return arg;
        }
        let human = matches!(arg.get_id().as_str(), "black" | "white").then_some("human");
        let names = CATALOGUE.iter().map(|entry| entry.name).chain(human);
        arg.value_parser(PossibleValuesParser::new(names))
    };
    command.mut_args(with_names).mut_subcommands(with_player_names)
}
