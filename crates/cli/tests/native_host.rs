//! The program as a browser starts it for its extension: messages on standard input
//! and output, and nothing else there. The hub is a process of its own.
#![cfg(unix)]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use crate::program::Program;
use outrigger_hub::extension_files::own_origin;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A browser's largest message from a host.
const MEGABYTE: usize = 1024 * 1024;
const LIMIT: Duration = Duration::from_secs(20);

/// The browser's side of a host.
struct Host {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Host {
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Host { child, input, output }
    }

    /// As browsers start it: with an origin for its only argument.
    fn of(program: &Program, origin: &str) -> Self {
        Self::start(program.command(&[&format!("{origin}/")]))
    }

    /// One that is linked, without a credential of its own.
    async fn linked(program: &Program, client_id: &str) -> Self {
        let mut host = Self::of(program, &own_origin());
        host.shake_hands(client_id).await;
        host
    }

    async fn shake_hands(&mut self, client_id: &str) {
        let handshake =
            json!({"type": "handshake", "clientType": "extension", "clientId": client_id});
        self.send(&handshake).await;
        let ack = self.receive().await;
        assert_eq!(ack["type"], "handshake_ack", "{ack}");
    }

    async fn write(&mut self, bytes: &[u8]) {
        // A host that has gone is seen at the next receive.
        let _ = self.input.as_mut().unwrap().write_all(bytes).await;
    }

    async fn send(&mut self, frame: &Value) {
        let text = frame.to_string();
        self.write(&u32::try_from(text.len()).unwrap().to_ne_bytes()).await;
        self.write(text.as_bytes()).await;
    }

    /// The next message, as a browser would take it.
    async fn receive(&mut self) -> Value {
        let reading = async {
            let mut head = [0; 4];
            self.output.read_exact(&mut head).await.expect("a message");
            let bytes = u32::from_ne_bytes(head) as usize;
            assert!(bytes <= MEGABYTE, "a browser takes no {bytes} bytes");
            let mut body = vec![0; bytes];
            self.output.read_exact(&mut body).await.unwrap();
            serde_json::from_slice(&body).unwrap()
        };
        tokio::time::timeout(LIMIT, reading).await.expect("a message in time")
    }

    async fn is_alive(&mut self) {
        self.send(&json!({"type": "ping"})).await;
        assert_eq!(self.receive().await["type"], "pong");
    }

    /// Why it is over, the last thing that is said.
    async fn closed(&mut self) -> (u64, String) {
        let closed = self.receive().await;
        assert_eq!(closed["type"], "native_closed", "{closed}");
        (closed["code"].as_u64().unwrap(), closed["reason"].as_str().unwrap().to_owned())
    }

    /// Its end, with nothing left to read; and what it said on standard error.
    async fn ended(mut self) -> (ExitStatus, String) {
        let ending = async {
            let (mut rest, mut error) = (Vec::new(), String::new());
            self.output.read_to_end(&mut rest).await.unwrap();
            assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
            self.child.stderr.take().unwrap().read_to_string(&mut error).await.unwrap();
            (self.child.wait().await.unwrap(), error)
        };
        tokio::time::timeout(LIMIT, ending).await.expect("it ends")
    }
}

