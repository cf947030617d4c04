//! GTP 2, the Go Text Protocol, for Othello: controllers such as GoGui send one command a line and get one answer
//! each.
//!
//! Times: `time_settings 0 5 1` is 5 s a move, `300 5 1` is 300 s and then 5 s a move, `300 0 0` is 300 s for the
//! whole game. A side without a move passes implicitly when a move of the other side is played or requested; `undo`
//! takes back such a pass together with the move.

mod command;
mod time;

pub use command::{Command, Malformed, NAMES, Request, parse};
pub use time::{Lag, TimeLeft, TimeSettings};

use crate::protocol::lines::{Line, next_line};
use crate::{Clocks, Game, GameBoard, GameMove, GameSetup, Limits, Player, PlayerError, Size};
use reversi_rules::{Color, Geometry, notation};
use reversi_solver::search::Stop;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// The game's name in `set_game` and `list_games`.
const GAME: &str = "Othello";

/// Creates a player of a level, for `set_level`; `None` if there is no such level.
pub type PlayerOfLevel = Box<dyn Fn(u32) -> Option<Box<dyn Player>> + Send>;

/// The least time that the controller's clock is assumed to count for a move in addition to the search.
const CONTROLLER_DELAY: Duration = Duration::from_millis(10);

/// A GTP session: the game, the clocks and the player.
pub struct Session {
    setup: GameSetup,
    /// Sizes that `boardsize` accepts: the usual boards, and the one of the session's start.
    sizes: [Size; 4],
    /// Seed of the player's random numbers in the first game.
    seed: u64,
    /// Number of games before this one.
    games: u64,
    /// Whether a move was made in this game, even if it was taken back.
    has_begun: bool,
    player: Box<dyn Player>,
    player_of_level: PlayerOfLevel,
    game: Game,
    /// Number of game moves of each `play` and `genmove`: 1, with an implicit pass before it 2, and 0 for a pass
    /// after the end of the game.
    steps: Vec<usize>,
    /// The latest settings of the controller, from which the clocks follow.
    settings: TimeSettings,
    clocks: Clocks,
    /// By colour.
    lags: [Lag; 2],
    /// Ends all searches: nothing reads the answers any more.
    stop: Stop,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (player, moves) = (self.player.name(), self.game.transcript());
        f.debug_struct("Session").field("player", &player).field("moves", &moves).finish_non_exhaustive()
    }
}

/// Errors of commands; the text of the answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Malformed(#[from] Malformed),
    #[error("unacceptable size")]
    Size,
    #[error("illegal move")]
    IllegalMove,
    #[error("wrong colour")]
    WrongColor,
    #[error("cannot undo")]
    Undo,
    #[error("unknown game")]
    Game,
    #[error("this player has no level {0}")]
    Level(u32),
    #[error("the game is not over")]
    NotOver,
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// The answer to one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The text, with the blank line that ends it.
    pub text: String,
    /// Whether the session is over.
    pub quit: bool,
}

/// Answers every command of `input` until `quit` or the end of the input.
///
/// # Errors
/// The error of reading or writing.
pub fn serve(session: &mut Session, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    while let Some(line) = next_line(&mut input)? {
        if let Some(reply) = session.answer(&text_of(&line)) {
            output.write_all(reply.text.as_bytes())?;
            output.flush()?;
            if reply.quit {
                break;
            }
        }
    }
    Ok(())
}

/// The text of a line. A line that was cut becomes an unknown command with its number, or nothing if it is a comment.
fn text_of(line: &Line) -> String {
    if !line.is_cut {
        return line.text();
    }
    let head = line.head();
    match head.split(' ').next().unwrap_or_default() {
        first if first.starts_with('#') => String::new(),
        first if first.bytes().all(|byte| byte.is_ascii_digit()) => format!("{first} {}", line.text()),
        _ => line.text(),
    }
}

impl Session {
    /// A session with a player that supports the setup.
    ///
    /// # Errors
    /// [`PlayerError::Unsupported`] if it does not.
    pub fn new(
        setup: GameSetup,
        seed: u64,
        player: Box<dyn Player>,
        player_of_level: PlayerOfLevel,
    ) -> Result<Session, PlayerError> {
        player.supports(setup.size, setup.passing)?;
        let (game, steps, clocks) = (setup.new_game(), Vec::new(), Clocks::default());
        let [four, six, eight] = [Geometry::FOUR, Geometry::SIX, Geometry::EIGHT].map(Size::from);
        let sizes = [four, six, eight, setup.size];
        let mut session = Session {
            setup,
            sizes,
            seed,
            games: 0,
            has_begun: false,
            player,
            player_of_level,
            game,
            steps,
            settings: TimeSettings::default(),
            clocks,
            lags: [Lag::default(); 2],
            stop: Stop::never(),
        };
        session.restart();
        Ok(session)
    }

