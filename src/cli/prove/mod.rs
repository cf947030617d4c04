//! `reversi prove`: proves the score of one position by a proof tree over its first plies, on one machine or many.

mod certificate;

use super::common::{Output, PositionOptions, RulesOptions};
use super::ending::Ending;
use super::interrupt::stop_on_ctrl_c;
use super::places;
use super::print::{print_line, print_remark, print_stopped};
use super::spread::{
    NextRound, RecheckOptions, Reporter, counted, one_search_each, part_of, print_part, print_recheck,
    recheck_with, solver_for_recheck, usual_sync,
};
use super::values::{in_threads, parse_memory, parse_threads};
use super::{Exit, Failure, reading};
use certificate::read_certificate;
use clap::{Arg, Args};
use reversi_engine::MAX_LEVEL;
use reversi_formats::reader::play_moves;
use reversi_lab::prove::{
    Certificate, Claim, MoveOrder, ProofError, ProofGoal, ProofPlan, ProofReport, ProofStep, SharedProof,
    recheck,
};
use reversi_lab::spread::parts::Part;
use reversi_lab::spread::{Recheck, SpreadError};
use reversi_rules::game::{Game, GameMove};
use reversi_rules::{Board, Color, Geometry, Passing, Position, naive, symmetry};
use reversi_solver::search::{Solver, Stop};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Prove the score of one position, or a bound on it, with a certificate
///
/// The first plies become a tree in which one side plays only its best moves; its leaves are searched. If a move that
/// was thought best is refuted, the next round of searches follows another one. The certificate holds the moves and the
/// bounds of all leaves. `--verify` walks the whole tree with the plain rules, and searches a sample of the leaves with
/// its own search, on all threads.
///
/// Several processes, on machines that share a directory, can do it with --plan, --shard and --merge: see
/// docs/guide/cluster.md.
#[derive(Args)]
#[command(mut_args(of_a_proof_begun))]
#[command(after_help = "Examples:\n  reversi prove --board 5x5 --depth 5 --certificate /tmp/5x5.txt\n  \
    reversi prove --verify /tmp/5x5.txt --resume /tmp/5x5.state\n  \
    reversi prove --board 5x4 --depth 4 --at-least 2\n  \
    reversi prove --board 5x5 --depth 5 --expect 13")]
pub struct Prove {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    rules: RulesOptions,
    /// Plies of the tree (discs placed); positions below it are searched
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    depth: u8,
    /// Only prove or refute that the score, for the side to move, is at least SCORE
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, conflicts_with = "at_most")]
    at_least: Option<i32>,
    /// Only prove or refute that the score, for the side to move, is at most SCORE
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    at_most: Option<i32>,
    /// For the proof of an exact score: the score that is tried first, such as the result of `reversi solve`. A wrong
    /// one costs rounds [default: a guess]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, conflicts_with_all = OF_A_PROOF_BEGUN)]
    expect: Option<i32>,
    /// Line from the position that is thought perfect, such as the line of `reversi solve`: its moves are tried first.
    /// A wrong one costs searches. A plan does not keep it: give it to --merge again
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["shard", "recheck", "verify"])]
    line: Option<String>,
    /// Certificate of the same position, for example one with the other scoring: its moves are tried first. A plan does not
    /// keep it: give it to --merge again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "recheck", "verify"])]
    moves_of: Option<PathBuf>,
    /// Write the certificate to FILE; an existing file is replaced only if it is empty or a certificate of the same
    /// position and rules [default: with a directory, certificate.txt in it]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plan", "shard", "recheck", "verify"])]
    certificate: Option<PathBuf>,
    /// Keep the results in DIR, and continue from them if they exist
    #[arg(long, value_name = "DIR", conflicts_with_all = ["plan", "shard", "merge", "recheck", "verify"])]
    work: Option<PathBuf>,
    /// Lay out the searches in DIR, for several processes or machines
    #[arg(long, value_name = "DIR", conflicts_with_all = ["shard", "merge", "recheck", "verify"])]
    plan: Option<PathBuf>,
    /// Do part I of N of the searches laid out in DIR. If it is killed, the same command continues. Any N will do
    #[arg(long, num_args = 2, value_names = ["I/N", "DIR"], conflicts_with_all = ["merge", "recheck", "verify"])]
    shard: Option<Vec<String>>,
    /// Join the results of all parts in DIR: lays out the next round, or writes the certificate
    #[arg(long, value_name = "DIR", conflicts_with_all = ["recheck", "verify"])]
    merge: Option<PathBuf>,
    #[command(flatten)]
    recheck: RecheckOptions,
    /// Check a certificate
    #[arg(long, value_name = "FILE", conflicts_with = "recheck")]
    verify: Option<PathBuf>,
    /// With --verify: number of leaves of each claim to search
    #[arg(long, value_name = "N", default_value_t = 100, requires = "verify")]
    sample: usize,
    /// With --verify: positions visited for a leaf before it is given up
    #[arg(long, value_name = "N", default_value_t = 20_000_000, requires = "verify")]
    nodes: u64,
    /// With --verify: save finished searches in FILE, and continue from it if it exists; each process needs a file of
    /// its own
    #[arg(long, value_name = "FILE", requires = "verify")]
    resume: Option<PathBuf>,
    /// Level of the engine that chooses the moves to try first. A plan does not keep it: give it to --merge again
    /// [default: two thirds of the empty squares of the leaves, but at most 20]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_LEVEL)),
        conflicts_with_all = ["shard", "recheck", "verify"])]
    level: Option<u32>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Memory for the searches
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    memory: usize,
}

