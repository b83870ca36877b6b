//! Reads the events of a store, one after the other, and has them told. A store that
//! is gone is waited for: events are there when it is back, in the same order.

use std::sync::Arc;
use std::time::Duration;

use outrigger_bus::Heard;
use outrigger_store::records::{RecordError, StoredEvent, limits};

use crate::error::RecordsError;
use crate::fan_out::Known;
use crate::position::Source;
use crate::service::Shared;

/// Between two attempts to read from a store that is gone.
const PAUSE: Duration = Duration::from_millis(250);

/// Until the records end.
pub(crate) async fn follow(shared: Arc<Shared>, source: Source) {
    let ended = shared.ended.clone();
    let following = async {
        loop {
            match read_on(&shared, source).await {
                Ok(()) => shared.woken(source).await,
                Err(RecordsError::Store(
                    RecordError::EventsPruned { .. } | RecordError::OtherLife { .. },
                )) => jump(&shared, source).await,
                Err(error) => {
                    tracing::debug!(code = error.code(), "events can't be read; trying again");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = ended.cancelled() => {}
        () = following => {}
    }
}

/// Until the records or the bus end: whatever is heard is a reason to look.
pub(crate) async fn listen(shared: Arc<Shared>) {
    let mut listener = shared.bus.listen();
    loop {
        let heard = tokio::select! {
            () = shared.ended.cancelled() => return,
            heard = listener.next() => heard,
        };
        match heard {
            None => return,
            Some(Heard::Notice(notice)) if notice.event.volatile => {}
            Some(Heard::Notice(_) | Heard::Missed) => shared.wake(Source::Durable),
        }
    }
}

/// Tells all there is to tell.
async fn read_on(shared: &Shared, source: Source) -> Result<(), RecordsError> {
    loop {
        let place = shared.fan_out().reached.of(source).clone();
        let events = shared.events_after(source, &place, limits::EVENTS).await?;
        if events.is_empty() {
            return Ok(());
        }
        for event in &events {
            tell(shared, source, event).await?;
        }
    }
}

async fn tell(shared: &Shared, source: Source, event: &StoredEvent) -> Result<(), RecordsError> {
    if shared.fan_out().tell(source, event, &Known::Nothing) {
        return Ok(());
    }
    let record = shared.read_from(source, &event.owner, &event.event.id).await?;
    shared.fan_out().tell(source, event, &Known::Record(record.as_ref()));
    Ok(())
}

/// The store is another one, or has forgotten what nobody here has read.
async fn jump(shared: &Shared, source: Source) {
    match shared.head(source).await {
        Ok(head) => shared.fan_out().jump(source, head),
        Err(_) => tokio::time::sleep(PAUSE).await,
    }
}
