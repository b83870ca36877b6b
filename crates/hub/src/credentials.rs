//! Who a credential belongs to and what it is good for: the machine's own token,
//! the tokens that the user made, and the logins of extensions. Whatever lives by a
//! credential (a socket, a stream, a call) ends with it, so each one here says when
//! that is. Where credentials are shown, `gate.rs` and `extension_link.rs` know.

mod logins;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::Method;
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::Scope;
use outrigger_records::authors::MACHINE;
use outrigger_store::Secret;
use outrigger_store::tokens::TokenInfo;
use tokio_util::sync::CancellationToken;

use crate::home::{Home, Token};
use crate::lockout::Lockout;
use crate::memory::{Memory, not_kept, now_ms};
use crate::{rules_api, tokens_api};

/// What every token of the store begins with, and those of an extension's login.
pub(crate) const PREFIX: &str = "otr_";
const ACCESS_PREFIX: &str = "otr_access_";

/// Where a login is looked at and ended.
const LOGIN_ROUTE: &str = "/auth/session";

/// What sessions of a token are called by, and those of HTTP clients, which the hub
/// names itself.
const TOKEN_SESSION: &str = "token-";
pub(crate) const HTTP_SESSION: &str = "http-";

/// How often tokens that something lives by are looked at.
const LOOK_FOR_EXPIRED: Duration = Duration::from_secs(1);

/// What names of sessions begin with that the hub gives, or that mean the hub itself.
const RESERVED: [&str; 3] = ["outrigger:", TOKEN_SESSION, HTTP_SESSION];

/// A client chose a name for its session that is not for clients.
#[derive(Debug, thiserror::Error)]
#[error(
    "No session can be called {0:?}: names that begin with outrigger:, token- or http- are the \
     hub's own. Say hello with another one"
)]
pub(crate) struct ReservedName(String);

/// Whose a credential is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    /// Whoever can read the files of this machine's user.
    Machine,
    /// A program that the user made a token for, by the token's number.
    Token(i64),
    /// An extension, by its login.
    Extension(String),
}

impl Holder {
    /// Who is called that by [`Credential::holder_name`], and can act.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if name == MACHINE {
            return Some(Holder::Machine);
        }
        name.strip_prefix("token ")?.parse().ok().map(Holder::Token)
    }

    /// The name of an agent session of its own: one of a token is no other one's.
    pub(crate) fn own_session(&self, name: &str) -> String {
        match self {
            Holder::Token(id) => format!("{TOKEN_SESSION}{id}-{name}"),
            Holder::Machine | Holder::Extension(_) => name.to_owned(),
        }
    }
}

/// A credential that is good now.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    pub(crate) holder: Holder,
    pub(crate) scope: Scope,
    /// Of a login, whether it is of Outrigger's own extension.
    is_own_extension: bool,
    end: CancellationToken,
    /// How long it is good from when it was shown.
    lifetime: Option<Duration>,
}

impl Credential {
    /// Comes when it is good for nothing any more.
    pub(crate) async fn ended(&self) {
        match self.lifetime {
            None => self.end.cancelled().await,
            Some(lifetime) => tokio::select! {
                () = self.end.cancelled() => {}
                () = tokio::time::sleep(lifetime) => {}
            },
        }
    }

    /// Whether it is let in there at all. An extension's is for its login, and our own
    /// one's for what its pages show: it acts over its link.
    pub(crate) fn may_reach(&self, method: &Method, path: &str) -> bool {
        match &self.holder {
            Holder::Machine | Holder::Token(_) => true,
            Holder::Extension(_) => path == LOGIN_ROUTE || self.has_business(method, path),
        }
    }

    /// Whose it is, for people.
    pub(crate) fn holder_name(&self) -> String {
        match &self.holder {
            Holder::Machine => MACHINE.to_owned(),
            Holder::Token(id) => format!("token {id}"),
            Holder::Extension(_) => "extension".to_owned(),
        }
    }

    /// Whether it may see and change tokens and what the user decided. From a shell of
    /// this machine it may too: what loosens anything, the user is asked for.
    pub(crate) fn may_administer(&self, method: &Method, path: &str) -> bool {
        match &self.holder {
            Holder::Machine => true,
            Holder::Token(_) => self.scope == Scope::Admin,
            Holder::Extension(_) => self.has_business(method, path),
        }
    }

    fn has_business(&self, method: &Method, path: &str) -> bool {
        let is_business = match path {
            rules_api::PERMISSIONS | rules_api::TRUST => true,
            tokens_api::TOKENS => method == Method::GET,
            _ => false,
        };
        self.is_own_extension && is_business
    }

    /// The name of an agent session that its client chose.
    pub(crate) fn session_name(&self, said: &str) -> Result<String, ReservedName> {
        let is_reserved = RESERVED.iter().any(|reserved| said.starts_with(reserved));
        if is_reserved { Err(ReservedName(said.to_owned())) } else { Ok(self.own_session(said)) }
    }

    /// The name of an agent session under this credential.
    pub(crate) fn own_session(&self, name: &str) -> String {
        self.holder.own_session(name)
    }

