//! `reversi players`: the names that can play.

use super::common::Output;
use super::print::print_line;
use super::{Exit, Failure};
use crate::json;
use clap::Args;
use reversi_engine::catalogue::{CATALOGUE, Entry};

/// List the players with their descriptions and parameters
#[derive(Args)]
#[command(after_help = "Parameters follow a colon, with commas between them:\n  \
    alphabeta:6,positional     phases:presort=off     engine:time=1s\n\n\
    Examples:\n  reversi players\n  reversi players alphabeta\n  reversi players --json")]
pub struct Players {
    /// Only this player, with all its parameters
    name: Option<String>,
}

impl Players {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let entries = self.entries()?;
        if output.json {
            print_line(json::players(&entries));
        } else if self.name.is_some() {
            entries.iter().for_each(print_whole);
        } else {
            entries.iter().for_each(print_short);
        }
        Ok(Exit::Done)
    }

    fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let Some(name) = &self.name else { return Ok(CATALOGUE.to_vec()) };
        let spec = super::values::parse_player(name)?;
        Ok(CATALOGUE.iter().filter(|entry| entry.name == spec.base_name()).copied().collect())
    }
}

fn print_short(entry: &Entry) {
    print_line(format!("{:<22}{}", entry.name, entry.summary));
    print_line(format!("{:<22}boards {}", "", entry.boards));
    let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
    if !names.is_empty() {
        print_line(format!("{:<22}parameters {}", "", names.join(", ")));
    }
}

fn print_whole(entry: &Entry) {
    print_line(format!("{}: {}\nboards {}", entry.name, entry.summary, entry.boards));
    for parameter in entry.parameters {
        print_line(format!("  {:<12}{}", parameter.name, parameter.meaning));
        print_line(format!("{:<14}{}", "", parameter.values));
    }
}
