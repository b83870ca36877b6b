//! The hub's folder: tokens, the user's configuration, what is launched.
//! Secrets are files that only their owner can read.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Where the hub keeps what outlives it.
#[derive(Debug, Clone)]
pub struct Home {
    path: PathBuf,
}

/// A secret word; shown in no log.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one, from the system's randomness.
    pub fn generate() -> io::Result<Self> {
        use base64::Engine as _;
        let mut bytes = [0u8; 24];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Compares in constant time.
    pub fn matches(&self, candidate: &str) -> bool {
        use subtle::ConstantTimeEq as _;
        self.0.as_bytes().ct_eq(candidate.as_bytes()).into()
    }

    /// Whether a text holds it. Each place takes as long as any other.
    pub(crate) fn is_within(&self, text: &str) -> bool {
        use subtle::ConstantTimeEq as _;
        let own = self.0.as_bytes();
        text.as_bytes().windows(own.len().max(1)).any(|part| own.ct_eq(part).into())
    }

    /// The word itself, to show to its owner or to send.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The folder, or something in it, can't be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// The platform names no folder for configuration.
    #[error("no home folder was found; set OUTRIGGER_HOME to a folder of your own")]
    NoFolder,
    /// Can't be made.
    #[error(
        "the folder {path} can't be made or used: {source}. Set OUTRIGGER_HOME to one that can"
    )]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Can't be read.
    #[error(
        "{path} can't be read: {source}. Make it readable for yourself, or remove it and a new one is made"
    )]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Has nothing in it.
    #[error("{path} is empty. Remove it and a new one is made")]
    Empty {
        /// Which.
        path: PathBuf,
    },
    /// Can't be written.
    #[error("{path} can't be written: {source}")]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The two tokens of a home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// What an extension shows.
    Pairing,
    /// What an agent's process shows.
    Agent,
}

impl TokenKind {
    fn file(self) -> &'static str {
        match self {
            TokenKind::Pairing => "pairing-token",
            TokenKind::Agent => "agent-token",
        }
    }
}

impl Home {
    /// `OUTRIGGER_HOME`, or the platform's folder for configuration.
    pub fn locate() -> Result<Self, HomeError> {
        if let Some(path) = std::env::var_os("OUTRIGGER_HOME").filter(|path| !path.is_empty()) {
            return Ok(Home { path: path.into() });
        }
        use etcetera::BaseStrategy as _;
        let base = etcetera::choose_base_strategy().map_err(|_| HomeError::NoFolder)?;
        Ok(Home { path: base.config_dir().join("outrigger") })
    }

    /// A home at a place of one's choosing.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Home { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a token is kept.
    pub fn token_path(&self, kind: TokenKind) -> PathBuf {
        self.path.join(kind.file())
    }

    /// Where what the user decided and what was done is kept.
    pub fn store_path(&self) -> PathBuf {
        self.path.join("outrigger.db")
    }

    /// Where a hub that runs in the background writes its log.
    pub fn log_path(&self) -> PathBuf {
        self.path.join("hub.log")
    }

    /// Where the extension origins are listed that may pair beside ours.
    pub fn origins_path(&self) -> PathBuf {
        self.path.join("paired-origins")
    }

    /// Where launched browsers have their throw-away folders.
    pub fn launched_path(&self) -> PathBuf {
        self.path.join("launched")
    }

    /// Where launched browsers save what they download.
    pub fn downloads_path(&self) -> PathBuf {
        self.path.join("downloads")
    }

