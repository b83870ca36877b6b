"""Buttons, links, tabs, sections, dialogs: find what is named and click it."""

from __future__ import annotations

import re

from ..hands import Hands, Unsolved
from ..look import Item, Look
from . import policy


def named(look: Look, name: str, roles: str | None = None) -> Item | None:
    """The first control with this name; as it is written, or else but for case."""
    items = [item for item in look.all(roles) if item.ref]
    for same in (str, str.lower):
        for item in items:
            if same(item.name) == same(name) or same(item.shown) == same(name):
                return item
    return None


@policy(
    r'Click on the "(?P<name>.+)" button\.',
    r"Click the (?P<name>\w+) button\.",
    r'Click on the link "(?P<name>.+)"\.',
)
async def click_what_is_named(hands: Hands, name: str) -> None:
    look = await hands.look()
    item = named(look, name)
    if item is None:
        raise Unsolved(f"no {name} in\n{look.text}")
    await hands.click(item)


@policy(r"Click the button\.")
async def click_the_only_button(hands: Hands) -> None:
    await hands.click((await hands.look()).one("button"))


@policy(r"(?P<steps>Click button \w+.*)\.")
async def click_in_turn(hands: Hands, steps: str) -> None:
    look = await hands.look()
    for step in re.split(r", (?:then )?", steps):
        if pause := re.fullmatch(r"wait (\d+) seconds?", step):
            await hands.call("browser_wait", ms=int(pause.group(1)) * 1000)
        elif button := re.fullmatch(r"[Cc]lick button (\w+)", step):
            await hands.click(look.one("button", button.group(1)))
        else:
            raise Unsolved(f"what does {step!r} mean?")


@policy(
    r'Close the dialog box by clicking the "(?P<name>x)"\.',
    r'Click the button in the dialog box labeled "(?P<name>.+)"\.',
)
async def click_in_the_dialog(hands: Hands, name: str) -> None:
    look = await hands.look()
    # The cross in the corner is a button that says what it does.
    item = named(look, name, "button") or (named(look, "Close", "button") if name == "x" else None)
    if item is None:
        raise Unsolved(f"no button {name} in\n{look.text}")
    await hands.click(item)


@policy(r"Click on (?P<name>Tab #\d+)\.")
async def click_a_tab(hands: Hands, name: str) -> None:
    await hands.click((await hands.look()).one("tab", name))


@policy(
    r'Switch between the tabs to find and click on the link "(?P<name>.+)"\.',
    r'Expand the sections below, to find and click on the link "(?P<name>.+)"\.',
)
async def click_behind_tabs(hands: Hands, name: str) -> None:
    look = await hands.look()
    for tab in [None, *look.all("tab")]:
        if tab and not tab.has("selected"):
            await hands.click(tab)
            look = await hands.settled()
        if link := named(look, name, "generic|link"):
            await hands.click(link)
            return
    raise Unsolved(f"no link {name} behind any tab; the last is\n{look.text}")


@policy(r"Expand the section below and click submit\.")
async def expand_and_submit(hands: Hands) -> None:
    await hands.click((await hands.look()).one("tab"))
    await hands.settled()
    await hands.submit()


@policy(r'Click on a "(?P<kind>.+)" widget\.')
async def click_a_kind_of_widget(hands: Hands, kind: str) -> None:
    look = await hands.look(boxes=True)
    if kind in ("text", "textarea"):
        fields = sorted(look.all("textbox"), key=lambda field: field.box[3])
        # A text area is the higher one of the two kinds.
        await hands.click(fields[-1] if kind == "textarea" else fields[0])
    else:
        await hands.click(look.one(kind))


@policy(r"Mark the numbers below as odd or even and press submit when done\.")
async def mark_odd_or_even(hands: Hands) -> None:
    look = await hands.look()
    before: Item | None = None
    for line, words in enumerate(look.lines):
        on_line = [item for item in look.items if item.line == line]
        if on_line:
            if on_line[0].name == "Odd":
                before = on_line[0]
        elif before and re.fullmatch(r"-?\d+", words.strip()):
            after = next(item for item in look.all("button", "Even") if item.line > line)
            await hands.click(before if int(words) % 2 else after)
    await hands.submit()


@policy(r"Find and pick the card with the greatest number, then press submit\.")
async def pick_the_greatest(hands: Hands) -> None:
    cards = (await hands.look()).all("generic")
    numbers = []
    for card in cards:
        # A card shows its number once it is turned, and turns the others back.
        await hands.click(card)
        look = await hands.look()
        [number] = re.findall(r"^(?:<.*> )?(\d+)(?: <.*>)?$", look.text, re.MULTILINE)
        numbers.append(int(number))
    if numbers[-1] != max(numbers):
        await hands.click(cards[numbers.index(max(numbers))])
    await hands.submit()


@policy(r"Click on the numbers in ascending order\.")
async def click_ascending(hands: Hands) -> None:
    look = await hands.look()
    numbers = sorted({int(line) for line in look.lines if re.fullmatch(r"\d+", line.strip())})
    # The first click may hide what the others say: where they are is noted before.
    places = [await hands.place_of((await hands.showing(str(number)))[-1]) for number in numbers]
    for x, y in places:
        await hands.click_at(x, y)


@policy(r"Buy the ticket with the (?P<most>shortest|longest|cheapest|most expensive) (?P<what>duration|cost)\.")
async def buy_a_ticket(hands: Hands, most: str, what: str) -> None:
    look = await hands.look()
    tickets = []
    for button in look.all("button"):
        hours, minutes = re.search(r"(\d+)h (\d+)m", look.lines[button.line - 1]).groups()
        price = re.search(r"\$(\d+)", button.name).group(1)
        amount = int(price) if what == "cost" else int(hours) * 60 + int(minutes)
        tickets.append((amount, button))
    choose = max if most in ("longest", "most expensive") else min
    await hands.click(choose(tickets, key=lambda ticket: ticket[0])[1])


@policy(r"Highlight the text in the (?:paragraph below|(?P<place>\d)\w\w paragraph) and click submit\.")
async def highlight(hands: Hands, place: str | None = None) -> None:
    look = await hands.look()
    begin = look.lines.index(hands.sentence)
    paragraphs = [line for line in look.lines[begin + 1:] if line and "<" not in line]
    # Three clicks mark a paragraph.
    await hands.click((await hands.showing(paragraphs[int(place or 1) - 1]))[-1], count=3)
    await hands.submit()
