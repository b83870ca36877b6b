//! Owns the pages and serves them on a free loopback port, from memory, so that no disk or network is in the
//! measured times. Whatever else a saved page asks for is answered with 404 at once.

use std::{
    borrow::Cow,
    fs,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use crate::{
    failure::Failure,
    generated,
    heartbeat::{self, Heartbeat},
};

/// The static page with two buttons: one counts presses without touching the page, the other shows the count.
const STATIC_PAGE: &str = include_str!("../pages/static/buttons.html");
/// The page with a form of ten fields.
const FORM_PAGE: &str = include_str!("../pages/static/form.html");
/// Name of the button whose clicks are timed.
pub(crate) const PRESS: &str = "Press here";
/// Name of the button that shows how many presses the page has seen.
pub(crate) const SHOW: &str = "Show count";
/// What the page is headed with.
pub(crate) const HEADING: &str = "Two buttons";
/// Browsers open connections ahead of need; one that stays silent is let go.
const SILENCE: Duration = Duration::from_secs(10);

/// The pages of a run, being served.
#[derive(Debug)]
pub(crate) struct PageServer {
    address: SocketAddr,
    names: Vec<String>,
    heartbeat: Heartbeat,
}

impl PageServer {
    /// Loads every `.html` file of the folder and starts to serve.
    pub(crate) fn start(folder: &Path) -> Result<Self, Failure> {
        let mut pages = Vec::new();
        for entry in
            fs::read_dir(folder).map_err(Failure::io("read the folder of pages"))?.flatten()
        {
            let path = entry.path();
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            if path.extension().is_some_and(|extension| extension == "html") {
                pages.push((name.to_owned(), fs::read(&path).map_err(Failure::io("read a page"))?));
            }
        }
        pages.sort();
        let names = pages.iter().map(|(name, _)| name.clone()).collect();

        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(Failure::io("serve the pages"))?;
        let address = listener.local_addr().map_err(Failure::io("serve the pages"))?;
        let pages = Arc::new(pages);
        let heartbeat = Heartbeat::default();
        let recording = heartbeat.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, heartbeat) = (Arc::clone(&pages), recording.clone());
                thread::spawn(move || answer(&stream, &pages, &heartbeat));
            }
        });
        Ok(Self { address, names, heartbeat })
    }

    /// Names of the real pages, in order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Where a real page is.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}/{name}.html", self.address)
    }

    /// Where a generated page is.
    pub(crate) fn generated_url(&self, name: &str) -> String {
        format!("http://{}/{}{name}", self.address, generated::FOLDER)
    }

    /// Where a generated page is that reports its heartbeat.
    pub(crate) fn beating_url(&self, name: &str) -> String {
        format!("{}?{}", self.generated_url(name), heartbeat::PATH)
    }

    /// What the pages have reported.
    pub(crate) fn heartbeat(&self) -> &Heartbeat {
        &self.heartbeat
    }

    /// Where the page with the two buttons is.
    pub(crate) fn static_url(&self) -> String {
        format!("http://{}/static/buttons", self.address)
    }

    /// Where the form is.
    pub(crate) fn form_url(&self) -> String {
        format!("http://{}/static/form", self.address)
    }
}

/// The saved real pages when they lie beside the repository, else the small ones in it.
pub(crate) fn default_folder(bench: &Path) -> PathBuf {
    let saved = bench.join("../../shared/pages");
    if saved.is_dir() { saved } else { bench.join("pages") }
}

/// One request, one answer, closed: the cost is the same for every browser. A browser that has gone away in the
/// meantime is no error.
fn answer(mut stream: &TcpStream, pages: &[(String, Vec<u8>)], heartbeat: &Heartbeat) {
    let _ = stream.set_read_timeout(Some(SILENCE));
    let mut lines = BufReader::new(stream).lines();
    let Some(Ok(request)) = lines.next() else { return };
    // The headers are read to their end: closing a socket with unread input resets it under the answer.
    for line in lines {
        match line {
            Ok(line) if line.is_empty() => break,
            Ok(_) => {}
            Err(_) => return,
        }
    }
    let target = request.split_whitespace().nth(1).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.trim_start_matches('/');
    if path == heartbeat::PATH {
        heartbeat.record(query);
    }
    let (status, body) = match find(path, pages) {
        Some(page) => ("200 OK", page),
        None => ("404 Not Found", Cow::Borrowed(&b""[..])),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

fn find<'a>(path: &str, pages: &'a [(String, Vec<u8>)]) -> Option<Cow<'a, [u8]>> {
    if path == "static/buttons" {
        return Some(Cow::Borrowed(STATIC_PAGE.as_bytes()));
    }
    if path == "static/form" {
        return Some(Cow::Borrowed(FORM_PAGE.as_bytes()));
    }
    if let Some(name) = path.strip_prefix(generated::FOLDER) {
        return generated::page(name).map(|page| Cow::Owned(page.into_bytes()));
    }
    let name = path.strip_suffix(".html")?;
    pages.iter().find(|(page, _)| page == name).map(|(_, body)| Cow::Borrowed(body.as_slice()))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_page_is_found_by_its_path_alone() {
        let pages = [("shop".to_owned(), b"<p>shop".to_vec())];
        assert_eq!(find("shop.html", &pages).as_deref(), Some(&b"<p>shop"[..]));
        assert_eq!(find("shop", &pages), None);
        assert_eq!(find("../shop.html", &pages), None);
        for path in ["static/buttons", "static/form", "generated/grid", "generated/mixed-1000"] {
            assert!(
                find(path, &pages).is_some_and(|page| page.starts_with(b"<!doctype")),
                "{path}"
            );
        }
    }

    #[test]
    fn the_static_page_has_its_heading_and_both_buttons() {
        assert!(STATIC_PAGE.contains(&format!("<h1>{HEADING}</h1>")));
        assert!(STATIC_PAGE.contains(&format!(">{PRESS}</button>")));
        assert!(STATIC_PAGE.contains(&format!(">{SHOW}</button>")));
    }

    #[test]
    fn pages_are_served_and_the_rest_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("one.html"), "<p>one").unwrap();
        fs::write(folder.path().join("notes.txt"), "no page").unwrap();
        let server = PageServer::start(folder.path()).unwrap();
        assert_eq!(server.names(), ["one"]);
        let get = |path: &str| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        assert!(get("/one.html").ends_with("\r\n\r\n<p>one"));
        assert!(get("/one.html?x=1").ends_with("\r\n\r\n<p>one"));
        assert!(get("/notes.txt").starts_with("HTTP/1.1 404"));
        get("/heartbeat?from=0&until=9&longest=3");
        assert_eq!(server.heartbeat().longest(0.0, 5.0, SILENCE), Some(3.0));
    }
}
