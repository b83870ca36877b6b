"""Lists, checkboxes, radio buttons: choose what is named."""

from __future__ import annotations

import re

from ..hands import Hands, Unsolved
from . import policy


@policy(r"Select (?P<names>.+) from the (?:scroll )?list and click Submit\.")
async def choose_from_list(hands: Hands, names: str) -> None:
    chooser = (await hands.look()).one("combobox|listbox")
    # A name may have a comma in it.
    wanted = [name for name in chooser.options if f", {name}, " in f", {names}, "]
    await hands.call("browser_select_option", ref=chooser.ref, values=wanted)
    await hands.submit()


@policy(r"Select (?P<names>(?!words similar).+) and click Submit\.")
async def check_what_is_named(hands: Hands, names: str) -> None:
    wanted = set() if names == "nothing" else set(names.split(", "))
    for item in (await hands.look()).all("checkbox|radio"):
        if item.name in wanted:
            await hands.click(item)
            wanted.discard(item.name)
    if wanted:
        raise Unsolved(f"nothing is named {wanted}")
    await hands.submit()


@policy(r'Check the (?P<place>\d)\w\w radio button and enter the number "(?P<number>-?\d+)" '
        r"into the (?P<field>\d)\w\w textbox\.")
async def check_and_enter(hands: Hands, place: str, number: str, field: str) -> None:
    look = await hands.look()
    await hands.click(look.all("radio")[int(place) - 1])
    await hands.type(look.all("textbox")[int(field) - 1], number)
    await hands.submit()


@policy(r"Generate an? (?P<kind>odd|even) number, then press submit\.",
        r"Generate a number (?P<kind>less|greater) than (?P<bound>\d+), then press submit\.")
async def generate_number(hands: Hands, kind: str, bound: str = "0") -> None:
    fits = {
        "odd": lambda number: number % 2 == 1,
        "even": lambda number: number % 2 == 0,
        "less": lambda number: number < int(bound),
        "greater": lambda number: number > int(bound),
    }[kind]
    for _ in range(60):
        look = await hands.look()
        shown = re.search(r"^(\d+)$", look.text, re.MULTILINE)
        if shown and fits(int(shown.group(1))):
            return await hands.click(look.one("button", "Submit"))
        await hands.click(look.one("button", "Generate"))
    raise Unsolved("no such number in 60 tries")
