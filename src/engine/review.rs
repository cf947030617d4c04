//! Looks back at a game: what each move was worth beside the best one, as a player sees it.

use super::game::{Game, GameMove};
use super::hints::judge;
use super::player::{Limits, Player, PlayerError, Value};
use crate::rules::{Color, symmetry};
use crate::search::Stop;

/// A move of a game beside the one the player would have made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reviewed {
    /// Which move of the game, from 1, passes included.
    pub number: usize,
    /// The side that made it.
    pub side: Color,
    /// The move.
    pub played: GameMove,
    /// What it is worth for this side.
    pub value: Value,
    /// The move held to be best; the one played if nothing better was found.
    pub best: GameMove,
    /// What the best move is worth for this side.
    pub best_value: Value,
}

impl Reviewed {
    /// What the move gave away against the best one, in the unit of the values; never negative.
    pub fn lost(&self) -> f64 {
        self.best_value.number() - self.value.number()
    }

    /// Whether both values are proved.
    pub fn is_proved(&self) -> bool {
        self.value.is_exact() && self.best_value.is_exact()
    }
}

/// Asks the player about every move of the game, the last one first, since what is known of the end helps before it.
/// Each is told to `report` at once. Gives them in the order of the game; those before a position of which the player
/// has no view, or at which `stop` was set, are missing.
///
/// # Errors
/// [`PlayerError`] if the player cannot go on.
///
/// ```
/// use reversi::engine::{Equipment, Game, GameBoard, PlayerSpec, review};
/// use reversi::rules::{Passing, Rules, Start};
/// use reversi::search::Stop;
///
/// let first = GameBoard::start("4x4".parse().unwrap(), Start::Diagonal);
/// let mut game = Game::new(first, Rules::default(), Passing::Allowed);
/// game.play_transcript("b1 c1").unwrap();
/// let mut player = "perfect".parse::<PlayerSpec>().unwrap().build(&Equipment::default(), 1);
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
            // A player that says nothing but what is proved has nothing to say then.
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

/// What the player thinks of a move in a game; `None` if it has no view or was stopped.
fn review_move(
    player: &mut dyn Player,
    game: &Game,
    played: GameMove,
    stop: &Stop,
) -> Result<Option<Reviewed>, PlayerError> {
    let found = judge(player, game, &Limits::default(), stop)?;
    let (Some(&best), Some(value)) = (found.pv.first(), found.value) else { return Ok(None) };
    let (mut value, mut best_value) = (value, value);
    if !lead_to_the_same(game, played, best) {
        // Both alike: one ply more or less sees a game in another light.
        let depth = found.depth.saturating_sub(1);
        let of_played = value_of(player, game, played, depth, stop)?;
        let of_best = value_of(player, game, best, depth, stop)?;
        let (Some(of_played), Some(of_best)) = (of_played, of_best) else { return Ok(None) };
        (value, best_value) = (of_played, of_best);
    }
    if stop.is_set() {
        return Ok(None);
    }
    let is_best = value.number() >= best_value.number();
    let (best, best_value) = if is_best { (played, value) } else { (best, best_value) };
    let (number, side) = (game.moves().len() + 1, game.to_move());
    Ok(Some(Reviewed { number, side, played, value, best, best_value }))
}

/// Whether two moves are one, or each other's mirror image.
fn lead_to_the_same(game: &Game, one: GameMove, other: GameMove) -> bool {
    let form = |mv| {
        let board = after(game, mv).board().small()?;
        Some(symmetry::canonical(board.geometry, board.position()).0)
    };
    one == other || (form(one).is_some() && form(one) == form(other))
}

/// What a move is worth by a search of so many plies behind it.
fn value_of(
    player: &mut dyn Player,
    game: &Game,
    mv: GameMove,
    depth: u32,
    stop: &Stop,
) -> Result<Option<Value>, PlayerError> {
    // Some players tell no depth; then their own is the same for both.
    let limits = Limits { depth: (depth > 0).then_some(depth), ..Limits::default() };
    Ok(judge(player, &after(game, mv), &limits, stop)?.value.map(|value| -value))
}

fn after(game: &Game, mv: GameMove) -> Game {
    let mut after = game.clone();
    after.play(mv).expect("moves of a game, and those players choose, are legal");
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Equipment, GameBoard, PlayerSpec};
    use crate::oracle::{LineEnd, Oracle};
    use crate::rules::{Geometry, Goal, Move, Passing, Rules, Scoring, Start, playout};
    use crate::search::SolverOptions;
    use crate::table::library::Library;

    fn player(name: &str) -> Box<dyn Player> {
        name.parse::<PlayerSpec>().unwrap().build(&Equipment::default(), 1)
    }

    /// A random game on 4x4 to its end, with the positions before its moves and after the last.
    fn random_game(rules: Rules, seed: u64) -> (Game, Vec<crate::rules::Position>) {
        let geometry = Geometry::FOUR;
        let start = geometry.start(Start::Diagonal);
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
                assert!(reviewed.is_proved());
                assert_eq!(reviewed.value, Value::Exact(played.score));
                assert_eq!(reviewed.best_value, Value::Exact(answer.score));
                assert!(answer.best().any(|mv| GameMove::from(mv) == reviewed.best));
            }
        }
    }

    #[test]
    fn an_engine_reviews_a_game_from_any_board_and_loses_nothing_by_its_own_moves() {
        let first = GameBoard::start("6x6".parse().unwrap(), Start::Parallel);
        let mut game = Game::new(first, Rules::default(), Passing::Allowed);
        let mut engine = player("engine:depth=3,tables=off");
        for _ in 0..12 {
            let mv = engine.choose(&game, &Limits::default(), &Stop::never()).unwrap().mv;
            game.play(mv).unwrap();
        }
        let mut told = Vec::new();
        let mut fresh = player("engine:depth=3,tables=off");
        let found =
            review(&mut *fresh, &game, &Stop::never(), |reviewed| told.push(reviewed.number)).unwrap();
        assert_eq!(told, (1..=12).rev().collect::<Vec<_>>());
        assert!(found.iter().all(|reviewed| reviewed.lost() >= 0.0 && !reviewed.is_proved()));
        let lost: f64 = found.iter().map(Reviewed::lost).sum();
        let other = review(&mut *player("engine:depth=1,tables=off"), &game, &Stop::never(), |_| {}).unwrap();
        assert!(lost <= other.iter().map(Reviewed::lost).sum(), "its own moves please it more than others");
    }

    #[test]
    fn nothing_is_found_by_a_player_without_a_view_or_after_a_stop() {
        let (game, _) = random_game(Rules::default(), 1);
        assert!(
            review(&mut *player("random"), &game, &Stop::never(), |_| {}).unwrap().len() < game.moves().len()
        );
        let stop = Stop::never();
        stop.set();
        let start = GameBoard::start("6x6".parse().unwrap(), Start::Parallel);
        let mut unsolved = Game::new(start, Rules::new(Goal::Reversed, Scoring::Raw), Passing::Allowed);
        unsolved.play_transcript("c2").unwrap();
        assert!(review(&mut *player("perfect"), &unsolved, &stop, |_| {}).unwrap().is_empty());
        assert!(review(&mut *player("engine:level=3,tables=off"), &game, &stop, |_| {}).unwrap().is_empty());
    }
}
