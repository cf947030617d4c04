//! `reversi play`: a game in the terminal, readable on a pipe too.

mod adviser;
#[cfg(unix)]
mod editor;
mod files;
mod pace;
mod screen;
mod seats;
mod session;
mod words;

use super::common::{Output, on_the_usual_board};
use super::failure::conversation_ended;
use super::games::{GameOptions, ResourceOptions, usual_player};
use super::interrupt::exit_on_ctrl_c;
use super::print::print_remark;
use super::reading::{self, ReadingOptions};
use super::values::{duration_or_zero, parse_player};
use super::{Exit, Failure};
use clap::Args;
#[cfg(unix)]
use editor::LineEditor;
use reversi_engine::protocol::inbox::Inbox;
use reversi_engine::protocol::lines::next_line;
use reversi_engine::{Game, GameBoard, GameSetup};
use reversi_formats::text::ReadError;
use reversi_rules::Color;
use reversi_rules::notation::BoardError;
use screen::Style;
use seats::is_human;
use session::{GameSession, Response};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use words::Word;

/// Lines that were written beforehand arrive within this time after the start of the search that they follow.
const TOGETHER: Duration = Duration::from_millis(250);

/// Play a game in the terminal
#[derive(Args)]
#[command(
    after_help = "Type moves such as f5, or `help` for a list of all words. Legal moves are marked with a dot and the
last move with brackets, or both with colours on a terminal.

Lines from a pipe are carried out in order. A `stop` or `quit` that arrives together with the line
that starts a computer's search waits until the search has finished; one that arrives later ends the
search. In a game of two computers, lines that were sent beforehand wait for the end of the game,
unless --pause leaves time for them; lines that arrive later are carried out after the next move.

Examples:
  reversi play
  reversi play --black human --white alphabeta:4 --board 6x6 --goal reversed
  reversi play --black phases --white stages --pause 1
  reversi play --board 16x16 --white alphabeta:2,discs
  printf 'f5d6\\nhint 3\\nquit\\n' | reversi play --white human"
)]
pub struct Play {
    /// Who plays Black: human, or a name that `reversi players` lists
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    black: String,
    /// Who plays White [default: engine; alphabeta:2 on boards larger than 8x8]
    #[arg(long, value_name = "PLAYER")]
    white: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    /// Start position: cells row by row, then the side to move, as in "-----OX--XO----- X"
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true, conflicts_with = "start")]
    position: Option<String>,
    /// Game to continue: the first one of a file in any form, as for `review --file`, or the first position of a
    /// problem file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    load: Option<PathBuf>,
    /// Moves from the start or from --position, as in f5d6
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// Time per move of a computer, as in 5, 500ms or 2:30
    #[arg(long, value_name = "TIME", value_parser = duration_or_zero, conflicts_with = "game_time")]
    move_time: Option<Duration>,
    /// Time for all moves of each computer
    #[arg(long, value_name = "TIME", value_parser = duration_or_zero)]
    game_time: Option<Duration>,
    /// Pause between the moves of two computers
    #[arg(long, value_name = "TIME", value_parser = duration_or_zero, default_value = "0")]
    pause: Duration,
    #[command(flatten)]
    resources: ResourceOptions,
}

