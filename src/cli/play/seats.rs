//! Who plays which side.

use reversi_engine::{Player, PlayerSpec};
use reversi_rules::Color;
use std::fmt;

/// Who plays a side.
#[derive(Default)]
pub enum Seat {
    /// A person at the terminal.
    #[default]
    Human,
    /// A player by its name.
    Computer(PlayerSpec, Box<dyn Player>),
}

/// Both seats; at first both belong to people.
#[derive(Default)]
pub struct Seats {
    black: Seat,
    white: Seat,
}

/// Whether the name is that of a person.
pub fn is_human(name: &str) -> bool {
    name.eq_ignore_ascii_case("human")
}

impl Seat {
    /// Whether a computer sits there.
    pub fn is_computer(&self) -> bool {
        matches!(self, Seat::Computer(..))
    }
}

/// `human` or the player's name.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.pad("human"),
            Seat::Computer(spec, _) => spec.fmt(f),
        }
    }
}

impl Seats {
    /// The seats of these two.
    pub fn new(black: Seat, white: Seat) -> Seats {
        Seats { black, white }
    }

    /// Who plays a side.
    pub fn of(&self, side: Color) -> &Seat {
        if side == Color::Black { &self.black } else { &self.white }
    }

    /// Who plays a side, to be changed.
    pub fn of_mut(&mut self, side: Color) -> &mut Seat {
        if side == Color::Black { &mut self.black } else { &mut self.white }
    }

    /// Both, Black's first.
    pub fn both_mut(&mut self) -> [&mut Seat; 2] {
        [&mut self.black, &mut self.white]
    }

    /// Whether both sides are played by computers.
    pub fn are_all_computers(&self) -> bool {
        self.black.is_computer() && self.white.is_computer()
    }
}

/// Black's and White's players, in a line.
impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Black: {}, White: {}", self.black, self.white)
    }
}
