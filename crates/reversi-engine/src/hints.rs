//! Values of all legal moves by a player, with iterative deepening.

pub use super::player::Hint;

use super::player::{Info, Limits, Player, PlayerError, Value};
use reversi_rules::game::{Game, GameMove};
use reversi_rules::symmetry::Symmetry;
use reversi_rules::{Color, Geometry, Score, Square};
use reversi_solver::search::Stop;
use std::cmp::Ordering;

/// The largest depth in plies: the start of 8x8 has no more moves to come.
pub const MAX_DEPTH: u32 = 60;

/// Evaluates every legal move with increasing depth, from 2 to `depth` plies, forced passes and replies not counted.
/// Calls `report` for each completed iteration with the hints, best first, and the nodes so far. Ends when all values are
/// proved or a further iteration reaches no deeper; an iteration that `stop` interrupts is not reported.
///
/// A player with a book is not searched where the book knows all moves: its hints are the one report. Elsewhere its book
/// is not used, so that all values come from searches of the same depth.
///
/// Without a report if the game is over or the player has no evaluation. Returns all nodes, those of unreported
/// iterations included.
///
/// # Errors
/// [`PlayerError`] if the player fails, unless `stop` is set: then the error ends the iteration.
pub fn deepen(
    player: &mut dyn Player,
    game: &Game,
    depth: u32,
    stop: &Stop,
    mut report: impl FnMut(&[Hint], u64),
) -> Result<u64, PlayerError> {
    if let Some(hints) = player.book_hints(game) {
        report(&hints, 0);
        return Ok(0);
    }
    match player.searcher() {
        Some(searcher) => search(searcher, game, depth, stop, report),
        None => search(player, game, depth, stop, report),
    }
}

/// [`deepen`] by searches.
fn search(
    player: &mut dyn Player,
    game: &Game,
    depth: u32,
    stop: &Stop,
    mut report: impl FnMut(&[Hint], u64),
) -> Result<u64, PlayerError> {
    // The reach of the positions after the moves would be one ply more.
    let own_depth = player.reach(game.board().empty_count()).unwrap_or(MAX_DEPTH);
    let deepest = depth.min(own_depth).clamp(2, MAX_DEPTH);
    let (mut depth, mut reached_before, mut nodes) = (2, (0, 0), 0);
    while let Some(hints) = iteration(player, game, depth, stop, &mut nodes)? {
        let proved = hints.iter().filter(|hint| hint.value.is_exact()).count();
        let reached = (hints.iter().map(|hint| hint.depth).sum::<u32>(), proved);
        let is_deeper = reached != reached_before;
        reached_before = reached;
        if is_deeper {
            report(&hints, nodes);
        }
        if depth == deepest || proved == hints.len() {
            break;
        }
        // A search that reaches no deeper with one ply more may still prove the end of the game at full depth.
        depth = if is_deeper { depth + 1 } else { deepest };
    }
    Ok(nodes)
}

/// All legal moves at one depth, best first; `None` if stopped or if the player has no evaluation. Adds the nodes to
/// `nodes` in every case.
fn iteration(
    player: &mut dyn Player,
    game: &Game,
    depth: u32,
    stop: &Stop,
    nodes: &mut u64,
) -> Result<Option<Vec<Hint>>, PlayerError> {
    let mut hints = Vec::new();
    let symmetries = if player.is_symmetric() { symmetries_of(game) } else { Vec::new() };
    for mv in game.legal_moves() {
        // Searched separately, a mirror image could get another value, since ProbCut may cut differently.
        if let Some(image) = symmetries.iter().find_map(|image| image.of_one(&hints, mv)) {
            hints.push(image);
            continue;
        }
        // A pass fills no square: counted, it would keep the search from the last one.
        let after = if mv == GameMove::Pass { depth } else { depth - 1 };
        let found = match evaluate_after(player, game, mv, Some(after), stop) {
            // A player that plays only proved moves has no move when stopped.
            Err(_) if stop.is_set() => return Ok(None),
            found => found?,
        };
        *nodes += found.nodes;
        match hint(mv, found) {
            Some(hint) if !stop.is_set() => hints.push(hint),
            _ => return Ok(None),
        }
    }
    hints.sort_by(best_first);
    Ok(Some(hints))
}

/// A symmetry of a board that leaves the position on it as it is.
struct Image {
    geometry: Geometry,
    symmetry: Symmetry,
}

