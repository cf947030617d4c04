//! The results of a review, in words and as JSON.

use crate::cli::Exit;
use crate::cli::common::Output;
use crate::cli::print::print_line;
use reversi_engine::protocol::one_line;
use reversi_engine::review::Reviewed;
use reversi_engine::{Game, GameMove};
use reversi_rules::{Color, Passing};
use serde_json::{Value as Json, json};

/// What a move gave away; `None` if that is nothing, or too little for an estimate to mean anything.
fn told_loss(reviewed: &Reviewed) -> Option<f64> {
    const LEAST_TOLD_LOSS: f64 = 0.5;
    let least = if reviewed.is_proved { 0.0 } else { LEAST_TOLD_LOSS };
    Some(reviewed.lost()).filter(|&lost| lost > least)
}

/// Whole discs where they are proved, else two decimals.
fn discs(lost: f64, is_proved: bool) -> String {
    let decimals = if is_proved { 0 } else { 2 };
    format!("{lost:.decimals$}")
}

/// Number of moves that are no passes.
fn discs_put_down(moves: &[GameMove]) -> usize {
    moves.iter().filter(|mv| **mv != GameMove::Pass).count()
}

/// A reviewed game, perhaps not back to its first move.
pub struct Looked {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Who played Black and who White, if known.
    pub players: [String; 2],
    pub game: Game,
    /// The discs of Black at the end of perfect play, where the file says so.
    pub theoretical: Option<u8>,
    /// Discs put down before the players chose their moves: these moves count for neither player.
    pub opening: u32,
    pub judge: String,
    pub found: Vec<Reviewed>,
}

impl Looked {
    pub fn is_whole(&self) -> bool {
        self.found.len() == self.game.moves().len()
    }

    pub fn exit(&self) -> Exit {
        if self.is_whole() { Exit::Done } else { Exit::Interrupted }
    }

    pub fn is_in_discs(&self) -> bool {
        let values = self.found.iter().flat_map(|reviewed| [reviewed.value, reviewed.best_value]);
        values.into_iter().all(|value| value.discs().is_some())
    }

    fn is_proved(&self) -> bool {
        self.found.iter().all(|reviewed| reviewed.is_proved)
    }

    /// The name of a side's player, or the side where there is none.
    fn player(&self, side: Color) -> String {
        let name = &self.players[side as usize];
        if name.is_empty() { side.symbol().to_string() } else { name.clone() }
    }

    /// Which of several games this is.
    pub fn title(&self) -> String {
        match self.has_names() {
            false => format!("Game {}", self.number),
            true => {
                let [black, white] = [Color::Black, Color::White].map(|side| shown(&self.player(side)));
                format!("Game {}: {black} (X) against {white} (O)", self.number)
            }
        }
    }

    /// Whether a player is named.
    pub fn has_names(&self) -> bool {
        self.players.iter().any(|name| !name.is_empty())
    }

    /// The reviewed moves that a side has chosen, without forced passes.
    fn of(&self, side: Color) -> impl Iterator<Item = &Reviewed> {
        let is_its = move |reviewed: &&Reviewed| reviewed.side == side && reviewed.played != GameMove::Pass;
        self.found.iter().filter(is_its).filter(|reviewed| self.is_chosen(reviewed.number))
    }

    /// Whether the opening was over before the move of this number.
    fn is_chosen(&self, number: usize) -> bool {
        discs_put_down(&self.game.moves()[..number - 1]) >= self.opening as usize
    }

    /// Sum of what a side gave away, as far as known. Folded, because the sum of nothing would be a negative zero.
    fn lost(&self, side: Color) -> f64 {
        self.of(side).filter_map(told_loss).fold(0.0, |sum, lost| sum + lost)
    }

    /// Number of moves that gave something away, as far as known.
    fn errors(&self, side: Color) -> usize {
        self.of(side).filter_map(told_loss).count()
    }

    pub fn text(&self) -> String {
        let (size, rules) = (self.game.size(), self.game.rules());
        let mut text =
            format!("{size}, {} goal, {} scoring, judged by {}\n\n", rules.goal, rules.scoring, self.judge);
        if let Some(black) = self.theoretical {
            let white = size.square_count().saturating_sub(black.into());
            text += &format!("the file says that perfect play ends {black}-{white}\n\n");
        }
        text += "  no  side  move   value  better  value   lost\n";
        for reviewed in &self.found {
            text += &line(reviewed);
        }
        if !self.is_whole() {
            let left = self.game.moves().len() - self.found.len();
            text += &format!(
                "interrupted: the first {left} of {} moves were not looked at\n",
                self.game.moves().len()
            );
        }
        text += &self.opening_in_words();
        let is_proved = self.is_proved();
        for side in [Color::Black, Color::White] {
            let (lost, errors) = (discs(self.lost(side), is_proved), self.errors(side));
            let moves = self.of(side).count();
            text += &format!("{} gave away {lost} discs, with {errors} of {moves} moves\n", side.symbol());
        }
        if !is_proved {
            text += "whole numbers are proved, all others are estimates; estimated losses of half a disc or less \
                     do not count\n";
        }
        text
    }

    /// Which moves count for neither side.
    fn opening_in_words(&self) -> String {
        let moves = |count| if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
        let (opening, of_game) = (self.opening as usize, discs_put_down(self.game.moves()));
        match opening {
            0 => String::new(),
            _ if opening >= of_game => format!(
                "no move counts for either side: the opening has {}, the game {}\n",
                moves(opening),
                moves(of_game)
            ),
            1 => "the opening, the first move, counts for neither side\n".to_owned(),
            _ => format!("the opening, the first {}, counts for neither side\n", moves(opening)),
        }
    }

