//! Memory for tables with random access: reserved at once, in huge pages where the system has them, since with small
//! pages the address translation costs more than the access. Memory reserved and not yet written counts as free.

use crate::free_memory::free_memory;
use memmap2::{MmapMut, MmapRaw};
use std::marker::PhantomData;
use std::ops::Deref;

/// The requested memory is not available.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// More than this process can still use.
    #[error(
        "{} of memory asked for, but only {} are free for this program",
        in_words(*asked),
        rounded_down(*free)
    )]
    TooMuch {
        /// Bytes requested.
        asked: u64,
        /// Bytes free.
        free: u64,
    },
    /// The operating system refused the reservation.
    #[error("{} of memory cannot be reserved ({source})", in_words(*asked))]
    Refused {
        /// Bytes requested.
        asked: u64,
        /// The operating system's error.
        source: std::io::Error,
    },
}

/// Entry types of such a table.
///
/// # Safety
/// All bit patterns are valid values, and while threads share them values change through atomic operations only. A read
/// that is not atomic comes after the last write.
pub unsafe trait Shared: Sync {}

/// Entries, initially all zero.
pub struct Pages<T> {
    memory: MmapRaw,
    entries: PhantomData<T>,
}

impl<T: Shared> Pages<T> {
    /// The largest power of two of entries that fits into `bytes`, at least one.
    ///
    /// # Errors
    /// When fewer than `bytes` bytes are free, even if the table itself would be smaller: the caller's limit is wrong
    /// for this machine.
    pub fn new(bytes: usize) -> Result<Pages<T>, MemoryError> {
        let asked = check_free(bytes)?;
        let entries = 1usize << (bytes / size_of::<T>()).max(1).ilog2();
        let memory = MmapMut::map_anon(entries * size_of::<T>())
            .map(MmapRaw::from)
            .map_err(|source| MemoryError::Refused { asked, source })?;
        #[cfg(target_os = "linux")]
        // Only speed depends on the result.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Pages { memory, entries: PhantomData })
    }

    /// Makes the system map all of the memory now: a page fault during a timed search costs some tenths of a
    /// millisecond for each huge page.
    pub fn populate(&self) {
        #[cfg(target_os = "linux")]
        // Only speed depends on the result; Linux before 5.14 does not support it.
        let _ = self.memory.advise(memmap2::Advice::PopulateWrite);
    }
}

impl<T: Shared> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        const { assert!(align_of::<T>() <= 4096, "a page is aligned to 4096 bytes") };
        // SAFETY: the map is page aligned, its length a multiple of an entry's size, and all bit patterns are valid
        // entries, which change through atomic operations only.
        unsafe {
            std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.memory.len() / size_of::<T>())
        }
    }
}

/// Checks that `bytes` bytes are free.
///
/// # Errors
/// [`MemoryError::TooMuch`] if this process cannot use as much, as far as the system reports it.
pub fn check_free(bytes: usize) -> Result<u64, MemoryError> {
    let asked = bytes as u64;
    match free_memory().filter(|&free| asked > free) {
        Some(free) => Err(MemoryError::TooMuch { asked, free }),
        None => Ok(asked),
    }
}

/// An amount in the largest unit that divides it.
fn in_words(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    match units.into_iter().find(|(shift, _)| bytes != 0 && bytes.is_multiple_of(1 << shift)) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// An amount rounded down to tenths of G or whole M.
fn rounded_down(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{}M", bytes >> 20),
        _ => format!("{:.1}G", ((bytes >> 20) * 10 / 1024) as f64 / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::free_memory::on_machine;
    use std::sync::atomic::AtomicU64;

    // SAFETY: all patterns of bits are numbers, and an atomic changes through atomic operations only.
    unsafe impl Shared for AtomicU64 {}

    #[test]
    fn more_than_is_free_is_refused_even_if_less_would_be_used() {
        let Some(all) = on_machine("MemTotal:") else { return };
        assert!(matches!(Pages::<AtomicU64>::new(all as usize), Err(MemoryError::TooMuch { .. })));
    }

    #[test]
    fn amounts_of_memory_read_as_they_are_typed() {
        let error = MemoryError::TooMuch { asked: 500 << 30, free: (23 << 30) + (200 << 20) };
        assert_eq!(error.to_string(), "500G of memory asked for, but only 23.1G are free for this program");
        assert_eq!([1536 << 20, 30_000_000_001, 0].map(in_words), ["1536M", "30000000001 bytes", "0 bytes"]);
        assert_eq!(rounded_down((1 << 30) - 1), "1023M");
    }
}
