//! Reads a certificate, and `reversi prove --verify`, which checks one.

use super::super::common::Output;
use super::super::interrupt::fail_on_ctrl_c_saying;
use super::super::print::print_line;
use super::super::progress::Counter;
use super::super::reading::read_named;
use super::super::table::CheckResult;
use super::super::{Exit, Failure};
use super::{Prove, claim_json};
use crate::advice::Advice;
use reversi_formats::decode::without_mark;
use reversi_lab::prove::Claim;
use reversi_verify::certificate::{Certificate, CertificateError, Conclusion, Direction};
use reversi_verify::{Report, Sample, Verdict};
use serde_json::{Value as Json, json};
use std::path::Path;

impl Prove {
    pub(super) fn check(&self, path: &Path, output: Output) -> Result<Exit, Failure> {
        let certificate = read_certificate(path)?;
        let sample = Sample { entries: self.sample, seed: self.recheck.seed(), nodes: self.nodes };
        let counter = Counter::new(output, "leaves", certificate.drawn(sample) as u64, 0);
        let tell = |check: &reversi_verify::Check| {
            if !output.json {
                counter.print_line(check);
            }
        };
        fail_on_ctrl_c_saying(|| "there is no verdict".to_owned());
        let (report, conclusion) = certificate.verify(sample, || counter.inc(), tell);
        drop(counter);
        let is_sound = report.verdict() == Verdict::Sound;
        print_verified(&report, &conclusion, is_sound, output);
        Ok(if is_sound { Exit::Done } else { Exit::Difference })
    }
}

pub(super) fn read_certificate(path: &Path) -> Result<Certificate, Failure> {
    let name = path.display();
    let bytes = read_named(path).map_err(|error| Failure::usage("bad-file", format!("{name}: {error}")))?;
    // Bytes that are no text are no certificate either. A damaged certificate is still recognised by how it begins.
    let text = String::from_utf8_lossy(&bytes);
    Certificate::read(without_mark(&text)).map_err(|error| {
        let exit = match error {
            CertificateError::NoCertificate | CertificateError::Version(_) => Exit::Usage,
            CertificateError::Checksum | CertificateError::Line { .. } => Exit::CorruptTable,
        };
        Failure::new(exit, "bad-certificate", format!("{name}: {}", error.with_advice()))
    })
}

/// A claim of the verifier, in the form of those of a proof.
fn verified_claim_json((direction, score): &(Direction, i32)) -> Json {
    match direction {
        Direction::AtLeast => claim_json(&Claim::AtLeast(*score)),
        Direction::AtMost => claim_json(&Claim::AtMost(*score)),
    }
}

fn print_verified(report: &Report, conclusion: &Conclusion, is_sound: bool, output: Output) {
    if output.json {
        let Conclusion { position, board, goal, scoring, claims, leaves, searched } = conclusion;
        let claims: Vec<Json> = claims.iter().map(verified_claim_json).collect();
        print_line(json!({
            "schema": "reversi.prove-verify/1", "sound": is_sound, "position": position, "board": board,
            "goal": goal.name(), "scoring": scoring.name(), "claims": claims, "leaves": leaves,
            "searched": searched,
            "checks": report.checks.iter().map(CheckResult::new).collect::<Vec<_>>(),
        }));
    } else if is_sound {
        print_line(conclusion);
    } else {
        print_line("the certificate is WRONG: it shows nothing");
    }
}
