//! Openings for the games of a contest, so that no two pairs of games need to be the same.

use fastrand::Rng;
use reversi_engine::{Game, GameBoard, GameMove};
use reversi_rules::Color;
use reversi_rules::naive::{image_of, symmetries};
use reversi_solver::search::Stop;
use std::collections::HashSet;

/// All positions `plies` plies after `game`, one for each canonical form, each with the moves that lead to it. A ply
/// places a disc; forced passes are made in addition. Games that are over are left out.
///
/// The order follows the order of the moves, so it is always the same. The number of positions grows about fivefold
/// with each ply: on 8x8 there are 60 after four plies, 1773 after six and 67 245 after eight.
pub fn canonical(game: &Game, plies: u32) -> Vec<Game> {
    let tree = Tree::grow(game, plies, &Stop::never()).expect("nothing stops it");
    (0..tree.leaves()).map(|leaf| tree.game(leaf)).collect()
}

/// The first `count` of the games of [`canonical`] in a random order that the seed determines; all of them if there are
/// no more. `None` if `stop` was set: after ten plies there are millions to choose from.
pub fn drawn(game: &Game, plies: u32, count: usize, seed: u64, stop: &Stop) -> Option<Vec<Game>> {
    drawn_where(game, plies, count, seed, stop, |_| true)
}

/// As [`drawn`], but only games for which `wanted` is true; it is called for one game after the other until there are
/// enough.
pub fn drawn_where(
    game: &Game,
    plies: u32,
    count: usize,
    seed: u64,
    stop: &Stop,
    wanted: impl FnMut(&Game) -> bool,
) -> Option<Vec<Game>> {
    let tree = Tree::grow(game, plies, stop)?;
    let mut leaves: Vec<usize> = (0..tree.leaves()).collect();
    Rng::with_seed(seed).shuffle(&mut leaves);
    let games = leaves.into_iter().map(|leaf| tree.game(leaf));
    unless_stopped(games.take_while(|_| !stop.is_set()).filter(wanted).take(count).collect(), stop)
}

/// The first `count` of these games for which `wanted` is true, in a random order that the seed determines; `None` if
/// `stop` was set.
pub fn first_where(
    mut games: Vec<Game>,
    count: usize,
    seed: u64,
    stop: &Stop,
    wanted: impl FnMut(&Game) -> bool,
) -> Option<Vec<Game>> {
    Rng::with_seed(seed).shuffle(&mut games);
    let games = games.into_iter().take_while(|_| !stop.is_set());
    unless_stopped(games.filter(wanted).take(count).collect(), stop)
}

/// The predecessor and the last move of each canonical opening: of the millions after ten plies only those that are
/// played become games.
struct Tree<'a> {
    root: &'a Game,
    layers: Vec<Vec<Branch>>,
}

/// A place in the layer before, and the move from there; forced passes are left out.
struct Branch {
    parent: u32,
    mv: GameMove,
}

impl Tree<'_> {
    /// `None` if it was stopped.
    fn grow<'a>(root: &'a Game, plies: u32, stop: &Stop) -> Option<Tree<'a>> {
        let mut tree = Tree { root, layers: Vec::new() };
        for _ in 0..plies {
            let layer = tree.next_layer(stop)?;
            tree.layers.push(layer);
        }
        Some(tree)
    }

    fn next_layer(&self, stop: &Stop) -> Option<Vec<Branch>> {
        let (mut seen, mut layer) = (HashSet::new(), Vec::new());
        for place in 0..self.leaves() {
            if stop.is_set() {
                return None;
            }
            let parent = u32::try_from(place).expect("the memory is full long before");
            let game = passed_if_forced(self.game(place));
            for mv in game.board().placements() {
                let child = after(game.clone(), mv);
                if !child.is_over() && seen.insert(canonical_key(child.board())) {
                    layer.push(Branch { parent, mv });
                }
            }
        }
        Some(layer)
    }

    /// The number of openings in the last layer.
    fn leaves(&self) -> usize {
        self.layers.last().map_or(1, Vec::len)
    }

    /// The game to a leaf, all its moves made.
    fn game(&self, leaf: usize) -> Game {
        let mut place = leaf;
        let up = self.layers.iter().rev().map(|layer| {
            let Branch { parent, mv } = layer[place];
            place = parent as usize;
            mv
        });
        let moves: Vec<GameMove> = up.collect();
        moves.into_iter().rev().fold(self.root.clone(), |game, mv| after(passed_if_forced(game), mv))
    }
}

