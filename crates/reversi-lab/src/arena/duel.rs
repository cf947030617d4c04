//! One game between two players, under a clock, with a referee that trusts neither.

use reversi_engine::{Choice, Clock, Clocks, Game, GameMove, GameResult, Info, Limits, Player, PlayerError};
use reversi_rules::Color;
use reversi_solver::search::Stop;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, Instant};

/// What a player did that loses the game; files hold it in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum GameFault {
    /// It chose this move, which is not legal.
    Illegal(GameMove),
    /// Its time was up.
    Late,
    /// It resigned: a normal result, not a failure.
    Resigned,
    /// It gave no move.
    Failed(String),
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameFault::Illegal(mv) => write!(f, "illegal move {mv}"),
            GameFault::Late => f.write_str(OUT_OF_TIME),
            GameFault::Resigned => f.write_str(RESIGNED),
            GameFault::Failed(reason) => f.write_str(reason),
        }
    }
}

const OUT_OF_TIME: &str = "out of time";
const RESIGNED: &str = "resigned";

impl From<GameFault> for String {
    fn from(fault: GameFault) -> String {
        fault.to_string()
    }
}

/// The words for lost on time and resigned are recognized, as in other formats; any other text is the reason of a
/// failure.
impl From<String> for GameFault {
    fn from(words: String) -> GameFault {
        match &words[..] {
            OUT_OF_TIME => GameFault::Late,
            RESIGNED => GameFault::Resigned,
            _ => GameFault::Failed(words),
        }
    }
}

impl GameFault {
    /// Whether the player failed: an illegal move or no answer. Resigning is no failure, nor is losing on time if a
    /// clock runs; without a clock, being late means that it gave no answer.
    pub fn is_failure(&self, time: Clock) -> bool {
        match self {
            GameFault::Illegal(_) | GameFault::Failed(_) => true,
            GameFault::Late => time == Clock::None,
            GameFault::Resigned => false,
        }
    }

    /// The letter by which a record of the game says how it ended.
    pub fn letter(&self) -> char {
        match self {
            GameFault::Late => 't',
            GameFault::Resigned => 'r',
            GameFault::Illegal(_) | GameFault::Failed(_) => 'f',
        }
    }

    /// The fault for the letter of a game record; `None` for another letter, such as `s` for an agreed end.
    pub fn with_letter(letter: char) -> Option<GameFault> {
        match letter.to_ascii_lowercase() {
            't' => Some(GameFault::Late),
            'r' => Some(GameFault::Resigned),
            'f' => Some(GameFault::Failed("forfeited".to_owned())),
            _ => None,
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// On the board.
    Finished(GameResult),
    /// By a fault of one side.
    Forfeit {
        /// The side that loses by it.
        loser: Color,
        /// What it did.
        fault: GameFault,
    },
    /// Interrupted from outside, without a winner.
    Interrupted,
}

/// A game played.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The game, its opening included.
    pub game: Game,
    /// For each move of the game the search result of its player; `None` for moves of the opening and for forced
    /// passes, which no player is asked for.
    pub infos: Vec<Option<Info>>,
    /// How it ended.
    pub ending: Ending,
    /// The effort of Black and of White.
    pub efforts: [Effort; 2],
}

/// What a player has used for its moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// Moves it was asked for.
    pub moves: u64,
    /// Positions it says it has visited.
    pub nodes: u64,
    /// Time for all its moves, as the referee measured it.
    pub time: Duration,
    /// Time for the longest one.
    pub longest: Duration,
}

/// The figures of what a player has used for its moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EffortRow {
    /// Moves.
    pub moves: u64,
    /// Nodes; `None` where the player does not report them.
    pub nodes: Option<u64>,
    /// Seconds for all moves.
    pub seconds: f64,
    /// Seconds for the longest move.
    pub longest_seconds: f64,
}

impl Effort {
    /// The figures; `tells_nodes`: whether the player reports its nodes.
    pub fn row(self, tells_nodes: bool) -> EffortRow {
        EffortRow {
            moves: self.moves,
            nodes: tells_nodes.then_some(self.nodes),
            seconds: self.time.as_secs_f64(),
            longest_seconds: self.longest.as_secs_f64(),
        }
    }

