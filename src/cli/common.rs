//! Options that several commands share, and how they become values.

pub use super::output::Output;

use super::Failure;
use super::print::print_remark;
use super::reading::{self, ReadingOptions};
use super::values::{data_directory, parse_memory, parse_size, parse_threads};
use crate::cli::choices::by_name;
use clap::{Args, ValueEnum};
use reversi_engine::{Game, GameSetup};
use reversi_formats::obf;
use reversi_formats::text::ReadError;
use reversi_rules::notation::BoardError;
use reversi_rules::{Board, Geometry, Goal, Passing, Rules, Scoring, Start, notation};
use reversi_solver::eval::Evaluator;
use reversi_solver::eval::weights::Weights;
use reversi_solver::oracle::{Oracle, OracleError};
use reversi_solver::search::SolverOptions;
use reversi_table::library::{DATA_VARIABLE, Library, file_name};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which rules a finished game is judged by.
#[derive(Args, Clone, Copy, Default)]
pub struct RulesOptions {
    /// Which side wins: the one with more discs, or the one with fewer [default: normal]
    #[arg(long, value_parser = by_name::<Goal>())]
    pub goal: Option<Goal>,
    /// Which side the empty squares count for at the end: neither (raw) or the side with more discs (winner) [default:
    /// raw; winner on 8x8]
    #[arg(long, value_parser = by_name::<Scoring>())]
    pub scoring: Option<Scoring>,
}

impl RulesOptions {
    /// The rules. By default scoring is raw, on 8x8 winner.
    pub fn rules(&self, geometry: Geometry) -> Rules {
        let usual = Scoring::usual(geometry.width(), geometry.height());
        Rules::new(self.goal(), self.scoring.unwrap_or(usual))
    }

    /// The rules given by the options, or else named by a text.
    ///
    /// # Errors
    /// The rules named by the text contradict the options.
    pub fn rules_of(&self, geometry: Geometry, named: &obf::File) -> Result<Rules, Failure> {
        let options = FileRulesOptions { goal: self.goal, scoring: self.scoring };
        options.rules_of(geometry, named)
    }

    /// The goal; normal if none was given.
    pub fn goal(&self) -> Goal {
        self.goal.unwrap_or_default()
    }

    /// The same options without the goal.
    pub fn but_the_goal(self) -> RulesOptions {
        RulesOptions { goal: None, ..self }
    }

    /// # Errors
    /// When a game that was read has other rules than the options ask for; the text continues a sentence that begins
    /// with `the game`.
    pub fn agree(&self, made: Rules) -> Result<(), String> {
        agree_on("goal", self.goal.map(Goal::name), Some(made.goal.name()))?;
        agree_on("scoring", self.scoring.map(Scoring::name), Some(made.scoring.name()))
    }
}

/// The same options for commands whose .obf file may set them too.
#[derive(Args, Clone, Copy)]
pub struct FileRulesOptions {
    /// Which side wins: the one with more discs, or the one with fewer [default: normal, or the problem file's]
    #[arg(long, value_parser = by_name::<Goal>())]
    goal: Option<Goal>,
    /// Which side the empty squares count for at the end [default: raw; winner on 8x8; or the problem file's]
    #[arg(long, value_parser = by_name::<Scoring>())]
    scoring: Option<Scoring>,
}

impl FileRulesOptions {
    /// The same options for games that are in no problem file.
    pub fn of_games(&self) -> RulesOptions {
        RulesOptions { goal: self.goal, scoring: self.scoring }
    }

    /// The rules given by the options, else by the file, else usual on the board.
    pub fn rules(&self, geometry: Geometry, file: &obf::File) -> Rules {
        let usual = Scoring::usual(geometry.width(), geometry.height());
        let goal = self.goal.or(file.goal).unwrap_or_default();
        Rules::new(goal, self.scoring.or(file.scoring).unwrap_or(usual))
    }

    /// The rules given by the options, or else named by a text.
    ///
    /// # Errors
    /// The rules named by the text contradict the options.
    pub fn rules_of(&self, geometry: Geometry, named: &obf::File) -> Result<Rules, Failure> {
        agree_on("goal", self.goal.map(Goal::name), named.goal.map(Goal::name))
            .and_then(|()| {
                agree_on("scoring", self.scoring.map(Scoring::name), named.scoring.map(Scoring::name))
            })
            .map_err(|fault| Failure::usage("usage", format!("the position {fault}")))?;
        Ok(self.rules(geometry, named))
    }

