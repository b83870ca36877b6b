"""Resources: read and followed by the Python client, over both transports, in both eras."""

from __future__ import annotations

import asyncio

import httpx2
import mcp_types as types
from mcp import Client
from mcp.shared.exceptions import MCPError

from . import python_client
from .hub import Hub, running
from .report import Report

PROMPTLY = 5.0
ACTIVE = "outrigger://context/active"
TEMPLATE = "outrigger://records/{id}"


async def suite(report: Report) -> None:
    if not report.wants_any("resources"):
        return
    async with running() as hub:
        for over, transport in {
            "stdio": python_client.over_stdio,
            "http": python_client.over_http,
        }.items():
            for era, is_told in {"old": _is_notified, "new": _hears_it_listening}.items():
                name = f"resources/{over}-{era}"
                await report.check(name, lambda: is_told(transport(hub), hub, name))


async def _is_notified(transport, hub: Hub, name: str) -> None:
    changes: asyncio.Queue[str] = asyncio.Queue()

    async def handle(message) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            changes.put_nowait(str(message.params.uri))

    async with python_client.client(transport, "old", name, message_handler=handle) as client:
        record = await _is_listed_and_read(client, hub)
        await client.session.subscribe_resource(record)
        await _is_told_once(hub, record, changes.get)
        await client.session.unsubscribe_resource(record)


async def _hears_it_listening(transport, hub: Hub, name: str) -> None:
    async with python_client.client(transport, "new", name) as client:
        record = await _is_listed_and_read(client, hub)
        async with client.listen(resource_subscriptions=[record, "outrigger://no/such"]) as told:
            assert told.honored.resource_subscriptions == [record], told.honored
            events = aiter(told)

            async def next_address() -> str:
                return str((await anext(events)).uri)

            await _is_told_once(hub, record, next_address)


async def _is_listed_and_read(client: Client, hub: Hub) -> str:
    assert client.server_capabilities.resources.subscribe, client.server_capabilities
    listed = await client.list_resources()
    assert [str(resource.uri) for resource in listed.resources] == [ACTIVE], listed
    templates = await client.list_resource_templates()
    [template] = templates.resource_templates
    assert template.uri_template == TEMPLATE, template
    record = TEMPLATE.replace("{id}", (await _write(hub, None, {"text": "green"}))["id"])
    [read] = (await client.read_resource(record)).contents
    assert read.mime_type == "text/plain" and "green" in read.text, read
    assert "<untrusted-page-content" in read.text, read
    try:
        await client.read_resource("outrigger://records/none")
    except MCPError as error:
        assert "There is no record" in error.message, error
    else:
        raise AssertionError("what isn't there was read")
    return record


async def _is_told_once(hub: Hub, record: str, change) -> None:
    # A client that listens is told that it does before the hub follows for it.
    told = asyncio.create_task(change())
    for cups in range(50):
        await _write(hub, record.rsplit("/", 1)[1], {"cups": cups})
        done, _ = await asyncio.wait([told], timeout=PROMPTLY / 50)
        if done:
            break
    assert await asyncio.wait_for(told, PROMPTLY) == record


async def _write(hub: Hub, record: str | None, context: dict) -> dict:
    headers = {"Authorization": f"Bearer {hub.agent_token}"}
    records = f"http://127.0.0.1:{hub.port}/api/v1/records"
    async with httpx2.AsyncClient(headers=headers) as http:
        if record is None:
            answer = await http.post(records, json={"schema_name": "note.v1", "context": context})
        else:
            version = (await http.get(f"{records}/{record}")).json()["version"]
            change = {"version": version, "context": context}
            answer = await http.patch(f"{records}/{record}", json=change)
    assert answer.status_code < 300, answer.text
    return answer.json()
