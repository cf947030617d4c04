//! The proof tree: which leaves have to be searched, given all known bounds.
//!
//! A node asks whether the score of its position is at least some number, and expects an answer. Where *yes* is
//! expected one move is enough, and only the first move in the order that is not refuted yet is followed. Where *no* is
//! expected all moves are followed. So the tree has about the square root of the number of leaves of a full tree. If
//! the leaves below a move refute it, the next round follows the move after it; bounds stay known, so nothing is
//! searched twice.
//!
//! A round of few leaves ends soon, but has the fixed cost of a round. Therefore, as long as the whole tree has few
//! leaves, more and more moves are followed at a time: most of their leaves would be needed in the next rounds. Where
//! one leaf takes longer than a round costs, no more moves are followed than are needed.

use super::bounds::{Bounds, Form, KnownBounds, Question, form_of};
use super::order::MoveOrder;
use super::{ProofError, ProofPlan};
use hashbrown::{HashMap, HashSet};
use reversi_rules::Position;
use reversi_solver::search::Stop;

/// The number of leaves that a round should have, if following more moves gives as many and they are cheap.
const FEW_LEAVES: u64 = 64;
/// Expected nodes of a round, some minutes of one core, up to which more moves are followed than are needed.
const CHEAP_NODES: u64 = 10_000_000_000;
/// The most moves that are followed at one node.
const MOST_WIDTH: usize = 32;

/// The number of leaves that a round should have if the search of a leaf is expected to take `nodes`.
pub(super) fn few_leaves(nodes: u64) -> usize {
    (CHEAP_NODES / nodes.max(1)).clamp(1, FEW_LEAVES) as usize
}

/// The state of a node's question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Decided(bool),
    /// Leaves below have to be searched.
    Open,
}

/// A node's question: the form, the least score, and the expected answer.
type Node = (Form, i32, bool);

/// Goes through the tree.
pub(super) struct Tree<'a> {
    pub plan: &'a ProofPlan,
    pub bounds: &'a mut KnownBounds,
    pub order: &'a mut MoveOrder,
    pub stop: &'a Stop,
    status: HashMap<Node, Status>,
    listed: HashSet<Node>,
    families: Vec<Vec<Question>>,
    /// Number of moves that are followed where one is enough.
    width: usize,
    /// Whether a node that was open was decided while leaves were listed.
    has_decided: bool,
    /// [`KnownBounds::narrowed`] when the tree was made.
    narrowed_before: u64,
}

