//! Checksums of files and of what is saved, as `sha256sum` prints them.

use sha2::{Digest, Sha256};
use std::convert::Infallible;

/// The checksum of these bytes.
pub fn sha256(bytes: &[u8]) -> String {
    let Ok(checksum) = sha256_of_parts([Ok::<_, Infallible>(bytes)]);
    checksum
}

/// The checksum of parts that follow each other.
///
/// # Errors
/// The first error of a part.
pub fn sha256_of_parts<P: AsRef<[u8]>, E>(
    parts: impl IntoIterator<Item = Result<P, E>>,
) -> Result<String, E> {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The checksum of this executable; of an empty file if the system does not let it be read.
pub fn own_checksum() -> String {
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    sha256(&bytes)
}
