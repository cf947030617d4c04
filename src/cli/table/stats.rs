//! `reversi table stats`: counts the entries by empty squares and by score.

use crate::cli::print::print_line;
use crate::cli::{Exit, Failure, common::Output};
use reversi_lab::table_stats::{TableStats, Tally, count};
use serde_json::{Map, Value as Json, json};
use std::path::Path;

pub fn run(path: &Path, output: Output) -> Result<Exit, Failure> {
    let table = super::open(path)?;
    let stats = count(&table).map_err(|error| super::at(path, error))?;
    if output.json {
        print_line(as_json(path, &stats));
    } else {
        print_text(&stats);
    }
    Ok(Exit::Done)
}

fn line(tally: &Tally, name: impl std::fmt::Display) -> String {
    let Tally { entries, wins, draws, losses, passes, without_move, complete, unique } = tally;
    format!(
        "{name:>7} {entries:>10} {wins:>10} {draws:>10} {losses:>10} {passes:>10} {without_move:>10} \
             {complete:>10} {unique:>10}"
    )
}

fn tally_json(tally: &Tally) -> Json {
    json!({
        "entries": tally.entries, "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
        "passes": tally.passes, "without_move": tally.without_move,
        "all_next_stored": tally.complete, "one_best_move": tally.unique,
    })
}

fn print_text(stats: &TableStats) {
    let titles = ["entries", "wins", "draws", "losses", "passes", "no move", "all next", "one best"]
        .map(|title| format!(" {title:>10}"));
    print_line(format_args!("empties{}", titles.concat()));
    for (empties, tally) in stats.by_empties.iter().rev() {
        print_line(line(tally, empties));
    }
    print_line(line(&stats.all, "all"));
    print_line(
        "\nall next: entries for which the positions after all moves are stored too; one best: those of them with \
         only one best move, up to symmetry",
    );
    if !stats.certificates.is_empty() {
        print_line(
            "\nempties    first's   second's   positions that arise when this side plays the stored moves",
        );
        for (empties, [first, second]) in stats.certificates.iter().rev() {
            print_line(format_args!("{empties:>7} {first:>10} {second:>10}"));
        }
    }
    print_line("\n  score    entries");
    for (score, entries) in &stats.by_score {
        print_line(format_args!("{score:>+7} {entries:>10}"));
    }
}

fn as_json(path: &Path, stats: &TableStats) -> Json {
    let by_empties: Map<String, Json> = stats
        .by_empties
        .iter()
        .rev()
        .map(|(empties, tally)| (empties.to_string(), tally_json(tally)))
        .collect();
    let by_score: Map<String, Json> =
        stats.by_score.iter().map(|(score, &entries)| (score.to_string(), entries.into())).collect();
    let certificates: Map<String, Json> = stats
        .certificates
        .iter()
        .rev()
        .map(|(empties, [first, second])| (empties.to_string(), json!({"first": first, "second": second})))
        .collect();
    json!({
        "schema": "reversi.table-stats/1",
        "file": path.display().to_string(),
        "all": tally_json(&stats.all),
        "empties": by_empties,
        "certificates": certificates,
        "scores": by_score,
    })
}
