//! Files that games are saved in: GGF, PGN, SGF, WTHOR, or the moves as text.

use super::common::{has_usual_scoring, shared_rules};
use super::print::{print_remark, quoted};
use clap::ValueEnum;
use reversi_engine::GameSetup;
use reversi_engine::{Game, GameBoard};
use reversi_formats::ggf::Record;
use reversi_formats::reader::play_moves;
use reversi_formats::{pgn, sgf, wthor};
use reversi_lab::arena::GameFault;
use reversi_rules::{Color, Geometry, Passing, Start};
use std::path::Path;
use std::time::SystemTime;

/// The forms in which games are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Moves, one game per line, after the first board unless all begin with the usual one of 8x8 and moves alone cannot
    /// be read as other games; begins with a line such as "% goal=reversed" if the rules are not the usual ones
    #[value(alias = "txt")]
    Text,
    /// GGF, which holds every board and both goals
    Ggf,
    /// PGN, with tags of our own for other boards and the reversed goal
    Pgn,
    /// SGF of Othello (GM[2]), normal goal
    Sgf,
    /// A WTHOR database, 8x8 from the diagonal start, normal goal
    #[value(alias = "wtb")]
    Wthor,
}

/// The remark if games with names are written as WTHOR.
const NAMES_ARE_LOST: &str = "WTHOR has numbers for players and tournaments: their names are not in the file; GGF, PGN and SGF keep them";

impl Format {
    /// The format by the ending of a name; text for all other endings.
    pub fn of(path: &Path) -> Format {
        let all = [("ggf", Format::Ggf), ("pgn", Format::Pgn), ("sgf", Format::Sgf), ("wtb", Format::Wthor)];
        all.into_iter()
            .find(|(ending, _)| has_ending(path, ending))
            .map_or(Format::Text, |(_, format)| format)
    }

    /// The text before games of these rules: in text a line that names the rules; in other forms each game names its
    /// own.
    ///
    /// # Errors
    /// Rules that the form cannot express, with the number of the game.
    pub fn heading<'a>(self, games: impl Iterator<Item = &'a Game> + Clone) -> Result<String, String> {
        if self == Format::Text {
            let rules = shared_rules(games).map_err(|(index, rule)| {
                let others = "different from that of the games before it";
                format!(
                    "game {}: its {rule} is {others}; a text file names one for all games: convert them separately \
                     (`convert --goal normal --skip-bad` takes those of one goal)",
                    index + 1
                )
            })?;
            return Ok(rules.to_string());
        }
        match games.zip(1..).find(|(game, _)| !has_usual_scoring(game)) {
            Some((game, number)) => Err(format!(
                "game {number}: this form does not name the scoring, and on {} {} is not the usual one; convert to text",
                game.size(),
                game.rules().scoring
            )),
            None => Ok(String::new()),
        }
    }

    /// The text before games with the rules of this one: in text a line that names unusual rules.
    pub fn rules_line(self, game: &Game) -> String {
        let rules = (self == Format::Text).then(|| shared_rules(std::iter::once(game)));
        rules.map_or_else(String::new, |rules| rules.expect("one game has one rule").to_string())
    }

    /// What is lost of these games although they can be written, in words.
    pub fn loss<'a>(self, records: impl IntoIterator<Item = &'a Record>) -> Option<&'static str> {
        let is_named = |record: &Record| {
            let names = [&record.black, &record.white, &record.place];
            // Numbers stand for the names of the lists beside the file that they come from.
            names.iter().any(|name| !name.is_empty()) && record.numbers.names == [0; 3]
        };
        let is_lost = self == Format::Wthor && records.into_iter().any(is_named);
        is_lost.then_some(NAMES_ARE_LOST)
    }

    /// Games in this form. As text, if one game needs its first board, then every game gives its own, since moves alone
    /// after a board would be read as moves from there.
    ///
    /// # Errors
    /// What the form cannot express, with the number of the game.
    pub fn written(self, records: &[Record]) -> Result<Vec<u8>, String> {
        let each = |write: &dyn Fn(&Record) -> Result<String, String>| {
            let text = records
                .iter()
                .enumerate()
                .map(|(index, record)| write(record).map_err(|fault| format!("game {}: {fault}", index + 1)));
            text.collect::<Result<String, String>>().map(String::into_bytes)
        };
        match self {
            Format::Text => {
                let has_boards = need_boards(records);
                each(&|record| {
                    let game = game_of(record)?;
                    let text = if has_boards { with_board(&game) } else { game.transcript() };
                    Ok(text + "\n")
                })
            }
            Format::Ggf => each(&|record| Ok(format!("{record}\n"))),
            Format::Pgn => each(&|record| Ok(pgn::write(record) + "\n")),
            Format::Sgf => each(&sgf::write),
            Format::Wthor => wthor::write(records, today()),
        }
    }
}

