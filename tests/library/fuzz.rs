//! The fuzz targets on a kept corpus and on mutations of it: what a fuzzer would try first, in every run of the tests.

use crate::fuzzed::{TARGETS, Target};
use fastrand::Rng;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Mutations of each target's corpus.
const MUTATIONS: u64 = 400;

/// Longest mutation in bytes.
const LONGEST: usize = 1 << 12;

fn corpus_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz")
}

/// The inputs kept for a target, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let directory = corpus_directory().join(name);
    let files = fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{name} has a corpus");
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Runs a target; an input that it panics at is named so that it can be kept.
fn run((name, check): Target, input: &[u8], what: &str) {
    let ran = catch_unwind(|| check(input));
    assert!(ran.is_ok(), "{name} at {what}: b\"{}\"", input.escape_ascii());
}

/// One input after a few random edits: bytes changed, removed, put in, repeated, or taken from another input.
fn mutated(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.choice(corpus).cloned().unwrap_or_default();
    for _ in 0..rng.u32(1..6) {
        let at = rng.usize(..=bytes.len());
        let end = rng.usize(at..=bytes.len().min(at + 40));
        match rng.u32(..6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.u32(..8),
            1 if at < bytes.len() => bytes[at] = rng.u8(..),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.insert(at, *rng.choice(b" \n;:[](){}/%*#-0X\0\xff").expect("there are some")),
            4 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part.repeat(rng.usize(1..4)));
            }
            _ => {
                let other = rng.choice(corpus).map_or(&[][..], Vec::as_slice);
                bytes.truncate(at);
                bytes.extend(&other[rng.usize(..=other.len())..]);
            }
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

#[test]
fn fuzz_targets_keep_their_promises_on_their_corpus_and_its_mutations() {
    std::thread::scope(|scope| {
        let run_target = |target: Target| {
            let corpus = corpus(target.0);
            corpus.iter().for_each(|input| run(target, input, "an input of the corpus"));
            run(target, b"", "nothing");
            for seed in 0..MUTATIONS {
                run(target, &mutated(&corpus, &mut Rng::with_seed(seed)), &format!("mutation {seed}"));
            }
        };
        for target in TARGETS {
            scope.spawn(move || run_target(target));
        }
    });
}

#[test]
fn each_fuzz_target_has_a_program_and_a_corpus() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.0).collect();
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    for (directory, ending) in [(corpus_directory(), ""), (targets, ".rs")] {
        let mut found: Vec<String> = (fs::read_dir(directory).unwrap())
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        assert_eq!(found, names.iter().map(|name| format!("{name}{ending}")).collect::<Vec<_>>());
    }
}
