//! Measured standard deviations between shallow and deep searches, for each board with weights but 8x8, which has finer
//! ones (`spreads.rs`), and each goal: the program's ProbCut measurement with 300 positions.

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
            [318, 298, 450, 478, 387, 366],
            [318, 298, 450, 478, 387, 366],
            [296, 250, 342, 393, 302, 326],
        ],
        end: [[344, 293], [501, 426], [387, 393], [488, 408]],
    },
    reversed: Sigmas {
        middle: [
            [199, 207, 229, 226, 227, 170],
            [199, 207, 229, 226, 227, 170],
            [50, 188, 167, 236, 195, 70],
        ],
        end: [[263, 210], [253, 240], [241, 171], [340, 218]],
    },
};

static FIVE_SIX: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [422, 441, 527, 495, 400, 460],
            [437, 419, 573, 550, 473, 447],
            [285, 265, 297, 319, 388, 505],
        ],
        end: [[552, 428], [613, 454], [532, 503], [556, 507]],
    },
    reversed: Sigmas {
        middle: [
            [265, 228, 290, 267, 225, 238],
            [191, 176, 195, 189, 197, 190],
            [114, 72, 140, 123, 138, 109],
        ],
        end: [[306, 265], [254, 234], [197, 193], [200, 172]],
    },
};

static FIVE_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [415, 360, 504, 427, 472, 457],
            [550, 481, 652, 563, 458, 451],
            [841, 736, 804, 661, 656, 824],
        ],
        end: [[675, 505], [573, 477], [622, 540], [659, 576]],
    },
    reversed: Sigmas {
        middle: [
            [267, 264, 264, 332, 368, 360],
            [201, 182, 243, 210, 186, 185],
            [133, 129, 163, 184, 159, 123],
        ],
        end: [[482, 474], [330, 310], [280, 247], [271, 262]],
    },
};

static FIVE_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [607, 485, 692, 549, 488, 498],
            [657, 639, 745, 765, 597, 573],
            [602, 532, 652, 598, 479, 482],
        ],
        end: [[673, 520], [699, 552], [713, 607], [844, 612]],
    },
    reversed: Sigmas {
        middle: [
            [255, 231, 311, 259, 291, 231],
            [223, 194, 261, 229, 223, 217],
            [175, 141, 149, 149, 182, 145],
        ],
        end: [[434, 406], [345, 302], [359, 321], [317, 275]],
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
            [548, 485, 645, 573, 470, 426],
            [519, 460, 631, 558, 490, 448],
            [361, 287, 418, 355, 314, 314],
        ],
        end: [[648, 515], [635, 509], [765, 553], [687, 569]],
    },
    reversed: Sigmas {
        middle: [
            [262, 239, 293, 299, 295, 289],
            [192, 177, 246, 208, 187, 177],
            [122, 105, 158, 129, 123, 132],
        ],
        end: [[404, 365], [356, 315], [313, 288], [284, 265]],
    },
};

static SIX_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [649, 515, 754, 625, 601, 566],
            [568, 491, 672, 567, 545, 497],
            [295, 311, 368, 337, 318, 362],
        ],
        end: [[692, 567], [735, 571], [822, 695], [769, 642]],
    },
    reversed: Sigmas {
        middle: [
            [325, 256, 371, 312, 288, 300],
            [207, 183, 249, 227, 198, 188],
            [146, 131, 155, 120, 123, 133],
        ],
        end: [[452, 437], [426, 386], [382, 334], [359, 335]],
    },
};

static SEVEN_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [623, 509, 707, 591, 481, 502],
            [555, 529, 669, 644, 536, 489],
            [387, 397, 492, 475, 384, 370],
        ],
        end: [[748, 602], [749, 629], [832, 677], [852, 609]],
    },
    reversed: Sigmas {
        middle: [
            [261, 259, 309, 315, 282, 271],
            [223, 207, 276, 247, 235, 227],
            [169, 145, 212, 183, 161, 134],
        ],
        end: [[429, 400], [369, 328], [360, 324], [353, 308]],
    },
};
