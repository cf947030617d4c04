//! `reversi gtp`: a player behind the Go Text Protocol.

use super::common::Output;
use super::failure::conversation_ended;
use super::games::{GameOptions, ResourceOptions};
use super::interrupt::exit_on_ctrl_c;
use super::unread::once_unread;
use super::values::parse_player;
use super::{Exit, Failure};
use clap::Args;
use reversi_engine::protocol::gtp;
use reversi_solver::search::Stop;
use std::io;

/// Play through the Go Text Protocol on stdin and stdout
#[derive(Args)]
#[command(
    after_help = "Times: \"time_settings 0 5 1\" is 5 s per move, \"time_settings 300 5 1\" is 300 s and then 5 s per
move, \"time_settings 300 0 0\" is 300 s for the whole game. Without time settings the player's own
limits apply.

\"set_level\" is for the engine, which has levels 0 to 20; other players refuse it.

\"boardsize\" takes 4, 6, 8 and the side of a square --board, which may be any board the player plays
on. Without --board a player that does not play on 8x8 begins on 6x6 or 4x4. Squares are named as in
Othello, also on boards of more than eight columns: i is the ninth, which the letters of Go leave
out.

Examples:
  reversi gtp
  reversi gtp --goal reversed --player phases
  printf 'boardsize 6\\ngenmove b\\nshowboard\\n' | reversi gtp --player first"
)]
pub struct Gtp {
    /// Player; `reversi players` lists the names
    #[arg(long, value_name = "PLAYER", default_value = super::games::USUAL_PLAYER)]
    player: String,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    resources: ResourceOptions,
}

impl Gtp {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        exit_on_ctrl_c();
        let (setup, player) = self.resources.player(&self.player, &self.game)?;
        // Refused only now, so that other errors come first, as JSON.
        output.refuse_json("gtp speaks its protocol")?;
        let (resources, spec) = (self.resources.clone(), parse_player(&self.player)?);
        let player_of_level = move |level| Some(resources.build(&spec.at_level(level)?));
        let session = gtp::Session::new(setup, self.resources.seed, player, Box::new(player_of_level));
        let session = session.map_err(|error| Failure::usage("bad-player", error.to_string()))?;
        let stop = Stop::never();
        let mut session = session.stopped_by(stop.clone());
        once_unread(move || stop.set());
        conversation_ended(gtp::serve(&mut session, io::stdin().lock(), io::stdout().lock()))
    }
}
