//! Who a handshake proves to be: an extension that a person paired, or a
//! browser that this hub launched itself. After too many wrong pairing tokens
//! nobody new is listened to for a while; whoever has paired before is.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use outrigger_guard::Profile;
use outrigger_protocol::link::Handshake;

use crate::extension_files::own_origin;
use crate::home::{Home, HomeError, Token, TokenKind};
use crate::lockout::Lockout;

/// How often an open link looks whether the pairing token is another one.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Whether an extension of this origin may pair: ours, or one that the user named.
/// Read anew each time: `outrigger pair --origin` takes effect at once.
pub(crate) fn may_pair(home: &Home, origin: &str) -> Result<bool, HomeError> {
    Ok(origin == own_origin() || home.paired_origins()?.iter().any(|named| named == origin))
}

/// Checks credentials of handshakes.
pub(crate) struct Pairing {
    home: Home,
    launches: Mutex<HashMap<u64, Launch>>,
    /// Who has shown the pairing token, by origin and client id, which nobody
    /// else knows: a lockout must not keep them from coming back.
    paired: Mutex<HashSet<(String, String)>>,
    lockout: Lockout,
}

struct Launch {
    token: Token,
    session: Option<String>,
    /// Set by the first handshake with the token; nobody else can use it then.
    client_id: Option<String>,
}

/// What a credential proves.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub(crate) profile: Profile,
    pub(crate) reserved_for: Option<String>,
    /// Which launch it is from.
    pub(crate) launch: Option<u64>,
}

impl Proof {
    /// Of a browser that a person paired.
    pub(crate) fn personal() -> Self {
        Proof { profile: Profile::Personal, reserved_for: None, launch: None }
    }
}

/// Why a handshake proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unproven {
    WrongToken,
    /// Its token was not looked at.
    TooManyWrongTokens,
    /// Nobody can say whether it is right.
    NoMemory,
}

impl Pairing {
    pub(crate) fn new(home: Home) -> Self {
        let (launches, paired) = (Mutex::default(), Mutex::default());
        Pairing { home, launches, paired, lockout: Lockout::default() }
    }

    /// Expects a browser that is about to be launched with this token.
    pub(crate) fn expect_launch(&self, launch: u64, token: Token, session: Option<String>) {
        let mut launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        launches.insert(launch, Launch { token, session, client_id: None });
    }

