//! A game session: the game, the players of both sides, the clocks, and the effect of each command.

#[cfg(test)]
mod tests;

use super::adviser::Adviser;
use super::seats::{Seat, Seats, is_human};
use super::words::{HELP, Mode, Word};
use super::{files, pace, screen};
use crate::advice::Advice;
use crate::cli::games::{ResourceOptions, passing_in_words, usual_player};
use crate::cli::reading::ReadingOptions;
use crate::cli::saved::{self, Format};
use crate::cli::search_info;
use reversi_engine::book::Books;
use reversi_engine::hints::MAX_DEPTH;
use reversi_engine::{
    Choice, Clock, Clocks, Game, GameBoard, GameMove, GameSetup, Limits, NameError, Player, PlayerError,
    PlayerSpec, Value,
};
use reversi_formats::ggf::{Annotated, Record};
use reversi_formats::reader::play_text;
use reversi_formats::text::{ReadError, Reading};
use reversi_rules::{Color, Rules};
use reversi_solver::search::Stop;
use std::time::{Duration, Instant};

/// Time for all values of one `hint`, unless the computer has a time for each move.
const HINT_TIME: Duration = Duration::from_secs(2);

/// Everything that lasts from one typed line to the next.
pub struct GameSession {
    /// The rules of the game and of new games: those of the last file or typed position, where it names some.
    setup: GameSetup,
    /// The rules that the user asked for. Files that name no rules are read with them.
    asked: GameSetup,
    resources: ResourceOptions,
    game: Game,
    /// The annotation of each move made or taken back.
    notes: Vec<Annotated>,
    /// The game that was loaded last, with everything its file says about it.
    loaded: Option<Reading>,
    seats: Seats,
    /// The player behind `go`; `None` for the default player of the board.
    computer: Option<PlayerSpec>,
    /// Plays single moves for a human; made when it is first asked for.
    helper: Option<Box<dyn Player>>,
    adviser: Adviser,
    clocks: Clocks,
    pause: Duration,
    /// How many games have begun, so that each has random numbers of its own.
    games: u64,
    /// How boards and files are read.
    reading: ReadingOptions,
}

/// What to show after a word.
#[derive(Debug)]
pub enum Response {
    /// Only this text, which may be empty.
    Say(String),
    /// This text, if any, and then the board.
    Show(String),
    /// The end.
    Quit,
}

/// The least depth in plies of the engine from which it plays from the shipped books unless it is told otherwise: a
/// person expects a strong engine to know openings, and an engine of a low level to play them at that level.
const BOOK_DEPTH: u32 = 10;

/// A game that was read from a file.
pub struct Loaded {
    /// A description of the game.
    pub said: String,
    /// How many games there are in the file.
    pub games: usize,
}

impl GameSession {
    /// A session with this game, both sides played by humans.
    pub fn new(setup: GameSetup, resources: ResourceOptions, game: Game) -> GameSession {
        let mut session = GameSession {
            setup: with_rules_of(setup, &game),
            asked: setup,
            resources,
            notes: Vec::new(),
            loaded: None,
            game,
            seats: Seats::default(),
            computer: None,
            helper: None,
            adviser: Adviser::default(),
            clocks: Clocks::default(),
            pause: Duration::ZERO,
            reading: ReadingOptions::default(),
            games: 0,
        };
        session.fill_notes();
        session
    }

