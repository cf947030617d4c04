//! Where the games of a contest begin, so that no two pairs of games need be alike.

use crate::engine::{Game, GameMove};
use crate::rules::Color;
use fastrand::Rng;
use std::collections::HashSet;

/// All positions so many plies from the first board of `game`, one for each canonical form, each with
/// the moves that lead to it. A ply puts a disc on the board; forced passes come on top. Games that
/// are over by then are left out.
///
/// The order is that of the moves, so it is always the same. Their number grows five times a ply:
/// on 8x8 there are 60 after four plies, 1773 after six and 67 245 after eight.
pub fn canonical(game: &Game, plies: u32) -> Vec<Game> {
    let mut layer = vec![game.clone()];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let children = layer.iter().flat_map(children);
        layer = children.filter(|child| !child.is_over() && seen.insert(canonical_key(child))).collect();
    }
    layer
}

/// The same games, with forced passes made, and of those that are alike then only the first.
pub fn with_a_move(games: &[Game]) -> Vec<Game> {
    let mut seen = HashSet::new();
    let passed = games.iter().map(|game| passed_if_forced(game.clone()));
    passed.filter(|game| seen.insert(canonical_key(game))).collect()
}

/// The games one disc on.
fn children(game: &Game) -> impl Iterator<Item = Game> {
    let game = passed_if_forced(game.clone());
    game.board().placements().into_iter().map(move |mv| after(game.clone(), mv))
}

fn passed_if_forced(game: Game) -> Game {
    if game.must_pass() { after(game, GameMove::Pass) } else { game }
}

fn after(mut game: Game, mv: GameMove) -> Game {
    game.play(mv).expect("only legal moves are made");
    game
}

/// The same for all images of a position, whichever colour is to move.
fn canonical_key(game: &Game) -> String {
    let board = game.board();
    let mover_is_black = board.to_move() == Color::Black;
    let (form, _) = board.to_naive().canonical();
    let cells = form.to_string();
    if mover_is_black { cells } else { cells.replace('X', "x").replace('O', "X").replace('x', "O") }
}

/// So many games of random moves, each `plies` plies long (forced passes on top) and none of them over.
/// They follow from the seed; the same one may come twice. Fewer than asked for if nearly all games
/// end sooner.
pub fn random(game: &Game, plies: u32, count: usize, seed: u64) -> Vec<Game> {
    let mut random = Rng::with_seed(seed);
    let attempts = std::iter::repeat_with(|| random_game(game, plies, &mut random));
    attempts.take(20 * count).flatten().take(count).collect()
}

/// `None` if the game is over too soon.
fn random_game(game: &Game, plies: u32, random: &mut Rng) -> Option<Game> {
    let mut game = game.clone();
    for _ in 0..plies {
        game = passed_if_forced(game);
        let mv = random.choice(game.board().placements())?;
        game = after(game, mv);
    }
    (!game.is_over()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameBoard;
    use crate::rules::{Passing, Rules, Start};

    fn start(size: &str) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::default(), Passing::Allowed)
    }

    /// The counts of the 6x6 enumeration (ply 0 to 5) and of 8x8.
    #[test]
    fn canonical_openings_are_all_there_once() {
        for (size, counts) in
            [("6x6", &[1, 1, 3, 14, 60, 314][..]), ("8x8", &[1, 1, 3, 14, 60]), ("12x12", &[1, 1, 3, 14])]
        {
            for (plies, &count) in counts.iter().enumerate() {
                let openings = canonical(&start(size), plies as u32);
                assert_eq!(openings.len(), count, "{size} after {plies} plies");
                assert!(openings.iter().all(|game| game.moves().len() == plies));
            }
        }
    }

    #[test]
    fn random_openings_follow_from_the_seed() {
        let transcripts = |seed| -> Vec<String> {
            random(&start("6x6"), 8, 20, seed).iter().map(Game::transcript).collect()
        };
        assert_eq!(transcripts(1), transcripts(1));
        assert_ne!(transcripts(1), transcripts(2));
        assert_eq!(transcripts(1).len(), 20);
    }

    #[test]
    fn no_opening_is_over() {
        assert!(random(&start("4x4"), 10, 30, 1).iter().all(|game| !game.is_over()));
        assert_eq!(random(&start("3x3"), 6, 3, 1).len(), 0, "five squares are empty at the start");
        assert_eq!(canonical(&start("3x3"), 6).len(), 0);
    }
}
