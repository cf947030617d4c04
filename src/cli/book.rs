//! `reversi book`: opening books that the program makes itself.

use super::choices::by_name;
use super::common::Output;
use super::interrupt::stop_on_ctrl_c;
use super::places::{check_file, check_no_data, lock, write_file};
use super::print::{print_line, print_remark};
use super::progress::Counter;
use super::values::{data_directory, parse_memory, parse_player};
use super::{Exit, Failure};
use clap::{Args, Subcommand, ValueEnum};
use reversi_engine::book::{Book, BookError, GEOMETRY, PASSING, Values};
use reversi_engine::{Game, Resources};
use reversi_lab::book::{ATTEMPTS, Growth, Plan};
use reversi_rules::{Board, Goal, Rules, Scoring, Start};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Make, show and merge opening books of 8x8
///
/// A book holds positions that were searched, each once up to symmetry; the values of earlier moves follow by negamax.
/// The engine of `play` plays from the books that the program holds, from level 10 on and without a level; `--book FILE`
/// lets it play from another one, `--book none` from none. `hint`, `match`, `gtp` and others use a book only if `--book` names one.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi book build --positions 500 --searcher engine:level=3 --out /tmp/b.rvo
  reversi book show shipped f5d6
  reversi book merge /tmp/b.rvo --out /tmp/b.txt   # as text")]
pub struct BookCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(Build),
    Merge(Merge),
    Show(Show),
}

/// Make a book by self-play, or extend one
///
/// Each game follows good moves of the book to a position whose moves are not all in the book. These moves are then
/// searched, and the values are backed up.
///
/// The file is written every minute and after Ctrl-C; --resume continues from it. With the same --searcher, --plies,
/// --spread and --seed the result is the same book as without the interruption. Other values apply to new positions
/// only: positions in the book are not searched again.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi book build --positions 500 --searcher engine:level=3 --out /tmp/b.rvo
  reversi book build --positions 900 --searcher engine:level=3 \\
    --out /tmp/b.rvo --resume
  reversi book build --goal reversed --positions 100000 --out reversed.rvo")]
struct Build {
    /// The goal of the game
    #[arg(long, value_parser = by_name::<Goal>(), default_value_t = Goal::Normal)]
    goal: Goal,
    /// Number of positions to grow to; it ends up to some hundred higher, since all moves of a position are added at
    /// once
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    positions: u32,
    /// Player that searches the positions; with a level or a depth, since with a time limit results differ from run to
    /// run
    #[arg(long, value_name = "PLAYER", default_value = "engine:level=12")]
    searcher: String,
    /// Follow games for at most this number of plies
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Follow moves that are at most this number of discs worse than the best one
    #[arg(long, value_name = "DISCS", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=64))]
    spread: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Memory of the searcher, as in 64M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_memory)]
    memory: usize,
    /// Directory searched first for weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
    /// Continue with the book in --out
    #[arg(long)]
    resume: bool,
    /// File of the book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Merge books: each position keeps the better search
///
/// Reads books as files and as text, so it also converts between the two: the result is written as text if its name
/// ends in .txt.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi book build --positions 500 --searcher engine:level=3 --out /tmp/b.rvo
  reversi book build --positions 500 --searcher engine:level=2 --out /tmp/c.rvo
  reversi book merge /tmp/b.rvo /tmp/c.rvo --out /tmp/both.rvo
  reversi book merge /tmp/b.rvo --out /tmp/b.txt   # as text
  reversi book merge /tmp/b.txt --out /tmp/b.rvo   # and back")]
struct Merge {
    /// Books to merge, all for the same goal; `shipped` for one that the program holds
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    goal: BookGoal,
    /// File of the merged book; - for standard output, as text
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Which of the shipped books is meant.
#[derive(Args)]
struct BookGoal {
    /// The goal of the shipped book; of other books it must be the goal [default: normal]
    #[arg(long, value_parser = by_name::<Goal>())]
    goal: Option<Goal>,
}

/// Show what a book says of a position
#[derive(Args)]
#[command(after_help = "Examples:
  reversi book show shipped f5d6
  reversi book show shipped --goal reversed f5
  reversi book show /tmp/b.rvo f5d6 --json
  reversi book show /tmp/b.rvo --format text > /tmp/b.txt")]
struct Show {
    /// File of the book, or `shipped` for one that the program holds
    #[arg(value_name = "FILE")]
    book: PathBuf,
    #[command(flatten)]
    goal: BookGoal,
    /// Moves from the start position
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Moves, conflicts_with = "json")]
    format: Format,
}

/// What is printed of a book.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// The moves of the position with their values
    Moves,
    /// The whole book as text, which `book merge` reads
    Text,
}

/// What stands for the books that the program holds in the place of a file.
pub const SHIPPED: &str = "shipped";

/// Time between two writes of a growing book.
const EVERY: Duration = Duration::from_secs(60);

