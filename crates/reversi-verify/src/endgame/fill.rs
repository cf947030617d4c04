//! Legal moves of the endgame search: fills along the eight directions by generate and propagate (Kogge and Stone), on
//! the rows with guard columns of [`super::layout`].
//!
//! A fill starts from the own discs and goes on as long as discs of the other side follow. Four directions go up in
//! bits and four go down; the four of a kind stand in one array, which a compiler turns into vector instructions. Runs
//! have at most six discs, the longest side of a board being eight: 1 + 1 + 2 + 2 steps. A board of six columns has at
//! most six rows, so that runs of four are the longest: 1 + 1 + 2 steps.

/// A word for each of the four directions of a kind: along the row, the two diagonals, the column.
type Four = [u64; 4];

/// How far the next square is along each of the four lines, on a board of stride `S`.
const fn steps<const S: u32>() -> [u32; 4] {
    [1, S - 1, S, S + 1]
}

#[inline(always)]
fn up<const S: u32>(bits: Four, times: u32) -> Four {
    let steps = steps::<S>();
    std::array::from_fn(|line| bits[line] << (steps[line] * times))
}

#[inline(always)]
fn down<const S: u32>(bits: Four, times: u32) -> Four {
    let steps = steps::<S>();
    std::array::from_fn(|line| bits[line] >> (steps[line] * times))
}

#[inline(always)]
fn and(one: Four, other: Four) -> Four {
    std::array::from_fn(|line| one[line] & other[line])
}

#[inline(always)]
fn or(one: Four, other: Four) -> Four {
    std::array::from_fn(|line| one[line] | other[line])
}

#[inline(always)]
fn any(bits: Four) -> u64 {
    (bits[0] | bits[1]) | (bits[2] | bits[3])
}

/// The discs of `other` that are reached from `from` without a gap, in the directions up and down.
#[inline(always)]
fn fill<const S: u32>(from: u64, other: u64) -> (Four, Four) {
    let (from, other) = ([from; 4], [other; 4]);
    let mut rising = and(up::<S>(from, 1), other);
    let mut falling = and(down::<S>(from, 1), other);
    rising = or(rising, and(up::<S>(rising, 1), other));
    falling = or(falling, and(down::<S>(falling, 1), other));
    let pairs_up = and(up::<S>(other, 1), other);
    let pairs_down = and(down::<S>(other, 1), other);
    let doubled = if S == 7 { 1 } else { 2 };
    for _ in 0..doubled {
        rising = or(rising, and(up::<S>(rising, 2), pairs_up));
        falling = or(falling, and(down::<S>(falling, 2), pairs_down));
    }
    (rising, falling)
}

/// The legal moves: empty squares next to a run of `other` that begins at a disc of `own`.
#[inline(always)]
pub(super) fn moves<const S: u32>(own: u64, other: u64, empties: u64) -> u64 {
    let (rising, falling) = fill::<S>(own, other);
    any(or(up::<S>(rising, 1), down::<S>(falling, 1))) & empties
}

/// All squares that touch one of `discs`; also some of `discs` and guard bits.
#[inline(always)]
pub(super) fn around<const S: u32>(discs: u64) -> u64 {
    let rows = discs | discs << 1 | discs >> 1;
    rows | rows << S | rows >> S
}
