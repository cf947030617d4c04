//! A reader of tables of both versions that was written from the specification in
//! `crates/reversi-table-raw/src/format.rs` alone: slow, bit by bit, with its own checksum. Panics on whatever is not as
//! specified.

use std::ops::Range;

/// A whole table.
pub struct Specified {
    pub width: u32,
    pub height: u32,
    pub goal: u8,
    pub scoring: u8,
    pub region: [u8; 3],
    /// Key and score.
    pub roots: Vec<(u64, i8)>,
    /// In the order of the file.
    pub sections: Vec<Section>,
}

pub struct Section {
    pub empties: u32,
    pub blocks: Vec<Block>,
    pub index: Range<usize>,
}

pub struct Block {
    pub bytes: Range<usize>,
    /// Key, score, move: a square, the number of squares for a pass, one more for none.
    pub entries: Vec<(u64, i32, u32)>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn bits(bytes: &[u8], from: usize, count: u32) -> u64 {
    (0..count as usize)
        .map(|bit| u64::from(bytes[(from + bit) / 8] >> ((from + bit) % 8) & 1) << bit)
        .fold(0, |number, bit| number | bit)
}

/// CRC-32 as in zip and PNG, bit by bit.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}

/// Length of the header, and where each section's 24 bytes in it are.
fn header_of(file: &[u8]) -> (usize, impl Iterator<Item = usize> + use<>) {
    let squares = usize::from(file[12]) * usize::from(file[13]);
    let length = (88 + 24 * (squares + 1)).next_multiple_of(64);
    (length, (0..=squares).map(|place| 80 + 24 * place))
}

/// Where a section's blocks and its index lie, if it begins at `start`.
fn section_at(file: &[u8], start: usize, fields: usize) -> (Range<usize>, Range<usize>) {
    let index = start + number(file, fields + 8, 8) as usize;
    let blocks = (index - start).div_ceil(512);
    let of_block = if is_old(file) { 8 } else { 12 };
    (start..index, index..(index + of_block * blocks).next_multiple_of(64))
}

/// Whether each block begins with its checksum; else it stands in the index.
fn is_old(file: &[u8]) -> bool {
    number(file, 8, 2) == 1
}

pub fn read(file: &[u8]) -> Specified {
    assert_eq!(file[..8], [0x89, 0x52, 0x56, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]);
    assert!([1, 2].contains(&number(file, 8, 2)), "version");
    let (width, height) = (u32::from(file[12]), u32::from(file[13]));
    let squares = width * height;
    assert_eq!(file[16..18], [1, 1], "rules for symmetries and passes");
    assert_eq!(file[22..24], [0, 0]);
    let (length, section_fields) = header_of(file);
    assert_eq!(number(file, 24, 4) as usize, length);
    assert_eq!(number(file, 28, 4), 512);
    assert_eq!(number(file, 40, 8), file.len() as u64);
    assert_eq!(number(file, length - 4, 4) as u32, crc32(&file[..length - 4]), "checksum of the header");
    let roots =
        (0..usize::from(file[21])).map(|root| (number(file, 48 + 16 * root, 8), file[56 + 16 * root] as i8));

    let mut sections = Vec::new();
    let (mut start, mut entries) = (length, 0);
    for (empties, fields) in (0..=squares).rev().zip(section_fields) {
        let (blocks, index) = section_at(file, start, fields);
        assert_eq!(number(file, fields + 16, 4) as u32, crc32(&file[index.clone()]), "checksum of the index");
        assert_eq!(number(file, fields + 20, 4), 0, "packing and zeros");
        start = index.end;
        let count = blocks.len().div_ceil(512);
        let block = |(place, from): (usize, usize)| {
            let range = from..(from + 512).min(blocks.end);
            let first_key = number(file, index.start + 8 * place, 8);
            let (checksum, from) = match is_old(file) {
                true => (range.start, range.start + 4),
                false => (index.start + 8 * count + 4 * place, range.start),
            };
            assert_eq!(
                number(file, checksum, 4) as u32,
                crc32(&file[from..range.end]),
                "checksum of a block"
            );
            Block { entries: read_block(&file[from..range.end], first_key, squares), bytes: range }
        };
        let section =
            Section { empties, blocks: blocks.clone().step_by(512).enumerate().map(block).collect(), index };
        let here: usize = section.blocks.iter().map(|block| block.entries.len()).sum();
        assert_eq!(number(file, fields, 8), here as u64, "entries of a section");
        entries += here as u64;
        sections.push(section);
    }
    assert_eq!(number(file, 32, 8), entries);
    assert_eq!(start + 16, file.len());
    assert_eq!(number(file, start, 8), file.len() as u64);
    assert_eq!(file[start + 8..], *b"\r\nendRVT");
    Specified {
        width,
        height,
        goal: file[14],
        scoring: file[15],
        region: [file[18], file[19], file[20]],
        roots: roots.collect(),
        sections,
    }
}

fn read_block(block: &[u8], first_key: u64, squares: u32) -> Vec<(u64, i32, u32)> {
    let largest_value = (2 * squares + 1) * (squares + 2) - 1;
    let (entries, low, value_bits) =
        (number(block, 0, 2), u32::from(block[2]), 32 - largest_value.leading_zeros());
    let entry = |key, value: u64| {
        let value = value as u32;
        assert!(value <= largest_value);
        (key, (value / (squares + 2)) as i32 - squares as i32, value % (squares + 2))
    };
    let (upper, records) = block[6..].split_at(block[3].into());
    let ones: Vec<usize> = (0..8 * upper.len()).filter(|&bit| bits(upper, bit, 1) == 1).collect();
    assert_eq!(ones.len() as u64, entries - 1);
    let mut read = vec![entry(first_key, number(block, 4, 2))];
    for (place, one) in ones.into_iter().enumerate() {
        let record = place * (low + value_bits) as usize;
        let distance = ((one - place) as u64) << low | bits(records, record, low);
        read.push(entry(first_key + distance, bits(records, record + low as usize, value_bits)));
    }
    read
}

/// Replaces what a section holds, whatever the header states about it; packs blocks of few entries, without upper parts
/// of their distances.
pub fn replace_section(file: &mut Vec<u8>, empties: u32, blocks: &[&[(u64, i32, u32)]]) {
    assert!(!is_old(file));
    let squares = u32::from(file[12]) * u32::from(file[13]);
    let place = (squares - empties) as usize;
    let (length, mut fields) = header_of(file);
    let start =
        fields.by_ref().take(place).fold(length, |start, fields| section_at(file, start, fields).1.end);
    let fields = fields.next().unwrap();
    let end = section_at(file, start, fields).1.end;
    let mut bytes = Vec::new();
    for (number, entries) in blocks.iter().enumerate() {
        bytes.extend(block_of(entries, squares));
        let whole = if number + 1 < blocks.len() { 512 } else { 8 };
        bytes.resize(bytes.len().next_multiple_of(whole), 0);
    }
    file[fields + 8..fields + 16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    bytes.extend(blocks.iter().flat_map(|entries| entries[0].0.to_le_bytes()));
    bytes.resize((bytes.len() + 4 * blocks.len()).next_multiple_of(64), 0);
    file.splice(start..end, bytes);
    let (all, trailer) = ((file.len() as u64).to_le_bytes(), file.len() - 16);
    file[40..48].copy_from_slice(&all);
    file[trailer..trailer + 8].copy_from_slice(&all);
    mend_checksums(file).unwrap();
}

fn block_of(entries: &[(u64, i32, u32)], squares: u32) -> Vec<u8> {
    let value =
        |(_, score, best): (u64, i32, u32)| u64::from((score + squares as i32) as u32 * (squares + 2) + best);
    let value_bits = 32 - ((2 * squares + 1) * (squares + 2) - 1).leading_zeros();
    let (first, others) = entries.split_first().unwrap();
    let low = others.last().map_or(0, |last| u64::BITS - (last.0 - first.0).leading_zeros());
    let upper = others.len().div_ceil(8);
    let mut block = vec![entries.len() as u8, 0, low as u8, upper as u8];
    block.extend(&(value(*first) as u16).to_le_bytes());
    let bits_of = |number: u64, count: u32| (0..count).map(move |bit| number >> bit & 1);
    let ones = (0..8 * upper).map(|bit| u64::from(bit < others.len()));
    let records = others
        .iter()
        .flat_map(|entry| bits_of(entry.0 - first.0, low).chain(bits_of(value(*entry), value_bits)));
    let bits: Vec<u64> = ones.chain(records).collect();
    block.extend(bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | bit as u8)));
    block
}

/// Makes all checksums right; `None` where the bytes no longer say where everything is.
pub fn mend_checksums(file: &mut [u8]) -> Option<()> {
    let (length, section_fields) = header_of(file);
    let mut start = length;
    for fields in section_fields {
        let block_bytes = number(file, fields + 8, 8);
        if block_bytes > file.len() as u64 {
            return None;
        }
        let (blocks, index) = section_at(file, start, fields);
        let is_old = is_old(file);
        let checksums = index.start + 8 * blocks.len().div_ceil(512);
        for (place, from) in blocks.clone().step_by(512).enumerate() {
            let end = (from + 512).min(blocks.end);
            let (at, from) = if is_old { (from, from + 4) } else { (checksums + 4 * place, from) };
            if from < end {
                let checksum = crc32(file.get(from..end)?);
                file.get_mut(at..at + 4)?.copy_from_slice(&checksum.to_le_bytes());
            }
        }
        let checksum = crc32(file.get(index.clone())?);
        file[fields + 16..fields + 20].copy_from_slice(&checksum.to_le_bytes());
        start = index.end;
    }
    let checksum = crc32(file.get(..length - 4)?);
    file[length - 4..length].copy_from_slice(&checksum.to_le_bytes());
    Some(())
}
