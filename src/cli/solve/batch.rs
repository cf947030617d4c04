//! A file of positions: each is solved and, if requested, compared with what the file says.

use super::super::common::{Output, shared_rules};
use super::super::games::{GameOptions, tell_no_rules};
use super::super::print::{print_line, print_remark};
use super::super::values::parse_size;
use super::super::{Exit, Failure};
use super::in_order::in_order;
use super::result::{Outcome, Solved};
use super::{Solve, exit_when_stopped};
use crate::cli::reading;
use crate::json::numbered;
use reversi_engine::{Game, GameSetup};
use reversi_formats::decode;
use reversi_formats::obf::{self, Record};
use reversi_formats::table_rows::columns_of;
use reversi_formats::text::{self, Kind, ReadError, Reading};
use reversi_rules::{Geometry, Move, Rules};
use reversi_solver::eval::Evaluator;
use reversi_solver::search::cost;
use reversi_solver::search::{Solver, SolverOptions, Stop, check_free};
use serde_json::{Value as Json, json};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use std::vec::IntoIter;

/// The number of a game without a position to solve, and why it has none.
type Fault = (usize, Failure);

/// The contents of a file: positions under one set of rules, and games that have none to solve.
struct Positions {
    file: obf::File,
    /// The number in the file of each position; games without a position are left out.
    numbers: Vec<usize>,
    /// Games without a position to solve, in order.
    faults: Vec<Fault>,
}

impl Positions {
    fn all(file: obf::File) -> Positions {
        Positions { numbers: (1..=file.records.len()).collect(), file, faults: Vec::new() }
    }
}

/// Solves every record. With `--check` differences give exit code 5. After a stop, says so of the remaining records.
pub fn run(solve: &Solve, path: &str, output: Output) -> Result<Exit, Failure> {
    let Positions { file, numbers, faults } = read(solve, path, output)?;
    let faults_exit = faults.first().map_or(Exit::Done, |(_, failure)| failure.exit());
    let (without_position, mut faults) = (faults.len(), faults.into_iter().peekable());
    if solve.check && file.records.iter().all(|record| record.best_score().is_none()) {
        return Err(nothing_to_compare(path, file.records.len()));
    }
    // Once for all sets of solvers, since the free memory changes. Each solver of a set asks only for its share.
    let options = solve.search.solver();
    check_free(options.memory_bytes)?;
    let started = Instant::now();
    let mut totals = Totals { all: file.records.len(), without_position, ..Totals::default() };
    let mut see = |number: usize, record: &Record, solved: Solved| {
        print_faults(&mut faults, number, output);
        let difference = if solve.check { difference(solve, record, &solved) } else { None };
        totals.add(record, &solved, difference.is_some());
        print_result(number, &solved, difference.as_deref(), output);
    };
    // The time counts from the first search on.
    let begun_stop = OnceCell::new();
    let is_stopped = || begun_stop.get().is_some_and(Stop::is_set);
    // Boards whose weights have been reported.
    let mut told = HashSet::new();
    let mut begun = 0;
    for records in file.records.chunk_by(|one, next| one.board.geometry == next.board.geometry) {
        if is_stopped() {
            break;
        }
        let geometry = records[0].board.geometry;
        let rules = solve.rules.rules(geometry, &file);
        let evaluator = solve.search.evaluator(geometry, rules.goal)?;
        if told.insert(geometry) {
            solve.search.tell_weights(geometry, rules.goal, output);
        }
        // By size, and kept for later groups: a new solver would have to touch its memory again.
        let mut solver_sets = HashMap::new();
        let sizes: HashSet<usize> = records.iter().map(|record| solver_count(options, record)).collect();
        let share = SolverOptions { memory_bytes: options.memory_bytes / sizes.len(), ..options };
        for group in records.chunk_by(|one, next| is_small(one) == is_small(next)) {
            if is_stopped() {
                break;
            }
            let size = solver_count(options, &group[0]);
            if let Entry::Vacant(place) = solver_sets.entry(size) {
                place.insert(solvers(geometry, rules, &evaluator, share, size)?);
            }
            let stop = begun_stop.get_or_init(|| solve.stop());
            // No progress is shown when several are solved at once.
            let shown = Output { quiet: output.quiet || size > 1, ..output };
            let job = |solver: &Solver, record: &Record| {
                solve.solve(solver, record.board, stop, shown, output.json)
            };
            let see = |place: usize, record: &Record, solved| see(numbers[begun + place], record, solved);
            in_order(&solver_sets[&size], group, || stop.is_set(), job, see);
            begun += group.len();
        }
    }
    print_faults(&mut faults, usize::MAX, output);
    totals.seconds = started.elapsed().as_secs_f64();
    totals.print(solve.check, output);
    Ok(totals.exit().or(faults_exit))
}