/// The games with forced passes made; of games that then have the same position up to symmetry only the first.
pub fn with_a_move(games: &[Game]) -> Vec<Game> {
    let mut seen = HashSet::new();
    let passed = games.iter().map(|game| passed_if_forced(game.clone()));
    passed.filter(|game| seen.insert(canonical_key(game.board()))).collect()
}

fn passed_if_forced(game: Game) -> Game {
    if game.must_pass() { after(game, GameMove::Pass) } else { game }
}

fn after(mut game: Game, mv: GameMove) -> Game {
    game.play(mv).expect("only legal moves are made");
    game
}

/// A key that is the same for all images of a position, and does not depend on which colour is to move: the least
/// sorted list of discs, each its square and whether it is the mover's. With few discs it is short even on the largest
/// board.
pub(crate) fn canonical_key(board: &GameBoard) -> Box<[u16]> {
    let size = board.size();
    let discs: Vec<_> = size
        .squares()
        .filter_map(|(column, row)| board.disc(column, row).map(|color| (column, row, color)))
        .collect();
    let image = |symmetry| {
        let disc = |&(column, row, color): &(u32, u32, Color)| {
            let (column, row) = image_of(size, symmetry, (column, row));
            (2 * (row * size.width() + column) + u32::from(color == board.to_move())) as u16
        };
        let mut image: Box<[u16]> = discs.iter().map(disc).collect();
        image.sort_unstable();
        image
    };
    symmetries(size).map(image).min().expect("the identity is there")
}

/// `count` games of random moves, each `plies` plies long (forced passes in addition) and none of them over. The seed
/// determines them; the same game may occur twice. Fewer if nearly all games end sooner. `None` if `stop` was set.
pub fn random(game: &Game, plies: u32, count: usize, seed: u64, stop: &Stop) -> Option<Vec<Game>> {
    let mut random = Rng::with_seed(seed);
    let games = random_games(game, plies, count.saturating_mul(20), &mut random, stop);
    unless_stopped(games.take(count).collect(), stop)
}

/// As [`random`], but only games for which `wanted` is true. Fewer than `count` if fewer than one game in a hundred is
/// wanted.
pub fn random_where(
    game: &Game,
    plies: u32,
    count: usize,
    seed: u64,
    stop: &Stop,
    wanted: impl FnMut(&Game) -> bool,
) -> Option<Vec<Game>> {
    let mut random = Rng::with_seed(seed);
    let games = random_games(game, plies, count.saturating_mul(100), &mut random, stop);
    unless_stopped(games.filter(wanted).take(count).collect(), stop)
}

/// Games of random moves as in [`random`], each position once up to symmetry: the first `count` for which `wanted` is
/// true. Fewer if `attempts` games do not give as many, or if `stop` was set.
pub fn random_distinct(
    game: &Game,
    plies: u32,
    (count, attempts): (usize, usize),
    seed: u64,
    stop: &Stop,
    wanted: impl FnMut(&Game) -> bool,
) -> Vec<Game> {
    let (mut random, mut seen) = (Rng::with_seed(seed), HashSet::new());
    let games = random_games(game, plies, attempts, &mut random, stop);
    let distinct = games.filter(|game| seen.insert(canonical_key(game.board())));
    distinct.filter(wanted).take(count).collect()
}

/// Random games, one for each attempt, without those that are over too soon; ends when stopped.
fn random_games(
    game: &Game,
    plies: u32,
    attempts: usize,
    random: &mut Rng,
    stop: &Stop,
) -> impl Iterator<Item = Game> {
    let games = std::iter::repeat_with(move || random_game(game, plies, random));
    games.take(attempts).take_while(|_| !stop.is_set()).flatten()
}

