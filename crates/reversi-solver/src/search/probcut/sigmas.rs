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
            [328, 308, 393, 336, 285, 275],
            [328, 308, 393, 336, 285, 275],
            [395, 324, 392, 366, 230, 238],
        ],
        end: [[373, 306], [446, 295], [609, 553], [812, 590]],
    },
    reversed: Sigmas {
        middle: [
            [184, 191, 262, 211, 212, 160],
            [184, 191, 262, 211, 212, 160],
            [77, 157, 169, 213, 196, 100],
        ],
        end: [[243, 227], [299, 307], [278, 215], [369, 203]],
    },
};

static FIVE_SIX: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [485, 407, 609, 529, 511, 362],
            [438, 400, 535, 513, 482, 458],
            [203, 204, 274, 278, 369, 499],
        ],
        end: [[573, 447], [665, 487], [724, 578], [753, 589]],
    },
    reversed: Sigmas {
        middle: [
            [294, 228, 315, 239, 198, 243],
            [180, 176, 209, 195, 172, 185],
            [134, 105, 138, 139, 144, 136],
        ],
        end: [[312, 259], [255, 254], [219, 182], [189, 168]],
    },
};

static FIVE_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [495, 445, 592, 510, 450, 462],
            [585, 509, 792, 609, 590, 471],
            [515, 476, 531, 553, 526, 555],
        ],
        end: [[629, 482], [660, 485], [770, 584], [842, 737]],
    },
    reversed: Sigmas {
        middle: [
            [258, 237, 265, 272, 250, 252],
            [187, 169, 216, 195, 192, 191],
            [117, 129, 166, 155, 140, 125],
        ],
        end: [[307, 303], [321, 282], [281, 287], [277, 273]],
    },
};

static FIVE_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [580, 539, 697, 663, 503, 469],
            [580, 513, 769, 727, 688, 690],
            [393, 364, 457, 461, 369, 379],
        ],
        end: [[652, 519], [798, 630], [833, 694], [1200, 901]],
    },
    reversed: Sigmas {
        middle: [
            [292, 242, 313, 313, 286, 269],
            [226, 205, 261, 239, 231, 237],
            [150, 114, 142, 136, 139, 134],
        ],
        end: [[430, 399], [366, 333], [360, 324], [363, 321]],
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
            [489, 484, 643, 626, 553, 458],
            [446, 426, 588, 502, 436, 460],
            [282, 259, 383, 349, 277, 244],
        ],
        end: [[797, 624], [806, 604], [797, 723], [876, 701]],
    },
    reversed: Sigmas {
        middle: [
            [240, 213, 318, 250, 262, 260],
            [197, 182, 235, 205, 183, 177],
            [103, 99, 124, 130, 126, 126],
        ],
        end: [[405, 369], [380, 321], [350, 317], [330, 268]],
    },
};

static SIX_EIGHT: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [644, 551, 771, 636, 571, 441],
            [411, 380, 550, 517, 489, 486],
            [184, 160, 194, 215, 190, 201],
        ],
        end: [[733, 573], [872, 698], [894, 741], [952, 765]],
    },
    reversed: Sigmas {
        middle: [
            [288, 260, 327, 333, 287, 281],
            [207, 191, 270, 220, 212, 190],
            [126, 111, 149, 149, 132, 120],
        ],
        end: [[465, 439], [411, 373], [402, 379], [404, 344]],
    },
};

static SEVEN_SEVEN: ByGoal = ByGoal {
    normal: Sigmas {
        middle: [
            [431, 433, 563, 539, 527, 532],
            [481, 416, 627, 498, 470, 438],
            [200, 234, 292, 270, 238, 208],
        ],
        end: [[808, 626], [871, 693], [868, 726], [986, 825]],
    },
    reversed: Sigmas {
        middle: [
            [253, 222, 308, 294, 264, 303],
            [210, 197, 253, 239, 221, 190],
            [150, 126, 157, 152, 148, 118],
        ],
        end: [[429, 400], [407, 363], [365, 330], [371, 323]],
    },
};
