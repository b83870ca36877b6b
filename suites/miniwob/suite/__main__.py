"""Plays the tasks that are listed as solved, over their seeds, and prints a table."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

from checks import hub as hubs
from checks import python_client

from . import pages as served_pages
from .episode import Outcome, play

HERE = Path(__file__).parent.parent
# The first five, whatever they bring: a seed is never picked for how it goes.
SEEDS = (1, 2, 3, 4, 5)
# However many are listed as unsolved, so many have to remain.
LEAST_TASKS = 60
SAMPLE = (
    "click-button", "click-tab-2", "enter-text", "enter-password", "login-user", "simple-algebra",
    "read-table", "click-checkboxes", "multi-layouts", "guess-number",
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="suites/miniwob/run", description=__doc__)
    parser.add_argument("tasks", nargs="*", help="tasks to play; all that are not listed as unsolved")
    parser.add_argument("--sample", action="store_true", help="a few tasks with one seed, for `make test`")
    parser.add_argument("--seeds", type=span, default=SEEDS, help="seeds to play each task with, from the first to the last: 101-105")
    parser.add_argument("--sessions", type=int, default=4, help="how many agent sessions play at once")
    parser.add_argument("--story", action="store_true", help="print what was called and said when a task fails")
    return parser.parse_args()


def span(text: str) -> tuple[int, ...]:
    """Seeds from a first to a last, as in `101-105`."""
    first, _, last = text.partition("-")
    return tuple(range(int(first), int(last or first) + 1))


def chosen(asked: argparse.Namespace) -> tuple[list[str], tuple[int, ...]]:
    """The tasks to play and the seeds to play them with."""
    unsolved = json.loads((HERE / "unsolved.json").read_text())
    known = served_pages.tasks()
    if strange := unsolved.keys() - set(known):
        sys.exit(f"miniwob: unsolved.json names what is no task: {', '.join(sorted(strange))}")
    if strange := set(asked.tasks) - set(known):
        sys.exit(f"miniwob: no such task: {', '.join(sorted(strange))}")
    if asked.sample:
        return list(SAMPLE), SEEDS[:1]
    if asked.tasks:
        return asked.tasks, asked.seeds
    tasks = [task for task in known if task not in unsolved]
    if len(tasks) < LEAST_TASKS:
        sys.exit(f"miniwob: {len(tasks)} tasks are not listed as unsolved; {LEAST_TASKS} have to be")
    return tasks, asked.seeds


async def play_all(asked: argparse.Namespace, tasks: list[str], seeds: tuple[int, ...]) -> list[Outcome]:
    """Every task with every seed, several at once: each agent session in a tab of its own."""
    waiting = [(task, seed) for seed in seeds for task in tasks][::-1]
    outcomes: list[Outcome] = []

    async def work(client, pages) -> None:
        while waiting:
            outcome = await play(client, pages, *waiting.pop())
            outcomes.append(outcome)
            if not outcome.solved:
                told = outcome.complaint if asked.story else "\n".join(outcome.complaint.split("\n")[:3])
                print(f"FAIL  {outcome.task} seed {outcome.seed}\n      " + told.replace("\n", "\n      "), flush=True)

    with served_pages.served() as pages:
        async with hubs.running("--launch", "--headless") as hub, AsyncExitStack() as stack:
            async with asyncio.TaskGroup() as group:
                for number in range(min(asked.sessions, len(waiting))):
                    transport = python_client.over_stdio(hub, "--tools", "full")
                    client = python_client.client(transport, "new", f"miniwob-{number + 1}")
                    group.create_task(work(await stack.enter_async_context(client), pages))
    return outcomes


def print_table(tasks: list[str], seeds: tuple[int, ...], outcomes: list[Outcome]) -> None:
    print(f"\n{'task':<30} solved  calls  seconds")
    for task in tasks:
        mine = [outcome for outcome in outcomes if outcome.task == task]
        solved = sum(outcome.solved for outcome in mine)
        calls = sum(outcome.calls for outcome in mine) / len(mine)
        seconds = sum(outcome.seconds for outcome in mine) / len(mine)
        print(f"{task:<30} {solved:>2} of {len(seeds)} {calls:>5.1f} {seconds:>8.1f}")


async def main() -> int:
    this = asyncio.current_task()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    asked = arguments()
    tasks, seeds = chosen(asked)
    started = time.monotonic()
    outcomes = await play_all(asked, tasks, seeds)
    print_table(tasks, seeds, outcomes)
    failed = {outcome.task for outcome in outcomes if not outcome.solved}
    print(
        f"\nminiwob: {len(tasks) - len(failed)} of {len(tasks)} tasks solved with {len(seeds)} seeds each, "
        f"{len(outcomes)} episodes in {time.monotonic() - started:.0f} s"
    )
    return 1 if failed else 0


try:
    sys.exit(asyncio.run(main()))
except (asyncio.CancelledError, KeyboardInterrupt):
    sys.exit("miniwob: stopped")
