"""An inbox: find a mail by who sent it, then delete, mark, answer or forward it."""

from __future__ import annotations

import re

from ..hands import Hands, Unsolved
from ..look import Item, Look
from . import policy

REPLY = r"repl(?:y|ied|ying)|respon[ds]|answer|tell|text|write|back"
DELETE = r"delet|trash|remov|rid of|recycl|erase|discard|bin\b"
STAR = r"star\b|important|importance|flag"


# Whatever is said of mail, in whatever words.
@policy(rf"(?P<words>(?i:.*(?:mail|message|contact|forward|send|{REPLY}|{DELETE}|{STAR}).*))", is_last_resort=True)
async def handle_mail(hands: Hands, words: str) -> None:
    look = await hands.look()
    quoted = re.search(r'"(.*)"', words)
    others = words.replace(quoted.group(), "") if quoted else words
    # A mail in the list is its sender, its subject and how it begins.
    mail = _sent_by_one_named([item for item in look.all() if " " in item.name], others)
    await hands.click(mail)
    if re.search(DELETE, others, re.IGNORECASE):
        await hands.click(_icon(await hands.look(), "delete", "trash"))
    elif re.search(STAR, others, re.IGNORECASE):
        await hands.click(_icon(await hands.look(), "star"))
    elif quoted:
        await hands.click((await hands.showing("Reply"))[-1])
        await hands.type((await hands.look()).one("textbox"), quoted.group(1))
        await hands.click(_icon(await hands.look(), "send"))
    else:
        await hands.click((await hands.showing("Forward"))[-1])
        await hands.type((await hands.look()).all("textbox")[0], _receiver(others, _first(mail)))
        await hands.click(_icon(await hands.look(), "send"))


def _first(mail: Item) -> str:
    return mail.name.split()[0]


def _receiver(words: str, sender: str) -> str:
    """Who is named, and is not the sender: after a "to", or in the middle, or at the beginning."""
    for pattern in (r"\bto ([A-Z][a-z]+)\b", r"(?<=[a-z,] )([A-Z][a-z]+)\b", r"\b([A-Z][a-z]+)\b"):
        for name in re.findall(pattern, words):
            if name != sender:
                return name
    raise Unsolved(f"to whom? {words!r}")


def _sent_by_one_named(mails: list[Item], words: str) -> Item:
    """Of those whose sender is named, the one that the words call the sender."""
    fitting = [mail for mail in mails if re.search(rf"\b{re.escape(_first(mail))}\b", words)]
    if not fitting:
        raise Unsolved(f"nobody who sent a mail is named in {words!r}")

    def is_said(mail: Item, pattern: str) -> bool:
        return re.search(pattern.format(re.escape(_first(mail))), words) is not None

    senders = [mail for mail in fitting if is_said(mail, r"(?:by|from) {0}\b|{0}'s|{0} sent")]
    others = [mail for mail in fitting if not is_said(mail, r"\bto {0}\b")]
    return (senders or others or fitting)[0]


def _icon(look: Look, *names: str) -> Item:
    for item in look.all():
        if item.ref and any(name in item.name.lower() for name in names):
            return item
    raise Unsolved(f"no picture is called {names} in\n{look.text}")