/// All such symmetries of a game's position except the identity; none on boards beyond 8x8.
fn symmetries_of(game: &Game) -> Vec<Image> {
    let Some(board) = game.board().small() else { return Vec::new() };
    let (geometry, position) = (board.geometry, board.position());
    let all = Symmetry::all(geometry).iter().filter(|&&symmetry| symmetry != Symmetry::IDENTITY);
    all.filter(|symmetry| symmetry.apply(geometry, position) == position)
        .map(|&symmetry| Image { geometry, symmetry })
        .collect()
}

impl Image {
    fn of(&self, mv: GameMove) -> GameMove {
        let GameMove::Play(column, row) = mv else { return mv };
        let square = self.symmetry.apply_square(self.geometry, Square::at(column, row));
        GameMove::Play(square.column(), square.row())
    }

    /// The hint for `mv`, if it is the image of a move that has a hint.
    fn of_one(&self, hints: &[Hint], mv: GameMove) -> Option<Hint> {
        let hint = hints.iter().find(|hint| self.of(hint.mv) == mv)?;
        let pv = hint.pv.iter().map(|&mv| self.of(mv)).collect();
        Some(Hint { mv, pv, nodes: 0, ..hint.clone() })
    }
}

/// Orders hints by value. Proved values are in discs and not comparable with points: a proved win stands before all
/// points and a proved loss behind them.
fn best_first(one: &Hint, other: &Hint) -> Ordering {
    let key = |value: Value| match value {
        Value::Exact(score) => (score.discs().signum(), value.number()),
        _ => (0, value.number()),
    };
    let ((proved_sign, number), (other_proved_sign, other_number)) = (key(one.value), key(other.value));
    let of_points = [one, other].iter().any(|hint| matches!(hint.value, Value::Points(_)));
    let by_proof = if of_points { other_proved_sign.cmp(&proved_sign) } else { Ordering::Equal };
    by_proof.then(other_number.total_cmp(&number))
}

/// The player's search result for the position after a legal move, with the value for the side to move there.
///
/// # Errors
/// [`PlayerError`] if the player fails.
pub(super) fn evaluate_after(
    player: &mut dyn Player,
    game: &Game,
    mv: GameMove,
    depth: Option<u32>,
    stop: &Stop,
) -> Result<Info, PlayerError> {
    let mut game = game.clone();
    game.play(mv).expect("legal moves can be played");
    evaluate(player, &game, &Limits { depth, ..Limits::default() }, stop)
}

/// The hint of a move: the negated value of the position after it.
fn hint(mv: GameMove, after: Info) -> Option<Hint> {
    let Info { value, depth, nodes, pv, .. } = after;
    value.map(|value| Hint {
        mv,
        value: -value,
        depth: depth + plies(&[mv]),
        nodes,
        pv: [vec![mv], pv].concat(),
        is_from_book: false,
    })
}

/// The player's search result for a position, with the value for the side to move. Forced moves, which players make
/// without a search, are played first; a finished game has its result.
///
/// # Errors
/// [`PlayerError`] if the player fails.
pub fn evaluate(
    player: &mut dyn Player,
    game: &Game,
    limits: &Limits,
    stop: &Stop,
) -> Result<Info, PlayerError> {
    let mover = game.to_move();
    let mut game = game.clone();
    let mut forced = Vec::new();
    while let [only] = game.legal_moves()[..] {
        game.play(only).expect("legal moves can be played");
        forced.push(only);
    }
    let mut info = match game.result() {
        Some(result) => Info { value: Some(final_value(result.score, game.to_move())), ..Info::default() },
        None => player.choose(&game, limits, stop)?.info,
    };
    if game.to_move() != mover {
        info.value = info.value.map(|value| -value);
    }
    info.depth += plies(&forced);
    info.pv.splice(0..0, forced);
    Ok(info)
}

/// Discs placed.
fn plies(moves: &[GameMove]) -> u32 {
    moves.iter().filter(|&&mv| mv != GameMove::Pass).count() as u32
}

