//! What is wrong under right checksums is found, by the check whose business it is; what is damaged is
//! called damaged.

use crate::common::region::{self, failures, solved, truth};
use crate::common::specification::{self, mend_checksums};
use reversi::rules::{Board, Geometry, Goal, Position, Rules, Scoring, Start, Symmetry};
use reversi::table::{Contents, RawEntry, Region, Table, key, to_bytes};
use reversi::verify::{Outcome, Report, Sample, Verdict, verify, verify_all};

const GEOMETRY: Geometry = Geometry::FOUR;
const RULES: Rules = Rules::new(Goal::Normal, Scoring::Raw);

fn bytes_of(start: Start, rules: Rules, entries: Vec<RawEntry>) -> Vec<u8> {
    let roots = vec![Board::start(GEOMETRY, start).position()];
    to_bytes(Contents { geometry: GEOMETRY, rules, roots, region: Region::Complete }, entries).unwrap()
}

/// The whole table of 4x4.
fn whole() -> Vec<u8> {
    bytes_of(Start::Diagonal, RULES, solved(Start::Diagonal, RULES))
}

fn verified(bytes: Vec<u8>) -> Report {
    let sample = Sample { entries: 200, ..Sample::default() };
    verify(Table::from_vec(bytes).unwrap().raw(), sample, |_| {})
}

/// Solves 4x4, lets `spoil` change the entries, and says which checks fail then.
fn failures_after(spoil: impl FnOnce(&mut Vec<RawEntry>)) -> Vec<String> {
    let mut entries = solved(Start::Diagonal, RULES);
    spoil(&mut entries);
    entries.sort_by_key(|entry| (discs(entry.key), entry.key));
    let report = verified(bytes_of(Start::Diagonal, RULES, entries));
    assert_eq!(report.verdict(), Verdict::Wrong, "{report:?}");
    failures(&report).into_iter().map(str::to_owned).collect()
}

fn position(key: u64) -> Position {
    key::unpack(GEOMETRY, key).unwrap()
}

fn discs(key: u64) -> u32 {
    position(key).disc_count()
}

/// An entry in the middle of the game with several moves.
fn with_moves(entries: &mut [RawEntry]) -> &mut RawEntry {
    let several = |entry: &&mut RawEntry| position(entry.key).legal_moves(GEOMETRY).count_ones() > 2;
    entries.iter_mut().filter(several).nth(1000).unwrap()
}

#[test]
fn every_solved_table_of_4x4_is_sound() {
    for start in Start::ALL {
        for rules in Rules::ALL {
            let report = verified(bytes_of(start, rules, solved(start, rules)));
            assert_eq!(report.verdict(), Verdict::Sound, "{start} {rules}: {report:?}");
            let count = |name| report.checks.iter().find(|check| check.name == name).unwrap().count;
            let positions = if start == Start::Diagonal { 12_351 } else { 19_859 };
            for name in ["order", "canonical", "reachable", "closure", "values", "moves"] {
                assert_eq!(count(name), positions, "{start} {rules} {name}");
            }
            assert_eq!(count("sample"), 200);
            assert_eq!(count("roots"), 1);
        }
    }
}

#[test]
fn the_prefix_of_each_root_is_counted_from_it() {
    let truth = truth(Start::Diagonal, RULES);
    let start = Board::start(GEOMETRY, Start::Diagonal).position();
    let later = truth.keys().map(|&key| position(key)).filter(|position| position.disc_count() == 6).max();
    let region = Region::SemiStrong { prefix: 2, down_to: 10 };
    let contents = Contents { geometry: GEOMETRY, rules: RULES, roots: vec![start, later.unwrap()], region };
    let entries = region::entries(&contents, &truth);
    assert!(entries.iter().any(|entry| discs(entry.key) == 8), "two plies after the second root");
    let report = verified(to_bytes(contents, entries).unwrap());
    assert_eq!(report.verdict(), Verdict::Sound, "{report:?}");
}

#[test]
fn a_wrong_value_is_found_by_the_values() {
    let failed = failures_after(|entries| with_moves(entries).score += 1);
    assert!(failed.contains(&"values".to_owned()), "{failed:?}");
}

#[test]
fn a_wrong_final_score_is_found_by_the_values() {
    let failed = failures_after(|entries| {
        let over = entries.iter_mut().find(|entry| position(entry.key).is_over(GEOMETRY)).unwrap();
        over.score = -over.score + 1;
    });
    assert!(failed.contains(&"values".to_owned()), "{failed:?}");
}

