"""One episode: the page is opened, its sentence handed to a policy, the reward heard."""

from __future__ import annotations

import asyncio
import itertools
import time
import traceback
from dataclasses import dataclass

from mcp import Client

from . import policies
from .hands import Hands, Refusal, Unsolved
from .pages import Pages

EPISODE_LIMIT = 60.0
# From the last thing a policy does to the reward; tasks that are timed tell it late.
REWARD_LIMIT = 3.0
LATE_REWARD = 0.3

_numbers = itertools.count(1)


@dataclass
class Outcome:
    """How an episode went."""

    task: str
    seed: int
    solved: bool
    seconds: float
    calls: int
    complaint: str


async def play(client: Client, pages: Pages, task: str, seed: int) -> Outcome:
    """Plays an episode to its end; never raises for what a policy or the product did wrong."""
    started = time.monotonic()
    episode = str(next(_numbers))
    hands: Hands | None = None
    complaint = ""
    try:
        async with asyncio.timeout(EPISODE_LIMIT):
            hands = await _begun(client, pages, task, seed, episode)
            await policies.solve(hands)
    except (Unsolved, Refusal, LookupError) as error:
        complaint = str(error)
    except TimeoutError:
        complaint = "it took too long"
    except Exception as error:
        complaint = "".join(traceback.format_exception(error))
    # The page is the judge: some tasks end before a policy has done all it meant to.
    try:
        told = await pages.hear("reward", episode, LATE_REWARD if complaint else REWARD_LIMIT)
    except TimeoutError:
        complaint = complaint or "no reward was given"
    else:
        complaint = "" if told["reward"] >= 1 else f"reward {told['reward']}\n{complaint}"
    if complaint and hands:
        complaint = f"{hands.sentence}\n{complaint}\n" + "\n".join(hands.story)
    calls = len(hands.story) if hands else 0
    return Outcome(task, seed, not complaint, time.monotonic() - started, calls, complaint)


async def _begun(client: Client, pages: Pages, task: str, seed: int, episode: str) -> Hands:
    async def call(tool: str, arguments: dict) -> tuple[bool, str]:
        result = await client.call_tool(tool, arguments)
        return result.is_error, "\n".join(piece.text for piece in result.content if piece.type == "text")

    failed, said = await call("browser_navigate", {"url": pages.address(task, episode, seed)})
    if failed:
        raise Refusal("the page could not be opened", said)
    told = await pages.hear("began", episode, 10)
    sentence = told["sentence"]
    # Some tasks tell the parts of their sentence beside it; those are no policy's business.
    return Hands(sentence if isinstance(sentence, str) else sentence["utterance"], call)