/// Options with which there is no score to guess, or with which the plan already holds the guess.
const OF_A_PROOF_BEGUN: [&str; 6] = ["at_least", "at_most", "shard", "merge", "recheck", "verify"];

/// Options that a plan and a certificate already fix.
const SAID_ALREADY: [&str; 9] =
    ["board", "start", "position", "moves", "goal", "scoring", "depth", "at_least", "at_most"];

/// Refuses these options beside an option that names a proof or a certificate.
fn of_a_proof_begun(argument: Arg) -> Arg {
    match argument.get_id().as_str() {
        "shard" | "merge" | "recheck" | "verify" => argument.conflicts_with_all(SAID_ALREADY),
        _ => argument,
    }
}

impl Prove {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        self.recheck.check_seed(self.verify.is_some())?;
        Ending::exit_of(in_threads(self.threads, || self.step(output))?)
    }

    fn step(&self, output: Output) -> Result<Exit, Ending> {
        if let Some(path) = &self.verify {
            return Ok(self.check(path, output)?);
        }
        if let Some(path) = &self.certificate {
            let read: Vec<_> = self.moves_of.iter().map(|file| ("the file of --moves-of", &**file)).collect();
            places::check_distinct("--certificate", path, &read)?;
            places::check_file("--certificate", path)?;
        }
        if let Some((part, directory)) = part_of(self.shard.as_deref().unwrap_or_default())? {
            let proof = SharedProof::open(directory)?;
            self.run_part(&proof, part, output)?;
        } else if let Some((sample, directory)) = self.recheck.sample()? {
            return self.check_again(sample, directory, output);
        } else if let Some(directory) = &self.merge {
            let proof = SharedProof::open(directory)?;
            let mut order = self.order(&proof.proof_plan())?;
            self.check_replaced(&proof.proof_plan())?;
            match self.merge(&proof, &mut order, directory, output)? {
                None => {}
                Some(next) if output.json => print_line(json!({
                    "schema": "reversi.prove-merge/1", "complete": false, "next": next_round(&next).json(),
                })),
                Some(next) => next_round(&next).print("prove", directory),
            }
        } else if let Some(directory) = &self.plan {
            places::check_no_file("--plan", directory)?;
            let plan = self.proof_plan()?;
            let proof = self.lay_out(&plan, &mut self.order(&plan)?, directory, output)?;
            match output.json {
                true => {
                    print_line(json!({"schema": "reversi.prove-plan/1", "next": next_round(&proof).json()}));
                }
                false => next_round(&proof).print("prove", directory),
            }
        } else {
            self.alone(output)?;
        }
        Ok(Exit::Done)
    }

    /// All rounds in this process.
    fn alone(&self, output: Output) -> Result<(), Ending> {
        // Ctrl-C must not leave the temporary directory.
        stop_on_ctrl_c();
        let temporary = self.work.is_none().then(tempfile::tempdir).transpose();
        let temporary = temporary.map_err(|error| Failure::cannot_write("a temporary directory", error))?;
        let temporary = temporary.as_ref().map(tempfile::TempDir::path);
        let directory = self.work.as_deref().or(temporary).expect("one of the two is there");
        places::check_no_file("--work", directory)?;
        let plan = self.proof_plan()?;
        let mut order = self.order(&plan)?;
        self.check_replaced(&plan)?;
        let mut proof = match SharedProof::open(directory) {
            Err(SpreadError::NoPlan(_)) => self.lay_out(&plan, &mut order, directory, output)?,
            proof => proof?,
        };
        if proof.proof_plan() != plan {
            let message = format!("{} is for another proof: name another --work", directory.display());
            return Err(Failure::usage("other-build", message).into());
        }
        if let Some(expected) = self.expected(&plan)?
            && expected != proof.expected()
        {
            let (directory, begun) = (directory.display(), proof.expected());
            let message =
                format!("{directory} was begun with an expected score of {begun}: name another --work");
            return Err(Failure::usage("other-build", message).into());
        }
        loop {
            let (round, searches) = (proof.round(), proof.searches());
            if !output.quiet {
                print_remark(format_args!("round {round}: {}", counted(searches)));
            }
            self.run_part_of(&proof, Part::WHOLE, output)?;
            match self.merge(&proof, &mut order, directory, output)? {
                Some(next) => proof = *next,
                None => return Ok(()),
            }
        }
    }

    fn proof_plan(&self) -> Result<ProofPlan, Failure> {
        let (board, named) = self.position.board_and_rules(Geometry::SIX, self.rules)?;
        let goal = match (self.at_least, self.at_most) {
            (Some(score), _) => ProofGoal::Claim(Claim::AtLeast(score)),
            (_, Some(score)) => ProofGoal::Claim(Claim::AtMost(score)),
            _ => ProofGoal::Value,
        };
        let (geometry, rules) = (board.geometry, self.rules.rules_of(board.geometry, &named)?);
        let plan = ProofPlan { geometry, rules, root: board.position(), depth: self.depth, goal };
        plan.check().map_err(|error| Failure::usage("usage", error.to_string()))?;
        Ok(plan)
    }

    /// Refuses to replace a file that holds something else than a certificate of the same position and rules.
    fn check_replaced(&self, plan: &ProofPlan) -> Result<(), Failure> {
        let holds_something =
            |path: &&Path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
        let Some(path) = self.certificate.as_deref().filter(holds_something) else { return Ok(()) };
        let is_same = read_certificate(path).is_ok_and(|there| {
            (there.root().size(), there.goal(), there.scoring())
                == (plan.geometry.into(), plan.rules.goal, plan.rules.scoring)
                && form(plan.geometry, position_of(there.root())) == form(plan.geometry, plan.root)
        });
        if is_same {
            return Ok(());
        }
        let what = "exists already and is no certificate of this position and these rules; name another file";
        Err(Failure::usage("bad-file", format!("--certificate {}: {what}", path.display())))
    }

    fn order(&self, plan: &ProofPlan) -> Result<MoveOrder, Failure> {
        let level = self.level.unwrap_or_else(|| MoveOrder::usual_level(plan));
        let mut order = MoveOrder::new(plan.geometry, plan.rules, level);
        if let Some(path) = &self.moves_of {
            prefer_moves_of(path, plan, &mut order)?;
        }
        let Some(line) = &self.line else { return Ok(order) };
        let root = Board::from_position(plan.geometry, plan.root, Color::Black);
        let mut game = Game::new(root.into(), plan.rules, Passing::Allowed);
        play_moves(&mut game, line).map_err(|error| reading::failure("--line: ", &error))?;
        Ok(order.with_line(plan.root, game.moves()))
    }

    fn solver(&self, plan: &ProofPlan) -> Result<Solver, Failure> {
        Ok(Solver::new(plan.geometry, plan.rules, one_search_each(self.memory))?)
    }

    /// The score to try first.
    fn expected(&self, plan: &ProofPlan) -> Result<Option<i8>, Failure> {
        let squares = plan.geometry.square_count() as i32;
        let Some(score) = self.expect else { return Ok(None) };
        match i8::try_from(score) {
            Ok(expected) if score.abs() <= squares => Ok(Some(expected)),
            _ => {
                let message = format!("--expect: on {} no game ends with the score {score}", plan.geometry);
                Err(Failure::usage("usage", message))
            }
        }
    }

    fn lay_out(
        &self,
        plan: &ProofPlan,
        order: &mut MoveOrder,
        directory: &Path,
        output: Output,
    ) -> Result<SharedProof, Ending> {
        let expected = self.expected(plan)?;
        let solver = self.solver(plan)?;
        let proof = SharedProof::plan(directory, plan, expected, order, &solver, &stop_on_ctrl_c());
        if matches!(proof, Err(ProofError::Stopped)) {
            print_stopped(output, "stopped; no searches were laid out");
        }
        Ok(proof?)
    }

    fn run_part(&self, proof: &SharedProof, part: Part, output: Output) -> Result<(), Ending> {
        let report = self.run_part_of(proof, part, output)?;
        print_part("reversi.prove-part/1", proof.round(), part, &report, output);
        Ok(())
    }

    fn run_part_of(
        &self,
        proof: &SharedProof,
        part: Part,
        output: Output,
    ) -> Result<reversi_lab::spread::PartReport, Ending> {
        let solver = self.solver(&proof.proof_plan())?;
        let stop = stop_on_ctrl_c();
        let mut reporter = Reporter::new(output, format!("part {part} of round {}", proof.round()));
        if self.shard.is_none() && self.work.is_none() {
            reporter = reporter.of_work_not_kept();
        }
        let report = reporter.with_tools(&solver, &stop, usual_sync(), |tools| proof.run(part, tools));
        Ok(report?)
    }

    /// Joins a round; returns the next one unless it was the last.
    fn merge(
        &self,
        proof: &SharedProof,
        order: &mut MoveOrder,
        directory: &Path,
        output: Output,
    ) -> Result<Option<Box<SharedProof>>, Ending> {
        let stop: Stop = stop_on_ctrl_c();
        let merged = proof.merge(order, &stop);
        if matches!(merged, Err(ProofError::Stopped)) {
            print_stopped(output, "stopped; the round was not joined");
        }
        let (step, report) = merged?;
        if !output.quiet {
            let ProofReport { round, searches, nodes, bounds: (lower, upper), rechecked, .. } = report;
            print_remark(format_args!(
                "round {round}: {} done, {:.2e} nodes, {rechecked} rechecked; the score is from {lower} \
                 to {upper}",
                counted(searches),
                nodes as f64
            ));
        }
        match step {
            ProofStep::NextRound(next) => Ok(Some(next)),
            ProofStep::Settled(certificate) => {
                let beside =
                    (self.work.is_some() || self.merge.is_some()).then(|| directory.join("certificate.txt"));
                let path = self.certificate.clone().or(beside);
                let written =
                    path.as_deref().map_or(Ok(()), |path| places::write_text(path, &certificate.text));
                // Print what was proved even if its certificate cannot be written.
                print_settled(
                    &certificate,
                    &proof.proof_plan(),
                    path.as_deref().filter(|_| written.is_ok()),
                    output,
                );
                Ok(written.map(|()| None)?)
            }
        }
    }

    fn check_again(&self, sample: Recheck, directory: &Path, output: Output) -> Result<Exit, Ending> {
        let plan = SharedProof::open(directory)?.proof_plan();
        let solver = solver_for_recheck(plan.geometry, plan.rules, self.memory)?;
        let report = recheck_with(&solver, usual_sync(), output, |tools| recheck(directory, sample, tools))?;
        Ok(print_recheck("reversi.prove-recheck/1", &report, output))
    }
}

