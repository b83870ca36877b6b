"""Runs the clients that are npm packages, on the Node that package.json brings."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

PACKAGES = Path(__file__).parent.parent / "node_modules"

# Each is a process of its own that works hard for half a second.
_AT_ONCE = asyncio.Semaphore(2)


async def run(script: str, *arguments: str, home: Path, limit: float = 45) -> tuple[int, str, str]:
    """Runs a package's script; gives its exit code, output and complaints.

    `home` takes whatever the package likes to leave in a home folder.
    """
    async with _AT_ONCE:
        process = await asyncio.create_subprocess_exec(
            str(PACKAGES / ".bin" / "node"), str(PACKAGES / script), *arguments,
            cwd=home, env={**os.environ, "HOME": str(home)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        try:
            said, complained = await asyncio.wait_for(process.communicate(), limit)
        except asyncio.TimeoutError:
            raise AssertionError(f"{script} {' '.join(arguments)} took over {limit} s") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return process.returncode, said.decode(errors="replace"), complained.decode(errors="replace")
