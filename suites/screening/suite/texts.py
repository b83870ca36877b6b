"""What a gathered text is."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple


class Text(NamedTuple):
    set: str
    text: str
    harmless: bool = False
    #: Nobody looked at it while writing rules.
    held_out: bool = False


def is_held_out(text: str) -> bool:
    """Chance decides by the text itself, so that it stays decided."""
    return sha256(text.encode()).digest()[0] % 2 == 1
