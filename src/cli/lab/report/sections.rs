//! The sections of the report: the commands they run, and how the results are shown.

use super::Writer;
use crate::cli::Failure;
use crate::cli::lab::files::Printed;
use crate::cli::lab::prune::Prune;
use crate::cli::lab::regret::charts::{evaluation_lines, regret_bars, regret_lines};
use crate::cli::lab::regret::{Measured, RegretCommand};
use crate::cli::lab::rules::rules_bars;
use crate::cli::lab::rules::{MeasuredRules, RulesCommand};
use crate::cli::lab::savings::savings_lines;
use crate::cli::lab::savings::{MeasuredCosts, Savings};
use crate::cli::tournament::{Standing, TournamentCommand, plots, report};
use reversi_lab::arena::experiments::savings::Costs;
use reversi_lab::arena::experiments::selective::DEPTH;
use reversi_rules::Goal;

/// A section: its name in the progress output, and the function that writes it.
type Section = (&'static str, fn(&mut Writer) -> Result<(), Failure>);

/// All sections in their order.
pub const ALL: [Section; 7] = [
    ("pruning", pruning),
    ("players on 4x4", players_4x4),
    ("players on 6x6", players_6x6),
    ("evaluations", evaluations),
    ("rules of thumb", rules_of_thumb),
    ("what pruning saves", savings),
    ("tournaments", tournaments),
];

const BOTH: [Goal; 2] = Goal::ALL;

fn pruning(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("Pruning is sound");
    writer.page.words(
        "A search that prunes must find the value that plain minimax of the same depth finds by looking at \
         everything, and a move of that value. Each enhancement, alone and all together, is compared with \
         minimax at positions of all 36 boards from 3x3 to 8x8, under both goals, with every evaluation; and \
         searches to the end of the game are compared with the oracle.",
    );
    let positions = writer.amount(20_000, 1);
    let command = writer.command(&format!("reversi lab prune --positions {positions}"));
    let prune: Prune = writer.parse(&command, 2, "--threads")?;
    let checked = prune.check(writer.output)?;
    writer.keep("prune", &checked.json())?;
    writer.page.sheet("Searches compared with plain minimax", &checked.sheet());
    writer.difference = checked.first_difference();
    if let Some(difference) = &writer.difference {
        writer.page.words(difference);
    }
    let selective = checked.selective();
    writer.page.words(&format!(
        "Differences: {}. Searches to the end of the game that found the oracle's score: {}. The engine's probable \
         cut-offs (ProbCut) do not claim this: at depth {DEPTH} they changed {} of {} values, by {:.2} discs on \
         average over all of them, and {} moves, with {} nodes instead of {}.",
        checked.difference_count(),
        checked.to_the_end(),
        selective.changed,
        selective.difference.count,
        selective.difference.mean().unwrap_or_default(),
        selective.other_moves,
        selective.nodes,
        selective.all_nodes,
    ));
    Ok(())
}

fn players_4x4(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("What players give away on 4x4");
    writer.page.words(
        "Each player moves once at positions of 4x4, of which 9830 can be reached up to symmetry. The regret of a \
         move is the number of discs by which it is worse than the best one. In late positions a search of a few \
         plies sees the end of the game.",
    );
    let players = "random first worst tokens:2 corners:2 moves:2 corners-moves-tokens:2 alphabeta:2 alphabeta:4 \
                   engine:depth=2 engine:depth=4 perfect";
    for goal in BOTH {
        let sample = writer.sample_of_4x4();
        let command = format!("reversi lab regret {players} --board 4x4 --goal {goal} {sample}");
        let measured = regret(writer, &command, &format!("players-4x4-{goal}"))?;
        player_table(writer, &measured, goal);
        let chart = regret_bars(&measured);
        writer.plot(
            &format!("players-4x4-{goal}"),
            &chart,
            "Discs lost a move, with 95 % intervals where they are not exact.",
        )?;
    }
    Ok(())
}

fn players_6x6(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("What players give away on 6x6");
    writer.page.words(
        "The same at positions of random games on 6x6 with at most 16 empty squares, whose exact values the solver \
         finds. Each player also plays games against the perfect player, with either side, from random openings of 16 \
         moves, after which 16 squares are empty. All historical searches look four plies ahead.",
    );
    let players = "random first tokens:4 corners:4 moves:4 corners-tokens:4 corners-tokens-moves:4 \
                   corners-moves-tokens:4 engine:depth=1 engine:depth=4 engine:depth=8 perfect";
    let chosen = [
        "random",
        "tokens:4",
        "corners:4",
        "moves:4",
        "corners-moves-tokens:4",
        "engine:depth=1",
        "engine:depth=4",
    ];
    let (positions, games) = (writer.amount(2000, 1), writer.amount(40, 1));
    for goal in BOTH {
        let command = format!(
            "reversi lab regret {players} --board 6x6 --goal {goal} --positions {positions} --games {games}"
        );
        let measured = regret(writer, &command, &format!("players-6x6-{goal}"))?;
        player_table(writer, &measured, goal);
        let chart = regret_bars(&measured);
        writer.plot(&format!("players-6x6-{goal}"), &chart, "Discs lost a move, with 95 % intervals.")?;
        let chart = regret_lines(&measured, &chosen);
        let says = "Where the discs are lost: the end of the game is on the left.";
        writer.plot(&format!("players-6x6-{goal}-by-empties"), &chart, says)?;
    }
    Ok(())
}

fn evaluations(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("How well evaluations judge");
    writer.page.words(
        "Evaluations without any search, compared with the exact score: how the two correlate over positions \
         (Pearson's correlation, and Spearman's of the ranks), and how often the move that an evaluation ranks first \
         is a best one, among positions with several moves. Where it ranks several moves first, the figures are \
         means over these.",
    );
    let positions = writer.amount(4000, 1);
    for board in ["6x6", "4x4"] {
        for goal in BOTH {
            let sample = match board {
                "4x4" => writer.sample_of_4x4(),
                _ => format!("--positions {positions}"),
            };
            let command = format!("reversi lab regret --eval all --board {board} --goal {goal} {sample}");
            let name = format!("evaluations-{board}-{goal}");
            let measured = regret(writer, &command, &name)?;
            opinion_table(writer, &measured, goal);
            if board == "6x6" {
                writer.plot(&name, &evaluation_lines(&measured), "Rank correlation with the exact score.")?;
            }
        }
    }
    Ok(())
}

fn rules_of_thumb(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("Rules of thumb");
    writer.page.words(
        "A rule of thumb picks some of the legal moves. Wherever it picks some and not all, the discs its moves \
         give away are compared with those that any legal move gives away there. A rule that saves nothing \
         under one goal may be the best of all under the other.",
    );
    let positions = writer.amount(4000, 1);
    for board in ["6x6", "4x4"] {
        let mut measured = Vec::new();
        for goal in BOTH {
            let sample = match board {
                "4x4" => writer.sample_of_4x4(),
                _ => format!("--positions {positions}"),
            };
            let command =
                writer.command(&format!("reversi lab rules --board {board} --goal {goal} {sample}"));
            let rules: RulesCommand = writer.parse(&command, 2, "--threads")?;
            let found = rules.measure_in_threads(writer.output)?;
            writer.keep(&format!("rules-{board}-{goal}"), &found.json())?;
            rules_table(writer, &found, goal);
            measured.push(found);
        }
        let says = "Discs a move that following a rule saves; to the left of the line it costs discs.";
        writer.plot(&format!("rules-{board}"), &rules_bars(&measured), says)?;
    }
    Ok(())
}

fn savings(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("What pruning saves");
    writer.page.words(
        "The same positions of 8x8 searched to each depth in every way. Nodes follow from the seed; times are \
         processor time of the machine that made this page, the least of several runs.",
    );
    let (depth, positions) = (if writer.is_sketch() { 5 } else { 8 }, writer.amount(4, 1));
    for goal in BOTH {
        let command = writer.command(&format!(
            "reversi lab savings --goal {goal} --depth {depth} --positions {positions} --most-moves 6"
        ));
        let measured = writer.parse::<Savings>(&command, 2, "")?.measure(writer.output)?;
        writer.keep(&format!("savings-{goal}"), &measured.json())?;
        for costs in &measured.costs {
            savings_table(writer, &measured, costs, goal);
        }
        if let Some(costs) = measured.costs.iter().find(|costs| costs.evaluation == "learned") {
            let chart = savings_lines(&measured, costs);
            let says = "Nodes a position by depth; each line upwards is ten times as many.";
            writer.plot(&format!("savings-{goal}"), &chart, says)?;
        }
        let rows: Vec<Vec<String>> = measured
            .comparisons()
            .into_iter()
            .map(|found| vec![found.what, found.theirs.to_owned(), found.ours])
            .collect();
        writer.page.table(&format!("Beside the reports, {goal} goal"), &["what", "reported", "here"], &rows);
    }
    Ok(())
}

fn tournaments(writer: &mut Writer) -> Result<(), Failure> {
    writer.page.section("Tournaments");
    writer.page.words(
        "The eight players of Copenhagen 2023 on 8x8, every one against every other with both colours, at half of \
         their depths, so that this page takes only minutes; `reversi tournament` without arguments plays their 50 \
         games a cell at their full depths. A dash means that no side won a game.",
    );
    let games = writer.amount(10, 1);
    let players = "first random tokens:4 corners:3 moves:3 corners-tokens:3 corners-tokens-moves:3 \
                   corners-moves-tokens:3";
    let standing =
        tournament(writer, &format!("reversi tournament {players} --games {games}"), "tournament")?;
    writer.plot(
        "tournament-matrix",
        &plots::matrix_chart(&standing),
        "Blue: Black wins more; orange: White.",
    )?;
    writer.plot("tournament-ratings", &plots::ratings_chart(&standing), "Elo points with 95 % intervals.")?;
    writer.page.words(&format!("{}. {}.", report::certainty(&standing), report::colors(&standing)));
    writer.page.words(
        "The course of 200 games as in the window of Toronto 2021: a player that looks one ply ahead against \
         random moves, where the game ends as soon as the side to move has no move.",
    );
    let games = writer.amount(200, 1);
    let command = format!("reversi tournament alphabeta:1 random --games {games} --no-passing --no-itself");
    let standing = tournament(writer, &command, "course")?;
    let chart = plots::course(&standing, 0, 1);
    writer.plot("course", &chart, "Share of points of alphabeta:1 with Black.")
}

fn tournament(writer: &mut Writer, command: &str, name: &str) -> Result<Standing, Failure> {
    let command = writer.command(command);
    let standing = writer.parse::<TournamentCommand>(&command, 1, "--at-once")?.play(writer.output)?;
    writer.keep(name, &report::json(&standing))?;
    Ok(standing)
}

/// Runs `reversi lab regret` and saves its results.
fn regret(writer: &mut Writer, command: &str, name: &str) -> Result<Measured, Failure> {
    let command = writer.command(command);
    let measured =
        writer.parse::<RegretCommand>(&command, 2, "--threads")?.measure_in_threads(writer.output)?;
    writer.keep(name, &measured.json())?;
    Ok(measured)
}

fn player_table(writer: &mut Writer, measured: &Measured, goal: Goal) {
    writer.page.sheet(&format!("{goal} goal"), &measured.player_sheet());
    let games = measured.games_sheet();
    if !games.rows().is_empty() {
        writer.page.sheet(&format!("Games against perfect play, {goal} goal"), &games);
    }
}

fn opinion_table(writer: &mut Writer, measured: &Measured, goal: Goal) {
    let caption = format!("{}, {goal} goal", measured.sample.geometry);
    writer.page.sheet(&caption, &measured.opinion_sheet());
}

fn rules_table(writer: &mut Writer, found: &MeasuredRules, goal: Goal) {
    writer.page.sheet(&format!("{}, {goal} goal", found.sample.geometry), &found.sheet());
}

fn savings_table(writer: &mut Writer, measured: &MeasuredCosts, costs: &Costs, goal: Goal) {
    let names: Vec<&str> = costs.names().collect();
    let rows: Vec<Vec<String>> = (1..=measured.plan.depth)
        .map(|depth| {
            let cells = names.iter().map(|name| {
                costs.of(depth, name).map_or("-".to_owned(), |cost| {
                    (cost.nodes as f64 / measured.plan.positions as f64).round().to_string()
                })
            });
            std::iter::once(depth.to_string()).chain(cells).collect()
        })
        .collect();
    let head: Vec<&str> = std::iter::once("depth").chain(names.iter().copied()).collect();
    writer.page.table(&format!("Nodes a position by {}, {goal} goal", costs.evaluation), &head, &rows);
}
