//! The check of a certificate: a claim about the score of one position, the moves of the side that gains by it, and the
//! bounds of the leaves on which it rests.
//!
//! The whole tree is walked by the plain-array rules: where the side that gains is to move its stored move is played,
//! elsewhere every move. Every end of the walk is a finished game with a score that is enough, or a leaf whose bound
//! is. The bounds were found by the solver; a sample of them, or all, is searched again by the verifier's own search,
//! in pieces ([`Chunk`]) whose results can be kept. Bounds of one position that exclude each other are a fault in
//! whatever claims they are.

mod contradictions;
mod leaves;
mod read;
mod walk;

pub use leaves::Chunk;
pub use read::{Certificate, CertificateError};

use crate::endgame::{Endgame, LONGEST_SIDE, MOST_SQUARES};
use crate::report::{Check, Outcome, Report};
use crate::{Sample, Tally};
use rayon::prelude::*;
use read::Claim;
use reversi_terms::{Goal, Scoring};
use std::convert::Infallible;
use std::fmt;
use walk::Walk;

/// Which side of a score a bound is on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// The score is that or more.
    AtLeast,
    /// The score is that or less.
    AtMost,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::AtLeast => "at least",
            Direction::AtMost => "at most",
        })
    }
}

/// What a certificate shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclusion {
    /// The position that it is about, row by row, then the side to move.
    pub position: String,
    /// The size of its board, as in `6x6`.
    pub board: String,
    /// The goal.
    pub goal: Goal,
    /// The scoring.
    pub scoring: Scoring,
    /// All bounds of the score that it claims.
    pub claims: Vec<(Direction, i32)>,
    /// Leaf bounds that the claims need.
    pub leaves: u64,
    /// How many of these the verifier has searched itself.
    pub searched: u64,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conclusion { position, board, goal, scoring, claims, leaves, searched } = self;
        writeln!(f, "{position} on {board}, {goal} goal, {scoring} scoring:")?;
        let claims: Vec<String> =
            claims.iter().map(|(direction, score)| format!("{direction} {score}")).collect();
        write!(f, "the score is {}: ", claims.join(" and "))?;
        if *leaves == 0 {
            f.write_str("proved, all games of the trees end within them")
        } else if searched == leaves {
            write!(f, "proved, all {leaves} leaf bounds were searched by the verifier too")
        } else {
            write!(
                f,
                "conditional on {leaves} leaf bounds found by the solver, {searched} of which were searched by the \
                 verifier too"
            )
        }
    }
}

impl Certificate {
    /// Checks the certificate, on all threads of the pool, and searches a sample of its leaves. `each` is called after
    /// every check. The conclusion is valid only if the report is sound.
    pub fn verify(&self, sample: Sample, each: impl FnMut(&Check)) -> (Report, Conclusion) {
        let search = |chunk: &Chunk| Ok::<_, Infallible>(chunk.search(&Default::default(), || ()));
        let Ok(found) = self.verify_with(sample, search, each);
        found
    }

    /// The same with a search of the leaves that may look up what is known of a chunk, or keep what it finds. Any
    /// thread calls it, once for each of [`Certificate::chunks`].
    ///
    /// # Errors
    /// An error of `search`; no other chunk is begun after it.
    pub fn verify_with<E: Send>(
        &self,
        sample: Sample,
        search: impl Fn(&Chunk) -> Result<Tally, E> + Sync,
        mut each: impl FnMut(&Check),
    ) -> Result<(Report, Conclusion), E> {
        let mut report = Report { checks: Vec::new() };
        let mut conclusion = Conclusion {
            position: self.root.to_string(),
            board: self.root.size().to_string(),
            goal: self.goal,
            scoring: self.scoring,
            claims: Vec::new(),
            leaves: 0,
            searched: 0,
        };
        let mut add = |check: Check| {
            each(&check);
            report.checks.push(check);
        };
        for (number, claim) in self.claims.iter().enumerate() {
            add(self.check_tree(claim));
            let (leaves, searched) = self.check_leaves(number, sample, &search)?;
            add(leaves);
            conclusion.claims.push((claim.direction, claim.score));
            conclusion.leaves += claim.leaves.len() as u64;
            conclusion.searched += searched;
        }
        add(contradictions::check(self));
        Ok((report, conclusion))
    }

    fn check_tree(&self, claim: &Claim) -> Check {
        let walk = Walk::through(self, claim);
        let words = match claim.direction {
            Direction::AtLeast => "with the stored moves the side to move gets the claimed score at least",
            Direction::AtMost => {
                "with the stored moves the other side keeps the score down to the claimed one"
            }
        };
        let remark = format!("{} positions, {} leaves", walk.positions, claim.leaves.len());
        let check = Check::new("tree", words, walk.positions, "positions", walk.faults.outcome());
        check.with_remark(remark)
    }

