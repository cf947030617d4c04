//! A game as JSON: how a request describes one, and how the page receives it.

use super::guard;
use super::refusal::Refusal;
use reversi_engine::{Game, GameBoard, GameMove, GameSetup, Size};
use reversi_formats::reader::{Wanted, Zero, play_moves};
use reversi_formats::text::{self, ReadError};
use reversi_rules::{Board, Color, Passing, Rules, Start, UnknownName};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::str::FromStr;

/// Maximum bytes of a position, and of the moves of a game: those of 24x24 have less than half of it.
const MOST_BYTES: usize = 8 << 10;

/// A game in a request. Everything but the board has a default.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// Columns x rows; may be left out if `position` tells them.
    board: Option<String>,
    goal: Option<String>,
    scoring: Option<String>,
    start: Option<String>,
    /// Whether a side without a move passes; otherwise the game ends.
    passing: Option<bool>,
    /// The first board, if it is not the usual one.
    position: Option<String>,
    /// The side to move, for a board that does not name it: `black` or `white`.
    side: Option<String>,
    /// What `0` stands for on a board: `empty` or `white`.
    zero: Option<String>,
    /// The moves of the game.
    moves: Option<Moves>,
    /// How many of them are made; the others are taken back.
    ply: Option<usize>,
}

/// Moves run together, or one by one.
#[derive(Deserialize)]
#[serde(untagged, expecting = "\"moves\" is a text or a list of texts")]
enum Moves {
    Transcript(String),
    List(Vec<String>),
}

impl Moves {
    /// All of them in one text.
    ///
    /// # Errors
    /// The text is too long.
    fn text(&self) -> Result<String, Refusal> {
        let text = match self {
            Moves::Transcript(text) => text.clone(),
            Moves::List(list) => list.join(" "),
        };
        guard::check_length("moves", text.len(), MOST_BYTES)?;
        Ok(text)
    }
}

impl GameSpec {
    /// The board and the rules.
    ///
    /// # Errors
    /// An unknown word, or a position that is too long.
    pub fn setup(&self) -> Result<GameSetup, Refusal> {
        guard::check_length("position", self.position.as_ref().map_or(0, String::len), MOST_BYTES)?;
        let goal = named(&self.goal)?;
        let size = match (&self.board, &self.position) {
            (Some(text), _) => text.parse().map_err(|error| Refusal::bad("bad-board", error))?,
            (None, Some(text)) => {
                let usual = GameSetup::new("8x8".parse().expect("8x8 is a size"));
                self.read_position(usual, None, text)?.size()
            }
            (None, None) => return Err(Refusal::bad("bad-board", "name the board, as in \"board\":\"6x6\"")),
        };
        Ok(GameSetup {
            size,
            start: named(&self.start)?.unwrap_or_default(),
            goal: goal.unwrap_or_default(),
            scoring: named(&self.scoring)?,
            passing: if self.passing == Some(false) { Passing::EndsGame } else { Passing::Allowed },
        })
    }

    /// The same for a text that may name the board itself; the default is 8x8.
    ///
    /// # Errors
    /// An unknown word.
    pub fn setup_for_text(&mut self) -> Result<GameSetup, Refusal> {
        if self.position.is_none() {
            self.board.get_or_insert_with(|| "8x8".to_owned());
        }
        self.setup()
    }

    /// The game with the requested number of moves made. For a thread that may block: it may take some milliseconds.
    ///
    /// # Errors
    /// The fault of the game, in words.
    pub fn game(&self) -> Result<Game, Refusal> {
        let setup = self.setup()?;
        let mut game = match &self.position {
            Some(text) => {
                let game = self.read_position(setup, Some(setup.size), text)?;
                self.check_agreement(&game)?;
                game
            }
            None => self.usual_game(setup)?,
        };
        let moves = self.moves.as_ref().map_or(Ok(String::new()), Moves::text)?;
        play_moves(&mut game, &moves).map_err(|error| Refusal::bad("bad-move", error))?;
        while self.ply.is_some_and(|ply| game.moves().len() > ply) {
            game.undo();
        }
        Ok(game)
    }

    /// The request to the reader: the side to move and the meaning of `0`, if the request names them.
    ///
    /// # Errors
    /// An unknown word.
    pub fn wanted(&self, setup: GameSetup, size: Option<Size>) -> Result<Wanted, Refusal> {
        let side = match self.side.as_deref() {
            None => None,
            Some("black") => Some(Color::Black),
            Some("white") => Some(Color::White),
            Some(_) => return Err(Refusal::bad("bad-position", "\"side\" is \"black\" or \"white\"")),
        };
        let zero = match self.zero.as_deref() {
            None => None,
            Some("empty") => Some(Zero::Empty),
            Some("white") => Some(Zero::White),
            Some(_) => return Err(Refusal::bad("bad-position", "\"zero\" is \"empty\" or \"white\"")),
        };
        Ok(Wanted { setup, size, side, zero })
    }

    /// The usual first board. If a side is named, it must be the one to move.
    fn usual_game(&self, setup: GameSetup) -> Result<Game, Refusal> {
        let game = setup.new_game();
        match self.wanted(setup, None)?.side {
            Some(side) if side != game.to_move() => {
                Err(Refusal::bad("bad-position", format!("{} is to move at the start", game.to_move())))
            }
            _ => Ok(game),
        }
    }