    /// Sets how boards and files are read.
    pub fn set_reading(&mut self, reading: ReadingOptions) {
        self.reading = reading;
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How long to wait between the moves of two computers.
    pub fn pause(&self) -> Duration {
        self.pause
    }

    /// Sets how long to wait between the moves of two computers.
    pub fn set_pause(&mut self, pause: Duration) {
        self.pause = pause;
    }

    /// Who plays.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// Whether a computer is to move.
    pub fn is_computers_turn(&self) -> bool {
        self.seats.of(self.game.to_move()).is_computer()
    }

    /// Gives a side to `human` or to a player by its name.
    ///
    /// # Errors
    /// An unknown player, or as [`GameSession::seat`].
    pub fn seat_by_name(&mut self, side: Color, name: &str) -> Result<(), String> {
        let spec = match is_human(name) {
            true => None,
            false => Some(name.parse().map_err(|error: NameError| error.with_advice())?),
        };
        self.seat(side, spec).map_err(|error| error.to_string())
    }

    /// Gives a side to a player, or to a person.
    ///
    /// # Errors
    /// The player does not play on this board, or cannot get ready for it.
    pub fn seat(&mut self, side: Color, spec: Option<PlayerSpec>) -> Result<(), PlayerError> {
        *self.seats.of_mut(side) = match &spec {
            None => Seat::Human,
            Some(spec) => self.computer_seat(spec)?,
        };
        spec.into_iter().for_each(|spec| self.call_computer(spec));
        Ok(())
    }

    fn call_computer(&mut self, spec: PlayerSpec) {
        self.computer = Some(spec);
        self.helper = None;
    }

    fn computer(&self) -> Result<PlayerSpec, String> {
        match &self.computer {
            Some(spec) => Ok(spec.clone()),
            None => usual_player(self.game.size()).parse().map_err(|error: NameError| error.with_advice()),
        }
    }

    /// A player for this board.
    fn player(&self, spec: &PlayerSpec) -> Result<Box<dyn Player>, PlayerError> {
        let mut player = self.resources.build(spec);
        // The depth in the opening: near the end a low level sees as far. On other boards the books are not used.
        let is_strong = player.reach(MAX_DEPTH).is_none_or(|depth| depth >= BOOK_DEPTH);
        if self.resources.book.is_none() && is_strong {
            let book = Some(Books::shipped());
            player = ResourceOptions { book, ..self.resources.clone() }.build(spec);
        }
        player.supports(self.game.size(), self.game.passing())?;
        player.new_game(self.seed());
        player.prepare(&self.game)?;
        Ok(player)
    }

    fn computer_seat(&self, spec: &PlayerSpec) -> Result<Seat, PlayerError> {
        self.player(spec).map(|player| Seat::Computer(spec.clone(), player))
    }

    /// Seats with the computer on the chosen sides and people on the others.
    fn seats_with(&self, spec: &PlayerSpec, black: bool, white: bool) -> Result<Seats, String> {
        let seat = |wanted| if wanted { self.computer_seat(spec) } else { Ok(Seat::Human) };
        let seats = seat(black).and_then(|black| Ok(Seats::new(black, seat(white)?)));
        seats.map_err(|error| error.to_string())
    }

    fn seed(&self) -> u64 {
        self.resources.seed.wrapping_add(self.games)
    }

    /// Carries out a word. A search ends when the stop from `begin_search` is set.
    ///
    /// # Errors
    /// What cannot be done and why, in words for the person who typed it; then nothing has changed.
    pub fn obey(&mut self, word: Word, begin_search: &dyn Fn() -> Stop) -> Result<Response, String> {
        let show = |text: String| Ok(Response::Show(text));
        let say = |text: String| Ok(Response::Say(text));
        match word {
            Word::Nothing => say(String::new()),
            Word::Wrong(message) => Err(message),
            Word::Help => say(HELP.to_owned()),
            Word::Quit => Ok(Response::Quit),
            Word::Show => show(String::new()),
            Word::Transcript => say(self.game.transcript()),
            Word::Moves(text) => show(self.typed_moves(&text)?),
            Word::Undo => show(self.walk(Game::undo, "this is the first position")?),
            Word::Redo => show(self.walk(Game::redo, "no move was taken back")?),
            Word::Go => show(self.go(&begin_search())?),
            Word::Hint(count) => say(self.hint(count, &begin_search())?),
            Word::New => show(self.begin(self.game.first_board().clone())),
            Word::Init => {
                self.seats = Seats::default();
                show(self.begin(GameBoard::start(self.setup.size, self.setup.start)))
            }
            Word::SetBoard(text) => show(self.set_board(&text)?),
            Word::Load(path) => show(self.load(&path)?.said),
            Word::Save(path) => say(self.save(&path)?),
            Word::Stop => {
                self.seats = Seats::default();
                say(self.seats.to_string())
            }
            Word::Mode(mode) => say(self.set_mode(mode)?),
            Word::Level(level) => say(self.set_level(level)?),
            Word::Black(name) => {
                self.seat_by_name(Color::Black, &name).and_then(|()| say(self.seats.to_string()))
            }
            Word::White(name) => {
                self.seat_by_name(Color::White, &name).and_then(|()| say(self.seats.to_string()))
            }
            Word::MoveTime(time) => say(self.set_pace(pace::of_move(time))),
            Word::GameTime(time) => say(self.set_pace(pace::of_game(time))),
            Word::Pause(time) => {
                self.pause = time;
                say(format!("{} s between the moves of two computers", time.as_secs_f64()))
            }
        }
    }

    /// Sets the time of the computers from now on, and returns it in words.
    pub fn set_pace(&mut self, clock: Clock) -> String {
        self.clocks = Clocks::new(clock);
        pace::in_words(clock)
    }

    fn set_mode(&mut self, mode: Mode) -> Result<String, String> {
        let spec = self.computer()?;
        self.seats = self.seats_with(&spec, mode.black, mode.white)?;
        Ok(self.seats.to_string())
    }

    fn set_level(&mut self, level: u32) -> Result<String, String> {
        let spec: PlayerSpec =
            format!("engine:level={level}").parse().map_err(|error: NameError| error.with_advice())?;
        let is_computer = |side| self.seats.of(side).is_computer();
        self.seats = self.seats_with(&spec, is_computer(Color::Black), is_computer(Color::White))?;
        self.call_computer(spec);
        Ok(format!("the computer is engine:level={level}; {}", self.seats))
    }

    /// Begins a game on this board; says which players cannot play on it.
    fn begin(&mut self, first: GameBoard) -> String {
        self.put(self.setup.game_from(first))
    }

    /// Sets the game; players that do not play on its board leave their seats.
    fn put(&mut self, game: Game) -> String {
        self.games += 1;
        self.notes.clear();
        self.loaded = None;
        self.game = game;
        self.clocks.restart();
        self.helper = None;
        let (size, passing, seed) = (self.game.size(), self.game.passing(), self.seed());
        let mut remarks = Vec::new();
        for seat in self.seats.both_mut() {
            let Seat::Computer(_, player) = seat else { continue };
            player.new_game(seed);
            if let Err(error) = player.supports(size, passing).and_then(|()| player.prepare(&self.game)) {
                remarks.push(format!("{error}; that side is played by hand now"));
                *seat = Seat::Human;
            }
        }
        remarks.join("\n")
    }

    fn set_board(&mut self, text: &str) -> Result<String, String> {
        let here = self.game.size();
        let size = (here.width() != here.height()).then_some(here);
        let wanted = self.reading.wanted(self.setup, size);
        let fault = |error: &dyn std::fmt::Display| format!("setboard: {error}");
        let no_board =
            || fault(&GameBoard::parse(size, text).map_or_else(|e| e.to_string(), |_| String::new()));
        let read = self.reading.read(text, wanted).map_err(|error| match error {
            ReadError::BareMoves(_) => no_board(),
            error => fault(&error),
        })?;
        if !read.has_board {
            return Err(no_board());
        }
        let known = [self.setup, self.asked].map(|setup| (setup.rules(read.game.size()), setup.passing));
        self.setup = with_rules_of(self.setup, &read.game);
        let remarks = self.begin(read.game.board().clone());
        let rules = read.game.rules();
        // Rules other than those asked for are named each time, since they stay for later positions.
        let said = match known == [(rules, read.game.passing()); 2] {
            true => String::new(),
            false => {
                format!("{} goal, {} scoring{}", rules.goal, rules.scoring, passing_in_words(&read.game))
            }
        };
        Ok([said, remarks].join("\n").trim().to_owned())
    }

    /// Plays moves typed by hand, for either side; other text around them is skipped.
    fn typed_moves(&mut self, text: &str) -> Result<String, String> {
        let mut game = self.game.clone();
        let skipped = play_text(&mut game, text).map_err(|error| error.to_string())?;
        self.reading.tell_skipped(&skipped);
        self.take_over(game);
        Ok(String::new())
    }

    /// Plays moves as the program writes them.
    fn make_moves(&mut self, text: &str) -> Result<String, String> {
        let mut game = self.game.clone();
        game.play_transcript(text).map_err(|error| error.to_string())?;
        self.take_over(game);
        Ok(String::new())
    }

    /// Replaces the game by the same game with more moves.
    fn take_over(&mut self, game: Game) {
        self.notes.truncate(self.game.moves().len());
        self.game = game;
        self.fill_notes();
    }

    /// Gives moves without a note an empty one.
    fn fill_notes(&mut self) {
        let plain = |&mv| Annotated { mv, eval: None, seconds: None };
        self.notes.extend(self.game.moves()[self.notes.len()..].iter().map(plain));
    }

    /// Makes a pass that the rules require.
    pub fn pass(&mut self) -> Result<String, String> {
        let side = self.game.to_move();
        self.make_moves("pa")?;
        Ok(format!("{side} has no move and passes"))
    }

    /// Goes back, or forward again, to a position in which a person has a choice (in a game without people, anyone).
    /// `end` is the error if there is no step.
    fn walk(&mut self, step: fn(&mut Game) -> Option<GameMove>, end: &str) -> Result<String, String> {
        step(&mut self.game).ok_or(end)?;
        while self.game.must_pass() || self.leaves_to_a_person() {
            if step(&mut self.game).is_none() {
                break;
            }
        }
        Ok(self.hand_over_to_people())
    }

    /// Whether it is a computer's turn in a game with a person.
    fn leaves_to_a_person(&self) -> bool {
        self.is_computers_turn() && !self.seats.are_all_computers()
    }

    /// Gives both sides to people: two computers would repeat the moves that were just taken back.
    fn hand_over_to_people(&mut self) -> String {
        if !self.seats.are_all_computers() {
            return String::new();
        }
        self.seats = Seats::default();
        "both sides are played by hand now; mode 2 gives them back to the computer".to_owned()
    }

    /// Lets the computer whose turn it is search and move. Returns `None`, with nothing changed, if it was stopped.
    ///
    /// # Errors
    /// The computer cannot continue; its side is played by hand from now on.
    pub fn computer_moves(&mut self, stop: &Stop) -> Result<Option<String>, String> {
        let side = self.game.to_move();
        let limits = Limits { depth: None, clock: self.clocks.of(side) };
        let game = self.game.clone();
        let Seat::Computer(_, player) = self.seats.of_mut(side) else {
            return Ok(None);
        };
        let started = Instant::now();
        let choice = player.choose(&game, &limits, stop);
        if stop.is_set() {
            return Ok(None);
        }
        match choice {
            Ok(choice) => {
                self.clocks.spend(side, started.elapsed());
                self.make_choice(&choice)?;
                Ok(Some(screen::choice(side, &self.seats.of(side).to_string(), &choice)))
            }
            Err(error) => {
                *self.seats.of_mut(side) = Seat::Human;
                Err(format!("{error}; {side} is played by hand now"))
            }
        }
    }

    fn make_choice(&mut self, choice: &Choice) -> Result<(), String> {
        self.make_moves(&choice.mv.to_string())?;
        if let Some(note) = self.notes.last_mut() {
            note.eval = choice.info.value.and_then(Value::discs);
            note.seconds = Some(choice.info.seconds);
        }
        Ok(())
    }

    /// One move by the computer for the side to move.
    fn go(&mut self, stop: &Stop) -> Result<String, String> {
        let (side, spec) = (self.game.to_move(), self.computer()?);
        let in_words = |error: PlayerError| error.to_string();
        let mut player = self.helper.take().map_or_else(|| self.player(&spec), Ok).map_err(in_words)?;
        let limits = Limits { depth: None, clock: self.clocks.of(side) };
        let started = Instant::now();
        let choice = player.choose(&self.game, &limits, stop);
        self.helper = Some(player);
        let choice = choice.map_err(in_words)?;
        if stop.is_set() {
            return Err(interrupted("go"));
        }
        self.clocks.spend(side, started.elapsed());
        self.make_choice(&choice)?;
        Ok(screen::choice(side, &spec.to_string(), &choice))
    }

    fn hint(&mut self, count: Option<usize>, stop: &Stop) -> Result<String, String> {
        if self.game.is_over() {
            return Err("the game is over".to_owned());
        }
        let time = if let Clock::PerMove(time) = self.clocks.settings() { time } else { HINT_TIME };
        let best = self.adviser.hints(&self.game, &self.resources, stop, time);
        let mut best = best.map_err(|error| error.to_string())?;
        if best.is_empty() && stop.is_set() {
            return Err(interrupted("hint"));
        }
        if best.is_empty() {
            return Err(format!(
                "{} s is too short for a hint; set another time with move-time",
                time.as_secs_f64()
            ));
        }
        best.truncate(count.unwrap_or(usize::MAX));
        Ok(search_info::as_table(&best).trim_end().to_owned())
    }

    /// Reads a game from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is no game.
    pub fn load(&mut self, path: &std::path::Path) -> Result<Loaded, String> {
        let (loaded, games) = files::load(path, self.asked, self.reading)?;
        self.setup = with_rules_of(self.setup, &loaded.game);
        let remarks = self.put(loaded.game.clone());
        self.notes.clone_from(&loaded.notes);
        self.loaded = Some(loaded);
        self.fill_notes();
        let count = self.game.moves().len();
        let first = if games > 1 { format!(", the first of {games}") } else { String::new() };
        let said = format!("{} from {}{first}; {} goal", moves(count), path.display(), self.setup.goal);
        Ok(Loaded { said: [said, remarks].join("\n").trim_end().to_owned(), games })
    }

    /// The record of the game. As long as it is the loaded game, it has everything that the file says, otherwise the
    /// players here.
    fn record(&self) -> Record {
        let notes = self.notes[..self.game.moves().len()].to_vec();
        let is_this =
            |game: &Game| game.first_board() == self.game.first_board() && game.moves() == self.game.moves();
        if let Some(loaded) = self.loaded.as_ref().filter(|loaded| is_this(&loaded.game)) {
            return Reading { notes, ..loaded.clone() }.record();
        }
        let players = [Color::Black, Color::White].map(|side| self.seats.of(side).to_string());
        let occasion = [String::new(), "reversi".to_owned()];
        Reading { notes, players, occasion, ..Reading::from(self.game.clone()) }.record()
    }

    fn save(&self, path: &std::path::Path) -> Result<String, String> {
        let count = self.game.moves().len();
        let usual = GameBoard::start(self.setup.size, self.setup.start);
        let loss = files::save(path, &self.game, &usual, self.record())?;
        let what = if saved::is_obf(path) { "the position".to_owned() } else { moves(count) };
        let untold = match saved::untold_options(Format::of(path), &self.game).join(" ") {
            options if options.is_empty() => options,
            options => format!("; to load it elsewhere, pass {options}"),
        };
        let lost = loss.map_or_else(String::new, |loss| format!("; {loss}"));
        let odd = saved::unknown_ending(path).filter(|_| !saved::is_obf(path));
        let odd = odd.map_or_else(String::new, |odd| format!("; {odd}"));
        Ok(format!("{what} in {}{untold}{lost}{odd}", path.display()))
    }
}

/// The error for a search that was stopped. Only two words end a search; they may be there before it has begun.
fn interrupted(word: &str) -> String {
    format!("{word}: interrupted before there was an answer, by a stop or quit in the next lines")
}

fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// The setup with the rules of this game, for later games. On another board the usual scoring applies, unless a scoring
/// was named.
fn with_rules_of(setup: GameSetup, game: &Game) -> GameSetup {
    let Rules { goal, scoring } = game.rules();
    let is_known = setup.rules(game.size()).scoring == scoring;
    let scoring = if is_known { setup.scoring } else { Some(scoring) };
    GameSetup { goal, scoring, passing: game.passing(), ..setup }
}