    /// Searches a sample of the leaves of a claim, and counts those that were settled.
    fn check_leaves<E: Send>(
        &self,
        claim: usize,
        sample: Sample,
        search: &(impl Fn(&Chunk) -> Result<Tally, E> + Sync),
    ) -> Result<(Check, u64), E> {
        let words = "the bound of a leaf is that of a search to the end of the game";
        let check = |searched, outcome| Check::new("leaves", words, searched, "leaves", outcome);
        if self.claims[claim].leaves.is_empty() {
            return Ok((check(0, Outcome::Passed).with_remark("the tree needs none".to_owned()), 0));
        }
        if !Endgame::takes(self.root.size()) {
            let why = format!(
                "the verifier's search has no boards of more than {MOST_SQUARES} squares or with a side beyond \
                 {LONGEST_SIDE}"
            );
            return Ok((check(0, Outcome::NotChecked(why)), 0));
        }
        let chunks = self.chunks_of(claim, sample);
        // One at a time, so that no thread holds back chunks that another one could search.
        let found = chunks.par_iter().with_max_len(1).map(search);
        let tally = found.try_reduce(Tally::default, |one, other| Ok(one.merge(other)))?;
        let (searched, drawn) = (tally.checked, chunks.iter().map(Chunk::leaf_count).sum::<usize>());
        let remark = format!("of {drawn} drawn from {}", self.claims[claim].leaves.len());
        let outcome = tally.outcome().of_sample(searched, drawn as u64, &remark);
        Ok((check(searched, outcome).with_remark(remark), searched))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::children;
    use crate::report::Verdict;
    use read::as_stored;
    use reversi_naive::{Board, Move, Size};
    use reversi_terms::Start;

    /// A certificate of these lines, with the first and the last one added.
    fn read(lines: &[&str]) -> Result<Certificate, CertificateError> {
        let body: String =
            ["reversi certificate 1"].iter().chain(lines).map(|line| format!("{line}\n")).collect();
        Certificate::read(&format!(
            "{body}end {} {:08x}\n",
            lines.len() + 1,
            crc32fast::hash(body.as_bytes())
        ))
    }

    /// One whose root is its only leaf, with a bound that every score has.
    fn of_one_leaf(width: u32, height: u32) -> Certificate {
        let size = Size::new(width, height).unwrap();
        let root = Board::start(size, Start::Diagonal).canonical().0;
        let least = format!("at-least -{}", size.square_count());
        let lines = [
            &*format!("board {size}"),
            "goal normal",
            "scoring raw",
            &format!("root {root}"),
            "depth 0",
            &format!("claim {least}"),
            &format!("leaf {root} {least}"),
        ];
        read(&lines).unwrap()
    }

    #[test]
    fn leaves_of_boards_beyond_the_search_are_not_checked() {
        let sample = Sample { entries: 1, seed: 1, nodes: 1_000_000 };
        for (width, height, is_searched) in
            [(8, 3, true), (3, 8, true), (9, 3, false), (3, 9, false), (8, 7, false), (24, 24, false)]
        {
            let (report, conclusion) = of_one_leaf(width, height).verify(sample, |_| ());
            assert_eq!(report.verdict(), Verdict::Sound, "{width}x{height}");
            let is_left_out = matches!(report.checks[1].outcome, Outcome::NotChecked(_));
            assert_eq!(
                (conclusion.searched, is_left_out),
                (is_searched.into(), !is_searched),
                "{width}x{height}"
            );
        }
    }

    /// The names of the checks that failed, when no leaf is searched.
    fn failed(certificate: &Certificate) -> Vec<&'static str> {
        let (report, _) = certificate.verify(Sample { entries: 0, seed: 1, nodes: 1 }, |_| ());
        let is_failed = |check: &&Check| matches!(check.outcome, Outcome::Failed { .. });
        report.checks.iter().filter(is_failed).map(|check| check.name).collect()
    }

    /// A certificate of a position of 4x4.
    fn of_4x4(root: &Board, depth: u32, claims: &[String]) -> Certificate {
        let (root, depth) = (format!("root {root}"), format!("depth {depth}"));
        let mut lines = vec!["board 4x4", "goal normal", "scoring raw", &root, &depth];
        lines.extend(claims.iter().map(String::as_str));
        read(&lines).unwrap()
    }

    /// The first move of a position, as in `b1`, and the position after it in the form of a leaf.
    fn first_move(board: &Board) -> (String, Board) {
        let (mv, after) = children(board).swap_remove(0);
        let Move::Play(column, row) = mv else { panic!("{board} has no move") };
        (format!("{}{}", char::from(b'a' + column as u8), row + 1), as_stored(&after).canonical().0)
    }

