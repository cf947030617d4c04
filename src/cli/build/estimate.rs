//! `reversi build --dry-run`: what a region will cost.

use super::super::print::print_line;
use reversi_lab::build::estimate::Estimate;
use reversi_lab::build::plan::BuildPlan;
use serde_json::{Map, Value as Json, json};
use std::time::Duration;

/// How long the sample may take.
pub(super) const SAMPLE_TIME: Duration = Duration::from_secs(10);

/// What is said if the sample is stopped.
pub(super) const STOPPED: &str = "stopped before all estimates were made";

pub(super) const MIB: f64 = 1_048_576.0;

pub(super) fn print(plan: &BuildPlan, estimate: &Estimate, threads: usize, memory: usize) {
    let BuildPlan { geometry, rules, prefix, down_to, .. } = plan;
    let region: f64 = estimate.region.iter().map(|(_, positions)| positions).sum();
    let basis = match estimate.unknown() {
        0.0 => "all of it is known already, nothing is searched".to_owned(),
        _ => format!("a rough estimate from {} searches, easily off by a factor of two", estimate.searches),
    };
    let moves = words_of_moves(plan);
    print_line(format_args!("{geometry} {rules}, prefix {prefix}{moves}, down to {down_to}: {basis}"));
    print_line(format_args!(
        "  positions  {:.0} in the prefix, {:.0} of them to be searched; about {region:.0} in the region, \
         {:.0} of them not known yet",
        estimate.prefix,
        estimate.prefix_searches,
        estimate.region_searches()
    ));
    print_line(format_args!(
        "  time       about {} on {threads} threads: {} for the prefix, {} for the region",
        words(divided(estimate.time(), threads)),
        words(divided(estimate.prefix_time, threads)),
        words(divided(estimate.region_time, threads))
    ));
    print_line(format_args!(
        "  memory     {:.0} MiB as given by --memory, and about {:.0} MiB for what is found",
        memory as f64 / MIB,
        (estimate.memory_bytes() / MIB).ceil()
    ));
    print_line(format_args!(
        "  disk       about {:.1} MiB for the table, and {:.1} MiB more until it is finished",
        estimate.table_bytes() / MIB,
        estimate.build_bytes() / MIB
    ));
}

pub(super) fn json(plan: &BuildPlan, estimate: &Estimate, threads: usize, memory: usize) -> Json {
    let region: Map<String, Json> = estimate
        .region
        .iter()
        .map(|(empties, positions)| (empties.to_string(), whole(*positions).into()))
        .collect();
    json!({
        "goal": plan.rules.goal.name(), "scoring": plan.rules.scoring.name(),
        "prefix": plan.prefix, "down_to": plan.down_to, "moves": plan.last_moves,
        "prefix_positions": whole(estimate.prefix), "prefix_searches": whole(estimate.prefix_searches),
        "region_positions_by_empties": region, "region_searches": whole(estimate.region_searches()),
        "threads": threads, "seconds": divided(estimate.time(), threads).as_secs_f64(),
        "memory_bytes": memory as u64 + whole(estimate.memory_bytes()),
        "table_bytes": whole(estimate.table_bytes()), "build_bytes": whole(estimate.build_bytes()),
        "searches": estimate.searches,
    })
}

/// An estimated number as the nearest one that can be counted.
fn whole(estimated: f64) -> u64 {
    estimated.round() as u64
}

fn divided(time: Duration, threads: usize) -> Duration {
    time / threads.max(1) as u32
}

/// What to say of the moves of the prefix's last ply.
pub(super) fn words_of_moves(plan: &BuildPlan) -> &'static str {
    if plan.last_moves { " with all moves" } else { "" }
}

/// A time in words.
pub(super) fn words(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}
