"""Fields: put the right words into the right ones, and submit."""

from __future__ import annotations

import re
from datetime import datetime

from ..hands import Hands, Refusal, Unsolved
from ..look import Look
from . import policy

TEXT = "textbox|searchbox|spinbutton"


@policy(
    r'Enter "(?P<text>.*)" into the text field and press Submit\.',
    r'Type "(?P<text>.*)" in all (?P<case>upper|lower) case letters in the text input and press Submit\.',
)
async def enter_text(hands: Hands, text: str, case: str = "") -> None:
    text = {"upper": text.upper(), "lower": text.lower()}.get(case, text)
    await hands.type((await hands.look()).one(TEXT), text)
    await hands.submit()


@policy(r'Enter the password "(?P<password>.*)" into both text fields and press submit\.')
async def enter_password(hands: Hands, password: str) -> None:
    for field in (await hands.look()).all(TEXT):
        await hands.type(field, password)
    await hands.submit()


@policy(
    r'Enter the username "(?P<user>.*)" and the password "(?P<password>.*)" '
    r"into the text fields and press login\."
)
async def log_in(hands: Hands, user: str, password: str) -> None:
    for place, text in enumerate((user, password)):
        await _answer_first(hands)
        try:
            await hands.type((await hands.look()).all(TEXT)[place], text)
        except Refusal:
            await _answer_first(hands)
            await hands.type((await hands.look()).all(TEXT)[place], text)
    if await _answer_first(hands):
        # What was typed last may have gone to what came in between.
        await hands.type((await hands.look()).all(TEXT)[1], password)
    await hands.submit("Login", "OK")


async def _answer_first(hands: Hands) -> bool:
    """Sends away what asks to be answered first."""
    away = (await hands.look()).all("button", "Cancel")
    if away:
        await hands.click(away[0])
    return bool(away)


@policy(r"Enter (?P<date>\d\d/\d\d/\d{4}) as the date and hit submit\.")
async def enter_date(hands: Hands, date: str) -> None:
    await _enter_parts(hands, date.replace("/", ""))


@policy(r"Enter (?P<time>\d+:\d\d.[AP]M) as the time and press submit\.")
async def enter_time(hands: Hands, time: str) -> None:
    when = datetime.strptime(re.sub(r"\s", " ", time), "%I:%M %p")
    await _enter_parts(hands, when.strftime("%I%M%p")[:5])


async def _enter_parts(hands: Hands, keys: str) -> None:
    """A date or a time is typed into its parts, from the first to the last."""
    await hands.click((await hands.look()).one(TEXT))
    for key in ["ArrowLeft"] * 3 + list(keys):
        await hands.press(key)
    await hands.submit()


@policy(r"Focus into the (?:(?P<place>\d+)\w\w input )?textbox\.")
async def focus(hands: Hands, place: str | None) -> None:
    await hands.click((await hands.look()).all(TEXT)[int(place or 1) - 1])


@policy(r"Copy the text in the textarea below, paste it into the textbox and press Submit\.",
        r"Copy the text from the (?P<place>\d+)\w\w text area below and paste it into the text input, "
        r"then press Submit\.")
async def copy_and_paste(hands: Hands, place: str | None = None) -> None:
    fields = (await hands.look()).all(TEXT)
    sources = [field for field in fields if field.value]
    [target] = [field for field in fields if not field.value]
    # Not through the clipboard: all that runs in a browser shares one.
    await hands.type(target, sources[int(place or 1) - 1].value)
    await hands.submit()


@policy(r'Find the (?P<place>\d+)\w\w word in the paragraph, type that into the textbox and press "Submit"\.')
async def find_word(hands: Hands, place: str) -> None:
    look = await hands.look()
    field = look.one(TEXT)
    words = look.words(field.line - 1).split()
    await hands.type(field, words[int(place) - 1].strip(".,"))
    await hands.submit()


