//! The report of a whole verification: what was checked for all entries, what by sample, and what follows from it.

use crate::cli::common::Output;
use crate::cli::print::print_line;
use crate::cli::reading::read_named;
use crate::cli::verify_state::{self, Time};
use crate::cli::{Exit, Failure};
use reversi_lab::spread::parts::Part;
use reversi_table::{Table, TableError};
use reversi_verify::whole::{Class, Coverage, Sampling, most_wrong};
use reversi_verify::{Check, Outcome, Report, Tally, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "reversi.table-proof/1";
/// Version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The report of a verification, or of a part of it.
#[derive(Serialize, Deserialize)]
pub struct Proof {
    schema: String,
    file: String,
    sha256: String,
    bytes: u64,
    entries: u64,
    /// Version of the program.
    version: String,
    /// sha256 of the executables that searched.
    pub programs: BTreeSet<String>,
    part: u64,
    parts: u64,
    seed: u64,
    prefix_sample: u64,
    walk_sample: u64,
    /// Maximum nodes for one sampled entry.
    nodes: u64,
    /// `sound`, `wrong` or `damaged`.
    verdict: String,
    /// Checks of all entries, without any search.
    checks: Vec<CheckResult>,
    /// Checks by search.
    pub classes: Vec<ClassResult>,
    /// What is proved for all entries.
    for_all: String,
    /// What is checked by sample only, with the number of sampled entries.
    by_sample: String,
    /// Seconds of this run.
    pub seconds: f64,
    /// Wall-clock seconds of all searches, earlier runs included.
    search_seconds: f64,
    /// Processor time of the same searches, all cores together; `None` if the system does not report it.
    search_cpu_seconds: Option<f64>,
}

/// A check, in the form used in reports.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub struct CheckResult {
    check: String,
    claim: String,
    count: u64,
    unit: String,
    result: String,
    faults: u64,
    detail: String,
}

/// What the searches of a class found.
#[derive(Serialize, Deserialize)]
pub struct ClassResult {
    class: String,
    claim: String,
    /// `all` or `sample`.
    coverage: String,
    population: u64,
    /// Number of entries drawn from the population, in all parts together.
    drawn: u64,
    /// Number of entries drawn for this part.
    pub in_this_part: u64,
    checked: u64,
    wrong: u64,
    pub unfinished: u64,
    nodes: u64,
    first: Option<(u64, String)>,
    /// What the result says about the population.
    conclusion: String,
}

impl ClassResult {
    /// What is drawn from which population; all parts have this in common.
    fn drawing(&self) -> impl PartialEq + use<'_> {
        (&self.class, &self.coverage, self.population, self.drawn)
    }

    pub fn new(class: &Class) -> ClassResult {
        let coverage = if class.coverage == Coverage::All { "all" } else { "sample" };
        let mut result = ClassResult {
            class: class.name.clone(),
            claim: class.claim.to_owned(),
            coverage: coverage.to_owned(),
            population: class.population,
            drawn: class.chosen(),
            in_this_part: 0,
            checked: 0,
            wrong: 0,
            unfinished: 0,
            nodes: 0,
            first: None,
            conclusion: String::new(),
        };
        result.conclude();
        result
    }

    pub fn add(&mut self, tally: Tally) {
        let mine = Tally {
            checked: self.checked,
            wrong: self.wrong,
            unfinished: self.unfinished,
            nodes: self.nodes,
            first: self.first.take(),
        };
        let Tally { checked, wrong, unfinished, nodes, first } = mine.merge(tally);
        (self.checked, self.wrong, self.unfinished, self.nodes, self.first) =
            (checked, wrong, unfinished, nodes, first);
        self.conclude();
    }

    fn conclude(&mut self) {
        let (tried, bad) = (self.checked + self.unfinished, self.wrong + self.unfinished);
        let most = 100.0 * most_wrong(tried, bad);
        self.conclusion = if tried < self.drawn {
            format!("{tried} of {} searched, {} wrong; the others are not", self.drawn, self.wrong)
        } else if self.drawn == self.population {
            match bad {
                0 => "all of them are right".to_owned(),
                _ => format!("{} of {tried} are wrong, {} were given up", self.wrong, self.unfinished),
            }
        } else if self.drawn == 0 {
            "none was drawn: nothing is known of them".to_owned()
        } else if bad == 0 {
            format!(
                "{tried} checked, none wrong: with 99 % confidence at most {most:.3} % of the population are wrong (1 - \
                 0.01^(1/n), about 4.6/n)"
            )
        } else {
            format!(
                "{} of {tried} wrong, {} given up and counted as wrong: with 99 % confidence at most {most:.3} % of the \
                 population are wrong",
                self.wrong, self.unfinished
            )
        };
    }
}

