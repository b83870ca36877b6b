//! What the user decided for good: policies without an end. Those of a session
//! are the hub's to remember. Table `extension_tool_permissions`.

use outrigger_guard::change::PolicyChange;
use outrigger_guard::pattern::{OriginPattern, ToolPattern};
use outrigger_guard::policy::{Decision, Policy, Term};
use sqlx::SqliteConnection;

use crate::error::StoreError;
use crate::owner::Owner;
use crate::store::Store;

const TABLE: &str = "extension_tool_permissions";

impl Store {
    /// All policies of an owner. One that can't be read is an error: without a denial
    /// that is there, an allowance would count that doesn't.
    pub async fn policies(&self, owner: &Owner) -> Result<Vec<Policy>, StoreError> {
        let rows: Vec<(String, String, String, i64)> = sqlx::query_as(
            "SELECT tool_pattern, origin_pattern, decision, updated_at \
             FROM extension_tool_permissions WHERE user_id = $1 AND workspace_id = $2 \
             ORDER BY updated_at, id",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .fetch_all(self.readers())
        .await
        .map_err(self.fails())?;
        let policies = rows.iter().map(|(tools, origins, decision, updated_at)| {
            let decision = Decision::parse(decision)
                .filter(|decision| decision.is_lasting())
                .ok_or_else(|| self.bad_row(TABLE, &format!("{decision:?} doesn't last")))?;
            Policy::parse(tools, origins, decision.allows(), *updated_at)
                .map_err(|bad| self.bad_row(TABLE, &bad.to_string()))
        });
        policies.collect()
    }

    /// Writes a policy, in place of the one about the same if there is one.
    pub async fn put_policy(&self, owner: &Owner, policy: &Policy) -> Result<(), StoreError> {
        self.change_policies(owner, &[PolicyChange::Put(policy.clone())]).await
    }

    /// Writes and takes back policies, all of these or none.
    pub async fn change_policies(
        &self,
        owner: &Owner,
        changes: &[PolicyChange],
    ) -> Result<(), StoreError> {
        let mut writing = self.write().await?;
        for change in changes {
            match change {
                PolicyChange::Put(policy) => self.put(&mut writing, owner, policy).await?,
                PolicyChange::Remove { tools, origins } => {
                    self.remove(&mut writing, owner, tools, origins).await?;
                }
            }
        }
        writing.commit().await.map_err(self.fails())
    }

    async fn put(
        &self,
        writing: &mut SqliteConnection,
        owner: &Owner,
        policy: &Policy,
    ) -> Result<(), StoreError> {
        if let Term::Session(session) = &policy.term {
            return Err(StoreError::NotLasting { session: session.clone() });
        }
        let (tools, origins) = (policy.tools.to_string(), policy.origins.to_string());
        if tools.parse().as_ref() != Ok(&policy.tools) {
            return Err(StoreError::BadPattern { pattern: tools });
        }
        if origins.parse().as_ref() != Ok(&policy.origins) {
            return Err(StoreError::BadPattern { pattern: origins });
        }
        let decision = if policy.allows { Decision::AllowAlways } else { Decision::DenyAlways };
        sqlx::query(
            "INSERT INTO extension_tool_permissions \
             (user_id, workspace_id, tool_pattern, origin_pattern, decision, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (user_id, workspace_id, tool_pattern, origin_pattern) \
             DO UPDATE SET decision = excluded.decision, updated_at = excluded.updated_at",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(tools)
        .bind(origins)
        .bind(decision.as_str())
        .bind(policy.updated_at)
        .execute(writing)
        .await
        .map_err(self.fails())?;
        Ok(())
    }

    async fn remove(
        &self,
        writing: &mut SqliteConnection,
        owner: &Owner,
        tools: &ToolPattern,
        origins: &OriginPattern,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "DELETE FROM extension_tool_permissions WHERE user_id = $1 AND workspace_id = $2 \
             AND tool_pattern = $3 AND origin_pattern = $4",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(tools.to_string())
        .bind(origins.to_string())
        .execute(writing)
        .await
        .map_err(self.fails())?;
        Ok(())
    }
}
