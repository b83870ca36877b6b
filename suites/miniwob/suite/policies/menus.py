"""What opens in parts: calendars, menus, trees, drop-down lists, suggestions."""

from __future__ import annotations

import re
from datetime import datetime

from ..hands import Hands, Unsolved
from ..look import Item, Look
from . import policy
from .clicking import named

# Between two looks at what begins to move slowly.
SLOWLY_MS = 1500
BESIDE_PX = 4


@policy(r"Select (?P<date>\d\d/\d\d/\d{4}) as the date and hit submit\.")
async def choose_date(hands: Hands, date: str) -> None:
    await pick_date(hands, (await hands.look()).one("textbox").ref, date)
    await hands.submit()


async def pick_date(hands: Hands, field: str, date: str) -> None:
    """Opens the calendar of a field, turns its pages and clicks the day."""
    wanted = datetime.strptime(date, "%m/%d/%Y")
    await hands.click(field)
    for _ in range(15):
        look = await hands.settled()
        month = re.search(r"^(\w+) (\d{4})$", look.text, re.MULTILINE)
        if not month:
            raise Unsolved(f"no month in\n{look.text}")
        shown = datetime.strptime(month.group(), "%B %Y")
        if (shown.year, shown.month) == (wanted.year, wanted.month):
            await hands.click(look.one("link", str(wanted.day)))
            return
        turn = "Prev" if shown > wanted else "Next"
        known = named(look, turn)
        await hands.click(known or (await hands.showing(turn))[-1])
    raise Unsolved(f"{date} is on no page of the calendar")


@policy(r"Select (?P<path>\S+>\S+|[A-Z]\w+)")
async def walk_a_menu(hands: Hands, path: str) -> None:
    # By keys: a click on an item that opens another menu would choose it.
    await hands.press("Tab")
    known: list[str] = []
    for name in path.split(">"):
        if known:
            await hands.press("ArrowRight")
        shown = [item.name for item in (await hands.look()).all("menuitem")]
        opened = [item for item in shown if item not in known]
        if name not in opened:
            raise Unsolved(f"{name} is not among {opened}")
        for _ in range(opened.index(name)):
            await hands.press("ArrowDown")
        known = shown
    await hands.press("Enter")


@policy(r'Expand the pie menu below and click on the item labeled "(?P<name>.)"\.')
async def click_in_a_pie(hands: Hands, name: str) -> None:
    await hands.click((await hands.look()).one("generic", "+"))
    known = named(await hands.settled(SLOWLY_MS), name)
    # The last one that shows it: the sentence shows it, too.
    ref = known.ref if known else (await hands.showing(name))[-1]
    # Beside the letter: whatever is pointed at there comes to the front, and the letter with it.
    x, y, width, height = await hands.box_of(ref)
    await hands.click_at(x + width + BESIDE_PX, y + height / 2)


@policy(r'Navigate through the file tree\. Find and click on the folder or file named "(?P<name>.+)"\.')
async def walk_a_tree(hands: Hands, name: str) -> None:
    for _ in range(4):
        look = await hands.look()
        is_shown = re.compile(rf'(^|"|- ){name}("|$)').search
        if any(is_shown(line) for line in look.lines if line != hands.sentence):
            await hands.click((await hands.showing(name))[-1])
            return
        await hands.click(_folder_of(name, await hands.look(include_hidden=True)))
    raise Unsolved(f"no {name} in\n{look.text}")


def _folder_of(name: str, look: Look) -> Item:
    """The branch that holds a leaf which can't be seen yet."""
    branch: Item | None = None
    for line, words in enumerate(look.lines):
        branch = next((item for item in look.all("listitem|treeitem") if item.line == line), branch)
        if branch and words.endswith(f"(hidden) {name}"):
            return branch
    raise Unsolved(f"no branch holds {name} in\n{look.text}")


@policy(r'Choose (?P<option>.+) from the dropdown, then click the button labeled "(?P<button>.+)"\.')
async def choose_and_click(hands: Hands, option: str, button: str) -> None:
    look = await hands.look()
    opener = look.one("combobox|generic")
    await hands.click(opener)
    item = named(await hands.look(), option)
    await hands.click(item or (await hands.showing(option))[-1])
    await hands.submit(button)


@policy(r'Enter an item that starts with "(?P<start>.+?)"(?: and ends with "(?P<end>.+)")?\.')
async def choose_a_suggestion(hands: Hands, start: str, end: str | None) -> None:
    await hands.type((await hands.look()).one("textbox"), start)
    for _ in range(20):
        look = await hands.look()
        for item in look.all("listitem|option|menuitem"):
            if item.name.startswith(start) and item.name.endswith(end or ""):
                await hands.click(item)
                await hands.submit()
                return
        await hands.call("browser_wait", ms=100)
    raise Unsolved(f"no such suggestion in\n{look.text}")
