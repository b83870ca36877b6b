"""Runs every check, or those whose ids begin with the words given."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

from . import conformance, inspector, list_changed, page, python_client, resources
from . import hub as hubs
from .report import Report

TOTAL_LIMIT = 600.0


async def on_one_hub(report: Report, address: str) -> None:
    """The clients that speak HTTP share a hub and its browser, each with a session of its own."""
    names = ("python-http", "python-versions", "inspector-http", "conformance")
    if not any(report.wants_any(name) for name in names):
        return
    async with hubs.running("--launch", "--headless") as hub:
        suites = {
            "python-http-old": python_client.http_suite(report, hub, "old", address),
            "python-http-new": python_client.http_suite(report, hub, "new", address),
            "python-versions": python_client.versions_suite(report, hub),
            "inspector-http": inspector.http_suite(report, hub, address),
            "conformance": conformance.suites(report, hub),
        }
        await run_all(report, suites)


async def run_all(report: Report, suites: dict) -> None:
    running = [report.suite(name, run) for name, run in suites.items()]
    # Told to stop, each has its own to clear away, and none may cut that short for another.
    for outcome in await asyncio.gather(*running, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


async def main() -> int:
    this = asyncio.current_task()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    # The package complains of a status that the specification leaves open.
    logging.getLogger("mcp.client.streamable_http").setLevel(logging.ERROR)
    report = Report(sys.argv[1:])
    with page.served() as address:
        suites = {
            "python-stdio-old": python_client.stdio_suite(report, "old", address),
            "python-stdio-new": python_client.stdio_suite(report, "new", address),
            "inspector-stdio": inspector.stdio_suite(report, address),
            "list-changed": list_changed.suite(report),
            "resources": resources.suite(report),
            "http": on_one_hub(report, address),
        }
        await report.suite("all", asyncio.wait_for(run_all(report, suites), TOTAL_LIMIT))
    print(f"clients: {report.passed} passed, {len(report.failed)} failed")
    return 1 if report.failed or not report.passed else 0


try:
    sys.exit(asyncio.run(main()))
except (asyncio.CancelledError, KeyboardInterrupt):
    sys.exit("clients: stopped")
