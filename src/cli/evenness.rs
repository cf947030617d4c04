//! Openings from which either side may win: `--even` of a match, and `reversi openings`.

use crate::cli::Failure;
use crate::cli::games::ResourceOptions;
use reversi_engine::book::Books;
use reversi_engine::{Game, Limits, Player, PlayerSpec, Resources, Value, hints};
use reversi_solver::search::Stop;

/// The player that judges how even an opening of a match is: quick, and deep enough to see what is wrong with random
/// moves.
pub const QUICK_JUDGE: &str = "engine:level=6";

/// Picks openings that are near a draw.
pub struct Evenness {
    /// Largest distance from a draw, in discs.
    most: u32,
    judge: Box<dyn Player>,
    /// Advice if the judge cannot tell.
    way_out: &'static str,
    /// Openings looked at.
    judged: usize,
    fault: Option<Failure>,
}

impl Evenness {
    /// Picks openings for games that begin like this one. The judge has one thread and little memory whatever the
    /// players have, so that the same openings are picked.
    ///
    /// # Errors
    /// A board that the judge does not play on, or weights that cannot be used.
    pub fn new(
        most: u32,
        judge: &PlayerSpec,
        start: &Game,
        options: &ResourceOptions,
        way_out: &'static str,
    ) -> Result<Evenness, Failure> {
        options.check(judge, start.size(), start.rules())?;
        let judge = judge.build(
            &Resources { memory_bytes: 16 << 20, threads: 1, books: Books::default(), ..options.resources() },
            0,
        );
        judge.supports(start.size(), start.passing()).map_err(|fault| {
            let message = format!("{fault}, so it cannot tell how even an opening is: {way_out}");
            Failure::usage("bad-opening", message)
        })?;
        Ok(Evenness { most, judge, way_out, judged: 0, fault: None })
    }

    /// Whether an opening is as near to a draw as requested, in whole discs; the answer does not depend on earlier
    /// questions. After a fault every opening is accepted, so that the search for more ends.
    pub fn accepts(&mut self, game: &Game, stop: &Stop) -> bool {
        if self.fault.is_some() {
            return true;
        }
        self.judged += 1;
        self.judge.new_game(0);
        match hints::evaluate(&mut *self.judge, game, &Limits::default(), stop) {
            Ok(info) => match info.value.and_then(Value::discs) {
                Some(discs) => discs.abs().round() <= f64::from(self.most),
                None if stop.is_set() => false,
                None => {
                    let message = format!(
                        "{} does not value positions in discs, so it cannot tell how even an opening is: {}",
                        self.judge.name(),
                        self.way_out
                    );
                    self.fault = Some(Failure::usage("bad-opening", message));
                    true
                }
            },
            Err(fault) => {
                self.fault = Some(Failure::of_kind(fault.kind(), format!("--even {}: {fault}", self.most)));
                true
            }
        }
    }

    /// Checks that the openings can be used.
    ///
    /// # Errors
    /// The judge failed, or it accepted no opening.
    pub fn check(self, openings: &[Game]) -> Result<(), Failure> {
        let Evenness { most, judged, .. } = self;
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if openings.is_empty() && judged > 0 {
            let message = format!(
                "--even {most}: none of the {judged} openings examined is that near a draw; allow more discs, or ask for other openings"
            );
            return Err(Failure::usage("bad-opening", message));
        }
        Ok(())
    }
}
