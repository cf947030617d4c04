//! The result of a match, in words, as JSON, and as files of games.

use super::{Match, Results, games};
use crate::cli::Failure;
use crate::cli::columns::{self, Sheet};
use crate::cli::common::Output;
use crate::cli::games::{after_moves, games_in_words, shared_opening_plies};
use crate::cli::lab::files::{Lines, Printed};
use crate::cli::print::print_remark;
use crate::cli::saved::Format;
use reversi_engine::{Clock, Game};
use reversi_lab::arena::duel::Effort;
use reversi_lab::arena::pentanomial::PairsRow;
use reversi_lab::arena::sprt::{Hypothesis, SprtRow};
use reversi_lab::arena::tally::{Faults, Outcomes};
use reversi_lab::arena::{Contest, GameReport, Tally};
use reversi_rules::{Color, Passing, Start};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::Path;

/// The sums over the games of a match.
pub(super) struct Report<'a> {
    asked: &'a Match,
    contest: &'a Contest,
    results: &'a Results,
    tally: Tally,
    interrupted: bool,
}

impl<'a> Report<'a> {
    pub fn new(
        asked: &'a Match,
        contest: &'a Contest,
        results: &'a Results,
        interrupted: bool,
    ) -> Report<'a> {
        Report { asked, contest, results, tally: Tally::of(&results.games), interrupted }
    }

    fn opening(&self) -> &Game {
        &self.contest.openings[0]
    }

    fn pairs(&self) -> PairsRow {
        self.results.pairs.counts().row()
    }

    fn sprt(&self) -> Option<SprtRow> {
        self.contest.stop_rule.map(|rule| rule.row(&self.results.pairs.counts()))
    }

    /// The pairs, and what the stop rule says of them.
    fn pairs_in_words(&self) -> String {
        let first = || self.results.names[0].clone();
        let mut text = Sheet::of("pairs of games", [(first(), self.pairs())]).text();
        if let Some(row) = self.sprt() {
            let verdict = match row.accepted {
                Some(Hypothesis::First) => {
                    format!("a difference of {} Elo points fits better than one of {}", row.elo0, row.elo1)
                }
                Some(Hypothesis::Second) => {
                    format!("a difference of {} Elo points fits better than one of {}", row.elo1, row.elo0)
                }
                None => "undecided".to_owned(),
            };
            text += &Sheet::of("stop rule", [(first(), row)]).text();
            let _ = writeln!(text, "{}: {verdict}", first());
        }
        text
    }
}

impl Printed for Report<'_> {
    fn text(&self) -> String {
        let [first, second] = &self.results.names;
        let all = self.tally.all;
        let mut text = format!("{first} against {second}, {}\n", self.conditions());
        if self.interrupted {
            let _ = writeln!(text, "interrupted after {} of {} games", all.games(), self.contest.games);
        }
        let _ = writeln!(text, "{first}: {}", in_words(all));
        let _ = writeln!(text, "  as Black {}", in_words(self.tally.as_black));
        let _ = writeln!(text, "  as White {}", in_words(self.tally.as_white));
        if let Some(discs) = self.tally.disc_balance() {
            let _ = writeln!(text, "  {discs:+.2} discs a game");
        }
        if let Some(elo) = self.tally.elo() {
            let _ = writeln!(
                text,
                "  Elo difference {:+.0}, with 95 % certainty {:+.0} to {:+.0} by {} different games of {}",
                elo.difference,
                elo.low,
                elo.high,
                self.tally.different,
                all.games()
            );
        }
        if self.results.pairs.counts().pairs() > 0 {
            text += &self.pairs_in_words();
        }
        for ((name, (effort, tells_nodes)), faults) in
            self.results.names.iter().zip(self.efforts()).zip(self.tally.faults)
        {
            let effort = effort_in_words(effort, tells_nodes, all.games());
            let _ = writeln!(text, "{name}: {effort}{}", faults_in_words(faults, self.contest.time));
        }
        for game in &self.results.games {
            if let Some((loser, fault)) = game.duel.forfeit() {
                let after = after_moves(&game.duel.game.transcript());
                let (number, name) = (game.number + 1, self.name_of(game, loser));
                let _ = writeln!(text, "game {number}: {name} loses: {fault}{after}");
            }
        }
        text.trim_end().to_owned()
    }

    fn json(&self) -> Json {
        let game = self.opening();
        let (per_move, per_game) = match self.contest.time {
            Clock::None => (None, None),
            Clock::PerMove(time) => (Some(time.as_secs_f64()), None),
            Clock::Game { left, .. } => (None, Some(left.as_secs_f64())),
        };
        json!({
            "schema": "reversi.match/1",
            "players": self.results.names,
            "board": game.size().to_string(),
            "goal": game.rules().goal.name(),
            "scoring": game.rules().scoring.name(),
            "start": game.first_board().as_start().map(Start::name),
            "passing": game.passing() == Passing::Allowed,
            "seed": self.contest.seed,
            "openings": {
                "kind": if self.asked.random_openings.is_some() { "random" } else { self.asked.openings.kind() },
                "plies": shared_opening_plies(&self.contest.openings),
                "even": self.asked.even,
                "count": self.contest.openings.len(),
            },
            "seconds_per_move": per_move,
            "seconds_per_game": per_game,
            "games_asked": self.contest.games,
            "games": self.tally.all.games(),
            "different_games": self.tally.different,
            "interrupted": self.interrupted,
            "wins": self.tally.all.wins,
            "draws": self.tally.all.draws,
            "losses": self.tally.all.losses,
            "share": self.tally.all.share(),
            "as_black": self.tally.as_black,
            "as_white": self.tally.as_white,
            "disc_balance": self.tally.disc_balance(),
            "elo": self.tally.elo(),
            "pairs": columns::json(&self.pairs()),
            "sprt": self.sprt().map(|row| columns::json(&row)),
            "effort": self.efforts().map(|(effort, tells_nodes)| effort.row(tells_nodes)),
            "faults": self.tally.faults,
            "forfeits": self.results.games.iter().filter_map(|game| self.forfeit_json(game)).collect::<Vec<_>>(),
        })
    }

    /// One line: the players, the pairs, and the stop rule if there is one.
    fn lines(&self) -> Lines {
        let names =
            ["first", "second"].map(str::to_owned).into_iter().chain(columns::csv_names::<PairsRow>());
        let cells = self.results.names.clone().into_iter().chain(columns::csv_cells(&self.pairs()));
        let (mut names, mut cells): (Vec<_>, Vec<_>) = (names.collect(), cells.collect());
        if let Some(row) = self.sprt() {
            names.extend(columns::csv_names::<SprtRow>());
            cells.extend(columns::csv_cells(&row));
        }
        Lines { names, lines: vec![cells] }
    }
}

