//! Game review: the value of each move against the best one, by a player.

use super::hints::{evaluate, evaluate_after};
use super::player::{Limits, Player, PlayerError, Value};
use reversi_rules::game::GameBoard;
use reversi_rules::game::{Game, GameMove};
use reversi_rules::{Board, Color, symmetry};
use reversi_solver::eval::Eval;
use reversi_solver::search::Stop;

/// A move of a game and the best move of the same position.
#[derive(Clone, PartialEq, Debug)]
pub struct Reviewed {
    /// The number of the move in the game, from 1, passes included.
    pub number: usize,
    /// The side that made it.
    pub side: Color,
    /// The move played.
    pub played: GameMove,
    /// Its value for this side.
    pub value: Value,
    /// The best move; the move played if no other is better.
    pub best: GameMove,
    /// If the move played is worse than the best: all moves known to have the best value, in row-major order;
    /// [`Reviewed::best`] need not be the first of them. Where the values are proved, a move whose own value is not is
    /// left out. Otherwise empty.
    pub all_best: Vec<GameMove>,
    /// The value of the best move for this side.
    pub best_value: Value,
    /// Whether everything is proved: both values, and that no other move is better.
    pub is_proved: bool,
}

impl Reviewed {
    /// Value of the best move minus value of the move played, in the unit of the values; never negative.
    pub fn lost(&self) -> f64 {
        self.best_value.number() - self.value.number()
    }
}

/// Reviews every move of the game with the player, from the last to the first, since proofs of the end help before
/// it. Calls `report` for each review as soon as it is complete. Returns them in game order; moves before a position
/// without an evaluation, or before a stop, are missing.
///
/// Where the player proves the value of a position and that of the move played, these are compared. Elsewhere the player
/// evaluates the position after every move in the same way, after [`Player::new_game`], so that it has no knowledge of
/// the moves that followed. So estimates of moves of one position are comparable, those of different positions less. If
/// only the value of the position is proved, its best move remains the best, and no estimate is higher; the loss is then
/// that of an estimate against a proved value.
///
/// # Errors
/// [`PlayerError`] if the player fails, or returns an illegal best move.
///
/// ```
/// use reversi_engine::{Resources, Game, GameBoard, PlayerSpec, review};
/// use reversi_rules::{Passing, Rules, Start};
/// use reversi_solver::search::Stop;
///
/// let first = GameBoard::start("4x4".parse().unwrap(), Start::Diagonal);
/// let mut game = Game::new(first, Rules::default(), Passing::Allowed);
/// game.play_transcript("b1 c1").unwrap();
/// let mut player = "perfect".parse::<PlayerSpec>().unwrap().build(&Resources::default(), 1);
/// let moves = review::review(&mut *player, &game, &Stop::never(), |_| {}).unwrap();
/// assert_eq!(moves[0].lost(), 0.0);
/// assert_eq!((moves[1].best.to_string().as_str(), moves[1].lost()), ("a1", 16.0));
/// ```
pub fn review(
    player: &mut dyn Player,
    game: &Game,
    stop: &Stop,
    mut report: impl FnMut(&Reviewed),
) -> Result<Vec<Reviewed>, PlayerError> {
    let mut before = game.clone();
    let mut found = Vec::new();
    while let Some(played) = before.undo() {
        let reviewed = match review_move(player, &before, played, stop) {
            // A player that plays only proved moves has no move when stopped.
            Err(_) if stop.is_set() => break,
            reviewed => reviewed?,
        };
        let Some(reviewed) = reviewed else { break };
        report(&reviewed);
        found.push(reviewed);
    }
    found.reverse();
    Ok(found)
}

/// The review of one move; `None` if the player has no evaluation or was stopped.
fn review_move(
    player: &mut dyn Player,
    game: &Game,
    played: GameMove,
    stop: &Stop,
) -> Result<Option<Reviewed>, PlayerError> {
    let known = known_best(player, game, stop)?;
    let proved = known.map(|known| proved(player, game, known, played, stop)).transpose()?.flatten();
    let compared = match proved {
        Some(compared) => Some(compared),
        None if stop.is_set() => None,
        None => estimated(player, game, known, played, stop)?,
    };
    let (number, side) = (game.moves().len() + 1, game.to_move());
    let Some(Compared { value, best, best_value, all_best, is_proved }) = compared.filter(|_| !stop.is_set())
    else {
        return Ok(None);
    };
    let is_best = value.number() >= best_value.number();
    let (best, best_value) = if is_best { (played, value) } else { (best, best_value) };
    let all_best = if is_best { Vec::new() } else { all_best };
    Ok(Some(Reviewed { number, side, played, value, best, all_best, best_value, is_proved }))
}

