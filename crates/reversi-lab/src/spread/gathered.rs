//! The results of all files of a round.

use super::SpreadError;
use super::answer::{Answer, Value};
use super::parts::{Part, part_numbers};
use super::results;
use super::share::{Job, Share};
use reversi_rules::{Board, Color};
use std::path::PathBuf;
use std::time::Duration;

/// The results of a round.
pub(crate) struct Gathered<V> {
    /// By the number of the search, with the place of its file.
    answers: Vec<Option<(Answer<V>, usize)>>,
    files: Vec<PathBuf>,
    /// By the number of the search: whether it was searched again.
    pub rechecked: Vec<bool>,
    /// Results of parts in addition to the first of each search.
    pub twice: usize,
    /// Nodes of all results, rechecks not counted.
    pub nodes: u64,
    microseconds: u64,
    parts: Vec<Part>,
    /// Results that contradict an earlier one, which is kept.
    contradictions: Vec<Contradiction<V>>,
}

/// Two values of one search that cannot both be true, with the places of their files.
#[derive(Debug)]
struct Contradiction<V> {
    number: u32,
    values: (V, V),
    places: (usize, usize),
}

impl<J: Job> Share<J> {
    /// Reads all files of the round.
    ///
    /// # Errors
    /// A file that cannot be read, or two that contradict each other.
    pub fn gather<V: Value>(&self) -> Result<Gathered<V>, SpreadError> {
        let gathered = self.gather_all()?;
        let first = self.contradictions(&gathered).next();
        first.map_or(Ok(gathered), Err)
    }

    /// An error for each result that contradicts an earlier one.
    pub fn contradictions<V: Value>(&self, gathered: &Gathered<V>) -> impl Iterator<Item = SpreadError> {
        gathered.contradictions.iter().map(|found| {
            let (first, second) = found.places;
            let files = (gathered.files[first].clone(), gathered.files[second].clone());
            self.contradiction(found.number, found.values, files)
        })
    }

    /// The same with results that contradict each other.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn gather_all<V: Value>(&self) -> Result<Gathered<V>, SpreadError> {
        let searches = self.keys.len();
        let mut gathered = Gathered {
            answers: vec![None; searches],
            files: results::files_in(&self.directory)?,
            rechecked: vec![false; searches],
            twice: 0,
            nodes: 0,
            microseconds: 0,
            parts: Vec::new(),
            contradictions: Vec::new(),
        };
        for place in 0..gathered.files.len() {
            let file = self.read(&gathered.files[place])?;
            let Some(head) = file.head else { continue };
            gathered.parts.extend(head.part);
            for answer in file.results {
                gathered.add(answer, place, head.part.is_some());
            }
        }
        Ok(gathered)
    }

    /// The error for two values of one search that cannot both be true, with their files.
    pub fn contradiction<V: Value>(
        &self,
        number: u32,
        (one, other): (V, V),
        (first, second): (PathBuf, PathBuf),
    ) -> SpreadError {
        let job = self.jobs().nth(number as usize).expect("a search of this round");
        let position = Board::from_position(self.geometry, job.position(), Color::Black).to_string();
        let found = format!("{} and {}", one.words(self.geometry), other.words(self.geometry));
        SpreadError::Contradiction { position, found, first, second }
    }

    /// An error if a search was not done.
    pub fn check_complete<V>(&self, gathered: &Gathered<V>) -> Result<(), SpreadError> {
        let missing = gathered.answers.iter().filter(|answer| answer.is_none()).count();
        if missing == 0 {
            return Ok(());
        }
        let parts = gathered.division().map_or_else(Vec::new, |part| self.parts_with_gaps(gathered, part));
        Err(SpreadError::Missing { missing, all: gathered.answers.len(), parts })
    }

    /// The parts of the division of `part` that have searches without results. There can be many more parts than
    /// families, so the loop is over families.
    fn parts_with_gaps<V>(&self, gathered: &Gathered<V>, part: Part) -> Vec<Part> {
        let mut answers = gathered.answers.iter();
        let mut has_gap =
            |family: &[J]| answers.by_ref().take(family.len()).filter(|answer| answer.is_none()).count() > 0;
        let numbers = part_numbers(&self.family_costs(), part.of());
        let families = self.families.iter().zip(numbers).filter(|(family, _)| has_gap(family));
        let mut parts: Vec<Part> = families.filter_map(|(_, number)| Part::new(number, part.of())).collect();
        parts.dedup();
        parts
    }
}

