//! The search: plain alpha-beta with null windows, a table of bounds, and the moves that leave the other side fewest
//! moves first.

use super::fill::{around, moves};
use super::layout::{Discs, Layout, MOST_SQUARES};
use super::memory::{Bounds, Memory};
use reversi_terms::{Goal, Scoring};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// With fewer empty squares than this positions are not stored, and moves are tried in the order of parity.
const LEAST_EMPTIES_STORED: u32 = 6;
/// With this many empty squares or more the stored bounds of the children are tried first for a cut-off (ETC).
const LEAST_EMPTIES_ETC: u32 = 7;
/// Positions between two looks at whether the search is to stop.
const STOP_EVERY: u64 = 4096;
/// No legal move: below every score.
const NONE: i32 = -100;

/// Searches on one board of stride `S` under one set of rules.
pub(super) struct Search<const S: u32> {
    layout: Layout,
    /// -1 under the reversed goal, else 1.
    sign: i32,
    /// Of the board.
    squares: i32,
    /// 1 if the empty squares at the end go to the side with more discs, else 0.
    winner_takes: i32,
    memory: Memory,
    nodes: u64,
    /// The search ends unfinished after this many nodes.
    limit: u64,
    stop: Arc<AtomicBool>,
    given_up: bool,
}

/// A move with the discs it turns.
#[derive(Clone, Copy, Default)]
struct Candidate {
    flips: u64,
    place: u32,
    /// Tried in ascending order.
    rank: i32,
}

impl<const S: u32> Search<S> {
    pub fn new(
        layout: Layout,
        goal: Goal,
        scoring: Scoring,
        memory_bits: u32,
        stop: Arc<AtomicBool>,
    ) -> Search<S> {
        assert_eq!(layout.stride(), S);
        Search {
            squares: layout.board.count_ones() as i32,
            layout,
            sign: if goal == Goal::Normal { 1 } else { -1 },
            winner_takes: i32::from(scoring == Scoring::Winner),
            memory: Memory::new(memory_bits),
            nodes: 0,
            limit: u64::MAX,
            stop,
            given_up: false,
        }
    }

    /// The score of a finished game.
    #[inline]
    fn final_score(&self, discs: Discs) -> i32 {
        let (own, other) = (discs.own.count_ones() as i32, discs.other.count_ones() as i32);
        let empties = self.squares - own - other;
        self.score_of(own - other, empties)
    }

    /// The score of a finished game in which the side to move has this many discs more.
    #[inline]
    fn score_of(&self, difference: i32, empties: i32) -> i32 {
        self.sign * (difference + self.winner_takes * empties * difference.signum())
    }

    /// Null window: at or above `beta` the result is a lower bound of the score, below `beta` an upper bound. Once the
    /// search is given up it means nothing.
    fn bound(&mut self, discs: Discs, beta: i32) -> i32 {
        let empties = self.layout.empties(discs);
        if empties.count_ones() < LEAST_EMPTIES_STORED {
            return self.near_the_end(discs, empties, beta);
        }
        self.nodes += 1;
        if self.nodes >= self.limit || (self.nodes.is_multiple_of(STOP_EVERY) && self.stop.load(Relaxed)) {
            self.given_up = true;
        }
        if self.given_up {
            return 0;
        }
        let known = self.memory.find(self.packed(discs));
        if let Some(known) = known {
            if known.lower >= beta {
                return known.lower;
            }
            if known.upper < beta {
                return known.upper;
            }
        }
        let legal = moves::<S>(discs.own, discs.other, empties);
        if legal == 0 {
            return match moves::<S>(discs.other, discs.own, empties) {
                0 => self.final_score(discs),
                _ => -self.bound(passed(discs), 1 - beta),
            };
        }
        let mut candidates = [Candidate::default(); MOST_SQUARES];
        let count = self.candidates(discs, legal, known.map_or(0, |known| known.best), &mut candidates);
        let candidates = &mut candidates[..count];
        if empties.count_ones() >= LEAST_EMPTIES_ETC
            && let Some(score) = self.known_cut_off(discs, candidates, beta)
        {
            return score;
        }
        sort(candidates);
        let (mut best, mut best_place) = (NONE, 0);
        for candidate in candidates.iter() {
            let score = -self.bound(after(discs, candidate.flips, candidate.place), 1 - beta);
            if self.given_up {
                return 0;
            }
            if score > best {
                (best, best_place) = (score, candidate.place);
            }
            if best >= beta {
                break;
            }
        }
        // No score is beyond the squares of the board, so that bound says nothing.
        let squares = self.squares;
        let found = match best >= beta {
            true => Bounds { lower: best, upper: squares, best: best_place },
            false => Bounds { lower: -squares, upper: best, best: best_place },
        };
        self.memory.store(self.packed(discs), found);
        best
    }

