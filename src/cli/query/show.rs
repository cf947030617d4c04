//! An answer as JSON and as a drawing.

use super::Reply;
use crate::json;
use reversi_rules::{Board, Goal, Move, Rules, Score, Square, notation};
use reversi_solver::oracle::{Answer, MoveScore, Oracle, Source};
use serde_json::Value as Json;
use std::fmt::Write;

/// The object of the schema `reversi.query/1`; a quick answer has neither moves nor line.
pub(super) fn json(board: Board, rules: Rules, reply: &Reply, seconds: f64) -> Json {
    match reply {
        Reply::Quick(value) => json::value(board, rules, value, seconds),
        Reply::Full(answer) => json::answer(board, rules, answer, seconds),
    }
}

/// A drawing with the value of each move on its square, followed by the rest in words. `out_of_time` says that a line
/// without its end was cut by time, not by the end of a table.
pub(super) fn text(board: Board, oracle: &Oracle, reply: &Reply, out_of_time: bool, seconds: f64) -> String {
    let rules = oracle.rules();
    let mut text = format!(
        "{}, {} goal, {} scoring, {} ({}) to move\n\n",
        board.geometry,
        rules.goal,
        rules.scoring,
        board.to_move,
        board.to_move.symbol()
    );
    let (score, source, best) = match reply {
        Reply::Quick(value) => {
            text += &drawing(board, &[]);
            (value.score, value.source, value.best.map_or(String::new(), |mv| mv.to_string()))
        }
        Reply::Full(answer) => {
            text += &drawing(board, &answer.moves);
            let names: Vec<String> = answer.best().map(|mv| mv.to_string()).collect();
            (answer.score, answer.source, names.join(" "))
        }
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nvalue {score}, {}", outcome(board, rules, score));
    if !best.is_empty() {
        let _ = writeln!(text, "best  {best}");
    }
    if let Reply::Full(answer) = reply {
        text += &line(answer, out_of_time);
    }
    let and = if source == Source::Table { searched(reply) } else { String::new() };
    let _ = write!(text, "from  {}{and}, in {seconds:.6} s", origin(board, oracle, source));
    text
}

/// What was searched although the score is stored: the positions after it, or the best move, may not be stored.
fn searched(reply: &Reply) -> String {
    let moves = match reply {
        Reply::Quick(value) if value.best_source == Source::Search => {
            return ", its move by live search".to_owned();
        }
        Reply::Quick(_) => 0,
        Reply::Full(answer) => answer.moves.iter().filter(|scored| scored.source == Source::Search).count(),
    };
    if moves > 0 { format!(", {moves} of its moves by live search") } else { String::new() }
}

/// Who wins by how much, in words.
fn outcome(board: Board, rules: Rules, score: Score) -> String {
    let over = board.position().is_over(board.geometry);
    let winner = match score.discs() {
        0 if over => return "the game is over and drawn".to_owned(),
        0 => return "drawn with perfect play".to_owned(),
        1.. => board.to_move,
        _ => board.to_move.other(),
    };
    let wins = match rules.goal {
        Goal::Normal => "wins by",
        Goal::Reversed => "wins, with fewer discs, by",
    };
    let when = if over { "the game is over and " } else { "" };
    let how = if over { "" } else { " with perfect play" };
    format!("{when}{} {wins} {}{how}", winner.symbol(), score.discs().abs())
}

fn line(answer: &Answer, out_of_time: bool) -> String {
    if answer.line.is_empty() {
        return String::new();
    }
    let moves: Vec<String> = answer.line.iter().map(Move::to_string).collect();
    let end = match answer.line_complete {
        true => "to the end of the game",
        false if out_of_time => "as far as time allowed",
        false => "as far as the table goes",
    };
    format!("line  {} ({end})\n", moves.join(" "))
}

/// Which table the answer is from, or that it was searched.
fn origin(board: Board, oracle: &Oracle, source: Source) -> String {
    if source == Source::Search {
        return "live search".to_owned();
    }
    match oracle.probe(board.position()) {
        Ok(Some((found, _))) => found.source.to_string(),
        // The position itself is in no table: all positions after it are, or a stored move leads to it.
        _ => "the tables of the positions before or after it".to_owned(),
    }
}

/// Four characters a square: a disc, the value of the move to it, or nothing.
fn drawing(board: Board, moves: &[MoveScore]) -> String {
    let geometry = board.geometry;
    let value =
        |square| moves.iter().find(|scored| scored.mv == Move::Play(square)).map(|scored| scored.score);
    let mut text = String::from("  ");
    for column in 0..geometry.width() {
        let _ = write!(text, "{:>4}", (b'a' + column as u8) as char);
    }
    text.push('\n');
    for row in 0..geometry.height() {
        let _ = write!(text, "{:>2}", row + 1);
        for square in (0..geometry.width()).map(|column| Square::at(column, row)) {
            let _ = match value(square) {
                Some(score) => write!(text, "{score:>4}"),
                None => write!(text, "{:>4}", notation::symbol(board.disc(square))),
            };
        }
        text.push('\n');
    }
    text
}
