//! What one credential may have of what there is for everybody: connections and
//! sockets. A part is kept back from all of them, so that there is always room for
//! whoever comes for a moment. What is shared, and what whoever gets none is told, its
//! keepers know (`gate.rs`, `server.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::credentials::Holder;

/// One in so many places is nobody's for long.
const KEPT_BACK: usize = 8;

/// Of those, one in so many is for moments of whoever has a credential; the others are
/// left to whoever has shown none yet.
const MOMENTS: usize = 2;

/// One in so many is the most for a single token or login. The machine's own token is
/// that of all programs which nobody made one for, and has what the others leave.
const SHARE: usize = 4;

/// Places, and who has how many of them.
pub(crate) struct Shares {
    places: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    for_long: HashMap<Holder, usize>,
    for_a_moment: HashMap<Holder, usize>,
}

/// A place that somebody has, until it is dropped.
pub(crate) struct Share {
    of: Arc<Shares>,
    holder: Holder,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    Long,
    Moment,
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
        self.take_where(holder, Span::Long, |own, all| own < for_one && all < for_all)
    }

    /// A place for no longer than an answer takes. Nobody has more of these than are
    /// left for the others, so that some always are.
    pub(crate) fn take_for_a_moment(self: &Arc<Self>, holder: &Holder) -> Option<Share> {
        let moments = self.places / KEPT_BACK / MOMENTS;
        self.take_where(holder, Span::Moment, |own, all| own < moments.saturating_sub(all))
    }

    /// `may`: whether one more is possible, by how many the holder has and all have.
    fn take_where(
        self: &Arc<Self>,
        holder: &Holder,
        span: Span,
        may: impl FnOnce(usize, usize) -> bool,
    ) -> Option<Share> {
        let mut taken = self.lock();
        let taken = taken.of(span);
        let own = taken.get(holder).copied().unwrap_or_default();
        if !may(own, taken.values().sum()) {
            return None;
        }
        taken.insert(holder.clone(), own + 1);
        Some(Share { of: self.clone(), holder: holder.clone(), span })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn of(&mut self, span: Span) -> &mut HashMap<Holder, usize> {
        match span {
            Span::Long => &mut self.for_long,
            Span::Moment => &mut self.for_a_moment,
        }
    }
}

impl Share {
    pub(crate) fn is_of(&self, holder: &Holder) -> bool {
        self.holder == *holder
    }

    pub(crate) fn is_for_long(&self) -> bool {
        self.span == Span::Long
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.of.lock();
        let taken = taken.of(self.span);
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
        let shares = Shares::of(16);
        for _ in 0..3 {
            assert_eq!(all_for(&shares, &Holder::Token(1)).len(), 4);
        }
        drop(shares.take_for_a_moment(&Holder::Token(1)).unwrap());
        let taken = shares.lock();
        assert!(taken.for_long.is_empty() && taken.for_a_moment.is_empty());
    }

    #[test]
    fn whoever_asks_for_many_moments_leaves_as_many_to_the_next() {
        let shares = Shares::of(512);
        let all_for = |id| {
            let holder = Holder::Token(id);
            std::iter::from_fn(|| shares.take_for_a_moment(&holder)).collect::<Vec<_>>()
        };
        let taken: Vec<_> = (1..=5).map(all_for).collect();
        let counts: Vec<_> = taken.iter().map(Vec::len).collect();
        assert_eq!(counts, [16, 8, 4, 2, 1]);
        assert_eq!(self::all_for(&shares, &Holder::Token(1)).len(), 128, "and its share besides");
    }
}
