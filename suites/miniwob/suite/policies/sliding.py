"""Sliders, spinners, and what has to be scrolled."""

from __future__ import annotations

import re

from ..hands import Hands, Unsolved
from ..look import Item, Look
from . import policy


async def slide(hands: Hands, place: int, wanted: int) -> None:
    """Sets the slider at a place on the page, by keys, until the number below it is the right one."""
    handle = _handles(await hands.look())[place]
    await hands.click(handle)
    for _ in range(4):
        shown = _number_below(await hands.look(), place)
        if shown == wanted:
            return
        key = "ArrowRight" if shown < wanted else "ArrowLeft"
        for _ in range(abs(wanted - shown)):
            await hands.press(key)
    raise Unsolved(f"the slider doesn't come to {wanted}")


def _handles(look: Look) -> list[Item]:
    return look.all("slider") or look.all("generic")


def _number_below(look: Look, place: int) -> int:
    line = _handles(look)[place].line
    for words in look.lines[line:]:
        if found := re.fullmatch(r"(?:<.*> )?(-?\d+)", words.strip()):
            return int(found.group(1))
    raise Unsolved(f"no number below the slider in\n{look.text}")


@policy(r"Select (?P<number>-?\d+) with the slider and hit Submit\.")
async def use_slider(hands: Hands, number: str) -> None:
    await slide(hands, 0, int(number))
    await hands.submit()


@policy(r"Set the sliders to the combination \[(?P<numbers>.+)\] and submit\.")
async def use_sliders(hands: Hands, numbers: str) -> None:
    for place, number in enumerate(numbers.split(",")):
        await slide(hands, place, int(number))
    await hands.submit()


@policy(r"Select (?P<number>-?\d+) with the slider, click the (?P<place>\d)\w\w checkbox, then hit Submit\.")
async def slide_and_check(hands: Hands, number: str, place: str) -> None:
    await slide(hands, 0, int(number))
    await hands.click((await hands.look()).all("checkbox")[int(place) - 1])
    await hands.submit()


@policy(r"Select (?P<number>-?\d+) with the spinner and hit Submit\.")
async def use_spinner(hands: Hands, number: str) -> None:
    await hands.type((await hands.look()).one("spinbutton"), number)
    await hands.submit()


@policy(r"Scroll the textarea to the (?P<end>bottom|top) of the text hit submit\.")
async def scroll_area(hands: Hands, end: str) -> None:
    await hands.click((await hands.look()).one("textbox"))
    await hands.press("Control+End" if end == "bottom" else "Control+Home")
    await hands.submit()


@policy(r'Scroll to the bottom of the textarea, enter the name "(?P<name>.+)" then press "(?P<button>.+)"')
async def sign(hands: Hands, name: str, button: str) -> None:
    area = (await hands.look()).one("textbox")
    await hands.call("browser_scroll", ref=area.ref, to="bottom")
    look = await hands.look()
    await hands.type(look.one("textbox", "Name"), name)
    await hands.submit(button)