/// Reports the games before this number that have no position to solve, each in its place.
fn print_faults(faults: &mut Peekable<IntoIter<Fault>>, before: usize, output: Output) {
    while let Some((number, failure)) = faults.next_if(|(number, _)| *number < before) {
        match output.json {
            true => print_line(numbered(number, failure.json())),
            false => print_line(format!("{number:>4}  {}", failure.message())),
        }
    }
}

/// Small positions are solved several at a time, each by one thread; larger ones one after the other by all threads.
fn is_small(record: &Record) -> bool {
    record.board.position().empty_count(record.board.geometry) <= cost::SECOND_EMPTIES
}

/// Number of solvers that work at once on records of this size class.
fn solver_count(options: SolverOptions, record: &Record) -> usize {
    if is_small(record) { options.threads } else { 1 }
}

/// `size` solvers, each with its share of the threads and of the memory.
fn solvers(
    geometry: Geometry,
    rules: Rules,
    evaluator: &Option<Arc<Evaluator>>,
    all: SolverOptions,
    size: usize,
) -> Result<Vec<Solver>, Failure> {
    let share = SolverOptions { memory_bytes: all.memory_bytes / size, threads: all.threads / size, ..all };
    (0..size).map(|_| Ok(Solver::with_ordering(geometry, rules, share, evaluator.clone())?)).collect()
}

/// The failure if nothing can be compared: a comparison of nothing is no success.
fn nothing_to_compare(path: &str, records: usize) -> Failure {
    let what = if records == 0 { "holds no position" } else { "gives no score that is compared" };
    let way_out = "name a problem file with scores, as in \"-----OX--XO----- X; -8;\" (those of other files are not \
                   read), or leave out --check";
    Failure::usage("nothing-to-compare", format!("{path} {what}, so there is nothing to compare; {way_out}"))
}

/// The positions of a problem file, or the last positions of the games of any other file.
fn read(solve: &Solve, path: &str, output: Output) -> Result<Positions, Failure> {
    let bad = |message: String| Failure::usage("bad-file", format!("{path}: {message}"));
    let bytes = reading::read_file(Path::new(path)).map_err(|error| bad(error.to_string()))?;
    tell_no_rules(reading::first_line(&bytes), solve.rules.of_games(), output);
    let geometry = solve.position.board.as_deref().map(parse_size).transpose()?;
    let text = decode::text(&bytes);
    let reading = &solve.position.reading;
    let asked = obf::Asked { geometry, side: reading.side, zero: reading.zero() };
    let positions = match obf::parse(&text, asked) {
        Ok(_) if solve.position.start.is_some() => {
            return Err(bad("--start does not apply to a file of positions: leave it out".to_owned()));
        }
        Ok(_) if solve.empties.is_some() => {
            return Err(bad("--empties does not apply to a file of positions: leave it out".to_owned()));
        }
        Ok(file) if file.records.is_empty() && !solve.check => {
            return Err(bad(ReadError::Nothing.to_string()));
        }
        Ok(file) => Positions::all(file),
        Err(error) if text::is_obf(&text) && columns_of(&text).is_none() => {
            return Err(bad(reading::advised(&error.into())));
        }
        Err(_) => last_positions(solve, path, &bytes, geometry, output).map_err(bad)?,
    };
    solve.rules.agree(&positions.file).map_err(bad)?;
    Ok(positions)
}