#[test]
fn values_that_agree_with_one_another_but_not_with_the_rules_are_found_by_the_final_scores() {
    // Every equation between entries still holds when the sign of the goal is wrong throughout.
    let reversed = solved(Start::Diagonal, Rules::new(Goal::Reversed, Scoring::Raw));
    let report = verified(bytes_of(Start::Diagonal, RULES, reversed));
    assert_eq!(report.verdict(), Verdict::Wrong);
    assert!(failures(&report).contains(&"values"), "{report:?}");
    assert!(failures(&report).contains(&"sample"), "{report:?}");
}

#[test]
fn a_wrong_move_is_found_by_the_moves_alone() {
    let failed = failures_after(|entries| {
        let entry = with_moves(entries);
        let legal = position(entry.key).legal_moves(GEOMETRY);
        let other = GEOMETRY.squares().map(|square| (square, GEOMETRY.row_major(square) as u8));
        let wrong = other.filter(|&(square, place)| legal & square.bit() != 0 && place != entry.best).last();
        entry.best = wrong.unwrap().1;
    });
    assert_eq!(failed, ["moves"]);
}

#[test]
fn a_second_best_move_of_equal_value_is_found_too() {
    // Values cannot tell it from the right one; the canonical best move is the first.
    let failed = failures_after(|entries| {
        let scores: std::collections::HashMap<u64, i8> =
            entries.iter().map(|entry| (entry.key, entry.score)).collect();
        let later_twin = |entry: &RawEntry| {
            position(entry.key).children(GEOMETRY).into_iter().find_map(|(mv, child)| {
                let reversi::rules::Move::Play(square) = mv else { return None };
                let place = GEOMETRY.row_major(square) as u8;
                let score = -scores[&key::canonical(GEOMETRY, child).0];
                (place > entry.best && score == entry.score).then_some(place)
            })
        };
        let (entry, twin) =
            entries.iter_mut().find_map(|entry| later_twin(entry).map(|twin| (entry, twin))).unwrap();
        entry.best = twin;
    });
    assert_eq!(failed, ["moves"]);
}

#[test]
fn a_missing_position_is_found_by_the_closure() {
    let failed = failures_after(|entries| {
        let entry = *with_moves(entries);
        entries.retain(|other| *other != entry);
    });
    assert_eq!(failed, ["closure"]);
}

#[test]
fn an_entry_in_the_section_of_others_is_found_by_the_order() {
    // The last entry with ten empty squares stands in front of those with nine, in a block of its own. All entries are
    // in order, and as many as the header states, but a look-up does not find this one.
    let sound = whole();
    let sections = specification::read(&sound).sections;
    let entries_with = |empties: u32| {
        let section = sections.iter().find(|section| section.empties == empties).unwrap();
        section.blocks.iter().flat_map(|block| block.entries.clone()).collect::<Vec<_>>()
    };
    let (ten, nine) = (entries_with(10), entries_with(9));
    let (last, others) = ten.split_last().unwrap();
    let mut again = sound.clone();
    specification::replace_section(&mut again, 10, &[&ten]);
    specification::replace_section(&mut again, 9, &[&nine]);
    assert_eq!(verified(again).verdict(), Verdict::Sound);
    let mut misplaced = sound;
    specification::replace_section(&mut misplaced, 10, &[others]);
    specification::replace_section(&mut misplaced, 9, &[&[*last], &nine]);
    let table = Table::from_vec(misplaced.clone()).unwrap();
    assert_eq!(table.raw_entries().count(), 12_351);
    assert_eq!(table.raw().find(10, last.0).unwrap(), None);
    let report = verified(misplaced);
    assert_eq!(failures(&report), ["order"]);
}

#[test]
fn a_position_that_no_game_reaches_is_found() {
    let failed = failures_after(|entries| {
        // Sixteen discs of one colour: finished, rightly valued, but not to be reached.
        let full = Position::new(GEOMETRY.mask(), 0);
        let key = key::pack(GEOMETRY, full);
        assert!(entries.iter().all(|entry| entry.key != key));
        entries.push(RawEntry { key, score: 16, best: RawEntry::NO_MOVE });
    });
    assert_eq!(failed, ["reachable"]);
}

#[test]
fn a_turned_form_is_found() {
    let failed = failures_after(|entries| {
        let entry = with_moves(entries);
        let turned = Symmetry::all(GEOMETRY)
            .iter()
            .map(|symmetry| key::pack(GEOMETRY, symmetry.apply(GEOMETRY, position(entry.key))))
            .find(|&key| key != entry.key);
        entry.key = turned.unwrap();
    });
    for name in ["canonical", "reachable", "closure"] {
        assert!(failed.contains(&name.to_owned()), "{name} is not among {failed:?}");
    }
}

