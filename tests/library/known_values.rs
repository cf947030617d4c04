//! Published and recomputed values, from the text files in `tests/data`.

use crate::common;
use reversi::rules::{Board, Color, Geometry, Goal, Position, Rules, Score, Scoring, Start, notation};
use reversi::search::reference::minimax::minimax;
use reversi::search::{Solver, SolverOptions, Stop};
use reversi::table::library;
use std::path::Path;

/// The lines of a data file, cut into `columns` fields; the last takes the rest.
fn records(text: &str, columns: usize) -> Vec<Vec<&str>> {
    let mut records = Vec::new();
    for line in common::records(text) {
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

/// A line of `start-values.txt`: the board after its moves and the score for Black.
struct StartValue {
    board: Board,
    rules: Rules,
    score: i32,
    text: String,
}

fn start_values() -> Vec<StartValue> {
    records(include_str!("../../data/start-values.txt"), 7)
        .into_iter()
        .map(|fields| {
            let geometry: Geometry = fields[0].parse().unwrap();
            let start = Board::start(geometry, fields[1].parse().unwrap());
            let moves = if fields[5] == "." { "" } else { fields[5] };
            let (_, board) = notation::replay(start, moves).unwrap();
            StartValue {
                board,
                rules: Rules::new(fields[2].parse().unwrap(), fields[3].parse().unwrap()),
                score: fields[4].parse().unwrap(),
                text: fields.join(" "),
            }
        })
        .collect()
}

/// Boards with more squares take the verifier's own search seconds.
const MOST_SQUARES: u32 = 20;

#[test]
fn values_of_small_starts_are_those_of_the_verifiers_own_search() {
    let mut compared = 0;
    for fields in records(include_str!("../../data/start-values.txt"), 7) {
        let geometry: Geometry = fields[0].parse().unwrap();
        if geometry.square_count() <= MOST_SQUARES && fields[5] == "." {
            let (goal, scoring) = (fields[2].parse().unwrap(), fields[3].parse().unwrap());
            let value =
                reversi::verify::start_value(geometry.into(), fields[1].parse().unwrap(), goal, scoring);
            assert_eq!(value, fields[4].parse::<i32>().unwrap(), "{fields:?}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// A score for the side to move as one for Black.
fn for_black(board: Board, score: Score) -> i32 {
    match board.to_move {
        Color::Black => score.discs(),
        Color::White => -score.discs(),
    }
}

/// Compares the start values of boards of up to `squares` squares with those found anew; says how many there are.
fn compare_up_to(squares: u32, find: impl Fn(Geometry, Rules, Position) -> Score) -> usize {
    let mut compared = 0;
    for known in start_values() {
        let geometry = known.board.geometry;
        if geometry.square_count() <= squares {
            let found = find(geometry, known.rules, known.board.position());
            assert_eq!(found.discs(), known.score, "{}", known.text);
            compared += 1;
        }
    }
    compared
}

#[test]
fn minimax_knows_every_start_value_of_the_smallest_boards() {
    assert_eq!(compare_up_to(16, minimax), 40, "ten starts under four rule sets");
}

#[test]
fn the_search_knows_the_start_values_of_small_boards() {
    let search = |geometry, rules, position| {
        let options = SolverOptions { memory_bytes: 1 << 24, threads: 1, ..SolverOptions::default() };
        let solver = Solver::new(geometry, rules, options).unwrap();
        solver.solve(position, &Stop::never()).unwrap().score
    };
    assert_eq!(compare_up_to(25, search), 108, "27 starts under four rule sets");
}

#[test]
fn the_readme_states_what_the_page_of_small_boards_does() {
    let is_start = |line: &&str| line.contains("| diagonal |") || line.contains("| parallel |");
    let page: Vec<&str> = include_str!("../../docs/small-boards.md").lines().filter(is_start).collect();
    let stated: Vec<&str> = include_str!("../../README.md").lines().filter(is_start).collect();
    let (large, small): (Vec<&str>, _) = stated.into_iter().partition(|row| row.starts_with("| 8x8 |"));
    assert_eq!((large.len(), small.len()), (1, 6), "no row is passed over");
    for row in small {
        // The page also says what confirms the values.
        assert!(page.iter().any(|line| line.starts_with(row)), "{row}");
    }
}

#[test]
fn the_page_of_small_boards_states_the_values_of_all_their_starts() {
    let cells = |line: &'static str| line.split('|').map(str::trim).collect::<Vec<_>>();
    let page: Vec<_> = include_str!("../../docs/small-boards.md").lines().map(cells).collect();
    let mut stated = 0;
    for known in start_values() {
        let (geometry, rules) = (known.board.geometry, known.rules);
        let Some(start) = Start::ALL.into_iter().find(|&start| Board::start(geometry, start) == known.board)
        else {
            continue;
        };
        if geometry == Geometry::EIGHT {
            continue;
        }
        let is_about = |cells: &&Vec<&str>| {
            let boards = cells.get(1).map_or("", |boards| *boards);
            boards.split(", ").any(|board| board == geometry.to_string()) && cells[2] == start.to_string()
        };
        let row = page.iter().find(is_about).unwrap_or_else(|| panic!("no row for {}", known.text));
        let columns = [
            (Goal::Normal, Scoring::Raw),
            (Goal::Normal, Scoring::Winner),
            (Goal::Reversed, Scoring::Raw),
            (Goal::Reversed, Scoring::Winner),
        ];
        let column = columns.iter().position(|&column| column == (rules.goal, rules.scoring)).unwrap();
        assert_eq!(row[3 + column], Score::new(known.score).to_string(), "{}", known.text);
        stated += 1;
    }
    let rows = page.iter().filter(|cells| cells.len() > 6 && cells[2].parse::<Start>().is_ok());
    let numbers = rows.flat_map(|cells| &cells[3..7]).filter(|&&cell| cell != "?").count();
    assert_eq!(stated, numbers, "each number of the page stands in the data");
}

#[test]
fn the_tables_know_every_start_value_of_4x4() {
    let values = start_values();
    let small: Vec<_> = values.iter().filter(|value| value.board.geometry == Geometry::FOUR).collect();
    assert_eq!(small.len(), 8, "both starts under four rule sets");
    for known in small {
        let position = known.board.position();
        let tables = Start::ALL.map(|start| library::built_in(Geometry::FOUR, known.rules, start).unwrap());
        let stored: Vec<i32> = tables
            .iter()
            .filter_map(|table| table.probe(position).unwrap())
            .map(|entry| entry.score.discs())
            .collect();
        assert_eq!(stored, [known.score], "{}: in one of the two tables", known.text);
    }
}

#[test]
fn published_lines_are_perfect_to_their_end() {
    const SEARCHED_FROM: u32 = 16;
    for fields in records(include_str!("../data/perfect-lines.txt"), 6) {
        let rules = Rules::new(fields[1].parse().unwrap(), fields[2].parse().unwrap());
        let options = SolverOptions { memory_bytes: 1 << 24, threads: 1, ..SolverOptions::default() };
        let solver = Solver::new(Geometry::SIX, rules, options).unwrap();
        let mut board = Board::start(Geometry::SIX, fields[0].parse().unwrap());
        let (moves, end) =
            notation::replay(board, fields[4]).unwrap_or_else(|error| panic!("{fields:?}: {error}"));
        let mut searched = 0;
        for mv in moves {
            board = board.after(mv).unwrap();
            if board == end || board.position().empty_count(Geometry::SIX) <= SEARCHED_FROM {
                let solution = solver.solve(board.position(), &Stop::never()).unwrap();
                let score = for_black(board, solution.score);
                assert_eq!(score.to_string(), fields[3], "{fields:?} after {mv}\n{}", board.drawing());
                searched += 1;
            }
        }
        let is_whole = end.position().is_over(Geometry::SIX);
        assert_eq!(searched > 10, is_whole, "{fields:?}");
        assert!(is_whole || fields[5].ends_with("first part"), "{fields:?}\n{}", end.drawing());
    }
}

/// The tables of the source tree, whatever directory is named in the environment.
fn shipped() -> library::Library {
    library::Library::new(Some(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))))
}

#[test]
fn the_tables_of_6x6_know_the_raw_start_values_of_their_starts() {
    let mut known = Vec::new();
    for value in start_values() {
        if value.board.geometry != Geometry::SIX || value.rules.scoring != Scoring::Raw {
            continue;
        }
        for start in Start::ALL {
            let found = shipped().find(Geometry::SIX, value.rules, start).unwrap().unwrap();
            if let Some(entry) = found.table.probe(value.board.position()).unwrap() {
                assert_eq!(for_black(value.board, entry.score), value.score, "{}", value.text);
                known.push((value.rules.goal, start));
            }
        }
    }
    for goal in Goal::ALL {
        assert!(Start::ALL.iter().all(|&start| known.contains(&(goal, start))), "{known:?}");
    }
}

/// The first of the two reversed lines goes off after its sixth move: White's mistake, which Black returns at once.
#[test]
fn the_tables_of_6x6_know_the_published_lines() {
    let mut known = 0;
    for fields in records(include_str!("../data/perfect-lines.txt"), 6) {
        let rules = Rules::new(fields[1].parse().unwrap(), fields[2].parse().unwrap());
        let mut board = Board::start(Geometry::SIX, fields[0].parse().unwrap());
        let table = shipped().find(Geometry::SIX, rules, Start::Diagonal).unwrap().unwrap().table;
        let (moves, _) = notation::replay(board, fields[4]).unwrap();
        for (ply, mv) in (1..).zip(moves) {
            board = board.after(mv).unwrap();
            let Some(entry) = table.probe(board.position()).unwrap() else { continue };
            let is_mistake = ply == 6 && fields[4].starts_with("C2B4D5E2E3C1");
            let expected = if is_mistake { "4" } else { fields[3] };
            assert_eq!(for_black(board, entry.score).to_string(), expected, "{fields:?} after {ply} moves");
            known += 1;
        }
    }
    assert!(known >= 3 * 6, "only {known} positions of the lines are in the tables");
}