    /// # Errors
    /// When the file and an option set different rules: then the file is about another game.
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

/// The rules that all these games share, as a problem file names them: the normal goal and the usual scoring of a board
/// are not named.
///
/// # Errors
/// The index, from 0, of a game whose goal or scoring differs from those before it, and which of the two it is.
pub fn shared_rules<'a>(
    games: impl Iterator<Item = &'a Game> + Clone,
) -> Result<obf::File, (usize, &'static str)> {
    let goal = shared(games.clone().map(|game| (game.rules().goal, game.rules().goal == Goal::default())));
    let scoring = shared(games.map(|game| (game.rules().scoring, has_usual_scoring(game))));
    Ok(obf::File {
        goal: goal.map_err(|index| (index, "goal"))?,
        scoring: scoring.map_err(|index| (index, "scoring"))?,
        records: Vec::new(),
    })
}

/// The value that all share, or `None` if each has its usual one. The error is the index of the first value that
/// differs from one before it.
fn shared<T: Copy + PartialEq>(values: impl Iterator<Item = (T, bool)> + Clone) -> Result<Option<T>, usize> {
    let Some(unusual) = values.clone().position(|(_, is_usual)| !is_usual) else { return Ok(None) };
    let value = values.clone().nth(unusual).map(|(value, _)| value);
    match values.clone().position(|(other, _)| Some(other) != value) {
        Some(other) => Err(other.max(unusual)),
        None => Ok(value),
    }
}

/// Whether the empty squares at the end count as usual on the board of the game.
pub fn has_usual_scoring(game: &Game) -> bool {
    game.rules().scoring == Scoring::usual(game.size().width(), game.size().height())
}

/// # Errors
/// When something was made for another value than is asked for; the text continues a sentence that begins with its
/// name.
pub fn agree_on(option: &str, asked: Option<&str>, made: Option<&str>) -> Result<(), String> {
    match asked.zip(made) {
        Some((asked, made)) if asked != made => {
            Err(format!("is for {option}={made}, but --{option} {asked} is asked for; leave the option out"))
        }
        _ => Ok(()),
    }
}

/// The position a command is about: a board or the start, and moves from there.
#[derive(Args, Clone)]
pub struct PositionOptions {
    /// Board size; each command has its own default
    #[arg(long, value_name = "SIZE")]
    pub board: Option<String>,
    /// Arrangement of the first four discs [default: diagonal]
    #[arg(long, value_parser = by_name::<Start>())]
    pub start: Option<Start>,
    /// Position: cells row by row, then the side to move, as in "-----OX--XO----- X"
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true, conflicts_with = "start")]
    pub position: Option<String>,
    /// Moves from the start or from --position, as in c2b4d5; passes may be left out. Or a board in any usual form,
    /// with its side to move and moves
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,
    #[command(flatten)]
    pub reading: ReadingOptions,
}

impl PositionOptions {
    /// The requested start, or the usual one.
    pub fn start(&self) -> Start {
        self.start.unwrap_or(Start::Diagonal)
    }

    /// The requested board, `usual` if neither --board nor --position gives the size; and those rules that the text
    /// itself names (as GGF of the reversed goal does) and that differ from the requested ones, or else from the usual
    /// ones.
    ///
    /// # Errors
    /// A bad size, position or move, in words for the person who typed it, or a game without passing.
    pub fn board_and_rules(
        &self,
        usual: Geometry,
        asked: RulesOptions,
    ) -> Result<(Board, obf::File), Failure> {
        let (board, named, passing) = self.read(usual, asked)?;
        reading::check_passing(passing).map_err(|message| Failure::usage("bad-rules", message))?;
        Ok((board, named))
    }