    /// Whether it may pause, resume and stop that session. A shell of this machine may
    /// any, a program with a token its own.
    pub(crate) fn may_order(&self, session: &str) -> bool {
        match &self.holder {
            Holder::Machine => true,
            Holder::Token(_) => session.starts_with(&self.own_session("")),
            Holder::Extension(_) => false,
        }
    }
}

/// Knows every credential of this hub.
pub(crate) struct Credentials {
    machine: Token,
    home: Home,
    memory: Arc<Memory>,
    /// Ends what lives by a credential. One that was revoked stays here, so that
    /// whoever was let in a moment before ends too.
    ends: Mutex<HashMap<Holder, CancellationToken>>,
    /// Wrong refresh tokens.
    lockout: Lockout,
}

impl Credentials {
    pub(crate) fn new(machine: Token, home: Home, memory: Arc<Memory>) -> Self {
        Credentials { machine, home, memory, ends: Mutex::default(), lockout: Lockout::default() }
    }

    /// What a word is good for, if it is a credential. An error: nobody can know.
    pub(crate) async fn check(&self, word: &str) -> Result<Option<Credential>, NotKept> {
        if self.machine.matches(word) {
            return Ok(Some(self.credential(Holder::Machine, Scope::Act, None)));
        }
        if !word.starts_with(PREFIX) {
            return Ok(None);
        }
        if word.starts_with(ACCESS_PREFIX) {
            let family = self.check_access(word).await?;
            return Ok(family.map(|family| self.of_family(&family)));
        }
        let (store, _) = self.memory.owned()?;
        let now = now_ms();
        let Some(info) = store.check_token(word, now).await.map_err(not_kept)? else {
            return Ok(None);
        };
        let left = info.expires_at.map(|end| milliseconds(end.saturating_sub(now)));
        Ok(Some(self.credential(Holder::Token(info.id), info.scope, left)))
    }

    /// Makes a token. Nobody can be told the word again.
    pub(crate) async fn new_token(
        &self,
        name: &str,
        scope: Scope,
        lifetime: Option<Duration>,
    ) -> Result<(TokenInfo, Secret), NotKept> {
        let (store, owner) = self.memory.owned()?;
        store.new_token(owner, name, scope, lifetime, now_ms()).await.map_err(not_kept)
    }

    /// All tokens, those that are good for nothing any more included.
    pub(crate) async fn tokens(&self) -> Result<Vec<TokenInfo>, NotKept> {
        let (store, owner) = self.memory.owned()?;
        store.tokens(owner).await.map_err(not_kept)
    }

    /// Takes a token back. False: there is none. What lives by it ends with `end`.
    pub(crate) async fn revoke_token(&self, id: i64) -> Result<bool, NotKept> {
        let (store, owner) = self.memory.owned()?;
        store.revoke_token(owner, id, now_ms()).await.map_err(not_kept)
    }

    fn credential(&self, holder: Holder, scope: Scope, lifetime: Option<Duration>) -> Credential {
        let end = self.end_of(&holder);
        Credential { holder, scope, is_own_extension: false, end, lifetime }
    }

    /// Ends whatever lives by a credential.
    pub(crate) fn end(&self, holder: &Holder) {
        self.end_of(holder).cancel();
    }

    /// Whether what it wrote may still be carried out.
    pub(crate) async fn may_still_act(&self, author: &Holder) -> bool {
        let Holder::Token(id) = author else { return *author == Holder::Machine };
        let token = self.token(*id).await.ok().flatten();
        token.is_some_and(|info| info.scope >= Scope::Act)
    }

    /// The token of that number, if it is good for anything.
    async fn token(&self, id: i64) -> Result<Option<TokenInfo>, NotKept> {
        let (store, owner) = self.memory.owned()?;
        store.check_token_of(owner, id, now_ms()).await.map_err(not_kept)
    }

    /// Ends what lives by tokens that have expired, by the time that they are judged by:
    /// a clock may be set, and a machine sleeps while nothing here counts on.
    pub(crate) async fn end_expired(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_FOR_EXPIRED).await;
            for holder in self.living() {
                let Holder::Token(id) = holder else { continue };
                if self.has_expired(id).await.unwrap_or(false) {
                    self.end(&holder);
                }
            }
        }
    }

    /// What was revoked is ended by whoever does that, once it is answered.
    async fn has_expired(&self, id: i64) -> Result<bool, NotKept> {
        if self.token(id).await?.is_some() {
            return Ok(false);
        }
        let tokens = self.tokens().await?;
        Ok(tokens.iter().any(|info| info.id == id && info.revoked_at.is_none()))
    }

    fn living(&self) -> Vec<Holder> {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let living = ends.iter().filter(|(_, end)| !end.is_cancelled());
        living.map(|(holder, _)| holder.clone()).collect()
    }

    pub(crate) fn end_of(&self, holder: &Holder) -> CancellationToken {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.entry(holder.clone()).or_default().clone()
    }
}

fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}
