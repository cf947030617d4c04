//! `reversi review`: what each move of a game gave away.

use super::common::{Output, on_the_usual_board};
use super::games::{EquipmentOptions, GameOptions, USUAL_PLAYER, read_game};
use super::interrupt::stop_on_ctrl_c;
use super::print::print_line;
use super::progress::Counter;
use super::values::parse_player;
use super::{Exit, Failure};
use crate::engine::review::{Reviewed, review};
use crate::engine::{Game, GameMove, Player};
use crate::protocol::Setup;
use crate::protocol::text::{self, ReadError};
use crate::rules::{Color, Geometry, Passing};
use clap::Args;
use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Say what each move of a game gave away, and which would have been better
///
/// Perfect play judges where a table holds the first position, on up to 30 squares, and on up to 36 if the game begins
/// with at most 20 empty ones; the engine judges elsewhere, and with --no-passing. Whole numbers are proved, all others are
/// opinions, in discs for the side that moves. The last move is looked at first; Ctrl-C shows what was found till then.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi review --board 6x6 c2b4c5d2e4e3
  reversi review f5d6c3d3c4f4 --player engine:level=15
  reversi review --position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\" d1
  reversi review --file game.ggf --json
  sed -n 5p games.ggf | reversi review --file -     # the fifth game that `match --save games.ggf` wrote")]
pub struct Review {
    /// The moves, from the usual discs or from --position
    #[arg(value_name = "MOVES", required_unless_present = "file")]
    moves: Vec<String>,
    /// Cells row by row, then the side to move, where the game does not begin with the usual discs
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true, conflicts_with = "start")]
    position: Option<String>,
    /// Read the game from a file (- for standard input), of several the first: GGF, moves, or a board and moves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    file: Option<PathBuf>,
    /// Who judges: perfect, or an engine [default: as said above]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    equipment: EquipmentOptions,
}

impl Review {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let game = self.game()?;
        // Not before: who waits for a file that does not come is to be heard too.
        let stop = stop_on_ctrl_c();
        let mut judge = self.judge(&game)?;
        let counter = Counter::new(output, "moves", game.moves().len() as u64, 0);
        let found = review(&mut *judge, &game, &stop, |_| counter.inc())?;
        drop(counter);
        let has_views = found.len() == game.moves().len() || stop.is_set();
        if !has_views || !found.iter().all(is_in_discs) {
            let message =
                format!("{} does not value positions in discs; ask the player engine", judge.name());
            return Err(Failure::usage("bad-player", message));
        }
        let looked_at = Looked { game: &game, judge: judge.name(), found: &found };
        match output.json {
            true => print_line(looked_at.json()),
            false => print_line(looked_at.text().trim_end()),
        }
        Ok(if looked_at.is_whole() { Exit::Done } else { Exit::Interrupted })
    }

    /// The game to look at.
    fn game(&self) -> Result<Game, Failure> {
        let setup = self.options.setup()?;
        let (game, if_empty) = match &self.file {
            None => (self.typed_game(setup)?, Failure::usage("bad-game", "there is no move to look at")),
            Some(path) => {
                let bad = |what: String| Failure::usage("bad-file", format!("--file {what}"));
                let game =
                    read_game(path, read_file(path), setup, self.options.board.is_none()).map_err(bad)?.game;
                let at = |fault: String| bad(format!("{}: {fault}", path.display()));
                self.options.agree(&game).map_err(at)?;
                (game, bad(format!("{}: there is no move in it", path.display())))
            }
        };
        if game.moves().is_empty() { Err(if_empty) } else { Ok(game) }
    }

    fn typed_game(&self, setup: Setup) -> Result<Game, Failure> {
        let usage = |kind, error: &dyn Display| Failure::usage(kind, error.to_string());
        let moves = self.moves.join(" ");
        let Some(position) = &self.position else {
            let reading = text::read(&moves, setup).map_err(|error| match &self.moves[..] {
                [word] if Path::new(word).is_file() => {
                    usage("bad-game", &format_args!("{word} is a file: read it with --file {word}"))
                }
                _ if matches!(error, ReadError::BareMoves(_)) && self.options.board.is_none() => {
                    usage("bad-game", &format_args!("{error}{}", on_the_usual_board(setup.size)))
                }
                _ => usage("bad-game", &error),
            });
            let game = reading?.game;
            self.options.agree(&game).map_err(|fault| usage("bad-game", &fault))?;
            return Ok(game);
        };
        let mut game = setup.game_from(self.options.position(setup, position)?);
        game.play_transcript(&moves).map_err(|error| usage("bad-game", &error))?;
        Ok(game)
    }

    /// Who says what positions are worth.
    fn judge(&self, game: &Game) -> Result<Box<dyn Player>, Failure> {
        let (size, rules) = (game.size(), game.rules());
        let Some(geometry) = size.to_geometry() else {
            let message = format!("nobody values moves in discs on {size}, only on boards up to 8x8");
            return Err(Failure::usage("bad-board", message));
        };
        let spec = match &self.player {
            Some(name) => parse_player(name)?,
            None if self.is_known(game, geometry)? => parse_player("perfect")?,
            None => parse_player(USUAL_PLAYER)?,
        };
        let player = self.equipment.build(&spec);
        player.supports(size, rules.goal)?;
        self.equipment.check(&spec, size, rules)?;
        Ok(player)
    }

    /// Whether perfect play is found in seconds nearly everywhere in a game: on small boards, with few empty squares, and
    /// where a table holds the first position.
    fn is_known(&self, game: &Game, geometry: Geometry) -> Result<bool, Failure> {
        const FEW_SQUARES: u32 = 30;
        const FEW_EMPTIES: u32 = 20;
        let Some(board) = game.first_board().small().filter(|_| geometry.square_count() <= 36) else {
            return Ok(false);
        };
        if game.passing() == Passing::EndsGame {
            return Ok(false);
        }
        if geometry.square_count() <= FEW_SQUARES || game.first_board().empty_count() <= FEW_EMPTIES {
            return Ok(true);
        }
        let oracle = self.equipment.equipment().oracle(geometry, game.rules())?;
        Ok(oracle.probe(board.position())?.is_some())
    }
}

