"""What a gathered text is."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple


class Text(NamedTuple):
    set: str
    text: str
    harmless: bool = False
    #: Nobody looked at it while writing rules.
    held_out: bool = False


def split(name: str, texts: list[str]) -> list[Text]:
    """A set of which half is held out. Chance decides by the text itself, so that it stays decided;
    but people copy from each other, and who has seen one copy has seen the others."""
    seen = [text for text in texts if not _by_chance(text)]
    known = {phrase for text in seen for phrase in _phrases(text)}
    return [Text(name, text, held_out=_by_chance(text) and not _is_copied(text, known)) for text in texts]


def _by_chance(text: str) -> bool:
    return sha256(text.encode()).digest()[0] % 2 == 1


def _is_copied(text: str, known: set[str]) -> bool:
    phrases = _phrases(text)
    return len(phrases & known) * 5 > len(phrases)


def _phrases(text: str) -> set[str]:
    """Every five words in a row."""
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[at : at + 5]) for at in range(max(1, len(words) - 4))}