impl<V: Value> Gathered<V> {
    /// Adds the result of a part or of a recheck.
    fn add(&mut self, answer: Answer<V>, place: usize, is_of_part: bool) {
        let number = answer.number as usize;
        if is_of_part {
            self.nodes += answer.nodes;
            self.microseconds += answer.microseconds;
        } else {
            self.rechecked[number] = true;
        }
        match &self.answers[number] {
            None => self.answers[number] = Some((answer, place)),
            Some((first, _)) if first.value.agrees(answer.value) => self.twice += usize::from(is_of_part),
            Some((first, of)) => self.contradictions.push(Contradiction {
                number: answer.number,
                values: (first.value, answer.value),
                places: (*of, place),
            }),
        }
    }

    /// Each search that was done, by its number, with the file that holds the result.
    pub fn answers(&self) -> impl Iterator<Item = (&Answer<V>, &PathBuf)> {
        self.answers.iter().flatten().map(|(answer, place)| (answer, &self.files[*place]))
    }
}

impl<V> Gathered<V> {
    /// Time that the searches took, summed over all threads and machines.
    pub fn busy(&self) -> Duration {
        Duration::from_micros(self.microseconds)
    }

    /// Number of searches that were repeated.
    pub fn rechecks(&self) -> usize {
        self.rechecked.iter().filter(|&&rechecked| rechecked).count()
    }

    /// A part of the division to which most files belong.
    fn division(&self) -> Option<Part> {
        let files = |part: &&Part| self.parts.iter().filter(|other| other.is_of_division(**part)).count();
        self.parts.iter().max_by_key(files).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spread::results::Stamp;
    use reversi_rules::{Geometry, Position};

    impl Job for Position {
        fn position(&self) -> Position {
            *self
        }
    }

    /// Searches in families of these sizes.
    fn share(sizes: &[usize], costs: Vec<u64>) -> Share<Position> {
        let position = Position { player: 1, opponent: 2 };
        Share {
            directory: PathBuf::new(),
            stamp: Stamp { plan: 0, round: 1 },
            geometry: Geometry::FOUR,
            families: sizes.iter().map(|&size| vec![position; size]).collect(),
            keys: vec![0; costs.len()],
            costs,
        }
    }

    /// All searches but some, done by this part.
    fn but(missing: &[bool], part: Part) -> Gathered<()> {
        let answer = |number| Answer { number, key: 0, value: (), nodes: 0, microseconds: 0 };
        let answers = (0..).zip(missing).map(|(number, &missing)| (!missing).then(|| (answer(number), 0)));
        Gathered {
            answers: answers.collect(),
            files: Vec::new(),
            rechecked: Vec::new(),
            twice: 0,
            nodes: 0,
            microseconds: 0,
            parts: vec![part],
            contradictions: Vec::new(),
        }
    }

    fn missing_parts(share: &Share<Position>, gathered: &Gathered<()>) -> Vec<Part> {
        match share.check_complete(gathered) {
            Err(SpreadError::Missing { parts, .. }) => parts,
            _ => Vec::new(),
        }
    }

    #[test]
    fn the_parts_of_missing_searches_are_those_whose_families_have_gaps() {
        let mut random = fastrand::Rng::with_seed(7);
        for of in [1, 2, 5, 30, 200] {
            let sizes: Vec<usize> = (0..40).map(|_| random.usize(1..4)).collect();
            let searches: usize = sizes.iter().sum();
            let share = share(&sizes, (0..searches).map(|_| random.u64(1..1000)).collect());
            let missing: Vec<bool> = (0..searches).map(|_| random.u32(..10) == 0).collect();
            let is_missing = |part: &Part| {
                let families = part.families(&share.family_costs());
                let first: usize = sizes[..families.start].iter().sum();
                let count: usize = sizes[families].iter().sum();
                missing[first..first + count].contains(&true)
            };
            let expected: Vec<Part> = Part::new(1, of).unwrap().siblings().filter(is_missing).collect();
            assert_eq!(missing_parts(&share, &but(&missing, Part::new(1, of).unwrap())), expected);
        }
    }

    /// Far more parts than a loop could visit.
    #[test]
    fn a_division_into_thousands_of_millions_of_parts_is_not_gone_through() {
        let share = share(&[1, 2, 1], vec![1, 1, 1, 1]);
        let part = |number| Part::new(number, 4_000_000_000).unwrap();
        let gathered = but(&[false, true, true, true], part(500_000_001));
        assert_eq!(missing_parts(&share, &gathered), [part(2_000_000_001), part(3_500_000_001)]);
    }
}
