//! Programs that follow records, each on a connection of its own, for tests of how many
//! there may be.

use outrigger_testkit::Kit;
use outrigger_testkit::raw_http::{RawAnswer, read_answer};
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// A token for reading.
pub(crate) async fn token(kit: &Kit) -> String {
    let token = json!({"name": "reader", "scope": "read"});
    let made = kit.api().ask("POST", "/api/v1/tokens", token).await.body;
    made["token"].as_str().unwrap().to_owned()
}

/// A follower of records; `accepts`: whether it says that it takes events.
pub(crate) async fn follow(port: u16, token: &str, accepts: bool) -> Result<TcpStream, RawAnswer> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let accepts = if accepts { "Accept: text/event-stream\r\n" } else { "" };
    let request = format!(
        "GET /api/v1/events?schema_name=note.v1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
         Authorization: Bearer {token}\r\n{accepts}\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let answer = read_answer(&mut stream).await;
    if answer.status == 200 { Ok(stream) } else { Err(answer) }
}

/// As many as the token gets, and what the next one is told.
pub(crate) async fn follow_all(port: u16, token: &str) -> (Vec<TcpStream>, RawAnswer) {
    let mut following = Vec::new();
    loop {
        match follow(port, token, following.len() % 2 == 0).await {
            Ok(stream) => following.push(stream),
            Err(refused) => return (following, refused),
        }
    }
}
