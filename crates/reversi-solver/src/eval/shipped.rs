//! The weights that are compiled in.

use super::weights::{ContentError, Weights};
use reversi_rules::{Geometry, Goal};

/// Names and bytes of files of the data directory.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../../data/", $name)).as_slice())),*]
    };
}

const FILES: &[(&str, &[u8])] = files![
    "5x5-normal.rvw",
    "5x5-reversed.rvw",
    "5x6-normal.rvw",
    "5x6-reversed.rvw",
    "5x7-normal.rvw",
    "5x7-reversed.rvw",
    "5x8-normal.rvw",
    "5x8-reversed.rvw",
    "6x6-normal.rvw",
    "6x6-reversed.rvw",
    "6x7-normal.rvw",
    "6x7-reversed.rvw",
    "6x8-normal.rvw",
    "6x8-reversed.rvw",
    "7x7-normal.rvw",
    "7x7-reversed.rvw",
    "8x8-normal.rvw",
    "8x8-reversed.rvw",
];

impl Weights {
    /// The weights compiled in, for either orientation of a board; `None` for boards without: those with a side of less
    /// than five, and 7x8.
    pub fn shipped(geometry: Geometry, goal: Goal) -> Option<Result<Weights, ContentError>> {
        let wanted = Weights::file_name(geometry, goal);
        let (_, bytes) = FILES.iter().find(|(name, _)| *name == wanted)?;
        Some(Weights::from_bytes(bytes).map(|weights| weights.turned_to(geometry)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards with shapes, but without weights, beside those with a side of four.
    const WITHOUT: [&str; 1] = ["7x8"];

    #[test]
    fn shipped_weights_are_sound_and_for_what_their_name_says() {
        for width in 3..=8 {
            for geometry in (3..=8).map(|height| Geometry::new(width, height).unwrap()) {
                for goal in Goal::ALL {
                    let name = geometry.upright().to_string();
                    let is_shipped = geometry.upright().width() >= 5 && !WITHOUT.contains(&name.as_str());
                    let weights = Weights::shipped(geometry, goal).map(Result::unwrap);
                    let found = weights.map(|weights| (weights.geometry(), weights.rules().goal));
                    assert_eq!(found, is_shipped.then_some((geometry, goal)), "{geometry} {goal}");
                }
            }
        }
    }
}
