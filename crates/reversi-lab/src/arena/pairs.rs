//! Results by pairs of games: an opening played twice with colours swapped. Both games of a pair share the value of the
//! opening, so pairs vary less than single games, and their mean is known more precisely.

use super::game_report::GameReport;
use super::pentanomial::Pentanomial;
use super::sprt::{Hypothesis, Sprt};
use std::collections::{HashMap, HashSet};

/// Counts pairs in the order of their numbers, in whatever order their games end. So a stop rule stops at the same
/// pair, however many games are played at once.
#[derive(Clone, Debug, Default)]
pub struct PairCounter {
    rule: Option<Sprt>,
    counts: Pentanomial,
    /// The transcripts of the two games of each counted pair.
    seen: HashSet<[String; 2]>,
    /// Games by number that wait for their partner or for an earlier pair: half points of the first player, and
    /// transcript.
    waiting: HashMap<usize, (usize, String)>,
    /// Pairs that have been counted.
    next: usize,
    verdict: Option<Hypothesis>,
}

impl PairCounter {
    /// A counter of pairs until the rule, if there is one, decides.
    pub fn new(rule: Option<Sprt>) -> PairCounter {
        PairCounter { rule, ..PairCounter::default() }
    }

    /// Adds a game that has ended; after the decision nothing is counted.
    pub fn add(&mut self, report: &GameReport) {
        let half_points = match report.is_won_by_first() {
            Some(true) => 2,
            Some(false) => 0,
            None => 1,
        };
        self.waiting.insert(report.number, (half_points, report.duel.game.transcript()));
        while self.verdict.is_none() && self.count_next().is_some() {}
    }

    /// `None` if a game of the next pair is missing.
    fn count_next(&mut self) -> Option<()> {
        let numbers = [2 * self.next, 2 * self.next + 1];
        if !numbers.iter().all(|number| self.waiting.contains_key(number)) {
            return None;
        }
        let games = numbers.map(|number| self.waiting.remove(&number).expect("it is there"));
        self.counts.counts[games[0].0 + games[1].0] += 1;
        self.counts.different += u64::from(self.seen.insert(games.map(|(_, moves)| moves)));
        self.next += 1;
        self.verdict = self.rule.and_then(|rule| rule.verdict(&self.counts));
        Some(())
    }

    /// The pairs counted.
    pub fn counts(&self) -> Pentanomial {
        self.counts
    }

    /// What the rule has decided.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }

    /// Whether a game belongs to the match: after the decision only those of the pairs counted do.
    pub fn takes(&self, number: usize) -> bool {
        self.verdict.is_none() || number < 2 * self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::duel::{Duel, Effort, Ending, GameFault};
    use reversi_engine::{Game, GameBoard};
    use reversi_rules::{Color, Passing, Rules, Start};

    /// A game that the first player has won or lost, told from others by its number of moves.
    fn report(number: usize, first_wins: bool, moves: usize) -> GameReport {
        let first_board = GameBoard::start("8x8".parse().unwrap(), Start::Diagonal);
        let mut game = Game::new(first_board, Rules::default(), Passing::Allowed);
        for _ in 0..moves {
            let mv = game.legal_moves()[0];
            game.play(mv).unwrap();
        }
        let first_is_black = number.is_multiple_of(2);
        let loser = if first_is_black == first_wins { Color::White } else { Color::Black };
        let ending = Ending::Forfeit { loser, fault: GameFault::Resigned };
        GameReport { number, duel: Duel { game, infos: Vec::new(), ending, efforts: [Effort::default(); 2] } }
    }

    /// Shares 0, 1/4, 1/2, 3/4 and 1 of 1, 2, 3, 2 and 2 pairs: mean 0.55; squares of the deviations 0.3025, 0.18,
    /// 0.0075, 0.08 and 0.405, together 0.975; divided by 9 pairs 0.10833, by 10 the square of 0.10408.
    #[test]
    fn mean_and_interval_by_hand() {
        let pairs = Pentanomial::of_different([1, 2, 3, 2, 2]);
        assert!((pairs.share().unwrap() - 0.55).abs() < 1e-12);
        assert!((pairs.half_width().unwrap() - 1.959_964 * 0.104_083).abs() < 1e-6);
        let row = pairs.row();
        assert_eq!((row.pairs, row.won, row.drawn, row.lost), (10, 4, 3, 3));
        // 400 log10(0.55 / 0.45); the ends of the interval are 0.3460 and 0.7540.
        for (elo, by_hand) in [(row.elo, 34.86), (row.elo_low, -110.6), (row.elo_high, 194.6)] {
            assert!((elo.unwrap() - by_hand).abs() < 0.1, "{elo:?} {by_hand}");
        }
    }

    #[test]
    fn without_variation_no_interval_is_given() {
        let none = Pentanomial::default().row();
        assert_eq!((none.pairs, none.percent, none.elo), (0, None, None));
        let alike = Pentanomial::of_different([0, 0, 7, 0, 0]).row();
        assert_eq!((alike.percent, alike.elo, alike.elo_low), (Some(50.0), Some(0.0), None));
        let all_won = Pentanomial::of_different([0, 0, 0, 0, 7]).row();
        assert_eq!((all_won.percent, all_won.elo), (Some(100.0), None), "infinite");
    }

    #[test]
    fn a_pair_that_is_played_again_narrows_nothing() {
        let once = Pentanomial::of_different([3, 0, 0, 0, 5]);
        let twice = Pentanomial { counts: [6, 0, 0, 0, 10], different: 8 };
        assert_eq!(once.share(), twice.share());
        let (once, twice) = (once.half_width().unwrap(), twice.half_width().unwrap());
        assert!((once / twice - 1.0).abs() < 0.05, "{once} {twice}");
    }

    #[test]
    fn pairs_are_counted_in_their_order() {
        let games: Vec<GameReport> =
            [(true, 1), (true, 1), (true, 2), (false, 3), (false, 4), (false, 4), (true, 1), (true, 1)]
                .into_iter()
                .enumerate()
                .map(|(number, (first_wins, moves))| report(number, first_wins, moves))
                .collect();
        let mut counter = PairCounter::new(None);
        for (number, pairs) in [(5, 0), (0, 0), (4, 0), (7, 0), (1, 1), (3, 1), (2, 3), (6, 4)] {
            counter.add(&games[number]);
            assert_eq!(counter.counts().pairs(), pairs, "after game {number}");
        }
        assert_eq!(counter.counts(), Pentanomial { counts: [1, 0, 1, 0, 2], different: 3 });
        assert!(counter.takes(1_000_000));
    }

    #[test]
    fn the_rule_stops_at_the_same_pair_in_any_order() {
        let rule = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
        // Of three games the first player wins two.
        let games: Vec<GameReport> =
            (0..400).map(|number| report(number, number % 3 != 0, number / 2 % 40)).collect();
        let stopped_at = |order: Vec<usize>| {
            let mut counter = PairCounter::new(Some(rule));
            order.into_iter().for_each(|number| counter.add(&games[number]));
            (counter.counts(), counter.verdict(), counter.takes(398))
        };
        let in_order = stopped_at((0..400).collect());
        assert_eq!((in_order.1, in_order.2), (Some(Hypothesis::Second), false), "{in_order:?}");
        assert_eq!(stopped_at((0..400).rev().collect()), in_order);
        let mut random = fastrand::Rng::with_seed(5);
        let mut order: Vec<usize> = (0..400).collect();
        random.shuffle(&mut order);
        assert_eq!(stopped_at(order), in_order);
    }
}
