//! HTTP by hand, for what no client would send: two hosts, headers that never
//! end, an answer that nobody reads.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What makes a request one for a WebSocket.
pub const UPGRADE: [(&str, &str); 4] = [
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

/// An answer, as far as its length says.
#[derive(Debug)]
pub struct RawAnswer {
    /// Its status; 0 where the connection ended without one.
    pub status: u16,
    /// The status line and all headers.
    pub head: String,
    /// Nothing where the length isn't told.
    pub body: String,
}

impl RawAnswer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Sends one request, with exactly these headers, and reads the answer.
pub async fn ask(
    port: u16,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> RawAnswer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the hub listens");
    let mut request = format!("{method} {target} HTTP/1.1\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        request.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    // A hub that has refused already reads no more.
    let _ = stream.write_all(format!("{request}\r\n{body}").as_bytes()).await;
    read_answer(&mut stream).await
}

/// Opens a WebSocket with these headers, as far as the hub lets it.
pub async fn upgraded(port: u16, path: &str, headers: &[(&str, &str)]) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the hub listens");
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n");
    for (name, value) in UPGRADE.iter().chain(headers) {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{request}\r\n").as_bytes()).await.expect("the hub reads");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("the hub answers"));
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    stream
}

/// The beginning of a text frame of so many bytes. `is_last`: no other one
/// belongs to the same message. The mask is zero, so the rest is plain text.
pub fn frame_head(length: u64, is_first: bool, is_last: bool) -> Vec<u8> {
    let mut head = vec![u8::from(is_last) << 7 | u8::from(is_first), 0xff];
    head.extend(length.to_be_bytes());
    head.extend([0; 4]);
    head
}

/// A whole text frame.
pub fn frame(text: &str) -> Vec<u8> {
    let mut frame = frame_head(text.len() as u64, true, true);
    frame.extend(text.as_bytes());
    frame
}

/// Reads one answer.
pub async fn read_answer(stream: &mut TcpStream) -> RawAnswer {
    let read = async {
        let mut text = Vec::new();
        let mut answer = RawAnswer { status: 0, head: String::new(), body: String::new() };
        loop {
            if let Some(end) = text.windows(4).position(|part| part == b"\r\n\r\n") {
                answer.head = String::from_utf8_lossy(&text[..end]).into_owned();
                let status = answer.head.split(' ').nth(1).and_then(|word| word.parse().ok());
                answer.status = status.unwrap_or(0);
                let told = answer.header("content-length").and_then(|length| length.parse().ok());
                let body = &text[end + 4..];
                if told.is_none_or(|length: usize| body.len() >= length) {
                    answer.body = String::from_utf8_lossy(body).into_owned();
                    return answer;
                }
            }
            match stream.read_buf(&mut text).await {
                Ok(0) | Err(_) => return answer,
                Ok(_) => {}
            }
        }
    };
    tokio::time::timeout(crate::PATIENCE, read).await.expect("the hub answers in time")
}
