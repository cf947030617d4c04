//! Bounds: the relation of a windowed search's value to the true value.

/// The relation of a value to the true value of the same depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exactly,
}

impl Bound {
    /// The kind of a value that a search with this window returned.
    pub fn of<T: PartialOrd>(value: T, alpha: T, beta: T) -> Bound {
        match value {
            _ if value >= beta => Bound::AtLeast,
            _ if value <= alpha => Bound::AtMost,
            _ => Bound::Exactly,
        }
    }

    /// Whether such a value decides a search with this window.
    pub fn settles<T: PartialOrd>(self, value: T, alpha: T, beta: T) -> bool {
        match self {
            Bound::Exactly => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        }
    }
}
