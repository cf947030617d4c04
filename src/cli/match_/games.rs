//! Saves the games of a match to a file: each as it ends, so that a match that is killed keeps the games it has played,
//! and at the end all of them in order.

use crate::cli::saved::{self, Format};
use crate::cli::{Failure, places};
use reversi_engine::Value;
use reversi_formats::ggf;
use reversi_lab::arena::GameReport;
use reversi_rules::Color;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// With at most this many games a file of one document is rewritten after each...
const MOST_GAMES_ALWAYS_REWRITTEN: usize = 1000;
/// ...and with more only if the last rewrite took less than one `REWRITE_PAUSE_FACTOR`-th of the time since.
const REWRITE_PAUSE_FACTOR: u32 = 10;

/// A file that games are added to as they end.
pub(super) struct Saver<'a> {
    path: &'a Path,
    format: Format,
    progress: Mutex<Progress>,
}

/// What is in the file.
#[derive(Default)]
struct Progress {
    /// The file that games are appended to, once there is one.
    file: Option<File>,
    /// All games of a file that cannot be appended to.
    records: Vec<ggf::Record>,
    /// When it was written last, and how long that took.
    written: Option<(Instant, Duration)>,
    /// After an error nothing more is written until the end, where the error is reported if it persists.
    has_failed: bool,
}

impl<'a> Saver<'a> {
    /// The file is replaced when the first game ends. A pipe or a device gets all games at the end.
    pub fn new(path: &'a Path) -> Saver<'a> {
        let is_stream = path.metadata().is_ok_and(|metadata| !metadata.is_file());
        let progress = Progress { has_failed: is_stream, ..Progress::default() };
        Saver { path, format: Format::of(path), progress: Mutex::new(progress) }
    }

    /// Adds a game that has ended.
    pub fn keep(&self, names: &[String; 2], game: &GameReport) {
        let mut progress = self.progress.lock().expect("no thread panics while it holds the lock");
        // The reader of a pipe gets all games at the end, once.
        if !progress.has_failed && places::is_replaced(self.path) {
            progress.has_failed = self.add(&mut progress, names, game).is_err();
        }
    }

    fn add(&self, progress: &mut Progress, names: &[String; 2], game: &GameReport) -> io::Result<()> {
        if self.format == Format::Wthor {
            progress.records.push(record(names, game));
            return self.write_anew(progress);
        }
        let text = as_bytes(self.format, names, game).map_err(io::Error::other)?;
        match &mut progress.file {
            Some(file) => file.write_all(&text),
            None if text.is_empty() => Ok(()),
            None => {
                let rules = self.format.rules_line(&game.duel.game).into_bytes();
                places::write_for_now(self.path, &[rules, text].concat())?;
                progress.file = Some(OpenOptions::new().append(true).open(self.path)?);
                Ok(())
            }
        }
    }

    fn write_anew(&self, progress: &mut Progress) -> io::Result<()> {
        let is_soon = |(last, took): (Instant, Duration)| last.elapsed() < took * REWRITE_PAUSE_FACTOR;
        if progress.records.len() > MOST_GAMES_ALWAYS_REWRITTEN && progress.written.is_some_and(is_soon) {
            return Ok(());
        }
        let started = Instant::now();
        let bytes = self.format.written(&progress.records).map_err(io::Error::other)?;
        places::write_for_now(self.path, &bytes)?;
        progress.written = Some((Instant::now(), started.elapsed()));
        Ok(())
    }
}

/// Writes all games in order. Without a game the file stays as it is.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn save(path: &Path, names: &[String; 2], games: &[GameReport]) -> Result<(), Failure> {
    let format = Format::of(path);
    let unfit = |fault: String| {
        let message = format!("--save {}: {fault}; GGF holds every game", path.display());
        Failure::usage("bad-format", message)
    };
    let Some(first) = games.first() else { return Ok(()) };
    let records: Vec<ggf::Record> = games.iter().map(|game| record(names, game)).collect();
    let bytes = format.written(&records).map_err(unfit)?;
    let rules = format.rules_line(&first.duel.game).into_bytes();
    places::write_file("--save", path, &[rules, bytes].concat())
}

/// A game with its line end. As text a game without a move gives nothing: see [`Format::written`].
fn as_bytes(format: Format, names: &[String; 2], game: &GameReport) -> Result<Vec<u8>, String> {
    if format != Format::Text {
        return format.written(&[record(names, game)]);
    }
    let line = saved::as_text(&game.duel.game, game.duel.game.first_board());
    Ok(if line.is_empty() { Vec::new() } else { (line + "\n").into_bytes() })
}

/// The record of a game; `names` are those of the first and the second player.
pub(super) fn record(names: &[String; 2], game: &GameReport) -> ggf::Record {
    let name = |color| names[usize::from(color != game.color_of_first())].as_str();
    let names = [name(Color::Black), name(Color::White)];
    let mut record = saved::as_ggf(&game.duel.game, names, "reversi match", game.duel.forfeit());
    for (number, info) in game.duel.infos.iter().enumerate() {
        let Some(info) = info else { continue };
        record.annotate(number, info.value.and_then(Value::discs), Some(info.seconds));
    }
    record
}