/// The values of the move played and of the best move.
struct Compared {
    value: Value,
    best: GameMove,
    best_value: Value,
    /// The moves that are as good as the best one; empty if they were not determined.
    all_best: Vec<GameMove>,
    is_proved: bool,
}

/// The best move and its value, if the player proves it.
fn known_best(
    player: &mut dyn Player,
    game: &Game,
    stop: &Stop,
) -> Result<Option<(GameMove, Value)>, PlayerError> {
    let found = evaluate(player, game, &Limits::default(), stop)?;
    let (Some(&best), Some(best_value)) = (found.pv.first(), found.value.filter(|value| value.is_exact()))
    else {
        return Ok(None);
    };
    if let Err(error) = game.clone().play(best) {
        let player = player.name().to_owned();
        return Err(PlayerError::Failed { player, reason: format!("its best move is illegal: {error}") });
    }
    Ok(Some((best, best_value)))
}

/// The proved value of the move played beside that of the best move; `None` if it is not proved.
fn proved(
    player: &mut dyn Player,
    game: &Game,
    (best, best_value): (GameMove, Value),
    played: GameMove,
    stop: &Stop,
) -> Result<Option<Compared>, PlayerError> {
    let value = match form_after(game, played) == form_after(game, best) {
        true => Some(best_value),
        false => value_of(player, game, played, stop)?.filter(|value| value.is_exact()),
    };
    let Some(value) = value else { return Ok(None) };
    let is_mistake = value.number() < best_value.number();
    let all_best =
        if is_mistake { as_good_as(player, game, (best, best_value), played, stop)? } else { Vec::new() };
    Ok(Some(Compared { value, best, best_value, all_best, is_proved: true }))
}

/// All moves proved to have the best value, in row-major order. Of moves that are mirror images one is searched. The
/// move played, which is worse, is not searched again.
fn as_good_as(
    player: &mut dyn Player,
    game: &Game,
    (best, best_value): (GameMove, Value),
    played: GameMove,
    stop: &Stop,
) -> Result<Vec<GameMove>, PlayerError> {
    let mut known = vec![(form_after(game, best), true), (form_after(game, played), false)];
    let mut found = Vec::new();
    for mv in game.legal_moves() {
        let form = form_after(game, mv);
        let is_best = match known.iter().find(|(other, _)| *other == form) {
            Some(&(_, is_best)) => is_best,
            None => {
                let is_best = value_of(player, game, mv, stop)? == Some(best_value);
                known.push((form, is_best));
                is_best
            }
        };
        found.extend(is_best.then_some(mv));
    }
    Ok(found)
}

/// Both values as estimates, from the same search of every move; mirror images are searched once. A best move that is
/// known remains the best: no estimate is higher than its value.
fn estimated(
    player: &mut dyn Player,
    game: &Game,
    known: Option<(GameMove, Value)>,
    played: GameMove,
    stop: &Stop,
) -> Result<Option<Compared>, PlayerError> {
    player.new_game(0);
    let known = known.map(|(best, value)| (form_after(game, best), best, value));
    let mut seen: Vec<(GameBoard, GameMove, Value)> = known.iter().cloned().collect();
    for mv in game.legal_moves() {
        let form = form_after(game, mv);
        if seen.iter().all(|(other, ..)| *other != form) {
            let Some(value) = value_of(player, game, mv, stop)? else { return Ok(None) };
            let value = known.as_ref().map_or(value, |(.., most)| at_most(value, *most));
            seen.push((form, mv, value));
        }
    }
    let of_played = form_after(game, played);
    let value = seen.iter().find(|(form, ..)| *form == of_played).map(|&(_, _, value)| value);
    // `max_by` takes the last of equal moves, which is the first before the reversal: the known one, if there is one.
    let best = seen.iter().rev().max_by(|one, other| one.2.number().total_cmp(&other.2.number()));
    let is_proved = seen.iter().all(|(_, _, value)| value.is_exact());
    let Some((value, &(_, best, best_value))) = value.zip(best) else { return Ok(None) };
    let is_as_good = |value: Value| match known {
        Some(_) => value == best_value,
        None => value.number() == best_value.number(),
    };
    let is_best = |mv: &GameMove| {
        let form = form_after(game, *mv);
        seen.iter().any(|(other, _, value)| *other == form && is_as_good(*value))
    };
    let all_best = game.legal_moves().into_iter().filter(is_best).collect();
    Ok(Some(Compared { value, best, best_value, all_best, is_proved }))
}

