//! The four rule sets as types: the compiler generates one search for each.

use reversi_rules::{Goal, Rules, Scoring};

/// A rule set known at compile time: the value of a finished game, and which shortcuts are valid.
pub trait RuleSet: Copy + Default + Send + Sync + 'static {
    /// The rules as a value.
    const RULES: Rules;

    /// Whether the side with fewer discs wins.
    const REVERSED: bool = matches!(Self::RULES.goal, Goal::Reversed);

    /// Whether taking the opponent's last disc gives the maximum score, so that no other move can be better. False
    /// under the reversed goal, where it gives the minimum; false with raw scoring, where empty squares do not count
    /// and a longer game may give more discs.
    const WIPE_OUT_WINS: bool = !Self::REVERSED && matches!(Self::RULES.scoring, Scoring::Winner);

    /// The score of a finished game in discs for the player.
    #[inline(always)]
    fn finished(player: u32, opponent: u32, squares: u32) -> i32 {
        Self::RULES.discs(player, opponent, squares)
    }
}

#[derive(Clone, Copy, Default)]
pub struct NormalRaw;
#[derive(Clone, Copy, Default)]
pub struct NormalWinner;
#[derive(Clone, Copy, Default)]
pub struct ReversedRaw;
#[derive(Clone, Copy, Default)]
pub struct ReversedWinner;

impl RuleSet for NormalRaw {
    const RULES: Rules = Rules::new(Goal::Normal, Scoring::Raw);
}
impl RuleSet for NormalWinner {
    const RULES: Rules = Rules::new(Goal::Normal, Scoring::Winner);
}
impl RuleSet for ReversedRaw {
    const RULES: Rules = Rules::new(Goal::Reversed, Scoring::Raw);
}
impl RuleSet for ReversedWinner {
    const RULES: Rules = Rules::new(Goal::Reversed, Scoring::Winner);
}

/// Evaluates an expression with the type `$rule_set` for the rules value.
macro_rules! with_rule_set {
    ($rules:expr, $rule_set:ident => $body:expr) => {
        match ($rules.goal, $rules.scoring) {
            (reversi_rules::Goal::Normal, reversi_rules::Scoring::Raw) => {
                type $rule_set = crate::search::rule_set::NormalRaw;
                $body
            }
            (reversi_rules::Goal::Normal, reversi_rules::Scoring::Winner) => {
                type $rule_set = crate::search::rule_set::NormalWinner;
                $body
            }
            (reversi_rules::Goal::Reversed, reversi_rules::Scoring::Raw) => {
                type $rule_set = crate::search::rule_set::ReversedRaw;
                $body
            }
            (reversi_rules::Goal::Reversed, reversi_rules::Scoring::Winner) => {
                type $rule_set = crate::search::rule_set::ReversedWinner;
                $body
            }
        }
    };
}
pub(crate) use with_rule_set;
