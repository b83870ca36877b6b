//! What clients can follow by an address, and that they are told of it. Whoever follows
//! is told that something changed, and reads it then; many changes may be told as one, so
//! that nobody who is slow holds anybody up.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::records::{RecordId, Selector};
use outrigger_records::schemas::PAGE_CONTEXT;
use outrigger_records::{After, Delivery, RecordsError, Subscription};
use outrigger_store::records::RecordError;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::records::{HubRecords, NoRecords};

/// The most that one client follows at once.
pub(crate) const MOST_FOLLOWED: usize = 64;

/// Between two attempts to follow what could not be followed for the moment.
const PAUSE: Duration = Duration::from_secs(1);

const ACTIVE: &str = "outrigger://context/active";
const RECORDS: &str = "outrigger://records/";

/// What has an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// What the user looks at.
    ActiveContext,
    /// A record.
    Record(RecordId),
}

impl Resource {
    /// What an address leads to, if it is one.
    pub fn parse(address: &str) -> Option<Self> {
        if address == ACTIVE {
            return Some(Resource::ActiveContext);
        }
        address.strip_prefix(RECORDS).and_then(RecordId::parse).map(Resource::Record)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::ActiveContext => f.write_str(ACTIVE),
            Resource::Record(id) => write!(f, "{RECORDS}{id}"),
        }
    }
}

/// Why something can't be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unfollowable {
    /// Stable, for programs.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
}

/// Somebody follows something. Dropping it ends that.
pub struct Following {
    changes: mpsc::Receiver<()>,
    _end: DropGuard,
}

impl Following {
    /// Waits for a change. False: there will be none.
    pub async fn changed(&mut self) -> bool {
        self.changes.recv().await.is_some()
    }

    /// One whose changes come from elsewhere, and what is cancelled with it.
    pub(crate) fn from_elsewhere(changes: mpsc::Receiver<()>) -> (Self, CancellationToken) {
        let end = CancellationToken::new();
        (Following { changes, _end: end.clone().drop_guard() }, end)
    }

    /// Follows it in this hub's records.
    pub(crate) async fn start(
        records: Arc<HubRecords>,
        resource: Resource,
    ) -> Result<Self, Unfollowable> {
        records.permit(PermissionKey::ReadRecords).map_err(|denial| Unfollowable {
            code: ErrorCode::NotAllowed,
            message: format!("{denial}."),
        })?;
        let subscription =
            subscribe(&records, &resource).await.map_err(|error| unfollowable(&error))?;
        let (told, changes) = mpsc::channel(1);
        let (following, end) = Following::from_elsewhere(changes);
        let keeping = keep(records.clone(), resource, subscription, told);
        tokio::spawn(async move {
            tokio::select! {
                () = end.cancelled() => {}
                () = records.denied(PermissionKey::ReadRecords) => {}
                () = keeping => {}
            }
        });
        Ok(following)
    }
}

fn unfollowable(error: &NoRecords) -> Unfollowable {
    let code = match error {
        NoRecords::Records(RecordsError::Store(RecordError::NotFound { .. })) => {
            ErrorCode::NotFound
        }
        _ => ErrorCode::NoRecords,
    };
    Unfollowable { code, message: format!("{error}.") }
}

async fn subscribe(hub: &HubRecords, resource: &Resource) -> Result<Subscription, NoRecords> {
    let records = hub.get().await?;
    let schema_name = match resource {
        Resource::ActiveContext => PAGE_CONTEXT.to_owned(),
        Resource::Record(id) => records.read(&hub.owner, id).await?.schema_name,
    };
    let selector = Selector { schema_name: Some(schema_name), ..Selector::default() };
    Ok(records.subscribe(&hub.owner, vec![selector], After::Now).await?)
}

/// Tells of changes for as long as it may and somebody listens.
async fn keep(
    hub: Arc<HubRecords>,
    resource: Resource,
    mut subscription: Subscription,
    told: mpsc::Sender<()>,
) {
    loop {
        let is_about_it = match subscription.next().await {
            Ok(Some(Delivery::Event { event, .. })) => match &resource {
                Resource::ActiveContext => true,
                Resource::Record(id) => event.id == *id,
            },
            // What was missed is a change as well.
            Ok(Some(Delivery::Gap { .. })) => true,
            Ok(None) => {
                if hub.shutdown.is_cancelled() {
                    return;
                }
                match subscribe(&hub, &resource).await {
                    Ok(again) => subscription = again,
                    Err(error) if unfollowable(&error).code == ErrorCode::NotFound => return,
                    Err(_) => tokio::time::sleep(PAUSE).await,
                }
                true
            }
            Err(error) => {
                tracing::debug!(code = error.code(), "a resource can't be followed for the moment");
                tokio::time::sleep(PAUSE).await;
                false
            }
        };
        if !is_about_it {
            continue;
        }
        // What was allowed when it began may be denied since.
        let is_allowed = hub.permit(PermissionKey::ReadRecords).is_ok();
        // A change that waits to be told stands for this one, too.
        if !is_allowed || matches!(told.try_send(()), Err(mpsc::error::TrySendError::Closed(()))) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_it_was_written_and_nothing_else_is_one() {
        let id = RecordId::of_bits(7);
        for resource in [Resource::ActiveContext, Resource::Record(id)] {
            assert_eq!(Resource::parse(&resource.to_string()), Some(resource));
        }
        for text in ["", "outrigger://context", "outrigger://records/", "outrigger://records/a/b"] {
            assert_eq!(Resource::parse(text), None, "{text}");
        }
    }
}