/// The bytes of a file, or of standard input for `-`.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if path.to_str() != Some("-") {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_in_discs(reviewed: &Reviewed) -> bool {
    [reviewed.value, reviewed.best_value].iter().all(|value| value.discs().is_some())
}

/// What a move gave away; `None` if that is nothing, or so little that an opinion says nothing by it.
fn told_loss(reviewed: &Reviewed) -> Option<f64> {
    const TOO_LITTLE: f64 = 0.5;
    let least = if reviewed.is_proved { 0.0 } else { TOO_LITTLE };
    Some(reviewed.lost()).filter(|&lost| lost > least)
}

/// Whole discs where they are proved, else two decimals.
fn discs(lost: f64, is_proved: bool) -> String {
    let decimals = if is_proved { 0 } else { 2 };
    format!("{lost:.decimals$}")
}

/// A game that was looked at, perhaps not as far as its first move.
struct Looked<'a> {
    game: &'a Game,
    judge: &'a str,
    found: &'a [Reviewed],
}

impl Looked<'_> {
    fn is_whole(&self) -> bool {
        self.found.len() == self.game.moves().len()
    }

    /// The moves of a side that were looked at, forced passes not among them.
    fn of(&self, side: Color) -> impl Iterator<Item = &Reviewed> {
        self.found.iter().filter(move |reviewed| reviewed.side == side && reviewed.played != GameMove::Pass)
    }

    /// All that a side gave away, as far as it is told. Folded, because the sum of nothing would be a negative zero.
    fn lost(&self, side: Color) -> f64 {
        self.of(side).filter_map(told_loss).fold(0.0, |sum, lost| sum + lost)
    }

    fn text(&self) -> String {
        let (size, rules) = (self.game.size(), self.game.rules());
        let mut text =
            format!("{size}, {} goal, {} scoring, judged by {}\n\n", rules.goal, rules.scoring, self.judge);
        text += "  no  side  move   value  better  value   lost\n";
        for reviewed in self.found {
            text += &line(reviewed);
        }
        if !self.is_whole() {
            let left = self.game.moves().len() - self.found.len();
            text += &format!(
                "interrupted: the first {left} of {} moves were not looked at\n",
                self.game.moves().len()
            );
        }
        let is_proved = self.found.iter().all(|reviewed| reviewed.is_proved);
        for side in [Color::Black, Color::White] {
            let errors = self.of(side).filter_map(told_loss).count();
            let (lost, moves) = (discs(self.lost(side), is_proved), self.of(side).count());
            text += &format!("{} gave away {lost} discs, with {errors} of {moves} moves\n", side.symbol());
        }
        if !is_proved {
            text += "whole numbers are proved, all others are opinions; half a disc and less is not told of them\n";
        }
        text
    }

    /// The object of the schema `reversi.review/1`.
    fn json(&self) -> Json {
        let moves: Vec<Json> = self.found.iter().map(move_json).collect();
        let Looked { game, judge, .. } = self;
        json!({"schema": "reversi.review/1", "board": game.size().to_string(), "goal": game.rules().goal.name(),
            "scoring": game.rules().scoring.name(), "first": game.first_board().to_string(), "judge": judge,
            "interrupted": !self.is_whole(), "moves": moves,
            "lost": {"X": self.lost(Color::Black), "O": self.lost(Color::White)}})
    }
}

fn line(reviewed: &Reviewed) -> String {
    let &Reviewed { number, side, played, value, best, best_value, is_proved } = reviewed;
    let line = format!("{number:>4}  {:<4}  {played:<4} {value:>7}", side.symbol());
    match told_loss(reviewed) {
        None => line + "\n",
        Some(lost) => {
            format!("{line}  {best:<4} {best_value:>7} {:>6}\n", discs(lost, is_proved))
        }
    }
}

fn move_json(reviewed: &Reviewed) -> Json {
    json!({"number": reviewed.number, "side": reviewed.side.symbol().to_string(),
        "move": reviewed.played.to_string(), "value": reviewed.value.number(),
        "exact": reviewed.value.is_exact(), "best": reviewed.best.to_string(),
        "best_value": reviewed.best_value.number(), "best_exact": reviewed.best_value.is_exact(),
        "proved": reviewed.is_proved, "lost": told_loss(reviewed).unwrap_or(0.0)})
}
