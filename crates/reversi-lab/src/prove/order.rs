//! The order in which moves are tried at nodes where one move is enough.

use super::ProofPlan;
use super::bounds::{Form, form_of};
use hashbrown::HashMap;
use reversi_engine::hints::deepen;
use reversi_engine::{MAX_LEVEL, Player, PlayerSpec, Resources};
use reversi_rules::game::{Game, GameMove};
use reversi_rules::{Board, Color, Geometry, Passing, Position, Rules};
use reversi_solver::search::Stop;

/// Bytes of the engine's tables: small, since they are cleared before each position, so that the order does not depend
/// on earlier positions.
const MEMORY: usize = 2 << 20;

/// Orders moves by a search of the engine.
pub struct MoveOrder {
    geometry: Geometry,
    rules: Rules,
    player: Box<dyn Player>,
    level: u32,
    /// The children of a position, best first.
    ordered: HashMap<Form, Vec<Position>>,
    /// The position after the move to be tried first, for positions where it was named.
    preferred: HashMap<Form, Form>,
}

impl MoveOrder {
    /// The default level for a plan. A wrong move near the root costs thousands of searches and an ordering costs
    /// milliseconds, so the level grows with the cost of the searches: in a tree of eight plies of 6x7 the second round
    /// had 3778 searches with the ordering of level 12, and 330 with that of level 20.
    pub fn usual_level(plan: &ProofPlan) -> u32 {
        let leaf_empties = plan.root.empty_count(plan.geometry).saturating_sub(plan.depth.into());
        (2 * leaf_empties / 3).min(MAX_LEVEL)
    }

    /// Orders moves by the engine at a level: see [`reversi_engine::PlayerSpec`].
    pub fn new(geometry: Geometry, rules: Rules, level: u32) -> MoveOrder {
        let spec: PlayerSpec = format!("engine:level={level}").parse().expect("the engine has levels");
        MoveOrder {
            geometry,
            rules,
            player: spec.build(&Resources { memory_bytes: MEMORY, ..Resources::default() }, 1),
            level,
            ordered: HashMap::new(),
            preferred: HashMap::new(),
        }
    }

    /// Tries the moves of a line from a position first, for example the line found by a search of the whole. A wrong
    /// move only changes the number of searches.
    ///
    /// # Panics
    /// If a move is not legal.
    pub fn with_line(mut self, mut position: Position, moves: &[GameMove]) -> MoveOrder {
        for &mv in moves {
            position = self.prefer(position, mv).expect("a legal move");
        }
        self
    }

    /// Tries a move of a position, or of one of its symmetric images, first. Returns the position after it; `None` if it
    /// is not legal. A wrong move only changes the number of searches. The last move of a position counts.
    pub fn prefer(&mut self, position: Position, mv: GameMove) -> Option<Position> {
        let (_, next) =
            position.children(self.geometry).into_iter().find(|&(other, _)| mv == other.into())?;
        self.preferred.insert(form_of(self.geometry, position), form_of(self.geometry, next));
        Some(next)
    }

    /// The positions after the moves of a position that has one, the most promising for its side to move first.
    pub(super) fn children(&mut self, position: Position, stop: &Stop) -> Vec<Position> {
        let form = form_of(self.geometry, position);
        if let Some(known) = self.ordered.get(&form) {
            return known.clone();
        }
        let position = Position { player: form.0, opponent: form.1 };
        let mut moves: Vec<GameMove> = Vec::new();
        // Without an answer, the order of the board is used: any order is valid.
        let game = self.game(position);
        self.player.new_game(1);
        let _ = deepen(&mut *self.player, &game, self.level.max(2), stop, |hints, _| {
            moves = hints.iter().map(|hint| hint.mv).collect();
        });
        let mut children: Vec<Position> = Vec::new();
        let after: Vec<(GameMove, Position)> = position
            .children(self.geometry)
            .into_iter()
            .map(|(mv, child)| (GameMove::from(mv), child))
            .collect();
        let first = moves.iter().filter_map(|mv| after.iter().find(|(other, _)| other == mv));
        let preferred = self.preferred.get(&form);
        let leads = |(_, child): &&(GameMove, Position)| Some(&form_of(self.geometry, *child)) == preferred;
        for &(_, child) in after.iter().filter(leads).chain(first).chain(&after) {
            if !children.contains(&child) {
                children.push(child);
            }
        }
        self.ordered.insert(form, children.clone());
        children
    }

    /// A guess of the score.
    pub(super) fn guess(&mut self, position: Position, stop: &Stop) -> i32 {
        let mut guess = 0.0;
        let game = self.game(position);
        self.player.new_game(1);
        let _ = deepen(&mut *self.player, &game, self.level.max(2), stop, |hints, _| {
            guess = hints[0].value.discs().unwrap_or(0.0);
        });
        let squares = self.geometry.square_count() as i32;
        // On a full board the discs of both sides add up to the squares, so the score has their parity.
        let parity = squares % 2;
        (((guess - f64::from(parity)) / 2.0).round() as i32 * 2 + parity).clamp(-squares, squares)
    }

    fn game(&self, position: Position) -> Game {
        let board = Board::from_position(self.geometry, position, Color::Black);
        Game::new(board.into(), self.rules, Passing::Allowed)
    }
}
