//! Logins of extensions. Each begins a family of tokens: an access token that
//! lives shortly, and a refresh token that is good for one new pair. Whoever shows
//! a refresh token that was used already has a copy of it, and one of the two
//! holders isn't the extension; so the whole family ends. Tables
//! `extension_sessions` and `spent_refresh_tokens`.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::clock;
use crate::error::StoreError;
use crate::owner::Owner;
use crate::secret::{Secret, hash_of, random_text};
use crate::store::{Store, misread, refuse_long};

const TABLE: &str = "extension_sessions";
const ACCESS_PREFIX: &str = "otr_access_";
const REFRESH_PREFIX: &str = "otr_refresh_";
/// How long an access token lives: 15 minutes.
pub const ACCESS_LIFETIME: i64 = 15 * 60 * 1000;
/// How long a refresh token lives: 30 days.
pub const REFRESH_LIFETIME: i64 = 30 * 24 * 60 * 60 * 1000;
/// The most bytes of what an extension says of itself.
const NAME_LIMIT: usize = 200;

/// Why a family ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevocationReason {
    /// The extension signed out.
    SignedOut,
    /// The user ended it from elsewhere.
    Withdrawn,
    /// A refresh token was used twice.
    Reused,
}

impl RevocationReason {
    /// All of them.
    pub const ALL: [RevocationReason; 3] =
        [RevocationReason::SignedOut, RevocationReason::Withdrawn, RevocationReason::Reused];

    /// As it is written on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            RevocationReason::SignedOut => "signed_out",
            RevocationReason::Withdrawn => "withdrawn",
            RevocationReason::Reused => "reused",
        }
    }

    /// Back from that.
    pub fn parse(text: &str) -> Option<Self> {
        RevocationReason::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

/// A login of an extension. Times are in milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Its name, which is no secret.
    pub id: String,
    /// Whose it is.
    pub owner: Owner,
    /// The extension's origin.
    pub extension_origin: String,
    /// Which of the browsers that have the extension.
    pub instance: String,
    /// When it began.
    pub created_at: i64,
    /// When its access token ends.
    pub access_expires_at: i64,
    /// When it ends, unless it is refreshed before.
    pub refresh_expires_at: i64,
    /// When and why it ended.
    pub revoked: Option<(i64, RevocationReason)>,
    /// What is stored of the pairing token that it was begun with.
    pairing_hash: Option<Vec<u8>>,
}

impl Family {
    /// Whether it was begun with that pairing token. Of one that is old enough, nobody
    /// knows.
    pub fn was_begun_with(&self, pairing_token: &str) -> Option<bool> {
        let hash = self.pairing_hash.as_ref()?;
        Some(*hash == hash_of(pairing_token))
    }
}

/// What an extension is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPair {
    /// The name of the family.
    pub family: String,
    /// For every request.
    pub access: Secret,
    /// From when on it is good for nothing.
    pub access_expires_at: i64,
    /// For the next pair, once.
    pub refresh: Secret,
    /// From when on it is good for nothing.
    pub refresh_expires_at: i64,
}

/// What became of a refresh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refreshed {
    /// A new pair; the old one is good for nothing any more.
    Rotated(TokenPair),
    /// It was used before. The family has ended.
    Reused {
        /// Which.
        family: String,
    },
    /// Nobody was given it, or long ago.
    Unknown,
    /// It was given too long ago.
    Expired,
    /// The family had ended.
    Revoked,
}

impl TokenPair {
    fn generate(family: String, time: i64) -> Result<Self, StoreError> {
        Ok(TokenPair {
            family,
            access: Secret::generate(ACCESS_PREFIX)?,
            access_expires_at: time.saturating_add(ACCESS_LIFETIME),
            refresh: Secret::generate(REFRESH_PREFIX)?,
            refresh_expires_at: time.saturating_add(REFRESH_LIFETIME),
        })
    }
}

