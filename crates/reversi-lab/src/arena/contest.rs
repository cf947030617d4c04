//! Many games between two players: each opening twice with colours swapped, several games at once.

use super::duel::{Duel, Ending};
use super::external::External;
use super::game_report::GameReport;
use super::pairs::PairCounter;
use super::sprt::Sprt;
use super::workers::for_each_worker;
use crate::seed::seed_at;
use reversi_engine::{Clock, Game, Player, PlayerError, PlayerSpec, Resources};
use reversi_solver::search::Stop;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A participant of a contest.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// A player of this program.
    Named(PlayerSpec),
    /// Another program that speaks GTP.
    External {
        /// The program and its arguments.
        command: Vec<String>,
        /// The longest time that it may take for an answer if no clock runs.
        patience: Duration,
    },
    /// A player of the caller's own, made as often as needed: see [`Contestant::own`].
    Own(Maker),
}

/// Makes players.
#[derive(Clone)]
pub struct Maker(Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>);

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Maker")
    }
}

impl Contestant {
    /// A player of the caller's own. A contest makes one for each of the games played at the same time; a tournament
    /// and the laboratory make more.
    ///
    /// ```
    /// use reversi_lab::arena::{Contest, Contestant, Tally};
    /// use reversi_engine::{Choice, Clock, Resources, Game, GameBoard, Limits, Player, PlayerError};
    /// use reversi_rules::{Passing, Rules, Start};
    /// use reversi_solver::search::Stop;
    ///
    /// /// Plays the last legal move in row-major order.
    /// struct Last;
    ///
    /// impl Player for Last {
    ///     fn name(&self) -> &str {
    ///         "last"
    ///     }
    ///
    ///     fn new_game(&mut self, _seed: u64) {}
    ///
    ///     fn choose(&mut self, game: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
    ///         game.legal_moves().last().map(|&mv| Choice::plain(mv)).ok_or(PlayerError::GameOver)
    ///     }
    /// }
    ///
    /// let start = GameBoard::start("4x4".parse()?, Start::Diagonal);
    /// let contest = Contest {
    ///     contestants: [Contestant::own(|| Box::new(Last)), Contestant::Named("perfect".parse()?)],
    ///     openings: vec![Game::new(start, Rules::default(), Passing::Allowed)],
    ///     games: 2,
    ///     stop_rule: None,
    ///     time: Clock::None,
    ///     at_once: 1,
    ///     resources: Resources::default(),
    ///     seed: 1,
    /// };
    /// let results = contest.play(&Stop::never(), |_, _| {})?;
    /// assert_eq!(Tally::of(&results.games).all.losses, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn own(make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static) -> Contestant {
        Contestant::Own(Maker(Arc::new(make)))
    }

    /// Whether it reports its nodes: GTP cannot.
    pub fn tells_nodes(&self) -> bool {
        !matches!(self, Contestant::External { .. })
    }

    /// Whether it is known to make the same move in the same position of every new game; see
    /// [`PlayerSpec::repeats_itself`]. This is never known of other programs and of a caller's own players.
    pub fn repeats_itself(&self) -> bool {
        matches!(self, Contestant::Named(spec) if spec.repeats_itself())
    }

    /// Makes the player. Another program is started; it must answer before its time limit, and before `stop` is set.
    ///
    /// # Errors
    /// A program that cannot be started or does not answer.
    pub fn make(&self, resources: &Resources, stop: &Stop) -> Result<Box<dyn Player>, PlayerError> {
        match self {
            Contestant::Named(spec) => Ok(spec.build(resources, 0)),
            Contestant::External { command, patience } => {
                Ok(Box::new(External::start(command.clone(), *patience, stop)?))
            }
            Contestant::Own(Maker(make)) => Ok(make()),
        }
    }

    /// Makes the player and checks that it can play each of these games; it is then prepared for the first.
    ///
    /// # Errors
    /// As [`Contestant::make`], and a player that does not support such a game.
    fn make_for_all(
        &self,
        games: &[Game],
        resources: &Resources,
        stop: &Stop,
    ) -> Result<Box<dyn Player>, PlayerError> {
        let mut player = self.make(resources, stop)?;
        for game in kinds(games).into_iter().rev() {
            player.supports(game.size(), game.passing())?;
            player.new_game(0);
            player.prepare(game)?;
        }
        Ok(player)
    }

    /// Checks that it can play games like each of these; `false` if `stop` was set first.
    ///
    /// # Errors
    /// As [`Contestant::make`], and a player that does not support such games.
    pub fn is_ready_for(
        &self,
        games: &[Game],
        resources: &Resources,
        stop: &Stop,
    ) -> Result<bool, PlayerError> {
        match self.make_for_all(games, resources, stop) {
            Err(_) if stop.is_set() => Ok(false),
            made => made.map(|_| true),
        }
    }
}

