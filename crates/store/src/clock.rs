//! The store's time, by which tokens are judged. The machine's clock may be set
//! back; the store's never goes back, or what has expired would live again. It
//! goes on by itself meanwhile, or what is new would never expire.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use sqlx::SqliteConnection;

use crate::error::StoreError;
use crate::store::Store;

/// How far the clocks of two hubs may be apart.
const SKEW: i64 = 60_000;
/// How often the time is written down if nothing else is written.
const KEEP_EVERY: i64 = 60_000;

/// The latest time known to this process, and how long ago it was heard of.
pub(crate) struct Clock {
    heard: Mutex<(i64, Instant)>,
}

impl Clock {
    pub(crate) fn new(latest: i64) -> Self {
        Clock { heard: Mutex::new((latest, Instant::now())) }
    }

    /// The store's time, given what the machine's clock says.
    pub(crate) fn time(&self, told: i64) -> i64 {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = i64::try_from(heard.1.elapsed().as_millis()).unwrap_or(i64::MAX);
        let going = heard.0.saturating_add(passed);
        if told > going {
            *heard = (told, Instant::now());
        }
        told.max(going)
    }
}

/// Whether something of that life is alive at that time.
pub(crate) fn is_alive(created_at: i64, expires_at: Option<i64>, time: i64) -> bool {
    created_at.saturating_sub(SKEW) <= time && expires_at.is_none_or(|end| time < end)
}

/// Whether the time has to be written down, where nothing else is: now and then,
/// and whenever something is seen that expired since, so that it stays so.
pub(crate) fn is_due(time: i64, kept: i64, expires_at: Option<i64>) -> bool {
    let has_expired = expires_at.is_some_and(|end| kept < end && end <= time);
    has_expired || time.saturating_sub(kept) >= KEEP_EVERY
}

impl Store {
    /// The time of a transaction that writes, written down with it.
    pub(crate) async fn keep_time(
        &self,
        connection: &mut SqliteConnection,
        told: i64,
    ) -> Result<i64, StoreError> {
        let kept = latest(connection).await.map_err(self.fails())?;
        let time = self.clock().time(told.max(kept));
        sqlx::query("UPDATE store_clock SET latest = $1 WHERE latest < $1")
            .bind(time)
            .execute(connection)
            .await
            .map_err(self.fails())?;
        Ok(time)
    }

    /// Writes the time down in one go, whatever it was; for whoever wants to see that it
    /// can be written.
    pub(crate) async fn write_time(
        &self,
        connection: &mut SqliteConnection,
        told: i64,
    ) -> Result<(), StoreError> {
        let time = self.clock().time(told);
        sqlx::query("UPDATE store_clock SET latest = max(latest, $1)")
            .bind(time)
            .execute(connection)
            .await
            .map_err(self.fails())?;
        Ok(())
    }
}

/// What was written down last.
pub(crate) async fn latest(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT latest FROM store_clock").fetch_one(connection).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn time_goes_on_when_the_clock_was_set_back() {
        let clock = Clock::new(1_000_000);
        let before = clock.time(5);
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(before >= 1_000_000 && clock.time(4) >= before + 20);
    }

    #[test]
    fn a_life_begins_a_minute_early_and_ends_on_time() {
        for (time, alive) in
            [(939_999, false), (940_000, true), (1_999_999, true), (2_000_000, false)]
        {
            assert_eq!(is_alive(1_000_000, Some(2_000_000), time), alive, "{time}");
        }
        assert!(is_alive(1_000_000, None, i64::MAX));
    }

    proptest! {
        #[test]
        fn time_never_goes_back(told in prop::collection::vec(any::<i64>(), 1..20)) {
            let clock = Clock::new(0);
            let mut last = 0;
            for now in told {
                let time = clock.time(now);
                prop_assert!(time >= last && time >= now);
                last = time;
            }
        }

        #[test]
        fn what_was_seen_expired_is_expired_by_what_is_written_down(
            kept in 0_i64..300_000, time in 0_i64..300_000, end in 0_i64..300_000,
        ) {
            let written = if is_due(time, kept, Some(end)) { time.max(kept) } else { kept };
            prop_assert!(is_alive(0, Some(end), time.max(kept)) || !is_alive(0, Some(end), written));
        }
    }
}
