//! WebSockets among the requests of a tab, in a real Chromium.

use outrigger_testkit::{Kit, eventually, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><title>S</title><script>
  const talk = (path) => {
    const socket = new WebSocket(location.origin.replace('http', 'ws') + path);
    socket.onmessage = ({data}) => {
      document.title = data;
      if (data === 'kanarie 2') socket.close();
      else socket.send('kanarie 2');
    };
    socket.onopen = () => socket.send('kanarie 1');
    socket.onclose = () => { document.title = 'Closed'; };
  };
</script><button onclick="talk('/echo?token=s3cret')">Talk</button> <button onclick="talk('/nowhere')">Fail</button>"#;

#[tokio::test]
async fn a_web_socket_is_told_with_its_count_of_messages_and_none_of_their_words() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_network", json!({})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Talk")})).await;
    let line = eventually("the socket is closed", || async {
        let listed = client.ok("browser_network", json!({"kind": "websocket"})).await;
        listed.lines().find(|line| line.contains("closed,")).map(str::to_owned)
    })
    .await;
    assert!(line.contains(" GET 101 websocket ws://"), "{line}");
    assert!(line.contains("/echo?token=[redacted]"), "{line}");
    assert!(line.contains("closed, 2 sent, 2 received"), "{line}");
    let id: u32 = line.split(' ').next().unwrap().parse().unwrap();
    let told = client.ok("browser_network", json!({"id": id})).await;
    assert!(told.to_lowercase().contains("upgrade: websocket"), "{told}");
    assert!(told.contains("no body: What a WebSocket's messages say is not kept."), "{told}");
    for said in [&line, &told] {
        assert!(!said.contains("kanarie") && !said.contains("s3cret"), "{said}");
    }
    client.ok("browser_click", json!({"ref": reference(&seen, "Fail")})).await;
    eventually("the other one fails", || async {
        let failed = json!({"kind": "websocket", "failed": true, "url": "/nowhere"});
        let listed = client.ok("browser_network", failed).await;
        listed.contains("closed, 0 sent, 0 received").then_some(())
    })
    .await;
}
