//! Measured standard deviations between shallow and deep searches, for each board and goal: the program's ProbCut
//! measurement with 300 positions.

use crate::search::probcut::Sigmas;

pub(crate) static SIX_NORMAL: Sigmas = Sigmas {
    middle: [[413, 445, 533, 552, 432, 376], [448, 339, 544, 436, 411, 396], [206, 206, 293, 305, 248, 212]],
    end: [[644, 481], [615, 541], [656, 558], [691, 571]],
};

pub(crate) static SIX_REVERSED: Sigmas = Sigmas {
    middle: [[205, 187, 233, 243, 269, 236], [196, 166, 240, 220, 196, 198], [75, 86, 112, 124, 122, 114]],
    end: [[408, 380], [343, 337], [289, 253], [289, 213]],
};

pub(crate) static EIGHT_NORMAL: Sigmas = Sigmas {
    middle: [[513, 424, 706, 574, 523, 494], [344, 312, 417, 375, 349, 340], [217, 196, 208, 222, 206, 161]],
    end: [[802, 638], [827, 703], [862, 745], [939, 799]],
};

pub(crate) static EIGHT_REVERSED: Sigmas = Sigmas {
    middle: [[292, 273, 333, 317, 292, 296], [194, 192, 233, 216, 197, 177], [125, 123, 151, 136, 147, 138]],
    end: [[526, 524], [508, 469], [432, 391], [422, 393]],
};