    /// The object of the schema `reversi.review/1`.
    pub fn json(&self) -> Json {
        let moves: Vec<Json> = self.found.iter().map(move_json).collect();
        let Looked { game, judge, players: [black, white], .. } = self;
        let mut json = json!({"schema": "reversi.review/1", "board": game.size().to_string(),
            "goal": game.rules().goal.name(), "scoring": game.rules().scoring.name(),
            "passing": game.passing() == Passing::Allowed, "opening": self.opening,
            "first": game.first_board().to_string(), "players": {"X": black, "O": white}, "judge": judge,
            "interrupted": !self.is_whole(), "moves": moves,
            "lost": {"X": self.lost(Color::Black), "O": self.lost(Color::White)}});
        if let Some(black) = self.theoretical {
            let white = game.size().square_count().saturating_sub(black.into());
            json["theoretical"] = json!({"X": black, "O": white});
        }
        of_game(self.number, json)
    }
}

fn line(reviewed: &Reviewed) -> String {
    let &Reviewed { number, side, played, value, best, ref all_best, best_value, is_proved } = reviewed;
    let line = format!("{number:>4}  {:<4}  {played:<4} {value:>7}", side.symbol());
    match told_loss(reviewed) {
        None => line + "\n",
        Some(lost) => {
            let others: Vec<String> =
                all_best.iter().filter(|mv| **mv != best).map(GameMove::to_string).collect();
            let also = if others.is_empty() { String::new() } else { format!("  or {}", others.join(" ")) };
            format!("{line}  {best:<4} {best_value:>7} {:>6}{also}\n", discs(lost, is_proved))
        }
    }
}

fn move_json(reviewed: &Reviewed) -> Json {
    // If nothing was better, this is the move that was played.
    let all_best: Vec<String> = match told_loss(reviewed) {
        None => vec![reviewed.best.to_string()],
        Some(_) => reviewed.all_best.iter().map(GameMove::to_string).collect(),
    };
    json!({"number": reviewed.number, "side": reviewed.side.symbol().to_string(),
        "move": reviewed.played.to_string(), "value": reviewed.value.number(),
        "exact": reviewed.value.is_exact(), "best": reviewed.best.to_string(),
        "all_best": all_best, "best_value": reviewed.best_value.number(), "best_exact": reviewed.best_value.is_exact(),
        "proved": reviewed.is_proved, "lost": told_loss(reviewed).unwrap_or(0.0)})
}

/// A player's name as it is shown in a line.
fn shown(player: &str) -> String {
    const NAME_LENGTH: usize = 60;
    one_line(player, NAME_LENGTH)
}

/// The JSON of a game, with its number.
pub fn of_game(number: usize, mut said: Json) -> Json {
    said["game"] = number.into();
    said
}

/// What each player has given away in all games so far; the players are in order of appearance.
#[derive(Default)]
pub struct Players {
    sums: Vec<Sum>,
    /// Whether some games were not reviewed.
    pub is_interrupted: bool,
}

struct Sum {
    player: String,
    games: usize,
    moves: usize,
    errors: usize,
    lost: f64,
    is_proved: bool,
}

impl Players {
    /// Adds a game, as far as it was reviewed.
    pub fn add(&mut self, looked: &Looked) {
        self.is_interrupted |= !looked.is_whole();
        let names = [Color::Black, Color::White].map(|side| looked.player(side));
        for side in [Color::Black, Color::White] {
            let is_with_itself = names[0] == names[1];
            let sum = self.sum(&names[side as usize]);
            sum.games += usize::from(side == Color::Black || !is_with_itself);
            sum.moves += looked.of(side).count();
            sum.errors += looked.errors(side);
            sum.lost += looked.lost(side);
            sum.is_proved &= looked.is_proved();
        }
    }

    fn sum(&mut self, player: &str) -> &mut Sum {
        let place = self.sums.iter().position(|sum| sum.player == player).unwrap_or_else(|| {
            let player = player.to_owned();
            self.sums.push(Sum { player, games: 0, moves: 0, errors: 0, lost: 0.0, is_proved: true });
            self.sums.len() - 1
        });
        &mut self.sums[place]
    }

    /// A line for each player; nothing where there is none.
    fn text(&self) -> String {
        let names: Vec<String> = self.sums.iter().map(|sum| shown(&sum.player)).collect();
        let Some(longest) = names.iter().map(|name| name.chars().count()).max() else {
            return String::new();
        };
        let width = longest.max("player".len());
        let mut text = format!("{:width$}  games  moves  mistakes  discs lost  a move\n", "player");
        for (player, Sum { games, moves, errors, lost, is_proved, .. }) in names.iter().zip(&self.sums) {
            let (discs, each) = (discs(*lost, *is_proved), lost / (*moves).max(1) as f64);
            text +=
                &format!("{player:width$}  {games:>5}  {moves:>5}  {errors:>8}  {discs:>10}  {each:>6.2}\n");
        }
        if self.is_interrupted {
            text += "interrupted: not all moves of all games were looked at\n";
        }
        text
    }

    /// Prints the sums; as text only if there is something to report.
    pub fn print(&self, output: Output) {
        let text = self.text();
        match output.json {
            true => print_line(self.json()),
            false if text.is_empty() => {}
            false => print_line(text.trim_end()),
        }
    }

    /// The object of the schema `reversi.review-sums/1`.
    fn json(&self) -> Json {
        let sums = self.sums.iter().map(|Sum { player, games, moves, errors, lost, .. }| {
            json!({"player": player, "games": games, "moves": moves, "mistakes": errors, "lost": lost})
        });
        json!({"schema": "reversi.review-sums/1", "interrupted": self.is_interrupted,
            "players": sums.collect::<Vec<_>>()})
    }
}
