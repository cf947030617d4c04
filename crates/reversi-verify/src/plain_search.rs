//! The verifier's own search: alpha-beta over squares in an array, with nothing remembered.
//!
//! It plays by walking along the eight directions from a square, square by square. Tests compare it with minimax over
//! the plain-array rules. Moves that leave the other side the fewest moves are tried first, which changes no result.

use reversi_naive::{Board, Size};
use reversi_terms::{Goal, Scoring};

/// Squares of the largest board, as in the endgame search, which is compared with this one.
const MOST_SQUARES: usize = 49;
/// With fewer empty squares moves are tried in the order of squares.
const SORTED: usize = 5;
const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// What stands on each square, row by row.
type Cells = [Cell; MOST_SQUARES];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    First,
    Second,
}

impl Cell {
    fn other(self) -> Cell {
        match self {
            Cell::Empty => Cell::Empty,
            Cell::First => Cell::Second,
            Cell::Second => Cell::First,
        }
    }
}

/// Searches on one board under one set of rules, until its nodes are used up.
pub(super) struct PlainSearch {
    squares: usize,
    /// From each square in each direction the squares up to the edge.
    rays: Vec<Vec<Vec<usize>>>,
    goal: Goal,
    scoring: Scoring,
    nodes_left: u64,
}

impl PlainSearch {
    /// Looks at no more than `nodes` positions in all.
    pub fn new(size: Size, goal: Goal, scoring: Scoring, nodes: u64) -> PlainSearch {
        let rays = size.squares().map(|from| STEPS.iter().map(|&step| ray(size, from, step)).collect());
        PlainSearch {
            squares: size.square_count() as usize,
            rays: rays.collect(),
            goal,
            scoring,
            nodes_left: nodes,
        }
    }

    /// Compares the exact score for the side to move with `claimed`: the result is `claimed` if they are equal, a lower
    /// bound above `claimed` if the score is higher, an upper bound below it if the score is lower. `None` when the
    /// nodes are used up.
    pub fn compare(&mut self, board: &Board, claimed: i32) -> Option<i32> {
        let mut cells = [Cell::Empty; MOST_SQUARES];
        for (cell, (column, row)) in cells.iter_mut().zip(board.size().squares()) {
            *cell = match board.cell(column, row) {
                None => Cell::Empty,
                Some(color) if color == board.to_move() => Cell::First,
                Some(_) => Cell::Second,
            };
        }
        self.search(&cells, Cell::First, claimed - 1, claimed + 1)
    }

