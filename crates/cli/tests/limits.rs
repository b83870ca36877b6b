//! A hub that somebody means ill: frames too large, JSON too deep, connections
//! that never say what they want, readers that never read. The limits hold, and
//! everybody else is served meanwhile. The hub is a process of its own here, so
//! that its memory and its log can be looked at.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::Program;
use outrigger_hub::extension_files::own_origin;
use outrigger_testkit::raw_http::{UPGRADE, ask, frame, frame_head, read_answer, upgraded};
use outrigger_testkit::{Api, McpClient, Peer};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::process::Child;

/// The largest frame that is read.
const FRAME: u64 = 32 * 1024 * 1024;

/// A hub of its own process.
struct Target {
    program: Program,
    process: Child,
    port: u16,
    host: String,
    bearer: String,
}

impl Target {
    /// With everything it could log in `log`.
    async fn start() -> Self {
        Self::start_with(None).await
    }

    /// With so many descriptors.
    async fn start_with(descriptors: Option<u64>) -> Self {
        let program = Program::new();
        let log = std::fs::File::create(program.home.path().join("log")).unwrap();
        let mut command = program.command(&["up"]);
        if let Some(most) = descriptors {
            let script = format!("ulimit -n {most}; exec \"$0\" up");
            let mut limited = tokio::process::Command::new("sh");
            limited.args(["-c", &script]).arg(command.as_std().get_program()).kill_on_drop(true);
            for (name, value) in command.as_std().get_envs() {
                match value {
                    Some(value) => limited.env(name, value),
                    None => limited.env_remove(name),
                };
            }
            command = limited;
        }
        let process = command
            .env("OUTRIGGER_LOG", "trace")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let port = program.port;
        let host = format!("127.0.0.1:{port}");
        program.answers().await;
        let mut hub = Target { program, process, port, host, bearer: String::new() };
        hub.bearer = format!("Bearer {}", hub.token("agent-token"));
        hub
    }

    fn token(&self, file: &str) -> String {
        self.program.token(file)
    }

    /// Words that let somebody in, of every kind.
    async fn credentials(&self) -> [String; 5] {
        let (agent, pairing) = (self.token("agent-token"), self.token("pairing-token"));
        let api = Api::new(self.port, &agent);
        let made = api.ask("POST", "/api/v1/tokens", json!({"name": "t"})).await.body;
        let (own, browser) = (own_origin(), json!({"clientId": "c"}));
        let begin = "/auth/session/extension-token";
        let extension = Api::new(self.port, &pairing);
        let login = extension.ask_with("POST", begin, &[("Origin", &own)], browser).await.body;
        let words = [&made["token"], &login["accessToken"], &login["refreshToken"]];
        let [made, access, refresh] = words.map(|word| word.as_str().unwrap().to_owned());
        [agent, pairing, made, access, refresh]
    }

    /// The most memory that it has held so far, in megabytes.
    fn most_megabytes(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id().unwrap()));
        let status = status.unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Whoever comes now is served: a stranger within a second, an agent, and an
    /// extension.
    async fn serves_others(&self) {
        let began = Instant::now();
        let answer = ask(self.port, "GET", "/health", &[("Host", &self.host)], "").await;
        assert_eq!(answer.status, 200, "{}", answer.head);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        let client = McpClient::http(self.port, &self.token("agent-token")).await;
        let answer = client.call("browser_tabs", json!({"action": "list", "timeoutMs": 20})).await;
        assert!(!answer.text.is_empty(), "it is answered, whatever with");
        let mut peer =
            Peer::linked(self.port, "other", &self.token("pairing-token"), &json!([])).await;
        peer.send(&json!({"type": "ping"})).await;
        assert_eq!(peer.receive().await, json!({"type": "pong"}));
    }

    /// A socket of an agent that said hello.
    async fn agent(&self) -> TcpStream {
        let mut agent = upgraded(self.port, "/agent", &[("Authorization", &self.bearer)]).await;
        let hello = json!({"type": "hello", "client": "c", "session": "s",
            "ends_with_connection": true, "launch": null});
        agent.write_all(&frame(&hello.to_string())).await.unwrap();
        agent
    }

    /// A socket of an extension that was taken in.
    async fn extension(&self) -> TcpStream {
        let mut extension = upgraded(self.port, "/extension", &[]).await;
        let handshake = Peer::handshake("ill", &self.token("pairing-token"), &json!([]));
        extension.write_all(&frame(&handshake.to_string())).await.unwrap();
        assert!(extension.read_u8().await.is_ok(), "it is acknowledged");
        extension
    }
}

