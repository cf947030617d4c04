//! The plots of regret.

use super::{Measured, PlayerMeasured};
use crate::cli::chart::{Bar, Chart, Content, Series};

/// More lines than this cannot be told apart.
const MOST_LINES: usize = 8;

fn title(measured: &Measured, what: &str) -> String {
    format!("{}, {} goal: {what}", measured.sample.geometry, measured.sample.rules.goal)
}

/// What players give away, the worst first.
pub fn regret_bars(measured: &Measured) -> Chart {
    // Nothing is known about a player without a legal move.
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

/// Pairs of numbers of empty squares, which make the lines smoother.
fn pairs_of_empties(most: u32) -> impl Iterator<Item = (f64, std::ops::RangeInclusive<u32>)> {
    (1..=most).step_by(2).map(move |low| (f64::from(low) + 0.5, low..=(low + 1).min(most)))
}

/// What players give away by number of empty squares: the chosen players, or the first ones if none is chosen.
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

/// How evaluations correlate with exact scores, by number of empty squares. If there are many evaluations, those that
/// hardly differ from others are left out.
pub fn evaluation_lines(measured: &Measured) -> Chart {
    let alike = ["discs", "corners-tokens", "corners-tokens-moves"];
    let all = measured.evaluations.len() < MOST_LINES;
    let series = measured
        .evaluations
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