impl BookCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match self.command {
            Command::Build(build) => build.run(output),
            Command::Merge(merge) => merge.run(output),
            Command::Show(show) => show.run(output),
        }
    }
}

/// Refuses names of files that could not be named again.
fn check_name(out: &Path) -> Result<(), Failure> {
    match out.to_str() {
        Some(name @ (SHIPPED | "none" | "-")) => {
            let message =
                format!("--out {name}: this word stands for something else; write ./{name}, or another name");
            Err(Failure::usage("usage", message))
        }
        _ => Ok(()),
    }
}

/// Reads a book.
///
/// # Errors
/// A file that cannot be read, or that is no sound book.
pub fn load(path: &Path) -> Result<Book, Failure> {
    Book::load(path).map_err(|error| match &error {
        BookError::File { .. } => Failure::usage("cannot-read", error.to_string()),
        _ => Failure::of_kind("bad-book", error.to_string()),
    })
}

fn save(path: &Path, book: &Book) -> Result<(), Failure> {
    let is_text = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    let bytes = if is_text { book.to_text().into_bytes() } else { book.to_bytes() };
    write_file("--out", path, &bytes)
}

fn start(rules: Rules) -> Game {
    Game::new(Board::start(GEOMETRY, Start::Diagonal).into(), rules, PASSING)
}

impl Build {
    fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let searcher = parse_player(&self.searcher)?;
        if !searcher.has_levels() || !searcher.repeats_itself() || !searcher.bounds_depth() {
            let message = "--searcher: name the engine with a level or a depth and without a time, as in engine:level=12";
            return Err(Failure::usage("bad-player", message));
        }
        let rules = Rules::new(self.goal, Scoring::usual(GEOMETRY.width(), GEOMETRY.height()));
        check_name(&self.out)?;
        let _lock = lock(&self.out, "build")?;
        let book = self.first(rules)?;
        check_file("--out", &self.out)?;
        let resources = Resources {
            memory_bytes: self.memory,
            threads: 1,
            data: self.data.clone(),
            ..Resources::default()
        };
        searcher.check_files(&resources, GEOMETRY.into(), rules)?;
        let plan = Plan { searcher, plies: self.plies as usize, spread: self.spread.into(), seed: self.seed };
        let (positions, before) = (self.positions as usize, book.len());
        let counter = Counter::new(output, "positions", self.positions.into(), before as u64);
        let (mut written, mut fault) = (Instant::now(), None);
        let (book, growth) = plan.grow(book, positions, &resources, &stop, |book| {
            counter.set(book.len() as u64);
            if written.elapsed() >= EVERY {
                written = Instant::now();
                if let Err(failure) = save(&self.out, book) {
                    fault = Some(failure);
                    stop.set();
                }
            }
        });
        drop(counter);
        if let Some(failure) = fault {
            return Err(failure);
        }
        // Keep what was found before a fault. A searcher that finds nothing leaves no file.
        if !matches!(growth, Growth::Failed(_)) || book.len() > before {
            save(&self.out, &book)?;
        }
        let is_done = match growth {
            Growth::Failed(error) => return Err(error.into()),
            Growth::Stopped => false,
            Growth::Done => true,
        };
        if is_done && book.len() < positions && !output.quiet {
            print_remark(format_args!(
                "the last {ATTEMPTS} games of this length and spread led to no new position; another --seed may find more"
            ));
        }
        if output.json {
            print_line(json!({
                "schema": "reversi.book-build/1",
                "file": self.out.display().to_string(),
                "goal": self.goal.name(),
                "positions": book.len(),
                "new_positions": book.len() - before,
                "interrupted": !is_done,
            }));
        } else {
            let positions = book.len();
            let value = book.into_values().moves_of(&start(rules)).map(|moves| moves[0].value);
            let value = value.map_or(String::new(), |value| format!(", the start is worth {value}"));
            print_line(format_args!("{}: {positions} positions{value}", self.out.display()));
        }
        Ok(if is_done { Exit::Done } else { Exit::Interrupted })
    }

    /// The book to extend: a new one, or with --resume that of the file.
    fn first(&self, rules: Rules) -> Result<Book, Failure> {
        if !self.resume {
            if self.out.exists() {
                let message = format!(
                    "--out {}: the file already exists; continue it with --resume, or name another one",
                    self.out.display()
                );
                return Err(Failure::usage("bad-file", message));
            }
            return Ok(Book::new(rules));
        }
        let book = load(&self.out)?;
        match book.rules() == rules {
            true => Ok(book),
            false => Err(other_rules(&self.out, book.rules())),
        }
    }
}

fn other_rules(path: &Path, rules: Rules) -> Failure {
    Failure::of_kind("bad-book", format!("{}: that book is for {rules}", path.display()))
}

