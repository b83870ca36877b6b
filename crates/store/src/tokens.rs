//! Tokens of the API: for scripts and programs, made by the user, with a scope.
//! Table `api_tokens`.

use std::time::Duration;

pub use outrigger_guard::Scope;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::clock;
use crate::error::StoreError;
use crate::owner::Owner;
use crate::secret::{Secret, hash_of};
use crate::store::{Store, misread, refuse_long};

const TABLE: &str = "api_tokens";
/// What all of them begin with, so that they are known where they leaked to.
const PREFIX: &str = "otr_";
/// The most bytes of a name.
pub const NAME_LIMIT: usize = 200;
/// How exactly it is known when a token was used: each note of it is a write.
const USE_NOTED_EVERY: i64 = 60_000;

/// What is known of a token. The token itself isn't.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenInfo {
    /// Never used for another one.
    pub id: i64,
    /// Whose it is.
    pub owner: Owner,
    /// What its owner calls it.
    pub name: String,
    /// What it is good for.
    pub scope: Scope,
    /// Milliseconds since the epoch, as all of these.
    pub created_at: i64,
    /// From when on it is good for nothing.
    pub expires_at: Option<i64>,
    /// Since when it was taken back.
    pub revoked_at: Option<i64>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<i64>,
}

/// Whether somebody shows a token who wants something by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Noted,
    None,
}

impl Store {
    /// Makes a token. Nobody can be told the secret again.
    pub async fn new_token(
        &self,
        owner: &Owner,
        name: &str,
        scope: Scope,
        lifetime: Option<Duration>,
        now: i64,
    ) -> Result<(TokenInfo, Secret), StoreError> {
        refuse_long("the name of the token", name, NAME_LIMIT)?;
        let secret = Secret::generate(PREFIX)?;
        let mut writing = self.write().await?;
        // In the store's time, or a token could be dead when it is made.
        let created_at = self.keep_time(&mut writing, now).await?;
        let expires_at = lifetime.map(|lifetime| {
            created_at.saturating_add(i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX))
        });
        let id = sqlx::query_scalar(
            "INSERT INTO api_tokens \
             (user_id, workspace_id, name, hash, scope, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(name)
        .bind(secret.hash().to_vec())
        .bind(scope.as_str())
        .bind(created_at)
        .bind(expires_at)
        .fetch_one(&mut *writing)
        .await
        .map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())?;
        let (owner, name) = (owner.clone(), name.to_owned());
        let (revoked_at, last_used_at) = (None, None);
        let info =
            TokenInfo { id, owner, name, scope, created_at, expires_at, revoked_at, last_used_at };
        Ok((info, secret))
    }

    /// All tokens of an owner, those that are good for nothing any more included.
    pub async fn tokens(&self, owner: &Owner) -> Result<Vec<TokenInfo>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM api_tokens WHERE user_id = $1 AND workspace_id = $2 ORDER BY id",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .fetch_all(self.readers())
        .await
        .map_err(self.fails())?;
        rows.iter().map(|row| token_of(row).map_err(self.misreads(TABLE))).collect()
    }

    /// Takes a token back, from now on. Says whether there was one to take back.
    pub async fn revoke_token(&self, owner: &Owner, id: i64, now: i64) -> Result<bool, StoreError> {
        let mut writing = self.write().await?;
        let time = self.keep_time(&mut writing, now).await?;
        let revoked = sqlx::query(
            "UPDATE api_tokens SET revoked_at = $4 \
             WHERE user_id = $1 AND workspace_id = $2 AND id = $3 AND revoked_at IS NULL",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(id)
        .bind(time)
        .execute(&mut *writing)
        .await
        .map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())?;
        Ok(revoked.rows_affected() > 0)
    }

    /// What a word is good for: nothing, unless it is a token that is neither
    /// expired nor revoked.
    pub async fn check_token(&self, word: &str, now: i64) -> Result<Option<TokenInfo>, StoreError> {
        let row = sqlx::query(
            "SELECT *, (SELECT latest FROM store_clock) AS kept FROM api_tokens WHERE hash = $1",
        )
        .bind(hash_of(word).to_vec())
        .fetch_optional(self.readers())
        .await
        .map_err(self.fails())?;
        self.judge_token(row, now, Use::Noted).await
    }

    /// What the token of that number is good for, the same way. It is not used by that.
    pub async fn check_token_of(
        &self,
        owner: &Owner,
        id: i64,
        now: i64,
    ) -> Result<Option<TokenInfo>, StoreError> {
        let row = sqlx::query(
            "SELECT *, (SELECT latest FROM store_clock) AS kept FROM api_tokens \
             WHERE user_id = $1 AND workspace_id = $2 AND id = $3",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(id)
        .fetch_optional(self.readers())
        .await
        .map_err(self.fails())?;
        self.judge_token(row, now, Use::None).await
    }

    async fn judge_token(
        &self,
        row: Option<SqliteRow>,
        now: i64,
        its_use: Use,
    ) -> Result<Option<TokenInfo>, StoreError> {
        let Some(row) = row else { return Ok(None) };
        let kept: i64 = row.try_get("kept").map_err(self.fails())?;
        let info = token_of(&row).map_err(self.misreads(TABLE))?;
        let time = self.clock().time(now.max(kept));
        let is_good =
            info.revoked_at.is_none() && clock::is_alive(info.created_at, info.expires_at, time);
        let is_use_due = |last: i64| time.saturating_sub(last) >= USE_NOTED_EVERY;
        let is_used = is_good && its_use == Use::Noted;
        let is_noted = is_used && info.last_used_at.is_none_or(is_use_due);
        if is_noted || clock::is_due(time, kept, info.expires_at) {
            let mut writing = self.write().await?;
            self.keep_time(&mut writing, time).await?;
            if is_noted {
                sqlx::query("UPDATE api_tokens SET last_used_at = $2 WHERE id = $1")
                    .bind(info.id)
                    .bind(time)
                    .execute(&mut *writing)
                    .await
                    .map_err(self.fails())?;
            }
            writing.commit().await.map_err(self.fails())?;
        }
        Ok(is_good.then_some(info))
    }
}

fn token_of(row: &SqliteRow) -> sqlx::Result<TokenInfo> {
    let scope: String = row.try_get("scope")?;
    Ok(TokenInfo {
        id: row.try_get("id")?,
        owner: Owner { user: row.try_get("user_id")?, workspace: row.try_get("workspace_id")? },
        name: row.try_get("name")?,
        scope: Scope::parse(&scope).ok_or_else(|| misread(&scope))?,
        created_at: row.try_get("created_at")?,
        expires_at: row.try_get("expires_at")?,
        revoked_at: row.try_get("revoked_at")?,
        last_used_at: row.try_get("last_used_at")?,
    })
}