/// Whether the hub ends the connection within some seconds.
async fn ends(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    let end = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut rest));
    end.await.is_ok()
}

/// Writes until the hub takes no more, at most so many times; gives how many.
async fn write_until_stuck(stream: &mut TcpStream, bytes: &[u8], most: usize) -> usize {
    for count in 0..most {
        let written = tokio::time::timeout(Duration::from_secs(2), stream.write_all(bytes)).await;
        if !matches!(written, Ok(Ok(()))) {
            return count;
        }
    }
    most
}

#[tokio::test]
async fn hundreds_of_connections_that_say_nothing_keep_nobody_out() {
    let hub = Target::start().await;
    hub.serves_others().await;
    let before = hub.most_megabytes();
    let port = hub.port;
    let slow = (0..500).map(|number| {
        tokio::spawn(async move {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            if number % 2 == 0 {
                let _ = stream.write_all(b"GET /health HTTP/1.1\r\nHost: 127").await;
            }
            stream
        })
    });
    let slow: Vec<_> = slow.collect();
    hub.serves_others().await;
    let mut silent = Vec::new();
    for stream in slow {
        silent.push(stream.await.unwrap());
    }
    hub.serves_others().await;
    for stream in &mut silent {
        // Some were sent away meanwhile.
        let _ = stream.write_all(b".").await;
    }
    hub.serves_others().await;

    // The same with sockets that make no handshake.
    let mut request = format!("GET /extension HTTP/1.1\r\nHost: {}\r\n", hub.host);
    for (name, value) in UPGRADE {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    for _ in 0..500 {
        let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.unwrap();
        stream.write_all(format!("{request}\r\n").as_bytes()).await.unwrap();
        silent.push(stream);
    }
    hub.serves_others().await;
    let after = hub.most_megabytes();
    assert!(after < before + 60, "{before} MB grew to {after} MB");
}

/// A connection that asked something with that token, and stays. True if the hub says
/// that it doesn't.
async fn stays_after_asking(hub: &Target, token: &str) -> (TcpStream, bool) {
    let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.unwrap();
    let request = format!(
        "GET /api/v1/schemas/none HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\r\n",
        hub.host
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut told = vec![0; 4096];
    let length = stream.read(&mut told).await.unwrap();
    let told = String::from_utf8_lossy(&told[..length]).to_lowercase();
    assert!(told.starts_with("http/1.1 404"), "{told}");
    (stream, told.contains("connection: close"))
}

#[tokio::test]
async fn hundreds_of_idle_connections_of_one_token_keep_nobody_out() {
    // Descriptors for 512 connections.
    let hub = Target::start_with(Some(1024)).await;
    let [_, _, token, ..] = hub.credentials().await;
    let mut idle = Vec::new();
    for _ in 0..500 {
        idle.push(stays_after_asking(&hub, &token).await);
    }
    let kept = idle.iter().filter(|(_, is_over)| !is_over).count();
    assert_eq!(kept, 128, "a token keeps its share");
    hub.serves_others().await;
    // However many it makes, and whoever else comes.
    for _ in 0..200 {
        idle.push(stays_after_asking(&hub, &token).await);
    }
    hub.serves_others().await;
    // What is closed can be taken again.
    drop(idle);
    let again = async {
        while stays_after_asking(&hub, &token).await.1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), again).await.expect("there is room again");
}

#[tokio::test]
async fn a_frame_over_the_limit_ends_its_connection_and_is_not_held() {
    let hub = Target::start().await;
    hub.serves_others().await;
    let before = hub.most_megabytes();
    for length in [FRAME + 1, 1 << 32, u64::MAX >> 1] {
        let stranger = upgraded(hub.port, "/extension", &[]).await;
        for mut stream in [stranger, hub.extension().await, hub.agent().await] {
            let _ = stream.write_all(&frame_head(length, true, true)).await;
            let _ = stream.write_all(&[b' '; 100_000]).await;
            assert!(ends(&mut stream).await, "{length}");
        }
    }
    let after = hub.most_megabytes();
    assert!(after < before + 30, "{before} MB grew to {after} MB");
    hub.serves_others().await;

    // In pieces, of which each is small.
    let piece = vec![b' '; 1 << 20];
    for mut stream in [hub.extension().await, hub.agent().await] {
        for number in 0..40 {
            let head = frame_head(piece.len() as u64, number == 0, false);
            if stream.write_all(&head).await.is_err() || stream.write_all(&piece).await.is_err() {
                break;
            }
        }
        assert!(ends(&mut stream).await);
    }
    hub.serves_others().await;
}

#[tokio::test]
async fn strangers_together_are_held_little_of() {
    let hub = Target::start().await;
    hub.serves_others().await;
    let before = hub.most_megabytes();
    let piece = vec![b' '; 1 << 20];
    let mut strangers = Vec::new();
    for _ in 0..60 {
        let mut stranger = upgraded(hub.port, "/extension", &[]).await;
        let _ = stranger.write_all(&frame_head(FRAME, true, true)).await;
        for _ in 0..8 {
            let _ = tokio::time::timeout(Duration::from_secs(1), stranger.write_all(&piece)).await;
        }
        strangers.push(stranger);
    }
    hub.serves_others().await;
    let after = hub.most_megabytes();
    assert!(after < before + 150, "{before} MB grew to {after} MB, of 480 MB that were sent");
}

#[tokio::test]
async fn json_that_is_too_deep_or_says_a_thing_twice_harms_nobody() {
    let hub = Target::start().await;
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    let (lists, objects) = (deep("[", "]"), deep(r#"{"a":"#, "").trim_end_matches(':').to_owned());
    let (token, headers) = (
        hub.token("pairing-token"),
        [
            ("Host", hub.host.as_str()),
            ("Authorization", &hub.bearer),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ],
    );
    for nested in [lists.clone(), objects, format!(r#"{{"id":"msg-1","result":{lists}}}"#)] {
        let mut peer = Peer::linked(hub.port, "deep", &token, &json!([])).await;
        peer.send_text(nested.clone()).await;
        assert_eq!(peer.receive().await["code"], "malformed_frame");
        let answer = ask(hub.port, "POST", "/mcp", &headers, &nested).await;
        assert!((400..500).contains(&answer.status), "{}", answer.head);
        let mut agent = hub.agent().await;
        let call =
            format!(r#"{{"type":"call","id":1,"tool":"browser_tabs","arguments":{nested}}}"#);
        agent.write_all(&frame(&call)).await.unwrap();
        assert!(said_by(&mut agent, "malformed_frame").await);
    }
    // Of two values one counts, for the guard as for whoever acts: the last.
    let mut agent = hub.agent().await;
    for (actions, code) in
        [(["list", "sing"], "invalid_arguments"), (["sing", "list"], "no_browser")]
    {
        let [first, last] = actions;
        let call = format!(
            r#"{{"type":"call","id":1,"tool":"browser_tabs","arguments":{{"timeoutMs":20,"action":"{first}","action":"{last}"}}}}"#
        );
        agent.write_all(&frame(&call)).await.unwrap();
        assert!(said_by(&mut agent, code).await, "{actions:?}");
    }
    for twice in [
        r#"{"type":"call","type":"query","id":1,"what":"status"}"#,
        r#"{"type":"call","id":1,"id":2,"tool":"browser_tabs","tool":"x","arguments":{}}"#,
    ] {
        agent.write_all(&frame(twice)).await.unwrap();
        assert!(said_by(&mut agent, "malformed_frame").await, "{twice}");
    }
    let mut peer = Peer::connect(hub.port).await;
    let twice = format!(
        r#"{{"type":"handshake","clientType":"extension","clientId":"a","pairingToken":"{token}","pairingToken":"wrong"}}"#
    );
    peer.send_text(twice).await;
    assert_eq!(peer.end().await.code, Some(4003), "one right token of two is none");
    hub.serves_others().await;
}

/// Whether the hub says this on the socket before long.
async fn said_by(stream: &mut TcpStream, words: &str) -> bool {
    let mut heard = Vec::new();
    let listen = async {
        while !String::from_utf8_lossy(&heard).contains(words) {
            if stream.read_buf(&mut heard).await.unwrap_or(0) == 0 {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(Duration::from_secs(5), listen).await.unwrap_or(false)
}

#[tokio::test]
async fn whoever_never_reads_is_not_written_for() {
    let hub = Target::start().await;
    hub.serves_others().await;
    let before = hub.most_megabytes();
    let query = frame(r#"{"type":"query","id":1,"what":"status"}"#).repeat(1_000);
    let mut agent = hub.agent().await;
    let asked = write_until_stuck(&mut agent, &query, 3_000).await;
    assert!(asked < 3_000, "the hub reads no more");
    hub.serves_others().await;

    let nonsense = frame("{").repeat(1_000);
    let mut extension = hub.extension().await;
    write_until_stuck(&mut extension, &nonsense, 500).await;
    hub.serves_others().await;

    let health = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", hub.host).repeat(1_000);
    let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.unwrap();
    let asked = write_until_stuck(&mut stream, health.as_bytes(), 1_000).await;
    assert!(asked < 1_000, "the hub reads no more");
    hub.serves_others().await;
    let after = hub.most_megabytes();
    assert!(after < before + 40, "{before} MB grew to {after} MB");
}

#[tokio::test]
async fn headers_and_bodies_have_an_end() {
    let hub = Target::start().await;
    let long = "x".repeat(40 * 1024);
    let answer = ask(hub.port, "GET", "/health", &[("Host", &hub.host), ("X", &long)], "").await;
    assert_eq!(answer.status, 431, "{}", answer.head);
    let many: Vec<(&str, &str)> = [("Host", hub.host.as_str())]
        .into_iter()
        .chain(std::iter::repeat_n(("X", "y"), 200))
        .collect();
    assert_eq!(ask(hub.port, "GET", "/health", &many, "").await.status, 431);
    let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 70000000\r\n\r\n",
        hub.host, hub.bearer
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let piece = vec![b' '; 1 << 20];
    for _ in 0..66 {
        if stream.write_all(&piece).await.is_err() {
            break;
        }
    }
    assert!(said_by(&mut stream, "413 Payload Too Large").await);
    hub.serves_others().await;
}

#[tokio::test]
async fn whoever_takes_forever_is_ended() {
    let hub = Target::start().await;
    let slow_body = async {
        let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\n\
             Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
            hub.host, hub.bearer
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let (mut reading, mut writing) = stream.split();
        let drip = async {
            while writing.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            std::future::pending::<()>().await;
        };
        let mut answer = [0; 12];
        tokio::select! {
            read = reading.read_exact(&mut answer) => read.unwrap(),
            () = drip => 0,
        };
        assert_eq!(&answer, b"HTTP/1.1 408", "a body that drips");
    };
    let stays = async {
        let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.unwrap();
        let health = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", hub.host);
        while stream.write_all(health.as_bytes()).await.is_ok()
            && read_answer(&mut stream).await.status == 200
        {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    let never_reads = async {
        let mut agent = hub.agent().await;
        let query = frame(r#"{"type":"query","id":1,"what":"status"}"#).repeat(1_000);
        while agent.write_all(&query).await.is_ok() {}
    };
    let all = async { tokio::join!(slow_body, stays, never_reads) };
    assert!(tokio::time::timeout(Duration::from_secs(40), all).await.is_ok());
    hub.serves_others().await;
}

#[tokio::test]
async fn no_token_is_found_in_the_log_whatever_it_tells() {
    let hub = Target::start().await;
    let tokens = hub.credentials().await;
    hub.serves_others().await;
    for token in &tokens {
        let encoded: String = token.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let mut addresses = vec![
            format!("/api/v1/records/{token}"),
            format!("/api/v1/records?tag=Bearer%20{token}"),
            format!("/{encoded}"),
            format!("/mcp?anything={encoded}"),
        ];
        for path in ["/mcp", "/agent", "/extension", "/", "/health"] {
            for name in ["token", "access_token", "anything"] {
                addresses.push(format!("{path}?{name}={token}"));
            }
        }
        for address in addresses {
            for headers in [
                vec![("Host", hub.host.as_str())],
                vec![("Host", &hub.host), ("Authorization", &hub.bearer)],
                vec![("Host", "evil.example"), ("Origin", "https://evil.example")],
            ] {
                let answer = ask(hub.port, "GET", &address, &headers, "").await;
                assert!(answer.status >= 400, "{address}");
                assert!(!answer.body.contains(token) && !answer.body.contains(&encoded));
            }
        }
    }
    let mut peer = Peer::linked(hub.port, "clumsy", &hub.token("pairing-token"), &json!([])).await;
    for token in &tokens {
        peer.send(&json!({"type": token, "token": token})).await;
        assert!(peer.receive().await["code"].is_string(), "what made no sense is complained about");
    }
    let log = std::fs::read_to_string(hub.program.home.path().join("log")).unwrap();
    for told in ["refused a request", "a frame that made no sense"] {
        assert!(log.contains(told), "{told}: {log}");
    }
    for token in tokens {
        assert!(!log.contains(&token), "a token is in the log");
    }
}
