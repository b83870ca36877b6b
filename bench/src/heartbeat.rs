//! Owns what the pages report of their own heartbeat: how long they were blocked, and when. The reports come over the
//! page server, past the server that is measured, so that reading them disturbs nothing.

use std::{
    sync::{Arc, Condvar, Mutex},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Where the pages report to.
pub(crate) const PATH: &str = "heartbeat";

/// One report: the longest time that the page was blocked in a span of time. All in milliseconds, by the wall clock.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Report {
    from: f64,
    until: f64,
    longest: f64,
}

/// All reports so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heartbeat(Arc<(Mutex<Vec<Report>>, Condvar)>);

impl Heartbeat {
    /// Takes a report down.
    pub(crate) fn record(&self, query: &str) {
        let (reports, arrived) = &*self.0;
        if let (Some(report), Ok(mut reports)) = (Report::parse(query), reports.lock()) {
            reports.push(report);
            arrived.notify_all();
        }
    }

    /// The longest time for which the page was blocked between two moments; waits until it has reported of the
    /// second one. None if it doesn't.
    pub(crate) fn longest(&self, from: f64, until: f64, patience: Duration) -> Option<f64> {
        let (reports, arrived) = &*self.0;
        let deadline = Instant::now() + patience;
        let mut reports = reports.lock().ok()?;
        while !reports.iter().any(|report| report.until > until) {
            let left = deadline.checked_duration_since(Instant::now())?;
            reports = arrived.wait_timeout(reports, left).ok()?.0;
        }
        let overlapping =
            reports.iter().filter(|report| report.from < until && report.until > from);
        overlapping.map(|report| report.longest).max_by(f64::total_cmp)
    }
}

impl Report {
    fn parse(query: &str) -> Option<Self> {
        let value = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(key, _)| *key == name)?.1.parse().ok()
        };
        Some(Self { from: value("from")?, until: value("until")?, longest: value("longest")? })
    }
}

/// Milliseconds by the wall clock, which the pages share with us.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_reports_of_the_asked_time_count() {
        let heartbeat = Heartbeat::default();
        for report in [
            "from=0&until=100&longest=90",
            "from=100&until=200&longest=7",
            "from=200&until=300&longest=50",
        ] {
            heartbeat.record(report);
        }
        assert_eq!(heartbeat.longest(110.0, 190.0, Duration::ZERO), Some(7.0));
        assert_eq!(heartbeat.longest(110.0, 250.0, Duration::ZERO), Some(50.0));
    }

    #[test]
    fn a_page_that_does_not_report_has_no_answer() {
        let heartbeat = Heartbeat::default();
        heartbeat.record("from=0&until=100");
        assert_eq!(heartbeat.longest(0.0, 50.0, Duration::from_millis(10)), None);
    }

    #[test]
    fn a_report_that_is_still_to_come_is_waited_for() {
        let heartbeat = Heartbeat::default();
        let page = heartbeat.clone();
        let reporting = std::thread::spawn(move || page.record("from=0&until=100&longest=20"));
        assert_eq!(heartbeat.longest(0.0, 50.0, Duration::from_secs(5)), Some(20.0));
        reporting.join().unwrap();
    }
}
