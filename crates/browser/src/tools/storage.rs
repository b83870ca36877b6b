//! `browser_storage`: what a page keeps in its local and session storage.
//! Values are told one by one, by name.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::PageFunction;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::page_state::{StorageAccess, StorageArea, StorageArgs, Stored};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::page::{host, page_of};

use super::entries::entry;

/// `browser_storage`.
pub(super) struct Storage(pub(super) Arc<Desk>);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum StorageAction {
    #[default]
    List,
    Set,
    Delete,
    Clear,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StorageParams {
    /// Default: local.
    area: Option<StorageArea>,
    /// Default: list.
    action: Option<StorageAction>,
    /// Which entry. In a list: show its value.
    key: Option<String>,
    /// For set.
    value: Option<String>,
}

impl StorageParams {
    /// What is wanted, if it makes sense.
    fn access(&self) -> Result<StorageAccess, &'static str> {
        match (self.action.unwrap_or_default(), self.key.clone(), self.value.clone()) {
            (StorageAction::List, None, None) => Ok(StorageAccess::List),
            (StorageAction::List, Some(key), None) => Ok(StorageAccess::Get { key }),
            (StorageAction::Set, Some(key), Some(value)) => Ok(StorageAccess::Set { key, value }),
            (StorageAction::Delete, Some(key), None) => Ok(StorageAccess::Delete { key }),
            (StorageAction::Clear, None, None) => Ok(StorageAccess::Clear),
            (StorageAction::List, ..) => Err("only `set` takes a `value`"),
            (StorageAction::Set, ..) => Err("`set` takes a `key` and a `value`"),
            (StorageAction::Delete, ..) => Err("`delete` takes a `key` and no `value`"),
            (StorageAction::Clear, ..) => Err("`clear` empties all of it and takes nothing more"),
        }
    }
}

impl Tool for Storage {
    type Params = StorageParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<StorageParams>(
            "browser_storage",
            "The page's local or session storage: list it, show one value by key, set, delete, clear.",
            RiskLevel::Act,
            ToolSet::Full(Family::Storage),
        )
    }

    async fn aim(
        &self,
        params: &StorageParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        let access = params.access();
        let access = access.map_err(|problem| invalid(&self.definition(), problem.to_owned()))?;
        let key =
            if reads(&access) { PermissionKey::ReadStorage } else { PermissionKey::WriteStorage };
        Ok(self.0.aim(at, key).await?)
    }

    async fn execute(&self, call: Authorized<StorageParams, TabTarget>) -> Result<Reply, Fault> {
        let access = call.params.access();
        let access = access.map_err(|problem| invalid(&self.definition(), problem.to_owned()))?;
        let page = page_of(&self.0, &call, !reads(&access)).await?;
        let args = StorageArgs {
            origin: page.origin().to_string(),
            area: call.params.area.unwrap_or_default(),
            access: access.clone(),
        };
        let stored: Stored = page.ask(PageFunction::Storage, args).await?;
        let domain = host(&page.facts()?.url);
        Ok(match access {
            StorageAccess::Get { .. } => {
                Reply::default().page(domain, stored.value.unwrap_or_default())
            }
            StorageAccess::List if stored.entries.is_empty() => Reply::said("It is empty."),
            StorageAccess::List => Reply::default()
                .page(domain, lines(&stored))
                .and_said("Values are shown one by one, by key."),
            StorageAccess::Set { .. } => Reply::said("Stored it."),
            StorageAccess::Delete { .. } => Reply::said("Deleted it."),
            StorageAccess::Clear => Reply::said("Emptied it."),
        })
    }
}

fn reads(access: &StorageAccess) -> bool {
    matches!(access, StorageAccess::List | StorageAccess::Get { .. })
}

fn lines(stored: &Stored) -> String {
    let line = |(key, letters): &(String, u32)| entry(&format!("{key} ({letters} letters)"));
    stored.entries.iter().map(line).collect::<Vec<_>>().join("\n")
}
