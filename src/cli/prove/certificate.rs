//! Reads a certificate, and `reversi prove --verify`, which checks one.

use super::super::checksum::{own_checksum, sha256};
use super::super::common::Output;
use super::super::interrupt::fail_on_ctrl_c_saying;
use super::super::places;
use super::super::print::{print_line, print_remark};
use super::super::progress::Counter;
use super::super::reading::read_named;
use super::super::table::CheckResult;
use super::super::verify_state::{self, State, Time, after_interruption};
use super::super::{Exit, Failure};
use super::{Prove, claim_json};
use crate::advice::Advice;
use reversi_formats::decode::without_mark;
use reversi_lab::prove::Claim;
use reversi_verify::certificate::{Certificate, CertificateError, Chunk, Conclusion, Direction};
use reversi_verify::{Report, Sample, Tally, Verdict};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

impl Prove {
    pub(super) fn check(&self, path: &Path, output: Output) -> Result<Exit, Failure> {
        let bytes = read_file(path)?;
        let certificate = certificate_of(path, &bytes)?;
        let sample = Sample { entries: self.sample, seed: self.recheck.seed(), nodes: self.nodes };
        let resume = self.resume.clone();
        fail_on_ctrl_c_saying(move || {
            format!("there is no verdict, and {}", after_interruption(resume.as_deref()))
        });
        if let Some(state) = &self.resume {
            places::check_distinct("--resume", state, &[("the certificate", path)])?;
        }
        let sha256 = sha256(&bytes);
        let identity = verify_state::identity("reversi.certificate-state/1", &sha256);
        let state = State::open(self.resume.as_deref(), &identity, &own_checksum())?;
        let chunks = certificate.chunks(sample);
        let is_known = |chunk: &&Chunk| state.find(&chunk.name(), chunk.leaf_count()).is_some();
        let all: usize = chunks.iter().map(Chunk::leaf_count).sum();
        let done: usize = chunks.iter().filter(is_known).map(Chunk::leaf_count).sum();
        if done > 0 && !output.quiet {
            print_remark(format_args!("{done} of {all} leaves were searched before"));
        }
        let counter = Counter::new(output, "leaves", all as u64, done as u64);
        let tell = |check: &reversi_verify::Check| {
            if !output.json {
                counter.print_line(check);
            }
        };
        let (state, stop) = (Mutex::new(state), Arc::default());
        let search = |chunk: &Chunk| searched(chunk, &state, &stop, &counter);
        let (report, conclusion) = certificate.verify_with(sample, search, tell)?;
        drop(counter);
        let is_sound = report.verdict() == Verdict::Sound;
        let state = state.into_inner().expect(UNPOISONED);
        match output.json {
            true => print_line(verified_json(path, &sha256, sample, &report, &conclusion, &state)),
            false if is_sound => {
                print_line(format_args!("{conclusion}\nsha256 of the certificate: {sha256}"));
            }
            false => print_line("the certificate is WRONG: it shows nothing"),
        }
        Ok(if is_sound { Exit::Done } else { Exit::Difference })
    }
}

const UNPOISONED: &str = "no thread panics while it holds the lock";

/// What is known of a chunk, or what its search finds, which is then saved. If it cannot be saved, all searches end.
fn searched(
    chunk: &Chunk,
    state: &Mutex<State>,
    stop: &Arc<AtomicBool>,
    counter: &Counter,
) -> Result<Tally, Failure> {
    let locked = || state.lock().expect(UNPOISONED);
    let name = chunk.name();
    let known = locked().find(&name, chunk.leaf_count());
    if let Some(known) = known {
        return Ok(known);
    }
    let begun = Instant::now();
    let tally = chunk.search(stop, || counter.inc());
    let time = Time { seconds: begun.elapsed().as_secs_f64(), cpu_seconds: None };
    // Once this has failed it fails for all chunks, so that nothing is saved of those that are stopped.
    let saved = locked().add(&name, &tally, time);
    saved.inspect_err(|_| stop.store(true, Relaxed))?;
    Ok(tally)
}

pub(super) fn read_certificate(path: &Path) -> Result<Certificate, Failure> {
    certificate_of(path, &read_file(path)?)
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    read_named(path).map_err(|error| Failure::usage("bad-file", format!("{}: {error}", path.display())))
}

/// The certificate that a file holds.
fn certificate_of(path: &Path, bytes: &[u8]) -> Result<Certificate, Failure> {
    // Bytes that are no text are no certificate either. A damaged certificate is still recognised by how it begins.
    let text = String::from_utf8_lossy(bytes);
    Certificate::read(without_mark(&text)).map_err(|error| {
        let exit = match error {
            CertificateError::NoCertificate | CertificateError::Version(_) => Exit::Usage,
            CertificateError::Checksum | CertificateError::Line { .. } => Exit::CorruptTable,
        };
        Failure::new(exit, "bad-certificate", format!("{}: {}", path.display(), error.with_advice()))
    })
}

/// A claim of the verifier, in the form of those of a proof.
fn verified_claim_json((direction, score): &(Direction, i32)) -> Json {
    match direction {
        Direction::AtLeast => claim_json(&Claim::AtLeast(*score)),
        Direction::AtMost => claim_json(&Claim::AtMost(*score)),
    }
}

fn verified_json(
    file: &Path,
    sha256: &str,
    sample: Sample,
    report: &Report,
    conclusion: &Conclusion,
    state: &State,
) -> Json {
    let Conclusion { position, board, goal, scoring, claims, leaves, searched } = conclusion;
    let claims: Vec<Json> = claims.iter().map(verified_claim_json).collect();
    json!({
        "schema": "reversi.prove-verify/1", "file": file.display().to_string(), "sha256": sha256,
        "version": env!("CARGO_PKG_VERSION"), "programs": state.programs().collect::<Vec<_>>(),
        "seed": sample.seed, "sample": sample.entries, "nodes": sample.nodes,
        "sound": report.verdict() == Verdict::Sound, "position": position, "board": board, "goal": goal.name(),
        "scoring": scoring.name(), "claims": claims, "leaves": leaves, "searched": searched,
        "seconds": state.time().seconds,
        "checks": report.checks.iter().map(CheckResult::new).collect::<Vec<_>>(),
    })
}
