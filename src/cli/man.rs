//! `reversi man`: the manual pages of the program and of each command.

use super::common::Output;
use super::places::{make_directory, write_file};
use super::print::print_line;
use super::{Cli, Exit, Failure};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use std::path::PathBuf;

/// Write the manual pages, one for each command
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi man /tmp/reversi-man\n  \
    reversi man ~/.local/share/man/man1   # then: man reversi-query")]
pub struct ManPages {
    /// Directory for the pages, such as ~/.local/share/man/man1; created if missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl ManPages {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        output.refuse_json("man writes pages")?;
        make_directory("DIR", &self.directory)?;
        let mut program = Cli::command();
        program.build();
        let pages = pages(&program);
        for (name, page) in &pages {
            write_file("DIR", &self.directory.join(name), page)?;
        }
        if !output.quiet {
            print_line(format_args!("{} pages in {}", pages.len(), self.directory.display()));
        }
        Ok(Exit::Done)
    }
}

/// The pages of a built command and of all below it, each with its file name.
fn pages(command: &Command) -> Vec<(String, Vec<u8>)> {
    let mut page = Vec::new();
    let man = Man::new(command.clone().disable_help_subcommand(true));
    man.render(&mut page).expect("memory takes all that is written");
    let mut all = vec![(man.get_filename(), page)];
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        all.extend(pages(below));
    }
    all
}
