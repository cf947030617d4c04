//! `reversi review`: what each move gave away, for one game or for every game of a file.

mod judges;
mod report;

use super::common::{Output, on_the_usual_board};
use super::games::{GameOptions, ResourceOptions};
use super::interrupt::stop_on_ctrl_c;
use super::print::{is_unread, print_line, print_text};
use super::progress::Counter;
use super::reading::{self, ReadingOptions, names_beside};
use super::{Exit, Failure};
use clap::Args;
use judges::{Judges, ReviewFault};
use report::{Looked, Players};
use reversi_engine::review::review;
use reversi_engine::{Game, GameSetup};
use reversi_formats::text::{self, ReadError, Reading};
use reversi_solver::search::Stop;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Show what each move of a game gave away, and which moves were better
///
/// On boards of up to 36 squares perfect play is the judge in three cases: a table holds the first position; the board
/// has at most 30 squares; or the game begins with at most 20 empty squares. In all other games, and with --no-passing,
/// the engine is the judge. Whole numbers are proved. All others are estimates, in discs for the side that moves.
///
/// Moves are numbered with the passes among them. The last move is reviewed first; Ctrl-C shows what was found by then.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi review --board 6x6 c2b4c5d2e4e3
  reversi review f5d6c3d3c4f4 --player engine:level=15
  reversi review --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\" d1
  reversi match first random --board 6x6 --games 4 --save /tmp/games.ggf
  reversi review --file /tmp/games.ggf --opening 4   # each game, and the sums
  reversi review --file /tmp/games.ggf --game 2 --json")]
pub struct Review {
    /// Moves, from the usual start or from --position
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// Start position, if it is not the usual one: cells row by row, then the side to move
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true, conflicts_with = "start")]
    position: Option<String>,
    /// Read games from a file (- for standard input), whatever its name: GGF, SGF, PGN, WTHOR (with names from the .jou
    /// and .trn files beside it), Othello Quest JSON, moves (one line for each of several games), or a board and moves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    file: Option<PathBuf>,
    /// Only the game with this number in the file, from 1
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["moves", "position"], value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Number of discs put down as a drawn opening, as by `match`; these moves count for neither player
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    opening: u32,
    /// Judge: perfect, or an engine [default: as described above]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    resources: ResourceOptions,
}