impl Merge {
    /// Refuses to replace a book with positions or better searches that the merged one lacks, and all files that are no
    /// books.
    fn check_nothing_is_lost(&self, merged: &Book) -> Result<(), Failure> {
        let there = match load(&self.out) {
            Ok(there) => there,
            // A new file, a pipe, or an empty one.
            Err(_) if !self.out.is_file() || self.out.metadata().is_ok_and(|file| file.len() == 0) => {
                return Ok(());
            }
            Err(_) => {
                check_no_data("--out", &self.out)?;
                let message = format!(
                    "--out {}: the file already exists and is no sound book; name another file",
                    self.out.display()
                );
                return Err(Failure::usage("file-exists", message));
            }
        };
        let mut all = merged.clone();
        let what = if !all.merge(&there) {
            "is a book for the other goal; name another file"
        } else if all != *merged {
            "is a book with positions or better searches that the merged one lacks; name it among the books to merge, \
             or name another file"
        } else {
            return Ok(());
        };
        Err(Failure::usage("file-exists", format!("--out {}: {what}", self.out.display())))
    }

    fn run(self, output: Output) -> Result<Exit, Failure> {
        if self.out.as_os_str() == "-" {
            output.refuse_json("--out - writes a book")?;
            print_line(self.merged()?.to_text().trim_end());
            return Ok(Exit::Done);
        }
        check_name(&self.out)?;
        check_file("--out", &self.out)?;
        let _lock = lock(&self.out, "build")?;
        let book = self.merged()?;
        self.check_nothing_is_lost(&book)?;
        save(&self.out, &book)?;
        if output.json {
            let (file, goal) = (self.out.display().to_string(), book.rules().goal.name());
            print_line(
                json!({"schema": "reversi.book-merge/1", "file": file, "goal": goal, "positions": book.len()}),
            );
        } else {
            print_line(format_args!("{}: {} positions", self.out.display(), book.len()));
        }
        Ok(Exit::Done)
    }

    fn merged(&self) -> Result<Book, Failure> {
        let (first, others) = self.books.split_first().expect("clap asks for one");
        let mut book = self.goal.load(first)?;
        for path in others {
            let other = self.goal.load(path)?;
            if !book.merge(&other) {
                return Err(other_rules(path, other.rules()));
            }
        }
        Ok(book)
    }
}

impl BookGoal {
    /// Reads a book, or takes the shipped one.
    fn load(&self, path: &Path) -> Result<Book, Failure> {
        if path.as_os_str() == SHIPPED {
            return Ok(Book::shipped(self.goal.unwrap_or_default()));
        }
        let book = load(path)?;
        match self.goal {
            Some(goal) if goal != book.rules().goal => Err(other_rules(path, book.rules())),
            _ => Ok(book),
        }
    }
}

impl Show {
    fn run(self, output: Output) -> Result<Exit, Failure> {
        let book = self.goal.load(&self.book)?;
        if self.format == Format::Text {
            if let Some(mv) = self.moves.first() {
                return Err(Failure::usage(
                    "usage",
                    format!("{mv}: --format text writes the whole book: leave the moves out"),
                ));
            }
            print_line(book.to_text().trim_end());
            return Ok(Exit::Done);
        }
        let mut game = start(book.rules());
        game.play_transcript(&self.moves.join(" "))
            .map_err(|error| Failure::usage("bad-move", error.to_string()))?;
        let values = book.into_values();
        print_line(if output.json { json_of(&values, &game).to_string() } else { text_of(&values, &game) });
        Ok(Exit::Done)
    }
}

fn text_of(values: &Values, game: &Game) -> String {
    let book = values.book();
    let mut text = format!("opening book of 8x8 {}, {} positions", book.rules(), book.len());
    let moves = values.moves_of(game);
    for mv in moves.iter().flatten() {
        let how = if mv.value.is_exact() { "exact" } else { "estimate" };
        let from = mv
            .depth
            .map_or("from later positions".to_owned(), |depth| format!("searched {depth} plies deep"));
        text += &format!("\n{}  {:>6} {how}, {from}", mv.square, mv.value.to_string());
    }
    if game.is_over() {
        text += "\nthe game is over";
    } else if moves.is_none() {
        text += "\nit does not know all moves of this position";
        if let Some((value, depth)) = values.value_of(game) {
            text += &format!(
                "; searched {depth} plies deep, it is worth {value} for {}, who is to move",
                game.to_move()
            );
        }
    }
    text
}

fn json_of(values: &Values, game: &Game) -> serde_json::Value {
    let moves = values.moves_of(game).map(|moves| {
        let moves = moves.into_iter().map(|mv| {
            json!({"move": mv.square.to_string(), "value": mv.value.number(), "exact": mv.value.is_exact(), "depth": mv.depth})
        });
        moves.collect::<Vec<_>>()
    });
    json!({
        "schema": "reversi.book-show/1",
        "goal": values.book().rules().goal.name(),
        "scoring": values.book().rules().scoring.name(),
        "positions": values.book().len(),
        "position": game.board().to_string(),
        "moves": moves,
        "finished": game.is_over(),
        "searched": values.value_of(game).map(|(value, depth)| {
            json!({"value": value.number(), "exact": value.is_exact(), "depth": depth})
        }),
    })
}