    /// The same for games with and without passing, as the text says.
    ///
    /// # Errors
    /// A bad size, position or move.
    pub fn read(&self, usual: Geometry, asked: RulesOptions) -> Result<(Board, obf::File, Passing), Failure> {
        let geometry = self.board.as_deref().map(parse_size).transpose()?;
        let setup = GameSetup {
            start: self.start(),
            goal: asked.goal(),
            scoring: asked.scoring,
            ..GameSetup::new(geometry.unwrap_or(usual).into())
        };
        let wanted = self.reading.wanted(setup, geometry.map(Into::into));
        let place = if self.position.is_some() { "--position: " } else { "" };
        let strict = |text: &str| {
            let error = notation::parse_board(geometry, text).err().unwrap_or(BoardError::NoSide(0));
            reading::failure(place, &error.into())
        };
        let read = match self.reading.read_arguments(self.position.as_deref(), &self.moves, wanted) {
            Err(ReadError::BareMoves(_) | ReadError::Nothing) if self.position.is_some() => {
                return Err(strict(self.position.as_deref().unwrap_or_default()));
            }
            // Only boards up to 8x8 are answered.
            Err(ReadError::Board(BoardError::UnknownSize { found, .. })) => {
                let error = BoardError::UnknownSize { found, max_side: Geometry::EIGHT.width() };
                return Err(reading::failure(place, &error.into()));
            }
            read => read,
        };
        let unsaid = self.board.is_none() && self.position.is_none();
        let read = read.map_err(|error| match error {
            ReadError::BareMoves(_) if self.position.is_none() => {
                let size = if unsaid { on_the_usual_board(usual) } else { String::new() };
                Failure::usage("bad-move", format!("{error}{size}{}", reading::about_file(&self.moves)))
            }
            ReadError::Nothing => {
                Failure::usage("bad-position", format!("{error}{}", reading::about_file(&self.moves)))
            }
            error if error.is_about_position() => reading::failure(place, &error),
            error => reading::failure("", &error),
        })?;
        if self.position.is_some() && !read.has_board {
            return Err(strict(self.position.as_deref().unwrap_or_default()));
        }
        if self.start.is_some() && read.has_board {
            return Err(Failure::usage("usage", "--start does not apply to a given board: leave it out"));
        }
        let size = read.game.size();
        let board = read.game.board().small().ok_or_else(|| {
            Failure::usage(
                "bad-position",
                format!("{place}a board of {size}; exact values are known up to 8x8"),
            )
        })?;
        Ok((board, reading::rules_named(&read.game, setup), read.game.passing()))
    }
}

/// Suffix of an error about moves on the default board.
pub fn on_the_usual_board(size: impl Display) -> String {
    format!("; on {size}, as --board was not given")
}

/// Prints which weights are used, or where others were looked for. Prints nothing for a board that has none.
pub fn tell_weights(geometry: Geometry, goal: Goal, data: Option<&Path>, output: Output) {
    if output.quiet {
        return;
    }
    let library = Library::new(data);
    match Weights::place(geometry, goal, library.directories()) {
        Some(path) => print_remark(format_args!("reversi: weights from {}", path.display())),
        None if Evaluator::shipped(geometry, goal).is_some() => {
            let places = library.in_words();
            print_remark(format_args!(
                "reversi: no weights for {geometry} {goal} in {places}; the program's own are used"
            ));
        }
        None => {}
    }
}

/// The message that no directory of a library has a table. If the table ships with the program it also says how to name
/// its directory.
pub fn no_table(geometry: Geometry, rules: Rules, library: &Library) -> String {
    let found = format!("no table for {geometry} {rules} in {}", library.in_words());
    if !is_shipped(geometry, rules) {
        return found;
    }
    format!("{found} (one ships with the program: name its directory by --data or ${DATA_VARIABLE})")
}

/// Whether a table of the board ships with the program but is not compiled into it.
fn is_shipped(geometry: Geometry, rules: Rules) -> bool {
    geometry == Geometry::SIX && rules.scoring == Scoring::Raw
}

/// The remark before a player that probes tables has to search, because the table that ships for the board is in no
/// directory of the library; `None` if there is nothing to say.
pub fn lacks_shipped_table(geometry: Geometry, rules: Rules, library: &Library) -> Option<String> {
    let is_there = |start| {
        let name = file_name(geometry, rules, start);
        library.directories().iter().any(|directory| directory.join(&name).is_file())
    };
    let is_lacking = is_shipped(geometry, rules) && !Start::ALL.into_iter().any(is_there);
    is_lacking.then(|| {
        format!("{}; the values it would hold are searched instead", no_table(geometry, rules, library))
    })
}

