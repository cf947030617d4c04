//! The plots of the laboratory.

use super::regret::{Measured, PlayerMeasured};
use super::rules::MeasuredRules;
use super::savings::MeasuredCosts;
use crate::cli::chart::{Bar, Chart, Content, Series};
use reversi_lab::arena::experiments::rules_of_thumb::RULES;
use reversi_lab::arena::experiments::savings::Costs;

/// More lines than this cannot be told apart.
const MOST_LINES: usize = 8;

fn title(measured: &Measured, what: &str) -> String {
    format!("{}, {} goal: {what}", measured.sample.geometry, measured.sample.rules.goal)
}

/// What players give away, the worst first.
pub fn regret_bars(measured: &Measured) -> Chart {
    // Of a player without a legal move nothing is known.
    let bar = |player: &PlayerMeasured| {
        let discs = player.regret.summary(0..=64).discs;
        let mean = discs.mean()?;
        let half = player.uncertainty(&discs);
        Some(Bar {
            name: player.name.clone(),
            value: mean,
            interval: half.map(|half| ((mean - half).max(0.0), mean + half)),
            group: 0,
        })
    };
    let mut bars: Vec<Bar> = measured.players.iter().filter_map(bar).collect();
    bars.sort_by(|one, other| other.value.total_cmp(&one.value));
    let across = "discs lost a move against perfect play".to_owned();
    Chart {
        title: title(measured, "discs lost a move"),
        across,
        up: String::new(),
        content: Content::Bars { bars },
    }
}

/// Two numbers of empty squares together, so that the lines are calm.
fn pairs_of_empties(most: u32) -> impl Iterator<Item = (f64, std::ops::RangeInclusive<u32>)> {
    (1..=most).step_by(2).map(move |low| (f64::from(low) + 0.5, low..=(low + 1).min(most)))
}

/// What players give away by number of empty squares: those chosen, or where none is, the first ones.
pub fn regret_lines(measured: &Measured, chosen: &[&str]) -> Chart {
    let is_chosen = |name: &str| chosen.is_empty() || chosen.contains(&name);
    let series = measured
        .players
        .iter()
        .filter(|player| is_chosen(&player.name))
        .take(MOST_LINES)
        .map(|player| Series {
            name: player.name.clone(),
            points: pairs_of_empties(measured.sample.most_empties())
                .filter_map(|(x, empties)| Some((x, player.regret.summary(empties).discs.mean()?)))
                .collect(),
        })
        .collect();
    Chart {
        title: title(measured, "where discs are lost"),
        across: "empty squares".to_owned(),
        up: "discs lost a move".to_owned(),
        content: Content::Lines { series, logarithmic: false, range: None },
    }
}

/// How evaluations go with the truth by number of empty squares. Combinations of old that hardly differ
/// from others are left out where there are many.
pub fn opinion_lines(measured: &Measured) -> Chart {
    let alike = ["discs", "corners-tokens", "corners-tokens-moves"];
    let all = measured.opinions.len() < MOST_LINES;
    let series = measured
        .opinions
        .iter()
        .filter(|(name, _)| all || !alike.contains(name))
        .take(MOST_LINES)
        .map(|(name, quality)| Series {
            name: (*name).to_owned(),
            points: pairs_of_empties(measured.sample.most_empties())
                .filter_map(|(x, empties)| Some((x, quality.quality(empties).rank_correlation?)))
                .collect(),
        })
        .collect();
    Chart {
        title: title(measured, "evaluations against the truth"),
        across: "empty squares".to_owned(),
        up: "rank correlation with the exact score".to_owned(),
        content: Content::Lines { series, logarithmic: false, range: Some((-0.5, 1.0)) },
    }
}

/// Each rule under both goals, in the order in which rules are listed.
pub fn rules_bars(measured: &[MeasuredRules]) -> Chart {
    let board = measured.first().map_or(String::new(), |found| format!("{}: ", found.sample.geometry));
    let bars = RULES.iter().flat_map(|rule| {
        measured.iter().enumerate().filter_map(|(group, found)| {
            let (_, advice) = found.rules.iter().find(|(known, _)| known.words == rule.words)?;
            let goal = found.sample.rules.goal;
            let name = if group == 0 { format!("{}, {goal}", rule.words) } else { goal.to_string() };
            Some(Bar { name, value: advice.gain()?, interval: None, group })
        })
    });
    Chart {
        title: format!("{board}what following a rule of thumb saves"),
        across: "discs a move, against any legal move".to_owned(),
        up: String::new(),
        content: Content::Bars { bars: bars.collect() },
    }
}

/// Nodes of each search by depth.
pub fn savings_lines(measured: &MeasuredCosts, costs: &Costs) -> Chart {
    let positions = measured.plan.positions as f64;
    let series = costs
        .names()
        .map(|name| Series {
            name: name.to_owned(),
            points: (1..=measured.plan.depth)
                .filter_map(|depth| Some((f64::from(depth), costs.of(depth, name)?.nodes as f64 / positions)))
                .collect(),
        })
        .collect();
    Chart {
        title: format!(
            "{}, {} goal: nodes of each search by {}",
            measured.plan.geometry, measured.plan.goal, costs.opinion
        ),
        across: "depth in plies".to_owned(),
        up: "nodes a position".to_owned(),
        content: Content::Lines { series, logarithmic: true, range: None },
    }
}
