//! A NATS server with JetStream on a free port. It can be stopped for a while and
//! started again; what was in its memory is gone then.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::postgres::free_port;

/// A busy machine takes its time.
const LIMIT: Duration = Duration::from_secs(60);

/// A server for one test; gone when dropped.
pub struct NatsServer {
    folder: tempfile::TempDir,
    port: u16,
    has_jetstream: bool,
    server: Option<Child>,
}

impl NatsServer {
    /// A new one.
    pub fn start() -> Self {
        Self::with_jetstream(true)
    }

    /// One that keeps nothing.
    pub fn start_without_jetstream() -> Self {
        Self::with_jetstream(false)
    }

    fn with_jetstream(has_jetstream: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut nats = NatsServer { folder, port: free_port(), has_jetstream, server: None };
        nats.resume();
        nats
    }

    /// For `NATS_URL`.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Whether it has written anything about records to its disk.
    pub fn has_written(&self, text: &str) -> bool {
        let mut grep = Command::new("grep");
        let found = grep.args(["-rqa", "-e", text]).arg(self.folder.path()).status();
        found.expect("grep runs").success()
    }

    /// Stops it as a crash does.
    pub fn stop(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        server.kill().expect("it is killed");
        server.wait().expect("it ends");
    }

    /// Starts it again, on the same port.
    pub fn resume(&mut self) {
        let mut command = Command::new("nats-server");
        command.args(["--addr", "127.0.0.1", "--port", &self.port.to_string()]);
        if self.has_jetstream {
            command.arg("--jetstream").arg("--store_dir").arg(self.folder.path());
        }
        let server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.server = Some(server.expect("nats-server runs; `make install-test` installs it"));
        let deadline = Instant::now() + LIMIT;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < deadline, "NATS does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.stop();
    }
}
