//! Telling a caller what its call waits for, while it waits for the user. Who is
//! told, and how, is up to whoever took the call in.

use std::time::Duration;

use tokio::sync::mpsc;

/// Clients give up on a call that says nothing; most of them after a minute.
const EVERY: Duration = Duration::from_secs(5);

/// Notices that nobody has taken yet; more of them say nothing new.
const MOST: usize = 8;

/// What a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// An answer to a question.
    Permission,
    /// Something that only the user can do.
    Deed,
    /// A tab that the user shares.
    Tab,
    /// The session is paused.
    Resumption,
}

impl Wait {
    /// For a person or a model to read.
    pub fn words(self) -> &'static str {
        match self {
            Wait::Permission => "Waiting for the user to answer a question in the browser…",
            Wait::Deed => "Waiting for the user to do what was asked for in the browser…",
            Wait::Tab => "Waiting for the user to share a tab in the browser…",
            Wait::Resumption => "The user paused this session. Waiting until it is resumed…",
        }
    }
}

/// Where notices of one call go: to its caller, or to nobody.
#[derive(Debug, Clone, Default)]
pub struct Notices(Option<mpsc::Sender<String>>);

impl Notices {
    /// Notices, and the end where they arrive.
    pub fn channel() -> (Self, mpsc::Receiver<String>) {
        let (sender, receiver) = mpsc::channel(MOST);
        (Notices(Some(sender)), receiver)
    }

    /// Tells the caller, who may be slow to listen; the call isn't held up by it.
    pub fn tell(&self, words: &str) {
        if let Some(sender) = &self.0 {
            let _ = sender.try_send(words.to_owned());
        }
    }

    /// Does something that may have to wait, and tells so at once and then now and
    /// again until it is over. What is over at once is not told.
    pub async fn during<T>(&self, wait: Wait, work: impl Future<Output = T>) -> T {
        if self.0.is_none() {
            return work.await;
        }
        let mut pace = tokio::time::interval(EVERY);
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                _ = pace.tick() => self.tell(wait.words()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_wait_is_told_at_once_and_then_every_five_seconds() {
        let (notices, mut told) = Notices::channel();
        notices.during(Wait::Permission, async {}).await;
        assert!(told.try_recv().is_err(), "what needs no waiting is not told");
        notices.during(Wait::Permission, tokio::time::sleep(Duration::from_secs(12))).await;
        let mut heard = Vec::new();
        while let Ok(words) = told.try_recv() {
            heard.push(words);
        }
        assert_eq!(heard, [Wait::Permission.words(); 3]);
        // A caller that has gone keeps nobody waiting.
        drop(told);
        notices.during(Wait::Tab, tokio::time::sleep(Duration::from_secs(60))).await;
        Notices::default().during(Wait::Tab, async {}).await;
    }
}