fn game_of(record: &Record) -> Result<Game, String> {
    let setup = GameSetup { goal: record.goal, ..GameSetup::new(record.first_board().size()) };
    record.game(setup).map_err(|error| error.to_string())
}

/// Whether lines of moves alone would not be read as these games: a game does not begin as every reader assumes, has no
/// move, or goes on with the moves of the games after it.
fn need_boards(records: &[Record]) -> bool {
    let is_told_by_moves =
        |record: &Record| has_usual_board(record.first_board()) && !record.moves().is_empty();
    if !records.iter().all(is_told_by_moves) {
        return true;
    }
    let [first, others @ ..] = records else { return false };
    let Ok(mut all) = game_of(first) else { return false };
    let mut moves_after = others.iter().filter_map(|record| game_of(record).ok());
    !others.is_empty() && moves_after.all(|game| play_moves(&mut all, &game.transcript()).is_ok())
}

/// Year, month and day of now, in UTC.
fn today() -> (u16, u8, u8) {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // Days from 0000-03-01, in eras of 400 years (the civil calendar by days, Howard Hinnant).
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    ((year + era * 400 + u64::from(month <= 2)) as u16, month as u8, day as u8)
}

/// Whether the position is written to this file as a problem, judging by the file's name.
pub fn is_obf(path: &Path) -> bool {
    has_ending(path, "obf")
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}

/// The remark if games are written as text to a file with another ending, which may be mistyped.
pub fn unknown_ending(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?;
    let is_usual = Format::of(path) != Format::Text || has_ending(path, "txt");
    (!is_usual).then(|| {
        format!("games in .{ending} files are written as text, as in .txt; the other forms are .ggf, .pgn, .sgf and .wtb")
    })
}

/// The record of a game played here: its players, where it was played, and the side that lost it by a fault, if any.
pub fn as_ggf(
    game: &Game,
    [black, white]: [&str; 2],
    place: &str,
    fault: Option<(Color, &GameFault)>,
) -> Record {
    let mut record = Record::new(game);
    black.clone_into(&mut record.black);
    white.clone_into(&mut record.white);
    place.clone_into(&mut record.place);
    if let Some((loser, fault)) = fault {
        record.forfeit(loser, fault.letter());
    }
    record
}

/// The game as a line of text: its moves, after the first board unless every reader assumes that board. A reader
/// elsewhere assumes the diagonal start of 8x8, a reader here assumes `usual`.
pub fn as_text(game: &Game, usual: &GameBoard) -> String {
    let first = game.first_board();
    if first == usual && has_usual_board(first) { game.transcript() } else { with_board(game) }
}

fn has_usual_board(first: &GameBoard) -> bool {
    Geometry::from_size(first.size()) == Some(Geometry::EIGHT) && first.as_start() == Some(Start::Diagonal)
}

/// The first board and the moves, if there are any.
fn with_board(game: &Game) -> String {
    match game.moves() {
        [] => game.first_board().to_string(),
        _ => format!("{} {}", game.first_board(), game.transcript()),
    }
}

/// The same as a line of a file. A game without moves gives its first board, since a blank line would be no game.
pub fn as_line(game: &Game, usual: &GameBoard) -> String {
    let text = if game.moves().is_empty() { with_board(game) } else { as_text(game, usual) };
    text + "\n"
}

/// Says which options are needed to review the games of a file, if any: those that the file cannot express, and the
/// number of drawn moves at the beginning (`opening_plies`, if all openings have the same length). Games on larger
/// boards cannot be reviewed.
pub fn tell_way_back(path: &Path, game: &Game, opening_plies: Option<usize>) {
    if Geometry::from_size(game.size()).is_none() {
        return;
    }
    let mut options = untold_options(Format::of(path), game);
    match opening_plies {
        Some(0) => {}
        Some(plies) => options.push(format!("--opening {plies}")),
        None => options.push("--game N --opening PLIES".to_owned()),
    }
    if !options.is_empty() {
        let (path, options) = (quoted(&path.display().to_string()), options.join(" "));
        print_remark(format_args!("to look back at the games: reversi review --file {path} {options}"));
    }
}