impl Proof {
    pub fn new(
        path: &Path,
        table: &Table,
        sampling: Sampling,
        part: Part,
        report: &Report,
    ) -> Result<Proof, TableError> {
        Ok(Proof {
            schema: SCHEMA.to_owned(),
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: super::sha256_of(table)?,
            bytes: table.header().file_length(),
            entries: table.raw().header().entries(),
            version: VERSION.to_owned(),
            programs: BTreeSet::new(),
            part: part.number().into(),
            parts: part.of().into(),
            seed: sampling.seed,
            prefix_sample: sampling.prefix as u64,
            walk_sample: sampling.walk as u64,
            nodes: sampling.nodes,
            verdict: verdict_name(report).to_owned(),
            checks: report.checks.iter().map(CheckResult::new).collect(),
            classes: Vec::new(),
            for_all: String::new(),
            by_sample: String::new(),
            seconds: 0.0,
            search_seconds: 0.0,
            search_cpu_seconds: None,
        })
    }

    /// What the search of an entry depends on. If it changes, searches done before are of no use.
    pub fn state_identity(table: &Table) -> Result<Json, TableError> {
        let sha256 = super::sha256_of(table)?;
        Ok(verify_state::identity("reversi.table-proof-state/1", &sha256))
    }

    /// What all parts of one verification have in common.
    fn identity(&self) -> impl PartialEq {
        let samples = [self.seed, self.prefix_sample, self.walk_sample, self.nodes];
        (self.sha256.clone(), self.version.clone(), self.parts, samples)
    }

    fn search_time(&self) -> Time {
        Time { seconds: self.search_seconds, cpu_seconds: self.search_cpu_seconds }
    }

    /// Sets the time of all searches, earlier runs included.
    pub fn set_search_time(&mut self, time: Time) {
        (self.search_seconds, self.search_cpu_seconds) = (time.seconds, time.cpu_seconds);
    }

    fn wrong(&self) -> u64 {
        self.classes.iter().map(|class| class.wrong).sum()
    }

    /// The exit code for the result.
    pub fn exit(&self) -> Exit {
        match self.verdict.as_str() {
            "damaged" => Exit::CorruptTable,
            "sound" if self.wrong() == 0 => Exit::Done,
            _ => Exit::Difference,
        }
    }

    /// Adds the results of the searches to the verdict and the conclusions.
    pub fn settle(&mut self) {
        if self.verdict == "sound" && self.wrong() > 0 {
            self.verdict = "wrong".to_owned();
        }
        (self.for_all, self.by_sample) = (self.proved(), self.sampled());
    }

    fn proved(&self) -> String {
        let all: Vec<&ClassResult> = self.classes.iter().filter(|class| class.coverage == "all").collect();
        let text = if self.verdict != "sound" {
            "nothing: a check failed"
        } else if self.parts > 1 {
            "nothing before the reports of all parts are joined"
        } else if all.is_empty() {
            "every score and every move, by the equations down to finished games"
        } else if all.iter().all(|class| class.checked == class.population) {
            "the side that plays the stored moves gets at least the stored value, from every position of its walk; the \
             value of the start is exact; values and moves of the ends are exact"
        } else {
            "nothing: some of the ends were not searched"
        };
        text.to_owned()
    }

    fn sampled(&self) -> String {
        let samples = || self.classes.iter().filter(|class| class.coverage == "sample");
        let searched = samples().map(|class| class.checked + class.unfinished);
        let population = samples().map(|class| class.population);
        match population.sum() {
            0u64 => "nothing: all is decided without one".to_owned(),
            population => format!(
                "that a side could not get more off the principal lines, the choice among equal moves above the ends, and \
                 the values of the prefix: {} of {population} entries, each class with a bound of its own",
                searched.sum::<u64>()
            ),
        }
    }

