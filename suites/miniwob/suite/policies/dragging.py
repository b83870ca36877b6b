"""What is dragged: items of a list, boxes, an edge, hours of a calendar."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..hands import Hands, Unsolved
from ..look import Look
from . import policy

ROWS = {"top": 0, "center": 1, "bottom": 2}
COLUMNS = {"left": 0, "center": 1, "right": 2}
# Of the way from one item to the next: beyond the middle of what makes way, and short of it.
FURTHER, SHORT = 0.6, 0.15


def listed(look: Look) -> list[str]:
    """The items of the list that is shown, as they stand."""
    return re.findall(r"^- (\S+)$", look.text, re.MULTILINE)


async def _refs(hands: Hands, names: list[str]) -> list[str]:
    """A ref for each; of those that are alike, in turn."""
    found: dict[str, list[str]] = {}
    refs = []
    for name in names:
        if name not in found:
            found[name] = (await hands.showing(name))[-names.count(name):]
        refs.append(found[name].pop(0))
    return refs


async def move_to(hands: Hands, names: list[str], start: int, end: int) -> None:
    """Drags an item of a list or a grid to a place in its order."""
    refs = await _refs(hands, names)
    boxes = [await hands.box_of(ref) for ref in refs]
    x, y, width, height = boxes[start]
    is_right, is_up = boxes[end][0] > x, boxes[end][1] < y
    by = {"x": 0.0, "y": 0.0}
    if boxes[end][0] != x:
        # What is taken to the right comes to lie behind what it is held over, also further up.
        goal = boxes[end - 1 if is_up and is_right else end]
        across = _step(box[0] for box in boxes) * (FURTHER if is_right else SHORT)
        by = {"x": goal[0] + across - x - width / 2, "y": goal[1] - y}
    else:
        down = _step(box[1] for box in boxes) * (SHORT if is_up else FURTHER)
        by["y"] = boxes[end][1] + down - y - height / 2
    await hands.drag(refs[start], by=by)


def _step(places: Iterable[float]) -> float:
    """From one row or column to the next."""
    first, second, *_ = sorted(set(places))
    return second - first


@policy(
    r"Drag (?P<name>\S+) to the (?P<end>top|bottom)\.",
    r"Drag (?P<name>\S+) (?P<way>up|down) by one position\.",
    r"Drag (?P<name>\S+) to the (?P<place>\d)\w\w position\.",
)
async def drag_in_a_list(
    hands: Hands, name: str, end: str = "", way: str = "", place: str = "0"
) -> None:
    names = listed(await hands.look())
    start = names.index(name)
    goals = {
        "top": 0, "bottom": len(names) - 1, "up": start - 1, "down": start + 1, "": int(place) - 1,
    }
    await move_to(hands, names, start, goals[end or way])


@policy(
    r"Drag (?P<name>\S+) (?P<way>up|down|left|right) by one\.",
    r"Drag (?P<name>\S+) to the (?P<row>top|center|bottom)(?: (?P<column>left|center|right))?\.",
    is_last_resort=True,
)
async def drag_in_a_grid(
    hands: Hands, name: str, way: str = "", row: str = "", column: str | None = None
) -> None:
    names = listed(await hands.look())
    across = len({(await hands.box_of(ref))[0] for ref in await _refs(hands, names)})
    start = names.index(name)
    if way:
        end = start + {"up": -across, "down": across, "left": -1, "right": 1}[way]
    else:
        end = ROWS[row] * across + COLUMNS[column or "center"]
    await move_to(hands, names, start, end)


@policy(r"Sort the numbers in increasing order, starting with the lowest number at the top of the list\.")
async def sort_by_dragging(hands: Hands) -> None:
    for _ in range(20):
        names = listed(await hands.look())
        wanted = sorted(names, key=int)
        if names == wanted:
            return await hands.submit()
        end = next(n for n, (one, other) in enumerate(zip(names, wanted)) if one != other)
        await move_to(hands, names, names.index(wanted[end], end), end)
    raise Unsolved(f"the numbers stay as they are: {names}")


@policy(r"Drag the smaller box so that it is completely inside the larger box\.")
async def drag_a_box(hands: Hands) -> None:
    look = await hands.look()
    names = [line for line in look.lines if re.fullmatch(r"\w+", line)]
    refs = [(await hands.showing(name))[-1] for name in names]
    boxes = sorted([(await hands.box_of(ref), ref) for ref in refs], key=lambda box: box[0][2])
    (small, ref), *_, (large, _) = boxes
    await hands.drag(ref, by={
        "x": _middle(large[0], large[2]) - _middle(small[0], small[2]),
        "y": _middle(large[1], large[3]) - _middle(small[1], small[3]),
    })
    await hands.submit()


def _middle(start: float, length: float) -> float:
    return start + length / 2


@policy(r"Resize the textarea so that the (?P<side>width|height) is (?P<way>smaller|larger) than its initial size "
        r"then press Submit\.")
async def resize(hands: Hands, side: str, way: str) -> None:
    def length(look: Look) -> float:
        return look.one("textbox").box[2 if side == "width" else 3]

    before = await hands.look(boxes=True)
    x, y, width, height = before.one("textbox").box
    distance = 15 if way == "larger" else -15
    # Where people know that such a field can be taken hold of: its last corner.
    corner = {"x": x + width - 5, "y": y + height - 5}
    await hands.drag(corner, by={"x": distance, "y": 0} if side == "width" else {"x": 0, "y": distance})
    after = await hands.look(boxes=True)
    if (length(after) > length(before)) != (way == "larger"):
        raise Unsolved(f"{side} was {length(before)} and is {length(after)}")
    await hands.submit()


@policy(r'Create an? (?P<amount>[\d.]+) (?P<unit>mins?|hours?) event named "(?P<name>.+)", '
        r"between (?P<start>\d+[AP]M) and (?P<end>\d+[AP]M)\.")
async def make_appointment(
    hands: Hands, amount: str, unit: str, name: str, start: str, end: str
) -> None:
    halves = round(float(amount) * (2 if unit.startswith("hour") else 1 / 30))
    look = await hands.look(scope="page")
    labels = [line.strip() for line in look.lines if re.fullmatch(r"\d+[ap]m", line.strip())]
    hours = [(await hands.showing(label))[-1] for label in labels]
    first, last = (labels.index(hour.lower()) for hour in (start, end))
    named = dict.fromkeys(line for line in look.lines if re.fullmatch(r"[A-Z]\w+", line))
    events = [ref for event in named for ref in await hands.showing(event)]
    await hands.call("browser_scroll", ref=hours[first])
    taken = [await hands.box_of(event) for event in events]
    boxes = [await hands.box_of(hour) for hour in hours[first:last]]
    # Each hour is two rows, beside its name.
    rows = [(y + height * half / 2, y + height * (half + 1) / 2) for _, y, _, height in boxes for half in (0, 1)]
    for place in range(len(rows) - halves + 1):
        top, bottom = rows[place][0], rows[place + halves - 1][1]
        if all(bottom <= y or y + height <= top for _, y, _, height in taken):
            break
    else:
        raise Unsolved(f"no room between {start} and {end}")
    hour = hours[first + place // 2]
    await hands.call("browser_scroll", ref=hour)
    x, y, width, height = await hands.box_of(hour)
    x, y = x + width + 40, y + height / 2 * (place % 2)
    await hands.drag({"x": x, "y": y + 3}, to={"x": x, "y": y + bottom - top - 5})
    await hands.type((await hands.look()).one("textbox"), name)
    await hands.submit("Create")
