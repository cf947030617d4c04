//! All that the files of a round hold, brought together.

use super::SpreadError;
use super::answer::{Answer, Value};
use super::parts::Part;
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
    /// Results of parts beyond the first of each search.
    pub twice: usize,
    /// Nodes of all results, rechecks not counted.
    pub nodes: u64,
    microseconds: u64,
    parts: Vec<Part>,
}

impl<J: Job> Share<J> {
    /// Reads all files of the round.
    ///
    /// # Errors
    /// A file that cannot be read, or two that contradict each other.
    pub fn gather<V: Value>(&self) -> Result<Gathered<V>, SpreadError> {
        let searches = self.keys.len();
        let mut gathered = Gathered {
            answers: vec![None; searches],
            files: results::files_in(&self.directory)?,
            rechecked: vec![false; searches],
            twice: 0,
            nodes: 0,
            microseconds: 0,
            parts: Vec::new(),
        };
        for place in 0..gathered.files.len() {
            let file = self.read(&gathered.files[place])?;
            let Some(head) = file.head else { continue };
            gathered.parts.extend(head.part);
            for answer in file.results {
                if let Some(first) = gathered.add(answer, place, head.part.is_some()) {
                    let (value, of) = first;
                    let files = (gathered.files[of].clone(), gathered.files[place].clone());
                    return Err(self.contradiction(answer.number, (value, answer.value), files));
                }
            }
        }
        Ok(gathered)
    }

    /// Two values of one search that cannot both be true, and where they stand.
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
        let costs = self.family_costs();
        let mut first = vec![0];
        first.extend(self.families.iter().scan(0, |before, family| {
            *before += family.len();
            Some(*before)
        }));
        let is_missing = |part: &Part| {
            let families = part.families(&costs);
            gathered.answers[first[families.start]..first[families.end]].iter().any(Option::is_none)
        };
        let parts = gathered.division().into_iter().flat_map(Part::siblings).filter(is_missing).collect();
        Err(SpreadError::Missing { missing, all: gathered.answers.len(), parts })
    }
}

impl<V: Value> Gathered<V> {
    /// Adds the result of a part or of a recheck. The one before, with the place of its file, if both cannot be true.
    fn add(&mut self, answer: Answer<V>, place: usize, is_of_part: bool) -> Option<(V, usize)> {
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
            Some((first, of)) => return Some((first.value, *of)),
        }
        None
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

    /// How many searches were repeated.
    pub fn rechecks(&self) -> usize {
        self.rechecked.iter().filter(|&&rechecked| rechecked).count()
    }

    /// A part of the division that most files are of.
    fn division(&self) -> Option<Part> {
        let files = |part: &&Part| self.parts.iter().filter(|other| other.is_of_division(**part)).count();
        self.parts.iter().max_by_key(files).copied()
    }
}