    /// The sum of both; `longest` is the larger one.
    pub fn and(self, other: Effort) -> Effort {
        Effort {
            moves: self.moves + other.moves,
            nodes: self.nodes + other.nodes,
            time: self.time + other.time,
            longest: self.longest.max(other.longest),
        }
    }

    fn add(&mut self, time: Duration, nodes: u64) {
        *self = self.and(Effort { moves: 1, nodes, time, longest: time });
    }
}

impl Duel {
    /// Continues `opening` to the end of the game. Each side has the time `time` from the opening's last move on. The
    /// players are asked to prepare; resetting them between games is up to the caller: see [`Player::new_game`].
    pub fn play(
        opening: Game,
        black: &mut dyn Player,
        white: &mut dyn Player,
        time: Clock,
        stop: &Stop,
    ) -> Duel {
        Duel::play_in_turns(opening, black, white, time, stop, || ())
    }

    /// As [`Duel::play`], on a machine that is shared: `before_move` is called before each move, while no clock runs,
    /// and may wait.
    pub fn play_in_turns(
        opening: Game,
        black: &mut dyn Player,
        white: &mut dyn Player,
        time: Clock,
        stop: &Stop,
        mut before_move: impl FnMut(),
    ) -> Duel {
        let infos = vec![None; opening.moves().len()];
        let (efforts, ending) = (<[Effort; 2]>::default(), Ending::Interrupted);
        let mut duel = Duel { game: opening, infos, ending, efforts };
        let mut clocks = Clocks::new(time);
        // An error of the preparation comes back with the first move.
        let _ = (black.prepare(&duel.game), white.prepare(&duel.game));
        duel.ending = loop {
            if let Some(result) = duel.game.result() {
                break Ending::Finished(result);
            }
            before_move();
            let asked = match duel.game.to_move() {
                Color::Black => duel.ask(&mut *black, &mut clocks, stop),
                Color::White => duel.ask(&mut *white, &mut clocks, stop),
            };
            if let Err(ending) = asked {
                break ending;
            }
        };
        // After a stop, the stop itself may have caused the end of the game.
        if stop.is_set() {
            duel.ending = Ending::Interrupted;
        }
        duel
    }

    /// Which side lost by which fault, if a fault ended the game.
    pub fn forfeit(&self) -> Option<(Color, &GameFault)> {
        match &self.ending {
            Ending::Forfeit { loser, fault } => Some((*loser, fault)),
            Ending::Finished(_) | Ending::Interrupted => None,
        }
    }

    /// The winner; `None` for a drawn or interrupted game.
    pub fn winner(&self) -> Option<Color> {
        match &self.ending {
            Ending::Finished(result) => result.winner(),
            Ending::Forfeit { loser, .. } => Some(loser.other()),
            Ending::Interrupted => None,
        }
    }

    /// Asks the side to move for its move; a forced pass is made without asking.
    fn ask(&mut self, player: &mut dyn Player, clocks: &mut Clocks, stop: &Stop) -> Result<(), Ending> {
        if self.game.must_pass() {
            return self.make(GameMove::Pass, None);
        }
        let mover = self.game.to_move();
        let limits = Limits { depth: None, clock: clocks.of(mover) };
        let started = Instant::now();
        let answer = player.choose(&self.game, &limits, stop);
        let elapsed = started.elapsed();
        if stop.is_set() {
            return Err(Ending::Interrupted);
        }
        let nodes = answer.as_ref().map_or(0, |choice| choice.info.nodes);
        self.efforts[mover as usize].add(elapsed, nodes);
        clocks.spend(mover, elapsed);
        let Choice { mv, info } = answer.map_err(|error| forfeit(mover, fault_of(&error)))?;
        if limits.clock.for_move().is_some_and(|most| elapsed > most) {
            return Err(forfeit(mover, GameFault::Late));
        }
        self.make(mv, Some(info))
    }

    fn make(&mut self, mv: GameMove, info: Option<Info>) -> Result<(), Ending> {
        let mover = self.game.to_move();
        self.game.play(mv).map_err(|_| forfeit(mover, GameFault::Illegal(mv)))?;
        self.infos.push(info);
        Ok(())
    }
}

fn forfeit(loser: Color, fault: GameFault) -> Ending {
    Ending::Forfeit { loser, fault }
}

