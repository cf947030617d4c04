//! The division of a list of searches into parts that are expected to take equally long.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Range;
use std::str::FromStr;

/// The I-th of N parts of a plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// I, from 1 to N.
    number: u32,
    /// N.
    of: NonZeroU32,
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { number: 1, of: NonZeroU32::MIN };

    /// The `number`-th of `of` parts; `None` unless `number` is from 1 to `of`.
    pub fn new(number: u32, of: u32) -> Option<Part> {
        let of = NonZeroU32::new(of).filter(|of| (1..=of.get()).contains(&number))?;
        Some(Part { number, of })
    }

    /// I, from 1 to N.
    pub fn number(self) -> u32 {
        self.number
    }

    /// N.
    pub fn of(self) -> u32 {
        self.of.get()
    }

    /// As in `part-3-of-20`, for names of files.
    pub(crate) fn stem(self) -> String {
        format!("part-{}-of-{}", self.number, self.of)
    }

    /// All parts of the same division.
    pub fn siblings(self) -> impl Iterator<Item = Part> {
        (1..=self.of.get()).map(move |number| Part { number, ..self })
    }

    /// Whether both are parts of the same division.
    pub fn is_of_division(self, other: Part) -> bool {
        self.of == other.of
    }

    /// The families of the part, given the expected costs of all families. A family is never divided; all parts
    /// together hold each once.
    pub fn families(self, costs: &[u64]) -> Range<usize> {
        let numbers = part_numbers(costs, self.of());
        numbers.partition_point(|&number| number < self.number)
            ..numbers.partition_point(|&number| number <= self.number)
    }
}

/// For each family the number of its part, of `of` parts, by the expected costs of the families. The numbers ascend.
pub(crate) fn part_numbers(costs: &[u64], of: u32) -> Vec<u32> {
    let all: u128 = costs.iter().map(|&cost| u128::from(cost)).sum::<u128>().max(1);
    let mut before: u128 = 0;
    let number = |&cost: &u64| {
        // A family belongs to the part in which its middle lies.
        let middle = 2 * before + u128::from(cost);
        before += u128::from(cost);
        (middle * u128::from(of) / (2 * all)).min(u128::from(of - 1)) as u32 + 1
    };
    costs.iter().map(number).collect()
}

/// As in `3/20`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text that names no part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a part is written as I/N with I from 1 to N, as in 3/20")]
pub struct PartError;

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Part, PartError> {
        let number = |text: &str| text.parse::<u32>().ok();
        let (part, of) = text.split_once('/').ok_or(PartError)?;
        number(part).zip(number(of)).and_then(|(part, of)| Part::new(part, of)).ok_or(PartError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_together_hold_each_family_once_and_in_order() {
        let mut random = fastrand::Rng::with_seed(5);
        for families in [0, 1, 2, 9, 100] {
            let costs: Vec<u64> = (0..families).map(|_| random.u64(0..1000)).collect();
            for of in [1, 2, 3, 7, 20, 150] {
                let parts = Part::new(1, of).unwrap().siblings();
                let held: Vec<usize> = parts.flat_map(|part| part.families(&costs)).collect();
                assert_eq!(held, (0..families).collect::<Vec<_>>(), "{of} parts");
            }
        }
    }

    #[test]
    fn parts_cost_about_the_same() {
        let costs: Vec<u64> = (0..1000).map(|number| 50 + number % 100).collect();
        let all: u64 = costs.iter().sum();
        for part in Part::new(1, 20).unwrap().siblings() {
            let cost: u64 = costs[part.families(&costs)].iter().sum();
            assert!(cost.abs_diff(all / 20) <= 150, "{part}: {cost} of {all}");
        }
    }

    #[test]
    fn the_numbers_of_families_ascend_and_are_those_of_their_parts() {
        let mut random = fastrand::Rng::with_seed(6);
        for families in [0, 1, 9, 100] {
            let costs: Vec<u64> = (0..families).map(|_| random.u64(0..1000)).collect();
            for of in [1, 2, 7, 150, u32::MAX] {
                let numbers = part_numbers(&costs, of);
                assert!(numbers.is_sorted() && numbers.len() == families, "{of} parts");
                for (family, &number) in numbers.iter().enumerate() {
                    let part = Part::new(number, of).unwrap();
                    assert!(part.families(&costs).contains(&family), "{part}: {family}");
                }
            }
        }
    }

    #[test]
    fn a_part_is_read_as_it_is_written() {
        assert_eq!("3/20".parse(), Ok(Part::new(3, 20).unwrap()));
        assert_eq!(Part::new(3, 20).unwrap().to_string(), "3/20");
        for wrong in ["", "3", "0/20", "21/20", "1/0", "-1/3", "1/2/3", "a/b", "1/99999999999"] {
            assert_eq!(wrong.parse::<Part>(), Err(PartError), "{wrong}");
        }
    }
}
