//! Options for games and their players, which several commands share.

use super::common::{Output, PositionOptions, RulesOptions, agree_on, lacks_shipped_table};
use super::print::print_remark;
use super::values::{data_directory, parse_memory, parse_player, parse_threads};
use super::{Exit, Failure, book};
use crate::cli::choices::by_name;
use clap::Args;
use reversi_engine::book::Books;
use reversi_engine::{
    Clock, Game, GameBoard, GameMove, GameSetup, Player, PlayerError, PlayerSpec, Resources, Size,
};
use reversi_formats::table_rows;
use reversi_lab::arena::Contestant;
use reversi_rules::{Geometry, Passing, Rules, Start};
use reversi_table::library::Library;
use std::path::{Path, PathBuf};

/// The default player.
pub const USUAL_PLAYER: &str = "engine";

/// The default player on boards of this size.
pub fn usual_player(size: Size) -> &'static str {
    if Geometry::from_size(size).is_some() { USUAL_PLAYER } else { "alphabeta:2,discs" }
}

/// The default number of games played at once: the number of cores, or half of it if there is a clock.
pub fn games_at_once(asked: Option<u32>, time: Clock) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let usual = if time == Clock::None { cores } else { (cores / 2).max(1) };
    asked.map_or(usual, |asked| asked as usize)
}

/// The failure for Ctrl-C while a match is set up.
pub fn interrupted_before_games() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted", "interrupted before the first game began")
}

/// The openings, if all were drawn and there is at least one.
///
/// # Errors
/// Ctrl-C while they were drawn, or no game lasts `plies` plies.
pub fn at_least_one(openings: Option<Vec<Game>>, plies: u32, size: Size) -> Result<Vec<Game>, Failure> {
    let openings = openings.ok_or_else(interrupted_before_games)?;
    if openings.is_empty() {
        let message = format!("on {size} every game is over after {plies} moves; ask for shorter openings");
        return Err(Failure::usage("bad-opening", message));
    }
    Ok(openings)
}

/// Resources of the players.
#[derive(Args, Clone)]
pub struct ResourceOptions {
    /// Threads per player
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads)]
    pub threads: usize,
    /// Memory per player, as in 512M or 4G
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = parse_memory)]
    pub memory: usize,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    pub data: Option<PathBuf>,
    /// Seed of the random numbers; the same seed gives the same choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Opening book, from which every engine plays as long as it can in games with its rules: `shipped` for those of
    /// 8x8 that the program holds, `none`, or a file made by `reversi book` [default: none; in `play` shipped, from level
    /// 10 on and without a level]
    #[arg(long, value_name = "BOOK", value_parser = read_books)]
    pub book: Option<Books>,
}

/// Reads a book and works out its values.
fn read_books(name: &str) -> Result<Books, Failure> {
    match name {
        "none" => Ok(Books::default()),
        book::SHIPPED => Ok(Books::shipped()),
        path => {
            let book = book::load(Path::new(path)).map_err(|failure| failure.within("--book"))?;
            Ok([book].into_iter().collect())
        }
    }
}

/// The values without any option.
impl Default for ResourceOptions {
    fn default() -> ResourceOptions {
        ResourceOptions { threads: 1, memory: 128 << 20, data: None, seed: 1, book: None }
    }
}

impl ResourceOptions {
    /// Reads a player's name and makes the player, after checking its files for these games. Also returns the setup of
    /// the games until a controller names another board: the requested board, or the largest of 8x8, 6x6 and 4x4 that
    /// the player plays on.
    ///
    /// # Errors
    /// Invalid options, an unknown name or parameter, or a file that cannot be used.
    pub fn player(&self, name: &str, game: &GameOptions) -> Result<(GameSetup, Box<dyn Player>), Failure> {
        let mut setup = game.setup()?;
        let spec = parse_player(name)?;
        let player = self.build(&spec);
        if game.board.is_none() {
            let sizes = [Geometry::EIGHT, Geometry::SIX, Geometry::FOUR].map(Size::from);
            let played = sizes.into_iter().find(|&size| player.supports(size, setup.passing).is_ok());
            setup.size = played.unwrap_or(setup.size);
        }
        self.check(&spec, setup.size, setup.rules(setup.size))?;
        Ok((setup, player))
    }

