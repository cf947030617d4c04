//! Openings from which either side may win: `--even`.

use crate::cli::Failure;
use crate::cli::games::EquipmentOptions;
use crate::engine::{Game, Limits, Player, PlayerError, Value, hints};
use crate::search::Stop;

/// Who says how even an opening is: it looks far enough to see what is wrong with random moves, and is quick.
const JUDGE: &str = "engine:level=6";

/// Picks openings that are near a draw.
pub struct Evenness {
    /// In discs.
    most: u32,
    judge: Box<dyn Player>,
    fault: Option<PlayerError>,
}

impl Evenness {
    /// For games that begin like this one.
    ///
    /// # Errors
    /// A board that the engine does not play on, or weights that cannot be used.
    pub fn new(most: u32, start: &Game, equipment: &EquipmentOptions) -> Result<Evenness, Failure> {
        let spec = JUDGE.parse().expect("the name of a player");
        let judge = equipment.build(&spec);
        judge.supports(start.size(), start.rules().goal).map_err(|fault| {
            Failure::usage("bad-opening", format!("--even: {fault}, so it cannot tell; leave the option out"))
        })?;
        equipment.check(&spec, start.size(), start.rules())?;
        Ok(Evenness { most, judge, fault: None })
    }

    /// Whether an opening is as near to a draw as asked for. After a fault all are, so that the search for more ends.
    pub fn accepts(&mut self, game: &Game, stop: &Stop) -> bool {
        match hints::judge(&mut *self.judge, game, &Limits::default(), stop) {
            Ok(info) => {
                info.value.and_then(Value::discs).is_some_and(|discs| discs.abs() <= f64::from(self.most))
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
                true
            }
        }
    }

    /// The openings, if there is one and the judge has had no trouble with them.
    ///
    /// # Errors
    /// Otherwise.
    pub fn check(self, openings: Vec<Game>, plies: u32) -> Result<Vec<Game>, Failure> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        if openings.is_empty() {
            let message = format!(
                "--even {}: no opening of {plies} moves is so near a draw; allow more discs, or change how long they are",
                self.most
            );
            return Err(Failure::usage("bad-opening", message));
        }
        Ok(openings)
    }
}