/// The table of 4x4 as `spoil` leaves it, with checksums that fit.
fn spoilt(spoil: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut bytes = whole();
    spoil(&mut bytes);
    mend_checksums(&mut bytes).expect("everything is where it was");
    bytes
}

#[test]
fn a_wrong_root_value_in_the_header_is_found() {
    let report = verified(spoilt(|bytes| {
        assert_eq!(bytes[56] as i8, -8, "the score of the first root");
        bytes[56] = -6i8 as u8;
    }));
    assert_eq!(failures(&report), ["roots"]);
    assert_eq!(report.verdict(), Verdict::Wrong);
}

#[test]
fn another_root_in_the_header_is_found() {
    let parallel = key::pack(GEOMETRY, Board::start(GEOMETRY, Start::Parallel).position());
    let report = verified(spoilt(|bytes| bytes[48..56].copy_from_slice(&parallel.to_le_bytes())));
    for name in ["reachable", "closure", "roots"] {
        assert!(failures(&report).contains(&name), "{name} is not among {:?}", failures(&report));
    }
}

#[test]
fn wrong_counts_in_the_header_are_found() {
    // One entry of the layer of 8 empty squares is said to belong to that of 7: the sum still fits.
    let count_at = |empties: usize| 80 + 24 * (16 - empties);
    let report = verified(spoilt(|bytes| {
        assert_eq!(u64::from_le_bytes(bytes[count_at(8)..][..8].try_into().unwrap()), 32);
        bytes[count_at(8)] -= 1;
        bytes[count_at(7)] += 1;
    }));
    assert_eq!(report.verdict(), Verdict::Wrong);
    assert_eq!(failures(&report), ["statistics"]);
}

#[test]
fn entries_in_the_wrong_layer_are_found() {
    // The first key of the layer of 12 empty squares, an only entry, is replaced by one with 5 discs.
    let [twelve, eleven] = [4, 5].map(|layer| specification::read(&whole()).sections[layer].index.start);
    let report = verified(spoilt(|bytes| bytes.copy_within(eleven..eleven + 8, twelve)));
    for name in ["order", "statistics", "closure"] {
        assert!(failures(&report).contains(&name), "{name} is not among {:?}", failures(&report));
    }
}

#[test]
fn keys_out_of_order_within_a_layer_are_found() {
    let sections = specification::read(&whole()).sections;
    let long = sections.iter().find(|section| section.blocks.len() > 2).unwrap();
    let [one, other] = [0, 1].map(|place| long.blocks[place].bytes.clone());
    let exchanged = spoilt(|bytes| {
        let (first, second) = bytes[one.start..other.end].split_at_mut(one.len());
        first.swap_with_slice(second);
        let (first, second) = bytes[long.index.start..][..16].split_at_mut(8);
        first.swap_with_slice(second);
    });
    assert_eq!(failures(&verified(exchanged)), ["order"]);
    // The same block once more: its entries stand there twice.
    let twice = spoilt(|bytes| {
        bytes.copy_within(one.clone(), other.start);
        bytes.copy_within(long.index.start..long.index.start + 8, long.index.start + 8);
    });
    let report = verified(twice);
    assert!(failures(&report).contains(&"order"), "{report:?}");
}

#[test]
fn a_flipped_bit_is_damage_and_not_an_error_of_the_maker() {
    let mut bytes = whole();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let report = verified(bytes);
    assert_eq!(report.verdict(), Verdict::Damaged);
    assert_eq!(failures(&report), ["checksums"]);
}

#[test]
fn a_damaged_index_is_one_fault_however_many_blocks_it_has() {
    let mut bytes = whole();
    let long = specification::read(&bytes).sections.into_iter().find(|section| section.blocks.len() > 2);
    bytes[long.unwrap().index.start + 9] ^= 1;
    let report = verified(bytes);
    assert_eq!((report.verdict(), failures(&report)), (Verdict::Damaged, vec!["checksums"]));
    let checksums = report.checks.iter().find(|check| check.name == "checksums").unwrap();
    assert!(matches!(checksums.outcome, Outcome::Failed { faults: 1, .. }), "{checksums:?}");
}

#[test]
fn a_search_beyond_its_nodes_is_not_checked_rather_than_passed() {
    let table = Table::from_vec(whole()).unwrap();
    let report = verify(table.raw(), Sample { entries: 20_000, nodes: 1, seed: 7 }, |_| {});
    let sample = report.checks.iter().find(|check| check.name == "sample").unwrap();
    assert_eq!(sample.outcome, Outcome::Passed);
    assert_eq!(sample.count, 857, "the finished games take a single node");
    assert!(sample.remark.contains("11494 not checked"), "{}", sample.remark);
}

