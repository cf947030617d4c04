//! Mutations of a table, consistent with every equation and with right checksums, against the whole verification: a wrong
//! end and a wrong move at an end are found always, a value wrong on the unproved side with the probability of the sample.

use crate::common::region::{self, Truth, failures, truth};
use reversi::rules::{Board, Geometry, Goal, Move, Rules, Scoring, Start};
use reversi::table::{Contents, RawEntry, Region, Table, key, to_bytes};
use reversi::verify::whole::{Coverage, Sampling, Whole};
use reversi::verify::{Tally, Verdict};
use std::collections::{BTreeMap, HashMap};

const GEOMETRY: Geometry = Geometry::FOUR;
const RULES: Rules = Rules::new(Goal::Normal, Scoring::Raw);
const DOWN_TO: u8 = 6;
const ALL: Sampling = Sampling { prefix: usize::MAX, walk: usize::MAX, seed: 1, nodes: u64::MAX };
const ENDS_ONLY: Sampling = Sampling { prefix: 0, walk: 0, ..ALL };

fn contents() -> Contents {
    let roots = vec![Board::start(GEOMETRY, Start::Diagonal).position()];
    let region = Region::SemiStrong { prefix: 2, down_to: DOWN_TO };
    Contents { geometry: GEOMETRY, rules: RULES, roots, region }
}

fn table(entries: &[RawEntry]) -> Table {
    Table::from_vec(to_bytes(contents(), entries.iter().copied()).unwrap()).unwrap()
}

/// Every check without a search must pass; what the searches of each class found.
fn searched(entries: &[RawEntry], sampling: Sampling) -> BTreeMap<String, Tally> {
    let (report, whole) = Whole::prepare(table(entries).raw(), sampling, |_| {});
    assert_eq!(report.verdict(), Verdict::Sound, "{:?}", failures(&report));
    let whole = whole.unwrap();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for chunk in whole.chunks() {
        let name = whole.classes()[chunk.class].name.clone();
        let tally = tallies.remove(&name).unwrap_or_default().merge(whole.search(&chunk));
        tallies.insert(name, tally);
    }
    tallies
}

/// The classes in which something is wrong, with how much.
fn wrong(entries: &[RawEntry], sampling: Sampling) -> Vec<(String, u64)> {
    let tallies = searched(entries, sampling).into_iter();
    tallies.filter(|(_, tally)| tally.wrong > 0).map(|(name, tally)| (name, tally.wrong)).collect()
}

fn empties(key: u64) -> u32 {
    key::unpack(GEOMETRY, key).unwrap().empty_count(GEOMETRY)
}

/// The positions after a canonical one, each by key, with moves as entries hold them.
fn after(key: u64) -> Vec<(u8, u64)> {
    let children = key::unpack(GEOMETRY, key).unwrap().children(GEOMETRY).into_iter();
    let after = children.map(|(mv, child)| {
        let place = match mv {
            Move::Play(square) => GEOMETRY.row_major(square) as u8,
            Move::Pass => RawEntry::PASS,
        };
        (place, key::canonical(GEOMETRY, child).0)
    });
    after.collect()
}

/// The truth with some entries replaced, and all above them made to follow.
fn consistent(truth: &Truth, replaced: &HashMap<u64, RawEntry>) -> Truth {
    let mut spoilt = Truth::new();
    for &key in truth.keys() {
        resolve(key, truth, replaced, &mut spoilt);
    }
    spoilt
}

fn resolve(key: u64, truth: &Truth, replaced: &HashMap<u64, RawEntry>, spoilt: &mut Truth) -> RawEntry {
    if let Some(&known) = spoilt.get(&key) {
        return known;
    }
    let mut best: Option<(i8, u8)> = None;
    for (place, child) in after(key) {
        let score = -resolve(child, truth, replaced, spoilt).score;
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, place));
        }
    }
    let entry = match (replaced.get(&key), best) {
        (Some(&entry), _) => entry,
        (None, Some((score, best))) => RawEntry { key, score, best },
        (None, None) => truth[&key],
    };
    spoilt.insert(key, entry);
    entry
}

fn has_moves(key: u64) -> bool {
    after(key).iter().any(|&(place, _)| place < 16)
}

/// Passes before a wrong end among them.
fn wrong_in_the_last_layer(entries: &[RawEntry], truth: &Truth) -> u64 {
    let is_wrong = |entry: &&RawEntry| {
        empties(entry.key) == u32::from(DOWN_TO) && entry.score != truth[&entry.key].score
    };
    entries.iter().filter(is_wrong).count() as u64
}

#[test]
fn a_sound_table_passes_with_every_end_searched() {
    let truth = truth(Start::Diagonal, RULES);
    let entries = region::entries(&contents(), &truth);
    let tallies = searched(&entries, ALL);
    assert!(tallies.values().all(|tally| tally.wrong + tally.unfinished == 0), "{tallies:?}");
    let met = region::met(&contents(), &truth);
    let is_end = |entry: &&RawEntry| {
        empties(entry.key) == u32::from(DOWN_TO) && (met[&entry.key].chooses || met[&entry.key].free)
    };
    assert_eq!(tallies["ends"].checked, entries.iter().filter(is_end).count() as u64);
    assert!(tallies.contains_key("prefix") && tallies.contains_key("walk-8"), "{tallies:?}");
}

