"""A snapshot's text, taken apart: controls with ref, role, name and states, and the words between.

Knows the notation of docs/reading.md, and nothing of any page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_STATE = rf'[\w-]+=(?:{_QUOTED}(?:\|{_QUOTED})*|[\w-]+)|@\S+|[\w-]+'
_LINK = re.compile(r"\[((?:[^\]\\]|\\.)*)\]\((e\d+)((?: [^)]*)?)\)")
_CONTROL = re.compile(rf"<([a-z][\w-]*)(?: (e\d+))?(?: ({_QUOTED}))?((?: (?:{_STATE}))*)>")
_FENCE = re.compile(r"<untrusted-page-content[^>]*>\n?(.*?)\n?</untrusted-page-content", re.DOTALL)


@dataclass(frozen=True)
class Item:
    """Something that has a ref, or can be seen."""

    role: str
    ref: str | None
    name: str
    states: dict[str, str | list[str]] = field(compare=False, hash=False)
    line: int
    # Where in the text of the look it begins and ends.
    span: tuple[int, int]

    def has(self, state: str) -> bool:
        return state in self.states

    @property
    def value(self) -> str:
        value = self.states.get("value", "")
        return value if isinstance(value, str) else value[0]

    @property
    def options(self) -> list[str]:
        options = self.states.get("options", [])
        return [options] if isinstance(options, str) else options

    @property
    def shown(self) -> str:
        """The words on it, where its name is another."""
        shows = self.states.get("shows", self.name)
        return shows if isinstance(shows, str) else shows[0]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x, y, width, height; only in a look with boxes."""
        numbers = re.findall(r"-?\d+(?:\.\d+)?", str(self.states["box"]))
        x, y, width, height = map(float, numbers)
        return x, y, width, height


class Look:
    """What a page was at one moment."""

    def __init__(self, text: str) -> None:
        fenced = _FENCE.search(text)
        self.text = fenced.group(1) if fenced else text
        self.lines = self.text.split("\n")
        self.items = sorted(_items(self.text), key=lambda item: item.span)

    def all(self, role: str | None = None, name: str | None = None) -> list[Item]:
        roles = role.split("|") if role else None
        return [
            item for item in self.items
            if (roles is None or item.role in roles) and (name is None or item.name == name)
        ]

    def one(self, role: str | None = None, name: str | None = None) -> Item:
        """The first such item; there has to be one."""
        found = self.all(role, name)
        if not found:
            raise LookupError(f"no {role or 'item'} {name or ''} in\n{self.text}")
        return found[0]

    def words(self, line: int) -> str:
        """A line without the notation of its controls."""
        return plain(self.lines[line])

    def before(self, item: Item) -> str:
        """The words on the item's line before it."""
        start = self.text.rfind("\n", 0, item.span[0]) + 1
        return plain(self.text[start:item.span[0]])


def plain(text: str) -> str:
    """A piece of a look as a person reads it: names and values of controls, no notation."""
    text = _LINK.sub(lambda found: found.group(1), text)
    text = _CONTROL.sub(lambda found: _unquoted(found.group(3)) if found.group(3) else "", text)
    return text.strip()


def _items(text: str):
    for found in _LINK.finditer(text):
        yield Item(
            "link", found.group(2), found.group(1), _states(found.group(3)),
            text.count("\n", 0, found.start()), found.span(),
        )
    for found in _CONTROL.finditer(text):
        yield Item(
            found.group(1), found.group(2), _unquoted(found.group(3) or '""'),
            _states(found.group(4)), text.count("\n", 0, found.start()), found.span(),
        )


def _states(text: str) -> dict[str, str | list[str]]:
    states: dict[str, str | list[str]] = {}
    for state in re.findall(_STATE, text):
        name, _, value = state.partition("=")
        if state.startswith("@"):
            states["box"] = state
        elif not value.startswith('"'):
            states[name] = value
        else:
            values = [_unquoted(each) for each in re.findall(_QUOTED, value)]
            states[name] = values if name == "options" else values[0]
    return states


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])
