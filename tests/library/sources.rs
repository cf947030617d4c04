//! What a build takes over from earlier runs and tables, and what it refuses to start from or to replace.

use reversi::build::checkpoint::Workspace;
use reversi::build::plan::BuildPlan;
use reversi::build::region::{BuildError, Tools, solve};
use reversi::build::sources::{More, SourceError, Sources, lost_by_replacing};
use reversi::rules::{Board, Geometry, Goal, Rules, Scoring, Start};
use reversi::search::{Sizing, Solver, SolverOptions, Stop};
use reversi::table::{RawEntry, to_bytes};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn plan(prefix: u8, down_to: u8) -> BuildPlan {
    let geometry = Geometry::FOUR;
    let root = Board::start(geometry, Start::Diagonal).position();
    BuildPlan {
        geometry,
        rules: Rules::new(Goal::Reversed, Scoring::Raw),
        root,
        prefix,
        down_to,
        last_moves: false,
    }
}

fn sources(plan: BuildPlan, replaced: Option<&Path>, resume: bool) -> Sources {
    Sources { plan, replaced: replaced.map(Path::to_owned), from: Vec::new(), resume }
}

/// Builds in a workspace from what the sources give; stops after `searches` of them.
fn run(sources: &Sources, directory: &Path, searches: usize) -> Result<Vec<RawEntry>, SourceError> {
    let plan = sources.plan;
    let mut workspace = Workspace::enter(directory, &plan)?;
    workspace.save_every(Duration::ZERO);
    let known = sources.take_over(&mut workspace)?.known_values;
    let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, sizing: Sizing::Whole };
    let solver = Solver::new(plan.geometry, plan.rules, options).unwrap();
    let (stop, mut left) = (Stop::never(), searches);
    let mut progress = |_| {
        left = left.saturating_sub(1);
        if left == 0 {
            stop.set();
        }
    };
    let workspace = Some(&mut workspace);
    let tools = Tools { solver: &solver, threads: 1, stop: &stop, workspace, progress: &mut progress };
    match solve(plan, tools, known) {
        Err(BuildError::Stopped) => Ok(Vec::new()),
        entries => Ok(entries.unwrap()),
    }
}

fn write(path: &Path, plan: &BuildPlan, entries: &[RawEntry]) {
    fs::write(path, to_bytes(plan.contents(), entries.iter().copied()).unwrap()).unwrap();
}

#[test]
fn an_interrupted_build_is_gone_on_with_only_where_it_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let (work, plan) = (directory.path().join("work"), plan(3, 5));
    let expected = run(&sources(plan, None, false), &directory.path().join("other"), 100_000).unwrap();
    assert!(run(&sources(plan, None, false), &work, 5).unwrap().is_empty(), "it was stopped");
    let refused = run(&sources(plan, None, false), &work, 5).unwrap_err();
    assert!(matches!(&refused, SourceError::Unfinished(path) if path.starts_with(&work)), "{refused}");
    let resumed = sources(plan, None, true);
    let taken = resumed.take_over(&mut Workspace::enter(&work, &plan).unwrap()).unwrap();
    assert_eq!(taken.resumed.unwrap().0, taken.known_values.len());
    assert!(!taken.known_values.is_empty());
    assert_eq!(run(&resumed, &work, 100_000).unwrap(), expected);
}

#[test]
fn a_table_is_taken_over_by_a_larger_one_and_not_replaced_by_a_smaller_one() {
    let directory = tempfile::tempdir().unwrap();
    let (path, work) = (directory.path().join("table.rvt"), directory.path().join("work"));
    let (small, large) = (plan(2, 7), plan(3, 5));
    let entries = run(&sources(small, None, false), &work, 100_000).unwrap();
    write(&path, &small, &entries);
    let growing = sources(large, Some(&path), false);
    assert_eq!(growing.known_values(None).unwrap().len(), entries.len());
    assert_eq!(lost_by_replacing(&path, &large), None);
    assert!(growing.moves_to_lose(&[]).unwrap().is_empty());

    let work = directory.path().join("large");
    write(&path, &large, &run(&growing, &work, 100_000).unwrap());
    let shrinking = sources(small, Some(&path), false);
    let more = More::LargerRegion { prefix: 3, down_to: 5 };
    assert_eq!(lost_by_replacing(&path, &small), Some(more));
    for refused in [shrinking.known_values(None).map(drop), shrinking.moves_to_lose(&[]).map(drop)] {
        assert!(matches!(refused, Err(SourceError::Larger { more: found, .. }) if found == more));
    }
}

#[test]
fn nothing_comes_from_a_table_that_is_to_be_built_anew_by_any_way() {
    let directory = tempfile::tempdir().unwrap();
    let (path, work) = (directory.path().join("table.rvt"), directory.path().join("work"));
    let (small, large) = (plan(2, 7), plan(3, 5));
    write(&path, &small, &run(&sources(small, None, false), &work, 100_000).unwrap());
    fs::remove_dir_all(&work).unwrap();
    assert!(run(&sources(large, Some(&path), false), &work, 1).unwrap().is_empty(), "it was stopped");
    let refused = run(&sources(large, None, true), &work, 5).unwrap_err();
    assert!(matches!(refused, SourceError::FromReplaced(_)), "{refused}");
}