    /// The same session whose searches end once `stop` is set, for a session whose answers nothing reads any more. A
    /// move that is answered then need not be the player's best.
    pub fn stopped_by(self, stop: Stop) -> Session {
        Session { stop, ..self }
    }

    /// The answer to a line; `None` for a blank line or a comment.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let Request { id, command } = parse(line)?;
        let quit = command == Ok(Command::Quit);
        let result = command.map_err(Refusal::from).and_then(|command| self.carry_out(command));
        let id = id.unwrap_or_default();
        let text = match result {
            Ok(text) => format!("={id} {text}\n\n"),
            Err(refusal) => format!("?{id} {refusal}\n\n"),
        };
        Some(Reply { text, quit })
    }

    fn carry_out(&mut self, command: Command) -> Result<String, Refusal> {
        match command {
            Command::ProtocolVersion => return Ok("2".to_owned()),
            Command::Name => return Ok("reversi".to_owned()),
            Command::Version => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            Command::KnownCommand(name) => return Ok(NAMES.contains(&name.as_str()).to_string()),
            Command::ListCommands => return Ok(NAMES.join("\n")),
            Command::BoardSize(side) => self.set_size(side)?,
            Command::ClearBoard => self.restart(),
            Command::Play(color, mv) => {
                self.lags[color as usize].restart();
                self.play(color, mv)?;
            }
            Command::GenMove(color) => return self.generate(color),
            Command::RegGenMove(color) => return self.choose(color).map(vertex),
            Command::Undo => {
                self.restart_lags();
                self.undo()?;
            }
            Command::FinalScore => return final_score(&self.game),
            Command::ShowBoard => return Ok(format!("\n{}", drawing(&self.game))),
            Command::TimeSettings(settings) => {
                self.settings = settings;
                self.clocks = Clocks::new(settings.clock());
                self.restart_lags();
            }
            Command::TimeLeft(color, left) => {
                let lag = &mut self.lags[color as usize];
                lag.told(left, self.settings.main);
                let clock = left.clock(self.settings, self.clocks.of(color), lag);
                self.clocks.set(color, clock);
            }
            Command::SetGame(name) if name.eq_ignore_ascii_case(GAME) => self.restart(),
            Command::SetGame(_) => return Err(Refusal::Game),
            Command::SetLevel(level) => {
                self.player = (self.player_of_level)(level).ok_or(Refusal::Level(level))?;
                self.greet();
            }
            Command::ListGames | Command::RulesGameId => return Ok(GAME.to_owned()),
            Command::RulesBoard => return Ok(rows(self.game.board())),
            Command::RulesBoardSize => {
                // A single number cannot describe a board that is not square.
                let (width, height) = (self.setup.size.width(), self.setup.size.height());
                return if width == height { Ok(width.to_string()) } else { Err(Refusal::Size) };
            }
            Command::RulesLegalMoves => {
                let moves: Vec<String> = self.game.legal_moves().into_iter().map(vertex).collect();
                // GoGui compares them with its own names of the squares, which are upper case.
                return Ok(moves.join(" ").to_ascii_uppercase());
            }
            Command::RulesSideToMove => return Ok(self.game.to_move().to_string().to_ascii_lowercase()),
            Command::RulesFinalResult => return result(&self.game),
            Command::Quit | Command::Komi => {}
        }
        Ok(String::new())
    }

    fn set_size(&mut self, side: u32) -> Result<(), Refusal> {
        let is_meant = |size: &Size| (size.width(), size.height()) == (side, side);
        let size = self.sizes.into_iter().find(is_meant).ok_or(Refusal::Size)?;
        self.player.supports(size, self.setup.passing).map_err(|_| Refusal::Size)?;
        self.setup.size = size;
        self.restart();
        Ok(())
    }

    /// A game without a move does not count: controllers send several set-up commands before a game.
    fn restart(&mut self) {
        self.games += u64::from(std::mem::take(&mut self.has_begun));
        self.game = self.setup.new_game();
        self.steps.clear();
        self.clocks.restart();
        self.restart_lags();
        self.greet();
    }

    /// Later readings of the controller's clocks are not compared with earlier ones.
    fn restart_lags(&mut self) {
        self.lags.iter_mut().for_each(Lag::restart);
    }

    /// Begins a game with the player; errors of the preparation come with its first move.
    fn greet(&mut self) {
        self.player.new_game(self.seed.wrapping_add(self.games));
        let _ = self.player.prepare(&self.game);
    }

    /// Makes `color` the side to move, by a forced pass of the other side; at the end of the game either side is
    /// accepted. Returns the number of passes.
    fn hand_over(game: &mut Game, color: Color) -> Result<usize, Refusal> {
        if game.to_move() == color || game.is_over() {
            return Ok(0);
        }
        game.play(GameMove::Pass).map(|()| 1).map_err(|_| Refusal::WrongColor)
    }

    fn play(&mut self, color: Color, mv: GameMove) -> Result<(), Refusal> {
        let mut game = self.game.clone();
        let mut step = Session::hand_over(&mut game, color)?;
        // Controllers may continue until both sides have passed.
        if !(game.is_over() && mv == GameMove::Pass) {
            game.play(mv).map_err(|_| Refusal::IllegalMove)?;
            step += 1;
        }
        self.game = game;
        self.has_begun = true;
        self.steps.push(step);
        Ok(())
    }

    /// The player's move for this side in the current game, after a forced pass of the other side if needed.
    fn choose(&mut self, color: Color) -> Result<GameMove, Refusal> {
        let mut game = self.game.clone();
        Session::hand_over(&mut game, color)?;
        if game.is_over() {
            return Ok(GameMove::Pass);
        }
        let moves_to_come = game.board().empty_count().div_ceil(2);
        let clock = self.lags[color as usize].leave(self.clocks.of(color), moves_to_come);
        let limits = Limits { depth: None, clock };
        Ok(self.player.choose(&game, &limits, &self.stop)?.mv)
    }

    fn generate(&mut self, color: Color) -> Result<String, Refusal> {
        let started = Instant::now();
        let mv = self.choose(color)?;
        let (searched, lag) = (started.elapsed(), &mut self.lags[color as usize]);
        lag.searched(searched);
        self.clocks.spend(color, searched + lag.of_a_move().max(CONTROLLER_DELAY));
        self.play(color, mv)?;
        Ok(vertex(mv))
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        let step = self.steps.pop().ok_or(Refusal::Undo)?;
        for _ in 0..step {
            self.game.undo();
        }
        Ok(())
    }
}

