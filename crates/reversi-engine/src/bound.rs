//! What the value of a search with a window says about the true value.

/// What a value says about the true value of that depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exactly,
}

impl Bound {
    /// What a value that came out of a search with this window is.
    pub fn of<T: PartialOrd>(value: T, alpha: T, beta: T) -> Bound {
        match value {
            _ if value >= beta => Bound::AtLeast,
            _ if value <= alpha => Bound::AtMost,
            _ => Bound::Exactly,
        }
    }

    /// Whether such a value says all that a search with this window is asked.
    pub fn settles<T: PartialOrd>(self, value: T, alpha: T, beta: T) -> bool {
        match self {
            Bound::Exactly => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        }
    }
}