    /// Makes a player for games like this one, after checking that it plays them and that its files can be used. Says on
    /// stderr which of its files are missing or unused.
    ///
    /// # Errors
    /// The player does not play such games, or a file cannot be used.
    pub fn ready<E: From<PlayerError> + From<Failure>>(
        &self,
        spec: &PlayerSpec,
        game: &Game,
        output: Output,
    ) -> Result<Box<dyn Player>, E> {
        let (player, size, rules) = (self.build(spec), game.size(), game.rules());
        player.supports(size, game.passing())?;
        self.check(spec, size, rules)?;
        self.tell_no_table(spec, size, rules, output);
        self.tell_unused_book(game, output);
        Ok(player)
    }

    /// Checks the files that a player would use in games of this size under these rules.
    ///
    /// # Errors
    /// A file that is damaged or made for something else: exit code 4.
    pub fn check(&self, spec: &PlayerSpec, size: Size, rules: Rules) -> Result<(), Failure> {
        Ok(spec.check_files(&self.resources(), size, rules)?)
    }

    /// Says that a table that the player would probe is missing, and how to name its directory.
    pub fn tell_no_table(&self, spec: &PlayerSpec, size: Size, rules: Rules, output: Output) {
        let geometry = Geometry::from_size(size).filter(|_| spec.asks_tables() && !output.quiet);
        let library = Library::new(self.data.as_deref());
        if let Some(said) = geometry.and_then(|geometry| lacks_shipped_table(geometry, rules, &library)) {
            print_remark(format_args!("reversi: {said}"));
        }
    }

    /// Says that the book is not for such games, so that nothing is played from it.
    pub fn tell_unused_book(&self, game: &Game, output: Output) {
        let Some(books) = self.book.as_ref().filter(|books| !books.is_empty() && !output.quiet) else {
            return;
        };
        if books.book_for(game).is_none() {
            let for_what: Vec<String> = books.iter().map(|book| format!("8x8 {}", book.rules())).collect();
            print_remark(format_args!(
                "reversi: --book: the book is for {}, not for {} {}{}, and is not used",
                for_what.join(" or "),
                game.size(),
                game.rules(),
                passing_in_words(game)
            ));
        }
    }

    /// [`ResourceOptions::check`] for all who take part in games that begin like this one.
    ///
    /// # Errors
    /// As [`ResourceOptions::check`].
    pub fn check_all<'a>(
        &self,
        contestants: impl IntoIterator<Item = &'a Contestant>,
        game: &Game,
    ) -> Result<(), Failure> {
        contestants.into_iter().try_for_each(|contestant| match contestant {
            Contestant::Named(spec) => self.check(spec, game.size(), game.rules()),
            Contestant::External { .. } | Contestant::Own(_) => Ok(()),
        })
    }

    /// Makes the player of a name that has been read.
    pub fn build(&self, spec: &PlayerSpec) -> Box<dyn Player> {
        spec.build(&self.resources(), self.seed)
    }

    /// Resources of each player.
    pub fn resources(&self) -> Resources {
        Resources {
            memory_bytes: self.memory,
            threads: self.threads,
            data: self.data.clone(),
            books: self.book.clone().unwrap_or_default(),
        }
    }
}

/// Number of discs put on the board in an opening, without forced passes.
pub fn opening_plies(opening: &Game) -> usize {
    opening.moves().iter().filter(|&&mv| mv != GameMove::Pass).count()
}

/// The same number for all openings; `None` if they differ.
pub fn shared_opening_plies(openings: &[Game]) -> Option<usize> {
    let plies = opening_plies(openings.first()?);
    openings.iter().all(|opening| opening_plies(opening) == plies).then_some(plies)
}

