"""One line a check, as it ends, and the sum."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

CHECK_LIMIT = 60.0


@dataclass
class Report:
    """What was run and how it went. A check's id is `suite/check`."""

    chosen: list[str]
    passed: int = 0
    failed: list[str] = field(default_factory=list)

    def wants(self, check: str) -> bool:
        """Whether a check was asked for: by its id, or by how that begins."""
        return not self.chosen or any(check.startswith(words) for words in self.chosen)

    def wants_any(self, beginning: str) -> bool:
        """Whether any check whose id begins like this was asked for."""
        return self.wants(beginning) or any(words.startswith(beginning) for words in self.chosen)

    async def check(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """Runs one check, if it was asked for."""
        if not self.wants(name):
            return
        started = time.monotonic()
        try:
            await asyncio.wait_for(run(), CHECK_LIMIT)
        except Exception as error:
            self.fail(name, error, started)
        else:
            self.passed += 1
            print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)

    async def suite(self, name: str, run: Awaitable[None]) -> None:
        """Runs a suite; what goes wrong around its checks is a failure of its own."""
        started = time.monotonic()
        try:
            await run
        except Exception as error:
            self.fail(f"{name}: before or after its checks", error, started)

    def fail(self, name: str, error: BaseException, started: float) -> None:
        """Says that a check failed, and why."""
        self.failed.append(name)
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        if isinstance(error, AssertionError):
            reason = str(error) or "an expectation did not hold"
        elif isinstance(error, TimeoutError) and not str(error):
            reason = "it took too long"
        else:
            reason = "".join(traceback.format_exception(error)).strip()
        indented = reason.replace("\n", "\n      ")
        print(f"FAIL  {name} ({time.monotonic() - started:.1f} s)\n      {indented}", flush=True)
