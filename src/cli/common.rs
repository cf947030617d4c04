//! Options that several commands share, and how they become values.

use super::{Exit, Failure};
use crate::engine::parameters::{parse_duration, parse_duration_or_zero};
use crate::engine::{NameError, PlayerSpec};
use crate::eval::{Evaluator, weights::WeightsError};
use crate::protocol::obf;
use crate::rules::{Board, Geometry, Goal, Rules, Scoring, Start, notation};
use crate::search::SolverOptions;
use crate::table::library::Library;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How results are printed.
#[derive(Args, Clone, Copy)]
pub struct Output {
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress, no remarks
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Output {
    /// For a command with an output of its own; `what` says which, as in "play shows boards".
    ///
    /// # Errors
    /// JSON was asked for.
    pub fn refuse_json(self, what: &str) -> Result<(), Failure> {
        match self.json {
            true => Err(Failure::usage("usage", format!("{what}, not JSON: leave --json out"))),
            false => Ok(()),
        }
    }
}

/// Which rules a finished game is judged by.
#[derive(Args, Clone, Copy)]
pub struct RulesOptions {
    /// Which side wins: the one with more discs, or the one with fewer [default: normal]
    #[arg(long, value_enum)]
    pub goal: Option<Goal>,
    /// Who gets the empty squares at the end: nobody (raw) or the winner [default: raw; winner on 8x8]
    #[arg(long, value_enum)]
    pub scoring: Option<Scoring>,
}

impl RulesOptions {
    /// The rules; scoring not given is raw, but winner on 8x8.
    pub fn rules(&self, geometry: Geometry) -> Rules {
        let usual = Scoring::usual(geometry.width(), geometry.height());
        Rules::new(self.goal(), self.scoring.unwrap_or(usual))
    }

    /// The goal; not given it is the normal one.
    pub fn goal(&self) -> Goal {
        self.goal.unwrap_or_default()
    }

    /// # Errors
    /// When a game that was read has other rules than an option asks for, in words that follow `the game`.
    pub fn agree(&self, made: Rules) -> Result<(), String> {
        agree_on("goal", self.goal.map(Goal::name), Some(made.goal.name()))?;
        agree_on("scoring", self.scoring.map(Scoring::name), Some(made.scoring.name()))
    }
}

/// The same where an .obf file may say it too.
#[derive(Args, Clone, Copy)]
pub struct FileRulesOptions {
    /// Which side wins: the one with more discs, or the one with fewer [default: normal, or the problem file's]
    #[arg(long, value_enum)]
    goal: Option<Goal>,
    /// Who gets the empty squares at the end [default: raw; winner on 8x8; or the problem
    /// file's]
    #[arg(long, value_enum)]
    scoring: Option<Scoring>,
}

impl FileRulesOptions {
    /// The rules by the options, then the file, then the board.
    pub fn rules(&self, geometry: Geometry, file: &obf::File) -> Rules {
        let usual = Scoring::usual(geometry.width(), geometry.height());
        let goal = self.goal.or(file.goal).unwrap_or_default();
        Rules::new(goal, self.scoring.or(file.scoring).unwrap_or(usual))
    }

    /// # Errors
    /// When the file sets something else than an option: it is about another game.
    pub fn agree(&self, file: &obf::File) -> Result<(), String> {
        let agree = |option, asked, made: Option<&str>| {
            let line = |fault| {
                format!("the file {fault}, or the file's line \"% {option}={}\"", made.unwrap_or_default())
            };
            agree_on(option, asked, made).map_err(line)
        };
        agree("goal", self.goal.map(Goal::name), file.goal.map(Goal::name))?;
        agree("scoring", self.scoring.map(Scoring::name), file.scoring.map(Scoring::name))
    }
}

/// # Errors
/// When what was made has another value than is asked for, in words that follow its name.
pub fn agree_on(option: &str, asked: Option<&str>, made: Option<&str>) -> Result<(), String> {
    match asked.zip(made) {
        Some((asked, made)) if asked != made => {
            Err(format!("is for {option}={made}, but --{option} {asked} is asked for; leave the option out"))
        }
        _ => Ok(()),
    }
}

/// Which position a command is about: a board or the start, and moves from there.
#[derive(Args, Clone)]
pub struct PositionOptions {
    /// Board size; each command has its own usual one.
    #[arg(long, value_name = "SIZE")]
    pub board: Option<String>,
    /// Discs of the first position [default: diagonal]
    #[arg(long, value_enum)]
    pub start: Option<Start>,
    /// Cells row by row, then the side to move: "-----OX--XO----- X"
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true, conflicts_with = "start")]
    pub position: Option<String>,
    /// Moves from the start or from --position, as in c2b4d5; passes may be left out
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,
}

