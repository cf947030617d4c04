//! NBoard protocol, version 2: a GUI sends the game and requests moves, hints and analyses.
//!
//! Lines are read on a separate thread, so that the next command stops a search at once. Table values are `book`
//! lines and need no search. An interrupted `go` answers with the best move so far, before the `pong`; the end of the
//! input lets pending commands finish within [`PATIENCE`]. Evaluations, those of `analyze` too, are discs for the
//! side to move, under either goal; values in points, which are not discs, are left out.

mod command;
mod table_values;

pub use command::{Command, parse};
pub use table_values::{Known, TableValues};

use super::inbox::Inbox;
use super::lines::next_line;
use crate::hints::{self, Hint};
use crate::{Game, GameMove, GameSetup, Info, Limits, Player, Value};
use reversi_formats::ggf::{self, Annotated, Record};
use reversi_formats::reader::play_moves;
use reversi_formats::text::{self, ReadError};
use reversi_rules::Goal;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Limit of searches after the end of the input.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// An NBoard session: the game and the player.
pub struct Session<W> {
    setup: GameSetup,
    /// Seed of the player's random numbers in the first game.
    seed: u64,
    /// Number of games before this one.
    games: u64,
    player: Box<dyn Player>,
    tables: TableValues,
    depth: Option<u32>,
    game: Game,
    /// The error of the latest `set game`: this session's game is then not that of the GUI.
    refused: Option<String>,
    output: W,
}

/// Reads commands into the inbox on a separate thread and carries them out on this one, until `quit` or the end of the
/// input. The reading thread may outlive the session while it waits for a line. [`Inbox::abandon`] ends the searches of
/// a session whose answers nothing reads any more.
///
/// # Errors
/// The error of writing.
pub fn serve<W: Write>(
    session: &mut Session<W>,
    input: impl BufRead + Send + 'static,
    inbox: &Arc<Inbox<Command>>,
) -> io::Result<()> {
    let reading = inbox.clone();
    thread::spawn(move || read(input, &reading));
    let ending = carry_out_all(session, inbox);
    inbox.end();
    ending
}

fn carry_out_all<W: Write>(session: &mut Session<W>, inbox: &Inbox<Command>) -> io::Result<()> {
    while let Some(command) = inbox.take() {
        if command == Command::Quit {
            break;
        }
        session.carry_out(command, inbox)?;
    }
    Ok(())
}

fn read(mut input: impl BufRead, inbox: &Inbox<Command>) {
    while let Ok(Some(line)) = next_line(&mut input) {
        // A game that cannot be read is refused; any other line that was cut is no command.
        let is_game = line.is_cut && line.head() == "set game";
        let text = if is_game { format!("set game {}", line.text()) } else { line.text() };
        if let Some(command) = parse(&text) {
            inbox.put(command);
        }
    }
    inbox.close(Some(PATIENCE));
}

impl<W: Write> Session<W> {
    /// A session that begins with the first position of the setup; answers go to `output`.
    pub fn new(
        setup: GameSetup,
        seed: u64,
        mut player: Box<dyn Player>,
        tables: TableValues,
        output: W,
    ) -> Session<W> {
        player.new_game(seed);
        Session {
            setup,
            seed,
            games: 0,
            player,
            tables,
            depth: None,
            game: setup.new_game(),
            refused: None,
            output,
        }
    }

