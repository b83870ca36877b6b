"""The Python package `mcp` as a client: over stdio and HTTP, in both eras of the protocol."""

from __future__ import annotations

import base64
import os
import re
import time
from contextlib import asynccontextmanager

import anyio
import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.session import ClientSession
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from . import hub as hubs
from .hub import Hub
from .report import Report

# How the package is told which era to speak, and what it then agrees on.
ERAS = {"old": ("legacy", "2025-11-25"), "new": ("auto", "2026-07-28")}

BROWSER = ("--launch", "--headless")


def over_stdio(hub: Hub, *flags: str):
    """A transport to a new `outrigger mcp`."""
    server = StdioServerParameters(
        command=hubs.binary(), args=["mcp", *flags], env=hub.own_environment
    )

    @asynccontextmanager
    async def transport():
        with open(os.devnull, "w") as nowhere:
            async with stdio_client(server, errlog=nowhere) as streams:
                yield streams

    return transport()


def over_http(hub: Hub, token: str | None = None):
    """A transport to a running hub's /mcp."""
    token = hub.agent_token if token is None else token
    headers = {"Authorization": f"Bearer {token}"} if token else {}

    @asynccontextmanager
    async def transport():
        # Longer than any check: a stream that only waits is no failure.
        async with httpx2.AsyncClient(headers=headers, timeout=90) as http:
            async with streamable_http_client(hub.url, http_client=http) as streams:
                yield streams

    return transport()


def client(transport, era: str, name: str, **more) -> Client:
    """A client of an era, under a name of its own: over HTTP in the new era that is its session."""
    mode, _ = ERAS[era]
    info = types.Implementation(name=name, version="1")
    return Client(transport, mode=mode, client_info=info, read_timeout_seconds=45, **more)


async def stdio_suite(report: Report, era: str, page: str) -> None:
    suite = f"python-stdio-{era}"
    if not report.wants_any(suite):
        return
    async with hubs.started_by_clients() as hub:
        async with client(over_stdio(hub, *BROWSER), era, suite) as connected:
            await _everyday_checks(report, suite, connected, hub, era, page, own_hub=True)


async def versions_suite(report: Report, hub: Hub) -> None:
    """Clients that have not been updated in years still connect."""

    async def agree(transport, version: str) -> None:
        async with transport as (read, write), ClientSession(read, write) as session:
            asked = types.InitializeRequestParams(
                protocol_version=version,
                capabilities=types.ClientCapabilities(),
                client_info=types.Implementation(name="old-timer", version="1"),
            )
            answer = await session.send_request(
                types.InitializeRequest(params=asked), types.InitializeResult
            )
            assert answer.protocol_version == version, answer.protocol_version
            session.adopt(answer)
            await session.send_notification(types.InitializedNotification())
            listed = await session.list_tools()
            assert any(tool.name == "browser_navigate" for tool in listed.tools), listed

    for over, transport in {"stdio": over_stdio, "http": over_http}.items():
        for version in HANDSHAKE_PROTOCOL_VERSIONS:
            name = f"python-versions/{over}-{version}"
            await report.check(name, lambda: agree(transport(hub), version))


