//! Published and recomputed values, from the text files in `tests/data`.

use reversi::rules::{Board, Geometry, Goal, Rules, Scoring, Start, notation};
use reversi::search::minimax::minimax;

/// The lines of a data file without comments, cut into `columns` fields; the last takes the rest.
fn records(text: &str, columns: usize) -> Vec<Vec<&str>> {
    let mut records = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut rest = line;
        let mut fields = Vec::new();
        while fields.len() + 1 < columns {
            let (field, tail) = rest.split_once(char::is_whitespace).expect(line);
            fields.push(field);
            rest = tail.trim_start();
        }
        fields.push(rest);
        records.push(fields);
    }
    assert!(!records.is_empty(), "the data file has records");
    records
}

fn named<T: Copy + ToString>(all: &[T], name: &str) -> T {
    *all.iter().find(|value| value.to_string() == name).unwrap_or_else(|| panic!("no such word: {name}"))
}

/// A line of `start-values.txt`: the board after its moves and the score for Black.
struct StartValue {
    board: Board,
    rules: Rules,
    score: i32,
    text: String,
}

fn start_values() -> Vec<StartValue> {
    records(include_str!("data/start-values.txt"), 7)
        .into_iter()
        .map(|fields| {
            let geometry: Geometry = fields[0].parse().unwrap();
            let start = geometry.start(named(&Start::ALL, fields[1]));
            let moves = if fields[5] == "." { "" } else { fields[5] };
            let (_, board) = notation::replay(start, moves).unwrap();
            StartValue {
                board,
                rules: Rules::new(named(&Goal::ALL, fields[2]), named(&Scoring::ALL, fields[3])),
                score: fields[4].parse().unwrap(),
                text: fields.join(" "),
            }
        })
        .collect()
}

#[test]
fn plain_minimax_finds_every_start_value_of_4x4() {
    let values = start_values();
    let small: Vec<_> = values.iter().filter(|value| value.board.geometry == Geometry::FOUR).collect();
    assert_eq!(small.len(), 8, "both starts under four rule sets");
    for known in small {
        let score = minimax(Geometry::FOUR, known.rules, known.board.position());
        assert_eq!(score.discs(), known.score, "{}", known.text);
    }
}

#[test]
fn published_lines_are_legal_and_end_with_their_score() {
    for fields in records(include_str!("data/perfect-lines.txt"), 6) {
        let start = Geometry::SIX.start(named(&Start::ALL, fields[0]));
        let rules = Rules::new(named(&Goal::ALL, fields[1]), named(&Scoring::ALL, fields[2]));
        let (_, board) =
            notation::replay(start, fields[4]).unwrap_or_else(|error| panic!("{fields:?}: {error}"));
        if board.position().is_over(Geometry::SIX) {
            let black = Board { to_move: reversi::rules::Color::Black, ..board };
            let score = black.position().final_score(Geometry::SIX, rules);
            assert_eq!(score.discs().to_string(), fields[3], "{fields:?}\n{}", board.drawing());
        } else {
            assert!(fields[5].ends_with("first part"), "{fields:?}\n{}", board.drawing());
        }
    }
}
