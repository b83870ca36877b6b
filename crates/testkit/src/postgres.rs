//! A PostgreSQL server on a free port with data of its own. It can be stopped for a
//! while and started again.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Where Debian has its programs, newest first; elsewhere they are on the `PATH`.
const FOLDERS: [&str; 4] = ["17", "16", "15", "14"];
/// A busy machine takes its time.
const LIMIT: Duration = Duration::from_secs(60);

/// A server for one test; gone when dropped.
pub struct PostgresServer {
    folder: tempfile::TempDir,
    pub(crate) port: u16,
    server: Option<Child>,
}

impl PostgresServer {
    /// A new one, with an empty database.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut postgres = PostgresServer { folder, port: free_port(), server: None };
        if let Some(user) = other_user() {
            chown(postgres.folder.path(), Some(user), None).expect("the folder is given away");
        }
        let mut initdb = postgres.command("initdb");
        initdb.args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-sync", "-D"]);
        let made = initdb.arg(postgres.data()).output().expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        postgres.resume();
        postgres
    }

    /// For `DATABASE_URL`.
    pub fn url(&self) -> String {
        self.url_at(self.port)
    }

    /// The same, for one that is reached by another port.
    pub(crate) fn url_at(&self, port: u16) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable")
    }

    /// Stops it as a crash does: whoever is connected is cut off.
    pub fn stop(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let pid = i32::try_from(server.id()).ok().and_then(Pid::from_raw).expect("a process");
        // It ends its children itself, at once and without writing anything.
        kill_process(pid, Signal::QUIT).expect("it is told to stop");
        server.wait().expect("it stops");
    }

    /// Starts it again, with the data that it had.
    pub fn resume(&mut self) {
        let log = std::fs::File::create(self.folder.path().join("log")).expect("a log");
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(self.folder.path());
        let port = self.port.to_string();
        command.args(["-h", "127.0.0.1", "-p", &port, "-F", "-c", "max_connections=200"]);
        let server = command.stdout(Stdio::null()).stderr(log).spawn().expect("postgres runs");
        self.server = Some(server);
        let deadline = Instant::now() + LIMIT;
        loop {
            let mut ready = self.command("pg_isready");
            let ready = ready.args(["-q", "-h", "127.0.0.1", "-p", &port]).status();
            if ready.expect("pg_isready runs").success() {
                return;
            }
            let log = || std::fs::read_to_string(self.folder.path().join("log"));
            assert!(Instant::now() < deadline, "PostgreSQL does not start: {:?}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs a statement and keeps its locks until what is returned is dropped.
    pub fn hold(&self, statement: &str) -> Held {
        let mut psql = self.command("psql");
        psql.arg(self.url()).args(["-qAt", "-v", "ON_ERROR_STOP=1"]);
        let mut psql =
            psql.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("psql runs");
        let mut input = psql.stdin.take().expect("its input");
        writeln!(input, "BEGIN; {statement}; SELECT 'held';").expect("it listens");
        let mut said = String::new();
        let output = psql.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut said).expect("it answers");
        assert_eq!(said.trim(), "held");
        Held { psql, _input: input }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of its programs; as somebody else if we are root, whom it refuses.
    fn command(&self, name: &str) -> Command {
        let debian = FOLDERS.map(|version| format!("/usr/lib/postgresql/{version}/bin/{name}"));
        let program = debian.into_iter().find(|program| Path::new(program).exists());
        let mut command = Command::new(program.unwrap_or_else(|| name.to_owned()));
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        if let Some(user) = other_user() {
            std::os::unix::process::CommandExt::uid(&mut command, user);
        }
        command
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Locks that somebody else has.
pub struct Held {
    psql: Child,
    _input: ChildStdin,
}

impl Drop for Held {
    fn drop(&mut self) {
        // Gone by itself, if that fails.
        let _ = self.psql.kill();
        let _ = self.psql.wait();
    }
}

/// Nobody's number, if we are root.
fn other_user() -> Option<u32> {
    rustix::process::geteuid().is_root().then_some(65_534)
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}
