//! `reversi nboard`: a player behind the protocol of the NBoard GUI.

use super::common::Output;
use super::failure::conversation_ended;
use super::games::{GameOptions, ResourceOptions, USUAL_PLAYER};
use super::interrupt::exit_on_ctrl_c;
use super::unread::once_unread;
use super::{Exit, Failure};
use clap::Args;
use reversi_engine::protocol::inbox::Inbox;
use reversi_engine::protocol::nboard;
use reversi_table::library::Library;
use std::io::{self, BufReader};
use std::sync::Arc;

/// Play through the NBoard protocol, version 2, on stdin and stdout
#[derive(Args)]
#[command(
    after_help = "The GUI sends the board and its size with each game. TY[8a] in a game means the reversed goal;
--goal reversed plays every game for that goal.

`set depth N` makes the usual engine look N plies ahead, and play exactly from N empty squares or
from where level N does. For an engine with a level or depth of its own, and for other players that
search by iterative deepening, it is an upper limit. Clocks and times in a game are not used.

Examples:
  reversi nboard
  reversi nboard --player alphabeta:6
  printf 'nboard 2\\nset depth 4\\nhint 3\\n' | reversi nboard"
)]
pub struct NBoard {
    /// Player; `reversi players` lists the names
    #[arg(long, value_name = "PLAYER", default_value = USUAL_PLAYER)]
    player: String,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    resources: ResourceOptions,
}

impl NBoard {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        exit_on_ctrl_c();
        let (setup, player) = self.resources.player(&self.player, &self.game)?;
        // Refused only now, so that other errors come first, as JSON.
        output.refuse_json("nboard speaks its protocol")?;
        let tables = nboard::TableValues::new(Library::new(self.resources.data.as_deref()));
        let mut session = nboard::Session::new(setup, self.resources.seed, player, tables, io::stdout());
        let inbox = Arc::new(Inbox::default());
        let searching = inbox.clone();
        once_unread(move || searching.abandon());
        conversation_ended(nboard::serve(&mut session, BufReader::new(io::stdin()), &inbox))
    }
}
