//! A TLS server on loopback whose certificate nobody trusts. Node serves it:
//! the tests need Node anyway, and the project no TLS of its own.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// A running server; gone when dropped.
pub struct SelfSigned {
    _child: Child,
    port: u16,
}

impl SelfSigned {
    /// Starts one on a free port.
    pub async fn serve() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/self_signed/server.js");
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Node runs");
        let output = child.stdout.take().expect("its output is piped");
        let line = BufReader::new(output).lines().next_line().await;
        let line = line.expect("it can be read").expect("it prints its port");
        SelfSigned { _child: child, port: line.trim().parse().expect("a port") }
    }

    /// An address there.
    pub fn url(&self, path: &str) -> String {
        format!("https://selfsigned.test:{}{path}", self.port)
    }
}