impl PositionOptions {
    /// The start asked for, or the usual one.
    pub fn start(&self) -> Start {
        self.start.unwrap_or(Start::Diagonal)
    }

    /// The board asked for; `usual` where neither --board nor --position tells the size.
    ///
    /// # Errors
    /// A bad size, position or move, in words for the person who typed it.
    pub fn board(&self, usual: Geometry) -> Result<Board, Failure> {
        let geometry = self.board.as_deref().map(parse_size).transpose()?;
        let first = match &self.position {
            Some(text) => notation::parse_board(geometry, text)
                .map_err(|error| Failure::usage("bad-position", format!("--position: {error}")))?,
            None => geometry.unwrap_or(usual).start(self.start()),
        };
        let unsaid = self.board.is_none() && self.position.is_none();
        let (_, board) = notation::replay(first, &self.moves.join(" ")).map_err(|error| {
            let size = if unsaid { on_the_usual_board(usual) } else { String::new() };
            Failure::usage("bad-move", format!("{error}{size}"))
        })?;
        Ok(board)
    }
}

/// What follows an error about moves on a board that nobody has named.
pub fn on_the_usual_board(size: impl Display) -> String {
    format!("; on {size}, as --board was not given")
}

/// The program's arguments, with a space before dashes that are a pass among moves: `--` after moves, or at the head of an
/// argument with moves after it. To the parser of options a lone `--` is the end of the options, by which the pass would
/// be lost without a word, and `-- c4` is an option that there is not.
pub fn arguments() -> impl Iterator<Item = OsString> {
    let mut follows_moves = false;
    std::env::args_os().map(move |argument| {
        let argument = if follows_moves && argument == "--" { OsString::from(" --") } else { argument };
        let argument = argument.to_str().and_then(with_a_first_pass).unwrap_or(argument);
        // Between a move and a pass a number may stand.
        follows_moves = argument.to_str().is_some_and(|word| {
            let is_number = notation::tokens(word).next().is_none();
            notation::are_moves(word) || follows_moves && is_number
        });
        argument
    })
}

/// The moves of an argument that begins with a pass in dashes.
fn with_a_first_pass(argument: &str) -> Option<OsString> {
    let rest = argument.strip_prefix("--").filter(|rest| rest.starts_with(char::is_whitespace))?;
    notation::are_moves_with_a_square(rest).then(|| format!(" {argument}").into())
}

/// A board size as typed.
///
/// # Errors
/// Exit code 2 with the sizes there are.
pub fn parse_size(text: &str) -> Result<Geometry, Failure> {
    text.parse().map_err(|error| Failure::usage("bad-board", format!("--board: {error}")))
}

/// A player as typed, with its parameters.
///
/// # Errors
/// Exit code 2 with the nearest names or the parameters there are.
pub fn parse_player(text: &str) -> Result<PlayerSpec, Failure> {
    text.parse().map_err(|error: NameError| Failure::usage("bad-player", error.to_string()))
}

/// What a live search may use, and where tables are.
#[derive(Args, Clone)]
pub struct SearchOptions {
    /// Where tables and weights are looked for first, before $REVERSI_DATA and ./data
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    pub data: Option<PathBuf>,
    /// Threads of a search [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Most memory of a search, as in 512M or 4G; it takes as much as pays
    /// [default: 1G, or half of what is free if that is less]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<usize>,
}

