//! What one credential may have of what there is for everybody: connections and
//! sockets. A part is kept back from all of them, so that there is always room for
//! whoever comes for a moment. What is shared, and what whoever gets none is told, its
//! keepers know (`gate.rs`, `server.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::credentials::Holder;

/// One in so many places is nobody's for long.
const KEPT_BACK: usize = 8;

/// One in so many is the most for a single token or login. The machine's own token is
/// that of all programs which nobody made one for, and has what the others leave.
const SHARE: usize = 4;

/// Places, and who has how many of them.
pub(crate) struct Shares {
    places: usize,
    taken: Mutex<HashMap<Holder, usize>>,
}

/// A place that somebody has, until it is dropped.
pub(crate) struct Share {
    of: Arc<Shares>,
    holder: Holder,
}

impl Shares {
    pub(crate) fn of(places: usize) -> Arc<Self> {
        Arc::new(Shares { places, taken: Mutex::default() })
    }

    /// A place for that holder. None where it has its share, or all that may be taken
    /// are.
    pub(crate) fn take(self: &Arc<Self>, holder: &Holder) -> Option<Share> {
        let for_all = self.places - self.places / KEPT_BACK;
        let for_one = match holder {
            Holder::Machine => for_all,
            Holder::Token(_) | Holder::Extension(_) => self.places / SHARE,
        };
        let mut taken = self.lock();
        let own = taken.get(holder).copied().unwrap_or_default();
        if own >= for_one || taken.values().sum::<usize>() >= for_all {
            return None;
        }
        taken.insert(holder.clone(), own + 1);
        Some(Share { of: self.clone(), holder: holder.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Holder, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.of.lock();
        if let Some(own) = taken.get_mut(&self.holder) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as that holder gets.
    fn all_for(shares: &Arc<Shares>, holder: &Holder) -> Vec<Share> {
        std::iter::from_fn(|| shares.take(holder)).collect()
    }

    #[test]
    fn a_token_has_its_share_and_all_together_leave_some() {
        let shares = Shares::of(80);
        let first = all_for(&shares, &Holder::Token(1));
        assert_eq!(first.len(), 20);
        let machine = all_for(&shares, &Holder::Machine);
        assert_eq!(machine.len(), 50, "what is left, but for a tenth and more");
        assert!(shares.take(&Holder::Token(2)).is_none());
        drop(machine);
        assert_eq!(all_for(&shares, &Holder::Token(2)).len(), 20);
        assert!(shares.take(&Holder::Token(1)).is_none(), "it still has all of its own");
    }

    #[test]
    fn what_is_given_back_can_be_taken_again_and_nobody_is_remembered() {
        let shares = Shares::of(8);
        for _ in 0..3 {
            assert_eq!(all_for(&shares, &Holder::Token(1)).len(), 2);
        }
        assert!(shares.lock().is_empty());
    }
}
