//! The bus of one process.

use std::sync::Arc;

use tokio::sync::broadcast;

use crate::{Bus, Heard, Listener, Notice, WAITING};

/// Reaches everybody in this process. A clone reaches the same.
#[derive(Clone)]
pub struct LocalBus(broadcast::Sender<Heard>);

impl Default for LocalBus {
    fn default() -> Self {
        LocalBus(broadcast::Sender::new(WAITING))
    }
}

impl Bus for LocalBus {
    fn publish(&self, notice: Notice) {
        // Fails if nobody listens, and then nobody misses it.
        let _ = self.0.send(Heard::Notice(Arc::new(notice)));
    }

    fn listen(&self) -> Listener {
        Listener(self.0.subscribe())
    }

    fn is_connected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use outrigger_protocol::records::{RecordEvent, RecordEventKind, RecordId};

    use super::*;

    fn notice(seq: u64) -> Notice {
        let event = RecordEvent {
            seq,
            kind: RecordEventKind::Updated,
            id: RecordId::of_bits(1),
            schema_name: "note.v1".into(),
            tags: Vec::new(),
            version: seq,
            at: 1,
            owner: "me".into(),
            volatile: false,
        };
        let (workspace, user, life) = ("default".into(), "local".into(), "a".into());
        Notice { workspace, user, life, event }
    }

    #[tokio::test]
    async fn every_listener_hears_what_is_told_and_one_that_is_slow_is_told_so() {
        let bus = LocalBus::default();
        bus.publish(notice(0));
        let (mut one, mut slow) = (bus.listen(), bus.listen());
        for seq in 1..=WAITING as u64 + 1 {
            bus.publish(notice(seq));
            assert_eq!(one.next().await, Some(Heard::Notice(Arc::new(notice(seq)))));
        }
        assert_eq!(slow.next().await, Some(Heard::Missed));
        assert_eq!(slow.next().await, Some(Heard::Notice(Arc::new(notice(2)))));
        drop(bus);
        assert_eq!(one.next().await, None);
    }
}
