//! `reversi review`: what each move of a game gave away.

use super::common::Output;
use super::games::{EquipmentOptions, GameOptions, USUAL_PLAYER};
use super::interrupt::stop_on_ctrl_c;
use super::print::print_line;
use super::progress::Counter;
use super::{Exit, Failure};
use crate::engine::review::{Reviewed, review};
use crate::engine::{Game, Value};
use crate::protocol::{Setup, text};
use crate::rules::{Color, Geometry};
use clap::Args;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Say what each move of a game gave away, and which would have been better
///
/// Boards of up to 36 squares are judged by perfect play, larger ones by the engine. Whole numbers are proved, all others
/// are opinions, in discs for the side that moves. The last move is looked at first; Ctrl-C shows what was found till
/// then.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi review --board 6x6 c2b4c5d2e4e3
  reversi review f5d6c3d3c4f4 --player engine:level=15
  reversi review --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\" d1 a2
  reversi review --file game.ggf --json")]
pub struct Review {
    /// The moves, or a board and moves, in any notation
    #[arg(value_name = "GAME", required_unless_present_any = ["file", "position"])]
    game: Vec<String>,
    /// Cells row by row, then the side to move, where the game does not begin with the usual discs
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true)]
    position: Option<String>,
    /// Read the game from a file (- for standard input), of several the first: GGF, moves, or a board and moves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position"])]
    file: Option<PathBuf>,
    /// Who judges; `reversi players` lists the names [default: perfect, on more than 36 squares engine]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    equipment: EquipmentOptions,
}

impl Review {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let game = self.game()?;
        let Some(geometry) = game.size().to_geometry() else {
            let message =
                format!("nobody values moves in discs on {}, only on boards up to 8x8", game.size());
            return Err(Failure::usage("bad-board", message));
        };
        let name = self.player.as_deref().unwrap_or(usual_judge(geometry));
        let setup = Setup { size: game.size(), goal: game.rules().goal, ..self.options.setup()? };
        let mut player = self.equipment.player(name, setup)?;
        player.supports(game.size(), game.rules().goal)?;
        let counter = Counter::new(output, "moves", game.moves().len() as u64, 0);
        let found = review(&mut *player, &game, &stop, |_| counter.inc())?;
        drop(counter);
        let is_whole = found.len() == game.moves().len() || stop.is_set();
        if !is_whole || !found.iter().all(is_in_discs) {
            let message = format!("{name} does not value moves in discs; ask the player engine");
            return Err(Failure::usage("bad-player", message));
        }
        match output.json {
            true => print_line(as_json(&game, player.name(), &found)),
            false => show(player.name(), &found),
        }
        Ok(if stop.is_set() { Exit::Interrupted } else { Exit::Done })
    }

    /// The game to look at.
    fn game(&self) -> Result<Game, Failure> {
        let setup = self.options.setup()?;
        let Some(path) = &self.file else {
            let words: Vec<&str> = self.position.iter().chain(&self.game).map(String::as_str).collect();
            let reading = text::read(&words.join(" "), setup);
            return Ok(reading.map_err(|error| Failure::usage("bad-game", error.to_string()))?.game);
        };
        let place = format!("--file {}", path.display());
        let bad = |error: &dyn std::fmt::Display| Failure::usage("bad-file", format!("{place}: {error}"));
        let text = read_text(path).map_err(|error| bad(&error))?;
        Ok(text::read(&text, setup).map_err(|error| bad(&error))?.game)
    }
}

/// A file, or standard input for `-`; what is not UTF-8 can only stand in names and comments.
fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    match path.to_str() {
        Some("-") => io::stdin().read_to_end(&mut bytes).map(drop)?,
        _ => bytes = fs::read(path)?,
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Perfect play where a search to the end takes seconds at most nearly everywhere.
fn usual_judge(geometry: Geometry) -> &'static str {
    if geometry.square_count() <= 36 { "perfect" } else { USUAL_PLAYER }
}

fn is_in_discs(reviewed: &Reviewed) -> bool {
    [reviewed.value, reviewed.best_value].iter().all(|value| !matches!(value, Value::Points(_)))
}

/// What a move gave away, or `None` if that is nothing one would see in two decimals.
fn loss(reviewed: &Reviewed) -> Option<f64> {
    const TOO_LITTLE: f64 = 0.005;
    Some(reviewed.lost()).filter(|&lost| lost >= TOO_LITTLE)
}

/// All that a side gave away, and with how many of its moves.
fn sum(found: &[Reviewed], side: Color) -> (f64, usize, usize) {
    let moves: Vec<&Reviewed> = found.iter().filter(|reviewed| reviewed.side == side).collect();
    let losses: Vec<f64> = moves.iter().filter_map(|reviewed| loss(reviewed)).collect();
    // The sum of nothing would be a negative zero.
    (losses.iter().fold(0.0, |sum, lost| sum + lost), losses.len(), moves.len())
}

/// Whole discs where they are proved, else two decimals.
fn discs(lost: f64, is_proved: bool) -> String {
    let decimals = if is_proved { 0 } else { 2 };
    format!("{lost:.decimals$}")
}

fn show(judge: &str, found: &[Reviewed]) {
    print_line("  no  side  move   value  better  value   lost");
    for reviewed in found {
        let Reviewed { number, side, played, value, best, best_value } = reviewed;
        let line = format!("{number:>4}  {:<4}  {played:<4} {value:>7}", side.symbol());
        print_line(match loss(reviewed) {
            None => line,
            Some(lost) => {
                format!("{line}  {best:<4} {best_value:>7} {:>6}", discs(lost, reviewed.is_proved()))
            }
        });
    }
    let is_proved = found.iter().all(Reviewed::is_proved);
    for side in [Color::Black, Color::White] {
        let (lost, errors, moves) = sum(found, side);
        let lost = discs(lost, is_proved);
        print_line(format!("{} gave away {lost} discs, with {errors} of {moves} moves", side.symbol()));
    }
    if !is_proved {
        print_line(format!("whole numbers are proved, all others opinions of {judge}"));
    }
}

fn as_json(game: &Game, judge: &str, found: &[Reviewed]) -> Json {
    let moves: Vec<Json> = found
        .iter()
        .map(|reviewed| {
            json!({"number": reviewed.number, "side": reviewed.side.symbol().to_string(),
                "move": reviewed.played.to_string(), "value": reviewed.value.number(),
                "exact": reviewed.value.is_exact(), "best": reviewed.best.to_string(),
                "best_value": reviewed.best_value.number(), "best_exact": reviewed.best_value.is_exact(),
                "lost": reviewed.lost()})
        })
        .collect();
    let [black, white] = [Color::Black, Color::White].map(|side| sum(found, side).0);
    json!({"schema": "reversi.review/1", "board": game.size().to_string(), "goal": game.rules().goal.name(),
        "scoring": game.rules().scoring.name(), "first": game.first_board().to_string(), "judge": judge,
        "moves": moves, "lost": {"X": black, "O": white}})
}