    /// An upper bound if at or below alpha, a lower bound if at or above beta, else the score.
    fn search(&mut self, cells: &Cells, mover: Cell, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut children = self.children(cells, mover);
        if children.is_empty() {
            if self.mobility(cells, mover.other()) == 0 {
                return Some(self.final_score(cells, mover));
            }
            return Some(-self.search(cells, mover.other(), -beta, -alpha)?);
        }
        if self.empty_squares(cells).count() >= SORTED {
            children.sort_by_cached_key(|child| self.mobility(child, mover.other()));
        }
        let mut best = i32::MIN;
        for child in &children {
            best = best.max(-self.search(child, mover.other(), -beta, -alpha)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    fn empty_squares<'a>(&self, cells: &'a Cells) -> impl Iterator<Item = usize> + use<'a> {
        (0..self.squares).filter(|&square| cells[square] == Cell::Empty)
    }

    fn children(&self, cells: &Cells, mover: Cell) -> Vec<Cells> {
        self.empty_squares(cells).filter_map(|square| self.play(cells, mover, square)).collect()
    }

    fn mobility(&self, cells: &Cells, mover: Cell) -> usize {
        let legal = |&square: &usize| self.rays[square].iter().any(|ray| turned(cells, mover, ray) > 0);
        self.empty_squares(cells).filter(legal).count()
    }

    /// A disc on an empty square; `None` if it turns nothing.
    fn play(&self, cells: &Cells, mover: Cell, square: usize) -> Option<Cells> {
        let mut after = *cells;
        for ray in &self.rays[square] {
            for &turned in &ray[..turned(cells, mover, ray)] {
                after[turned] = mover;
                after[square] = mover;
            }
        }
        (after[square] == mover).then_some(after)
    }

    fn final_score(&self, cells: &Cells, mover: Cell) -> i32 {
        let count = |wanted| cells[..self.squares].iter().filter(|&&cell| cell == wanted).count() as i32;
        let (own, other) = (count(mover), count(mover.other()));
        let empties = self.squares as i32 - own - other;
        let normal = match self.scoring {
            Scoring::Raw => own - other,
            Scoring::Winner if own > other => own + empties - other,
            Scoring::Winner if own < other => own - other - empties,
            Scoring::Winner => 0,
        };
        match self.goal {
            Goal::Normal => normal,
            Goal::Reversed => -normal,
        }
    }
}

fn ray(size: Size, (column, row): (u32, u32), step: (i32, i32)) -> Vec<usize> {
    let mut ray = Vec::new();
    let mut here = (column as i32 + step.0, row as i32 + step.1);
    while (0..size.width() as i32).contains(&here.0) && (0..size.height() as i32).contains(&here.1) {
        ray.push((here.1 * size.width() as i32 + here.0) as usize);
        here = (here.0 + step.0, here.1 + step.1);
    }
    ray
}

/// How many of the other side's discs, from the start of the ray on, stand before a disc of the mover.
fn turned(cells: &Cells, mover: Cell, ray: &[usize]) -> usize {
    let run = ray.iter().take_while(|&&square| cells[square] == mover.other()).count();
    match ray.get(run) {
        Some(&end) if cells[end] == mover => run,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::position::children;
    use super::*;

    /// Plain minimax over the plain-array rules.
    fn minimax(board: &Board, goal: Goal, scoring: Scoring) -> i32 {
        let best = children(board).iter().map(|(_, child)| -minimax(child, goal, scoring)).max();
        best.unwrap_or_else(|| board.final_score(goal, scoring))
    }

    /// A position of a random game with few empty squares.
    fn late(size: Size, rng: &mut fastrand::Rng) -> Board {
        let mut board = Board::start(size, reversi_terms::Start::Diagonal);
        while board.empty_count() > 6 {
            let next = children(&board);
            if next.is_empty() {
                break;
            }
            board = next[rng.usize(..next.len())].1.clone();
        }
        board
    }

    #[test]
    fn the_search_agrees_with_minimax_and_bounds_wrong_claims() {
        let mut rng = fastrand::Rng::with_seed(4);
        for (width, height) in [(4, 4), (3, 5), (6, 6), (4, 6)] {
            let size = Size::new(width, height).unwrap();
            for _ in 0..12 {
                let board = late(size, &mut rng);
                for (goal, scoring) in [(Goal::Normal, Scoring::Raw), (Goal::Reversed, Scoring::Winner)] {
                    let score = minimax(&board, goal, scoring);
                    let found = |claimed| {
                        PlainSearch::new(size, goal, scoring, u64::MAX).compare(&board, claimed).unwrap()
                    };
                    assert_eq!(found(score), score, "{board} {goal} {scoring}");
                    assert!((score..=score + 1).contains(&found(score + 2)), "{board} {goal} {scoring}");
                    assert!((score - 1..=score).contains(&found(score - 2)), "{board} {goal} {scoring}");
                }
            }
        }
    }

    #[test]
    fn a_search_without_nodes_says_nothing() {
        let size = Size::new(4, 4).unwrap();
        let board = Board::start(size, reversi_terms::Start::Diagonal);
        assert_eq!(PlainSearch::new(size, Goal::Normal, Scoring::Raw, 100).compare(&board, -8), None);
    }
}
