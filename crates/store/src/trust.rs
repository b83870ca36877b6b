//! The user's lists of sites. What follows from them, the guard says. Table
//! `domain_trust`.

use outrigger_guard::trust::listed_domain;

use crate::error::StoreError;
use crate::owner::Owner;
use crate::store::Store;

const TABLE: &str = "domain_trust";

/// On which list a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The user trusts it.
    Trusted,
    /// No agent is to go there.
    Blocked,
}

impl Standing {
    /// As it is written on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Trusted => "trusted",
            Standing::Blocked => "blocked",
        }
    }

    /// Back from that.
    pub fn parse(text: &str) -> Option<Self> {
        [Standing::Trusted, Standing::Blocked].into_iter().find(|own| own.as_str() == text)
    }
}

/// A site on one of the lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDomain {
    /// In its ASCII form. All that is below it is listed with it.
    pub domain: String,
    /// On which.
    pub standing: Standing,
    /// Milliseconds since the epoch.
    pub updated_at: i64,
}

impl Store {
    /// All sites that an owner listed.
    pub async fn trust(&self, owner: &Owner) -> Result<Vec<ListedDomain>, StoreError> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT domain, standing, updated_at FROM domain_trust \
             WHERE user_id = $1 AND workspace_id = $2 ORDER BY domain",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .fetch_all(self.readers())
        .await
        .map_err(self.fails())?;
        let listed = rows.into_iter().map(|(domain, standing, updated_at)| {
            let bad = |value: &str| self.bad_row(TABLE, &format!("it says {value:?}"));
            if listed_domain(&domain).as_deref() != Some(domain.as_str()) {
                return Err(bad(&domain));
            }
            let standing = Standing::parse(&standing).ok_or_else(|| bad(&standing))?;
            Ok(ListedDomain { domain, standing, updated_at })
        });
        listed.collect()
    }

    /// Lists a site, as people write its name. It is on one list at a time.
    pub async fn put_trust(
        &self,
        owner: &Owner,
        name: &str,
        standing: Standing,
        updated_at: i64,
    ) -> Result<(), StoreError> {
        let domain = wanted_domain(name)?;
        let mut writing = self.write().await?;
        sqlx::query(
            "INSERT INTO domain_trust (user_id, workspace_id, domain, standing, updated_at) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, workspace_id, domain) \
             DO UPDATE SET standing = excluded.standing, updated_at = excluded.updated_at",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(domain)
        .bind(standing.as_str())
        .bind(updated_at)
        .execute(&mut *writing)
        .await
        .map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())
    }

    /// Takes a site off its list. Says whether it was on one.
    pub async fn remove_trust(&self, owner: &Owner, name: &str) -> Result<bool, StoreError> {
        let domain = wanted_domain(name)?;
        let mut writing = self.write().await?;
        let removed = sqlx::query(
            "DELETE FROM domain_trust WHERE user_id = $1 AND workspace_id = $2 AND domain = $3",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(domain)
        .execute(&mut *writing)
        .await
        .map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())?;
        Ok(removed.rows_affected() > 0)
    }
}

/// The guard leaves out what is no name of a site; a name that the user meant to
/// block must not be lost like that, so it is refused here.
fn wanted_domain(name: &str) -> Result<String, StoreError> {
    listed_domain(name).ok_or_else(|| StoreError::BadDomain { name: name.to_owned() })
}
