"""Hubs to check against: each in a temporary home, on a free port, gone at the end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

START_LIMIT = 60.0
END_LIMIT = 20.0


def binary() -> str:
    """The `outrigger` under test."""
    path = os.environ.get("OUTRIGGER")
    if not path:
        raise SystemExit("clients: set OUTRIGGER to the path of the outrigger binary")
    return str(Path(path).resolve())


@dataclass(frozen=True)
class Hub:
    """A place where a hub runs, or will run once a stdio client asks for it."""

    home: Path
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def agent_token(self) -> str:
        return (self.home / "agent-token").read_text().strip()

    @property
    def pairing_token(self) -> str:
        return (self.home / "pairing-token").read_text().strip()

    @property
    def own_environment(self) -> dict[str, str]:
        """What `outrigger` is told of this place, with the caller's other settings."""
        own = {name: value for name, value in os.environ.items() if name.startswith("OUTRIGGER_")}
        own.update(OUTRIGGER_HOME=str(self.home), OUTRIGGER_PORT=str(self.port))
        return own

    async def status(self) -> dict:
        """What `outrigger sessions` says."""
        asked = await asyncio.create_subprocess_exec(
            binary(), "sessions", "--json",
            env={**os.environ, **self.own_environment}, stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await asyncio.wait_for(asked.communicate(), 10)
        return json.loads(said)

    async def session_clients(self) -> set[str]:
        """The names of the clients whose sessions last."""
        return {session["client"] for session in (await self.status())["sessions"]}

    async def heard_of(self, *words: str, within: float) -> None:
        """Waits until a line of the hub's log holds all these words."""
        end = time.monotonic() + within
        while True:
            text = self.log.read_text(errors="replace") if self.log.exists() else ""
            if any(all(word in line for word in words) for line in text.splitlines()):
                return
            if time.monotonic() > end:
                last = "\n".join(text.splitlines()[-5:])
                raise AssertionError(f"no line with {words} in the hub's log within {within} s:\n{last}")
            await asyncio.sleep(0.05)


@asynccontextmanager
async def place(log_name: str):
    """A home and a port, and no hub yet."""
    with tempfile.TemporaryDirectory(prefix="outrigger-clients-") as folder:
        home = Path(folder) / "home"
        home.mkdir()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        yield Hub(home, port, home / log_name)


@asynccontextmanager
async def running(*flags: str):
    """A hub started with `outrigger up`; a browser is linked if the flags ask for one."""
    async with place("up.log") as hub:
        with hub.log.open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                binary(), "up", *flags,
                env={**os.environ, **hub.own_environment},
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
            )
        try:
            await hub.heard_of("Ctrl-C ends it", within=START_LIMIT)
            yield hub
        finally:
            await _end(process)


@asynccontextmanager
async def started_by_clients():
    """A place whose hub is started by `outrigger mcp`, and ends by itself after the last client."""
    async with place("hub.log") as hub:
        try:
            yield hub
        finally:
            await _ended_by_itself(hub)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), END_LIMIT)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        raise AssertionError(f"the hub did not end within {END_LIMIT} s of being told to") from None


async def _ended_by_itself(hub: Hub) -> None:
    end = time.monotonic() + END_LIMIT
    while _listens(hub.port):
        if time.monotonic() > end:
            os.kill(int((await hub.status())["pid"]), signal.SIGKILL)
            raise AssertionError(f"the hub outlived its last client by {END_LIMIT} s")
        await asyncio.sleep(0.1)
    # The port closes first; the browsers and their folders follow.
    while any((hub.home / "launched").glob("*")) and time.monotonic() < end:
        await asyncio.sleep(0.1)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