#[test]
fn every_wrong_end_is_found_though_all_above_it_follows_from_it() {
    let truth = truth(Start::Diagonal, RULES);
    let sound = region::entries(&contents(), &truth);
    let mut tried = 0;
    let ends = sound.iter().filter(|entry| empties(entry.key) == u32::from(DOWN_TO) && has_moves(entry.key));
    for end in ends.step_by(2) {
        for off in [-2i8, 2].into_iter().filter(|off| (end.score + off).abs() <= 16) {
            let replaced = RawEntry { score: end.score + off, ..truth[&end.key] };
            let spoilt = consistent(&truth, &HashMap::from([(end.key, replaced)]));
            let entries = region::entries(&contents(), &spoilt);
            let bad = wrong_in_the_last_layer(&entries, &truth);
            if bad > 0 {
                assert_eq!(wrong(&entries, ENDS_ONLY), [("ends".to_owned(), bad)], "{end:?} {off}");
                tried += 1;
            }
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn blocks_and_the_whole_layer_of_wrong_ends_are_found_end_by_end() {
    let truth = truth(Start::Diagonal, RULES);
    let mut layer: Vec<RawEntry> =
        truth.values().filter(|entry| empties(entry.key) == u32::from(DOWN_TO)).copied().collect();
    layer.retain(|entry| has_moves(entry.key));
    layer.sort_unstable_by_key(|entry| entry.key);
    let off = |score: i8| if score > 0 { -2 } else { 2 };
    let mut found = Vec::new();
    for block in layer.chunks(layer.len() / 6).chain([layer.as_slice()]) {
        let wrong_ends =
            block.iter().map(|entry| RawEntry { score: entry.score + off(entry.score), ..*entry });
        let replaced = wrong_ends.map(|entry| (entry.key, entry)).collect();
        let entries = region::entries(&contents(), &consistent(&truth, &replaced));
        let bad = wrong_in_the_last_layer(&entries, &truth);
        let expected: Vec<(String, u64)> = (bad > 0).then(|| ("ends".to_owned(), bad)).into_iter().collect();
        assert_eq!(wrong(&entries, ENDS_ONLY), expected);
        found.push(bad);
    }
    assert!(found.iter().filter(|&&bad| bad > 0).count() > 3 && found.last() > Some(&10), "{found:?}");
}

#[test]
fn a_wrong_move_of_equal_value_at_an_end_is_found() {
    let truth = truth(Start::Diagonal, RULES);
    let sound = region::entries(&contents(), &truth);
    let mut tried = 0;
    for place in 0..sound.len() {
        let end = sound[place];
        if empties(end.key) != u32::from(DOWN_TO) || end.best >= 16 {
            continue;
        }
        let twins = after(end.key);
        let twins = twins.iter().filter(|&&(mv, child)| mv != end.best && -truth[&child].score == end.score);
        for &(twin, _) in twins {
            let mut entries = sound.clone();
            entries[place].best = twin;
            let (report, whole) = Whole::prepare(table(&entries).raw(), ALL, |_| {});
            let by_search = whole.unwrap();
            let ends = by_search
                .chunks()
                .into_iter()
                .filter(|chunk| by_search.classes()[chunk.class].coverage == Coverage::All);
            let tally = ends.map(|chunk| by_search.search(&chunk)).fold(Tally::default(), Tally::merge);
            assert_eq!(tally.wrong, 1, "{end:?} {twin} {:?}", failures(&report));
            tried += 1;
        }
    }
    assert!(tried > 0);
}

/// An entry of a side that chooses with a worse move and the lower value it leads to, and all above it made to follow:
/// a table in which every equation and every end is right.
fn too_low() -> (Vec<RawEntry>, u64) {
    let truth = truth(Start::Diagonal, RULES);
    let mut keys: Vec<u64> = truth.keys().copied().filter(|&key| (7..=9).contains(&empties(key))).collect();
    keys.sort_unstable();
    for key in keys {
        for (place, child) in after(key) {
            let score = -truth[&child].score;
            if place >= 16 || score >= truth[&key].score {
                continue;
            }
            let spoilt = consistent(&truth, &HashMap::from([(key, RawEntry { key, score, best: place })]));
            let met = region::met(&contents(), &spoilt);
            let chooses_only = |known: &region::Met| known.chooses && !known.free && known.prefix.is_none();
            if !met.get(&key).is_some_and(chooses_only) {
                continue;
            }
            let entries = region::entries(&contents(), &spoilt);
            let (report, _) = Whole::prepare(table(&entries).raw(), ALL, |_| {});
            if report.verdict() == Verdict::Sound {
                return (entries, key);
            }
        }
    }
    panic!("no such entry");
}

#[test]
fn a_value_wrong_on_the_unproved_side_is_found_as_often_as_the_sample_is_large() {
    let (entries, key) = too_low();
    let class = format!("walk-{}", empties(key));
    let all = searched(&entries, ALL);
    assert_eq!(all["ends"].wrong, 0);
    assert!(all[&class].wrong >= 1, "{all:?}");
    let (population, bad) = (all[&class].checked, all[&class].wrong);
    let half = (population / 2) as usize;
    const SEEDS: u64 = 60;
    let found = (0..SEEDS)
        .filter(|&seed| {
            let tallies = searched(&entries, Sampling { prefix: 0, walk: half, seed, nodes: u64::MAX });
            assert_eq!(tallies.get(&class).map_or(0, |tally| tally.checked), half as u64);
            tallies[&class].wrong > 0
        })
        .count() as f64;
    // The probability of no bad one among `drawn` without replacement.
    let missed: f64 = (0..half as u64)
        .map(|drawn| 1.0 - bad as f64 / (population - drawn) as f64)
        .map(|part| part.max(0.0))
        .product();
    let expected = SEEDS as f64 * (1.0 - missed);
    let deviation = (SEEDS as f64 * missed * (1.0 - missed)).sqrt();
    assert!((found - expected).abs() <= 4.0 * deviation + 1.0, "{found} of {SEEDS}, expected {expected}");
}
