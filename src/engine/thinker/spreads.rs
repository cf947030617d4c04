//! How far shallow searches lie from deep ones: what `reversi bench cuts --positions 300` printed for each board and goal.

use super::cuts::Spreads;

pub(super) static SIX_NORMAL: Spreads = Spreads {
    middle: [[421, 421, 540, 534, 426, 397], [449, 343, 546, 438, 414, 394], [207, 204, 290, 307, 246, 213]],
    end: [[657, 476], [639, 558], [655, 546], [682, 574]],
};

pub(super) static SIX_REVERSED: Spreads = Spreads {
    middle: [[211, 205, 290, 258, 228, 237], [191, 165, 214, 190, 167, 167], [121, 137, 128, 159, 115, 116]],
    end: [[349, 327], [287, 262], [269, 242], [291, 222]],
};

pub(super) static EIGHT_NORMAL: Spreads = Spreads {
    middle: [[550, 428, 653, 582, 549, 518], [403, 391, 527, 474, 442, 393], [276, 299, 307, 323, 304, 230]],
    end: [[844, 686], [793, 686], [867, 695], [863, 702]],
};

pub(super) static EIGHT_REVERSED: Spreads = Spreads {
    middle: [[275, 259, 355, 326, 338, 272], [220, 212, 273, 233, 211, 213], [159, 149, 157, 160, 192, 158]],
    end: [[512, 480], [510, 454], [463, 432], [442, 404]],
};
