//! Another program as a player, driven by GTP over its standard input and output.
//!
//! The program cannot harm the contest: every answer is checked, every wait has a limit, and its process is always
//! ended. After a fault it is started again for the next game. Its standard error goes to ours.
//!
//! Programs differ in how they pass: the program is sent every pass and never asked for a forced one; a program that
//! refuses passes is assumed to make them by itself.

use super::process::{AskError, Process};
use reversi_engine::protocol::{gtp, one_line};
use reversi_engine::time::after;
use reversi_engine::{Choice, Clock, Game, GameMove, Info, Limits, Player, PlayerError, Size};
use reversi_rules::{Color, Passing, Start};
use reversi_solver::search::Stop;
use std::fmt;
use std::time::{Duration, Instant};

/// The least time that a program is given for its first answers: it may load an interpreter and weights first.
const STARTUP: Duration = Duration::from_secs(10);

/// How long a program may exceed its time before the wait ends, so that the referee and not this player calls it late.
const GRACE: Duration = Duration::from_millis(200);

/// The most characters of its name that are shown...
const NAME_LENGTH: usize = 60;
/// ...and of what it says when it fails.
const REASON_LENGTH: usize = 300;

/// A program that speaks GTP.
///
/// GTP cannot state the goal: the program is assumed to play for the goal of the game, and must be started so that it
/// does.
pub struct External {
    command: Vec<String>,
    patience: Duration,
    name: String,
    /// `None` after it has ended or been ended.
    process: Option<Process>,
    /// Commands it says it knows.
    known_commands: Vec<String>,
    /// The game as the program knows it; `None` before its board is set up.
    told: Option<Vec<GameMove>>,
    /// Whether GTP can express the clock of this game; `None` before its first move, when the program is told.
    has_clock: Option<bool>,
    /// Ends the waits outside of [`Player::choose`].
    stop: Stop,
    /// The last line of a program that was ended because it gave no answer.
    unfinished: Option<String>,
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let External { command, name, .. } = self;
        f.debug_struct("External").field("name", name).field("command", command).finish_non_exhaustive()
    }
}

impl External {
    /// Starts the program (its name, then its arguments) and asks for its name. `patience` is the longest time that it
    /// may take for an answer if no clock runs; at its start it gets at least ten seconds. Once `stop` is set the wait
    /// ends.
    ///
    /// # Errors
    /// [`PlayerError::Failed`] if it cannot be started or does not answer as GTP wants,
    /// [`PlayerError::OutOfTime`] if it was stopped before it answered.
    pub fn start(command: Vec<String>, patience: Duration, stop: &Stop) -> Result<External, PlayerError> {
        let name = command.join(" ");
        let mut external = External {
            command,
            patience,
            name,
            process: None,
            known_commands: Vec::new(),
            told: None,
            has_clock: None,
            stop: stop.clone(),
            unfinished: None,
        };
        match external.restart(external.startup(), stop) {
            Err(PlayerError::OutOfTime { .. }) if !stop.is_set() => {
                let seconds = patience.max(STARTUP).as_secs();
                let heard = external.unfinished.take().map_or_else(String::new, |line| {
                    format!("; it wrote {line:?}, but an answer is = and a text, and then an empty line")
                });
                Err(external.failed(format!("it was started and gave no answer within {seconds} s{heard}")))
            }
            started => started.map(|()| external),
        }
    }

    /// The deadline for the first answers of a program that is started now.
    fn startup(&self) -> Instant {
        after(Instant::now(), self.patience.max(STARTUP))
    }