    /// The discs below bit [`super::layout::PACKED_BITS`], as the memory keeps them. Boards of up to six columns have
    /// no more rows, so that theirs lie there already.
    #[inline(always)]
    fn packed(&self, discs: Discs) -> Discs {
        if S <= 7 { discs } else { self.layout.packed(discs) }
    }

    /// Lists all legal moves with their ranks, and returns their number.
    #[inline]
    fn candidates(
        &self,
        discs: Discs,
        legal: u64,
        first: u32,
        candidates: &mut [Candidate; MOST_SQUARES],
    ) -> usize {
        let odd = self.odd_quarters(self.layout.empties(discs));
        let mut rest = legal;
        let mut count = 0;
        while rest != 0 {
            let place = rest.trailing_zeros();
            let square = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let mut candidate =
                Candidate { flips: self.layout.flips(place, discs.own, discs.other), place, rank: 0 };
            candidate.rank = if place == first {
                i32::MIN
            } else {
                self.rank(after(discs, candidate.flips, candidate.place), square, odd)
            };
            candidates[count] = candidate;
            count += 1;
        }
        count
    }

    /// A weighted sum, least first: the moves of the other side (fastest first), the empty squares that touch the discs
    /// of the side that moved, a corner taken, corners left to the other side, and the parity of the quarter. The last
    /// three count the other way round under the reversed goal.
    ///
    /// The weights are those with the fewest nodes of some that were tried on ends of 6x6 tables of either goal.
    #[inline]
    fn rank(&self, next: Discs, square: u64, odd: u64) -> i32 {
        let empties = self.layout.empties(next);
        let replies = moves::<S>(next.own, next.other, empties);
        let frontier = (around::<S>(next.other) & empties).count_ones() as i32;
        let corners = (replies & self.layout.corners).count_ones() as i32;
        let takes_corner = i32::from(square & self.layout.corners != 0);
        let is_odd = i32::from(square & odd != 0);
        4 * replies.count_ones() as i32 + frontier + self.sign * (corners - 2 * takes_corner - is_odd)
    }

    /// The score of a move that a stored bound shows to be good enough (ETC).
    #[inline]
    fn known_cut_off(&self, discs: Discs, candidates: &[Candidate], beta: i32) -> Option<i32> {
        let scores = candidates.iter().filter_map(|candidate| {
            let next = after(discs, candidate.flips, candidate.place);
            self.memory.find(self.packed(next))
        });
        scores.map(|known| -known.upper).find(|&score| score >= beta)
    }

    /// [`Search::bound`] with few empty squares: without the table, and with no move ordering but parity. Under the
    /// normal goal squares in quarters with an odd number of empty squares come first; under the reversed goal last,
    /// and corners after all others.
    fn near_the_end(&mut self, discs: Discs, empties: u64, beta: i32) -> i32 {
        let odd = self.odd_quarters(empties);
        match empties.count_ones() {
            0 => self.final_score(discs),
            1 => self.last(discs, empties.trailing_zeros()),
            2 => self.two(discs, [empties.trailing_zeros(), 63 - empties.leading_zeros()], beta),
            3 => self.three(discs, empties, odd, beta),
            4 => self.several::<4>(discs, empties, odd, beta),
            _ => self.several::<5>(discs, empties, odd, beta),
        }
    }

    /// With `N` empty squares, four or five.
    fn several<const N: u32>(&mut self, discs: Discs, empties: u64, odd: u64, beta: i32) -> i32 {
        self.nodes += 1;
        let corners = self.layout.corners;
        let groups = match self.sign > 0 {
            true => [empties & odd, empties & !odd, 0],
            false => [empties & !odd & !corners, empties & odd & !corners, empties & corners],
        };
        let mut best = NONE;
        for mut squares in groups {
            while squares != 0 {
                let place = squares.trailing_zeros();
                squares &= squares - 1;
                let flips = self.layout.flips(place, discs.own, discs.other);
                if flips == 0 {
                    continue;
                }
                let next = after(discs, flips, place);
                let (left, odd) = (empties ^ 1 << place, odd ^ self.layout.quarter_of[place as usize]);
                let score = match N {
                    5 => -self.several::<4>(next, left, odd, 1 - beta),
                    _ => -self.three(next, left, odd, 1 - beta),
                };
                best = best.max(score);
                if best >= beta {
                    return best;
                }
            }
        }
        if best > NONE {
            return best;
        }
        match moves::<S>(discs.other, discs.own, empties) {
            0 => self.final_score(discs),
            _ => -self.several::<N>(passed(discs), empties, odd, 1 - beta),
        }
    }

