//! What a player thinks of every position of a file, or of every move of its games.

use super::HintCommand;
use crate::cli::common::Output;
use crate::cli::games::{GameOptions, tell_no_rules};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::kept_player::KeptPlayer;
use crate::cli::print::{is_unread, print_line, print_stopped, print_text};
use crate::cli::progress::Counter;
use crate::cli::values::{parse_player, parse_size};
use crate::cli::{Exit, Failure, csv, reading, search_info};
use clap::ValueEnum;
use reversi_engine::hints::Hint;
use reversi_engine::{Game, GameMove, GameSetup, PlayerSpec};
use reversi_formats::text;
use reversi_rules::{Geometry, Passing};
use reversi_solver::search::Stop;
use serde_json::Value as Json;
use std::path::Path;
use std::time::Instant;

/// The format of the answers about a file.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One line per position
    Text,
    /// Comma-separated values with a header line
    Csv,
    /// One JSON object per line, for each position
    Json,
}

/// A position of the file.
struct Asked {
    /// Number of the game in the file, from 1; each position of a problem file counts as a game.
    game_number: usize,
    /// The game that leads to it.
    game: Game,
    /// The move made there, in a game.
    played: Option<GameMove>,
}

/// The answer about a position.
struct Answer<'a> {
    asked: &'a Asked,
    hints: Vec<Hint>,
    nodes: u64,
    seconds: f64,
}

/// What is needed to answer.
struct Asker<'a> {
    command: &'a HintCommand,
    spec: PlayerSpec,
    player: KeptPlayer<'a>,
}

impl HintCommand {
    /// Answers for all positions of a file, in order. A game that cannot be read gives an error in its place; the first
    /// such error decides the exit code at the end.
    pub(super) fn run_file(&self, path: &Path, output: Output) -> Result<Exit, Failure> {
        let format = self.file_format(output)?;
        let read = self.read_positions(path, output)?;
        if let [Err(failure)] = &read[..] {
            return Err(Failure::usage("bad-file", failure.message()));
        }
        let count = read.iter().flatten().map(Vec::len).sum::<usize>();
        let counter = Counter::new(output, "positions", count as u64, 0);
        let mut asker = Asker {
            command: self,
            spec: parse_player(&self.player)?,
            player: KeptPlayer::new(&self.resources, output),
        };
        self.check_bounds(&asker.spec)?;
        let (stop, mut exit) = (stop_on_ctrl_c(), Exit::Done);
        if let Some(head) = head(format) {
            print_line(head);
        }
        for (game, positions) in (1..).zip(&read) {
            let positions = match positions {
                Ok(positions) => positions,
                Err(failure) => {
                    exit = exit.or(failure.exit());
                    tell_fault(format, failure, Place { game, ply: None });
                    continue;
                }
            };
            for asked in positions {
                if stop.is_set() {
                    return Ok(stopped(output));
                }
                if is_unread() {
                    return Ok(exit);
                }
                let answer = match asker.answer(asked, &stop) {
                    // Another position may take less time.
                    Err(failure) if failure.exit() == Exit::Failed && self.bounds_time(&asker.spec) => {
                        exit = exit.or(failure.exit());
                        let ply = asked.game.moves().len();
                        let failure = failure.within(&format!("game {game}, ply {ply}"));
                        tell_fault(format, &failure, Place { game, ply: Some(ply) });
                        counter.inc();
                        continue;
                    }
                    answer => answer?,
                };
                if answer.hints.is_empty() && stop.is_set() {
                    return Ok(stopped(output));
                }
                print_answer(format, &answer);
                counter.inc();
                // The answer may be what was found when the search was interrupted.
                if stop.is_set() {
                    return Ok(stopped(output));
                }
            }
        }
        Ok(exit)
    }

    fn bounds_time(&self, spec: &PlayerSpec) -> bool {
        self.time().is_some() || spec.bounds_time()
    }