impl Play {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        exit_on_ctrl_c();
        // JSON is refused only afterwards, so that other errors come first, as JSON.
        let mut session = self.session(output)?;
        output.refuse_json("play shows boards")?;
        let prompts = io::stdin().is_terminal();
        // A person who types a word to end a search means it at once; a script has written its words beforehand.
        let inbox = Arc::new(if prompts { Inbox::default() } else { Inbox::in_order(TOGETHER) });
        #[cfg(unix)]
        let editor = editor(&inbox);
        #[cfg(unix)]
        let is_read = editor.is_some();
        #[cfg(not(unix))]
        let is_read = false;
        if !is_read {
            let reading = inbox.clone();
            // Waits for lines as long as the program runs.
            thread::spawn(move || read(&reading));
        }
        let mut terminal = Terminal {
            style: Style::of_stdout(),
            prompts,
            began: Instant::now(),
            #[cfg(unix)]
            editor,
        };
        conversation_ended(terminal.play(&mut session, &inbox))
    }

    fn session(self, output: Output) -> Result<GameSession, Failure> {
        let mut setup = self.game.setup()?;
        let (game, has_board) = self.first_game(setup)?;
        if has_board && self.game.start.is_some() {
            return Err(Failure::usage("usage", "--start does not apply to a given board: leave it out"));
        }
        self.game.agree(&game).map_err(|fault| Failure::usage("usage", fault))?;
        setup.size = game.size();
        let mut session = GameSession::new(setup, self.resources.clone(), game);
        session.set_reading(self.reading);
        if let Some(path) = &self.load {
            let bad = |error: String| Failure::usage("bad-game", format!("--load: {error}"));
            let loaded = session.load(path).map_err(bad)?;
            if loaded.games > 1 && !output.quiet {
                print_remark(format_args!("--load: {}", loaded.said));
            }
            let at = |fault: String| bad(format!("{}: {fault}", path.display()));
            self.game.agree(session.game()).map_err(at)?;
        }
        self.seat_players(&mut session, output)?;
        let per_move = self.move_time.map(pace::of_move);
        session.set_pace(per_move.or(self.game_time.map(pace::of_game)).unwrap_or_default());
        session.set_pause(self.pause);
        Ok(session)
    }

    /// The game that the arguments describe, and whether they contain a board. If a board does not name the side to
    /// move, a terminal is asked for it.
    fn first_game(&self, setup: GameSetup) -> Result<(Game, bool), Failure> {
        let position = self.position.as_deref();
        let size = self.game.board.is_some().then_some(setup.size);
        let mut wanted = self.reading.wanted(setup, size);
        let mut read = self.reading.read_arguments(position, &self.moves, wanted);
        if matches!(read, Err(ReadError::Board(BoardError::NoSide(_)))) && io::stdin().is_terminal() {
            wanted.side = ask_side();
            read = self.reading.read_arguments(position, &self.moves, wanted);
        }
        let place = if self.position.is_some() { "--position: " } else { "" };
        match read {
            Ok(read) if self.position.is_some() && !read.has_board => {
                Err(Failure::usage("bad-position", "--position: there is no board in it"))
            }
            Ok(read) => Ok((read.game, read.has_board)),
            Err(error @ ReadError::BareMoves(_)) if self.position.is_some() => {
                let fault = GameBoard::parse(size, position.unwrap_or_default()).err();
                let fault = fault.map_or(error.to_string(), |fault| fault.to_string());
                Err(Failure::usage("bad-position", format!("--position: {fault}")))
            }
            Err(error @ ReadError::BareMoves(_)) => {
                let unsaid = self.game.board.is_none();
                let size = if unsaid { on_the_usual_board(setup.size) } else { String::new() };
                Err(Failure::usage("bad-move", format!("{error}{size}{}", reading::about_file(&self.moves))))
            }
            Err(error) if error.is_about_position() => Err(reading::failure(place, &error)),
            Err(error) => Err(reading::failure("", &error)),
        }
    }

    /// Assigns the players of both sides, after checking the files of all players that may be asked.
    fn seat_players(&self, session: &mut GameSession, output: Output) -> Result<(), Failure> {
        let usual = usual_player(session.game().size());
        let player = |name: &str| if is_human(name) { Ok(None) } else { parse_player(name).map(Some) };
        let (black, white) = (player(&self.black)?, player(self.white.as_deref().unwrap_or(usual))?);
        // Hints come from the usual player, for any players of the game. The check reads whole files, so each player is checked once.
        let mut checked = Vec::new();
        let usual = player(usual)?;
        for spec in [&black, &white, &usual].into_iter().flatten() {
            if !checked.contains(&spec) {
                self.resources.check(spec, session.game().size(), session.game().rules())?;
                checked.push(spec);
            }
        }
        if let Some(spec) = checked.iter().find(|spec| spec.asks_tables()) {
            self.resources.tell_no_table(spec, session.game().size(), session.game().rules(), output);
        }
        self.resources.tell_unused_book(session.game(), output);
        session.seat(Color::Black, black)?;
        session.seat(Color::White, white)?;
        Ok(())
    }
}

/// Asks on a terminal which side is to move, until there is an answer; `None` at the end of the input.
fn ask_side() -> Option<Color> {
    loop {
        print_remark("Who is to move, black or white?");
        let line = next_line(&mut io::stdin().lock()).ok().flatten()?.text().trim().to_ascii_lowercase();
        match line.as_str() {
            "black" | "b" | "x" | "*" => return Some(Color::Black),
            "white" | "w" | "o" => return Some(Color::White),
            _ => {}
        }
    }
}

/// The reader of a terminal on which lines can be edited.
#[cfg(unix)]
fn editor(inbox: &Arc<Inbox<Word>>) -> Option<LineEditor> {
    let inbox = inbox.clone();
    LineEditor::start(move |line| match line {
        Some(line) => inbox.put(words::parse(line)),
        None => inbox.close(None),
    })
}