/// The moves before what happened, to be put behind it; empty if there were none.
pub fn after_moves(transcript: &str) -> String {
    if transcript.is_empty() { String::new() } else { format!(", after {transcript}") }
}

/// Board and rules of games like this one, including anything unusual about them.
pub fn games_in_words(game: &Game) -> String {
    let start = if game.first_board().as_start() == Some(Start::Parallel) { ", parallel start" } else { "" };
    format!("{} {}{start}{}", game.size(), game.rules(), passing_in_words(game))
}

/// What to add to the rules of a game without passing; empty for all others.
pub fn passing_in_words(game: &Game) -> &'static str {
    if game.passing() == Passing::EndsGame { ", no passing" } else { "" }
}

/// Board and rules of games that are played, up to 24x24.
#[derive(Args, Clone)]
pub struct GameOptions {
    /// Board size, columns x rows, from 3x3 to 24x24 [default: 8x8]
    #[arg(long, value_name = "SIZE")]
    pub board: Option<String>,
    /// Arrangement of the first four discs [default: diagonal]
    #[arg(long, value_parser = by_name::<Start>())]
    pub start: Option<Start>,
    #[command(flatten)]
    pub rules: RulesOptions,
    /// End the game as soon as the side to move has no move, instead of passing
    #[arg(long)]
    pub no_passing: bool,
}

impl GameOptions {
    /// The options for games in a file, from the options about one position.
    pub fn of_file(position: &PositionOptions, rules: RulesOptions) -> GameOptions {
        GameOptions { board: position.board.clone(), start: position.start, rules, no_passing: false }
    }

    /// Board and rules as values.
    ///
    /// # Errors
    /// A bad size.
    pub fn setup(&self) -> Result<GameSetup, Failure> {
        let size = self.board.as_deref().unwrap_or("8x8").parse();
        Ok(GameSetup {
            size: size.map_err(|error| Failure::usage("bad-board", format!("--board: {error}")))?,
            start: self.start.unwrap_or(Start::Diagonal),
            goal: self.rules.goal(),
            scoring: self.rules.scoring,
            passing: if self.no_passing { Passing::EndsGame } else { Passing::Allowed },
        })
    }

    /// # Errors
    /// When a game that was read differs from what the options ask for.
    pub fn agree(&self, game: &Game) -> Result<(), String> {
        let size = game.size();
        let asked_size = self.board.as_deref().filter(|asked| asked.parse().ok() != Some(size));
        agree_on("board", asked_size, Some(&size.to_string()))
            .and_then(|()| self.rules.agree(game.rules()))
            .and_then(|()| self.agree_on_the_start(game.first_board()))
            .and_then(|()| self.agree_on_passing(game.passing()))
            .map_err(|fault| format!("the game {fault}"))
    }

    fn agree_on_passing(&self, made: Passing) -> Result<(), String> {
        match self.no_passing && made == Passing::Allowed {
            true => Err("has passing, but --no-passing is asked for; leave the option out".to_owned()),
            false => Ok(()),
        }
    }

    fn agree_on_the_start(&self, first: &GameBoard) -> Result<(), String> {
        match self.start {
            Some(asked) if first.as_start() != Some(asked) => Err(format!(
                "does not begin with the discs that --start {} asks for; leave the option out",
                asked.name()
            )),
            _ => Ok(()),
        }
    }
}
/// Says which rules apply to the entries of a table if neither they nor the options name a goal: `table export` without
/// --rules writes such entries.
pub fn tell_no_rules(first_line: &str, rules: RulesOptions, output: Output) {
    let names_none = table_rows::Columns::of(first_line).is_some_and(|columns| columns.name_no_rules());
    if names_none && rules.goal.is_none() && !output.quiet {
        print_remark(
            "reversi: the table names no rules; its positions are read under the normal goal; for the other one pass \
             --goal",
        );
    }
}
