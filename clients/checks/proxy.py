"""A loopback proxy for a client that can send no header of its own.

It adds the bearer token, and rewrites `Host` and `Origin` only where they name
the proxy itself, exactly: a client that claims to come from, or go to, any
other place is passed on as it is, for the hub to refuse. Bodies and answers go
through byte by byte.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

HEAD_LIMIT = 64 * 1024


@asynccontextmanager
async def proxy_to(port: int, token: str):
    """Runs a proxy to the hub on `port`; gives the proxy's own port."""
    open_ways: set[asyncio.Task] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        open_ways.add(task)
        try:
            await _carry(reader, writer, port, own_port, token)
        finally:
            open_ways.discard(task)
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=HEAD_LIMIT)
    own_port = server.sockets[0].getsockname()[1]
    try:
        yield own_port
    finally:
        server.close()
        for way in list(open_ways):
            way.cancel()
        await asyncio.gather(*open_ways, return_exceptions=True)


async def _carry(reader, writer, hub_port: int, own_port: int, token: str) -> None:
    hub_reader, hub_writer = await asyncio.open_connection("127.0.0.1", hub_port)
    there = asyncio.create_task(_requests(reader, hub_writer, hub_port, own_port, token))
    back = asyncio.create_task(_copy(hub_reader, writer))
    try:
        # Whichever side ends, ends the other: a closed stream is how a client
        # of the stateless era cancels.
        await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        there.cancel()
        back.cancel()
        await asyncio.gather(there, back, return_exceptions=True)
        hub_writer.close()


async def _requests(reader, hub_writer, hub_port: int, own_port: int, token: str) -> None:
    while True:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *fields = head[:-4].split(b"\r\n")
        rewritten = [_field(field, hub_port, own_port) for field in fields]
        if not any(_name(field) == "authorization" for field in fields):
            rewritten.append(b"Authorization: Bearer " + token.encode())
        hub_writer.write(b"\r\n".join([first, *rewritten]) + b"\r\n\r\n")
        await _body(reader, hub_writer, {_name(field): _value(field) for field in fields})
        await hub_writer.drain()


def _field(field: bytes, hub_port: int, own_port: int) -> bytes:
    original = field.split(b":", 1)[0]
    for name in ("127.0.0.1", "localhost"):
        if _name(field) == "host" and _value(field) == f"{name}:{own_port}":
            return original + f": {name}:{hub_port}".encode()
        if _name(field) == "origin" and _value(field) == f"http://{name}:{own_port}":
            return original + f": http://{name}:{hub_port}".encode()
    return field


def _name(field: bytes) -> str:
    return field.split(b":", 1)[0].decode("latin-1").lower()


def _value(field: bytes) -> str:
    return field.partition(b":")[2].decode("latin-1").strip()


async def _body(reader, hub_writer, headers: dict[str, str]) -> None:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        while True:
            size = await reader.readuntil(b"\r\n")
            length = int(size.split(b";")[0], 16)
            hub_writer.write(size + await reader.readexactly(length + 2))
            if length == 0:
                return
    hub_writer.write(await reader.readexactly(int(headers.get("content-length", "0"))))


async def _copy(reader, writer) -> None:
    while piece := await reader.read(HEAD_LIMIT):
        writer.write(piece)
        await writer.drain()
