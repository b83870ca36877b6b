//! Owns the pages and serves them on a free loopback port, from memory, so that no disk or network is in the
//! measured times. Whatever else a saved page asks for is answered with 404 at once.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use crate::failure::Failure;

/// The static page with two buttons: one counts presses without touching the page, the other shows the count.
const STATIC_PAGE: &str = include_str!("../pages/static/buttons.html");
/// Name of the button whose clicks are timed.
pub(crate) const PRESS: &str = "Press here";
/// Name of the button that shows how many presses the page has seen.
pub(crate) const SHOW: &str = "Show count";
/// Browsers open connections ahead of need; one that stays silent is let go.
const SILENCE: Duration = Duration::from_secs(10);

/// The pages of a run, being served.
#[derive(Debug)]
pub(crate) struct PageServer {
    address: SocketAddr,
    names: Vec<String>,
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
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let pages = Arc::clone(&pages);
                thread::spawn(move || answer(&stream, &pages));
            }
        });
        Ok(Self { address, names })
    }

    /// Names of the real pages, in order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Where a real page is.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}/{name}.html", self.address)
    }

    /// Where the page with the two buttons is.
    pub(crate) fn static_url(&self) -> String {
        format!("http://{}/static/buttons", self.address)
    }
}

/// The saved real pages when they lie beside the repository, else the small ones in it.
pub(crate) fn default_folder(bench: &Path) -> PathBuf {
    let saved = bench.join("../../shared/pages");
    if saved.is_dir() { saved } else { bench.join("pages") }
}

/// One request, one answer, closed: the cost is the same for every browser. A browser that has gone away in the
/// meantime is no error.
fn answer(mut stream: &TcpStream, pages: &[(String, Vec<u8>)]) {
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
    let (status, body) = match find(&request, pages) {
        Some(page) => ("200 OK", page),
        None => ("404 Not Found", &b""[..]),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn find<'a>(request: &str, pages: &'a [(String, Vec<u8>)]) -> Option<&'a [u8]> {
    let path = request.split_whitespace().nth(1)?.strip_prefix('/')?;
    let path = path.split(['?', '#']).next()?;
    if path == "static/buttons" {
        return Some(STATIC_PAGE.as_bytes());
    }
    let name = path.strip_suffix(".html")?;
    pages.iter().find(|(page, _)| page == name).map(|(_, body)| body.as_slice())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_page_is_found_by_its_path_alone() {
        let pages = [("shop".to_owned(), b"<p>shop".to_vec())];
        assert_eq!(find("GET /shop.html?x=1 HTTP/1.1", &pages), Some(&b"<p>shop"[..]));
        assert_eq!(find("GET /shop HTTP/1.1", &pages), None);
        assert_eq!(find("GET /../shop.html HTTP/1.1", &pages), None);
        assert!(
            find("GET /static/buttons HTTP/1.1", &pages)
                .is_some_and(|page| page.starts_with(b"<!doctype"))
        );
    }

    #[test]
    fn the_static_page_has_both_buttons() {
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
        assert!(get("/notes.txt").starts_with("HTTP/1.1 404"));
    }
}
