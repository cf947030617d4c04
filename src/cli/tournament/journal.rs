//! The file that keeps every game of a tournament as it ends: first a description of the tournament, then one line per
//! game.

use crate::cli::games::opening_plies;
use crate::cli::{Exit, Failure};
use reversi_files::open_locked;
use reversi_lab::arena::Contestant;
use reversi_lab::arena::tournament::{Played, Tournament};
use reversi_rules::Passing;
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Where games are kept.
pub struct Journal {
    path: PathBuf,
    pages: Mutex<Pages>,
}

/// An open journal.
struct Pages {
    file: File,
    /// The first line, written with the first game: a tournament that cannot be played leaves no file that would keep
    /// others out.
    heading: Option<String>,
    /// Whether a write has failed: a later line would follow a piece of a line.
    has_failed: bool,
}

impl Journal {
    /// Opens the file, or makes it, and gives the games that are in it. A last line that was cut short by
    /// a crash is dropped.
    ///
    /// # Errors
    /// A file that cannot be used, or that belongs to another tournament.
    pub fn open(
        path: &Path,
        names: &[String],
        tournament: &Tournament,
    ) -> Result<(Journal, Vec<Played>), Failure> {
        let heading = heading(names, tournament)?;
        let mut file = locked(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| cannot(path, error))?;
        // Only lines with an end were written whole; the rest may end within a character.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(&[][..], |end| &bytes[..=end]);
        let foreign = || bad(path, 1, "this is no journal of a tournament");
        // A file without a whole line may be emptied only if it is the beginning of our own first line.
        if whole.is_empty() && !heading.to_string().as_bytes().starts_with(&bytes) {
            return Err(foreign());
        }
        let whole = str::from_utf8(whole).map_err(|error| {
            let line = 1 + whole[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            if line == 1 { foreign() } else { bad(path, line, "this is no text") }
        })?;
        let games = read(path, whole, &heading, tournament)?;
        file.set_len(whole.len() as u64).map_err(|error| cannot(path, error))?;
        file.seek(SeekFrom::End(0)).map_err(|error| cannot(path, error))?;
        let heading = whole.is_empty().then(|| format!("{heading}\n"));
        Ok((
            Journal { path: path.to_owned(), pages: Mutex::new(Pages { file, heading, has_failed: false }) },
            games,
        ))
    }

    /// Adds a game, unless an earlier one could not be added.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn keep(&self, game: &Played) -> Result<(), Failure> {
        let line = serde_json::to_string(game).expect("a game is numbers and text") + "\n";
        let mut pages = self.pages.lock().expect("no thread panics while it holds the lock");
        if pages.has_failed {
            return Ok(());
        }
        let lines = pages.heading.take().unwrap_or_default() + &line;
        let written = pages.file.write_all(lines.as_bytes());
        pages.has_failed = written.is_err();
        written.map_err(|error| cannot(&self.path, error))
    }
}

/// Opens the file, which no other tournament writes to as long as it is open.
fn locked(path: &Path) -> Result<File, Failure> {
    let file = open_locked(path).map_err(|error| cannot(path, error))?.ok_or_else(|| {
        let fault = "another tournament is writing to it; wait for it or name another file";
        Failure::new(Exit::Failed, "locked", format!("--journal {}: {fault}", path.display()))
    })?;
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(bad(path, 1, "this is no ordinary file"));
    }
    Ok(file)
}

/// What identifies a tournament: everything that its games follow from. A later run may request more games.
///
/// # Errors
/// Weights that cannot be used.
fn heading(names: &[String], tournament: &Tournament) -> Result<Json, Failure> {
    let game = &tournament.openings[0];
    let weights = tournament.players.iter().map(|player| weights(player, tournament));
    let mut heading = json!({
        "schema": "reversi.tournament.journal/1",
        "players": names,
        "board": game.size().to_string(),
        "first": game.first_board().to_string(),
        "goal": game.rules().goal.name(),
        "scoring": game.rules().scoring.name(),
        "passing": game.passing() == Passing::Allowed,
        "openings": opening_plies(game),
        "seconds_per_move": tournament.time.for_move().map(|time| time.as_secs_f64()),
        "memory": tournament.resources.memory_bytes,
        "threads": tournament.resources.threads,
        "data": tournament.resources.data.as_ref().map(|path| path.display().to_string()),
        "weights": weights.collect::<Result<Vec<_>, _>>()?,
        "version": env!("CARGO_PKG_VERSION"),
        "seed": tournament.seed,
    });
    if let Some(book) = tournament.resources.books.book_for(game) {
        heading["book"] = crc32fast::hash(book.book().to_text().as_bytes()).into();
    }
    Ok(heading)
}