    /// Prints the results of the searches and the conclusions.
    pub fn tell(&self, output: Output) {
        if output.json {
            return print_line(serde_json::to_string(self).expect("a report is plain data"));
        }
        for class in &self.classes {
            let word = match (class.wrong, class.unfinished) {
                (1.., _) => "WRONG",
                (0, unfinished) if unfinished > 0 || class.in_this_part == 0 => "-",
                _ => "ok",
            };
            let (name, population) = (&class.class, class.population);
            print_line(format_args!(
                "{word:<6}{name:<12}{population:>9} entries   {}; {}",
                class.claim, class.conclusion
            ));
            if let Some((_, first)) = &class.first {
                print_line(format_args!("      the first wrong one: {first}"));
            }
        }
        print_line(format_args!("proved for all: {}", self.for_all));
        print_line(format_args!("by sample: {}", self.by_sample));
        let part = match self.parts {
            1 => String::new(),
            parts => format!("part {} of {parts} only: ", self.part),
        };
        let cpu = self.search_cpu_seconds.map_or(String::new(), |cpu| format!(", {cpu:.1} s of one core"));
        let (file, verdict, sha256) = (&self.file, &self.verdict, &self.sha256);
        print_line(format_args!(
            "{file}: {part}{verdict}; sha256 {sha256}, seed {}, version {}, {:.1} s, searches {:.1} s in all{cpu}",
            self.seed, self.version, self.seconds, self.search_seconds
        ));
    }

    /// Adds up the reports of all parts.
    ///
    /// # Errors
    /// A file that is no report, parts of different runs, a part that occurs twice or is missing.
    pub fn join(paths: &[PathBuf]) -> Result<Proof, Failure> {
        let refuse =
            |path: &Path, why: &str| Failure::usage("bad-report", format!("{}: {why}", path.display()));
        let mut parts: Vec<(PathBuf, Proof)> = Vec::new();
        for path in paths {
            let bytes = read_named(path).map_err(|error| refuse(path, &error.to_string()))?;
            let proof = serde_json::from_slice(&bytes).ok().filter(|proof: &Proof| proof.schema == SCHEMA);
            let proof = proof.ok_or_else(|| refuse(path, "is no report of --whole"))?;
            parts.push((path.clone(), proof));
        }
        parts.sort_by_key(|(_, proof)| proof.part);
        let mut parts = parts.into_iter();
        let Some((first_path, mut sum)) = parts.next() else {
            return Err(Failure::usage("bad-report", "no reports to join"));
        };
        if sum.part != 1 {
            return Err(refuse(&first_path, "part 1 is missing"));
        }
        for (path, proof) in parts {
            if proof.part != sum.part + 1 {
                return Err(refuse(
                    &path,
                    &format!("this is part {}, but part {} is next", proof.part, sum.part + 1),
                ));
            }
            if sum.verdict == "sound" {
                sum.verdict = proof.verdict.clone();
            }
            if proof.identity() != sum.identity()
                || proof.checks != sum.checks
                || !proof
                    .classes
                    .iter()
                    .map(ClassResult::drawing)
                    .eq(sum.classes.iter().map(ClassResult::drawing))
            {
                return Err(refuse(&path, "is of another table, program or sample"));
            }
            sum.part = proof.part;
            sum.seconds += proof.seconds;
            sum.set_search_time(sum.search_time().plus(proof.search_time()));
            sum.programs.extend(proof.programs);
            for (mine, theirs) in sum.classes.iter_mut().zip(proof.classes) {
                let ClassResult { in_this_part, checked, wrong, unfinished, nodes, first, .. } = theirs;
                mine.in_this_part += in_this_part;
                mine.add(Tally { checked, wrong, unfinished, nodes, first });
            }
        }
        let searched = |class: &ClassResult| class.checked + class.unfinished == class.drawn;
        if sum.part != sum.parts || !sum.classes.iter().all(searched) {
            let message = format!("only {} of {} parts, or an unfinished one", sum.part, sum.parts);
            return Err(Failure::usage("bad-report", message));
        }
        (sum.part, sum.parts) = (1, 1);
        sum.settle();
        Ok(sum)
    }
}

/// The verdict of a report, as scripts read it.
pub fn verdict_name(report: &Report) -> &'static str {
    match report.verdict() {
        Verdict::Sound => "sound",
        Verdict::Damaged => "damaged",
        Verdict::Wrong => "wrong",
    }
}

impl CheckResult {
    pub fn new(check: &Check) -> CheckResult {
        let (result, faults, detail) = match &check.outcome {
            Outcome::Passed => ("passed", 0, check.remark.as_str()),
            Outcome::Failed { faults, first } => ("failed", *faults, first.as_str()),
            Outcome::NotChecked(why) => ("not-checked", 0, why.as_str()),
        };
        CheckResult {
            check: check.name.to_owned(),
            claim: check.claim.to_owned(),
            count: check.count,
            unit: check.unit.to_owned(),
            result: result.to_owned(),
            faults,
            detail: detail.to_owned(),
        }
    }
}