    /// The launched browser is gone, and so is what it could prove.
    pub(crate) fn forget_launch(&self, launch: u64) {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner).remove(&launch);
    }

    /// What the handshake's credential proves, if anything.
    pub(crate) fn prove(&self, handshake: &Handshake, origin: &str) -> Result<Proof, Unproven> {
        let candidate = handshake.pairing_token.as_deref().ok_or(Unproven::WrongToken)?;
        // Not subject to the lockout: it is good for one browser that the hub is
        // waiting for, and that has nothing to protect.
        if let Some(proof) = self.prove_launch(candidate, &handshake.client_id) {
            return Ok(proof);
        }
        self.prove_pairing(candidate, &handshake.client_id, origin)?;
        Ok(Proof::personal())
    }

    /// Whether this is the pairing token.
    pub(crate) fn prove_pairing(
        &self,
        candidate: &str,
        client_id: &str,
        origin: &str,
    ) -> Result<(), Unproven> {
        let client = (origin.to_owned(), client_id.to_owned());
        // Held to the end, so that of many at once none is judged too many.
        let mut paired = self.paired.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lockout.is_shut(Instant::now()) && !paired.contains(&client) {
            return Err(Unproven::TooManyWrongTokens);
        }
        // Read anew each time: `outrigger pair --rotate` takes effect at once.
        let is_right = match self.home.existing_token(TokenKind::Pairing) {
            Ok(token) => token.is_some_and(|token| token.matches(candidate)),
            Err(error) => {
                tracing::error!(%error, "no extension can pair");
                return Err(Unproven::WrongToken);
            }
        };
        if is_right {
            paired.insert(client);
            return Ok(());
        }
        paired.remove(&client);
        Err(self.note_wrong(candidate))
    }

    /// Comes when that word is the pairing token no more.
    pub(crate) async fn withdrawn(&self, word: &str) {
        loop {
            // What can't be read is told at the next handshake; nobody is sent away for it.
            let now = self.home.existing_token(TokenKind::Pairing);
            if now.is_ok_and(|token| token.is_none_or(|token| !token.matches(word))) {
                return;
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Refuses a wrong access token. (A right one counts whatever was shown before.)
    pub(crate) fn refuse_access(&self, candidate: &str) -> Unproven {
        if self.lockout.is_shut(Instant::now()) {
            return Unproven::TooManyWrongTokens;
        }
        self.note_wrong(candidate)
    }

    fn note_wrong(&self, candidate: &str) -> Unproven {
        tracing::warn!("a handshake with a wrong token");
        if self.lockout.note_wrong(candidate, Instant::now()) {
            tracing::warn!("too many wrong pairing tokens; nobody new can pair for a minute");
        }
        Unproven::WrongToken
    }

    fn prove_launch(&self, candidate: &str, client_id: &str) -> Option<Proof> {
        let mut launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        let (id, launch) =
            launches.iter_mut().find(|(_, launch)| launch.token.matches(candidate))?;
        match &launch.client_id {
            Some(known) if known != client_id => return None,
            Some(_) => {}
            None => launch.client_id = Some(client_id.to_owned()),
        }
        let reserved_for = launch.session.clone();
        Some(Proof { profile: Profile::ThrowAway, reserved_for, launch: Some(*id) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handshake(client_id: &str, token: Option<&str>) -> Handshake {
        Handshake {
            protocol: 1,
            client_type: "extension".into(),
            client_id: client_id.into(),
            pairing_token: token.map(str::to_owned),
            access_token: None,
            capabilities: Vec::new(),
            browser: Default::default(),
            extension_version: String::new(),
            tabs: Vec::new(),
            window: None,
            memory: None,
            helm: 0,
        }
    }

    #[test]
    fn a_launch_token_serves_one_client_and_dies_with_its_browser() {
        let folder = tempfile::tempdir().unwrap();
        let pairing = Pairing::new(Home::at(folder.path()));
        let token = Token::generate().unwrap();
        pairing.expect_launch(1, token.clone(), Some("s".into()));
        let prove = |client| pairing.prove(&handshake(client, Some(token.reveal())), "");
        assert_eq!(prove("a").unwrap().profile, Profile::ThrowAway);
        assert!(prove("a").is_ok(), "the same browser may reconnect");
        assert_eq!(prove("b"), Err(Unproven::WrongToken));
        pairing.forget_launch(1);
        assert_eq!(prove("a"), Err(Unproven::WrongToken));
    }

    #[test]
    fn a_rotated_pairing_token_counts_from_the_next_handshake_on() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let (old, _) = home.token(TokenKind::Pairing).unwrap();
        let pairing = Pairing::new(home.clone());
        let prove = |token: &str| pairing.prove(&handshake("a", Some(token)), "");
        assert_eq!(prove(old.reveal()).unwrap().profile, Profile::Personal);
        home.rotate_token(TokenKind::Pairing).unwrap();
        let wrong = Err(Unproven::WrongToken);
        assert_eq!(prove(old.reveal()), wrong);
        assert_eq!(prove(""), wrong);
        assert_eq!(pairing.prove(&handshake("a", None), ""), wrong);
    }

    #[test]
    fn after_too_many_wrong_tokens_only_those_are_heard_who_paired_before() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let (right, _) = home.token(TokenKind::Pairing).unwrap();
        let pairing = Pairing::new(home);
        let prove = |client: &str, token: &str, origin: &str| {
            pairing.prove(&handshake(client, Some(token)), origin)
        };
        assert!(prove("friend", right.reveal(), "ours").is_ok());
        for number in 0..10 {
            let wrong = prove(&format!("c{number}"), &format!("t{number}"), &format!("o{number}"));
            assert_eq!(wrong, Err(Unproven::WrongToken), "{number}");
        }
        let locked = Err(Unproven::TooManyWrongTokens);
        for origin in ["", "ours", "theirs"] {
            assert_eq!(prove("stranger", right.reveal(), origin), locked);
        }
        assert_eq!(prove("friend", right.reveal(), "theirs"), locked, "a name is not enough");
        assert!(prove("friend", right.reveal(), "ours").is_ok());
        let launched = Token::generate().unwrap();
        pairing.expect_launch(1, launched.clone(), None);
        assert!(prove("new", launched.reveal(), "").is_ok(), "our own child is expected");
        // A name that was found out is good for one guess.
        assert_eq!(prove("friend", "guess", "ours"), Err(Unproven::WrongToken));
        assert_eq!(prove("friend", "guess again", "ours"), locked);
    }
}
