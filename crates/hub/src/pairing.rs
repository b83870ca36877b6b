//! Who a handshake proves to be: an extension that a person paired, or a
//! browser that this hub launched itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use outrigger_guard::Profile;
use outrigger_protocol::link::Handshake;

use crate::home::{Home, Token, TokenKind};

/// Checks credentials of handshakes.
pub(crate) struct Pairing {
    home: Home,
    launches: Mutex<HashMap<u64, Launch>>,
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

impl Pairing {
    pub(crate) fn new(home: Home) -> Self {
        Pairing { home, launches: Mutex::default() }
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
    pub(crate) fn prove(&self, handshake: &Handshake) -> Option<Proof> {
        let candidate = handshake.pairing_token.as_deref()?;
        if let Some(proof) = self.prove_launch(candidate, &handshake.client_id) {
            return Some(proof);
        }
        // Read anew each time: `outrigger pair --rotate` takes effect at once.
        match self.home.existing_token(TokenKind::Pairing) {
            Ok(Some(token)) if token.matches(candidate) => {
                Some(Proof { profile: Profile::Personal, reserved_for: None, launch: None })
            }
            Ok(_) => None,
            Err(error) => {
                tracing::error!(%error, "no extension can pair");
                None
            }
        }
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
            capabilities: Vec::new(),
            browser: Default::default(),
            extension_version: String::new(),
            tabs: Vec::new(),
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
        let prove = |client| pairing.prove(&handshake(client, Some(token.reveal())));
        assert_eq!(prove("a").unwrap().profile, Profile::ThrowAway);
        assert!(prove("a").is_some(), "the same browser may reconnect");
        assert_eq!(prove("b"), None);
        pairing.forget_launch(1);
        assert_eq!(prove("a"), None);
    }

    #[test]
    fn a_rotated_pairing_token_counts_from_the_next_handshake_on() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let (old, _) = home.token(TokenKind::Pairing).unwrap();
        let pairing = Pairing::new(home.clone());
        let prove = |token: &str| pairing.prove(&handshake("a", Some(token)));
        assert_eq!(prove(old.reveal()).unwrap().profile, Profile::Personal);
        home.rotate_token(TokenKind::Pairing).unwrap();
        assert_eq!(prove(old.reveal()), None);
        assert_eq!(prove(""), None);
        assert_eq!(pairing.prove(&handshake("a", None)), None);
    }
}
