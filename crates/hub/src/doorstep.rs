//! Connections that have shown no credential yet: how many there may be, how
//! long each may stay and how much it may say. When there are too many, the one
//! that has been there longest goes, so that whoever comes next is heard. What a
//! credential is, `gate.rs` and `pairing.rs` know.

use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::credentials::{Credential, Holder};
use crate::shares::{Share, Shares};

/// A person's machine has a handful, and those for a few milliseconds.
const MOST: usize = 64;

/// They have no more than one in so many of all places, which is less than tokens leave
/// (`shares.rs`).
const SHARE: usize = 16;

/// What everybody gets before they go for somebody else: a request that was sent
/// with the connection is read within that.
const GRACE: Duration = Duration::from_millis(50);

/// How long one may stay: a health check that keeps its connection open.
const STAY: Duration = Duration::from_secs(15);

/// The most that all of them may have said, since it may all have to be held. A
/// handshake that lists thousands of tabs, some with pictures for addresses, has
/// megabytes.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// What one may say however much the others said: an ordinary handshake.
const OWN_BYTES: usize = 256 * 1024;

/// Everybody who waits.
pub(crate) struct Doorstep {
    most: usize,
    waiting: Mutex<BTreeMap<u64, Waiting>>,
    counter: AtomicU64,
    /// Bytes that those who wait have said.
    said: AtomicUsize,
    left: Notify,
}

struct Waiting {
    since: Instant,
    sent_away: CancellationToken,
}

/// A connection that may have shown no credential yet. Off the doorstep when
/// dropped.
pub(crate) struct Stranger {
    number: u64,
    doorstep: Arc<Doorstep>,
    is_in: AtomicBool,
    said: AtomicUsize,
    sent_away: CancellationToken,
    /// What whoever asks on it gives up for it, for as long as it is open.
    share: Mutex<Option<Share>>,
    /// What was shown on it last.
    shown: Mutex<Option<Credential>>,
    shows_another: Notify,
}

impl Doorstep {
    /// The one before that many places.
    pub(crate) fn before(places: usize) -> Arc<Self> {
        let most = MOST.min(places / SHARE).max(1);
        let (waiting, counter, said) = (Mutex::default(), AtomicU64::new(0), AtomicUsize::new(0));
        Arc::new(Doorstep { most, waiting, counter, said, left: Notify::new() })
    }

    /// Takes a connection on, once there is room for it.
    pub(crate) async fn arrive(self: &Arc<Self>) -> Arc<Stranger> {
        loop {
            let full_until = match self.take_on() {
                Ok(stranger) => return Arc::new(stranger),
                Err(until) => until,
            };
            tokio::select! {
                () = self.left.notified() => {}
                () = tokio::time::sleep_until(full_until) => {}
            }
        }
    }

    /// Where there is no room: when somebody can be sent away for this one.
    fn take_on(self: &Arc<Self>) -> Result<Stranger, Instant> {
        let (mut waiting, now) = (self.lock(), Instant::now());
        if waiting.len() >= self.most
            && let Some(longest) = waiting.first_entry()
        {
            let until = longest.get().since + GRACE;
            if now < until {
                return Err(until);
            }
            longest.remove().sent_away.cancel();
        }
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let sent_away = CancellationToken::new();
        waiting.insert(number, Waiting { since: now, sent_away: sent_away.clone() });
        let (doorstep, is_in, said) = (self.clone(), AtomicBool::default(), AtomicUsize::default());
        let (share, shown, shows_another) = (Mutex::default(), Mutex::default(), Notify::new());
        Ok(Stranger { number, doorstep, is_in, said, sent_away, share, shown, shows_another })
    }

