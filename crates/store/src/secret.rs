//! Secrets: made from the system's randomness, shown once, and stored as their
//! SHA-256 alone. They are long enough that nobody finds them from that.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::error::StoreError;

/// A SHA-256.
pub(crate) type Hash = [u8; 32];

/// A token as its owner has it. It is shown in no log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, which says by its first letters what it is.
    pub(crate) fn generate(prefix: &str) -> Result<Self, StoreError> {
        Ok(Secret(format!("{prefix}{}", random_text::<32>()?)))
    }

    /// The word itself, to hand to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub(crate) fn hash(&self) -> Hash {
        hash_of(&self.0)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What is stored of a word that claims to be a secret.
pub(crate) fn hash_of(word: &str) -> Hash {
    Sha256::digest(word.as_bytes()).into()
}

/// So many random bytes, as text.
pub(crate) fn random_text<const BYTES: usize>() -> Result<String, StoreError> {
    let mut bytes = [0u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandomness(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_new_each_time_and_shows_itself_to_no_log() {
        let (one, other) = (Secret::generate("otr_").unwrap(), Secret::generate("otr_").unwrap());
        assert_ne!(one, other);
        assert!(one.reveal().starts_with("otr_") && one.reveal().len() == 4 + 43);
        assert_eq!(format!("{one:?}"), "Secret(…)");
        assert_eq!(one.hash(), hash_of(one.reveal()));
    }
}
