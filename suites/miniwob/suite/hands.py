"""What a policy has: the task's sentence, and Outrigger's tools with the text they return.

A policy names things by the refs that it read, or by places that it read. What
would let it know a page beforehand is refused here.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from .look import Item, Look

ALLOWED = {
    "browser_snapshot", "browser_find", "browser_click", "browser_type", "browser_press_key",
    "browser_hover", "browser_drag", "browser_scroll", "browser_select_option", "browser_fill_form",
    "browser_wait", "browser_find_by_text", "browser_check_visibility",
}
REFUSED_ARGUMENTS = {"tab", "browser"}
# What gets in the way for a moment: a calendar that fades, a section that slides.
PASSING = ("covered:", "moved:")
TRIES = 12
PAUSE_MS = 150


class Unsolved(Exception):
    """A policy doesn't find what the sentence speaks of."""


class Refusal(Exception):
    """A tool said why it didn't do what it was asked."""

    def __init__(self, asked: str, said: str) -> None:
        super().__init__(f"{asked}: {said}")
        self.said = said


class Hands:
    """The tools, bound to the tab of one episode."""

    def __init__(
        self, sentence: str, call: Callable[[str, dict], Awaitable[tuple[bool, str]]]
    ) -> None:
        self.sentence = sentence
        self._call = call
        self.story: list[str] = []

    async def call(self, tool: str, **arguments: object) -> str:
        """Calls a tool; gives its text."""
        if tool not in ALLOWED or REFUSED_ARGUMENTS & arguments.keys() or _has_selector(tool, arguments):
            raise AssertionError(f"no policy may call {tool} with {arguments}")
        refused, text = await self._call(tool, arguments)
        self.story.append(f"> {tool} {arguments}\n{text}")
        if refused:
            raise Refusal(f"{tool} {arguments}", text)
        return text

    async def look(self, **how: object) -> Look:
        """What the page is now."""
        return Look(await self.call("browser_snapshot", **how))

    async def settled(self, pause_ms: int = PAUSE_MS) -> Look:
        """A look at the page once nothing on it moves: two looks are the same."""
        before = ""
        for _ in range(TRIES * 2):
            look = await self.look(boxes=True)
            if look.text == before:
                return look
            before = look.text
            await self.call("browser_wait", ms=pause_ms)
        return look

    async def click(self, item: Item | str, **how: object) -> str:
        return await self._as_soon_as_free("browser_click", ref=_ref(item), **how)

    async def click_at(self, x: float, y: float) -> str:
        """Clicks at a place, on whatever is there."""
        return await self._as_soon_as_free("browser_click", x=x, y=y)

    async def _as_soon_as_free(self, tool: str, **arguments: object) -> str:
        """Calls a tool until nothing is in the way."""
        for tries_left in reversed(range(TRIES)):
            try:
                return await self.call(tool, **arguments)
            except Refusal as refusal:
                if not refusal.said.startswith(PASSING) or not tries_left:
                    raise
            await self.call("browser_wait", ms=PAUSE_MS)
        raise AssertionError("the last try either succeeds or raises")

    async def place_of(self, ref: str) -> tuple[float, float]:
        """The middle of what can be seen."""
        x, y, width, height = await self.box_of(ref)
        return x + width / 2, y + height / 2

    async def box_of(self, ref: str) -> tuple[float, float, float, float]:
        """x, y, width, height, also of what is no control."""
        told = await self.call("browser_check_visibility", selector=ref)
        found = re.search(r"([\d.]+)×([\d.]+) at (-?[\d.]+),(-?[\d.]+)", told)
        if not found:
            raise Unsolved(f"where is it? {told}")
        width, height, x, y = map(float, found.groups())
        return x, y, width, height

    async def drag(self, start: str | dict, **end: object) -> str:
        """Drags what is at a ref or a place `to` another one, or `by` a distance."""
        return await self._as_soon_as_free("browser_drag", **{"from": start}, **end)

    async def type(self, item: Item | str, text: str, **how: object) -> str:
        """Puts a text into a field, in place of what is there."""
        return await self.call("browser_type", ref=_ref(item), text=text, clear=True, **how)

    async def press(self, key: str) -> str:
        return await self.call("browser_press_key", key=key)

    async def submit(self, *names: str) -> str:
        """Presses the button that ends a form."""
        look = await self.look()
        for name in names or ("Submit",):
            for item in look.all("button|generic|link"):
                if item.name.lower() == name.lower():
                    return await self.click(item)
        raise Unsolved(f"no button {names or 'Submit'} in\n{look.text}")

    async def showing(self, text: str) -> list[str]:
        """Refs of the innermost elements that show exactly this text, also such as aren't controls."""
        found = await self.call("browser_find_by_text", text=text, exact=True)
        return re.findall(r"^(e\d+) ", found, re.MULTILINE)


def _has_selector(tool: str, arguments: dict) -> bool:
    """Whether something is named by other means than a ref or a place that was read."""
    places = ("selector", "from", "to") if tool == "browser_drag" else ("selector",)
    named = [arguments[place] for place in places if place in arguments]
    return any(isinstance(name, str) and not re.fullmatch(r"e\d+", name) for name in named)


def _ref(item: Item | str) -> str:
    ref = item if isinstance(item, str) else item.ref
    if not ref:
        raise Unsolved(f"{item} has no ref")
    return ref