impl SearchOptions {
    /// What a solver may use.
    pub fn solver(&self) -> SolverOptions {
        let usual = SolverOptions::default();
        let threads = self.threads.map_or(usual.threads, |threads| threads as usize);
        SolverOptions { memory_bytes: self.memory.unwrap_or(usual.memory_bytes), threads, ..usual }
    }

    /// What orders a solver's moves: the weights that the engine would take too; `None` where none are learned.
    ///
    /// # Errors
    /// Weights that are there but cannot be used.
    pub fn ordering(&self, geometry: Geometry, goal: Goal) -> Result<Option<Arc<Evaluator>>, WeightsError> {
        Evaluator::find(geometry, goal, Library::new(self.data.as_deref()).directories())
    }
}

/// Bytes, or with K, M, G or T (powers of 1024).
pub fn parse_memory(text: &str) -> Result<usize, String> {
    const WANTED: &str = "write a number of bytes, as in 512M, 4G or 1T";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 =
        match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            "G" => 1 << 30,
            "T" => 1 << 40,
            _ => return Err(WANTED.to_owned()),
        };
    let bytes = digits.trim().parse().ok().and_then(|number: u64| number.checked_mul(unit));
    bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| WANTED.to_owned())
}

/// Runs the work on so many threads; `None` is all cores.
///
/// # Errors
/// Exit code 1 when the threads cannot be made.
pub fn in_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| Failure::new(Exit::Failed, "threads", format!("--threads: {error}")))?;
    Ok(pool.install(work))
}

/// Reads a directory where files are looked for: one that is not there would be passed over without a word.
pub fn data_directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.is_dir() {
        true => Ok(path),
        false => Err("there is no such directory"),
    })
}

/// Reads a number of threads.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1024).contains(count));
    count.ok_or_else(|| "write a number of threads from 1 to 1024".to_owned())
}

/// Reads a time: `60s`, `500ms`, `2m`; a number alone is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .ok_or_else(|| "write a time above 0, as in 60s, 500ms or 2m, up to a year".to_owned())
}

/// The same, where no time at all may be meant.
pub fn duration_or_zero(text: &str) -> Result<Duration, String> {
    parse_duration_or_zero(text)
        .ok_or_else(|| "write a time as in 60s, 500ms or 2m, up to a year, or 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_or_without_their_unit() {
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1m"), Ok(Duration::from_secs(60)));
        for bad in ["", "s", "0", "-1", "nan", "inf", "1e300", "1e20", "1h", "é"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        assert_eq!(duration_or_zero("0"), Ok(Duration::ZERO));
        assert_eq!(duration_or_zero("3s"), Ok(Duration::from_secs(3)));
        assert_eq!(duration_or_zero("0.0ms"), Ok(Duration::ZERO));
        for bad in ["0ss", "-1", "nan", ""] {
            assert!(duration_or_zero(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_moves_after_dashes_make_them_a_pass() {
        for (argument, moves) in [("-- c4", " -- c4"), ("--\tc4d3", " --\tc4d3"), ("-- -- c4", " -- -- c4")] {
            assert_eq!(with_a_first_pass(argument), Some(moves.into()), "{argument}");
        }
        for argument in
            ["--", "----", "--a1", "--board", "--board=6x6", "--wld", "-c4", "c4", "----------------X"]
        {
            assert_eq!(with_a_first_pass(argument), None, "{argument}");
        }
    }

    #[test]
    fn memory_is_read_with_its_unit() {
        assert_eq!(parse_memory("4G"), Ok(4 << 30));
        assert_eq!(parse_memory("512MiB"), Ok(512 << 20));
        assert_eq!(parse_memory("1000"), Ok(1000));
        for text in ["9T", "9tb", "9TiB"] {
            assert_eq!(parse_memory(text), Ok(9 << 40), "{text}");
        }
        for bad in ["", "G", "-1", "1.5G", "99999999999999999999", "99999999999G", "99999999T", "4X", "é"] {
            assert!(parse_memory(bad).is_err(), "{bad}");
        }
    }
}
