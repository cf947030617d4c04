//! `reversi table verify --whole`: searches every end of the walks, and samples of the rest; in parts, and continued
//! after an interruption.

use super::proof::{ClassResult, Proof};
use crate::cli::checksum::own_checksum;
use crate::cli::common::Output;
use crate::cli::interrupt::fail_on_ctrl_c_saying;
use crate::cli::places::{check_distinct, check_file, check_no_data, write_file};
use crate::cli::print::{print_line, print_remark};
use crate::cli::processor_time::cpu_seconds;
use crate::cli::progress::Counter;
use crate::cli::values::in_threads;
use crate::cli::verify_state::{State, Time, after_interruption};
use crate::cli::{Exit, Failure};
use clap::{Args, ValueEnum};
use reversi_lab::spread::parts::Part;
use reversi_table::Table;
use reversi_verify::whole::{Chunk, Class, Coverage, Sampling, Whole};
use reversi_verify::{Check, Tally, Verdict};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options of a whole verification.
#[derive(Args)]
pub struct WholeOptions {
    /// Search every end of the walks of a region, and samples of the entries that no equation and no end decides
    ///
    /// Ends are the entries with the fewest empty squares. Together with the equations above them this proves the value
    /// of the start, and for every position of a walk that the side that plays the stored moves gets at least the
    /// stored value. The report separates what was checked for all entries from what was checked by sample.
    #[arg(long, conflicts_with = "sample")]
    whole: bool,
    /// With --whole: number of sampled entries of the last ply of the prefix
    #[arg(long, value_name = "N", default_value_t = 200, requires = "whole")]
    prefix_sample: usize,
    /// With --whole: number of sampled entries for each number of empty squares between ends and prefix
    #[arg(long, value_name = "N", default_value_t = 100, requires = "whole")]
    walk_sample: usize,
    /// With --whole: search only the ends, or only the samples; the report says that it is incomplete
    #[arg(long, value_name = "KIND", requires = "whole")]
    only: Option<Kind>,
    /// With --whole: check only part I of N, for several machines
    #[arg(long, value_name = "I/N", default_value = "1/1", requires = "whole")]
    part: Part,
    /// With --whole: save finished work in FILE, and continue from it if it exists; each process needs a file of its
    /// own
    #[arg(long, value_name = "FILE", requires = "whole")]
    resume: Option<PathBuf>,
    /// With --whole: write the report to FILE, as JSON
    #[arg(long, value_name = "FILE", requires = "whole")]
    report: Option<PathBuf>,
}

/// Which searches are requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    Ends,
    Samples,
}

impl Kind {
    fn has(self, class: &Class) -> bool {
        (self == Kind::Ends) == (class.coverage == Coverage::All)
    }
}

impl WholeOptions {
    /// Whether a whole verification is requested.
    pub fn is_asked_for(&self) -> bool {
        self.whole
    }

    /// Lets Ctrl-C end the command, which then says how to continue.
    pub fn fail_on_ctrl_c(&self) {
        let state = self.resume.clone();
        fail_on_ctrl_c_saying(move || after_interruption(state.as_deref()));
    }
}