fn read(inbox: &Inbox<Word>) {
    let mut input = io::stdin().lock();
    while let Ok(Some(line)) = next_line(&mut input) {
        inbox.put(match line.is_cut {
            true => Word::Wrong(format!("{}...: a line of more than 64 KB is not read", line.head())),
            false => words::parse(&line.text()),
        });
    }
    inbox.close(None);
}

/// Where the game is shown.
struct Terminal {
    style: Style,
    /// Whether a person types, so that a prompt is shown.
    prompts: bool,
    /// When the first game began.
    began: Instant,
    /// Reads the terminal, if lines can be edited there.
    #[cfg(unix)]
    editor: Option<LineEditor>,
}

impl Terminal {
    /// Plays until `quit` or the end of the input; a game of two computers is finished after the end of the input.
    fn play(&mut self, session: &mut GameSession, inbox: &Inbox<Word>) -> io::Result<()> {
        self.say(&session.seats().to_string())?;
        self.show(session)?;
        loop {
            if session.game().must_pass() {
                self.passes(session)?;
                continue;
            }
            let computers_turn = !session.game().is_over() && session.is_computers_turn();
            let word = if !computers_turn {
                self.prompt(session)?;
                inbox.take()
            } else if let Some(word) = self.word_between(session, inbox) {
                Some(word)
            } else if self.computer_moves(session, inbox)? {
                continue;
            } else {
                inbox.take()
            };
            let Some(word) = word else { return Ok(()) };
            if self.obey(session, word, inbox)? {
                return Ok(());
            }
        }
    }

    /// The next word between two moves of computers. Two computers leave a pause in which words can be typed; against a
    /// person the computer moves first. Words from a script apply to the end of a game without pauses, otherwise the
    /// result would depend on which comes first.
    fn word_between(&self, session: &GameSession, inbox: &Inbox<Word>) -> Option<Word> {
        if !session.seats().are_all_computers() {
            return None;
        }
        self.watch();
        let waits =
            !self.prompts && session.pause().is_zero() && !inbox.has_come_since(self.began + TOGETHER);
        if waits { None } else { inbox.take_within(session.pause()) }
    }

    /// Whether the computer has moved. If not, it was stopped by a word that is still to be read.
    fn computer_moves(&mut self, session: &mut GameSession, inbox: &Inbox<Word>) -> io::Result<bool> {
        self.watch_search();
        match session.computer_moves(&inbox.begin_search()) {
            Ok(Some(text)) => {
                self.say(&text)?;
                self.show(session)?;
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => self.say(&error).map(|()| true),
        }
    }

    fn passes(&mut self, session: &mut GameSession) -> io::Result<()> {
        match session.pass() {
            Ok(text) | Err(text) => self.say(&text)?,
        }
        self.show(session)
    }

    /// Carries out a word; returns whether it ends the program.
    fn obey(&mut self, session: &mut GameSession, word: Word, inbox: &Inbox<Word>) -> io::Result<bool> {
        let begin_search = || {
            self.watch_search();
            inbox.begin_search()
        };
        match session.obey(word, &begin_search) {
            Ok(Response::Quit) => return Ok(true),
            Ok(Response::Say(text)) | Err(text) => self.say(&text)?,
            Ok(Response::Show(text)) => {
                self.say(&text)?;
                self.show(session)?;
            }
        }
        Ok(false)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { writeln!(io::stdout(), "{text}") }
    }

    fn show(&mut self, session: &GameSession) -> io::Result<()> {
        writeln!(io::stdout(), "\n{}", screen::game(session.game(), self.style).trim_end())
    }

    fn prompt(&mut self, session: &GameSession) -> io::Result<()> {
        let mut output = io::stdout();
        if !self.prompts {
            return output.flush();
        }
        let prompt = match session.game().is_over() {
            true => "Game over> ".to_owned(),
            false => format!("{}> ", session.game().to_move()),
        };
        #[cfg(unix)]
        if let Some(editor) = &self.editor {
            output.flush()?;
            editor.edit(prompt);
            return Ok(());
        }
        write!(output, "{prompt}")?;
        output.flush()
    }

    /// Lines that are typed from now on belong to no prompt.
    fn watch(&self) {
        #[cfg(unix)]
        self.editor.iter().for_each(LineEditor::watch);
    }

    /// The same while a search runs, which is announced when it takes seconds.
    fn watch_search(&self) {
        #[cfg(unix)]
        self.editor.iter().for_each(LineEditor::watch_search);
    }
}