/// The last positions of the games of a file, or their positions with the requested number of empty squares.
fn last_positions(
    solve: &Solve,
    path: &str,
    bytes: &[u8],
    geometry: Option<Geometry>,
    output: Output,
) -> Result<Positions, String> {
    let asked = GameOptions::of_file(&solve.position, solve.rules.of_games());
    let asked_but_the_goal = GameOptions::of_file(&solve.position, solve.rules.of_games().but_the_goal());
    let usual = GameSetup::new(geometry.unwrap_or(Geometry::EIGHT).into());
    let start = solve.position.start();
    let setup = GameSetup { start, goal: asked.rules.goal(), scoring: asked.rules.scoring, ..usual };
    let wanted = solve.position.reading.wanted(setup, geometry.map(Into::into));
    let games = text::read_bytes(bytes, &reading::names_beside(Path::new(path)), wanted);
    let several = games.len() > 1;
    let (all, mut finished) = (games.len(), 0);
    let mut faults = Vec::new();
    let place = |index| if several { format!("position {}: ", index + 1) } else { String::new() };
    let read = |(index, game): (usize, Result<Reading, ReadError>)| {
        let place = place(index);
        let game = game.map_err(|error| format!("{place}{}", reading::advised_within_game(&error)))?;
        solve.position.reading.tell_skipped(&game.skipped);
        if !game.has_board && game.game.moves().is_empty() {
            return Err(format!("{place}{}", ReadError::Nothing));
        }
        // These forms have no word for the goal, so only the option can give it.
        let names_no_goal = matches!(game.kind, Kind::Sgf | Kind::Wthor);
        let asked = if names_no_goal { &asked_but_the_goal } else { &asked };
        asked.agree(&game.game).map_err(|fault| format!("{place}{fault}"))?;
        let Some(empties) = solve.empties else {
            finished += usize::from(game.game.is_over());
            return Ok(Some((index, game.game)));
        };
        match with_empties(game.game, empties) {
            Ok(before) => Ok(Some((index, before))),
            Err(fault) if several => {
                faults.push((index + 1, Failure::usage("bad-file", format!("{path}: {place}{fault}"))));
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    };
    let games = games.into_iter().enumerate().map(read).filter_map(Result::transpose);
    let games = games.collect::<Result<Vec<(usize, Game)>, String>>()?;
    let named = shared_rules(games.iter().map(|(_, game)| game)).map_err(|(number, rule)| {
        let place = place(games[number].0);
        format!("{place}its {rule} differs from that of the games before it; solve them separately")
    })?;
    let record = |(index, game): &(usize, Game)| {
        reading::check_passing(game.passing()).map_err(|message| format!("{}{message}", place(*index)))?;
        let small = game.board().small();
        let board = small.ok_or_else(|| format!("{}only boards up to 8x8 are solved", place(*index)))?;
        Ok(Record { line: index + 1, board, moves: Vec::new(), score: None, comment: None })
    };
    let records = games.iter().map(record).collect::<Result<_, String>>()?;
    if finished > 0 && !output.quiet {
        print_remark(format_args!(
            "reversi: {finished} of {all} games are over, so their results are shown; --empties E solves the position with \
             E empty squares"
        ));
    }
    let numbers = games.iter().map(|(index, _)| index + 1).collect();
    Ok(Positions { file: obf::File { records, ..named }, numbers, faults })
}

/// A game taken back to the last position with this number of empty squares.
fn with_empties(mut game: Game, empties: u32) -> Result<Game, String> {
    while game.board().empty_count() < empties {
        if game.undo().is_none() {
            let there = game.board().empty_count();
            return Err(format!(
                "the game begins with {there} empty squares, fewer than --empties {empties}"
            ));
        }
    }
    match game.board().empty_count() {
        there if there > empties => {
            Err(format!("the game ends with {there} empty squares, more than --empties {empties}"))
        }
        _ => Ok(game),
    }
}

/// The difference from the record: the score, or the moves. There is none if a stop came first.
fn difference(solve: &Solve, record: &Record, solved: &Solved) -> Option<String> {
    let expected = record.best_score().filter(|_| solved.complete)?;
    let agrees = match solved.score() {
        Some(score) if !solve.wld => score == expected,
        _ => solved.outcome() == Some(Outcome::of(expected)),
    };
    if !agrees {
        return Some(format!("line {}: the file says {expected}", record.line));
    }
    let listed: Vec<Move> = record.best_moves().collect();
    if listed.is_empty() || solve.wld {
        return None;
    }
    let all_listed = solved.best.iter().all(|mv| listed.contains(mv));
    let all_found = !solve.all || listed.iter().all(|mv| solved.best.contains(mv));
    let names = || listed.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
    (!(all_listed && all_found))
        .then(|| format!("line {}: the file's best moves are {}", record.line, names()))
}

fn print_result(number: usize, solved: &Solved, difference: Option<&str>, output: Output) {
    if output.json {
        let mut object = numbered(number, solved.to_json());
        if let Some(difference) = difference {
            object["difference"] = difference.into();
        }
        print_line(object);
        return;
    }
    let verdict = difference.map_or(String::new(), |difference| format!("  DIFFERENT: {difference}"));
    print_line(format!(
        "{number:>4}  {:>5}  {:<8} {:>14} nodes {:>9.3} s{verdict}",
        solved.score_text(),
        solved.best_text(),
        solved.nodes,
        solved.seconds
    ));
}

/// The sums over a file.
#[derive(Default)]
struct Totals {
    /// Games of the file that have no position to solve.
    without_position: usize,
    /// Positions of the file.
    all: usize,
    /// Number of those that are solved.
    positions: usize,
    /// Number of those for which the file gives no score.
    without_score: usize,
    different: usize,
    /// Solved positions whose line was cut short by a stop.
    lines_cut: usize,
    /// Nodes of all searches, including those cut short by a stop.
    nodes: u64,
    /// Wall-clock time from the first to the last.
    seconds: f64,
}

impl Totals {
    /// Adds a result. A search that a stop has cut short does not count as solved.
    fn add(&mut self, record: &Record, solved: &Solved, different: bool) {
        self.nodes += solved.nodes;
        if !solved.complete {
            return;
        }
        self.positions += 1;
        self.without_score += usize::from(record.best_score().is_none());
        self.different += usize::from(different);
        self.lines_cut += usize::from(!solved.line_complete);
    }

    /// Number of positions that a stopped run has left.
    fn rest(&self) -> usize {
        self.all - self.positions
    }

    fn compared(&self) -> usize {
        self.positions - self.without_score
    }

    /// A difference counts even if the rest was not solved.
    fn exit(&self) -> Exit {
        match (self.different, self.rest() + self.lines_cut) {
            (0, 0) => Exit::Done,
            (0, _) => exit_when_stopped(),
            _ => Exit::Difference,
        }
    }

    fn print(&self, checked: bool, output: Output) {
        // With JSON the summary goes to stderr: stdout has one result per position.
        if output.json {
            return print_remark(self.to_json(checked));
        }
        let rate = self.nodes as f64 / self.seconds.max(1e-9);
        let verdict = if checked { self.verdict() } else { String::new() };
        let rest = match self.rest() {
            0 => String::new(),
            rest => format!("; stopped, {rest} of {} positions not solved", self.all),
        };
        let without_position = match self.without_position {
            0 => String::new(),
            1 => "; one game has no position to solve".to_owned(),
            several => format!("; {several} games have no position to solve"),
        };
        print_line(format!(
            "{} positions, {} nodes, {:.3} s, {rate:.0} nodes/s{verdict}{rest}{without_position}",
            self.positions, self.nodes, self.seconds
        ));
    }

    fn to_json(&self, checked: bool) -> Json {
        let mut object = json!({
            "schema": "reversi.solve-summary/1",
            "positions": self.positions,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "not_solved": self.rest(),
            "without_position": self.without_position,
        });
        if checked {
            object["compared"] = self.compared().into();
            object["without_score"] = self.without_score.into();
            object["different"] = self.different.into();
        }
        object
    }

    /// The result of the comparison, and of how many positions.
    fn verdict(&self) -> String {
        let compared = self.compared();
        let found = match self.different {
            _ if compared == 0 => "none compared".to_owned(),
            0 if compared == self.all => "all as the file says".to_owned(),
            0 => format!("{compared} compared, as the file says"),
            different => format!("{compared} compared, {different} DIFFERENT from the file"),
        };
        match self.without_score {
            0 => format!(", {found}"),
            without => format!(", {found}; {without} without a score in the file, not compared"),
        }
    }
}
