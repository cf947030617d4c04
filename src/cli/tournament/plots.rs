//! The plots of a tournament: the matrix, the ratings, and the course of each pair as in the window of
//! Toronto 2021.

use super::{Standing, report};
use crate::cli::Failure;
use crate::cli::chart::{Bar, Chart, Content, Series};
use crate::cli::csv;
use reversi_lab::arena::tournament::{Played, matrix};
use reversi_rules::Color;
use std::path::Path;

/// With more players than this the course of each pair is left out: there are too many.
const MOST_PLAYERS_FOR_COURSES: usize = 3;
/// Number of games in the moving share.
const LATEST: usize = 50;

/// Writes `matrix.csv` and all plots.
///
/// # Errors
/// A file that cannot be written.
pub fn save(standing: &Standing, color: Color, directory: &Path) -> Result<(), Failure> {
    save_matrix(standing, &directory.join("matrix.csv"))?;
    matrix_chart(standing).save(directory, "matrix")?;
    ratings_chart(standing).save(directory, "ratings")?;
    if standing.names.len() > MOST_PLAYERS_FOR_COURSES {
        return Ok(());
    }
    for pairing in standing.tournament.pairings().take_while(|pairing| pairing.game == 0) {
        let (names, games) = pair(standing, pairing.black, pairing.white);
        let file = format!("course-{}-{}", pairing.black + 1, pairing.white + 1);
        course_chart(names, &games, color).save(directory, &file)?;
        results_chart(names, &games, color).save(directory, &format!("{file}-results"))?;
    }
    Ok(())
}

/// The names of two players and the games in which the first has Black.
fn pair(standing: &Standing, black: usize, white: usize) -> ([&String; 2], Vec<&Played>) {
    let of_both = |game: &&Played| (game.pairing.black, game.pairing.white) == (black, white);
    let games = standing.games.iter().filter(of_both).collect();
    ([&standing.names[black], &standing.names[white]], games)
}

/// The course of the games of two players, for Black.
pub fn course(standing: &Standing, black: usize, white: usize) -> Chart {
    let (names, games) = pair(standing, black, white);
    course_chart(names, &games, Color::Black)
}

/// The coloured matrix of the report of Copenhagen 2023.
pub fn matrix_chart(standing: &Standing) -> Chart {
    let cells = matrix(standing.names.len(), &standing.games);
    let values = cells.iter().map(|row| row.iter().map(|cell| cell.share_of_decided()).collect()).collect();
    Chart {
        title: "Black's share of the decided games".to_owned(),
        across: "White".to_owned(),
        up: "Black".to_owned(),
        content: Content::Matrix { names: standing.names.clone(), values },
    }
}

/// Elo points with their intervals, the strongest first.
pub fn ratings_chart(standing: &Standing) -> Chart {
    let bar = |place: usize| {
        standing.ratings[place].map(|rating| Bar {
            name: standing.names[place].clone(),
            value: rating.elo,
            interval: Some((rating.low, rating.high)),
            group: 0,
        })
    };
    Chart {
        title: "Strength, the mean being 0".to_owned(),
        across: "Elo points, with 95 % intervals".to_owned(),
        up: String::new(),
        content: Content::Bars { bars: report::by_strength(standing).into_iter().filter_map(bar).collect() },
    }
}

/// 1 for a win of the colour, 0.5 for a draw, 0 for a loss.
fn points(games: &[&Played], color: Color) -> Vec<f64> {
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    games.iter().map(|game| 0.5 + 0.5 * sign * f64::from(game.winner)).collect()
}

/// The result of each game.
fn results_chart(names: [&String; 2], games: &[&Played], color: Color) -> Chart {
    let results = (1..).map(f64::from).zip(points(games, color)).collect();
    chart(
        names,
        color,
        "result: 1 won, 0.5 drawn, 0 lost",
        vec![Series { name: "result".to_owned(), points: results }],
    )
}

/// The share of points of all games so far, and of the latest.
fn course_chart(names: [&String; 2], games: &[&Played], color: Color) -> Chart {
    let points = points(games, color);
    let share = |from: usize, to: usize| points[from..to].iter().sum::<f64>() / (to - from) as f64;
    let all = (1..=points.len()).map(|to| (to as f64, share(0, to))).collect();
    let latest = (LATEST..=points.len()).map(|to| (to as f64, share(to - LATEST, to))).collect();
    let series = vec![
        Series { name: "all games so far".to_owned(), points: all },
        Series { name: format!("the last {LATEST} games"), points: latest },
    ];
    chart(names, color, "share of points", series)
}

fn chart([black, white]: [&String; 2], color: Color, up: &str, series: Vec<Series>) -> Chart {
    Chart {
        title: format!("{black} (Black) against {white} (White), for {color}"),
        across: "game".to_owned(),
        up: up.to_owned(),
        content: Content::Lines { series, logarithmic: false, range: Some((0.0, 1.0)) },
    }
}

fn save_matrix(standing: &Standing, path: &Path) -> Result<(), Failure> {
    let names = &standing.names;
    let rows = matrix(names.len(), &standing.games);
    let lines = rows.iter().enumerate().flat_map(|(row, cells)| {
        cells.iter().enumerate().map(move |(column, cell)| {
            let counts = [cell.wins, cell.draws, cell.losses].map(|count| count.to_string());
            [names[row].clone(), names[column].clone()].into_iter().chain(counts).collect()
        })
    });
    csv::save("--out", path, ["black", "white", "black won", "drawn", "white won"], lines)
}
