//! A tournament in words and as JSON.

use super::Standing;
use crate::cli::games::{after_moves, games_in_words, opening_plies};
use reversi_lab::arena::rating::{Rating, telling};
use reversi_lab::arena::tournament::{Pairing, different, matrix, of_black, of_player};
use reversi_lab::arena::{GameFault, Outcomes};
use reversi_rules::{Color, Passing, Start};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The matrix, the ratings, and the results of the colours.
pub fn text(standing: &Standing) -> String {
    let count = standing.names.len();
    let cells = matrix(count, &standing.games);
    let mut text = conditions(standing);
    let _ =
        write!(text, "\n\nBlack's share of the decided games; rows have Black, columns White\n{:<28}", "");
    for column in 1..=count {
        let _ = write!(text, "{column:>6}");
    }
    for (row, name) in standing.names.iter().enumerate() {
        let _ = write!(text, "\n{:>3} {name:<24}", row + 1);
        for cell in &cells[row] {
            let _ = write!(
                text,
                "{:>6}",
                cell.share_of_decided().map_or("-".to_owned(), |share| format!("{share:.2}"))
            );
        }
    }
    let failures = failures(standing);
    let has_failures = failures.iter().any(|&count| count > 0);
    let head = if has_failures { "  FAILED" } else { "" };
    let _ = writeln!(text, "\n\n{:<28}   Elo, with 95 % certainty   won drawn  lost{head}", "");
    for place in by_strength(standing) {
        let rating = standing.ratings[place].map_or(format!("{:>6}{:19}", "-", ""), |rating| {
            // Adding 0 takes the sign from a rating that is rounded to 0.
            let [elo, low, high] = [rating.elo, rating.low, rating.high].map(|elo| elo.round() + 0.0);
            format!("{elo:>+6.0}   {low:>+6.0} to {high:>+6.0}")
        });
        let Outcomes { wins, draws, losses } = of_player(place, &standing.games);
        let name = &standing.names[place];
        let failed = if has_failures { format!("{:>8}", failures[place]) } else { String::new() };
        let _ = writeln!(text, "{name:<28}{rating}     {wins:>8}{draws:>6}{losses:>6}{failed}");
    }
    let _ = write!(text, "\n{}\n{}", certainty(standing), colors(standing));
    let faults: Vec<_> = faults(standing).collect();
    for (loser, fault, moves) in faults.iter().take(5) {
        let _ = write!(text, "\n{loser} lost a game: {fault}{}", after_moves(moves));
    }
    if faults.len() > 5 {
        let _ = write!(text, "\n... {} games did not end on the board", faults.len());
    }
    text
}

/// Who lost a game by a fault, the fault, and the moves before it.
fn faults(standing: &Standing) -> impl Iterator<Item = (&str, &GameFault, &str)> {
    standing.games.iter().filter_map(|game| {
        let (loser, fault) = game.forfeit()?;
        let Pairing { black, white, .. } = game.pairing;
        let place = if loser == Color::Black { black } else { white };
        Some((standing.names[place].as_str(), fault, game.moves.as_str()))
    })
}

/// Whether a player has failed: an illegal move, or no answer.
pub fn has_failures(standing: &Standing) -> bool {
    failures(standing).iter().any(|&count| count > 0)
}

/// How often each player has failed, by its place.
fn failures(standing: &Standing) -> Vec<u64> {
    let mut failures = vec![0; standing.names.len()];
    for game in &standing.games {
        if let Some((loser, _)) =
            game.forfeit().filter(|(_, fault)| fault.is_failure(standing.tournament.time))
        {
            let Pairing { black, white, .. } = game.pairing;
            failures[if loser == Color::Black { black } else { white }] += 1;
        }
    }
    failures
}

/// What the intervals of the ratings are based on, in a line.
pub fn certainty(standing: &Standing) -> String {
    let [different, all] = telling_games(standing);
    format!("The intervals rest on {different} different games of {all} between two players")
}

/// How many games of a player with another one are different, and how many there are.
fn telling_games(standing: &Standing) -> [usize; 2] {
    let all = telling(&standing.games);
    let count = all.len();
    [different(all).len(), count]
}

/// The results of the colours, in a line.
pub fn colors(standing: &Standing) -> String {
    let Outcomes { wins, draws, losses } = of_black(&standing.games);
    format!("Black won {wins} games, White {losses}, {draws} were drawn")
}

/// What was played, in a line.
fn conditions(standing: &Standing) -> String {
    let tournament = &standing.tournament;
    let game = &tournament.openings[0];
    let (asked, played) = (tournament.game_count(), standing.games.len() as u64);
    let so_far = if played < asked { format!(" ({played} of {asked} played)") } else { String::new() };
    let from = match (opening_plies(game), tournament.openings.len()) {
        (0, _) => "the start".to_owned(),
        (plies, count) => format!("{count} openings of {plies} plies"),
    };
    format!(
        "{}: {} games a cell from {from}, seed {}{so_far}",
        games_in_words(game),
        tournament.games,
        tournament.seed
    )
}

/// The strongest first, those without a game last.
pub fn by_strength(standing: &Standing) -> Vec<usize> {
    let elo = |place: usize| standing.ratings[place].map_or(f64::NEG_INFINITY, |rating| rating.elo);
    let mut places: Vec<usize> = (0..standing.names.len()).collect();
    places.sort_by(|&one, &other| elo(other).total_cmp(&elo(one)));
    places
}

pub fn json(standing: &Standing) -> Json {
    let tournament = &standing.tournament;
    let game = &tournament.openings[0];
    let cells: Vec<Vec<Json>> = matrix(standing.names.len(), &standing.games)
        .into_iter()
        .map(|row| row.into_iter().map(cell_json).collect())
        .collect();
    let ratings: Vec<Json> = standing
        .ratings
        .iter()
        .zip(&standing.names)
        .map(|(rating, name)| {
            let of = |part: fn(&Rating) -> f64| rating.as_ref().map(part);
            let (elo, low, high) =
                (of(|rating| rating.elo), of(|rating| rating.low), of(|rating| rating.high));
            json!({"player": name, "elo": elo, "low": low, "high": high})
        })
        .collect();
    let [different, between_two] = telling_games(standing);
    let forfeits: Vec<Json> = faults(standing)
        .map(|(loser, fault, moves)| json!({"loser": loser, "reason": fault.to_string(), "moves": moves}))
        .collect();
    json!({
        "schema": "reversi.tournament/1",
        "players": standing.names,
        "board": game.size().to_string(),
        "goal": game.rules().goal.name(),
        "scoring": game.rules().scoring.name(),
        "start": game.first_board().as_start().map(Start::name),
        "passing": game.passing() == Passing::Allowed,
        "games_a_cell": tournament.games,
        "openings": opening_plies(game),
        "seconds_per_move": tournament.time.for_move().map(|time| time.as_secs_f64()),
        "seed": tournament.seed,
        "asked": tournament.game_count(),
        "played": standing.games.len(),
        "matrix": cells,
        "ratings": ratings,
        "rated_games": between_two,
        "different_rated_games": different,
        "colors": cell_json(of_black(&standing.games)),
        "failures": failures(standing),
        "forfeits": forfeits,
    })
}

fn cell_json(cell: Outcomes) -> Json {
    let Outcomes { wins, draws, losses } = cell;
    json!({"black": wins, "drawn": draws, "white": losses, "black_share": cell.share_of_decided()})
}
