//! What other hubs do for one author, as far as it can be known from results: nobody
//! begins what comes after an action that another hub is at, and whoever was at the
//! author's last has a head start with the next, since its tabs are there.

use std::collections::VecDeque;
use std::time::Duration;

use outrigger_protocol::records::RecordId;
use outrigger_records::Records;
use serde_json::json;
use tokio::time::Instant;

use super::actions::{Actions, FRESH, age, result_of};
use super::whose_action::is_gone;

/// How long others have to begin an action.
const HEAD_START: Duration = Duration::from_millis(300);
/// The same where one of them was at the author's last.
const LONG_HEAD_START: Duration = Duration::from_secs(2);
/// More hubs than that do not share their records.
const KEPT: usize = 20;

/// All of them, seen from one author's desk.
#[derive(Default)]
pub(super) struct OtherHubs {
    /// What was left to them, and may be under way.
    left: VecDeque<RecordId>,
    /// Since when none is seen at anything.
    quiet_since: Option<Instant>,
    /// One of them was at the author's last.
    have_author: bool,
}

impl OtherHubs {
    /// An action is theirs, or was removed.
    pub(super) fn take(&mut self, id: RecordId) {
        if self.left.len() == KEPT {
            self.left.pop_front();
        }
        self.left.push_back(id);
        self.quiet_since = None;
    }

    /// The author's last was done here.
    pub(super) fn lose_author(&mut self) {
        self.have_author = false;
    }

    /// Whether they let one pass that waits since then, as it was at that moment.
    pub(super) fn let_pass(&self, since: Instant, at: Instant) -> bool {
        let Some(quiet_since) = self.quiet_since else { return false };
        let head_start = if self.have_author { LONG_HEAD_START } else { HEAD_START };
        at.saturating_duration_since(since.max(quiet_since)) >= head_start
    }

    /// Looks what they are at: of what was left to them, and of these.
    pub(super) async fn look<'i>(
        &mut self,
        actions: &Actions,
        records: &Records,
        before: impl Iterator<Item = &'i RecordId>,
    ) {
        let mut is_quiet = true;
        for id in std::mem::take(&mut self.left) {
            let doing = doing(actions, records, &id).await;
            self.have_author |= matches!(doing, Doing::UnderWay | Doing::Over);
            if matches!(doing, Doing::UnderWay | Doing::Unknown) {
                is_quiet = false;
                self.left.push_back(id);
            }
        }
        for id in before {
            let doing = doing(actions, records, id).await;
            self.have_author |= matches!(doing, Doing::UnderWay | Doing::Over);
            is_quiet &= matches!(doing, Doing::Nobodys | Doing::Over);
        }
        self.quiet_since = is_quiet.then(|| self.quiet_since.unwrap_or_else(Instant::now));
    }
}

/// What became of an action at other hubs.
enum Doing {
    Nobodys,
    UnderWay,
    Over,
    Unknown,
}

/// Nothing is under way for longer than an action is fresh: it may have ended with its hub.
async fn doing(actions: &Actions, records: &Records, id: &RecordId) -> Doing {
    let Some(result) = result_of(id) else { return Doing::Nobodys };
    match records.read(&actions.records.owner, &result).await {
        Ok(result) => {
            let is_running = result.context.get("status") == Some(&json!("running"));
            let is_at_it = is_running && age(result.created_at) <= FRESH;
            if is_at_it { Doing::UnderWay } else { Doing::Over }
        }
        answer if is_gone(&answer) => Doing::Nobodys,
        Err(_) => Doing::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_have_a_head_start_after_they_are_quiet_and_a_longer_one_with_the_author() {
        let began = Instant::now();
        let mut others = OtherHubs::default();
        assert!(!others.let_pass(began, began + LONG_HEAD_START), "nobody looked yet");
        others.quiet_since = Some(began);
        assert!(!others.let_pass(began, began + HEAD_START / 2));
        assert!(others.let_pass(began, began + HEAD_START));
        let later = began + HEAD_START;
        assert!(!others.let_pass(later, later + HEAD_START / 2), "it came later");
        others.have_author = true;
        assert!(!others.let_pass(began, began + HEAD_START));
        assert!(others.let_pass(began, began + LONG_HEAD_START));
        others.take(RecordId::of_bits(1));
        assert!(!others.let_pass(began, began + LONG_HEAD_START), "they have begun another");
    }
}