pub(super) fn fault_of(error: &PlayerError) -> GameFault {
    match error {
        PlayerError::OutOfTime { .. } => GameFault::Late,
        PlayerError::Resigned { .. } => GameFault::Resigned,
        PlayerError::Failed { reason, .. } | PlayerError::NoMemory { reason, .. } => {
            GameFault::Failed(reason.clone())
        }
        PlayerError::GameOver | PlayerError::Unsupported { .. } => GameFault::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::{GameBoard, PlayerSpec, Resources, Size};
    use reversi_rules::{Passing, Rules, Start};

    /// Answers always the same after some time.
    struct Stubborn(Result<GameMove, PlayerError>, Duration);

    impl Player for Stubborn {
        fn name(&self) -> &str {
            "stubborn"
        }

        fn supports(&self, _: Size, _: Passing) -> Result<(), PlayerError> {
            Ok(())
        }

        fn new_game(&mut self, _: u64) {}

        fn choose(&mut self, _: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
            std::thread::sleep(self.1);
            self.0.clone().map(Choice::plain)
        }
    }

    fn duel(white: &mut Stubborn, time: Clock, stop: &Stop) -> Duel {
        let first = GameBoard::start("6x6".parse().unwrap(), Start::Diagonal);
        let game = Game::new(first, Rules::default(), Passing::Allowed);
        let mut black = "first".parse::<PlayerSpec>().unwrap().build(&Resources::default(), 1);
        Duel::play(game, &mut *black, white, time, stop)
    }

    #[test]
    fn faults_lose_the_game() {
        let (a1, nowhere) = (GameMove::Play(0, 0), GameMove::Play(30, u32::MAX));
        assert_eq!(GameFault::Illegal(nowhere).to_string(), "illegal move (30, 4294967295)");
        let failed = PlayerError::Failed { player: "stubborn".into(), reason: "out of order".into() };
        let late = PlayerError::OutOfTime { player: "stubborn".into() };
        let resigned = PlayerError::Resigned { player: "stubborn".into() };
        for (answer, fault) in [
            (Ok(a1), GameFault::Illegal(a1)),
            (Ok(nowhere), GameFault::Illegal(nowhere)),
            (Ok(GameMove::Pass), GameFault::Illegal(GameMove::Pass)),
            (Err(failed), GameFault::Failed("out of order".into())),
            (Err(late), GameFault::Late),
            (Err(resigned), GameFault::Resigned),
        ] {
            let duel = duel(&mut Stubborn(answer, Duration::ZERO), Clock::None, &Stop::never());
            assert_eq!(duel.ending, Ending::Forfeit { loser: Color::White, fault });
            assert_eq!(duel.winner(), Some(Color::Black));
            assert_eq!((duel.game.moves().len(), duel.infos.len()), (1, 1));
        }
    }

    #[test]
    fn a_failure_is_told_from_a_lost_game() {
        let clock = Clock::PerMove(Duration::from_secs(1));
        for (fault, with_clock, without) in [
            (GameFault::Illegal(GameMove::Pass), true, true),
            (GameFault::Failed("out of order".into()), true, true),
            (GameFault::Late, false, true),
            (GameFault::Resigned, false, false),
        ] {
            assert_eq!((fault.is_failure(clock), fault.is_failure(Clock::None)), (with_clock, without));
            let read = GameFault::from(fault.to_string());
            assert_eq!(read.is_failure(Clock::None), without, "as it is kept in a file: {read}");
        }
    }

    #[test]
    fn time_is_up_for_a_move_and_for_a_game() {
        let answer = Ok(GameMove::Play(0, 0));
        for time in [Clock::PerMove, Clock::per_game] {
            let mut slow = Stubborn(answer.clone(), Duration::from_millis(400));
            let duel = duel(&mut slow, time(Duration::from_millis(300)), &Stop::never());
            assert_eq!(duel.ending, Ending::Forfeit { loser: Color::White, fault: GameFault::Late });
            assert!(duel.efforts[Color::White as usize].time >= Duration::from_millis(400));
        }
    }

    #[test]
    fn an_interrupted_game_has_no_winner() {
        let stop = Stop::already();
        let duel = duel(&mut Stubborn(Ok(GameMove::Pass), Duration::ZERO), Clock::None, &stop);
        assert_eq!((duel.ending.clone(), duel.winner()), (Ending::Interrupted, None));
    }
}