/// Tries the stored moves of a certificate first.
fn prefer_moves_of(path: &Path, plan: &ProofPlan, order: &mut MoveOrder) -> Result<(), Failure> {
    let bad =
        |what: String| Failure::usage("bad-certificate", format!("--moves-of {}: {what}", path.display()));
    let certificate = read_certificate(path).map_err(|failure| failure.within("--moves-of"))?;
    let (size, goal) = (certificate.root().size(), certificate.goal());
    if size != plan.geometry.into() {
        return Err(bad(format!("it is for {size}, but the proof is for {}", plan.geometry)));
    }
    if goal != plan.rules.goal {
        return Err(bad(format!(
            "it is for the {goal} goal, but the proof is for the {} goal",
            plan.rules.goal
        )));
    }
    if form(plan.geometry, position_of(certificate.root())) != form(plan.geometry, plan.root) {
        print_remark(format_args!(
            "--moves-of {}: it is of another position, {}; its moves are tried where the proof meets them",
            path.display(),
            certificate.root()
        ));
    }
    for (board, (column, row)) in certificate.moves() {
        let position = position_of(board);
        let mv = GameMove::Play(column, row);
        order.prefer(position, mv).ok_or_else(|| bad(format!("{mv} is no legal move of {board}")))?;
    }
    Ok(())
}