@policy(r"Find the last word in the text area, enter it into the text field and hit Submit\.")
async def last_word(hands: Hands) -> None:
    area, field = (await hands.look()).all(TEXT)
    await hands.type(field, area.value.split()[-1].strip("."))
    await hands.submit()


@policy(r"Type the text below into the text field and press Submit\.")
async def retype(hands: Hands) -> None:
    look = await hands.look()
    field = look.one(TEXT)
    await hands.type(field, look.words(field.line - 1).replace(" ", ""))
    await hands.submit()


def table(look: Look) -> dict[str, str]:
    """The rows of two cells."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", look.text, re.MULTILINE)
    return {name: value for name, value in rows if "<" not in value}


@policy(r"Enter the value of (?P<name>.+) into the text field and press Submit\.")
async def read_table(hands: Hands, name: str) -> None:
    look = await hands.look()
    await hands.type(look.one(TEXT), table(look)[name])
    await hands.submit()


@policy(r"Enter the value that corresponds with each label into the form and submit when done\.")
async def fill_from_table(hands: Hands) -> None:
    look = await hands.look()
    for field in look.all(TEXT):
        await hands.type(field, table(look)[label(look, field).strip(": ")])
    await hands.submit()


def label(look: Look, field) -> str:
    """The words that a field is known by: its name, those before it, those above it."""
    line = field.line
    words = field.name or look.before(field).strip("| ")
    while not words and line:
        line -= 1
        words = look.words(line).strip("| ")
    return words


@policy(r"Search for (?P<genre>.+) movies directed by (?P<director>.+) from year (?P<year>\d+)\.")
async def search_movies(hands: Hands, genre: str, director: str, year: str) -> None:
    look = await hands.look()
    fields = look.all(TEXT)
    # Where nothing but the sentence stands above the first field, labels stand below.
    is_below = look.words(fields[0].line - 1) == hands.sentence and not look.before(fields[0])
    for field in fields:
        words = (look.words(field.line + 1) if is_below else label(look, field)).lower()
        if "genre" in words:
            text = genre
        elif "director" in words:
            text = director
        elif "year" in words or "date" in words:
            text = year
        else:
            raise Unsolved(f"what is {words!r}?")
        await hands.type(field, text)
    [*_, button] = (await hands.look()).all("button|generic")
    await hands.click(button)


@policy(r"Solve for x and type your answer into the textbox\. Press Submit when done\.")
async def solve_algebra(hands: Hands) -> None:
    look = await hands.look()
    left, sign, right, result = re.search(
        r"(x|-?\d+) ([-+]) (x|-?\d+) = (-?\d+)", look.text
    ).groups()
    if sign == "+":
        x = int(result) - int(right if left == "x" else left)
    else:
        x = int(result) + int(right) if left == "x" else int(left) - int(result)
    await hands.type(look.one(TEXT), str(x))
    await hands.submit()


@policy(r"Solve the math problem and type your answer into the textbox\. Press submit when done\.")
async def solve_arithmetic(hands: Hands) -> None:
    look = await hands.look()
    one, sign, two = re.search(r"(-?\d+) ([-+x]) (-?\d+) =", look.text).groups()
    one, two = int(one), int(two)
    await hands.type(look.one(TEXT), str({"+": one + two, "-": one - two, "x": one * two}[sign]))
    await hands.submit()


@policy(r"Guess the number between (?P<low>\d+)-(?P<high>\d+) and press Submit\. .*")
async def guess_number(hands: Hands, low: str, high: str) -> None:
    least, most = int(low), int(high)
    while least <= most:
        guess = (least + most) // 2
        await hands.type((await hands.look()).one(TEXT), str(guess))
        await hands.submit()
        look = await hands.look()
        if re.search(rf"higher than {guess}\b", look.text):
            least = guess + 1
        elif re.search(rf"lower than {guess}\b", look.text):
            most = guess - 1
        else:
            return
