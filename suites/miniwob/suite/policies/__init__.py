"""Policies, chosen by the task's sentence and by nothing else.

Each module here holds the policies of one kind of task. A policy is a function
of the hands and the parts of the sentence that its pattern names.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib import import_module
from pkgutil import iter_modules

from ..hands import Hands, Unsolved

Policy = Callable[..., Awaitable[None]]
_POLICIES: list[tuple[re.Pattern, Policy]] = []
_LAST_RESORTS: list[tuple[re.Pattern, Policy]] = []


def policy(*sentences: str, is_last_resort: bool = False) -> Callable[[Policy], Policy]:
    """Registers a policy for the sentences that match one of these patterns from end to end."""
    register_in = _LAST_RESORTS if is_last_resort else _POLICIES

    def register(function: Policy) -> Policy:
        register_in.extend((re.compile(sentence), function) for sentence in sentences)
        return function

    return register


async def solve(hands: Hands) -> None:
    """Does what the sentence asks."""
    if not _POLICIES:
        for module in iter_modules(__path__):
            import_module(f"{__name__}.{module.name}")
    for sentence, function in _POLICIES + _LAST_RESORTS:
        if found := sentence.fullmatch(hands.sentence):
            return await function(hands, **found.groupdict())
    raise Unsolved(f"no policy for the sentence {hands.sentence!r}")