    /// With three empty squares.
    fn three(&mut self, discs: Discs, empties: u64, odd: u64, beta: i32) -> i32 {
        self.nodes += 1;
        // One or three of them are in quarters with an odd number of them.
        let first = (empties & odd).trailing_zeros();
        let others = empties ^ 1 << first;
        let (one, other) = (others.trailing_zeros(), 63 - others.leading_zeros());
        let places = if self.sign > 0 { [first, one, other] } else { [one, other, first] };
        let best = self.best_of_three(discs, places, beta);
        if best > NONE {
            return best;
        }
        match self.best_of_three(passed(discs), places, 1 - beta) {
            NONE => self.final_score(discs),
            best => -best,
        }
    }

    /// As [`Search::bound`]; [`NONE`] if there is no move.
    #[inline(always)]
    fn best_of_three(&mut self, discs: Discs, [a, b, c]: [u32; 3], beta: i32) -> i32 {
        let mut best = NONE;
        for (place, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let flips = self.layout.flips(place, discs.own, discs.other);
            if flips != 0 {
                best = best.max(-self.two(after(discs, flips, place), left, 1 - beta));
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// With two empty squares.
    #[inline(never)]
    fn two(&mut self, discs: Discs, places: [u32; 2], beta: i32) -> i32 {
        self.nodes += 1;
        let best = self.best_of_two(discs, places, beta);
        if best > NONE {
            return best;
        }
        match self.best_of_two(passed(discs), places, 1 - beta) {
            NONE => self.final_score(discs),
            best => -best,
        }
    }

    /// As [`Search::bound`]; [`NONE`] if there is no move.
    #[inline(always)]
    fn best_of_two(&mut self, discs: Discs, [a, b]: [u32; 2], beta: i32) -> i32 {
        let mut best = NONE;
        for (place, left) in [(a, b), (b, a)] {
            let flips = self.layout.flips(place, discs.own, discs.other);
            if flips != 0 {
                best = best.max(-self.last(after(discs, flips, place), left));
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The score with one empty square.
    #[inline(always)]
    fn last(&self, discs: Discs, place: u32) -> i32 {
        let difference = 2 * discs.own.count_ones() as i32 + 1 - self.squares;
        match self.layout.last_flips(place, discs) {
            (0, 0) => self.score_of(difference, 1),
            (0, theirs) => self.sign * (difference - 2 * theirs - 1),
            (ours, _) => self.sign * (difference + 2 * ours + 1),
        }
    }

    #[inline]
    fn odd_quarters(&self, empties: u64) -> u64 {
        let quarters = self.layout.quarters;
        quarters.into_iter().filter(|quarter| (empties & quarter).count_ones() % 2 == 1).sum()
    }
}

/// Insertion sort: there are few, and the first of them often suffices.
#[inline]
fn sort(candidates: &mut [Candidate]) {
    for place in 1..candidates.len() {
        let moved = candidates[place];
        let mut hole = place;
        while hole > 0 && candidates[hole - 1].rank > moved.rank {
            candidates[hole] = candidates[hole - 1];
            hole -= 1;
        }
        candidates[hole] = moved;
    }
}

#[inline]
fn after(discs: Discs, flips: u64, place: u32) -> Discs {
    Discs { own: discs.other ^ flips, other: discs.own | flips | 1 << place }
}

#[inline]
fn passed(discs: Discs) -> Discs {
    Discs { own: discs.other, other: discs.own }
}

/// A search of any stride.
pub(super) trait AnySearch: Send {
    /// A lower bound if at or above `beta`, else an upper bound; `None` if the search was given up.
    fn bound(&mut self, discs: Discs, beta: i32) -> Option<i32>;

    /// All moves, by their bits, with the positions after them.
    fn children(&self, discs: Discs) -> Vec<(u32, Discs)>;

    /// Begins the search of another position, of at most this many nodes.
    fn begin(&mut self, nodes: u64);

    /// Positions looked at since the last [`AnySearch::begin`].
    fn nodes(&self) -> u64;
}

impl<const S: u32> AnySearch for Search<S> {
    fn bound(&mut self, discs: Discs, beta: i32) -> Option<i32> {
        let score = Search::bound(self, discs, beta);
        (!self.given_up).then_some(score)
    }

    fn children(&self, discs: Discs) -> Vec<(u32, Discs)> {
        let mut children = Vec::new();
        for place in 0..u64::BITS {
            let square = 1u64 << place;
            if self.layout.empties(discs) & square != 0 {
                let flips = self.layout.flips(place, discs.own, discs.other);
                if flips != 0 {
                    children.push((place, after(discs, flips, place)));
                }
            }
        }
        children
    }

    fn begin(&mut self, nodes: u64) {
        self.memory.grow_older();
        self.nodes = 0;
        self.limit = nodes;
        self.given_up = false;
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