async fn links(program: &Program) -> usize {
    let status: Value = serde_json::from_str(&program.ok(&["sessions", "--json"]).await).unwrap();
    status["browsers"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_browser_that_starts_the_program_is_linked_without_a_token_and_ends_it_with_the_pipe() {
    let program = Program::new();
    let mut host = Host::linked(&program, "ext-1").await;
    assert_eq!(links(&program).await, 1, "a hub was started for it");
    host.is_alive().await;
    let mut other = Host::start(program.command(&["native-host", &own_origin()]));
    other.shake_hands("ext-2").await;
    assert_eq!(links(&program).await, 2);
    // The hub stays as long as a browser is linked this way, though no agent is there.
    tokio::time::sleep(Duration::from_secs(4)).await;
    host.is_alive().await;
    for mut host in [host, other] {
        host.input = None;
        let (status, error) = host.ended().await;
        assert!(status.success() && error.is_empty(), "{status}: {error}");
    }
    program.is_all_gone().await;
}

#[tokio::test]
async fn a_frame_over_a_megabyte_travels_whole_both_ways() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    let mut host = Host::linked(&program, "ext-1").await;
    // The hub complains of what it doesn't know, and names it.
    let kind = "ö\"\\x".repeat(MEGABYTE / 4);
    host.send(&json!({"type": kind})).await;
    let (mut text, mut parts) = (String::new(), 0);
    loop {
        let part = host.receive().await;
        assert_eq!(part["type"], "native_chunk");
        text.push_str(part["text"].as_str().unwrap());
        parts += 1;
        if part["last"] == true {
            break;
        }
    }
    assert!(parts > 1, "{parts}");
    let complaint: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(complaint["code"], "unknown_message");
    assert!(complaint["error"] == format!("unknown message type {kind:?}"));
    host.is_alive().await;
}

#[tokio::test]
async fn a_message_that_is_none_ends_its_host_and_nobody_else() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    let mut bystander = Host::linked(&program, "bystander").await;
    let message = |length: u32, body: &[u8]| [&length.to_ne_bytes(), body].concat();
    for (bytes, code, words) in [
        (message(0, b""), 1007, "no length"),
        (message(u32::MAX, b"{\"type\":"), 1009, "4294967295 bytes"),
        (message(32 * 1024 * 1024 + 1, b""), 1009, "33554433 bytes"),
        (message(7, b""), 1007, "in the middle"),
        (message(7, b"{\"type"), 1007, "in the middle"),
        (vec![7, 0], 1007, "in the middle"),
        (message(3, b"\"\xff\""), 1007, "not JSON"),
        (message(5, b"{]}{}"), 1007, "not JSON"),
    ] {
        let mut host = Host::linked(&program, "ext-1").await;
        host.write(&bytes).await;
        if words == "in the middle" {
            host.input = None;
        }
        let (told, reason) = host.closed().await;
        assert!(told == code && reason.contains(words), "{bytes:?}: {told} {reason}");
        let (status, error) = host.ended().await;
        assert!(!status.success() && error.contains(words), "{status}: {error}");
        bystander.is_alive().await;
    }
    // Before the handshake it is no different.
    let mut host = Host::of(&program, &own_origin());
    host.write(&message(u32::MAX, b"")).await;
    assert_eq!(host.closed().await.0, 1009);
    bystander.is_alive().await;
}

#[tokio::test]
async fn an_extension_that_nobody_named_is_refused_and_nothing_is_started_for_it() {
    let program = Program::new();
    let stranger = format!("chrome-extension://{}", "b".repeat(32));
    let host = async || {
        let mut host = Host::of(&program, &stranger);
        let handshake = json!({"type": "handshake", "clientType": "extension", "clientId": "x"});
        host.send(&handshake).await;
        host
    };
    let mut refused = host().await;
    let (code, reason) = refused.closed().await;
    assert_eq!(code, 4006);
    assert!(reason.contains(&stranger) && reason.contains("pair --origin"), "{reason}");
    let (status, error) = refused.ended().await;
    assert!(!status.success() && error.contains("is not served"), "{status}: {error}");
    TcpListener::bind(("127.0.0.1", program.port)).expect("no hub was started");
    assert!(!program.home.path().join("pairing-token").exists());
    program.ok(&["pair", "--origin", &stranger]).await;
    assert_eq!(host().await.receive().await["type"], "handshake_ack");
}