impl Store {
    /// Begins a family, for an extension that the user let in with that pairing token.
    pub async fn begin_family(
        &self,
        owner: &Owner,
        extension_origin: &str,
        instance: &str,
        pairing_token: &str,
        now: i64,
    ) -> Result<TokenPair, StoreError> {
        refuse_long("the origin of the extension", extension_origin, NAME_LIMIT)?;
        refuse_long("the name of the instance", instance, NAME_LIMIT)?;
        let family = random_text::<12>()?;
        let mut writing = self.write().await?;
        let time = self.keep_time(&mut writing, now).await?;
        let pair = TokenPair::generate(family, time)?;
        sqlx::query(
            "INSERT INTO extension_sessions (family, user_id, workspace_id, extension_origin, \
             instance, created_at, issued_at, access_hash, access_expires_at, refresh_hash, \
             refresh_expires_at, pairing_hash) \
             VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11)",
        )
        .bind(&pair.family)
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(extension_origin)
        .bind(instance)
        .bind(time)
        .bind(pair.access.hash().to_vec())
        .bind(pair.access_expires_at)
        .bind(pair.refresh.hash().to_vec())
        .bind(pair.refresh_expires_at)
        .bind(hash_of(pairing_token).to_vec())
        .execute(&mut *writing)
        .await
        .map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())?;
        Ok(pair)
    }

    /// A new pair for a refresh token, if it is good for one.
    pub async fn refresh(&self, word: &str, now: i64) -> Result<Refreshed, StoreError> {
        let hash = hash_of(word).to_vec();
        let mut writing = self.write().await?;
        let time = self.keep_time(&mut writing, now).await?;
        let found = sqlx::query("SELECT * FROM extension_sessions WHERE refresh_hash = $1")
            .bind(&hash)
            .fetch_optional(&mut *writing)
            .await
            .map_err(self.fails())?;
        let refreshed = match found {
            None => match self.refuse_spent(&mut writing, &hash, time).await? {
                // Nothing is written for a word that anybody can make up.
                Refreshed::Unknown => return Ok(Refreshed::Unknown),
                reused => reused,
            },
            Some(row) => {
                let (family, issued_at) = family_of(&row).map_err(self.misreads(TABLE))?;
                let expires_at = Some(family.refresh_expires_at);
                if family.revoked.is_some() {
                    Refreshed::Revoked
                } else if !clock::is_alive(issued_at, expires_at, time) {
                    Refreshed::Expired
                } else {
                    let pair = TokenPair::generate(family.id.clone(), time)?;
                    rotate(&mut writing, &family, &hash, &pair, time)
                        .await
                        .map_err(self.fails())?;
                    Refreshed::Rotated(pair)
                }
            }
        };
        writing.commit().await.map_err(self.fails())?;
        Ok(refreshed)
    }

    /// Whose an access token is; nobody's, if it is expired or its family ended.
    pub async fn check_access(&self, word: &str, now: i64) -> Result<Option<Family>, StoreError> {
        let row = sqlx::query(
            "SELECT *, (SELECT latest FROM store_clock) AS kept FROM extension_sessions \
             WHERE access_hash = $1",
        )
        .bind(hash_of(word).to_vec())
        .fetch_optional(self.readers())
        .await
        .map_err(self.fails())?;
        let Some(row) = row else { return Ok(None) };
        let kept: i64 = row.try_get("kept").map_err(self.fails())?;
        let (family, issued_at) = family_of(&row).map_err(self.misreads(TABLE))?;
        let expires_at = Some(family.access_expires_at);
        let time = self.clock().time(now.max(kept));
        if clock::is_due(time, kept, expires_at) {
            let mut writing = self.write().await?;
            self.keep_time(&mut writing, time).await?;
            writing.commit().await.map_err(self.fails())?;
        }
        let is_good = family.revoked.is_none() && clock::is_alive(issued_at, expires_at, time);
        Ok(is_good.then_some(family))
    }

    /// Ends a family, from now on. Says whether there was one to end.
    pub async fn revoke_family(
        &self,
        owner: &Owner,
        family: &str,
        why: RevocationReason,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut writing = self.write().await?;
        let time = self.keep_time(&mut writing, now).await?;
        let revoked = revoke(&mut writing, owner, family, why, time).await.map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())?;
        Ok(revoked)
    }

    /// All families of an owner, those that ended included.
    pub async fn families(&self, owner: &Owner) -> Result<Vec<Family>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM extension_sessions WHERE user_id = $1 AND workspace_id = $2 \
             ORDER BY created_at, family",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .fetch_all(self.readers())
        .await
        .map_err(self.fails())?;
        let families = rows.iter().map(|row| family_of(row).map(|(family, _)| family));
        families.map(|family| family.map_err(self.misreads(TABLE))).collect()
    }

    /// A word that is no family's refresh token now. If it was one, the family ends.
    async fn refuse_spent(
        &self,
        connection: &mut SqliteConnection,
        hash: &[u8],
        time: i64,
    ) -> Result<Refreshed, StoreError> {
        let spent: Option<(String, String, String)> = sqlx::query_as(
            "SELECT family, user_id, workspace_id FROM spent_refresh_tokens WHERE hash = $1",
        )
        .bind(hash)
        .fetch_optional(&mut *connection)
        .await
        .map_err(self.fails())?;
        let Some((family, user, workspace)) = spent else { return Ok(Refreshed::Unknown) };
        let owner = Owner { user, workspace };
        revoke(connection, &owner, &family, RevocationReason::Reused, time)
            .await
            .map_err(self.fails())?;
        Ok(Refreshed::Reused { family })
    }
}

