//! `reversi data`: where tables and weights are looked for, and how they are installed without the source tree.

use super::common::Output;
use super::interrupt::stop_on_ctrl_c;
use super::places::{self, make_directory};
use super::print::{print_line, print_remark};
use super::table::{self, misnamed, sha256_of};
use super::values::data_directory;
use super::{Exit, Failure};
use clap::{Args, Subcommand};
use reversi_files::{self as files, Held, Lock};
use reversi_rules::{Geometry, Goal, Start, key};
use reversi_solver::eval::Weights;
use reversi_solver::eval::weights::WeightsError;
use reversi_solver::search::Stop;
use reversi_table::Table;
use reversi_table::library::{self, DATA_VARIABLE, Library, file_name, first_with};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Find and install tables and weights
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi data list\n  reversi data install\n  \
    reversi data install --to /tmp/reversi-data")]
pub struct Data {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Install(Install),
    List(List),
}

/// Copy tables and weights to a place where they are found from every directory
///
/// Copies every table and all weights that the program would find from here, under the names by which it looks for
/// them. Files that are part of the program itself are left out. The copies are byte for byte; the checksums of each
/// file and of its copy are checked. An existing file is replaced as a whole, so programs that have it open continue
/// with the old one. A table that holds more than its copy would, or other weights, are replaced only with --replace.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi data install\n  reversi data install --from data --to /tmp/reversi-data"
)]
struct Install {
    /// Copy only from this directory [default: wherever the program finds them]
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    from: Option<PathBuf>,
    /// Copy to this directory, which --data or $REVERSI_DATA must name later; created if missing [default: the user's
    /// data directory, which is always searched]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Replace also other weights, and tables that hold more
    #[arg(long)]
    replace: bool,
}

/// List the directories that are searched, in order, and what is in them
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi data list\n  reversi data list --json")]
struct List {
    /// Directory to search before the others
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
}

impl Data {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match self.command {
            Command::Install(options) => options.run(output),
            Command::List(options) => options.run(output),
        }
    }
}

impl Install {
    fn run(self, output: Output) -> Result<Exit, Failure> {
        let Some(to) = self.to.clone().or_else(library::user_directory) else {
            let message = "this user has no home directory: name a directory with --to";
            return Err(Failure::usage("usage", message));
        };
        let from = self
            .from
            .clone()
            .map_or_else(|| Library::new(None).directories().to_vec(), |directory| vec![directory]);
        let found = installable(&from, &to, output)?;
        if found.is_empty() {
            let places: Vec<String> = from.iter().map(|place| place.display().to_string()).collect();
            let message = format!(
                "there is nothing to install in {} ({} itself does not count); name a directory with tables with \
                 --from",
                places.join(", "),
                to.display()
            );
            return Err(Failure::new(Exit::MissingTable, "missing-table", message));
        }
        make_directory("--to", &to)?;
        let stop = stop_on_ctrl_c();
        let library = Library::new(None);
        let is_found = library.directories().contains(&to);
        let (mut installed, mut exit) = (Vec::new(), Exit::Done);
        for (name, path) in found {
            let nothing_is_lost =
                if self.replace { Ok(()) } else { check_nothing_is_lost(&path, &to.join(&name)) };
            if let Err(failure) = nothing_is_lost {
                print_remark(format_args!("kept: {failure}"));
                exit = exit.or(failure.exit());
                continue;
            }
            let file = install(&path, &to.join(&name), &stop)?;
            let first = first_with(library.directories(), &name).filter(|_| is_found);
            let hidden_by = first.filter(|first| !is_same_place(first, &to.join(&name)));
            if !output.json {
                print_line(format_args!("{name}  {} bytes  {}", file.bytes, file.what()));
            }
            if let Some(first) = hidden_by.as_ref().filter(|_| !output.quiet) {
                print_remark(format_args!("from here {} is found before it", first.display()));
            }
            installed.push(json!({
                "file": name, "from": path, "bytes": file.bytes, "copied": file.is_new, "hidden_by": hidden_by,
            }));
        }
        let all = if exit == Exit::Done { "all" } else { "the others" };
        if output.json {
            let schema = "reversi.data-install/1";
            print_line(json!({"schema": schema, "directory": to, "is_found": is_found, "files": installed}));
        } else if is_found {
            print_line(format_args!("{all} in {}, where every command finds them", to.display()));
        } else {
            let to = to.display();
            print_line(format_args!("{all} in {to}: pass --data {to}, or set ${DATA_VARIABLE} to it"));
        }
        Ok(exit)
    }
}