/// A move in GTP notation.
pub fn vertex(mv: GameMove) -> String {
    match mv {
        GameMove::Pass => "pass".to_owned(),
        mv => mv.to_string(),
    }
}

/// A drawing of the board, with the side to move and the disc counts.
fn drawing(game: &Game) -> String {
    let board = game.board();
    let symbol = |column, row| board.disc(column, row).map_or('.', Color::symbol);
    let picture = notation::draw(board.size().width(), board.size().height(), symbol);
    let (black, white) = (board.count(Color::Black), board.count(Color::White));
    let state = if game.is_over() { "game over".to_owned() } else { format!("{} to move", board.to_move()) };
    format!("{picture}{state}; Black (X) {black}, White (O) {white}")
}

/// The cells row by row in GoGui's order: the row that it displays at the top first, to which it gives the highest
/// number.
fn rows(board: &GameBoard) -> String {
    let symbol = |column, row| board.disc(column, row).map_or('.', Color::symbol).to_string();
    let row = |row| (0..board.size().width()).map(|column| symbol(column, row)).collect::<Vec<_>>().join(" ");
    (0..board.size().height()).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// The result in Go notation: `B+12` for a win of Black by 12 discs, under the reversed goal by 12 discs fewer; `0`
/// for a draw.
fn final_score(game: &Game) -> Result<String, Refusal> {
    let result = game.result().ok_or(Refusal::NotOver)?;
    Ok(match result.winner() {
        Some(Color::Black) => format!("B+{}", result.score.abs()),
        Some(Color::White) => format!("W+{}", result.score.abs()),
        None => "0".to_owned(),
    })
}

fn result(game: &Game) -> Result<String, Refusal> {
    let result = game.result().ok_or(Refusal::NotOver)?;
    let (discs, score) = (format!("{}-{}", result.black, result.white), result.score.abs());
    Ok(match result.winner() {
        Some(winner) => format!("{winner} wins by {score} ({discs})"),
        None => format!("Draw ({discs})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlayerSpec, Resources};

    #[test]
    fn a_session_can_run_on_another_thread() {
        let setup = GameSetup::new("4x4".parse().unwrap());
        let player = "first".parse::<PlayerSpec>().unwrap().build(&Resources::default(), 1);
        let mut session = Session::new(setup, 1, player, Box::new(|_| None)).unwrap();
        let answered = std::thread::spawn(move || {
            session.answer("genmove b");
            format!("{session:?}")
        });
        assert_eq!(answered.join().unwrap(), r#"Session { player: "first", moves: "b1", .. }"#);
    }
}
