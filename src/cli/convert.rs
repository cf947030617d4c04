//! `reversi convert`: converts games from any form into another.

use super::common::Output;
use super::games::GameOptions;
use super::print::{print_bytes, print_remark};
use super::reading::{ReadingOptions, advised_within_game, names_beside, read_file};
use super::saved::{Format, unknown_ending, untold_options};
use super::{Exit, Failure, places};
use clap::Args;
use reversi_engine::Size;
use reversi_formats::ggf::Record;
use reversi_formats::text::{self, ReadError, Reading};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Convert the games of a file to another form
///
/// FROM may be in any form: transcripts, boards and moves, GGF, SGF, PGN, WTHOR, Othello Quest JSON, problem files. The
/// form is recognised by the contents of the file, not by its name.
///
/// Games that a form cannot express are refused: SGF has no reversed goal, WTHOR has only games on 8x8 from the
/// diagonal start, and only text can express a scoring other than the usual one of the board.
#[derive(Args)]
#[command(after_help = "Examples:
  echo f5d6c3 > /tmp/moves.txt
  reversi convert /tmp/moves.txt /tmp/game.ggf
  reversi convert /tmp/game.ggf --format sgf
  reversi convert /tmp/game.ggf /tmp/game.pgn")]
pub struct Convert {
    /// File with the games (- for standard input)
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// File to write; standard output for - or if not given
    #[arg(value_name = "TO")]
    to: Option<PathBuf>,
    /// Form to write [default: by the ending of TO, .ggf, .pgn, .sgf or .wtb, else text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Leave out games that cannot be read or contradict the options, and say which they are; without it nothing is
    /// written
    #[arg(long)]
    skip_bad: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    game: GameOptions,
}

impl Convert {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        output.refuse_json("convert writes games")?;
        let setup = self.game.setup()?;
        let size: Option<Size> = self.game.board.is_some().then_some(setup.size);
        let bad = |message: String| Failure::usage("bad-file", format!("{}: {message}", self.from.display()));
        let bytes = read_file(&self.from).map_err(|error| bad(error.to_string()))?;
        // Bare moves begin on the requested board; games that name a board may have any.
        let wanted = self.reading.wanted(setup, size.filter(|size| size.width() != size.height()));
        let to = self.to.as_deref().filter(|path| path.to_str() != Some("-"));
        to.map_or(Ok(()), |path| places::check_no_data("TO", path))?;
        let readings = text::read_bytes(&bytes, &names_beside(&self.from), wanted);
        let several = readings.len() > 1;
        let way_out = if several && !self.skip_bad { "; --skip-bad leaves out such games" } else { "" };
        let read = |(index, reading): (usize, Result<Reading, ReadError>)| {
            let place = if several { format!("game {}: ", index + 1) } else { String::new() };
            let bad = |fault: String| bad(format!("{place}{fault}{way_out}"));
            let reading = reading.map_err(|error| bad(advised_within_game(&error)))?;
            self.reading.tell_skipped(&reading.skipped);
            self.game.agree(&reading.game).map_err(|fault| bad(fault.to_string()))?;
            Ok(reading)
        };
        let readings = readings.into_iter().enumerate().map(read);
        let readings = if self.skip_bad { sound(readings)? } else { readings.collect::<Result<_, _>>()? };
        let format = self.format.unwrap_or_else(|| to.map_or(Format::Text, Format::of));
        let heading = format.heading(readings.iter().map(|reading| &reading.game)).map_err(bad)?;
        let records: Vec<Record> = readings.iter().map(Reading::record).collect();
        let written = [heading.into_bytes(), format.written(&records).map_err(bad)?].concat();
        match to {
            Some(path) => places::write_file("TO", path, &written)?,
            None => print_bytes(&written),
        }
        if !output.quiet {
            let odd = to.filter(|_| self.format.is_none()).and_then(unknown_ending);
            odd.into_iter().for_each(print_remark);
            tell_way_back(format, &readings);
        }
        if let Some(loss) = format.loss(&records).filter(|_| !output.quiet) {
            print_remark(loss);
        }
        if !output.quiet && to.is_some() {
            print_remark(format_args!(
                "{} written",
                if records.len() == 1 { "1 game".to_owned() } else { format!("{} games", records.len()) }
            ));
        }
        Ok(Exit::Done)
    }
}

/// The games that can be read. Says which others there are, also with `--quiet`: they are missing in the result.
///
/// # Errors
/// No game can be read.
fn sound(games: impl Iterator<Item = Result<Reading, Failure>>) -> Result<Vec<Reading>, Failure> {
    let (mut readings, mut faults) = (Vec::new(), Vec::new());
    for game in games {
        match game {
            Ok(reading) => readings.push(reading),
            Err(fault) => faults.push(fault),
        }
    }
    faults.iter().for_each(|fault| print_remark(format_args!("left out: {fault}")));
    match readings.is_empty() && !faults.is_empty() {
        true => Err(Failure::usage("bad-file", "no game of the file is left, so nothing is written")),
        false => Ok(readings),
    }
}

/// The remark on games that no single set of options suits.
const DIFFERENT: &str = "different options are needed to read these games again: convert them separately";

/// Says with which options the games are read again, if the form cannot express something.
fn tell_way_back(format: Format, readings: &[Reading]) {
    let untold: BTreeSet<String> =
        readings.iter().map(|reading| untold_options(format, &reading.game).join(" ")).collect();
    match untold.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | [""] => {}
        [options] => print_remark(format_args!("to read it again: {options}")),
        _ => print_remark(DIFFERENT),
    }
}
