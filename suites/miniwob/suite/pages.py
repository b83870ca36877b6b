"""MiniWoB's pages, served on loopback, and what they tell the harness."""

from __future__ import annotations

import asyncio
import json
import mimetypes
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

# The package's own code asks for a robot and a simulator; only its pages are wanted here.
PAGES = Path(__file__).parent.parent / ".venv"
CORE = "/core/core.js"


def _folder() -> Path:
    [folder] = PAGES.glob("lib/python*/site-packages/miniwob/html")
    return folder


def tasks() -> list[str]:
    """The names of all tasks."""
    return sorted(page.stem for page in (_folder() / "miniwob").glob("*.html"))


class Pages:
    """A server of the pages. What an episode's page tells is kept until somebody waits for it."""

    def __init__(self) -> None:
        self.folder = _folder()
        self.episode_script = resources.files(__package__).joinpath("episode.js").read_bytes()
        self.loop = asyncio.get_running_loop()
        self.told: dict[tuple[str, str], asyncio.Future] = {}
        self.port = 0

    def address(self, task: str, episode: str, seed: int) -> str:
        return f"http://127.0.0.1:{self.port}/miniwob/{task}.html?episode={episode}&seed={seed}"

    async def hear(self, what: str, episode: str, within: float) -> dict:
        """What the page of an episode tells: that it `began`, or its `reward`."""
        return await asyncio.wait_for(asyncio.shield(self._awaited(what, episode)), within)

    def has_heard(self, what: str, episode: str) -> bool:
        return self._awaited(what, episode).done()

    def _awaited(self, what: str, episode: str) -> asyncio.Future:
        return self.told.setdefault((what, episode), self.loop.create_future())

    def note(self, what: str, told: dict) -> None:
        awaited = self._awaited(what, told["episode"])
        if not awaited.done():
            awaited.set_result(told)

    def file(self, path: str) -> bytes | None:
        found = (self.folder / path.lstrip("/")).resolve()
        if not found.is_relative_to(self.folder.resolve()) or not found.is_file():
            return None
        return found.read_bytes() + (self.episode_script if path == CORE else b"")


def _type_of(path: str) -> str:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    # The pages don't say it themselves.
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _handler(pages: Pages) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            content = pages.file(path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Type", _type_of(path))
            self.send_header("Content-Length", str(len(content or b"")))
            # An address differs by episode only; what is common to all is asked for once.
            self.send_header("Cache-Control", "max-age=3600")
            self.end_headers()
            self.wfile.write(content or b"")

        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            pages.loop.call_soon_threadsafe(pages.note, self.path.strip("/"), told)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A browser that hangs up in mid-answer is no error."""


@contextmanager
def served():
    """Serves the pages."""
    pages = Pages()
    server = _Server(("127.0.0.1", 0), _handler(pages))
    pages.port = server.server_port
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield pages
    finally:
        server.shutdown()
        server.server_close()