/// Checks the whole of a table.
///
/// # Errors
/// A state of another table or sampling, or a file that cannot be written.
pub fn run(
    options: &WholeOptions,
    path: &Path,
    table: &Table,
    seed: u64,
    nodes: u64,
    threads: Option<usize>,
    output: Output,
) -> Result<Exit, Failure> {
    let started = Instant::now();
    let sampling = Sampling { prefix: options.prefix_sample, walk: options.walk_sample, seed, nodes };
    let tell = |check: &Check| {
        if !output.json {
            print_line(check);
        }
    };
    // Try first what would otherwise fail after hours.
    let mut read = vec![("the table", path)];
    if let Some(state) = &options.resume {
        check_distinct("--resume", state, &read)?;
        read.push(("the file of --resume", state));
    }
    if let Some(report) = &options.report {
        check_distinct("--report", report, &read)?;
        check_no_data("--report", report)?;
        check_replaces_own(report, path)?;
        check_file("--report", report)?;
    }
    let identity = Proof::state_identity(table).map_err(|error| super::at(path, error))?;
    let mut state = State::open(options.resume.as_deref(), &identity, &own_checksum())?;
    let (report, whole) = in_threads(threads, || Whole::prepare(table.raw(), sampling, tell))?;
    let mut proof =
        Proof::new(path, table, sampling, options.part, &report).map_err(|error| super::at(path, error))?;
    if let Some(whole) = &whole
        && report.verdict() == Verdict::Sound
    {
        let (number, parts) = (u64::from(options.part.number()), u64::from(options.part.of()));
        let mine = |(place, _): &(usize, Chunk)| *place as u64 % parts == number - 1;
        let mut chunks: Vec<Chunk> =
            whole.chunks().into_iter().enumerate().filter(mine).map(|(_, chunk)| chunk).collect();
        if let Some(kind) = options.only {
            chunks.retain(|chunk| kind.has(&whole.classes()[chunk.class]));
        }
        proof.programs = state.programs().map(str::to_owned).collect();
        let classes = whole.classes();
        proof.classes = classes.iter().map(ClassResult::new).collect();
        search(whole, &chunks, &mut state, &mut proof, threads, output)?;
    }
    proof.settle();
    proof.seconds = started.elapsed().as_secs_f64();
    // Print first: the results of hours must not be lost if the report cannot be written.
    proof.tell(output);
    if let Some(report) = &options.report {
        let text = serde_json::to_string_pretty(&proof).expect("a report is plain data") + "\n";
        write_file("--report", report, text.as_bytes())?;
    }
    Ok(proof.exit())
}

/// Refuses to replace a file that is not a report on a table of this name.
fn check_replaces_own(report: &Path, table: &Path) -> Result<(), Failure> {
    let name = table.file_name().map(|name| name.to_string_lossy());
    let old = if report.is_file() { std::fs::read(report).unwrap_or_default() } else { Vec::new() };
    let is_own = || {
        let old = serde_json::from_slice::<serde_json::Value>(&old).unwrap_or_default();
        old["file"].as_str().is_some_and(|file| Some(file) == name.as_deref())
    };
    if old.is_empty() || is_own() {
        return Ok(());
    }
    let message = format!(
        "--report {}: this is not a report on {}; name another file",
        report.display(),
        table.display()
    );
    Err(Failure::usage("usage", message))
}

/// Searches the chunks that the state does not hold, and adds up all of them.
fn search(
    whole: &Whole,
    chunks: &[Chunk],
    state: &mut State,
    proof: &mut Proof,
    threads: Option<usize>,
    output: Output,
) -> Result<(), Failure> {
    let entries = |chunk: &Chunk| chunk.entries.len() as u64;
    let is_known = |chunk: &&Chunk| state.find(&whole.name_of(chunk), chunk.entries.len()).is_some();
    let all = chunks.iter().map(entries).sum();
    let mut done: u64 = chunks.iter().filter(is_known).map(entries).sum();
    if done > 0 && !output.quiet {
        print_remark(format_args!("{done} of {all} entries were searched before"));
    }
    let counter = Counter::new(output, "entries searched", all, done);
    for chunk in chunks {
        let name = whole.name_of(chunk);
        let class = &whole.classes()[chunk.class];
        let tally: Tally = match state.find(&name, chunk.entries.len()) {
            Some(known) => known,
            None => {
                let (begun, cpu_begun) = (Instant::now(), cpu_seconds());
                let tally = in_threads(threads, || whole.search(chunk))?;
                let cpu_seconds = cpu_seconds().zip(cpu_begun).map(|(now, then)| now - then);
                state.add(&name, &tally, Time { seconds: begun.elapsed().as_secs_f64(), cpu_seconds })?;
                done += entries(chunk);
                tally
            }
        };
        counter.set_message(class.name.clone());
        counter.set(done);
        let result = &mut proof.classes[chunk.class];
        result.in_this_part += entries(chunk);
        result.add(tally);
        debug_assert!(class.coverage == Coverage::Sample || result.unfinished == 0);
    }
    proof.set_search_time(state.time());
    Ok(())
}
