//! Samples of positions to measure at: from random games, from games of a player with itself, or all positions.

use crate::arena::Contestant;
use crate::arena::openings;
use crate::seed::seed_at;
use fastrand::Rng;
use rayon::prelude::*;
use reversi_engine::{Game, GameMove, Limits, Player, PlayerError, Resources};
use reversi_solver::search::Stop;
use std::ops::{Range, RangeInclusive};
use std::slice;

/// Of ten moves of a self-play game this many are random; otherwise all games would be the same.
const RANDOM_MOVES_OF_TEN: u32 = 2;

/// The most games begun for each position that is asked for.
pub const ATTEMPTS: u64 = 20;

/// `count` positions with a move from games of random moves, each from a game of its own with a number of
/// empty squares drawn evenly from 1 to `most_empties`. The same position may come twice.
///
/// Every position can be reached, but random games are not like games between players: see [`self_play`].
pub fn random(start: &Game, most_empties: u32, count: usize, seed: u64) -> Vec<Game> {
    random_games(start, 1..=most_empties, 0..ATTEMPTS * count as u64, seed).take(count).collect()
}

/// The positions of random games with the numbers `places`, in their order, with a number of empty squares drawn evenly
/// from `empties`, at most that of the start. A game that ends too soon gives none. The game of a place does not depend
/// on the other places.
///
/// # Panics
/// If `empties` begins above the number of empty squares of the start.
pub fn random_games(
    start: &Game,
    empties: RangeInclusive<u32>,
    places: Range<u64>,
    seed: u64,
) -> impl Iterator<Item = Game> {
    let empties = at_most_those_of(start, empties);
    places.filter_map(move |place| {
        let mut random = Rng::with_seed(seed_at(seed, place));
        let wanted = random.u32(empties.clone());
        advance(start.clone(), wanted, |game| random.choice(game.legal_moves()))
    })
}

fn at_most_those_of(start: &Game, empties: RangeInclusive<u32>) -> RangeInclusive<u32> {
    *empties.start()..=(*empties.end()).min(start.board().empty_count())
}

/// As [`random`], from games that a player plays with itself, a fifth of the moves being random. After a stop the games
/// that were done are returned.
///
/// # Errors
/// A player that cannot be made or gives no move.
pub fn self_play(
    player: &Contestant,
    resources: &Resources,
    start: &Game,
    most_empties: u32,
    count: usize,
    seed: u64,
    stop: &Stop,
) -> Result<Vec<Game>, PlayerError> {
    if !player.is_ready_for(slice::from_ref(start), resources, stop)? {
        return Ok(Vec::new());
    }
    let (mut games, mut next) = (Vec::new(), 0);
    // Some games end too soon, on small boards many.
    while games.len() < count && next < ATTEMPTS * count as u64 && !stop.is_set() {
        let places = next..next + count as u64;
        next = places.end;
        games.extend(self_play_games(player, resources, start, 1..=most_empties, places, seed, stop)?);
    }
    games.truncate(count);
    Ok(games)
}

