//! `reversi completions`: what a shell needs to complete commands and options.

use super::common::Output;
use super::{Cli, Exit, Failure};
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

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
        generate(self.shell, &mut Cli::command(), "reversi", &mut script);
        super::print::print_line(String::from_utf8_lossy(&script).trim_end());
        Ok(Exit::Done)
    }
}