    /// The positions of each game of a file.
    fn read_positions(
        &self,
        path: &Path,
        output: Output,
    ) -> Result<Vec<Result<Vec<Asked>, Failure>>, Failure> {
        let bad = |fault: &dyn std::fmt::Display| {
            Failure::usage("bad-file", format!("--file {}: {fault}", path.display()))
        };
        let bytes = reading::read_file(path).map_err(|error| bad(&error))?;
        tell_no_rules(reading::first_line(&bytes), self.rules, output);
        let size = self.position.board.as_deref().map(parse_size).transpose()?;
        let options = &self.position.reading;
        let wanted = options.wanted(self.setup(size.unwrap_or(Geometry::EIGHT)), size.map(Into::into));
        let readings = text::read_bytes(&bytes, &reading::names_beside(path), wanted);
        let asked = GameOptions::of_file(&self.position, self.rules);
        let read = (1..)
            .zip(readings)
            .map(|(number, reading)| {
                let reading =
                    reading.map_err(|error| reading::advised_within_game(&error)).and_then(|reading| {
                        options.tell_skipped(&reading.skipped);
                        asked.agree(&reading.game).map(|()| reading)
                    });
                match reading {
                    Ok(reading) => Ok(self.positions_of(number, &reading.game)),
                    Err(fault) => Err(bad(&fault).within(&format!("game {number}"))),
                }
            })
            .collect();
        Ok(read)
    }

    fn file_format(&self, output: Output) -> Result<Format, Failure> {
        match (self.format, output.json) {
            (None | Some(Format::Json), true) => Ok(Format::Json),
            (Some(_), true) => {
                Err(Failure::usage("usage", "--json writes JSON: leave --format out, or --json"))
            }
            (format, false) => Ok(format.unwrap_or(Format::Text)),
        }
    }

    /// Where games without a board begin.
    fn setup(&self, geometry: Geometry) -> GameSetup {
        GameSetup {
            size: geometry.into(),
            start: self.position.start(),
            goal: self.rules.goal(),
            scoring: self.rules.scoring,
            passing: Passing::Allowed,
        }
    }

    /// The positions of a game with a choice of moves, or only the last one; a game without moves gives its position.
    fn positions_of(&self, game_number: usize, whole: &Game) -> Vec<Asked> {
        let mut game = Game::new(whole.first_board().clone(), whole.rules(), whole.passing());
        let mut positions = Vec::new();
        for &mv in whole.moves() {
            positions.push(Asked { game_number, game: game.clone(), played: Some(mv) });
            game.play(mv).expect("the moves of a game can be made again");
        }
        positions.push(Asked { game_number, game, played: None });
        if self.last || positions.len() == 1 {
            positions.drain(..positions.len() - 1);
        } else {
            positions.retain(|asked| !asked.game.is_over() && !asked.game.must_pass());
        }
        positions
    }
}

impl Asker<'_> {
    fn answer<'a>(&mut self, asked: &'a Asked, stop: &Stop) -> Result<Answer<'a>, Failure> {
        let command = self.command;
        if asked.game.is_over() {
            return Ok(Answer { asked, hints: Vec::new(), nodes: 0, seconds: 0.0 });
        }
        let player = self.player.of::<Failure>(&self.spec, &asked.game)?;
        player.prepare(&asked.game)?;
        let started = Instant::now();
        let found = command.find(player, &asked.game, stop);
        let (hints, nodes) = match found {
            Err(_) if stop.is_set() => (Vec::new(), 0),
            Err(reversi_engine::PlayerError::OutOfTime { .. }) if command.time.is_some() => {
                return Err(command.out_of_time(&self.spec));
            }
            found => found?,
        };
        command.check_found(&hints, &asked.game, &self.spec, started, stop)?;
        Ok(Answer { asked, hints, nodes, seconds: started.elapsed().as_secs_f64() })
    }
}

fn head(format: Format) -> Option<String> {
    match format {
        Format::Text => Some("game  ply  empty  played  move      value  depth  line".to_owned()),
        Format::Csv => Some(csv::line(&CSV_COLUMNS.map(str::to_owned))),
        Format::Json => None,
    }
}

/// Columns of the CSV. Without an answer all are empty but the place and the fault.
const CSV_COLUMNS: [&str; 18] = [
    "game", "ply", "position", "empties", "played", "rank", "move", "value", "exact", "depth", "nodes",
    "seconds", "line", "error", "points", "board", "goal", "scoring",
];
/// Index of the place of the fault: the columns before it belong to an answer.
const FAULT: usize = CSV_COLUMNS.len() - 5;

