//! A short name that follows from a longer one, and from which nobody gets that back.

use sha2::{Digest as _, Sha256};

/// Sixteen digits.
pub(crate) fn short_hash(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
