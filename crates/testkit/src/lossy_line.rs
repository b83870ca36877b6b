//! A line to a PostgreSQL server that loses an answer: the server has done what it was
//! asked to, and whoever asked never hears of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::postgres::PostgresServer;

/// What ends a transaction.
const COMMIT: &str = "COMMIT";

/// The line; gone when dropped.
pub struct LossyLine {
    url: String,
    has_lost: Arc<AtomicBool>,
    serving: JoinHandle<()>,
}

impl LossyLine {
    /// To that server. The first transaction with these words in it is made, and nothing
    /// is heard on its connection from then on.
    pub async fn to(server: &PostgresServer, words: &'static str) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let (there, has_lost) = (server.port, Arc::new(AtomicBool::new(false)));
        let lost = has_lost.clone();
        let serving = tokio::spawn(async move {
            while let Ok((here, _)) = listener.accept().await {
                if let Ok(there) = TcpStream::connect(("127.0.0.1", there)).await {
                    tokio::spawn(carry(here, there, words, lost.clone()));
                }
            }
        });
        LossyLine { url: server.url_at(port), has_lost, serving }
    }

    /// For `DATABASE_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether the answer was lost.
    pub fn has_lost(&self) -> bool {
        self.has_lost.load(Ordering::SeqCst)
    }
}

impl Drop for LossyLine {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// One connection, until either side ends it.
async fn carry(here: TcpStream, there: TcpStream, words: &str, has_lost: Arc<AtomicBool>) {
    let (mut asking, mut hearing) = here.into_split();
    let (mut answering, mut asked) = there.into_split();
    let is_deaf = AtomicBool::new(false);
    let asks = async {
        let (mut chunk, mut is_meant) = (vec![0; 1 << 16], false);
        while let Ok(size @ 1..) = asking.read(&mut chunk).await {
            let said = String::from_utf8_lossy(&chunk[..size]);
            is_meant |= said.contains(words);
            if is_meant && said.contains(COMMIT) && !has_lost.swap(true, Ordering::SeqCst) {
                is_deaf.store(true, Ordering::SeqCst);
            }
            if asked.write_all(&chunk[..size]).await.is_err() {
                return;
            }
        }
    };
    let answers = async {
        let mut chunk = vec![0; 1 << 16];
        while let Ok(size @ 1..) = answering.read(&mut chunk).await {
            let is_lost = is_deaf.load(Ordering::SeqCst);
            if !is_lost && hearing.write_all(&chunk[..size]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = asks => {}
        () = answers => {}
    }
}