/// Resources of a live search, and where tables are.
#[derive(Args, Clone)]
pub struct SearchOptions {
    /// Directory searched first for tables and weights, before $REVERSI_DATA and ./data
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    pub data: Option<PathBuf>,
    /// Threads for a search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Maximum memory of a search, as in 512M or 4G; it takes only as much as is useful [default: 1G, or half of the
    /// free memory if that is less]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<usize>,
    /// Move ordering: by the learned evaluation, or plain. Changes the time, never a score
    #[arg(long, value_enum, default_value_t = OrderingName::Learned)]
    pub ordering: OrderingName,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
pub enum OrderingName {
    /// By the learned evaluation, if there is one for the board and goal
    Learned,
    /// By simple rules, without the learned evaluation
    Plain,
}

impl SearchOptions {
    /// Resources of a solver.
    pub fn solver(&self) -> SolverOptions {
        let usual = SolverOptions::default();
        let threads = self.threads.unwrap_or(usual.threads);
        SolverOptions { memory_bytes: self.memory.unwrap_or(usual.memory_bytes), threads, ..usual }
    }

    /// The evaluation that orders a solver's moves, with the weights that the engine would use; `None` if none are
    /// learned or wanted.
    ///
    /// # Errors
    /// Weights that exist but cannot be used.
    pub fn evaluator(&self, geometry: Geometry, goal: Goal) -> Result<Option<Arc<Evaluator>>, Failure> {
        if self.ordering == OrderingName::Plain {
            return Ok(None);
        }
        let found = Evaluator::find(geometry, goal, Library::new(self.data.as_deref()).directories());
        found.map_err(|error| SearchOptions::failure(error.into()))
    }

    /// Prints which weights [`SearchOptions::evaluator`] takes.
    pub fn tell_weights(&self, geometry: Geometry, goal: Goal, output: Output) {
        if self.ordering == OrderingName::Learned {
            tell_weights(geometry, goal, self.data.as_deref(), output);
        }
    }

    /// An error of the oracle as a failure, with advice in terms of these options.
    pub fn failure(error: OracleError) -> Failure {
        match error {
            OracleError::Weights(_) => Failure::from(error).followed_by("--ordering plain does without"),
            _ => error.into(),
        }
    }

    /// The oracle of a board, with the tables of both starts, that of `start` first.
    ///
    /// # Errors
    /// A table that exists but cannot be used.
    pub fn oracle(&self, geometry: Geometry, rules: Rules, start: Start) -> Result<Oracle, Failure> {
        self.oracle_with(geometry, rules, start, self.solver())
    }

    /// The same with other resources for the solver.
    ///
    /// # Errors
    /// As [`SearchOptions::oracle`].
    pub fn oracle_with(
        &self,
        geometry: Geometry,
        rules: Rules,
        start: Start,
        solver: SolverOptions,
    ) -> Result<Oracle, Failure> {
        let library = Library::new(self.data.as_deref());
        let mut oracle = Oracle::find(geometry, rules, start, &library, solver)?;
        if self.ordering == OrderingName::Plain {
            oracle.order_plainly();
        }
        Ok(oracle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_lacks_a_table_that_ships_is_told_how_to_name_its_directory() {
        let library = Library::of(vec!["here".into(), "there".into()]);
        let said = |geometry, scoring| no_table(geometry, Rules::new(Default::default(), scoring), &library);
        let shipped = said(Geometry::SIX, Scoring::Raw);
        assert!(shipped.starts_with("no table for 6x6 normal raw in here, there"), "{shipped}");
        assert!(shipped.contains("--data") && shipped.contains("$REVERSI_DATA"), "{shipped}");
        let missing = |geometry| lacks_shipped_table(geometry, Rules::default(), &library);
        assert!(missing(Geometry::SIX).is_some_and(|said| said.contains("$REVERSI_DATA")));
        assert_eq!(missing(Geometry::FOUR), None, "it is part of the program");
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let found = lacks_shipped_table(Geometry::SIX, Rules::default(), &Library::of(vec![shipped]));
        assert_eq!(found, None, "the table is there");
        for other in [said(Geometry::EIGHT, Scoring::Raw), said(Geometry::SIX, Scoring::Winner)] {
            assert!(other.ends_with("in here, there"), "{other}");
        }
    }
}