impl Report<'_> {
    /// The cost of the games for each player, and whether it has reported how many positions it visited.
    fn efforts(&self) -> [(Effort, bool); 2] {
        [0, 1].map(|side| (self.tally.efforts[side], self.contest.contestants[side].tells_nodes()))
    }

    fn conditions(&self) -> String {
        let time = match self.contest.time {
            Clock::None => String::new(),
            Clock::PerMove(time) => format!(", {} s a move", time.as_secs_f64()),
            Clock::Game { left, .. } => format!(", {} s a game", left.as_secs_f64()),
        };
        let openings = self.contest.openings.len();
        let near = self.asked.even.map_or(String::new(), |most| format!(" within {most} discs of a draw"));
        let s = |count| if count == 1 { "" } else { "s" };
        // Ctrl-C or the test of --sprt may have ended the match earlier.
        let played = self.results.games.len();
        let of_games = match self.contest.games {
            asked if asked == played => format!("{played} game{}", s(played)),
            asked => format!("{played} of {asked} games"),
        };
        format!(
            "{}{time}, {of_games} from {openings} opening{}{near}, seed {}",
            games_in_words(self.opening()),
            s(openings),
            self.contest.seed
        )
    }

    fn name_of(&self, game: &GameReport, color: Color) -> &str {
        &self.results.names[usize::from(color != game.color_of_first())]
    }

    /// Whether a player has failed: an illegal move, or no answer.
    pub fn has_failures(&self) -> bool {
        self.tally.faults.iter().any(|faults| faults.failures(self.contest.time) > 0)
    }

    /// Writes the games in order, and returns whether the file was written. Without a game the file stays as it is.
    pub fn save(&self, path: &Path, output: Output) -> Result<bool, Failure> {
        games::save(path, &self.results.names, &self.results.games)?;
        self.tell_loss(path, output);
        Ok(!self.results.games.is_empty())
    }

    /// Says what the file does not keep of the games.
    fn tell_loss(&self, path: &Path, output: Output) {
        let first = self.results.games.first().map(|game| games::record(&self.results.names, game));
        if let Some(loss) = Format::of(path).loss(&first).filter(|_| !output.quiet) {
            print_remark(format_args!("--save {}: {loss}", path.display()));
        }
    }

    fn forfeit_json(&self, game: &GameReport) -> Option<Json> {
        let (loser, fault) = game.duel.forfeit()?;
        Some(json!({
            "game": game.number + 1,
            "loser": self.name_of(game, loser),
            "reason": fault.to_string(),
            "moves": game.duel.game.transcript(),
        }))
    }
}

fn in_words(outcomes: Outcomes) -> String {
    let Outcomes { wins, draws, losses } = outcomes;
    let share =
        outcomes.share().map_or(String::new(), |share| format!(", {:.1} % of the points", 100.0 * share));
    format!("{wins} won, {draws} drawn, {losses} lost{share}")
}

/// Games lost other than on the board, those by a failure first.
fn faults_in_words(faults: Faults, time: Clock) -> String {
    let Faults { illegal, late, failed, resigned } = faults;
    let failures = faults.failures(time);
    let head = (failures > 0).then(|| format!("; FAILED in {failures} of its games"));
    let kinds =
        [(illegal, "illegal moves"), (failed, "no move"), (late, "out of time"), (resigned, "resigned")];
    let kinds =
        kinds.into_iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("; {kind} {count}"));
    head.into_iter().chain(kinds).collect()
}

fn effort_in_words(effort: Effort, tells_nodes: bool, games: u64) -> String {
    let seconds = effort.time.as_secs_f64();
    let nodes = effort.nodes as f64 / effort.moves.max(1) as f64;
    format!(
        "{:.3} s a game, {}longest move {:.3} s",
        seconds / games.max(1) as f64,
        if tells_nodes { format!("{nodes:.0} nodes a move, ") } else { String::new() },
        effort.longest.as_secs_f64()
    )
}