/// The value, if no value can be more than `most`, which is proved: a higher estimate becomes an estimate of `most`.
fn at_most(value: Value, most: Value) -> Value {
    match (value, most) {
        (Value::Estimate(eval), Value::Exact(most)) => {
            Value::Estimate(eval.min(Eval::from_discs(most.discs().into())))
        }
        _ => value,
    }
}

/// The board after a move, equal for moves that are mirror images.
fn form_after(game: &Game, mv: GameMove) -> GameBoard {
    let mut after = game.clone();
    after.play(mv).expect("the caller knows that it is legal");
    match after.board().small() {
        Some(board) => {
            let (form, _) = symmetry::canonical(board.geometry, board.position());
            Board::from_position(board.geometry, form, board.to_move).into()
        }
        None => after.board().clone(),
    }
}

/// The value of a move for the side that makes it.
fn value_of(
    player: &mut dyn Player,
    game: &Game,
    mv: GameMove,
    stop: &Stop,
) -> Result<Option<Value>, PlayerError> {
    Ok(evaluate_after(player, game, mv, None, stop)?.value.map(|value| -value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, GameBoard, Info, PlayerSpec, Resources};
    use reversi_rules::{Geometry, Goal, Move, Passing, Rules, Score, Scoring, Start, playout};
    use reversi_solver::oracle::{LineEnd, Oracle};
    use reversi_solver::search::SolverOptions;
    use reversi_table::library::Library;

    fn player(name: &str) -> Box<dyn Player> {
        name.parse::<PlayerSpec>().unwrap().build(&Resources::default(), 1)
    }

    /// A random game on 4x4 to its end, with the positions before its moves and after the last.
    fn random_game(rules: Rules, seed: u64) -> (Game, Vec<reversi_rules::Position>) {
        let geometry = Geometry::FOUR;
        let start = Board::start(geometry, Start::Diagonal);
        let mut random = fastrand::Rng::with_seed(seed);
        let positions: Vec<_> = playout::playout(geometry, start.position(), &mut random).collect();
        let mut game = Game::new(start.into(), rules, Passing::Allowed);
        for pair in positions.windows(2) {
            let (mv, _) =
                (pair[0].children(geometry).into_iter()).find(|(_, child)| *child == pair[1]).unwrap();
            game.play(mv.into()).unwrap();
        }
        (game, positions)
    }

    #[test]
    fn the_perfect_player_finds_what_the_oracle_says_each_move_gave_away() {
        let geometry = Geometry::FOUR;
        for (seed, goal) in (0..20).flat_map(|seed| Goal::ALL.map(|goal| (seed, goal))) {
            let rules = Rules::new(goal, Scoring::Raw);
            let library = Library::new(None);
            let options = SolverOptions::default();
            let oracle = Oracle::find(geometry, rules, Start::Diagonal, &library, options).unwrap();
            let (game, positions) = random_game(rules, seed);
            let found = review(&mut *player("perfect"), &game, &Stop::never(), |_| {}).unwrap();
            assert_eq!(found.len(), game.moves().len());
            for (index, reviewed) in found.iter().enumerate() {
                let answer = oracle.answer(positions[index], LineEnd::OfTable, &Stop::never()).unwrap();
                let is_played = |mv: Move| GameMove::from(mv) == reviewed.played;
                let played = answer.moves.iter().find(|scored| is_played(scored.mv)).unwrap();
                assert_eq!(reviewed.number, index + 1);
                assert!(reviewed.is_proved);
                assert_eq!(reviewed.value, Value::Exact(played.score));
                assert_eq!(reviewed.best_value, Value::Exact(answer.score));
                assert!(answer.best().any(|mv| GameMove::from(mv) == reviewed.best));
                let all: Vec<GameMove> = answer.best().map(GameMove::from).collect();
                let expected = if reviewed.lost() > 0.0 { all } else { Vec::new() };
                assert_eq!(reviewed.all_best, expected);
            }
        }
    }

    /// Twelve moves from the parallel start, those of the other side drawn at random.
    fn game_against_random(rules: Rules) -> Game {
        let first = GameBoard::start("6x6".parse().unwrap(), Start::Parallel);
        let mut game = Game::new(first, rules, Passing::Allowed);
        let (mut engine, mut random) = (player("engine:depth=3,tables=off"), player("random"));
        for _ in 0..6 {
            for mover in [&mut engine, &mut random] {
                let mv = mover.choose(&game, &Limits::default(), &Stop::never()).unwrap().mv;
                game.play(mv).unwrap();
            }
        }
        game
    }

    #[test]
    fn an_engine_finds_more_lost_by_random_moves_than_by_its_own() {
        for goal in Goal::ALL {
            let game = game_against_random(Rules::new(goal, Scoring::Raw));
            let mut reported = Vec::new();
            let mut reviewer = player("engine:depth=3,tables=off");
            let found =
                review(&mut *reviewer, &game, &Stop::never(), |found| reported.push(found.number)).unwrap();
            assert_eq!(reported, (1..=12).rev().collect::<Vec<_>>());
            assert!(found.iter().all(|reviewed| reviewed.lost() >= 0.0 && !reviewed.is_proved));
            let lost =
                |side| found.iter().filter(|found| found.side == side).map(Reviewed::lost).sum::<f64>();
            assert!(lost(Color::White) > 2.0 + lost(Color::Black), "{goal}: {found:?}");
        }
    }

    /// Returns a proved best move off the board.
    struct IllegalBestMove;

    impl Player for IllegalBestMove {
        fn name(&self) -> &str {
            "boaster"
        }

        fn new_game(&mut self, _: u64) {}

        fn choose(&mut self, game: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
            let value = Some(Value::Exact(Score::DRAW));
            let info = Info { value, pv: vec![GameMove::Play(30, 30)], ..Info::default() };
            Ok(Choice { mv: game.legal_moves()[0], info })
        }
    }

    #[test]
    fn an_illegal_best_move_is_an_error_of_the_player() {
        let (game, _) = random_game(Rules::default(), 1);
        let error = review(&mut IllegalBestMove, &game, &Stop::never(), |_| {}).unwrap_err();
        assert!(error.to_string().starts_with("boaster has failed: its best move is illegal"), "{error}");
    }

    #[test]
    fn no_review_without_an_evaluation_or_after_a_stop() {
        let (game, _) = random_game(Rules::default(), 1);
        for name in ["random", "worst"] {
            let found = review(&mut *player(name), &game, &Stop::never(), |_| {}).unwrap();
            assert!(found.len() < game.moves().len(), "{name}");
        }
        let stop = Stop::already();
        let unsolved = game_against_random(Rules::new(Goal::Reversed, Scoring::Winner));
        for name in ["perfect", "engine:level=3,tables=off"] {
            assert!(review(&mut *player(name), &unsolved, &stop, |_| {}).unwrap().is_empty(), "{name}");
        }
    }

    /// Proves the start to be a draw by the last of its moves, and takes every other position for a loss by three discs.
    struct KnowsTheStart;

    impl Player for KnowsTheStart {
        fn name(&self) -> &str {
            "knows the start"
        }

        fn new_game(&mut self, _: u64) {}

        fn choose(&mut self, game: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
            let (value, mv) = match game.moves() {
                [] => (Value::Exact(Score::DRAW), *game.legal_moves().last().unwrap()),
                _ => (Value::Estimate(Eval::from_discs(-3.0)), game.legal_moves()[0]),
            };
            let info = Info { value: Some(value), pv: vec![mv], ..Info::default() };
            Ok(Choice { mv, info })
        }
    }

    #[test]
    fn no_estimate_is_higher_than_a_proved_value() {
        let first = GameBoard::start("8x6".parse().unwrap(), Start::Parallel);
        let start = Game::new(first, Rules::default(), Passing::Allowed);
        let (best, played) = (*start.legal_moves().last().unwrap(), start.legal_moves()[1]);
        assert_ne!(form_after(&start, best), form_after(&start, played));
        let mut game = start.clone();
        game.play(played).unwrap();
        let found = review(&mut KnowsTheStart, &game, &Stop::never(), |_| {}).unwrap();
        let [found] = &found[..] else { panic!("{found:?}") };
        assert_eq!(found.value, Value::Estimate(Eval::from_discs(0.0)));
        assert!(found.lost() == 0.0 && !found.is_proved, "{found:?}");
    }
}
