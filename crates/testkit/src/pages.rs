//! Pages on loopback: the same ones on two ports and two host names, so that
//! cross-origin frames and links are real.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A page with a link, fields, a secret and controls that can't be used.
pub const SHOP: &str = r#"<!doctype html><title>Shop</title>
<h1>Tea shop</h1>
<p>We sell <a href="/about">good tea</a> by post.</p>
<label>Search <input id="q"></label>
<label>Pin <input type="password" value="hunter2"></label>
<button id="go" onclick="document.getElementById('out').textContent = 'Looking for ' + document.getElementById('q').value">Go</button>
<button disabled>Closed</button>
<button style="position:absolute;left:10px;top:500px">Under</button>
<div style="position:absolute;left:0;top:480px;width:400px;height:100px;background:#eee">A banner</div>
<p id="out"></p>
<p style="display:none">Secret words</p>"#;

/// A page to go to.
pub const ABOUT: &str = "<!doctype html><title>About</title><h1>About us</h1><p>Since 1998.</p>";

/// Fields, a secret and a button; sent, it shows what was sent.
pub const SIGN_UP: &str = r#"<!doctype html><title>Sign up</title><h1>Sign up</h1>
<form id="f1" onsubmit="event.preventDefault(); done(this)">
<label>Full name <input id="n1" class="x1"></label>
<label>Password <input id="p1" type="password"></label>
<label>Tea <select id="t1"><option>Green</option><option>Black</option></select></label>
<label>News <input id="c1" type="checkbox"></label>
<button id="b1" class="x2">Create account</button></form>
<h2>Receipt</h2><p id="r1"></p>
<script>function done(form) {
  const [name, password, tea, news] = form.querySelectorAll('input, select');
  document.getElementById('r1').textContent =
    `${name.value} ${password.value.length} ${tea.value} ${news.checked}`;
}</script>"#;

/// A page that is there at once and loads for eight seconds, so that whoever goes there
/// has its turn for as long. It counts how often its button is pressed.
pub const LONG_IN_LOADING: &str = r#"<!doctype html><title>Long</title>
<button onclick="window.count = (window.count ?? 0) + 1">More</button><script src="/slow/8000"></script>"#;

/// The smallest PDF: one empty page.
const PAPER: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
    2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n\
    trailer<</Root 1 0 R>>\n%%EOF";

/// Served pages; gone when dropped.
pub struct Pages {
    here: u16,
    elsewhere: u16,
    serving: Vec<JoinHandle<()>>,
}

type Content = Arc<HashMap<String, String>>;

impl Pages {
    /// Serves these pages by path. In a page, `ELSEWHERE` stands for the other
    /// origin. `/status/404`, `/redirect/…`, `/slow/<ms>`, `/never`, `/locked`
    /// (asks for a name and a password), `/file/<ms>` (a download that takes so
    /// long), `/named/<name>` (a download of that name), `/paper` (a PDF) and a WebSocket at `/echo` are there as well.
    pub async fn serve(pages: &[(&str, &str)]) -> Self {
        let (first, here) = listen().await;
        let (second, elsewhere) = listen().await;
        let other = format!("http://localhost:{elsewhere}");
        let content: HashMap<String, String> = pages
            .iter()
            .map(|(path, page)| ((*path).to_owned(), page.replace("ELSEWHERE", &other)))
            .collect();
        let content: Content = Arc::new(content);
        let serving = [first, second].map(|listener| {
            let router = router(content.clone());
            tokio::spawn(async move {
                axum::serve(listener, router).await.expect("pages are served");
            })
        });
        Pages { here, elsewhere, serving: serving.into() }
    }

    /// An address on the first origin.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.here)
    }

    /// The same page on the other origin.
    pub fn elsewhere(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.elsewhere)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.serving.iter().for_each(JoinHandle::abort);
    }
}

async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let port = listener.local_addr().expect("a bound port").port();
    (listener, port)
}

fn router(content: Content) -> Router {
    Router::new()
        .route("/status/{code}", get(status))
        .route("/redirect/{*to}", get(redirect))
        .route("/slow/{ms}", get(slow))
        .route("/locked", get(locked))
        .route("/file/{ms}", get(file))
        .route("/named/{*name}", get(named))
        .route("/paper", get(paper))
        .route("/never", get(std::future::pending::<()>))
        .route("/echo", any(echo))
        .fallback(page)
        .with_state(content)
}

async fn page(State(content): State<Content>, uri: axum::http::Uri) -> Response {
    match content.get(uri.path()) {
        Some(page) => Html(page.clone()).into_response(),
        None => (StatusCode::NOT_FOUND, Html("<h1>Not here</h1>")).into_response(),
    }
}

async fn status(Path(code): Path<u16>) -> Response {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_REQUEST);
    (status, Html(format!("<title>{code}</title><h1>Status {code}</h1>"))).into_response()
}

async fn locked(headers: header::HeaderMap) -> Response {
    if headers.contains_key(header::AUTHORIZATION) {
        return Html("<title>In</title><h1>Come in</h1>").into_response();
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"Cellar\"")];
    (StatusCode::UNAUTHORIZED, challenge, Html("<h1>Who are you?</h1>")).into_response()
}

async fn file(Path(ms): Path<u64>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"tea.bin\""),
        (header::CONTENT_LENGTH, "8"),
        // Otherwise Chrome waits for more of it, to guess what it is.
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let late = async move {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        Ok::<_, std::convert::Infallible>("leaf")
    };
    let first = futures_util::stream::iter([Ok("tea ")]);
    let rest = futures_util::stream::once(late);
    let body = axum::body::Body::from_stream(futures_util::StreamExt::chain(first, rest));
    (headers, body).into_response()
}

/// The name goes into the header as it stands in the address, escapes and all.
async fn named(uri: axum::http::Uri) -> Response {
    let name = uri.path().trim_start_matches("/named/");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{name}")),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    (headers, "leaf").into_response()
}

async fn paper() -> Response {
    ([(header::CONTENT_TYPE, "application/pdf")], PAPER).into_response()
}

async fn redirect(Path(to): Path<String>) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to)]).into_response()
}

/// Says what it hears.
async fn echo(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(|mut socket| async move {
        while let Some(Ok(message)) = socket.recv().await {
            if socket.send(message).await.is_err() {
                break;
            }
        }
    })
}

async fn slow(Path(ms): Path<u64>) -> Html<String> {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    Html(format!("<h1>After {ms} ms</h1>"))
}
