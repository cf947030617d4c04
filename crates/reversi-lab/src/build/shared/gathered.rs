//! All that the files of a round hold, brought together.

use super::super::known_values::KnownValue;
use super::SharedBuild;
use super::search_result::SearchResult;
use crate::spread::SpreadError;
use crate::spread::parts::Part;
use crate::spread::results;
use reversi_rules::{Board, Color, Position};
use reversi_table::{RawEntry, key};
use std::path::PathBuf;

/// The results of a round.
pub(super) struct Gathered {
    /// By the number of the search, with the place of its file.
    results: Vec<Option<(SearchResult, usize)>>,
    files: Vec<PathBuf>,
    /// By the number of the search: whether it was searched again.
    pub rechecked: Vec<bool>,
    /// Results of parts beyond the first of each search.
    pub twice: usize,
    /// Nodes and microseconds of all results, rechecks not counted.
    pub nodes: u64,
    pub microseconds: u64,
    /// A part of each division that was used, of the one with the most files first.
    divisions: Vec<Part>,
}

impl SharedBuild {
    /// Reads all files of the round.
    ///
    /// # Errors
    /// A file that cannot be read, or two that contradict each other.
    pub(super) fn gather(&self) -> Result<Gathered, SpreadError> {
        let searches = self.searches();
        let mut gathered = Gathered {
            results: vec![None; searches],
            files: results::files_in(&self.results())?,
            rechecked: vec![false; searches],
            twice: 0,
            nodes: 0,
            microseconds: 0,
            divisions: Vec::new(),
        };
        let mut parts: Vec<Part> = Vec::new();
        for place in 0..gathered.files.len() {
            let file = self.read(&gathered.files[place])?;
            let Some(head) = file.head else { continue };
            parts.extend(head.part);
            for result in file.results {
                let number = result.job as usize;
                match head.part {
                    None => gathered.rechecked[number] = true,
                    Some(_) => {
                        gathered.nodes += result.nodes;
                        gathered.microseconds += result.microseconds;
                    }
                }
                match &gathered.results[number] {
                    None => gathered.results[number] = Some((result, place)),
                    Some((first, _)) if first.known_value == result.known_value => {
                        gathered.twice += usize::from(head.part.is_some());
                    }
                    Some((first, of)) => {
                        let files = (gathered.files[*of].clone(), gathered.files[place].clone());
                        return Err(self.contradiction(first.known_value, result.known_value, files));
                    }
                }
            }
        }
        gathered.divisions = divisions(&parts);
        Ok(gathered)
    }

    /// Two results of one position.
    pub(super) fn contradiction(
        &self,
        one: KnownValue,
        other: KnownValue,
        (first, second): (PathBuf, PathBuf),
    ) -> SpreadError {
        let form = key::unpack(self.round.plan.geometry, one.key);
        let position = form.map_or_else(|| one.key.to_string(), |form| self.name_of(form));
        let found = format!("{} and {}", self.words(one), self.words(other));
        SpreadError::Contradiction { position, found, first, second }
    }

    /// The cells row by row, with X to move.
    fn name_of(&self, position: Position) -> String {
        Board::from_position(self.round.plan.geometry, position, Color::Black).to_string()
    }

    fn words(&self, known_value: KnownValue) -> String {
        let geometry = self.round.plan.geometry;
        match known_value.best {
            RawEntry::NO_MOVE => format!("{:+}", known_value.score),
            RawEntry::PASS => format!("{:+} with a pass", known_value.score),
            best if u32::from(best) < geometry.square_count() => {
                format!("{:+} with {}", known_value.score, geometry.at_row_major(best.into()))
            }
            best => format!("{:+} with move {best}", known_value.score),
        }
    }
}

impl Gathered {
    /// Each search that was done, by its number, with the file that holds the result.
    pub fn results(&self) -> impl Iterator<Item = (&SearchResult, &PathBuf)> {
        self.results.iter().flatten().map(|(result, place)| (result, &self.files[*place]))
    }

    /// An error if a search was not done.
    pub fn check_complete(&self, build: &SharedBuild) -> Result<(), SpreadError> {
        let missing = self.results.iter().filter(|result| result.is_none()).count();
        if missing == 0 {
            return Ok(());
        }
        let costs = build.round.family_costs();
        let mut first = vec![0];
        first.extend(build.round.families.iter().scan(0, |before, family| {
            *before += family.len();
            Some(*before)
        }));
        let is_missing = |part: &Part| {
            let families = part.families(&costs);
            let (begin, end) = (first[families.start], first[families.end]);
            self.results[begin..end].iter().any(Option::is_none)
        };
        let siblings = self.divisions.first().into_iter().flat_map(|part| part.siblings());
        let parts = siblings.filter(is_missing).collect();
        Err(SpreadError::Missing { missing, all: self.results.len(), parts })
    }
}

/// The division with the most files.
fn divisions(parts: &[Part]) -> Vec<Part> {
    let mut divisions: Vec<(usize, Part)> = Vec::new();
    for part in parts {
        match divisions.iter_mut().find(|(_, other)| other.is_of_division(*part)) {
            Some((files, _)) => *files += 1,
            None => divisions.push((1, *part)),
        }
    }
    divisions.sort_by_key(|&(files, _)| std::cmp::Reverse(files));
    divisions.into_iter().map(|(_, part)| part).take(1).collect()
}
