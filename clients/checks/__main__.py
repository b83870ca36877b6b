"""Runs every check, or those whose ids begin with the words given."""

from __future__ import annotations

import asyncio
import logging
import sys
import time

from . import conformance, inspector, list_changed, page, python_client
from . import hub as hubs
from .report import Report


async def on_one_hub(report: Report, address: str) -> None:
    """The clients that speak HTTP share a hub and its browser, each with a session of its own."""
    names = ("python-http", "python-versions", "inspector-http", "conformance")
    if not any(report.wants_any(name) for name in names):
        return
    async with hubs.running("--launch", "--headless") as hub:
        await asyncio.gather(
            python_client.http_suite(report, hub, "old", address),
            python_client.http_suite(report, hub, "new", address),
            python_client.versions_suite(report, hub),
            inspector.http_suite(report, hub, address),
            conformance.suites(report, hub),
        )


async def main() -> int:
    # The package complains of a status that the specification leaves open.
    logging.getLogger("mcp.client.streamable_http").setLevel(logging.ERROR)
    report = Report(sys.argv[1:])
    with page.served() as address:
        suites = {
            "python-stdio-old": python_client.stdio_suite(report, "old", address),
            "python-stdio-new": python_client.stdio_suite(report, "new", address),
            "inspector-stdio": inspector.stdio_suite(report, address),
            "list-changed": list_changed.suite(report),
            "http": on_one_hub(report, address),
        }
        started = time.monotonic()
        ends = await asyncio.gather(*suites.values(), return_exceptions=True)
        for name, end in zip(suites, ends):
            if isinstance(end, BaseException):
                report.fail(f"{name}: before or after its checks", end, started)
    print(f"clients: {report.passed} passed, {len(report.failed)} failed")
    return 1 if report.failed or not report.passed else 0


sys.exit(asyncio.run(main()))