    /// Checks that the request does not contradict the text of its position.
    ///
    /// # Errors
    /// The request also names a start, or other rules.
    fn check_agreement(&self, read: &Game) -> Result<(), Refusal> {
        let Rules { goal, scoring } = read.rules();
        let named = [("goal", &self.goal, goal.name()), ("scoring", &self.scoring, scoring.name())];
        for (key, asked, of_text) in named {
            if let Some(asked) = asked.as_deref().filter(|&asked| asked != of_text) {
                let message = format!(
                    "\"position\" names the {key} {of_text}, but \"{key}\" is \"{asked}\": leave \"{key}\" out"
                );
                return Err(Refusal::bad("bad-rules", message));
            }
        }
        match self.start {
            Some(_) => {
                Err(Refusal::bad("bad-position", "\"start\" does not apply to a \"position\": leave it out"))
            }
            None => Ok(()),
        }
    }

    /// A board in any usual form, and the moves after it.
    fn read_position(&self, setup: GameSetup, size: Option<Size>, text: &str) -> Result<Game, Refusal> {
        let strict = || {
            GameBoard::parse(size, text)
                .err()
                .map_or("there is no board".to_owned(), |error| error.to_string())
        };
        match text::read_single(text, self.wanted(setup, size)?) {
            Ok(reading) if reading.has_board => Ok(reading.game),
            Ok(_) | Err(ReadError::BareMoves(_) | ReadError::Nothing) => {
                Err(Refusal::bad("bad-position", strict()))
            }
            Err(error) => Err(Refusal::bad(error.kind(), error)),
        }
    }
}

/// The value named by a word, if there is a word.
fn named<T: FromStr<Err = UnknownName>>(word: &Option<String>) -> Result<Option<T>, Refusal> {
    word.as_deref().map(T::from_str).transpose().map_err(|error| Refusal::bad("bad-rules", error))
}

/// The board of a game as the oracle takes it.
///
/// # Errors
/// The board is too large, or its games end without passing.
pub fn for_the_oracle(game: &Game) -> Result<Board, Refusal> {
    if game.passing() == Passing::EndsGame {
        let message = "the oracle only supports games in which a side without a move passes";
        return Err(Refusal::bad("bad-rules", message));
    }
    let too_large = || Refusal::bad("bad-board", "exact values are known up to 8x8");
    game.board().small().ok_or_else(too_large)
}

/// The object of the schema `reversi.game/1`.
pub fn json(game: &Game) -> Json {
    let board = game.board();
    let moves: Vec<String> = game.moves().iter().chain(game.undone()).map(GameMove::to_string).collect();
    let legal: Vec<String> = game.legal_moves().iter().map(GameMove::to_string).collect();
    let mut object = json!({
        "schema": "reversi.game/1",
        "board": game.size().to_string(),
        "goal": game.rules().goal.name(),
        "scoring": game.rules().scoring.name(),
        "start": game.first_board().as_start().map(Start::name),
        "passing": game.passing() == Passing::Allowed,
        "first": game.first_board().to_string(),
        "moves": moves,
        "ply": game.moves().len(),
        "position": board.to_string(),
        "discs": {"black": board.count(Color::Black), "white": board.count(Color::White)},
        "legal": legal,
        "finished": game.is_over(),
    });
    if let Some(result) = game.result() {
        let winner = result.winner().map(Color::name);
        object["result"] =
            json!({"black": result.black, "white": result.white, "score": result.score, "winner": winner});
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Game, Refusal> {
        serde_json::from_str::<GameSpec>(text).unwrap().game()
    }

    #[test]
    fn a_game_is_written_as_it_is_read() {
        let game = read(r#"{"board":"4x4","goal":"reversed","start":"parallel","moves":"b1 a2","ply":1}"#);
        let object = json(&game.unwrap());
        assert_eq!(object["goal"], "reversed");
        assert_eq!(object["start"], "parallel");
        assert_eq!(object["moves"], json!(["b1", "a2"]));
        assert_eq!(object["ply"], 1);
        assert_eq!(object["discs"], json!({"black": 4, "white": 1}));
        assert_eq!(object["legal"], json!(["a2", "a4", "c4"]));
        assert_eq!(object["finished"], false);
    }

    #[test]
    fn passes_that_are_left_out_are_in_the_answer() {
        let game = read(r#"{"position":"XO-- ---- ---- ---- O","moves":["c1"]}"#).unwrap();
        let object = json(&game);
        assert_eq!(object["moves"], json!(["pa", "c1"]));
        assert_eq!(object["start"], Json::Null);
        assert_eq!(object["result"], json!({"black": 3, "white": 0, "score": 3, "winner": "black"}));
    }

    #[test]
    fn faults_are_named() {
        for (text, part) in [
            ("{}", "name the board"),
            (r#"{"board":"2x2"}"#, "outside the supported boards"),
            (r#"{"board":"4x4","goal":"both"}"#, "\"both\" is no goal; there are normal and reversed"),
            (r#"{"board":"4x4","moves":"a1"}"#, "move 1 \"a1\": turns no disc"),
            (r#"{"board":"4x4","position":"XXX X"}"#, "4x4 has 16 cells"),
            (r#"{"position":"-----OX--XO----- X\n-----OX--XO----- O"}"#, "several games or positions"),
            (
                r#"{"goal":"normal","position":"% goal=reversed\n-----OX--XO----- X"}"#,
                "\"position\" names the goal reversed, but \"goal\" is \"normal\"",
            ),
            (
                r#"{"scoring":"raw","position":"% scoring=winner\n-----OX--XO----- X"}"#,
                "names the scoring winner",
            ),
            (r#"{"start":"parallel","position":"-----OX--XO----- X"}"#, "does not apply"),
        ] {
            let refusal = read(text).unwrap_err().json();
            assert!(refusal["message"].as_str().unwrap().contains(part), "{text}: {refusal}");
        }
    }
}
