//! Serves the bundled page on a port of its own: the hub's address is never a
//! target, not even for the tour.

use std::io;
use std::net::Ipv4Addr;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const PAGE: &str = include_str!("page.html");

/// The served page; gone when dropped.
pub(super) struct ServedPage {
    pub(super) url: String,
    serving: JoinHandle<io::Result<()>>,
}

impl Drop for ServedPage {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

pub(super) async fn serve() -> io::Result<ServedPage> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let router = Router::new().route("/", get(|| async { Html(PAGE) }));
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(ServedPage { url, serving })
}