/// One game of each kind, in their order. Whether a player can play a game depends on its first board and its rules.
fn kinds(games: &[Game]) -> Vec<&Game> {
    let kind = |game: &Game| (game.rules(), game.passing());
    let mut kinds: Vec<&Game> = Vec::new();
    for game in games {
        let is_like = |other: &&Game| kind(other) == kind(game) && other.first_board() == game.first_board();
        if !kinds.iter().any(is_like) {
            kinds.push(game);
        }
    }
    kinds
}

/// Two names that differ. If they are the same, the commands of other programs are added, and if that does not help the
/// number of the player.
fn told_apart(contestants: &[Contestant; 2], names: [String; 2]) -> [String; 2] {
    if names[0] != names[1] {
        return names;
    }
    let full = [0, 1].map(|side: usize| match &contestants[side] {
        Contestant::External { command, .. } => format!("{} ({})", names[side], command.join(" ")),
        Contestant::Named(_) | Contestant::Own(_) => names[side].clone(),
    });
    if full[0] != full[1] { full } else { [0, 1].map(|side| format!("{} #{}", full[side], side + 1)) }
}

/// A contest to be played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The first and the second player.
    pub contestants: [Contestant; 2],
    /// The openings, used in a cycle if there are more pairs. Not empty.
    pub openings: Vec<Game>,
    /// How many games; an odd last one has no partner with colours swapped.
    pub games: usize,
    /// Ends the contest as soon as it decides. The deciding pair, and so the games that count, do not depend on
    /// `at_once`.
    pub stop_rule: Option<Sprt>,
    /// Time of each player at the beginning of a game.
    pub time: Clock,
    /// Games played at once, at least 1.
    pub at_once: usize,
    /// What each player may use.
    pub resources: Resources,
    /// Determines the random numbers of all players.
    pub seed: u64,
}

/// The result of a contest.
#[derive(Clone, Debug)]
pub struct Results {
    /// The names of the first and the second player, extended if they are the same.
    pub names: [String; 2],
    /// The games in their order. Without games that a stop interrupted, and without games after the pair with which the
    /// stop rule decided.
    pub games: Vec<GameReport>,
    /// The games by pairs, and the decision of the stop rule.
    pub pairs: PairCounter,
}

impl Contest {
    /// Plays the contest; `on_game` is called for each game as it ends, in any order, with the names of both players.
    ///
    /// # Errors
    /// A player that cannot be made or does not play such games, before any game is played; also a program that was
    /// still starting when `stop` was set.
    ///
    /// # Panics
    /// If there are no openings.
    pub fn play(
        &self,
        stop: &Stop,
        on_game: impl Fn(&[String; 2], &GameReport) + Sync,
    ) -> Result<Results, PlayerError> {
        assert!(!self.openings.is_empty(), "a game begins somewhere");
        let seats = (0..self.at_once.max(1)).map(|_| self.seat(stop)).collect::<Result<Vec<_>, _>>()?;
        let names = told_apart(&self.contestants, [0, 1].map(|side| seats[0][side].name().to_owned()));
        let play = |players: &mut _, number| self.play_one(number, players, stop);
        let pairs = Mutex::new(PairCounter::new(self.stop_rule));
        let counter = || pairs.lock().expect("no thread panics while it holds the lock");
        let numbers = (0..self.games).take_while(|_| counter().verdict().is_none());
        let mut games = for_each_worker(seats, numbers, play, |report| {
            counter().add(report);
            on_game(&names, report);
        });
        let pairs = pairs.into_inner().expect("no thread has panicked");
        games.retain(|report| pairs.takes(report.number));
        games.sort_by_key(|report| report.number);
        Ok(Results { names, games, pairs })
    }