    /// Makes the folder, for its owner only.
    pub fn prepare(&self) -> Result<(), HomeError> {
        let failed = |source| HomeError::Folder { path: self.path.clone(), source };
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.path).map_err(failed)
    }

    /// The token, made if there is none; and whether it is new.
    pub fn token(&self, kind: TokenKind) -> Result<(Token, bool), HomeError> {
        let path = self.token_path(kind);
        if let Some(token) = self.existing_token(kind)? {
            return Ok((token, false));
        }
        self.prepare()?;
        let failed = |source| HomeError::Unwritable { path: path.clone(), source };
        let token = Token::generate().map_err(failed)?;
        let file = self.secret_file(&token).map_err(failed)?;
        // Two processes may start at once: the first one's token stays.
        match file.persist_noclobber(&path) {
            Ok(_) => Ok((token, true)),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                let token = self.existing_token(kind)?;
                token.map(|token| (token, false)).ok_or(HomeError::Empty { path })
            }
            Err(error) => Err(failed(error.error)),
        }
    }

    /// The token if there is one.
    pub fn existing_token(&self, kind: TokenKind) -> Result<Option<Token>, HomeError> {
        let path = self.token_path(kind);
        match fs::read_to_string(&path) {
            Ok(text) if text.trim().is_empty() => Err(HomeError::Empty { path }),
            Ok(text) => Ok(Some(Token(text.trim().to_owned()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(HomeError::Unreadable { path, source }),
        }
    }

    /// When the token was made, in milliseconds since the epoch, as far as is known.
    pub fn token_made_at(&self, kind: TokenKind) -> Option<i64> {
        let modified = fs::metadata(self.token_path(kind)).ok()?.modified().ok()?;
        let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok()
    }

    /// Replaces the token with a new one.
    pub fn rotate_token(&self, kind: TokenKind) -> Result<Token, HomeError> {
        self.prepare()?;
        let path = self.token_path(kind);
        let failed = |source| HomeError::Unwritable { path: path.clone(), source };
        let token = Token::generate().map_err(failed)?;
        let file = self.secret_file(&token).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(token)
    }

    /// Extension origins that may pair beside our own.
    pub fn paired_origins(&self) -> Result<Vec<String>, HomeError> {
        let path = self.origins_path();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text
                .lines()
                .map(str::trim)
                .filter(|l| !l.is_empty())
                .map(str::to_owned)
                .collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(HomeError::Unreadable { path, source }),
        }
    }

    /// Lets an extension of another origin pair.
    pub fn add_paired_origin(&self, origin: &str) -> Result<(), HomeError> {
        self.prepare()?;
        let mut origins = self.paired_origins()?;
        if !origins.iter().any(|known| known == origin) {
            origins.push(origin.to_owned());
        }
        let path = self.origins_path();
        fs::write(&path, origins.join("\n") + "\n")
            .map_err(|source| HomeError::Unwritable { path, source })
    }

    /// A temporary file is made with mode 0600 and keeps it when it is renamed.
    fn secret_file(&self, token: &Token) -> io::Result<tempfile::NamedTempFile> {
        let mut file = tempfile::NamedTempFile::new_in(&self.path)?;
        writeln!(file, "{}", token.reveal())?;
        file.as_file().sync_all()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("deep/home"));
        let (first, is_new) = home.token(TokenKind::Pairing).unwrap();
        assert!(is_new && first.reveal().len() == 32);
        let (second, is_new) = home.token(TokenKind::Pairing).unwrap();
        assert!(!is_new && first == second);
        assert_ne!(home.token(TokenKind::Agent).unwrap().0, first);
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&home.token_path(TokenKind::Pairing)), 0o600);
        assert_eq!(mode(home.path()), 0o700);
        assert_ne!(home.rotate_token(TokenKind::Pairing).unwrap(), first);
        assert_eq!(mode(&home.token_path(TokenKind::Pairing)), 0o600);
    }

    #[test]
    fn a_token_that_cannot_be_read_is_named_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        // A folder in its place can't be read as a file, not even by root.
        fs::create_dir(home.token_path(TokenKind::Pairing)).unwrap();
        let error = home.token(TokenKind::Pairing).unwrap_err().to_string();
        assert!(error.contains("pairing-token can't be read"), "{error}");
        fs::write(home.token_path(TokenKind::Agent), "\n").unwrap();
        let error = home.token(TokenKind::Agent).unwrap_err().to_string();
        assert!(error.contains("is empty"), "{error}");
    }

    #[test]
    fn a_token_shows_itself_to_no_log() {
        assert_eq!(format!("{:?}", Token("secret".into())), "Token(…)");
    }
}