    /// Starts the process, unless it runs.
    fn restart(&mut self, deadline: Instant, stop: &Stop) -> Result<(), PlayerError> {
        if self.process.is_some() {
            return Ok(());
        }
        let process = Process::start(&self.command).map_err(|error| match self.command.first() {
            Some(program) => self.failed(format!("{program} cannot be started: {error}")),
            None => self.failed(error.to_string()),
        })?;
        self.process = Some(process);
        let name = self.command("name", deadline, stop)?;
        let version = self.command("version", deadline, stop)?;
        let known = self.command("list_commands", deadline, stop)?;
        let answers = [name, version].map(Result::unwrap_or_default);
        if !one_line(&answers[0], NAME_LENGTH).is_empty() {
            self.name = one_line(&answers.join(" "), NAME_LENGTH);
        }
        self.known_commands = known.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        if self.knows("set_game") {
            self.demand("set_game Othello", deadline, stop)?;
        }
        Ok(())
    }

    fn knows(&self, command: &str) -> bool {
        self.known_commands.iter().any(|known| known == command)
    }

    fn failed(&self, reason: impl AsRef<str>) -> PlayerError {
        PlayerError::Failed { player: self.name.clone(), reason: one_line(reason.as_ref(), REASON_LENGTH) }
    }

    /// Sends a command and waits for the answer: `Ok` after `=`, `Err` after `?`. A program that does
    /// not answer is ended.
    fn command(
        &mut self,
        line: &str,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Result<String, String>, PlayerError> {
        let Some(process) = &mut self.process else { return Err(self.failed("it has ended")) };
        let answer = process.ask(line, deadline, stop);
        answer.map_err(|error| {
            let ended = self.end();
            self.unfinished = ended.and_then(|process| process.heard().map(str::to_owned));
            match error {
                AskError::Silent => PlayerError::OutOfTime { player: self.name.clone() },
                AskError::Ended(how) => self.failed(format!("it ended ({how}) after \"{line}\"")),
                AskError::Flood => {
                    self.failed(format!("it wrote more than the longest possible answer after \"{line}\""))
                }
            }
        })
    }

    /// Gives up the process: the next game begins with a new one.
    fn end(&mut self) -> Option<Process> {
        self.told = None;
        self.process.take()
    }

    /// As [`External::command`], but a refusal is an error.
    fn demand(&mut self, line: &str, deadline: Instant, stop: &Stop) -> Result<String, PlayerError> {
        let answer = self.command(line, deadline, stop)?;
        answer.map_err(|refusal| self.failed(format!("it refused \"{line}\": {refusal}")))
    }

    /// Sends the program all moves that it does not know yet.
    fn tell(&mut self, game: &Game, deadline: Instant, stop: &Stop) -> Result<(), PlayerError> {
        let known = self.told.take().filter(|told| game.moves().starts_with(told));
        let told = match known {
            Some(told) => told.len(),
            None => {
                self.demand(&format!("boardsize {}", game.size().width()), deadline, stop)?;
                self.demand("clear_board", deadline, stop)?;
                self.has_clock = None;
                0
            }
        };
        for (board, mv) in game.boards().iter().zip(game.moves()).skip(told) {
            let line = format!("play {} {}", color_name(board.to_move()), gtp::vertex(*mv));
            match mv {
                GameMove::Play(..) => drop(self.demand(&line, deadline, stop)?),
                GameMove::Pass => drop(self.command(&line, deadline, stop)?),
            }
        }
        self.told = Some(game.moves().to_vec());
        Ok(())
    }

    /// Sends the time settings, once a game, and the time left; neither for a clock that begins with less than a second.
    fn tell_time(
        &mut self,
        color: Color,
        clock: Clock,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<(), PlayerError> {
        if self.has_clock.is_none() {
            let settings = time_settings(clock);
            self.has_clock = Some(settings.is_some());
            if let Some(settings) = settings.filter(|_| self.knows("time_settings")) {
                self.demand(&settings, deadline, stop)?;
            }
        }
        if let (Clock::Game { left, .. }, Some(true)) = (clock, self.has_clock)
            && self.knows("time_left")
        {
            let line = format!("time_left {} {} 0", color_name(color), left.as_secs());
            self.demand(&line, deadline, stop)?;
        }
        Ok(())
    }

    fn generate(&mut self, game: &Game, deadline: Instant, stop: &Stop) -> Result<GameMove, PlayerError> {
        let answer = self.demand(&format!("genmove {}", color_name(game.to_move())), deadline, stop)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(PlayerError::Resigned { player: self.name.clone() });
        }
        let Ok(mv) = game.read_move(&answer) else {
            // It may answer something else than what it was asked, from now on.
            self.end();
            return Err(self.failed(format!("it answered \"{answer}\", which is not a move")));
        };
        if let Some(told) = &mut self.told {
            told.push(mv);
        }
        Ok(mv)
    }

    /// The move of a program that is started, if need be, and knows the game and its time.
    fn asked(
        &mut self,
        game: &Game,
        clock: Clock,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<GameMove, PlayerError> {
        self.restart(deadline, stop)?;
        self.tell(game, deadline, stop)?;
        self.tell_time(game.to_move(), clock, deadline, stop)?;
        self.generate(game, deadline, stop)
    }

    /// Checks that GTP can express this game.
    fn can_be_told(&self, game: &Game) -> Result<(), PlayerError> {
        self.supports(game.size(), game.passing())?;
        if game.first_board().as_start() == Some(Start::Diagonal) {
            return Ok(());
        }
        Err(self.unsupported("GTP only has games from the usual first position"))
    }

    fn unsupported(&self, reason: &str) -> PlayerError {
        PlayerError::Unsupported { player: self.name.clone(), reason: reason.to_owned() }
    }
}

impl Player for External {
    fn name(&self) -> &str {
        &self.name
    }

    /// Any goal: GTP cannot state it, nor ask for it.
    fn supports(&self, size: Size, _: Passing) -> Result<(), PlayerError> {
        if size.width() == size.height() {
            return Ok(());
        }
        Err(self.unsupported("GTP only has square boards"))
    }

    fn new_game(&mut self, _seed: u64) {
        self.told = None;
    }

    /// Restarts a program that has ended, sets up the board and makes the moves of the opening.
    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        self.can_be_told(game)?;
        let stop = self.stop.clone();
        self.restart(self.startup(), &stop)?;
        match self.tell(game, after(Instant::now(), self.patience), &stop) {
            // A program that ended after the last game is noticed only now; the restart must not cost it time on the
            // clock.
            Err(PlayerError::Failed { .. }) if self.process.is_none() => {
                self.restart(self.startup(), &stop)?;
                self.tell(game, after(Instant::now(), self.patience), &stop)
            }
            told => told,
        }
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        if game.is_over() {
            return Err(PlayerError::GameOver);
        }
        self.can_be_told(game)?;
        let on_the_clock = limits.clock.for_move().map(|time| time.saturating_add(GRACE));
        let deadline = after(started, on_the_clock.unwrap_or(self.patience));
        let mv = self.asked(game, limits.clock, deadline, stop).map_err(|error| match error {
            PlayerError::OutOfTime { .. } if limits.clock == Clock::None && !stop.is_set() => {
                self.failed(format!("it gave no answer within {:?}", self.patience))
            }
            error => error,
        })?;
        let seconds = started.elapsed().as_secs_f64();
        Ok(Choice { mv, info: Info { pv: vec![mv], seconds, ..Info::default() } })
    }
}

const fn color_name(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// GTP counts whole seconds and cannot express less than one: two zeros would mean no clock.
fn time_settings(clock: Clock) -> Option<String> {
    let (main, per_move) = match clock {
        Clock::None => return None,
        Clock::PerMove(time) => (0, time.as_secs()),
        Clock::Game { left, per_move } => (left.as_secs(), per_move.as_secs()),
    };
    match (main, per_move) {
        (0, 0) => None,
        (main, 0) => Some(format!("time_settings {main} 0 0")),
        (main, per_move) => Some(format!("time_settings {main} {per_move} 1")),
    }
}