impl<'a> Tree<'a> {
    pub fn new(
        plan: &'a ProofPlan,
        bounds: &'a mut KnownBounds,
        order: &'a mut MoveOrder,
        stop: &'a Stop,
    ) -> Tree<'a> {
        let narrowed_before = bounds.narrowed;
        Tree {
            plan,
            bounds,
            order,
            stop,
            status: HashMap::new(),
            listed: HashSet::new(),
            families: Vec::new(),
            width: 1,
            has_decided: false,
            narrowed_before,
        }
    }

    /// Answers the question of a node as far as known bounds lead, and stores the bounds that follow.
    pub fn ask(&mut self, position: Position, least: i32, expected: bool) -> Result<Status, ProofError> {
        if self.stop.is_set() {
            return Err(ProofError::Stopped);
        }
        if let Some(known) = self.bounds.is_at_least(position, least) {
            return Ok(Status::Decided(known));
        }
        let node = (form_of(self.plan.geometry, position), least, expected);
        if let Some(&status) = self.status.get(&node) {
            return Ok(status);
        }
        let status = self.answer(position, least, expected)?;
        if let Status::Decided(is_at_least) = status {
            self.keep(position, least, is_at_least)?;
        }
        self.status.insert(node, status);
        Ok(status)
    }

    fn answer(&mut self, position: Position, least: i32, expected: bool) -> Result<Status, ProofError> {
        let geometry = self.plan.geometry;
        if position.is_over(geometry) {
            let score = position.final_score(geometry, self.plan.rules).discs();
            return Ok(Status::Decided(score >= least));
        }
        if position.must_pass(geometry) {
            return self.after_move(position.pass(), least, expected);
        }
        if self.plan.is_leaf(position) {
            return Ok(Status::Open);
        }
        // A move that is known to be enough needs no order.
        let children: Vec<Position> =
            position.children(geometry).into_iter().map(|(_, child)| child).collect();
        if children.iter().any(|&child| self.bounds.is_at_least(child, 1 - least) == Some(false)) {
            return Ok(Status::Decided(true));
        }
        let children = if expected { self.order.children(position, self.stop) } else { children };
        let mut is_open = false;
        for child in children {
            match self.after_move(child, least, expected)? {
                Status::Decided(true) => return Ok(Status::Decided(true)),
                Status::Decided(false) => {}
                Status::Open if expected => return Ok(Status::Open),
                Status::Open => is_open = true,
            }
        }
        Ok(if is_open { Status::Open } else { Status::Decided(false) })
    }

    /// Whether a move that leads to this position reaches the score.
    fn after_move(&mut self, child: Position, least: i32, expected: bool) -> Result<Status, ProofError> {
        Ok(match self.ask(child, 1 - least, !expected)? {
            Status::Decided(is_at_least) => Status::Decided(!is_at_least),
            Status::Open => Status::Open,
        })
    }

    fn keep(&mut self, position: Position, least: i32, is_at_least: bool) -> Result<(), ProofError> {
        let geometry = self.plan.geometry;
        let bounds = match is_at_least {
            true => Bounds::at_least(least as i8, geometry),
            false => Bounds::at_most(least as i8 - 1, geometry),
        };
        if self.bounds.add(position, bounds) { Ok(()) } else { Err(ProofError::Contradiction) }
    }

    /// Lists the leaves that these open questions of the root need, each once and at least one; more if they are fewer
    /// than `few`. `None` if a new tree must be built, since an open node was decided meanwhile.
    pub fn leaves(
        &mut self,
        asked: &[(i32, bool)],
        few: usize,
    ) -> Result<Option<Vec<Vec<Question>>>, ProofError> {
        let mut before = 0;
        loop {
            self.listed.clear();
            self.families.clear();
            for &(least, expected) in asked {
                self.list(self.plan.root, least, expected)?;
            }
            if self.has_decided {
                return Ok(None);
            }
            let families = self.questions();
            let leaves: usize = families.iter().map(Vec::len).sum();
            if leaves == 0 {
                // A node that was once open counts as open, even if bounds found since have decided it. In a tree of
                // known bounds alone every open node has a leaf below it, so this ends.
                assert!(self.bounds.narrowed > self.narrowed_before, "an open question has a leaf");
                return Ok(None);
            }
            if leaves >= few || (leaves == before && self.width > MOST_WIDTH) {
                return Ok(Some(families));
            }
            before = leaves;
            self.width *= 2;
        }
    }

    /// Lists the leaves below an open node.
    fn list(&mut self, position: Position, least: i32, expected: bool) -> Result<(), ProofError> {
        let geometry = self.plan.geometry;
        let node = (form_of(geometry, position), least, expected);
        if !self.listed.insert(node) {
            return Ok(());
        }
        if self.ask(position, least, expected)? != Status::Open {
            return Ok(());
        }
        if position.must_pass(geometry) {
            return self.list(position.pass(), 1 - least, !expected);
        }
        if self.plan.is_leaf(position) {
            let question = Question { position, least: least as i8 };
            match self.families.last_mut() {
                Some(family) => family.push(question),
                None => self.families.push(vec![question]),
            }
            return Ok(());
        }
        // A family: the leaves below a node two plies above them, which share most of their work.
        if self.plan.plies_left(position) == 2 && self.families.last().is_none_or(|family| !family.is_empty())
        {
            self.families.push(Vec::new());
        }
        if !expected {
            for (_, child) in position.children(geometry) {
                self.list(child, 1 - least, true)?;
            }
            return Ok(());
        }
        let mut followed = 0;
        for child in self.order.children(position, self.stop) {
            match self.after_move(child, least, expected)? {
                Status::Decided(true) => {
                    // A move after the first open one is enough: the node is no longer open.
                    self.keep(position, least, true)?;
                    self.has_decided = true;
                    return Ok(());
                }
                Status::Decided(false) => {}
                Status::Open => {
                    self.list(child, 1 - least, false)?;
                    followed += 1;
                    if followed == self.width {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The listed leaves, each question once.
    fn questions(&self) -> Vec<Vec<Question>> {
        let geometry = self.bounds.geometry;
        let mut seen = HashSet::new();
        let mut families = Vec::new();
        for family in &self.families {
            let is_new =
                |question: &&Question| seen.insert((form_of(geometry, question.position), question.least));
            let family: Vec<Question> = family.iter().filter(is_new).copied().collect();
            if !family.is_empty() {
                families.push(family);
            }
        }
        families
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Claim, ProofGoal};
    use super::*;
    use reversi_rules::{Board, Geometry, Rules, Start};

    #[test]
    fn an_open_question_without_a_leaf_is_asked_again() {
        let (geometry, rules) = (Geometry::FOUR, Rules::default());
        let root = Board::start(geometry, Start::Diagonal).position();
        let goal = ProofGoal::Claim(Claim::AtLeast(2));
        let plan = ProofPlan { geometry, rules, root, depth: 2, goal };
        let child = root.children(geometry)[0].1;
        // Bounds found while the leaves are listed: of the root itself, and of all moves at once, which are images of
        // each other.
        for (position, lower) in [(Some(root), 2), (Some(child), 0), (None, 0)] {
            let (mut bounds, stop) = (KnownBounds::new(geometry, []), Stop::never());
            let mut order = MoveOrder::new(geometry, rules, 1);
            let mut tree = Tree::new(&plan, &mut bounds, &mut order, &stop);
            assert_eq!(tree.ask(root, 2, true).unwrap(), Status::Open);
            if let Some(position) = position {
                assert!(tree.bounds.add(position, Bounds { lower, upper: 16 }));
            }
            let leaves = tree.leaves(&[(2, true)], 64).unwrap();
            assert_eq!(leaves.is_some(), position.is_none());
            assert!(leaves.is_none_or(|families| families.iter().any(|family| !family.is_empty())));
        }
    }

    #[test]
    fn where_leaves_are_cheap_more_moves_are_followed_than_are_needed() {
        assert_eq!([0, 1_000_000, 1_000_000_000, u64::MAX].map(few_leaves), [64, 64, 10, 1]);
        let (geometry, rules) = (Geometry::FOUR, Rules::default());
        // Its first move can be any of two that are no images of each other, and one is enough.
        let root = Board::start(geometry, Start::Parallel).position();
        let plan = ProofPlan { geometry, rules, root, depth: 1, goal: ProofGoal::Claim(Claim::AtLeast(-3)) };
        for (few, expected) in [(1, 1), (64, 2)] {
            let (mut bounds, stop) = (KnownBounds::new(geometry, []), Stop::never());
            let mut order = MoveOrder::new(geometry, rules, 1);
            let mut tree = Tree::new(&plan, &mut bounds, &mut order, &stop);
            let leaves = tree.leaves(&[(-3, true)], few).unwrap().unwrap();
            assert_eq!(leaves.concat().len(), expected);
        }
    }
}