    fn remove(&self, number: u64) {
        if self.lock().remove(&number).is_some() {
            self.left.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stranger {
    /// It has shown that credential, and stays for no longer than that is good.
    pub(crate) fn show(&self, credential: &Credential) {
        let mut shown = self.shown();
        if shown.as_ref().is_none_or(|shown| shown.holder != credential.holder) {
            *shown = Some(credential.clone());
            self.shows_another.notify_one();
        }
        drop(shown);
        self.let_in();
    }

    /// It has shown a credential: none of the limits here holds any more.
    pub(crate) fn let_in(&self) {
        self.is_in.store(true, Ordering::Release);
        self.leave();
    }

    /// Counts it among the connections of whoever asks on it now, and of nobody else. Who
    /// has its share may have it for this answer. False: not even that.
    pub(crate) fn count_for(&self, holder: &Holder, shares: &Arc<Shares>) -> bool {
        let mut share = self.share();
        let own = share.as_ref().filter(|share| share.is_of(holder));
        if own.is_some_and(Share::is_for_long) {
            return true;
        }
        let is_counted = own.is_some();
        let mut taken = shares.take(holder);
        if taken.is_none() && !is_counted {
            taken = shares.take_for_a_moment(holder);
        }
        let is_taken = taken.is_some();
        if is_taken {
            *share = taken;
        }
        is_counted || is_taken
    }

    /// It has become a socket. Those are counted by themselves.
    pub(crate) fn count_no_more(&self) {
        *self.share() = None;
    }

    /// Whether it may stay open, between requests or for an answer that goes on: while it
    /// counts as somebody's, or has shown nothing and stays no longer than others who
    /// haven't.
    pub(crate) fn may_stay(&self) -> bool {
        !self.is_in() || self.share().as_ref().is_some_and(Share::is_for_long)
    }

    /// Comes when it must go: for another one, or since it stayed too long.
    pub(crate) async fn sent_away(&self) {
        tokio::select! {
            () = self.sent_away.cancelled() => {}
            () = tokio::time::sleep(STAY) => {}
        }
        if self.is_in() {
            std::future::pending::<()>().await;
        }
    }

    /// Comes when what was shown on it is good no more.
    pub(crate) async fn withdrawn(&self) {
        loop {
            let shown = self.shown().clone();
            let ended = async {
                match &shown {
                    Some(credential) => credential.ended().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = ended => return,
                () = self.shows_another.notified() => {}
            }
        }
    }

    /// Notes what it said. False when that is too much.
    fn says(&self, bytes: usize) -> bool {
        if self.is_in() {
            return true;
        }
        let own = self.said.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let all = self.doorstep.said.fetch_add(bytes, Ordering::Relaxed) + bytes;
        own <= OWN_BYTES || all <= MOST_BYTES
    }

    fn leave(&self) {
        self.doorstep.remove(self.number);
        self.doorstep.said.fetch_sub(self.said.swap(0, Ordering::Relaxed), Ordering::Relaxed);
    }

    fn share(&self) -> MutexGuard<'_, Option<Share>> {
        self.share.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shown(&self) -> MutexGuard<'_, Option<Credential>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has shown a credential.
    pub(crate) fn is_in(&self) -> bool {
        self.is_in.load(Ordering::Acquire)
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.leave();
    }
}

/// A connection that is cut when a stranger says too much.
pub(crate) struct Metered {
    stream: TcpStream,
    stranger: Arc<Stranger>,
}

impl Metered {
    pub(crate) fn new(stream: TcpStream, stranger: Arc<Stranger>) -> Self {
        Metered { stream, stranger }
    }
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if self.stranger.says(buffer.filled().len() - before) {
            return Poll::Ready(Ok(()));
        }
        Poll::Ready(Err(io::Error::other("too much was said without a credential")))
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: usize = 4096;

    #[tokio::test]
    async fn whoever_has_waited_longest_goes_for_the_next() {
        let doorstep = Doorstep::before(PLACES);
        let began = Instant::now();
        let mut strangers = Vec::new();
        for _ in 0..=MOST {
            strangers.push(doorstep.arrive().await);
        }
        assert!(began.elapsed() >= GRACE, "everybody gets a moment");
        let is_gone = |stranger: &Stranger| stranger.sent_away.is_cancelled();
        assert!(is_gone(&strangers[0]) && !is_gone(&strangers[MOST]));
        assert_eq!(doorstep.lock().len(), MOST);
    }

    #[tokio::test]
    async fn whoever_was_let_in_is_in_nobodys_way() {
        let doorstep = Doorstep::before(PLACES);
        let first = doorstep.arrive().await;
        first.let_in();
        let mut others = Vec::new();
        for _ in 0..2 * MOST {
            others.push(doorstep.arrive().await);
        }
        assert!(!first.sent_away.is_cancelled() && others[0].sent_away.is_cancelled());
        drop(others);
        assert!(doorstep.lock().is_empty(), "nobody is kept who has gone");
    }

    #[tokio::test]
    async fn a_connection_counts_once_for_whoever_asked_on_it_last() {
        let (shares, doorstep) = (Shares::of(32), Doorstep::before(PLACES));
        let (one, other) = (Holder::Token(1), Holder::Token(2));
        let mut connections = Vec::new();
        for _ in 0..9 {
            let connection = doorstep.arrive().await;
            assert!(connection.count_for(&one, &shares) && connection.count_for(&one, &shares));
            connection.let_in();
            connections.push(connection);
        }
        let stays = |connections: &[Arc<Stranger>]| {
            connections.iter().map(|one| one.may_stay()).collect::<Vec<_>>()
        };
        assert_eq!(stays(&connections), [[true; 8].as_slice(), &[false]].concat());
        assert!(connections[0].count_for(&other, &shares) && connections[0].may_stay());
        connections[1].count_no_more();
        assert!(!connections[1].may_stay());
        assert!(connections[8].count_for(&one, &shares) && connections[8].may_stay());
        let free = || std::iter::from_fn(|| shares.take(&one)).collect::<Vec<_>>().len();
        assert_eq!(free(), 1, "that of the socket; the other's was taken again");
        drop(connections);
        assert_eq!(free(), 8);
    }

    #[tokio::test]
    async fn whoever_says_much_shares_with_the_others_and_a_little_is_always_heard() {
        let doorstep = Doorstep::before(PLACES);
        let (loud, other) = (doorstep.arrive().await, doorstep.arrive().await);
        assert!(loud.says(MOST_BYTES) && !loud.says(1));
        assert!(other.says(OWN_BYTES) && !other.says(1));
        loud.let_in();
        assert!(loud.says(MOST_BYTES), "no limit holds for it any more");
        assert!(other.says(MOST_BYTES / 2), "nor is it counted any more");
        drop(other);
        assert_eq!(doorstep.said.load(Ordering::Relaxed), 0);
    }
}
