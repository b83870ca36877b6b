"""Harmless texts: prompts with suspicious words in them, and saved pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from .texts import Text

UNREAD = frozenset("script style noscript template svg".split())
INLINE = frozenset("a abbr b bdi bdo cite code data del dfn em font i img ins kbd mark q s samp small span strong sub sup time tt u var wbr".split())


def texts(shared: Path) -> Iterator[Text]:
    for entry in json.loads((shared / "corpora/notinject-one.json").read_text(encoding="utf-8")):
        yield Text("NotInject", entry["prompt"], harmless=True)
    for path in sorted((shared / "pages").glob("*.html")):
        words = _Words()
        words.feed(path.read_text(encoding="utf-8", errors="replace"))
        words.close()
        yield Text(f"page {path.stem}", words.text(), harmless=True)


class _Words(HTMLParser):
    """All words of a page, a block a line. Also those that a browser wouldn't show: more to be wrong about."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.unread = 0
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unread += tag in UNREAD
        if tag not in INLINE:
            self.pieces.append("\n")
        told = dict(attrs)
        for name in ("alt", "title", "placeholder", "aria-label"):
            self.pieces.append(f"\n{told[name]}\n" if told.get(name) else "")

    def handle_endtag(self, tag: str) -> None:
        self.unread = max(0, self.unread - (tag in UNREAD))
        if tag not in INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unread:
            self.pieces.append(re.sub(r"\s+", " ", data))

    def text(self) -> str:
        lines = ("".join(self.pieces)).split("\n")
        return "\n".join(line.strip() for line in lines if line.strip())