/// The checksum of a player's weights; `None` if it uses none, or if it is another program.
fn weights(player: &Contestant, tournament: &Tournament) -> Result<Option<u32>, Failure> {
    let game = &tournament.openings[0];
    match player {
        Contestant::Named(spec) => {
            Ok(spec.weights_checksum(&tournament.resources, game.size(), game.rules())?)
        }
        _ => Ok(None),
    }
}

fn read(path: &Path, text: &str, heading: &Json, tournament: &Tournament) -> Result<Vec<Played>, Failure> {
    let mut lines = text.lines();
    let Some(first) = lines.next() else { return Ok(Vec::new()) };
    let found: Json =
        serde_json::from_str(first).map_err(|_| bad(path, 1, "this is no journal of a tournament"))?;
    let mut wanted = heading.clone();
    if found.get("weights").is_none() {
        // Older journals name no weights.
        wanted.as_object_mut().expect("a heading").remove("weights");
    }
    if found != wanted {
        let what = "this is the journal of another tournament; name another file, or give the same players, board, \
                    rules, openings, time, seed, weights, --memory, --threads, --data and --book to the same version of this program";
        return Err(bad(path, 1, what));
    }
    let (mut seen, mut games) = (HashSet::new(), Vec::new());
    for (number, line) in lines.enumerate() {
        let game: Played =
            serde_json::from_str(line).map_err(|error| bad(path, number + 2, &error.to_string()))?;
        believable(&game).map_err(|what| bad(path, number + 2, &what))?;
        // A pairing that occurs twice counts once. A pairing that is not requested now does not count: it may have
        // begun with an opening that is not drawn now.
        if tournament.asks_for(game.pairing) && seen.insert(game.pairing) {
            replayable(tournament, &game).map_err(|what| bad(path, number + 2, &what))?;
            games.push(game);
        }
    }
    Ok(games)
}

/// The error of a record: a game must have a score that fits its winner, or a fault and a winner.
fn believable(game: &Played) -> Result<(), String> {
    let Played { winner, score, fault, .. } = game;
    if !(-1..=1).contains(winner) {
        return Err(format!("winner is {winner}, not -1, 0 or 1"));
    }
    match (score, fault) {
        (Some(score), None) if score.signum() != i32::from(*winner) => {
            Err(format!("score is {score}, but winner is {winner}"))
        }
        (Some(_), None) => Ok(()),
        (None, Some(_)) if *winner != 0 => Ok(()),
        (None, Some(_)) => Err("a fault ended the game, but winner is 0".to_owned()),
        _ => Err("a game has either a score or a fault".to_owned()),
    }
}

/// Checks that the moves are a game of this tournament with this end.
fn replayable(tournament: &Tournament, played: &Played) -> Result<(), String> {
    let game = tournament.replay(played).map_err(|error| error.to_string())?;
    let opening = tournament.opening(played.pairing);
    // A player that could not begin has not even seen the opening.
    if !played.moves.is_empty() && !game.moves().starts_with(opening.moves()) {
        let opening = opening.transcript();
        return Err(format!("the game does not begin with {opening}, as it does in this tournament"));
    }
    match (played.score, game.result(), played.forfeit()) {
        (Some(score), Some(end), _) if score != end.score => {
            Err(format!("score is {score}, but the moves end in {}", end.score))
        }
        (Some(_), None, _) => Err("there is a score, but the moves do not end the game".to_owned()),
        (None, Some(_), _) => Err("a fault ended the game, but the moves end it too".to_owned()),
        (_, _, Some((loser, _))) if !played.moves.is_empty() && loser != game.to_move() => {
            Err(format!("winner is {}, but {} was to move", played.winner, game.to_move()))
        }
        _ => Ok(()),
    }
}

fn bad(path: &Path, line: usize, what: &str) -> Failure {
    Failure::usage("bad-journal", format!("--journal {}: line {line}: {what}", path.display()))
}

fn cannot(path: &Path, error: std::io::Error) -> Failure {
    Failure::cannot_write(format_args!("--journal {}", path.display()), error)
}
