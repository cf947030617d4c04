//! The four rule sets as types, so that the compiler makes one search for each of them.

use reversi_rules::{Goal, Rules, Scoring};

/// A rule set known at compile time: what a finished game is worth, and which shortcuts that allows.
pub trait RuleSet: Copy + Default + Send + Sync + 'static {
    /// The same as a value.
    const RULES: Rules;

    /// Whether fewer discs win.
    const REVERSED: bool = matches!(Self::RULES.goal, Goal::Reversed);

    /// Whether taking the opponent's last disc is the best result there is, so that nothing else
    /// need be looked at. Not so under the reversed goal, where it is the worst; nor with raw
    /// scoring, where the empty squares are not counted and a longer game may bring more.
    const WIPE_OUT_WINS: bool = !Self::REVERSED && matches!(Self::RULES.scoring, Scoring::Winner);

    /// The finished game in discs for the player.
    #[inline(always)]
    fn finished(player: u32, opponent: u32, squares: u32) -> i32 {
        Self::RULES.discs(player, opponent, squares)
    }

    /// The score of a full board, on which the player has so many discs.
    #[inline(always)]
    fn full(player: u32, squares: u32) -> i32 {
        let normal = 2 * player as i32 - squares as i32;
        if Self::REVERSED { -normal } else { normal }
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

/// Runs an expression with the type `$rule_set` standing for the rules value.
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