fn is_same_place(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The files to copy from these directories to another one, by name; of equal names the first counts.
fn installable(from: &[PathBuf], to: &Path, output: Output) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut found = BTreeMap::new();
    for directory in from.iter().filter(|place| !is_same_place(place, to)) {
        for name in names_in(directory)? {
            let path = directory.join(&name);
            if found.contains_key(&name) {
                continue;
            }
            match choice(&path, &name)? {
                Choice::Taken => _ = found.insert(name, path),
                // It replaces another file that was installed earlier.
                Choice::BuiltIn if to.join(&name).exists() => _ = found.insert(name, path),
                Choice::BuiltIn | Choice::OtherName => {}
                Choice::Misnamed(_) if output.quiet => {}
                Choice::Misnamed(fault) => {
                    print_remark(format_args!("not installed: {}: {fault}", path.display()));
                }
            }
        }
    }
    Ok(found)
}

/// The files of a directory with the endings of tables and weights, sorted; none if there is no such directory.
///
/// # Errors
/// A directory that cannot be read.
fn names_in(directory: &Path) -> Result<Vec<String>, Failure> {
    let cannot_read = |error: io::Error| {
        Failure::new(Exit::MissingTable, "cannot-read", format!("{}: {error}", directory.display()))
    };
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let names =
        entries.map_err(cannot_read)?.into_iter().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_table(name) || is_weights(name)).collect();
    names.sort();
    Ok(names)
}

fn is_table(name: &str) -> bool {
    name.ends_with(".rvt")
}

fn is_weights(name: &str) -> bool {
    name.ends_with(".rvw")
}

/// How an install treats a file.
enum Choice {
    Taken,
    /// The program holds the same contents.
    BuiltIn,
    /// The program does not look for this name.
    OtherName,
    /// Its name promises other contents.
    Misnamed(String),
}

fn choice(path: &Path, name: &str) -> Result<Choice, Failure> {
    if is_weights(name) { choice_of_weights(path, name) } else { choice_of_table(path, name) }
}

fn choice_of_weights(path: &Path, name: &str) -> Result<Choice, Failure> {
    let weights = Weights::load(path)?;
    let (geometry, goal) = (weights.geometry(), weights.rules().goal);
    if name != Weights::file_name(geometry, goal) {
        let named = name.split('-').next().and_then(|size| size.parse::<Geometry>().ok());
        let is_looked_for =
            named.is_some_and(|size| Goal::ALL.iter().any(|&goal| Weights::file_name(size, goal) == name));
        let fault = format!("its name says otherwise, but the weights are for {geometry} {goal}");
        return Ok(if is_looked_for { Choice::Misnamed(fault) } else { Choice::OtherName });
    }
    let shipped = Weights::shipped(geometry, goal).and_then(Result::ok);
    let is_built_in = shipped.is_some_and(|shipped| shipped == weights);
    Ok(if is_built_in { Choice::BuiltIn } else { Choice::Taken })
}

fn choice_of_table(path: &Path, name: &str) -> Result<Choice, Failure> {
    let table = Table::open(path).map_err(|error| table::at(path, error))?;
    if let Some(fault) = misnamed(path, &table) {
        return Ok(Choice::Misnamed(fault));
    }
    let (geometry, rules) = (table.geometry(), table.rules());
    let Some(start) = Start::ALL.into_iter().find(|&start| name == file_name(geometry, rules, start)) else {
        return Ok(Choice::OtherName);
    };
    let built_in = library::built_in(geometry, rules, start);
    let is_built_in = built_in.is_some_and(|built_in| sha256_of(&built_in).ok() == sha256_of(&table).ok());
    Ok(if is_built_in { Choice::BuiltIn } else { Choice::Taken })
}

/// A file in its new place.
struct Installed {
    bytes: u64,
    /// Whether it was not there before.
    is_new: bool,
}

impl Installed {
    fn what(&self) -> &'static str {
        if self.is_new { "copied" } else { "is there already" }
    }
}