#[tokio::test]
async fn the_end_of_the_hub_is_told_and_is_the_end_of_the_host() {
    let program = Program::new();
    for (signal, code) in [(Signal::TERM, 1001), (Signal::KILL, 1006)] {
        let mut hub = program.up(&[]).await;
        let mut host = Host::linked(&program, "ext-1").await;
        let pid = Pid::from_raw(i32::try_from(hub.id().unwrap()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        hub.wait().await.unwrap();
        assert_eq!(host.closed().await.0, code);
        assert!(host.ended().await.0.success());
    }
}

#[tokio::test]
async fn why_there_is_no_hub_is_told_to_the_extension() {
    let program = Program::new();
    let handshake = json!({"type": "handshake", "clientType": "extension", "clientId": "ext-1"});
    let reason = async || {
        let mut host = Host::of(&program, &own_origin());
        host.send(&handshake).await;
        let (code, reason) = host.closed().await;
        assert_eq!(code, 4007, "{reason}");
        assert!(!host.ended().await.0.success());
        reason
    };
    // Something else has the port, and ends every connection.
    let listener = TcpListener::bind(("127.0.0.1", program.port)).unwrap();
    let other = std::thread::spawn(move || {
        for stream in listener.incoming().take(1) {
            use std::io::Write as _;
            stream.unwrap().write_all(b"HTTP/1.1 418 No\r\ncontent-length: 0\r\n\r\n").unwrap();
        }
    });
    let said = reason().await;
    assert!(said.contains("is not a hub"), "{said}");
    other.join().unwrap();
    fs::write(program.home.path().join("config.toml"), "colour = 1").unwrap();
    let said = reason().await;
    assert!(said.contains("config.toml"), "{said}");
}

#[tokio::test]
async fn setup_writes_what_browsers_look_for_and_takes_it_back() {
    let program = Program::new();
    let said = program.fails(&["setup"]).await;
    assert!(said.contains("no browser of yours was found"), "{said}");
    let folders =
        ["chromium", "BraveSoftware/Brave-Browser"].map(|name| program.config().join(name));
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
    }
    let doctor = async || {
        let output = program.run(&["doctor"]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        let mut lines = text.lines().skip_while(|line| !line.contains(" host "));
        (lines.next().unwrap().to_owned(), lines.next().unwrap_or_default().to_owned())
    };
    assert!(doctor().await.0.starts_with("· host"), "{:?}", doctor().await);
    let said = program.ok(&["setup"]).await;
    assert!(said.contains("registered with Chromium, Brave."), "{said}");
    assert!(!program.config().join("google-chrome").exists(), "there is no such browser here");
    let manifests = folders.map(|it| it.join("NativeMessagingHosts/com.outrigger.hub.json"));
    let texts = manifests.each_ref().map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(texts[0], texts[1]);
    let manifest: Value = serde_json::from_str(&texts[0]).unwrap();
    assert_eq!(
        (&manifest["name"], &manifest["type"]),
        (&json!("com.outrigger.hub"), &json!("stdio"))
    );
    assert_eq!(manifest["allowed_origins"], json!([format!("{}/", own_origin())]));
    let script = manifest["path"].as_str().unwrap();
    assert_eq!(fs::metadata(script).unwrap().permissions().mode() & 0o777, 0o700);
    let (line, _) = doctor().await;
    let binary = env!("CARGO_BIN_EXE_outrigger");
    assert!(line.starts_with("✓ host") && line.contains(binary), "{line}");

    // It leads to this very hub, whatever the browser's own environment is.
    let mut command = Command::new(script);
    command.arg(format!("{}/", own_origin())).env_clear();
    let mut host = Host::start(command);
    host.shake_hands("ext-1").await;
    assert_eq!(links(&program).await, 1);
    drop(host);

    let text = fs::read_to_string(script).unwrap();
    fs::write(script, text.replace(binary, "/nowhere/outrigger")).unwrap();
    let (line, fix) = doctor().await;
    assert!(line.starts_with("✗ host") && line.contains("/nowhere/outrigger"), "{line}");
    assert!(fix.contains("outrigger setup"), "{fix}");
    let friend = format!("chrome-extension://{}", "f".repeat(32));
    program.ok(&["pair", "--origin", &friend]).await;
    program.ok(&["setup"]).await;
    assert!(doctor().await.0.starts_with("✓ host"));
    let manifest: Value = serde_json::from_slice(&fs::read(&manifests[0]).unwrap()).unwrap();
    let both = [own_origin(), friend].map(|origin| format!("{origin}/"));
    assert_eq!(manifest["allowed_origins"], json!(both), "who may pair is told to the browser");

    let said = program.ok(&["setup", "--undo"]).await;
    assert!(said.contains("no longer registered with Chromium, Brave."), "{said}");
    assert!(!manifests.iter().any(|path| path.exists()) && !fs::exists(script).unwrap());
    assert!(doctor().await.0.starts_with("· host"));
}