/// A family, and when it was given its tokens.
fn family_of(row: &SqliteRow) -> sqlx::Result<(Family, i64)> {
    let revoked_at: Option<i64> = row.try_get("revoked_at")?;
    let why: Option<String> = row.try_get("revoked_why")?;
    let why = why.unwrap_or_default();
    let reason = || RevocationReason::parse(&why).ok_or_else(|| misread(&why));
    let family = Family {
        id: row.try_get("family")?,
        owner: Owner { user: row.try_get("user_id")?, workspace: row.try_get("workspace_id")? },
        extension_origin: row.try_get("extension_origin")?,
        instance: row.try_get("instance")?,
        created_at: row.try_get("created_at")?,
        access_expires_at: row.try_get("access_expires_at")?,
        refresh_expires_at: row.try_get("refresh_expires_at")?,
        revoked: revoked_at.map(|at| reason().map(|why| (at, why))).transpose()?,
        pairing_hash: row.try_get("pairing_hash")?,
    };
    Ok((family, row.try_get("issued_at")?))
}

/// Puts a new pair in place of the old one. What was used is remembered until it
/// would have expired; after that it is as good as unknown.
async fn rotate(
    connection: &mut SqliteConnection,
    family: &Family,
    spent: &[u8],
    pair: &TokenPair,
    time: i64,
) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM spent_refresh_tokens WHERE family = $1 AND expires_at <= $2")
        .bind(&family.id)
        .bind(time)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO spent_refresh_tokens (hash, family, user_id, workspace_id, expires_at) \
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(spent)
    .bind(&family.id)
    .bind(&family.owner.user)
    .bind(&family.owner.workspace)
    .bind(family.refresh_expires_at)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE extension_sessions SET issued_at = $2, access_hash = $3, access_expires_at = $4, \
         refresh_hash = $5, refresh_expires_at = $6 WHERE family = $1",
    )
    .bind(&family.id)
    .bind(time)
    .bind(pair.access.hash().to_vec())
    .bind(pair.access_expires_at)
    .bind(pair.refresh.hash().to_vec())
    .bind(pair.refresh_expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The first reason stays.
async fn revoke(
    connection: &mut SqliteConnection,
    owner: &Owner,
    family: &str,
    why: RevocationReason,
    time: i64,
) -> sqlx::Result<bool> {
    let revoked = sqlx::query(
        "UPDATE extension_sessions SET revoked_at = $4, revoked_why = $5 \
         WHERE user_id = $1 AND workspace_id = $2 AND family = $3 AND revoked_at IS NULL",
    )
    .bind(&owner.user)
    .bind(&owner.workspace)
    .bind(family)
    .bind(time)
    .bind(why.as_str())
    .execute(connection)
    .await?;
    Ok(revoked.rows_affected() > 0)
}