    /// Both players, for one game at a time.
    fn seat(&self, stop: &Stop) -> Result<[Box<dyn Player>; 2], PlayerError> {
        let [first, second] = &self.contestants;
        let made = |contestant: &Contestant| contestant.make_for_all(&self.openings, &self.resources, stop);
        Ok([made(first)?, made(second)?])
    }

    /// `None` on a stop.
    fn play_one(&self, number: usize, players: &mut [Box<dyn Player>; 2], stop: &Stop) -> Option<GameReport> {
        if stop.is_set() {
            return None;
        }
        let [first, second] = players;
        for (side, player) in [&mut *first, &mut *second].into_iter().enumerate() {
            // Every player of every game draws its own random numbers.
            player.new_game(seed_at(self.seed, 2 * number as u64 + side as u64));
        }
        let opening = self.openings[number / 2 % self.openings.len()].clone();
        let (black, white) = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        let duel = Duel::play(opening, &mut **black, &mut **white, self.time, stop);
        (duel.ending != Ending::Interrupted).then_some(GameReport { number, duel })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::GameBoard;
    use reversi_rules::{Goal, Passing, Rules, Scoring, Start};

    fn game(size: &str, goal: Goal, passing: Passing) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::new(goal, Scoring::Raw), passing)
    }

    #[test]
    fn an_opening_that_a_player_does_not_play_is_an_error_wherever_it_stands() {
        let playable = game("4x4", Goal::Normal, Passing::Allowed);
        for other in
            [game("8x8", Goal::Normal, Passing::Allowed), game("4x4", Goal::Reversed, Passing::EndsGame)]
        {
            for openings in [[playable.clone(), other.clone()], [other.clone(), playable.clone()]] {
                let contest = Contest {
                    contestants: ["perfect", "first"].map(|name| Contestant::Named(name.parse().unwrap())),
                    openings: openings.to_vec(),
                    games: 4,
                    stop_rule: None,
                    time: Clock::None,
                    at_once: 1,
                    resources: Resources::default(),
                    seed: 1,
                };
                let error = contest.play(&Stop::never(), |_, _| panic!("a game was played")).unwrap_err();
                assert!(matches!(error, PlayerError::Unsupported { .. }), "{error}");
            }
        }
    }

    #[test]
    fn games_are_of_a_kind_that_begin_alike_under_the_same_rules() {
        let first = game("4x4", Goal::Normal, Passing::Allowed);
        let mut later = first.clone();
        later.play_transcript("b1").unwrap();
        let others = [
            game("4x4", Goal::Reversed, Passing::Allowed),
            game("4x4", Goal::Normal, Passing::EndsGame),
            game("6x6", Goal::Normal, Passing::Allowed),
        ];
        let games = [vec![first, later], others.to_vec(), others.to_vec()].concat();
        assert_eq!(kinds(&games).len(), 4);
    }

    #[test]
    fn another_program_without_a_name_cannot_be_started() {
        let error = External::start(Vec::new(), Duration::ZERO, &Stop::never()).err().unwrap();
        assert!(error.to_string().contains("no program is named"), "{error}");
    }

    #[test]
    fn names_that_are_the_same_are_told_apart() {
        let program = |words: &str| Contestant::External {
            command: words.split(' ').map(str::to_owned).collect(),
            patience: Duration::ZERO,
        };
        let first = || Contestant::Named("first".parse().unwrap());
        for (contestants, names, told) in [
            ([first(), program("a")], ["first", "fake 1"], ["first", "fake 1"]),
            ([first(), first()], ["first", "first"], ["first #1", "first #2"]),
            ([program("a 1"), program("a 2")], ["fake", "fake"], ["fake (a 1)", "fake (a 2)"]),
            ([program("a"), program("a")], ["fake", "fake"], ["fake (a) #1", "fake (a) #2"]),
            ([first(), program("a")], ["first", "first"], ["first", "first (a)"]),
        ] {
            assert_eq!(told_apart(&contestants, names.map(str::to_owned)), told);
        }
    }
}