    /// Carries out one command; the inbox stops its search.
    ///
    /// # Errors
    /// The error of writing.
    pub fn carry_out(&mut self, command: Command, inbox: &Inbox<Command>) -> io::Result<()> {
        if let Some(fault) = self.refused.clone().filter(|_| command.is_about_the_game()) {
            return self.say(&fault);
        }
        match command {
            Command::NBoard => self.say(&format!("set myname {}", self.player.name().to_owned())),
            Command::SetDepth(depth) => {
                self.depth = Some(depth.max(1));
                Ok(())
            }
            Command::SetContempt | Command::Quit => Ok(()),
            Command::SetGame(text) => self.set_game(&text),
            Command::Move(text) => self.make_move(&text),
            Command::Hint(count) => self.hint(count, inbox),
            Command::Go => self.go(inbox),
            Command::Ping(text) => self.say(&format!("pong {text}")),
            Command::Learn => self.say("learned"),
            Command::Analyze => self.analyze(inbox),
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    /// A record of the normal goal is played under the reversed goal if the session's setup is reversed. A text that is
    /// not GGF is read like any other text.
    fn read_game(&self, text: &str) -> Result<Game, ReadError> {
        if !ggf::has_record(text) && !text.trim().is_empty() {
            return text::read_single(text, self.setup).map(|reading| reading.game);
        }
        if ggf::records(text).count() > 1 {
            return Err(ReadError::Several);
        }
        let record: Record = text.parse()?;
        let goal = if self.setup.goal == Goal::Reversed { Goal::Reversed } else { record.goal };
        Ok(record.game(GameSetup { goal, ..self.setup })?)
    }

    fn set_game(&mut self, text: &str) -> io::Result<()> {
        let game = match self.read_game(text) {
            Ok(game) => game,
            Err(error) => return self.refuse(format!("status set game: {error}")),
        };
        let is_another = game.first_board() != self.game.first_board() || game.rules() != self.game.rules();
        if is_another || game.moves().is_empty() {
            self.games += u64::from(!self.game.moves().is_empty());
            self.player.new_game(self.seed.wrapping_add(self.games));
        }
        self.game = game;
        self.refused = None;
        // Errors of the preparation come with the first move.
        let _ = self.player.prepare(&self.game);
        Ok(())
    }

    /// An illegal move changes nothing, so that a following `go` still has an answer.
    fn make_move(&mut self, text: &str) -> io::Result<()> {
        let mut game = self.game.clone();
        match play_moves(&mut game, text) {
            Ok(_) => {
                self.game = game;
                Ok(())
            }
            Err(error) => self.say(&format!("status {error}; the move is ignored")),
        }
    }

    /// The GUI's game is unknown: commands about the game repeat this error until the GUI sends a valid game.
    fn refuse(&mut self, fault: String) -> io::Result<()> {
        self.say(&fault)?;
        self.refused = Some(fault);
        Ok(())
    }

    fn go(&mut self, inbox: &Inbox<Command>) -> io::Result<()> {
        if self.game.is_over() {
            return self.say("status The game is over");
        }
        self.say(&format!("status {} is thinking", self.player.name().to_owned()))?;
        let stop = inbox.begin_search();
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let started = Instant::now();
        let choice = match self.player.choose(&self.game, &limits, &stop) {
            Ok(choice) => choice,
            Err(error) => return self.say(&format!("status {error}")),
        };
        let seconds = started.elapsed().as_secs_f64();
        if let Some(line) = search_line(&choice.info) {
            self.say(&line)?;
        }
        self.say(&format!("nodestats {} {seconds:.3}", choice.info.nodes))?;
        let eval = choice.info.value.and_then(Value::discs);
        self.say(&format!("=== {}", Annotated { mv: choice.mv, eval, seconds: Some(seconds) }))?;
        self.say("status")
    }

    /// Moves with table values need no search.
    fn hint(&mut self, count: usize, inbox: &Inbox<Command>) -> io::Result<()> {
        if self.game.is_over() {
            return self.say("status The game is over");
        }
        let known = match self.tables.moves(&self.game) {
            Ok(known) => known,
            Err(error) => {
                self.say(&format!("status {error}"))?;
                Vec::new()
            }
        };
        for Known { pv, score } in known.iter().take(count) {
            self.say(&format!("book {} {:.2} 0 100% table", run_together(pv), f64::from(score.discs())))?;
        }
        if known.is_empty() { self.search_hints(count, inbox) } else { Ok(()) }
    }

    fn search_hints(&mut self, count: usize, inbox: &Inbox<Command>) -> io::Result<()> {
        self.say(&format!("status {} is thinking", self.player.name().to_owned()))?;
        let stop = inbox.begin_search();
        let depth = self.depth.unwrap_or(hints::MAX_DEPTH);
        let (started, mut written) = (Instant::now(), Ok(()));
        let output = &mut self.output;
        let mut report = |round: &[Hint], nodes| {
            let seconds = started.elapsed().as_secs_f64();
            written = write_round(output, &round[..count.min(round.len())], nodes, seconds);
            if written.is_err() {
                stop.set();
            }
        };
        let result = hints::deepen(&mut *self.player, &self.game, depth, &stop, &mut report);
        written?;
        match result {
            Ok(_) => self.say("status"),
            Err(error) => self.say(&format!("status {error}")),
        }
    }

    /// From the last position to the first, each value for the side to move.
    fn analyze(&mut self, inbox: &Inbox<Command>) -> io::Result<()> {
        self.say(&format!("status {} is analyzing", self.player.name().to_owned()))?;
        let stop = inbox.begin_search();
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let mut game = self.game.clone();
        loop {
            match hints::evaluate(&mut *self.player, &game, &limits, &stop) {
                _ if stop.is_set() => break,
                Ok(Info { value, .. }) => {
                    if let Some(discs) = value.and_then(Value::discs) {
                        self.say(&format!("analysis {} {discs:.2}", game.moves().len()))?;
                    }
                }
                Err(error) => return self.say(&format!("status {error}")),
            }
            if game.undo().is_none() {
                break;
            }
        }
        self.say("status")
    }
}

fn hint_line(hint: &Hint) -> Option<String> {
    match hint.is_from_book {
        true => book(&hint.pv, hint.value),
        false => search(&hint.pv, hint.value, hint.depth, hint.nodes),
    }
}

fn write_round(output: &mut impl Write, round: &[Hint], nodes: u64, seconds: f64) -> io::Result<()> {
    for line in round.iter().filter_map(hint_line) {
        writeln!(output, "{line}")?;
    }
    writeln!(output, "nodestats {nodes} {seconds:.3}")?;
    output.flush()
}

fn search_line(info: &Info) -> Option<String> {
    let value = info.value.filter(|_| !info.pv.is_empty())?;
    if info.is_from_book { book(&info.pv, value) } else { search(&info.pv, value, info.depth, info.nodes) }
}

/// `book PV EVAL GAMES DEPTH TEXT` for moves from an opening book.
fn book(pv: &[GameMove], value: Value) -> Option<String> {
    Some(format!("book {} {:.2} 0 0 book", run_together(pv), value.discs()?))
}

/// `search PV EVAL 0 DEPTH TEXT`; the depth `100%` marks an exact value. `None` for a value in points.
fn search(pv: &[GameMove], value: Value, depth: u32, nodes: u64) -> Option<String> {
    let (pv, discs) = (run_together(pv), value.discs()?);
    let depth = if value.is_exact() { "100%".to_owned() } else { depth.to_string() };
    Some(format!("search {pv} {discs:.2} 0 {depth} {nodes} nodes"))
}

fn run_together(pv: &[GameMove]) -> String {
    pv.iter().map(GameMove::to_string).collect()
}