/// The form in which all images of a position are the same.
fn form(geometry: Geometry, position: Position) -> Position {
    symmetry::canonical(geometry, position).0
}

/// The position on a board of a certificate, whose size has been checked.
fn position_of(board: &naive::Board) -> Position {
    Board::from_naive(board).expect("a board of this size").position()
}

fn next_round(proof: &SharedProof) -> NextRound {
    NextRound {
        round: proof.round(),
        searches: proof.searches(),
        nodes: proof.expected_nodes(),
        time: proof.expected_time(),
        rounds_left: None,
    }
}

fn claim_json(claim: &Claim) -> Json {
    match claim {
        Claim::AtLeast(score) => json!({"at_least": score}),
        Claim::AtMost(score) => json!({"at_most": score}),
    }
}

fn print_settled(certificate: &Certificate, plan: &ProofPlan, path: Option<&Path>, output: Output) {
    let Certificate { claims, leaves, moves, .. } = certificate;
    let path = path.map(|path| path.display().to_string());
    let proved = match plan.goal {
        ProofGoal::Value => None,
        ProofGoal::Claim(claim) => Some(claims.contains(&claim)),
    };
    if output.json {
        let score = match claims[..] {
            [Claim::AtLeast(lower), Claim::AtMost(upper)] if lower == upper => Some(lower),
            _ => None,
        };
        let claims: Vec<Json> = claims.iter().map(claim_json).collect();
        print_line(json!({
            "schema": "reversi.prove/1", "board": plan.geometry.to_string(), "goal": plan.rules.goal.name(),
            "scoring": plan.rules.scoring.name(),
            "position": Board::from_position(plan.geometry, plan.root, Color::Black).to_string(),
            "complete": true, "score": score, "claims": claims, "proved": proved, "leaves": leaves,
            "moves": moves, "certificate": path,
        }));
        return;
    }
    let claims: Vec<String> = claims.iter().map(Claim::to_string).collect();
    let refuted = if proved == Some(false) { "refuted: " } else { "" };
    print_line(format_args!(
        "{refuted}the score is {}, conditional on {leaves} leaf bounds found by the solver; {moves} stored moves",
        claims.join(" and ")
    ));
    if let Some(path) = path {
        print_line(format_args!("  reversi prove --verify {path}    checks it"));
    }
}

impl From<ProofError> for Ending {
    fn from(error: ProofError) -> Ending {
        match error {
            ProofError::Spread(error) => error.into(),
            ProofError::Stopped => Ending::Stopped,
            ProofError::Contradiction => {
                let message = format!("{error}; repeat searches with --recheck to find which");
                Failure::new(Exit::Difference, "contradiction", message).into()
            }
        }
    }
}
