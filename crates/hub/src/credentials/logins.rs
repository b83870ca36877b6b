//! Logins of extensions: how one begins and goes on, and what ends it.

use std::time::Instant;

use outrigger_dispatch::journal::NotKept;
use outrigger_guard::Scope;
use outrigger_store::extension_sessions::{Family, Refreshed, RevocationReason, TokenPair};

use super::{Credential, Credentials, Holder};
use crate::extension_files::own_origin;
use crate::home::TokenKind;
use crate::memory::{not_kept, now_ms};
use crate::pairing::LOOK_AGAIN;

impl Credentials {
    /// The login that an access token belongs to.
    pub(crate) async fn check_access(&self, word: &str) -> Result<Option<Family>, NotKept> {
        self.withdraw_logins().await?;
        let (store, _) = self.memory.owned()?;
        store.check_access(word, now_ms()).await.map_err(not_kept)
    }

    /// The credential of a login, which outlives its access tokens.
    pub(crate) fn of_family(&self, family: &Family) -> Credential {
        let holder = Holder::Extension(family.id.clone());
        let is_own_extension = family.extension_origin == own_origin();
        Credential { is_own_extension, ..self.credential(holder, Scope::Read, None) }
    }

    /// Begins a login of an extension that has shown the pairing token. An earlier
    /// one of the same browser ends: nobody is left who would use it.
    pub(crate) async fn begin_login(
        &self,
        origin: &str,
        client_id: &str,
        pairing_token: &str,
    ) -> Result<TokenPair, NotKept> {
        let (store, owner) = self.memory.owned()?;
        for earlier in self.logins().await? {
            let is_same = earlier.extension_origin == origin && earlier.instance == client_id;
            if is_same && earlier.revoked.is_none() {
                self.end_login(&earlier.id, RevocationReason::Withdrawn).await?;
            }
        }
        let begun = store.begin_family(owner, origin, client_id, pairing_token, now_ms()).await;
        begun.map_err(not_kept)
    }

    /// A new pair for a refresh token. If that was used before, one of two who have
    /// it is not the extension, and whatever lives by the login ends.
    pub(crate) async fn refresh(&self, word: &str) -> Result<Refreshed, NotKept> {
        self.withdraw_logins().await?;
        let (store, _) = self.memory.owned()?;
        let refreshed = store.refresh(word, now_ms()).await.map_err(not_kept)?;
        if let Refreshed::Reused { family } = &refreshed {
            tracing::warn!(family, "a refresh token was used twice; the login has ended");
            self.end(&Holder::Extension(family.clone()));
        }
        Ok(refreshed)
    }

    /// Notes a refresh token that is none. True where too many were shown.
    pub(crate) fn is_guessed_at(&self, word: &str) -> bool {
        let now = Instant::now();
        if self.lockout.is_shut(now) {
            return true;
        }
        if self.lockout.note_wrong(word, now) {
            tracing::warn!("too many wrong refresh tokens; others are not judged for a minute");
        }
        false
    }

    /// Ends a login, and whatever lives by it.
    pub(crate) async fn end_login(
        &self,
        family: &str,
        why: RevocationReason,
    ) -> Result<(), NotKept> {
        let (store, owner) = self.memory.owned()?;
        store.revoke_family(owner, family, why, now_ms()).await.map_err(not_kept)?;
        self.end(&Holder::Extension(family.to_owned()));
        Ok(())
    }

    /// Ends the logins that were begun with another pairing token than the one of
    /// now: whoever makes a new one shuts out all who had the old.
    async fn withdraw_logins(&self) -> Result<(), NotKept> {
        for login in self.logins().await? {
            if login.revoked.is_none() && self.is_outdated(&login) {
                self.end_login(&login.id, RevocationReason::Withdrawn).await?;
            }
        }
        Ok(())
    }

    /// Whether there is another pairing token than the one that a login was begun with.
    /// Of one from before that was noted, the times say it.
    fn is_outdated(&self, login: &Family) -> bool {
        let token = self.home.existing_token(TokenKind::Pairing).ok().flatten();
        match token.and_then(|token| login.was_begun_with(token.reveal())) {
            Some(is_of_this_one) => !is_of_this_one,
            None => {
                let made_at = self.home.token_made_at(TokenKind::Pairing);
                login.created_at < made_at.unwrap_or(i64::MAX)
            }
        }
    }

    /// Ends the logins of an older pairing token as soon as there is another one. Comes
    /// back when that one is among them.
    pub(crate) async fn outdated(&self, login: &Family) {
        loop {
            // A file that can't be seen for a moment ends nothing.
            let is_there = self.home.token_made_at(TokenKind::Pairing).is_some();
            if is_there && self.is_outdated(login) {
                match self.withdraw_logins().await {
                    Ok(()) => return,
                    Err(error) => tracing::error!(%error, "no login can be ended"),
                }
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Whether a login ended since somebody else may have its tokens.
    pub(crate) async fn was_reused(&self, login: &Credential) -> bool {
        let Holder::Extension(id) = &login.holder else { return false };
        let logins = self.logins().await.unwrap_or_default();
        let revoked = logins.iter().find(|family| family.id == *id).and_then(|one| one.revoked);
        revoked.is_some_and(|(_, why)| why == RevocationReason::Reused)
    }

    /// All logins, those that have ended included.
    pub(crate) async fn logins(&self) -> Result<Vec<Family>, NotKept> {
        let (store, owner) = self.memory.owned()?;
        store.families(owner).await.map_err(not_kept)
    }
}
