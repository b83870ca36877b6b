"""The page that clients open, served on loopback."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

PAGE = b"""<!doctype html>
<html lang="en"><title>Weather station</title>
<h1>Weather station</h1>
<p>The wind blows from the north-west.</p>
<button onclick="document.querySelector('output').textContent = 'The flag is up.'">Raise the flag</button>
<output>The flag is down.</output>
"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = self.path == "/"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE) if found else 0))
        self.end_headers()
        self.wfile.write(PAGE if found else b"")

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A browser that hangs up in mid-answer is no error."""


@contextmanager
def served():
    """Serves the page; gives its address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
