//! What a stored entry claims, and what the search finds of it.

use super::{Discs, Endgame};
use reversi_naive::Board;

/// An entry's claim about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Claim {
    /// The score for the side to move.
    pub score: i32,
    /// The square, row by row from 0, of the first of the best moves; `None` if no such claim is made.
    pub best: Option<u8>,
}

/// What a search found of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// All of it is right.
    Holds,
    /// The score is higher: at least this.
    TooLow(i32),
    /// The score is lower: at most this.
    TooHigh(i32),
    /// The score is right, but the move leads to less: at most this.
    WorseMove(i32),
    /// The score is right and the move is as good, but so is this one on an earlier square.
    LaterMove(u8),
    /// The score is right, but the move is not legal.
    NoMove,
    /// It was given up.
    Unfinished,
}

impl Endgame {
    /// Compares a claim with the rules, looking at no more than `nodes` positions.
    ///
    /// Where a move is claimed, it must reach the score (and no more), those on earlier squares must stay below, those
    /// on later ones must not exceed it: together that is the score, and that the move is the first of the best.
    pub fn check(&mut self, board: &Board, claim: Claim, nodes: u64) -> Finding {
        let discs = self.layout.discs(board);
        self.search.begin(nodes);
        let found = match claim.best {
            Some(best) => self.check_move(discs, claim.score, best),
            None => self.check_score(discs, claim.score),
        };
        found.unwrap_or(Finding::Unfinished)
    }

    fn check_score(&mut self, discs: Discs, score: i32) -> Option<Finding> {
        let found = self.search.bound(discs, score)?;
        if found < score {
            return Some(Finding::TooHigh(found));
        }
        let found = self.search.bound(discs, score + 1)?;
        Some(if found > score { Finding::TooLow(found) } else { Finding::Holds })
    }

    fn check_move(&mut self, discs: Discs, score: i32, best: u8) -> Option<Finding> {
        let numbered = |(place, child)| (self.layout.number_of_place(place), child);
        let mut children: Vec<(u8, Discs)> = self.search.children(discs).into_iter().map(numbered).collect();
        children.sort_unstable_by_key(|&(number, _)| number);
        let Some(&(_, chosen)) = children.iter().find(|&&(number, _)| number == best) else {
            return Some(match self.check_score(discs, score)? {
                Finding::Holds => Finding::NoMove,
                wrong => wrong,
            });
        };
        let reached = self.reaches(chosen, score)?;
        if reached < score {
            return Some(match self.check_score(discs, score)? {
                Finding::Holds => Finding::WorseMove(reached),
                wrong => wrong,
            });
        }
        let mut finding = Finding::Holds;
        for &(number, child) in &children {
            // An earlier move that reaches the score as well is a fault, but a higher score is a worse one.
            if number < best && finding == Finding::Holds && self.reaches(child, score)? >= score {
                finding = Finding::LaterMove(number);
            } else if number < best && finding == Finding::Holds {
                continue;
            }
            let reached = self.reaches(child, score + 1)?;
            if reached > score {
                return Some(Finding::TooLow(reached));
            }
        }
        Some(finding)
    }

    /// What the side that moved to `child` gets: a lower bound if at or above `score`, else an upper bound.
    fn reaches(&mut self, child: Discs, score: i32) -> Option<i32> {
        Some(-self.search.bound(child, 1 - score)?)
    }
}