async def http_suite(report: Report, hub: Hub, era: str, page: str) -> None:
    suite = f"python-http-{era}"
    if not report.wants_any(suite):
        return

    async def refused(token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers) as http:
            answer = await http.post(hub.url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert answer.status_code == 401, answer.status_code
        assert answer.headers.get("WWW-Authenticate") == "Bearer", answer.headers
        connected = True
        try:
            async with client(over_http(hub, token), era, suite):
                pass
        except* (MCPError, httpx2.HTTPError):
            connected = False
        assert not connected, "the client could connect"

    await report.check(f"{suite}/no-token", lambda: refused(""))
    await report.check(f"{suite}/wrong-token", lambda: refused("wrong"))
    async with client(over_http(hub), era, suite) as connected:
        await _everyday_checks(report, suite, connected, hub, era, page, own_hub=False)
    if era == "old":
        await report.check(f"{suite}/session-ends", lambda: _session_ends(hub, f"{suite}-leaver"))


async def _everyday_checks(
    report: Report, suite: str, client: Client, hub: Hub, era: str, page: str, *, own_hub: bool
) -> None:
    async def negotiate() -> None:
        _, version = ERAS[era]
        assert client.protocol_version == version, client.protocol_version
        discovered = client.session.discover_result is not None
        assert discovered == (era == "new"), "the wrong way of getting to know each other"
        assert client.server_info and client.server_info.name == "outrigger", client.server_info
        assert "browser_snapshot" in (client.instructions or ""), client.instructions
        assert client.server_capabilities.tools.list_changed, client.server_capabilities

    async def list_tools() -> None:
        listed = await client.list_tools()
        by_name = {tool.name: tool for tool in listed.tools}
        for name in ("navigate", "snapshot", "click", "screenshot", "wait"):
            tool = by_name[f"browser_{name}"]
            assert tool.description and tool.input_schema["type"] == "object", tool

    async def snapshot() -> None:
        await _open(client, page)
        text = _text(await client.call_tool("browser_snapshot", {}))
        assert "The wind blows from the north-west." in text, text
        assert "<untrusted-page-content" in text, text
        assert re.search(r'<button e\d+ "Raise the flag"', text), text

    async def click() -> None:
        await _open(client, page)
        ref = await _ref_of_the_button(client)
        _text(await client.call_tool("browser_click", {"ref": ref}))
        text = _text(await client.call_tool("browser_snapshot", {}))
        assert "The flag is up." in text, text

    async def screenshot() -> None:
        await _open(client, page)
        result = await client.call_tool("browser_screenshot", {"timeoutMs": 8_000})
        assert not result.is_error, result
        [picture] = [piece for piece in result.content if piece.type == "image"]
        beginning = base64.b64decode(picture.data)[:8]
        expected = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF"}
        assert beginning.startswith(expected[picture.mime_type]), (picture.mime_type, beginning)

    async def screenshots_in_a_row() -> None:
        # A tab in the background that has nothing new to draw.
        await _open(client, page)
        for number in range(1, 7):
            result = await client.call_tool("browser_screenshot", {"timeoutMs": 8_000})
            assert not result.is_error, f"picture {number} of an unchanged page: {result}"

    async def unknown_tool() -> None:
        # The specification: an unknown tool is a protocol error, invalid params.
        try:
            result = await client.call_tool("browser_fly", {})
        except MCPError as error:
            assert error.code == types.INVALID_PARAMS, error
            assert "browser_fly" in error.message, error
            return
        raise AssertionError(f"a result instead of the JSON-RPC error -32602: {result}")

    async def wrong_arguments() -> None:
        # These are the model's to mend, so they are a result that it reads.
        for arguments, named in (({}, "url"), ({"url": 7}, "url"), ({"adress": page}, "adress")):
            result = await client.call_tool("browser_navigate", arguments)
            said = "".join(piece.text for piece in result.content)
            assert result.is_error and said.startswith("invalid_arguments: "), result
            assert named in said, said

    async def refused_address() -> None:
        result = await client.call_tool("browser_navigate", {"url": "file:///etc/hosts"})
        assert result.is_error, result
        assert "file" in result.content[0].text, result

    async def cancel() -> None:
        await _open(client, page)
        started = time.monotonic()
        with anyio.move_on_after(0.5) as scope:
            await client.call_tool("browser_wait", {"ms": 20_000})
        assert scope.cancelled_caught, "the wait ended by itself"
        # The client let go at once; the hub's activity log says whether it did, too.
        mine = [] if own_hub else [f'client="{suite}"']
        await hub.heard_of('tool="browser_wait"', 'outcome="cancelled"', *mine, within=3)
        _text(await client.call_tool("browser_snapshot", {}))
        assert time.monotonic() - started < 5, "the next call had to wait"

    async def known_by_name() -> None:
        # Who did it is what the activity log is for.
        await _open(client, page)
        await hub.heard_of('tool="browser_navigate"', f'client="{suite}"', within=3)

    for name, run in {
        "negotiate": negotiate,
        "list-tools": list_tools,
        "snapshot": snapshot,
        "click": click,
        "screenshot": screenshot,
        "screenshots-in-a-row": screenshots_in_a_row,
        "unknown-tool": unknown_tool,
        "wrong-arguments": wrong_arguments,
        "refused-address": refused_address,
        "cancel": cancel,
        "known-by-name": known_by_name,
    }.items():
        await report.check(f"{suite}/{name}", run)


async def _session_ends(hub: Hub, name: str) -> None:
    # On its way out the package sends the DELETE that ends an HTTP session.
    async with client(over_http(hub), "old", name) as leaver:
        _text(await leaver.call_tool("browser_tabs", {"action": "list"}))
        assert name in await hub.session_clients(), "the session is not listed while it lasts"
    end = time.monotonic() + 3
    while name in await hub.session_clients():
        assert time.monotonic() < end, "the session is still listed 3 s after its client ended it"
        await anyio.sleep(0.2)


async def _open(client: Client, page: str) -> None:
    _text(await client.call_tool("browser_navigate", {"url": page}))


async def _ref_of_the_button(client: Client) -> str:
    text = _text(await client.call_tool("browser_snapshot", {}))
    found = re.search(r'<button (e\d+) "Raise the flag"', text)
    assert found, text
    return found.group(1)


def _text(result: types.CallToolResult) -> str:
    assert not result.is_error, result
    return "\n".join(piece.text for piece in result.content if piece.type == "text")
