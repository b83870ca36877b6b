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

/// A person's machine has a handful, and those for a few milliseconds.
const MOST: usize = 64;

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
#[derive(Default)]
pub(crate) struct Doorstep {
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
}

impl Doorstep {
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
        if waiting.len() >= MOST
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
        Ok(Stranger { number, doorstep, is_in, said, sent_away })
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
    /// It has shown a credential: none of the limits here holds any more.
    pub(crate) fn let_in(&self) {
        self.is_in.store(true, Ordering::Release);
        self.leave();
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

    fn is_in(&self) -> bool {
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

    #[tokio::test]
    async fn whoever_has_waited_longest_goes_for_the_next() {
        let doorstep = Arc::new(Doorstep::default());
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
        let doorstep = Arc::new(Doorstep::default());
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
    async fn whoever_says_much_shares_with_the_others_and_a_little_is_always_heard() {
        let doorstep = Arc::new(Doorstep::default());
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