impl Review {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        if self.resources.book.as_ref().is_some_and(|books| !books.is_empty()) {
            let message =
                "--book: a review searches every position, so that its values can be compared; leave it out";
            return Err(Failure::usage("usage", message));
        }
        let setup = self.options.setup()?;
        let judges = Judges::new(self.player.as_deref(), &self.resources, output)?;
        match &self.file {
            None => {
                let game = self.typed_game(setup)?;
                let nothing = Failure::usage(
                    "bad-game",
                    "there is no move to look at: write the moves, or name a file of games with --file",
                );
                self.look_at_one(judges, 1, game.into(), nothing, output)
            }
            Some(path) => {
                let bytes = reading::read_file(path).map_err(|error| bad_file(path, &error))?;
                self.look_at_file(judges, path, &bytes, setup, output)
            }
        }
    }

    /// The requested game, the only game, or all games.
    fn look_at_file(
        &self,
        judges: Judges,
        path: &Path,
        bytes: &[u8],
        setup: GameSetup,
        output: Output,
    ) -> Result<Exit, Failure> {
        let checked = |reading: Result<Reading, ReadError>| {
            if let Ok(read) = &reading {
                self.reading.tell_skipped(&read.skipped);
            }
            let reading = reading
                .map_err(|error| self.told(error, setup))
                .and_then(|reading| self.options.agree(&reading.game).map(|()| reading));
            reading.map_err(|fault| bad_file(path, &fault))
        };
        let nothing = || bad_file(path, &"there is no move in it");
        let all = text::read_bytes(bytes, &names_beside(path), self.reading.wanted(setup, None));
        let count = all.len();
        let is_faulty = matches!(&all[..], [Err(_)]);
        let are_positions =
            all.iter().all(|reading| reading.as_ref().is_ok_and(|of| of.game.moves().is_empty()));
        let mut games = (1..).zip(all.into_iter().map(checked)).peekable();
        // A fault of the whole file is the only item: it counts, not that there is no such game.
        let others_before = self.game.filter(|_| !is_faulty).map_or(0, |number| number as usize - 1);
        let Some((number, first)) = games.nth(others_before) else {
            let asked = others_before + 1;
            return Err(bad_file(path, &format_args!("there is no game {asked}, the last one is {count}")));
        };
        if self.game.is_none() && games.peek().is_some() {
            // Most likely the positions of a problem file.
            if are_positions {
                return Err(nothing());
            }
            return self.look_at_all(judges, [(number, first)].into_iter().chain(games), output);
        }
        self.look_at_one(judges, number, first?, nothing(), output)
    }

    /// The error of a game, without its number; with the default size on which moves were read.
    fn told(&self, error: ReadError, setup: GameSetup) -> String {
        match error {
            ReadError::BareMoves(_) if self.options.board.is_none() => {
                format!("{error}{}", on_the_usual_board(setup.size))
            }
            _ => reading::advised_within_game(&error),
        }
    }

    fn typed_game(&self, setup: GameSetup) -> Result<Game, Failure> {
        let usage = |kind, error: &dyn Display| Failure::usage(kind, error.to_string());
        let size = self.options.board.is_some().then_some(setup.size);
        let wanted = self.reading.wanted(setup, size.filter(|_| self.position.is_some()));
        let reading = self.reading.read_arguments(self.position.as_deref(), &self.moves, wanted);
        let reading = reading.map_err(|error| match &self.moves[..] {
            [word] if Path::new(word).is_file() => {
                usage("bad-game", &format_args!("{word} is a file: read it with --file {word}"))
            }
            _ if self.position.is_some() && error.is_about_position() => {
                usage("bad-position", &format_args!("--position: {}", reading::advised(&error)))
            }
            words => {
                let said = self.told(error, setup) + &reading::about_file(words);
                usage("bad-game", &said)
            }
        })?;
        if self.position.is_some() && !reading.has_board {
            return Err(usage("bad-position", &"--position: there is no board in it"));
        }
        self.options.agree(&reading.game).map_err(|fault| usage("bad-game", &fault))?;
        Ok(reading.game)
    }

    /// Reviews one game; `nothing` is the error if it has no move.
    fn look_at_one(
        &self,
        mut judges: Judges,
        number: usize,
        reading: Reading,
        nothing: Failure,
        output: Output,
    ) -> Result<Exit, Failure> {
        if reading.game.moves().is_empty() {
            return Err(nothing);
        }
        let looked = self.look_at(&mut judges, number, reading, output, &stop_on_ctrl_c())?;
        let text = looked.text();
        let text = text.trim_end();
        match output.json {
            true => print_line(looked.json()),
            false if looked.has_names() => print_line(format_args!("{}\n{text}", looked.title())),
            false => print_line(text),
        }
        Ok(looked.exit())
    }

    /// Reviews one game after the other, and prints the sums. The fault of one game is reported in its place; the first
    /// of several gives the exit code at the end. A fault that other games would have too ends the review.
    fn look_at_all(
        &self,
        mut judges: Judges,
        games: impl Iterator<Item = (usize, Result<Reading, Failure>)>,
        output: Output,
    ) -> Result<Exit, Failure> {
        let (mut exit, mut players, stop) = (Exit::Done, Players::default(), stop_on_ctrl_c());
        for (number, reading) in games {
            if is_unread() {
                return Ok(exit);
            }
            if stop.is_set() {
                players.is_interrupted = true;
                break;
            }
            let looked = match reading {
                Ok(reading) => self.look_at(&mut judges, number, reading, output, &stop),
                Err(failure) => Err(ReviewFault::OfGame(failure)),
            };
            match looked {
                Ok(looked) => {
                    players.add(&looked);
                    match output.json {
                        true => print_line(looked.json()),
                        false => print_line(format_args!("{}\n{}", looked.title(), looked.text())),
                    }
                }
                Err(ReviewFault::OfGame(failure)) => {
                    let failure = failure.within(&format!("game {number}"));
                    exit = exit.or(failure.exit());
                    match output.json {
                        true => print_line(report::of_game(number, failure.json())),
                        false => print_text(&failure),
                    }
                }
                Err(ReviewFault::OfAll(failure)) => {
                    players.is_interrupted = true;
                    players.print(output);
                    return Err(failure.within(&format!("game {number}")));
                }
            }
        }
        players.print(output);
        Ok(if players.is_interrupted { Exit::Interrupted } else { exit })
    }

    fn look_at(
        &self,
        judges: &mut Judges,
        number: usize,
        reading: Reading,
        output: Output,
        stop: &Stop,
    ) -> Result<Looked, ReviewFault> {
        let Reading { game, players, theoretical, .. } = reading;
        let judge = judges.of(&game)?;
        let counter = Counter::new(output, "moves", game.moves().len() as u64, 0);
        let found = review(judge, &game, stop, |_| counter.inc()).map_err(Failure::from)?;
        drop(counter);
        let (opening, judge) = (self.opening, judge.name().to_owned());
        let looked = Looked { number, players, game, theoretical, opening, judge, found };
        let has_views = looked.is_whole() || stop.is_set();
        if !has_views || !looked.is_in_discs() {
            let message =
                format!("{} does not value positions in discs; ask the player engine", looked.judge);
            return Err(ReviewFault::OfAll(Failure::usage("bad-player", message)));
        }
        Ok(looked)
    }
}

/// The failure for an error of the file.
fn bad_file(path: &Path, fault: &dyn Display) -> Failure {
    Failure::usage("bad-file", format!("--file {}: {fault}", path.display()))
}