/// Refuses to replace a table with entries or moves that the new one lacks, and other weights.
fn check_nothing_is_lost(from: &Path, to: &Path) -> Result<(), Failure> {
    let keep = |what: &str| {
        let message = format!("{}: {what}; --replace replaces it", to.display());
        Err(Failure::usage("larger-table", message))
    };
    if is_weights(&from.to_string_lossy()) {
        let is_other = Weights::load(to).is_ok()
            && fs::read(to).is_ok_and(|there| fs::read(from).is_ok_and(|new| new != there));
        return if is_other { keep("holds other weights, perhaps your own") } else { Ok(()) };
    }
    // Of a damaged file nothing is lost.
    let Ok(there) = Table::open(to) else { return Ok(()) };
    let new = Table::open(from).map_err(|error| table::at(from, error))?;
    if there.header() == new.header() {
        return Ok(());
    }
    if there.expect(new.geometry(), new.rules()).is_err() {
        return keep("is a table for another board or other rules");
    }
    for entry in there.raw_entries().map_while(Result::ok) {
        let Some(position) = key::unpack(there.geometry(), entry.key) else { continue };
        let probe = |table: &Table| table.probe(position).ok().flatten();
        let has_all = match (probe(&there), probe(&new)) {
            (Some(old), Some(new)) => old.best.is_none() || new.best.is_some(),
            (old, _) => old.is_none(),
        };
        if !has_all {
            return keep("holds entries or best moves that the new table lacks");
        }
    }
    Ok(())
}

/// Checks a file and copies it, unless it is there already.
fn install(from: &Path, to: &Path, stop: &Stop) -> Result<Installed, Failure> {
    let cannot_write = |error: io::Error| Failure::cannot_write(to.display(), error);
    if is_weights(&from.to_string_lossy()) {
        let path = from.to_owned();
        let bytes = match fs::read(from) {
            Ok(bytes) => bytes,
            Err(cause) => return Err(WeightsError::File { path, cause }.into()),
        };
        Weights::from_bytes(&bytes).map_err(|cause| WeightsError::Unusable { path, cause })?;
        let is_new = fs::read(to).ok().as_ref() != Some(&bytes);
        if is_new {
            places::write(to, &bytes).map_err(cannot_write)?;
        }
        return Ok(Installed { bytes: bytes.len() as u64, is_new });
    }
    let table = checked(from)?;
    let sha256 = sha256_of(&table).map_err(|error| table::at(from, error))?;
    let is_same = |there: &Table| sha256_of(there).is_ok_and(|there| there == sha256);
    let is_new = !Table::open(to).is_ok_and(|there| is_same(&there));
    if is_new {
        let to = &files::behind_links(to).map_err(cannot_write)?;
        // A program that writes a table there removes unfinished files of others.
        let _lock = Lock::take_if_possible(to).map_err(|Held| {
            let fault = "another program is writing this table; wait for it to end, or end it";
            Failure::new(Exit::Failed, "locked", format!("{}: {fault}", to.display()))
        })?;
        files::check_writable(to).map_err(cannot_write)?;
        let mut copy = files::temporary_replacing(to).map_err(cannot_write)?;
        for part in table.raw().parts() {
            if stop.is_set() {
                return Err(interrupted(to));
            }
            copy.write_all(&part.map_err(|error| table::at(from, error))?).map_err(cannot_write)?;
        }
        files::put_in_place(copy, to).map_err(cannot_write)?;
        checked(to)?;
    }
    Ok(Installed { bytes: table.header().file_length(), is_new })
}

fn interrupted(to: &Path) -> Failure {
    let message = format!("interrupted before {} was copied", to.display());
    Failure::new(Exit::Interrupted, "interrupted", message)
}

/// A table whose blocks are all sound.
fn checked(path: &Path) -> Result<Table, Failure> {
    let open = || {
        let table = Table::open(path)?;
        table.check_all_blocks()?;
        Ok(table)
    };
    open().map_err(|error| table::at(path, error))
}

impl List {
    fn run(self, output: Output) -> Result<Exit, Failure> {
        let library = Library::new(self.data.as_deref());
        let places = library.directories().iter().map(|directory| Ok((directory, names_in(directory)?)));
        let places = places.collect::<Result<Vec<_>, Failure>>()?;
        if output.json {
            let object = |(directory, files)| json!({"directory": directory, "files": files});
            let places: Vec<Json> = places.into_iter().map(object).collect();
            print_line(json!({"schema": "reversi.data-list/1", "directories": places}));
            return Ok(Exit::Done);
        }
        for (directory, names) in places {
            let what = match (directory.is_dir(), names.is_empty()) {
                (false, _) => ": there is no such directory",
                (true, true) => ": neither tables nor weights",
                (true, false) => "",
            };
            print_line(format_args!("{}{what}", directory.display()));
            names.iter().for_each(|name| print_line(format_args!("  {name}")));
        }
        print_line("in the program itself: the tables of 4x4 and the weights of 5x5 to 8x8 but 7x8");
        Ok(Exit::Done)
    }
}
