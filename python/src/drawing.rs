//! A board as a picture in SVG.

use reversi_rules::geometry::squares_of;
use reversi_rules::notation::square_name;
use reversi_rules::{Board, Color, Move, Square};
use std::fmt::Write;

/// Side of a square in pixels.
const CELL: u32 = 40;
/// Space for the coordinates at the left and above.
const MARGIN: u32 = 20;

/// The board with its coordinates; legal moves are dots, and the last move has a mark on its disc.
pub fn svg(board: Board, last: Option<Move>) -> String {
    let (columns, rows) = (board.geometry.width(), board.geometry.height());
    let (width, height) = (MARGIN + columns * CELL + 2, MARGIN + rows * CELL + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\"><title>{board}</title><g font-family=\"sans-serif\" font-size=\"12\" \
         text-anchor=\"middle\" fill=\"#555\">"
    );
    for column in 0..columns {
        let name = square_name(column, 0);
        let _ = write!(svg, "<text x=\"{}\" y=\"14\">{}</text>", middle(column), &name[..1]);
    }
    for row in 0..rows {
        let _ = write!(svg, "<text x=\"9\" y=\"{}\">{}</text>", middle(row) + 4, row + 1);
    }
    svg += "</g><g fill=\"#2e7d4f\" stroke=\"#163d27\">";
    for square in board.geometry.squares() {
        let (x, y) = (MARGIN + square.column() * CELL, MARGIN + square.row() * CELL);
        let _ = write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
    }
    svg += "</g>";
    for square in board.geometry.squares() {
        if let Some(color) = board.disc(square) {
            let fill = if color == Color::Black { "#111" } else { "#fafafa" };
            svg += &circle(square, 16, fill);
        }
    }
    for square in squares_of(board.position().legal_moves(board.geometry)) {
        let fill = if board.to_move == Color::Black { "#111" } else { "#fafafa" };
        svg += &circle(square, 4, fill);
    }
    if let Some(Move::Play(square)) = last {
        svg += &circle(square, 4, "#d33");
    }
    svg + "</svg>"
}

fn middle(place: u32) -> u32 {
    MARGIN + place * CELL + CELL / 2
}

fn circle(square: Square, radius: u32, fill: &str) -> String {
    let (x, y) = (middle(square.column()), middle(square.row()));
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>")
}