/// The place in the file of a position without an answer.
struct Place {
    /// Number of the game, from 1.
    game: usize,
    /// Moves made in it; `None` where the game cannot be read.
    ply: Option<usize>,
}

fn stopped(output: Output) -> Exit {
    print_stopped(output, "interrupted; the last answer may be incomplete");
    Exit::Interrupted
}

fn tell_fault(format: Format, failure: &Failure, Place { game, ply }: Place) {
    match format {
        Format::Text => {
            print_text(failure);
        }
        Format::Csv => {
            let mut cells = CSV_COLUMNS.map(|_| String::new());
            cells[0] = game.to_string();
            cells[1] = ply.map_or(String::new(), |ply| ply.to_string());
            cells[FAULT] = failure.message().to_owned();
            print_line(csv::line(&cells));
        }
        Format::Json => {
            let mut error = failure.json();
            error["game"] = game.into();
            error["ply"] = ply.into();
            print_line(error);
        }
    }
}

fn print_answer(format: Format, answer: &Answer) {
    match format {
        Format::Text => {
            answer.rows().iter().for_each(|row| print_line(answer.in_words(row.as_ref().copied())));
        }
        Format::Csv => {
            for (rank, row) in (1..).zip(answer.rows()) {
                print_line(csv::line(&answer.cells(rank, row)));
            }
        }
        Format::Json => print_line(answer.json()),
    }
}

impl Answer<'_> {
    /// A row for each move, or one row if there is none.
    fn rows(&self) -> Vec<Option<&Hint>> {
        if self.hints.is_empty() { vec![None] } else { self.hints.iter().map(Some).collect() }
    }

    fn empties(&self) -> u32 {
        self.asked.game.board().empty_count()
    }

    fn played(&self) -> String {
        self.asked.played.map_or(String::new(), |mv| mv.to_string())
    }

    fn in_words(&self, hint: Option<&Hint>) -> String {
        let front = format!(
            "{:>4} {:>4} {:>6}  {:<6}",
            self.asked.game_number,
            self.asked.game.moves().len(),
            self.empties(),
            self.played()
        );
        let Some(hint @ Hint { mv, value, pv, .. }) = hint else {
            let why = if self.asked.game.is_over() { "the game is over" } else { "no estimate" };
            return format!("{front}  {why}");
        };
        let value = format!("{value}{}", search_info::proof(*value));
        let depth = search_info::depth(hint);
        format!("{front}  {mv:<4} {value:>10}  {depth:>5}  {}", super::words(pv).join(" "))
    }

    fn cells(&self, rank: u32, hint: Option<&Hint>) -> Vec<String> {
        let board = self.asked.game.board();
        let mut cells = vec![
            self.asked.game_number.to_string(),
            self.asked.game.moves().len().to_string(),
            board.to_string(),
            self.empties().to_string(),
            self.played(),
        ];
        match hint {
            Some(Hint { mv, value, depth, pv, .. }) => cells.extend([
                rank.to_string(),
                mv.to_string(),
                value.discs().map_or(String::new(), |discs| discs.to_string()),
                value.is_exact().to_string(),
                depth.to_string(),
                self.nodes.to_string(),
                self.seconds.to_string(),
                super::words(pv).join(" "),
            ]),
            None => cells.extend(vec![String::new(); FAULT - cells.len()]),
        }
        let points = hint.filter(|hint| hint.value.discs().is_none());
        cells.extend([
            String::new(),
            points.map_or(String::new(), |points| points.value.number().to_string()),
            self.asked.game.size().to_string(),
            self.asked.game.rules().goal.to_string(),
            self.asked.game.rules().scoring.to_string(),
        ]);
        cells
    }

    /// The object of a single question, plus the place of its position in the file.
    fn json(&self) -> Json {
        let mut object = super::json(&self.asked.game, &self.hints, self.nodes, self.seconds);
        object["game"] = self.asked.game_number.into();
        object["ply"] = self.asked.game.moves().len().into();
        object["played"] = self.asked.played.map(|mv| mv.to_string()).into();
        object
    }
}
