"""An extension of somebody else's brings a capability along, and clients are told of the new tool."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import asynccontextmanager

import mcp_types as types
from mcp import Client
from websockets.asyncio.client import connect

from . import python_client
from .hub import Hub, running
from .report import Report

PROMPTLY = 5.0
TOOL = "ext_read_barometer"


@asynccontextmanager
async def linked_peer(hub: Hub):
    """An extension that says no more than the published handshake asks for."""
    handshake = {
        "type": "handshake",
        "clientType": "extension",
        "clientId": f"ext-{uuid.uuid4()}",
        "pairingToken": hub.pairing_token,
        "capabilities": [
            {
                "name": "read_barometer",
                "version": "1.0",
                "riskLevel": "read",
                "requiresGesture": False,
                "dataTypes": ["pressure"],
            }
        ],
    }
    async with connect(f"ws://127.0.0.1:{hub.port}/", proxy=None, open_timeout=PROMPTLY) as socket:
        await socket.send(json.dumps(handshake))
        answer = json.loads(await asyncio.wait_for(socket.recv(), PROMPTLY))
        assert answer["type"] == "handshake_ack", answer
        assert answer["status"] == "connected" and answer["bridgeVersion"], answer
        yield socket


async def suite(report: Report) -> None:
    if not report.wants_any("list-changed"):
        return
    # No browser: the peer is the only one that is linked.
    async with running() as hub:
        for over, transport in {
            "stdio": python_client.over_stdio,
            "http": python_client.over_http,
        }.items():
            for era, is_told in {"old": _is_notified, "new": _hears_it_listening}.items():
                name = f"list-changed/{over}-{era}"
                await report.check(name, lambda: is_told(transport(hub), hub, name))


async def _is_notified(transport, hub: Hub, name: str) -> None:
    changes: asyncio.Queue[None] = asyncio.Queue()

    async def handle(message) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changes.put_nowait(None)

    async with python_client.client(transport, "old", name, message_handler=handle) as client:
        await _comes_and_goes(client, hub, changes.get)


async def _hears_it_listening(transport, hub: Hub, name: str) -> None:
    async with python_client.client(transport, "new", name) as client:
        async with client.listen(tools_list_changed=True) as subscription:
            assert subscription.honored.tools_list_changed, subscription.honored
            events = aiter(subscription)
            await _comes_and_goes(client, hub, lambda: anext(events))


async def _comes_and_goes(client: Client, hub: Hub, change) -> None:
    assert TOOL not in await _names(client), "the tool is there before its extension"
    async with linked_peer(hub):
        await asyncio.wait_for(change(), PROMPTLY)
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed[TOOL].description == "[Extension] read_barometer", listed[TOOL]
        assert listed[TOOL].input_schema["type"] == "object", listed[TOOL]
        # It is a person's own browser, and nobody has allowed anything there.
        result = await client.call_tool(TOOL, {})
        said = "".join(piece.text for piece in result.content)
        assert result.is_error and said.startswith("not_allowed: "), result
        assert len(said.removeprefix("not_allowed: ").split()) > 5, said
    await asyncio.wait_for(change(), PROMPTLY)
    assert TOOL not in await _names(client), "the tool outlived its extension"


async def _names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}
