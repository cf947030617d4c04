//! Memory for tables that are read all over: reserved at once, in pages as large as the system has them, for a table
//! of small pages is looked up more slowly than read. What is reserved and not yet written counts as free.

use memmap2::{MmapMut, MmapRaw};
use std::marker::PhantomData;
use std::ops::Deref;

/// The memory asked for cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// More than the machine has free.
    #[error(
        "{} of memory asked for, but only {} are free on this machine",
        in_words(*asked),
        rounded_down(*free)
    )]
    TooMuch {
        /// Bytes asked for.
        asked: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The operating system refused.
    #[error("{} of memory cannot be reserved ({source})", in_words(*asked))]
    Refused {
        /// Bytes asked for.
        asked: u64,
        /// What the system said.
        source: std::io::Error,
    },
}

/// What such a table consists of.
///
/// # Safety
/// All bits are a value, and values change through atomics only.
pub unsafe trait Shared: Sync {}

/// Entries, at first all zero.
pub struct Pages<T> {
    memory: MmapRaw,
    entries: PhantomData<T>,
}

impl<T: Shared> Pages<T> {
    /// The largest power of two of entries that fits into `bytes`, at least one.
    ///
    /// # Errors
    /// When the machine has not as much as `bytes`, though the table may be smaller: who asks for more than
    /// there is should know.
    pub fn new(bytes: usize) -> Result<Pages<T>, MemoryError> {
        let asked = check_free(bytes)?;
        let entries = 1usize << (bytes / size_of::<T>()).max(1).ilog2();
        let memory = MmapMut::map_anon(entries * size_of::<T>())
            .map(MmapRaw::from)
            .map_err(|source| MemoryError::Refused { asked, source })?;
        #[cfg(target_os = "linux")]
        // Only speed depends on it.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Pages { memory, entries: PhantomData })
    }

    /// Has the system find all of the memory now: what is first written to while a clock runs would be waited for then,
    /// some tenths of a millisecond for each large page.
    pub fn populate(&self) {
        #[cfg(target_os = "linux")]
        // Only speed depends on it, and Linux before 5.14 does not know it.
        let _ = self.memory.advise(memmap2::Advice::PopulateWrite);
    }
}

impl<T: Shared> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        const { assert!(align_of::<T>() <= 4096, "a page begins at such an address") };
        // SAFETY: the map is page aligned, its length a multiple of an entry's, and any bits are entries, which change
        // through atomics only.
        unsafe {
            std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.memory.len() / size_of::<T>())
        }
    }
}

/// The bytes, if they can be had.
///
/// # Errors
/// [`MemoryError::TooMuch`] if they are more than the machine has free, as far as it tells.
pub fn check_free(bytes: usize) -> Result<u64, MemoryError> {
    let asked = bytes as u64;
    match free_memory().filter(|&free| asked > free) {
        Some(free) => Err(MemoryError::TooMuch { asked, free }),
        None => Ok(asked),
    }
}

/// An amount as it is typed: in the largest unit of which it is a whole number.
fn in_words(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    match units.into_iter().find(|(shift, _)| bytes != 0 && bytes.is_multiple_of(1 << shift)) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// No more than an amount, in tenths of G or whole M.
fn rounded_down(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{}M", bytes >> 20),
        _ => format!("{:.1}G", ((bytes >> 20) * 10 / 1024) as f64 / 10.0),
    }
}

/// Bytes that can be had without driving others out, where the system tells.
pub fn free_memory() -> Option<u64> {
    bytes_of("MemAvailable:")
}

fn bytes_of(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    unsafe impl Shared for AtomicU64 {}

    #[test]
    fn more_than_the_machine_has_free_is_refused_even_if_less_would_be_used() {
        let Some(all) = bytes_of("MemTotal:") else { return };
        assert!(matches!(Pages::<AtomicU64>::new(all as usize), Err(MemoryError::TooMuch { .. })));
    }

    #[test]
    fn amounts_of_memory_read_as_they_are_typed() {
        let error = MemoryError::TooMuch { asked: 500 << 30, free: (23 << 30) + (200 << 20) };
        assert_eq!(error.to_string(), "500G of memory asked for, but only 23.1G are free on this machine");
        assert_eq!([1536 << 20, 30_000_000_001, 0].map(in_words), ["1536M", "30000000001 bytes", "0 bytes"]);
        assert_eq!(rounded_down((1 << 30) - 1), "1023M");
    }
}
