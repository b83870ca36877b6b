"""Small sites: an address book, a search, a shop, flights, a stock, a terminal."""

from __future__ import annotations

import re

from ..hands import Hands, Unsolved
from . import policy
from .menus import pick_date


@policy(r"Find (?P<person>.+) in the contact book and click on their (?P<kind>phone|email|address)(?: number)?\.")
async def look_up(hands: Hands, person: str, kind: str) -> None:
    for _ in range(10):
        look = await hands.look()
        if f"## {person}" in look.lines:
            line = next(n for n, words in enumerate(look.lines) if words.startswith(f"{kind.title()}:"))
            await hands.click(next(item for item in look.items if item.line == line))
            return
        await hands.click(look.one("link", ">"))
    raise Unsolved(f"{person} is on no page")


@policy(r'Use the textbox to enter "(?P<text>.+)" and press "Search", then find and click the (?P<place>\d+)\w\w search result\.')
async def search(hands: Hands, text: str, place: str) -> None:
    await hands.type((await hands.look()).one("textbox"), text)
    await hands.submit("Search")
    before = 0
    for _ in range(10):
        look = await hands.look()
        results = [item for item in look.all("link") if not re.fullmatch(r"\d+|[<>]", item.name)]
        if int(place) <= before + len(results):
            await hands.click(results[int(place) - before - 1])
            return
        before += len(results)
        await hands.click(look.one("link", ">"))
    raise Unsolved(f"there are only {before} results")


@policy(r"Order one of each item: (?P<items>.+)", r"Order (?P<count>\d+) items that are (?P<kind>.+)")
async def order(hands: Hands, items: str = "", count: str = "0", kind: str = "") -> None:
    look = await hands.settled()
    # Each has its name, pictures of what it is made of, and a row to order it with.
    rows = [n for n, words in enumerate(look.lines) if words.replace(" ", "") == "-+"]
    pictures = [look.lines[row - 1] if look.lines[row - 1].startswith("![") else "" for row in rows]
    names = [look.words(row - (2 if shown else 1)) for row, shown in zip(rows, pictures)]
    adding = await hands.showing("+")
    if len(adding) != len(names):
        raise Unsolved(f"{len(names)} dishes, {len(adding)} buttons")
    if items:
        for name in items.split(", "):
            await hands.click(adding[names.index(name.strip())])
    else:
        fitting = [n for n, shown in enumerate(pictures) if f"![{kind}]" in shown]
        for _ in range(int(count)):
            await hands.click(adding[fitting[0]])
    await hands.submit("Order!")


@policy(r"Use the terminal below to delete a file (?:ending with the extension (?P<ending>\S+)|that has no file extension\.)")
async def use_terminal(hands: Hands, ending: str | None) -> None:
    await hands.click((await hands.showing("terminal"))[-1])
    await _enter(hands, "ls")
    look = await hands.look()
    listed = look.lines[next(n for n, words in enumerate(look.lines) if words.startswith("user$ ls")) + 1]
    files = listed.split()
    [file, *_] = [file for file in files if (file.endswith(ending) if ending else "." not in file)]
    await _enter(hands, f"rm {file}")


async def _enter(hands: Hands, command: str) -> None:
    for letter in command:
        await hands.press("Space" if letter == " " else letter)
    await hands.press("Enter")


@policy(r"Book the (?P<which>cheapest|shortest) one-way flight from: (?P<origin>.+) to: (?P<goal>.+) on (?P<date>[\d/]+)\.")
async def book_flight(hands: Hands, which: str, origin: str, goal: str, date: str) -> None:
    for name, city in (("From:", origin), ("To:", goal)):
        await _choose_city(hands, name, city)
    look = await hands.look()
    await pick_date(hands, look.all("textbox")[2].ref, date)
    await hands.submit("Search")
    look = await hands.look(scope="page", max_tokens=6000)
    flights = []
    for button in look.all("button"):
        if price := re.search(r"\$(\d+)", button.name):
            above = "\n".join(look.lines[:button.line])
            hours, minutes = re.findall(r"(\d+)h (\d+)m", above)[-1]
            flights.append((int(price.group(1)), int(hours) * 60 + int(minutes), button))
    best = min(flights, key=lambda flight: flight[0 if which == "cheapest" else 1])
    await hands.click(best[2])


async def _choose_city(hands: Hands, field: str, words: str) -> None:
    for _ in range(3):
        await hands.type((await hands.look()).one("textbox", field), words)
        for _ in range(8):
            for item in (await hands.look()).all("listitem|option|menuitem"):
                if words in item.name:
                    await hands.click(item)
                    # The page takes the focus back to the field in its own time.
                    await hands.settled()
                    return
            await hands.call("browser_wait", ms=100)
    raise Unsolved(f"{words} isn't suggested")


COLOURS = {
    "red": "FF0000", "lime": "00FF00", "blue": "0000FF", "black": "000000", "white": "FFFFFF",
    "yellow": "FFFF00", "cyan": "00FFFF", "aqua": "00FFFF", "magenta": "FF00FF", "fuchsia": "FF00FF",
    "green": "008000", "grey": "808080", "gray": "808080", "purple": "800080", "olive": "808000",
    "orange": "FFA500", "pink": "FFC0CB", "maroon": "800000", "navy": "000080", "teal": "008080",
    "silver": "C0C0C0", "brown": "A52A2A",
}


@policy(r"Select (?P<name>\w+) with the color picker and hit Submit\.")
async def pick_a_colour(hands: Hands, name: str) -> None:
    await hands.type((await hands.look()).one("textbox"), COLOURS[name])
    await hands.submit()