#[test]
fn a_sample_of_more_entries_than_there_are_is_all_of_them() {
    let table = Table::from_vec(whole()).unwrap();
    let check = |entries| verify(table.raw(), Sample { entries, nodes: 1, seed: 7 }, |_| {});
    assert_eq!(check(usize::MAX), check(20_000));
}

#[test]
fn equal_seeds_give_equal_reports() {
    let table = Table::from_vec(whole()).unwrap();
    let sample = Sample { entries: 100, seed: 42, ..Sample::default() };
    assert_eq!(verify(table.raw(), sample, |_| {}), verify(table.raw(), sample, |_| {}));
}

/// Changes an entry of a solved table of the diagonal start of 4x4 and keeps its order.
fn with_change(rules: Rules, change: impl FnOnce(&mut RawEntry)) -> Vec<u8> {
    let mut entries = solved(Start::Diagonal, rules);
    change(with_moves(&mut entries));
    entries.sort_by_key(|entry| (discs(entry.key), entry.key));
    bytes_of(Start::Diagonal, rules, entries)
}

/// A position of as many discs that no game reaches: it has none on the centre.
fn unreachable_with(discs: u32) -> u64 {
    let around = GEOMETRY.squares().filter(|square| square.bit() & 0x0006_0600 == 0);
    let mask = around.take(discs as usize).fold(0, |mask, square| mask | square.bit());
    assert_eq!(mask.count_ones(), discs);
    key::canonical(GEOMETRY, Position::new(mask, 0)).0
}

#[test]
fn tables_checked_together_have_the_reports_that_each_has_alone() {
    let truth = truth(Start::Diagonal, RULES);
    let roots = vec![Board::start(GEOMETRY, Start::Diagonal).position()];
    let region = Region::SemiStrong { prefix: 2, down_to: 10 };
    let part = Contents { geometry: GEOMETRY, rules: RULES, roots, region };
    let [normal, winner, reversed, reversed_winner] = Rules::ALL;
    let tables = [
        bytes_of(Start::Parallel, normal, solved(Start::Parallel, normal)),
        whole(),
        with_change(winner, |entry| entry.score += 1),
        with_change(reversed, |entry| {
            let wrong = squares_of_moves(entry.key).find(|place| *place != entry.best);
            entry.best = wrong.unwrap();
        }),
        // As many entries of each number of discs as the others have, but not the same ones.
        with_change(reversed, |entry| entry.key = unreachable_with(discs(entry.key))),
        bytes_of(Start::Diagonal, reversed_winner, solved(Start::Diagonal, reversed_winner)),
        to_bytes(part.clone(), region::entries(&part, &truth)).unwrap(),
        with_change(reversed_winner, |entry| entry.score -= 2),
    ];
    let tables: Vec<Table> = tables.into_iter().map(|bytes| Table::from_vec(bytes).unwrap()).collect();
    let sample = Sample { entries: 20, ..Sample::default() };
    let together: Vec<_> = tables.iter().map(|table| (table.raw(), sample)).collect();
    let mut told = vec![Vec::new(); tables.len()];
    let reports = verify_all(&together, |number, check| told[number].push(check.clone()));
    assert_eq!(reports.len(), tables.len());
    for (number, (table, report)) in tables.iter().zip(&reports).enumerate() {
        assert_eq!(*report, verify(table.raw(), sample, |_| {}), "table {number}");
        assert_eq!(report.checks, told[number], "table {number}");
    }
    let failed: Vec<Vec<&str>> = reports.iter().map(failures).collect();
    let none = Vec::<&str>::new();
    assert_eq!([&failed[0], &failed[1], &failed[5], &failed[6]], [&none; 4]);
    assert!(failed[2].contains(&"values") && failed[7].contains(&"values"), "{failed:?}");
    assert_eq!(failed[3], ["moves"]);
    assert!(["reachable", "closure"].iter().all(|name| failed[4].contains(name)), "{failed:?}");
}

/// The legal moves of an entry as stored.
fn squares_of_moves(key: u64) -> impl Iterator<Item = u8> {
    let legal = position(key).legal_moves(GEOMETRY);
    let legal = GEOMETRY.squares().filter(move |square| legal & square.bit() != 0);
    legal.map(|square| GEOMETRY.row_major(square) as u8)
}
