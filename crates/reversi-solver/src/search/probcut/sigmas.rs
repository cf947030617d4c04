//! Measured standard deviations between shallow and deep searches, for each board and goal: the program's ProbCut
//! measurement with 300 positions.

use crate::search::probcut::Sigmas;
use reversi_rules::{Geometry, Goal};

/// The measured sigmas of a board, in either orientation; `None` for boards without.
pub(super) fn measured(geometry: Geometry, goal: Goal) -> Option<&'static Sigmas> {
    let upright = geometry.upright();
    let measured = match (upright.width(), upright.height()) {
        (5, 5) => &FIVE_FIVE,
        (5, 6) => &FIVE_SIX,
        (5, 7) => &FIVE_SEVEN,
        (5, 8) => &FIVE_EIGHT,
        (6, 6) => &SIX_SIX,
        (6, 7) => &SIX_SEVEN,
        (6, 8) => &SIX_EIGHT,
        (7, 7) => &SEVEN_SEVEN,
        (8, 8) => &EIGHT_EIGHT,
        _ => return None,
    };
    Some(match goal {
        Goal::Normal => &measured.normal,
        Goal::Reversed => &measured.reversed,
    })
}

/// The sigmas of a board under both goals.
struct ByGoal {
    normal: Sigmas,
    reversed: Sigmas,
}

static FIVE_FIVE: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static FIVE_SIX: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static FIVE_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static FIVE_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static SIX_SIX: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static SIX_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static SIX_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static SEVEN_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [413, 445, 533, 552, 432, 376],
            [448, 339, 544, 436, 411, 396],
            [206, 206, 293, 305, 248, 212],
        ],
        end: [[644, 481], [615, 541], [656, 558], [691, 571]],
    },
    reversed: Sigmas {
        middle: [
            [205, 187, 233, 243, 269, 236],
            [196, 166, 240, 220, 196, 198],
            [75, 86, 112, 124, 122, 114],
        ],
        end: [[408, 380], [343, 337], [289, 253], [289, 213]],
    },
};

static EIGHT_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [513, 424, 706, 574, 523, 494],
            [344, 312, 417, 375, 349, 340],
            [217, 196, 208, 222, 206, 161],
        ],
        end: [[802, 638], [827, 703], [862, 745], [939, 799]],
    },
    reversed: Sigmas {
        middle: [
            [292, 273, 333, 317, 292, 296],
            [194, 192, 233, 216, 197, 177],
            [125, 123, 151, 136, 147, 138],
        ],
        end: [[526, 524], [508, 469], [432, 391], [422, 393]],
    },
};