/// The positions of games that a player plays with itself, numbered as in [`random_games`]. After a stop those that
/// were done.
///
/// # Errors
/// A player that cannot be made or gives no move.
///
/// # Panics
/// If `empties` begins above the number of empty squares of the start.
pub fn self_play_games(
    player: &Contestant,
    resources: &Resources,
    start: &Game,
    empties: RangeInclusive<u32>,
    places: Range<u64>,
    seed: u64,
    stop: &Stop,
) -> Result<Vec<Game>, PlayerError> {
    let empties = at_most_those_of(start, empties);
    let games: Result<Vec<Option<Game>>, PlayerError> = places
        .into_par_iter()
        .map_init(
            || player.make(resources, stop),
            |made, place| match made {
                _ if stop.is_set() => Ok(None),
                Ok(mover) => one_game(&mut **mover, start, empties.clone(), seed_at(seed, place), stop),
                Err(error) => Err(error.clone()),
            },
        )
        .collect();
    match games {
        Ok(games) => Ok(games.into_iter().flatten().collect()),
        Err(_) if stop.is_set() => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// One game of the sample; `None` if it is over too soon.
fn one_game(
    player: &mut dyn Player,
    start: &Game,
    empties: RangeInclusive<u32>,
    seed: u64,
    stop: &Stop,
) -> Result<Option<Game>, PlayerError> {
    let mut random = Rng::with_seed(seed);
    player.new_game(random.u64(..));
    let wanted = random.u32(empties);
    let mut fault = None;
    let game = advance(start.clone(), wanted, |game| {
        if random.u32(0..10) < RANDOM_MOVES_OF_TEN {
            return random.choice(game.legal_moves());
        }
        let chosen = player.choose(game, &Limits::default(), stop);
        chosen.map_err(|error| fault = Some(error)).ok().map(|choice| choice.mv)
    });
    fault.map_or(Ok(game), Err)
}

/// Continues a game until `wanted` squares are empty and the side to move has a move; `None` if the game ends before,
/// or if `choose` returns no move.
fn advance(mut game: Game, wanted: u32, mut choose: impl FnMut(&Game) -> Option<GameMove>) -> Option<Game> {
    while game.board().empty_count() > wanted || game.must_pass() {
        if game.is_over() {
            return None;
        }
        let mv = if game.must_pass() { GameMove::Pass } else { choose(&game)? };
        game.play(mv).ok()?;
    }
    (!game.is_over()).then_some(game)
}

/// Every reachable position with a move and at most `most_empties` empty squares, once up to symmetry, each with the
/// moves that lead to it. For boards up to 4x4, which has 9830 of them.
pub fn all(start: &Game, most_empties: u32) -> Vec<Game> {
    let plies = 0..start.board().empty_count();
    let all = plies.flat_map(|plies| openings::with_a_move(&openings::canonical(start, plies)));
    all.filter(|game| game.board().empty_count() <= most_empties).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_engine::GameBoard;
    use reversi_rules::{Passing, Rules, Start};

    fn start(size: &str) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::default(), Passing::Allowed)
    }

    #[test]
    fn all_of_4x4_are_as_many_as_are_known() {
        let of_at_most = |empties| all(&start("4x4"), empties);
        let found = of_at_most(12);
        assert_eq!(found.len(), 9830);
        assert!(found.iter().all(|game| game.board().has_placement()));
        let late = |game: &&Game| game.board().empty_count() <= 5;
        assert_eq!(of_at_most(5).len(), found.iter().filter(late).count());
    }

    /// On 3x3 most games are over before all squares but one are filled.
    #[test]
    fn self_play_gives_as_many_positions_as_are_asked_for() {
        let player = Contestant::Named("first".parse().unwrap());
        let (resources, stop) = (Resources::default(), Stop::never());
        let games = self_play(&player, &resources, &start("3x3"), 1, 200, 1, &stop).unwrap();
        assert_eq!(games.len(), 200);
    }

    #[test]
    fn a_game_of_a_sample_depends_on_its_own_place_only() {
        let transcripts = |places| {
            random_games(&start("6x6"), 14..=14, places, 7).map(|game| game.transcript()).collect::<Vec<_>>()
        };
        assert_eq!([transcripts(0..30), transcripts(30..50)].concat(), transcripts(0..50));
        let first = start("6x6");
        let games = random_games(&first, 14..=14, 0..50, 7);
        assert!(games.into_iter().all(|game| game.board().empty_count() == 14));
    }

    #[test]
    fn samples_follow_from_the_seed_and_can_be_moved_in() {
        let player = Contestant::Named("corners:1".parse().unwrap());
        let played = |seed| {
            let (resources, stop) = (Resources::default(), Stop::never());
            self_play(&player, &resources, &start("6x6"), 16, 20, seed, &stop).unwrap()
        };
        for (one, again, other) in [
            (
                random(&start("6x6"), 16, 20, 1),
                random(&start("6x6"), 16, 20, 1),
                random(&start("6x6"), 16, 20, 2),
            ),
            (played(1), played(1), played(2)),
        ] {
            let transcripts = |games: &[Game]| games.iter().map(Game::transcript).collect::<Vec<_>>();
            assert_eq!(one.len(), 20);
            assert_eq!(transcripts(&one), transcripts(&again));
            assert_ne!(transcripts(&one), transcripts(&other));
            assert!(
                one.iter().all(|game| (1..=16).contains(&game.board().empty_count()) && !game.must_pass())
            );
        }
    }
}
