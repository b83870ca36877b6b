//! What the user decided for good, in the extension's own pages: shown there, and
//! taken back by the user's own press, so that nobody is asked once more.

use std::sync::Arc;

use outrigger_browser::desk::{RuleBook, RuleChange};
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::change::PolicyChange;
use outrigger_guard::pattern::BadPattern;
use outrigger_guard::trust::{Trust, listed_domain};
use outrigger_protocol::helm::{Rules, SiteList};

use crate::change_log::{Author, Sanction};
use crate::memory::Memory;

/// The memory, as the user sees it.
pub(crate) struct UsersBook(pub(crate) Arc<Memory>);

impl RuleBook for UsersBook {
    fn rules(&self) -> Rules {
        self.0.known()
    }

    fn change(&self, change: RuleChange) {
        let memory = self.0.clone();
        tokio::spawn(async move {
            let changed = match change {
                RuleChange::Forget { tools, origins } => forget(&memory, &tools, &origins).await,
                RuleChange::List { domain, list } => list_site(&memory, &domain, list).await,
            };
            if let Err(reason) = changed {
                tracing::warn!(%reason, "what the user decided stays as it is");
            }
        });
    }
}

/// Why what the user pressed changes nothing.
#[derive(Debug, thiserror::Error)]
enum Unchanged {
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    #[error("{0:?} is no name of a site")]
    Domain(String),
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

async fn forget(memory: &Memory, tools: &str, origins: &str) -> Result<(), Unchanged> {
    let (tools, origins) = (tools.parse()?, origins.parse()?);
    let change = PolicyChange::Remove { tools, origins };
    memory.change_policies(&Author::user(), vec![change], Sanction::Pressed).await?;
    Ok(())
}

async fn list_site(memory: &Memory, name: &str, list: Option<SiteList>) -> Result<(), Unchanged> {
    let domain = listed_domain(name).ok_or_else(|| Unchanged::Domain(name.to_owned()))?;
    let trust = match list {
        Some(SiteList::Trusted) => Trust::Trusted,
        Some(SiteList::Blocked) => Trust::Blocked,
        None => Trust::Unknown,
    };
    memory.change_trust(&Author::user(), &domain, trust, Sanction::Pressed).await?;
    Ok(())
}
