"""The command line of `@modelcontextprotocol/inspector`, over stdio and HTTP, in both eras."""

from __future__ import annotations

import json
from pathlib import Path

from . import hub as hubs
from . import node
from .hub import Hub
from .report import Report

SCRIPT = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
ERAS = {"old": "legacy", "new": "modern"}


async def stdio_suite(report: Report, page: str) -> None:
    if not report.wants_any("inspector-stdio"):
        return
    async with hubs.started_by_clients() as hub:
        environment = [f"{name}={value}" for name, value in hub.own_environment.items()]
        told = [word for pair in environment for word in ("-e", pair)]
        server = ["--", hubs.binary(), "mcp", "--launch", "--headless"]
        # The hub and its browser inherit this home folder and outlive the inspector.
        await _checks(report, "inspector-stdio", page, told, server, hub.home)


async def http_suite(report: Report, hub: Hub, page: str) -> None:
    if not report.wants_any("inspector-http"):
        return
    header = ["--header", f"Authorization: Bearer {hub.agent_token}"]
    target = ["--transport", "http", "--server-url", hub.url]
    await _checks(report, "inspector-http", page, [*target, *header], [], hub.home)

    async def without_token() -> None:
        asked = [*target, "--stored-auth-only", "--method", "tools/list"]
        code, _, complaint = await _inspect(*asked, home=hub.home)
        assert code != 0 and json.loads(complaint)["error"]["code"] == "auth_required", complaint

    await report.check("inspector-http/no-token", without_token)


async def _checks(
    report: Report, suite: str, page: str, before: list[str], after: list[str], home: Path
) -> None:
    for era, era_word in ERAS.items():
        common = [*before, "--protocol-era", era_word]

        async def list_tools() -> None:
            # Strict: it also looks for schemas that some clients can't take.
            result = await _result(*common, "--method", "tools/list", "--strict", *after, home=home)
            names = {tool["name"] for tool in result["tools"]}
            assert {"browser_navigate", "browser_snapshot", "browser_click"} <= names, names

        async def call_tool() -> None:
            call = ["--method", "tools/call", "--tool-name", "browser_navigate"]
            result = await _result(*common, *call, "--tool-arg", f"url={page}", *after, home=home)
            said = "\n".join(piece["text"] for piece in result["content"])
            assert "Weather station" in said and not result.get("isError"), result

        await report.check(f"{suite}/list-tools-{era}", list_tools)
        await report.check(f"{suite}/call-tool-{era}", call_tool)


async def _result(*arguments: str, home: Path) -> dict:
    code, said, complaint = await _inspect(*arguments, home=home)
    assert code == 0, f"exit code {code}\n{said}\n{complaint}"
    return json.loads(said)["result"]


async def _inspect(*arguments: str, home: Path) -> tuple[int, str, str]:
    return await node.run(SCRIPT, "--cli", "--quiet", "--format", "json", *arguments, home=home)