    #[test]
    fn bounds_of_one_position_that_exclude_each_other_are_a_fault() {
        let start = Board::start(Size::new(4, 4).unwrap(), Start::Diagonal);
        let form = start.canonical().0;
        let (square, leaf) = first_move(&form);
        let of_other_color = |letter| match letter {
            'X' => 'O',
            'O' => 'X',
            letter => letter,
        };
        let exchanged = start.to_string().chars().map(of_other_color).collect::<String>();
        let exchanged = Board::parse(None, &exchanged).unwrap();
        // The root is the only leaf.
        let at_once = |root: &Board, (least, most): (i32, i32), (leaf_least, leaf_most): (i32, i32)| {
            let lines = [
                format!("claim at-least {least}"),
                format!("leaf {form} at-least {leaf_least}"),
                format!("claim at-most {most}"),
                format!("leaf {form} at-most {leaf_most}"),
            ];
            failed(&of_4x4(root, 0, &lines))
        };
        for root in [&start, &form, &exchanged] {
            assert_eq!(at_once(root, (3, 3), (3, 3)), [""; 0]);
            assert_eq!(at_once(root, (3, 5), (4, 4)), [""; 0]);
            assert_eq!(at_once(root, (5, 3), (5, 3)), ["claims"]);
            assert_eq!(at_once(root, (3, 3), (4, 3)), ["claims"]);
        }
        // All moves of the start lead to one leaf; the claims agree.
        for (at_least, expected) in [(-3, vec![]), (-2, vec!["claims"])] {
            let lines = [
                "claim at-least 3".to_owned(),
                format!("move {form} {square}"),
                format!("leaf {leaf} at-most -3"),
                "claim at-most 3".to_owned(),
                format!("leaf {leaf} at-least {at_least}"),
            ];
            assert_eq!(failed(&of_4x4(&start, 1, &lines)), expected);
        }
    }

    #[test]
    fn a_line_that_is_not_needed_is_a_fault() {
        let form = Board::start(Size::new(4, 4).unwrap(), Start::Diagonal).canonical().0;
        let (square, leaf) = first_move(&form);
        let (further, _) = first_move(&leaf);
        let needed = [
            "claim at-least 3".to_owned(),
            format!("move {form} {square}"),
            format!("leaf {leaf} at-most -3"),
        ];
        assert_eq!(failed(&of_4x4(&form, 1, &needed)), [""; 0]);
        for more in [
            format!("leaf {form} at-least 3"),
            format!("leaf {form} at-most 3"),
            format!("leaf {leaf} at-least -3"),
            format!("move {leaf} {further}"),
        ] {
            let lines = [&needed[..], &[more]].concat();
            assert_eq!(failed(&of_4x4(&form, 1, &lines)), ["tree"], "{}", lines[3]);
        }
        // Of a leaf with the claimant to move.
        let lines = ["claim at-least 3".to_owned(), format!("leaf {form} at-least 3")];
        assert_eq!(failed(&of_4x4(&form, 0, &lines)), [""; 0]);
        let lines = [&lines[..], &[format!("move {form} {square}")]].concat();
        assert_eq!(failed(&of_4x4(&form, 0, &lines)), ["tree"]);
    }

    /// The other side has a move in each row, the claimant none anywhere, so that no line is needed.
    fn of_passes_alone(rows: u32, claims: usize) -> Certificate {
        let (board, root) = (format!("board 3x{rows}"), format!("root {} X", "XO-".repeat(rows as usize)));
        let depth = format!("depth {rows}");
        let mut lines = vec![&*board, "goal normal", "scoring raw", &root, &depth];
        let claim = format!("claim at-most {}", 3 * rows);
        lines.extend(std::iter::repeat_n(&*claim, claims));
        read(&lines).unwrap()
    }

    #[test]
    fn no_line_has_a_score_beyond_the_board() {
        let form = Board::start(Size::new(4, 4).unwrap(), Start::Diagonal).canonical().0;
        let text = |score: i32, leaf: i32| {
            let lines = [
                "board 4x4",
                "goal normal",
                "scoring raw",
                &format!("root {form}"),
                "depth 0",
                &format!("claim at-least {score}"),
                &format!("leaf {form} at-least {leaf}"),
            ];
            read(&lines).is_ok()
        };
        assert!(text(16, 16) && text(-16, -16));
        assert!(!text(17, 16) && !text(16, 17) && !text(-17, -16));
    }

    #[test]
    fn a_tree_that_no_line_bounds_is_given_up() {
        assert_eq!(failed(&of_passes_alone(12, 1)), [""; 0]);
        let sample = Sample { entries: 0, seed: 1, nodes: 1 };
        for claims in [1, 20] {
            let (report, _) = of_passes_alone(20, claims).verify(sample, |_| ());
            let trees = || report.checks.iter().filter(|check| check.name == "tree");
            assert!(trees().all(|check| matches!(check.outcome, Outcome::Failed { faults: 1, .. })));
            let positions: u64 = trees().map(|check| check.count).sum();
            assert!(positions < 21_000, "{positions}");
        }
    }

    #[test]
    fn a_tree_is_not_deeper_than_the_game() {
        let with_depth = |depth: &str| {
            let depth = format!("depth {depth}");
            read(&[
                "board 3x3",
                "goal normal",
                "scoring raw",
                "root XO------- X",
                &depth,
                "claim at-least -9",
            ])
        };
        assert!(with_depth("7").is_ok());
        for depth in ["8", "4294967295"] {
            let fault = "more plies than the root has empty squares";
            assert_eq!(with_depth(depth).unwrap_err(), CertificateError::Line { line: 6, fault });
        }
    }
}
