//! What a form sent is not sent again by loading its answer anew, or by going through
//! the tab's history.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outrigger_testkit::{Kit, reference};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const FORM: &str = "<!doctype html><title>Order</title><form method=post action=/done>\
    <input name=tea value=green><button>Go on</button></form>";

/// A shop that counts orders. Nothing of it may be kept in a cache.
async fn shop() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let orders = Arc::new(AtomicUsize::new(0));
    let count = orders.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(serve(socket, count.clone()));
        }
    });
    (address, orders)
}

async fn serve(mut socket: TcpStream, count: Arc<AtomicUsize>) {
    let mut request = vec![0; 16 * 1024];
    let Ok(length) = socket.read(&mut request).await else { return };
    let is_order = request[..length].starts_with(b"POST /done");
    let page = if is_order {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        format!("<!doctype html><title>Thanks</title><p>Order {number}</p><a href=/more>More</a>")
    } else {
        FORM.to_owned()
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-store\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n",
        page.len()
    );
    let _ = socket.write_all(format!("{head}{page}").as_bytes()).await;
}

#[tokio::test]
async fn a_form_is_not_sent_again_by_reloading_its_answer_or_going_back_to_it() {
    let (address, orders) = shop().await;
    let (_kit, _, client) = Kit::with_browser(&[]).await;
    client.ok("browser_navigate", json!({"url": address})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Go on")})).await;
    assert!(said.contains("Order 1"), "{said}");
    for hard in [false, true] {
        let again = json!({"hard": hard, "timeoutMs": 2000});
        let said = client.refused("browser_reload", again, "timeout").await;
        assert!(said.contains("that sends the form again"), "{said}");
    }
    client.ok("browser_navigate", json!({"url": format!("{address}/more")})).await;
    let said = client.refused("browser_go_back", json!({}), "navigation_failed").await;
    assert!(said.contains("sends no form again"), "{said}");
    let again = json!({"timeoutMs": 2000});
    client.refused("browser_reload", again, "timeout").await;
    assert_eq!(orders.load(Ordering::SeqCst), 1, "it was sent once");
}