/// The options that a reader of a file has to give again, because its form cannot express them.
pub fn untold_options(format: Format, game: &Game) -> Vec<String> {
    let size = game.size();
    let mut options = Vec::new();
    if game.passing() == Passing::EndsGame {
        options.push("--no-passing".to_owned());
    }
    let is_text = format == Format::Text;
    if !is_text && !has_usual_scoring(game) {
        options.push(format!("--scoring {}", game.rules().scoring));
    }
    if is_text && size.width() != size.height() {
        options.push(format!("--board {size}"));
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_formats::text;
    use reversi_rules::{Goal, Scoring};

    fn game(setup: GameSetup, moves: &str) -> Game {
        let mut game = setup.new_game();
        game.play_transcript(moves).unwrap();
        game
    }

    #[test]
    fn a_reader_that_knows_nothing_reads_the_game_that_was_saved() {
        let setup = |size: &str, start| GameSetup { start, ..GameSetup::new(size.parse().unwrap()) };
        let usual = GameSetup::new("8x8".parse().unwrap());
        for (size, start, moves) in [
            ("8x8", Start::Diagonal, "f5d6"),
            ("8x8", Start::Diagonal, ""),
            ("8x8", Start::Parallel, ""),
            ("8x8", Start::Parallel, "d3"),
            ("4x4", Start::Diagonal, "b1a1"),
            ("6x6", Start::Parallel, ""),
        ] {
            let saved = game(setup(size, start), moves);
            for reader in [usual, setup(size, start), setup("8x8", Start::Parallel)] {
                let text = as_text(&saved, &GameBoard::start(reader.size, reader.start));
                for reader in [reader, usual] {
                    let read = text::read(&text, reader).unwrap().game;
                    assert_eq!(read.first_board(), saved.first_board(), "{size} {start} {moves}");
                    assert_eq!(read.transcript(), moves);
                }
            }
        }
    }

    #[test]
    fn games_of_any_beginning_and_length_are_read_as_they_were_written() {
        let setup = |size: &str| GameSetup::new(size.parse().unwrap());
        let (usual, small) = (setup("8x8"), setup("6x6"));
        let set_up = || text::read(&game(usual, "f5").board().to_string(), usual).unwrap().game;
        let (one, two) = (game(usual, "f5d6c3"), game(usual, "d3c5"));
        for games in [
            vec![one.clone(), two.clone()],
            vec![one.clone(), two.clone(), one.clone()],
            vec![one.clone(), set_up()],
            vec![set_up(), one.clone(), two.clone()],
            vec![game(usual, ""), one.clone()],
            vec![game(small, "c2"), one.clone()],
            vec![one, game(small, "c2"), game(small, "c2b2")],
        ] {
            let records: Vec<Record> = games.iter().map(|game| as_ggf(game, ["", ""], "", None)).collect();
            let written = Format::Text.written(&records).unwrap();
            let read = text::read_bytes(&written, &Default::default(), usual);
            let told = |game: &Game| (game.first_board().to_string(), game.transcript());
            let read: Vec<_> = read.into_iter().map(|reading| told(&reading.unwrap().game)).collect();
            assert_eq!(
                read,
                games.iter().map(told).collect::<Vec<_>>(),
                "{}",
                String::from_utf8_lossy(&written)
            );
        }
    }

    #[test]
    fn an_ending_of_no_form_is_told() {
        for usual in
            ["game", "-", ".hidden", "a.txt", "a.TXT", "a.ggf", "a.PGN", "a.sgf", "a.wtb", "/dev/stdout"]
        {
            assert_eq!(unknown_ending(Path::new(usual)), None, "{usual}");
        }
        for odd in ["a.zip", "a.gff", "a.ggf.gz", "a.obf"] {
            let told = unknown_ending(Path::new(odd)).unwrap();
            assert!(told.contains(" as text"), "{odd}: {told}");
        }
    }

    #[test]
    fn what_a_file_has_no_words_for_is_listed() {
        let setup = GameSetup::new("5x4".parse().unwrap());
        let odd = GameSetup { goal: Goal::Reversed, scoring: Some(Scoring::Winner), ..setup };
        let told =
            |setup, name: &str| untold_options(Format::of(Path::new(name)), &game(setup, "")).join(" ");
        assert_eq!(told(GameSetup::new("8x8".parse().unwrap()), "game.txt"), "");
        assert_eq!(told(odd, "game.txt"), "--board 5x4");
        assert_eq!(told(odd, "game.ggf"), "--scoring winner");
        assert_eq!(told(odd, "game.obf"), "--board 5x4");
        assert_eq!(told(GameSetup { passing: Passing::EndsGame, ..setup }, "game.GGF"), "--no-passing");
    }
}