/// The value for the side to move of a result for Black. Results beyond the range of a [`Score`], on larger boards,
/// become points.
fn final_value(blacks: i32, to_move: Color) -> Value {
    let discs = if to_move == Color::Black { blacks } else { -blacks };
    match discs.unsigned_abs() {
        0..=64 => Value::Exact(Score::new(discs)),
        _ => Value::Points(discs.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, GameBoard, PlayerSpec, Resources};
    use reversi_rules::{Passing, Rules, Start};
    use reversi_solver::eval::Eval;

    fn player(name: &str) -> Box<dyn Player> {
        name.parse::<PlayerSpec>().unwrap().build(&Resources::default(), 1)
    }

    fn game(size: &str, transcript: &str) -> Game {
        let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
        let mut game = Game::new(first, Rules::default(), Passing::Allowed);
        game.play_transcript(transcript).unwrap();
        game
    }

    fn rounds(name: &str, game: &Game, depth: u32) -> Vec<Vec<Hint>> {
        let mut rounds = Vec::new();
        deepen(&mut *player(name), game, depth, &Stop::never(), |hints, _| rounds.push(hints.to_vec()))
            .unwrap();
        rounds
    }

    #[test]
    fn a_forced_pass_takes_no_ply_from_the_search() {
        for (board, player) in [
            ("XOOXOXX-X-XXXOXOX-XXX--X X", "engine:level=20"),
            ("O-XXXXOXXXXOO-XXOOO- O", "engine:level=10"),
            ("O-XXXXOXXXXOO-XXOOO- O", "engine:depth=3"),
        ] {
            let size = if board.len() == 26 { "4x6" } else { "5x4" }.parse().ok();
            let first = GameBoard::parse(size, board).unwrap();
            let game = Game::new(first, Rules::default(), Passing::Allowed);
            assert!(game.must_pass(), "{board}");
            let rounds = rounds(player, &game, MAX_DEPTH);
            assert!(rounds.last().unwrap()[0].value.is_exact(), "{board} {player}: {rounds:?}");
        }
    }

    /// Searches as deep as requested, up to 5 plies, and evaluates every position as equal.
    struct FixedDepth;

    impl Player for FixedDepth {
        fn name(&self) -> &str {
            "obedient"
        }

        fn new_game(&mut self, _: u64) {}

        fn choose(&mut self, game: &Game, limits: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
            let mut choice = Choice::plain(game.legal_moves()[0]);
            choice.info.depth = limits.depth.unwrap_or(5).min(5);
            choice.info.value = Some(Value::Estimate(Eval::from_discs(choice.info.depth.into())));
            Ok(choice)
        }
    }

    #[test]
    fn nodes_of_unreported_iterations_are_counted() {
        let game = game("8x8", "f5");
        let visited = |stop_at: Option<u32>| {
            let (stop, mut asked) = (Stop::never(), 0);
            let mut counting = Counting { stop: stop_at.map(|asks| (asks, stop.clone())), asks: &mut asked };
            let mut reported = 0;
            let all = deepen(&mut counting, &game, 30, &stop, |_, nodes| reported = nodes).unwrap();
            (reported, all, u64::from(asked))
        };
        // Three moves in each of the iterations from 2 to 6, in the one without progress, and in the last.
        assert_eq!(visited(None), (10 * 3 * 5, 10 * 3 * 7, 3 * 7));
        assert_eq!(visited(Some(8)), (10 * 3 * 2, 10 * 8, 8), "the second of the third round is interrupted");
    }

    /// Searches like `FixedDepth`, and reports ten nodes for each call.
    struct Counting<'a> {
        /// The number of calls after which the stop is set.
        stop: Option<(u32, Stop)>,
        asks: &'a mut u32,
    }

    impl Player for Counting<'_> {
        fn name(&self) -> &str {
            "counting"
        }

        fn new_game(&mut self, _: u64) {}

        fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
            *self.asks += 1;
            if let Some((_, stop)) = self.stop.as_ref().filter(|(asks, _)| asks == self.asks) {
                stop.set();
            }
            let mut choice = FixedDepth.choose(game, limits, stop)?;
            choice.info.nodes = 10;
            Ok(choice)
        }
    }

    /// Sets the stop when called, and returns no move.
    struct StoppedWithoutMove(Stop);

    impl Player for StoppedWithoutMove {
        fn name(&self) -> &str {
            "late"
        }

        fn new_game(&mut self, _: u64) {}

        fn choose(&mut self, _: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
            self.0.set();
            Err(PlayerError::OutOfTime { player: self.name().to_owned() })
        }
    }

    #[test]
    fn having_no_move_after_a_stop_is_no_failure() {
        let (game, stop_flag) = (game("8x8", "f5"), Stop::never());
        let found = |stop| {
            deepen(&mut StoppedWithoutMove(stop_flag.clone()), &game, 4, stop, |_, _| panic!("no round"))
        };
        assert_eq!(found(&stop_flag), Ok(0));
        assert!(matches!(found(&Stop::never()), Err(PlayerError::OutOfTime { .. })));
    }

    #[test]
    fn iterations_deepen_as_long_as_the_player_searches_deeper() {
        let rounds_to = |depth| {
            let mut rounds = Vec::new();
            let game = game("8x8", "f5");
            deepen(&mut FixedDepth, &game, depth, &Stop::never(), |hints, _| rounds.push(hints.to_vec()))
                .unwrap();
            rounds
        };
        let depths = |rounds: &[Vec<Hint>]| rounds.iter().map(|hints| hints[0].depth).collect::<Vec<_>>();
        assert_eq!(depths(&rounds_to(4)), [2, 3, 4]);
        assert_eq!(depths(&rounds_to(30)), [2, 3, 4, 5, 6]);
        let round = &rounds_to(2)[0];
        assert_eq!(round.len(), 3, "every legal move");
        assert_eq!(
            round[0].value,
            Value::Estimate(Eval::from_discs(-1.0)),
            "from the viewpoint of the other side"
        );
    }

    #[test]
    fn moves_that_are_images_of_each_other_are_worth_the_same() {
        for round in rounds("engine:depth=7,cuts=on", &game("8x8", ""), 7) {
            assert_eq!(round.len(), 4);
            let searched: Vec<&Hint> = round.iter().filter(|hint| hint.nodes > 0).collect();
            assert_eq!(searched.len(), 1);
            for hint in &round {
                assert_eq!((hint.value, hint.depth, hint.pv[0]), (round[0].value, round[0].depth, hint.mv));
                let mut played = game("8x8", "");
                hint.pv.iter().for_each(|&mv| played.play(mv).unwrap());
            }
        }
        // A player that does not say so is asked for each.
        let rounds = rounds("alphabeta:2", &game("8x8", ""), 2);
        assert!(rounds[0].iter().all(|hint| hint.nodes > 0));
    }

    #[test]
    fn a_level_searches_several_moves_as_deep_as_one() {
        for (name, deepest) in [("engine:level=3", 3), ("engine:depth=4", 4), ("engine:level=1", 2)] {
            let rounds = rounds(name, &game("6x6", "c2"), 30);
            let depths = rounds.iter().map(|round| round.iter().map(|hint| hint.depth).max().unwrap());
            assert_eq!(depths.collect::<Vec<_>>(), (2..=deepest).collect::<Vec<_>>(), "{name}");
        }
    }

    #[test]
    fn a_level_proves_the_end_of_several_moves_as_of_one() {
        let game = game("4x4", "b1a1a2c1d1");
        let rounds = rounds("engine:level=4", &game, 30);
        let last = rounds.last().unwrap();
        assert!(last.iter().all(|hint| hint.value.is_exact()), "{last:?}");
    }

    #[test]
    fn moves_come_best_first_with_the_principal_variation() {
        let rounds = rounds("alphabeta:2,discs", &game("8x8", "f5d6c3"), 30);
        assert_eq!(rounds.len(), 1, "a player of fixed depth is asked once");
        assert!(rounds[0].is_sorted_by(|one, other| one.value.number() >= other.value.number()));
        assert!(rounds[0].iter().all(|hint| hint.depth == 3 && hint.pv[0] == hint.mv));
    }

    #[test]
    fn points_stand_between_a_sure_win_and_a_sure_loss() {
        let exact = |discs| Value::Exact(Score::new(discs));
        let in_order = [exact(2), Value::Points(120), exact(0), Value::Points(-90), exact(-1)];
        let hint = |value| Hint {
            mv: GameMove::Pass,
            value,
            depth: 1,
            nodes: 0,
            pv: Vec::new(),
            is_from_book: false,
        };
        let mut hints = [3, 0, 4, 1, 2].map(|place: usize| hint(in_order[place]));
        hints.sort_by(best_first);
        assert_eq!(hints.map(|hint| hint.value), in_order);
    }

    #[test]
    fn the_last_move_is_worth_the_result() {
        let game = game("4x4", "b1a1a2c1d1a3a4d2d3b4c4");
        let rounds = rounds("alphabeta:9,discs", &game, 30);
        assert_eq!(rounds.len(), 1, "proved at once");
        let hint = &rounds[0][0];
        assert_eq!((hint.mv.to_string().as_str(), hint.value), ("d4", Value::Exact(Score::new(4))));
    }

    #[test]
    fn no_report_without_an_evaluation_without_a_move_or_after_a_stop() {
        assert!(rounds("random", &game("8x8", ""), 5).is_empty());
        assert!(rounds("alphabeta:3", &game("4x4", "b1a1a2c1d1a3a4d2d3b4c4d4"), 5).is_empty());
        let stop = Stop::already();
        deepen(&mut *player("alphabeta:3"), &game("8x8", ""), 5, &stop, |_, _| {
            panic!("stopped before it began")
        })
        .unwrap();
    }
}