fn unless_stopped(games: Vec<Game>, stop: &Stop) -> Option<Vec<Game>> {
    (!stop.is_set()).then_some(games)
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
    use reversi_engine::GameBoard;
    use reversi_rules::{Passing, Rules, Start};

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

    /// Played matches are played again from their seeds, so the order must stay what it was.
    #[test]
    fn drawn_openings_are_the_first_in_an_order_that_follows_from_the_seed() {
        let transcripts = |size, count, seed| -> Vec<String> {
            let games = drawn(&start(size), 4, count, seed, &Stop::never()).unwrap();
            games.iter().map(Game::transcript).collect()
        };
        let (all, few) = (transcripts("8x8", usize::MAX, 1), transcripts("8x8", 3, 1));
        assert_eq!((all.len(), &all[..3]), (60, &few[..]));
        assert_eq!(few, ["d3c3e6e3", "d3e3f6c4", "d3c5e6f3"]);
        assert_eq!(transcripts("12x12", 2, 5), ["f5e7h8h5", "f5e5d5e7"]);
        assert_ne!(few, transcripts("8x8", 3, 2));
    }

    /// Without its passes an opening would not be the game it stands for.
    #[test]
    fn forced_passes_are_made_on_the_way() {
        let openings = canonical(&start("4x4"), 8);
        assert!(openings.iter().any(|game| game.moves().contains(&GameMove::Pass)));
        let placements = |game: &Game| game.moves().iter().filter(|&&mv| mv != GameMove::Pass).count();
        assert!(openings.iter().all(|game| placements(game) == 8));
    }

    #[test]
    fn random_openings_follow_from_the_seed() {
        let transcripts = |seed| -> Vec<String> {
            let games = random(&start("6x6"), 8, 20, seed, &Stop::never()).unwrap();
            games.iter().map(Game::transcript).collect()
        };
        assert_eq!(transcripts(1), transcripts(1));
        assert_ne!(transcripts(1), transcripts(2));
        assert_eq!(transcripts(1).len(), 20);
    }

    #[test]
    fn only_wanted_openings_are_drawn_and_until_there_are_enough() {
        let wanted = |game: &Game| game.board().count(Color::Black) == game.board().count(Color::White);
        let (game, never) = (start("6x6"), Stop::never());
        let even = random_where(&game, 6, 20, 1, &never, wanted).unwrap();
        assert_eq!((even.len(), even.iter().all(wanted)), (20, true));
        assert!(!random(&game, 6, 20, 1, &never).unwrap().iter().all(wanted), "some are not wanted");
        assert_eq!(
            random_where(&game, 6, 20, 1, &never, |_| false).unwrap().len(),
            0,
            "an end comes all the same"
        );
        let all = canonical(&game, 4).iter().filter(|&game| wanted(game)).count();
        assert_eq!(drawn_where(&game, 4, 1000, 1, &never, wanted).unwrap().len(), all);
    }

    #[test]
    fn distinct_openings_are_distinct_up_to_symmetry() {
        let (game, never) = (start("8x8"), Stop::never());
        let found = random_distinct(&game, 3, (1000, 2000), 1, &never, |_| true);
        assert_eq!(found.len(), 14, "all there are after three plies");
        let wanted = |game: &Game| game.board().count(Color::Black) == 4;
        let few = random_distinct(&game, 4, (5, 2000), 1, &never, wanted);
        assert_eq!((few.len(), few.iter().all(wanted)), (5, true));
    }

    #[test]
    fn a_stop_while_openings_are_looked_at_is_heard() {
        fn stopping(stop: &Stop) -> impl FnMut(&Game) -> bool {
            move |_| {
                stop.set();
                true
            }
        }
        let stop = Stop::never();
        assert!(drawn_where(&start("6x6"), 4, 20, 1, &stop, stopping(&stop)).is_none());
        let stop = Stop::never();
        assert!(random_where(&start("6x6"), 4, 20, 1, &stop, stopping(&stop)).is_none());
    }

    #[test]
    fn no_opening_is_over() {
        let random = |size, plies| random(&start(size), plies, 30, 1, &Stop::never()).unwrap();
        assert!(random("4x4", 10).iter().all(|game| !game.is_over()));
        assert_eq!(random("3x3", 6).len(), 0, "five squares are empty at the start");
        assert_eq!(canonical(&start("3x3"), 6).len(), 0);
    }

    /// Ten plies of 8x8 would take minutes and gigabytes.
    #[test]
    fn a_stop_is_heard_at_every_position() {
        let stop = Stop::after_looks(100);
        assert!(drawn(&start("8x8"), 10, 3, 1, &stop).is_none());
        assert!(random(&start("8x8"), 30, usize::MAX / 20, 1, &Stop::after_looks(100)).is_none());
    }
}
