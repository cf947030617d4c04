//! The time and nodes of a set, as text and JSON, and the comparison with an earlier run.

use super::super::super::Failure;
use super::super::super::common::Output;
use super::super::super::print::{print_line, print_remark};
use reversi_rules::Score;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time and nodes of a set whose positions were solved one after the other.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Figures {
    schema: String,
    pub name: String,
    #[serde(default)]
    threads: usize,
    pub positions: u64,
    pub nodes: u64,
    /// Nodes as Edax counts them; `None` if they are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_as_edax: Option<u64>,
    pub seconds: f64,
    worst_seconds: f64,
    /// The geometric mean of the positions' seconds, in which each position has the same weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mean_seconds: Option<f64>,
    /// Scores that differ from known ones.
    pub wrong: u64,
    #[serde(skip)]
    pub scores: Vec<Score>,
    #[serde(skip)]
    log_seconds: f64,
}

const SCHEMA: &str = "reversi.bench-solver/1";

impl Figures {
    /// The first line of the table.
    pub const HEADINGS: &str = "                                   positions           nodes    as Edax's    seconds    ms each   worst ms       nodes/s";

    /// Figures of a set before its first position.
    pub fn new(name: &str, threads: usize) -> Figures {
        Figures {
            schema: SCHEMA.to_owned(),
            name: name.to_owned(),
            threads,
            positions: 0,
            nodes: 0,
            nodes_as_edax: None,
            seconds: 0.0,
            worst_seconds: 0.0,
            mean_seconds: None,
            wrong: 0,
            scores: Vec::new(),
            log_seconds: 0.0,
        }
    }

    /// Adds a solved position.
    pub fn add(&mut self, nodes: u64, time: Duration, score: Score, expected: Option<Score>) {
        let seconds = time.as_secs_f64();
        self.positions += 1;
        self.nodes += nodes;
        self.seconds += seconds;
        self.worst_seconds = self.worst_seconds.max(seconds);
        self.log_seconds += seconds.max(1e-9).ln();
        self.mean_seconds = Some((self.log_seconds / self.positions as f64).exp());
        self.wrong += u64::from(expected.is_some_and(|expected| expected != score));
        self.scores.push(score);
    }

    /// Prints one line of text or JSON.
    pub fn print(&self, output: Output) {
        print_line(if output.json { self.to_json() } else { self.to_text() });
    }

    fn to_text(&self) -> String {
        let warning = if self.wrong > 0 { format!("  {} DIFFERENT", self.wrong) } else { String::new() };
        let as_edax = self.nodes_as_edax.map_or_else(String::new, |nodes| nodes.to_string());
        format!(
            "{:<34} {:>9} {:>15} {as_edax:>12} {:>10.3} {:>10.3} {:>10.3} {:>13.0}{warning}",
            self.name,
            self.positions,
            self.nodes,
            self.seconds,
            self.seconds * 1e3 / self.positions as f64,
            self.worst_seconds * 1e3,
            self.nodes as f64 / self.seconds
        )
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers and names only")
    }

    /// How another run compares; both solved the same positions.
    fn beside(&self, earlier: &Figures) -> String {
        let nodes = self.nodes as f64 / earlier.nodes as f64;
        let speed = earlier.seconds / self.seconds;
        let mean = match (earlier.mean_seconds, self.mean_seconds) {
            (Some(earlier), Some(mean)) => format!(", {:.2} times position by position", earlier / mean),
            _ => String::new(),
        };
        let threads = match (earlier.threads, self.threads) {
            (earlier, now) if earlier == now => String::new(),
            (0, _) => "; the threads of the baseline are not known".to_owned(),
            (earlier, now) => format!("; with {now} threads instead of {earlier}"),
        };
        format!("  {speed:.2} times as fast as the baseline{mean}; {nodes:.3} times the nodes{threads}")
    }
}

/// The figures of an earlier run.
pub struct Baseline(Vec<Figures>);

impl Baseline {
    /// Reads what `--record` or `--json` wrote.
    ///
    /// # Errors
    /// A file that cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Baseline, Failure> {
        let named =
            |fault: String| Failure::usage("bad-baseline", format!("--baseline {}: {fault}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
        let mut all = Vec::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let fault = |what: String| named(format!("line {}: {what}", index + 1));
            let figures: Figures = serde_json::from_str(line)
                .map_err(|error| fault(format!("this is no line that --record wrote ({error})")))?;
            if figures.schema != SCHEMA {
                return Err(fault(format!("{:?} instead of {SCHEMA:?}", figures.schema)));
            }
            all.push(figures);
        }
        if all.is_empty() {
            return Err(named("it has no figures".to_owned()));
        }
        Ok(Baseline(all))
    }

    /// Prints how the figures compare with the earlier ones of the same set: on the next line, or with JSON on stderr.
    pub fn print_beside(&self, figures: &Figures, output: Output) {
        let same =
            |earlier: &&Figures| (&earlier.name, earlier.positions) == (&figures.name, figures.positions);
        let text = match self.0.iter().find(same) {
            Some(earlier) => figures.beside(earlier),
            None => "  not in the baseline".to_owned(),
        };
        if output.json { print_remark(text.trim_start()) } else { print_line(text) }
    }
}

/// Writes figures to a file, one set after the other.
pub struct Recorder {
    file: File,
    path: PathBuf,
}

impl Recorder {
    /// Begins a new file.
    ///
    /// # Errors
    /// The file exists or cannot be written.
    pub fn create(path: &Path) -> Result<Recorder, Failure> {
        let file = File::create_new(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let fault = "the file is there already; name another one, or delete it";
                Failure::cannot_write(format!("--record {}", path.display()), fault)
            }
            _ => failure(path, &error),
        })?;
        Ok(Recorder { file, path: path.to_owned() })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, figures: &Figures) -> Result<(), Failure> {
        let written = writeln!(self.file, "{}", figures.to_json()).and_then(|()| self.file.flush());
        written.map_err(|error| failure(&self.path, &error))
    }
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::cannot_write(format!("--record {}", path.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(nodes: u64, millis: u64) -> Figures {
        let mut figures = Figures::new("a set", 1);
        figures.add(nodes, Duration::from_millis(millis), Score::DRAW, Some(Score::DRAW));
        figures
    }

    #[test]
    fn what_is_recorded_is_a_baseline() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("before.jsonl");
        let earlier = figures(1000, 300);
        let mut recorder = Recorder::create(&path).unwrap();
        recorder.add(&earlier).unwrap();
        let refused = Recorder::create(&path).err().unwrap();
        assert!(refused.message().ends_with("name another one, or delete it"), "{}", refused.message());
        let Baseline(read) = Baseline::read(&path).ok().unwrap();
        let told = figures(900, 150).beside(&read[0]);
        assert_eq!(
            told,
            "  2.00 times as fast as the baseline, 2.00 times position by position; 0.900 times the nodes"
        );
    }

    #[test]
    fn a_file_of_something_else_is_no_baseline() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.jsonl");
        for text in ["{}", "nothing", r#"{"schema":"reversi.solve/1"}"#] {
            std::fs::write(&path, text).unwrap();
            let failure = Baseline::read(&path).err().unwrap();
            assert!(failure.message().contains("other.jsonl: line 1"), "{}", failure.message());
        }
        std::fs::write(&path, "\n").unwrap();
        assert!(Baseline::read(&path).err().unwrap().message().ends_with("has no figures"));
    }
}
