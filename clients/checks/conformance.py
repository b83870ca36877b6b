"""The server scenarios of `@modelcontextprotocol/conformance`, in the versions for both eras.

Every scenario that a version knows is either run or listed in
not-applicable.json with the reason; one that is neither fails the run.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import node
from .hub import Hub
from .proxy import proxy_to
from .report import Report

RUN = {
    "server-initialize",
    "server-session-lifecycle",
    "server-stateless",
    "ping",
    "tools-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "input-required-result-unsupported-methods",
}

NOT_APPLICABLE = json.loads((Path(__file__).parent.parent / "not-applicable.json").read_text())


@dataclass(frozen=True)
class Version:
    """A version of the package, and the revision of the protocol it is run with."""

    suite: str
    script: str
    revision: str
    # An older version of the package has no such option, and needs none.
    takes_revision: bool


VERSIONS = [
    Version(
        "conformance-old-2025-11-25",
        "conformance-2025/dist/index.js", "2025-11-25", False,
    ),
    Version(
        "conformance-2025-11-25",
        "@modelcontextprotocol/conformance/dist/index.js", "2025-11-25", True,
    ),
    Version(
        "conformance-2026-07-28",
        "@modelcontextprotocol/conformance/dist/index.js", "2026-07-28", True,
    ),
]


async def suites(report: Report, hub: Hub) -> None:
    async with proxy_to(hub.port, hub.agent_token) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        running = [report.suite(version.suite, _suite(report, version, url)) for version in VERSIONS]
        await asyncio.gather(*running, return_exceptions=True)


async def _suite(report: Report, version: Version, url: str) -> None:
    if not report.wants_any(version.suite):
        return
    known = await _scenarios(version)

    async def complete() -> None:
        strange = known.keys() - RUN - NOT_APPLICABLE["scenarios"].keys()
        assert not strange, f"neither run nor listed as not applicable: {sorted(strange)}"
        both = RUN & NOT_APPLICABLE["scenarios"].keys()
        assert not both, f"run, and listed as not applicable: {sorted(both)}"

    await report.check(f"{version.suite}/every-scenario-is-accounted-for", complete)
    for scenario, revisions in known.items():
        if scenario in RUN and version.revision in revisions:
            await report.check(
                f"{version.suite}/{scenario}", lambda: _scenario(version, scenario, url)
            )


async def _scenarios(version: Version) -> dict[str, list[str]]:
    """Every server scenario, with the revisions it applies to."""
    with tempfile.TemporaryDirectory(prefix="outrigger-conformance-") as home:
        code, said, complaint = await node.run(version.script, "list", "--server", home=Path(home))
    assert code == 0, complaint
    found = re.findall(r"^  - (\S+) \[(.*)\]$", said, re.MULTILINE)
    assert found, said
    return {name: revisions.split(",") for name, revisions in found}


async def _scenario(version: Version, scenario: str, url: str) -> None:
    arguments = ["server", "--url", url, "--scenario", scenario, "--output-dir", "results"]
    if version.takes_revision:
        arguments += ["--spec-version", version.revision]
    with tempfile.TemporaryDirectory(prefix="outrigger-conformance-") as home:
        _, said, complaint = await node.run(version.script, *arguments, home=Path(home))
        files = list(Path(home).glob("results/*/checks.json"))
        assert len(files) == 1, f"no results\n{said}\n{complaint}"
        checks = json.loads(files[0].read_text())
    problems = []
    succeeded = 0
    for check in checks:
        excuse = NOT_APPLICABLE["checks"].get(f"{scenario}/{check['id']}")
        if check["status"] in ("FAILURE", "WARNING"):
            if not excuse:
                problems.append(f"{check['id']}: {check.get('errorMessage') or check['description']}")
        elif check["status"] == "SUCCESS":
            succeeded += 1
            if excuse:
                problems.append(f"{check['id']}: listed as not applicable, but it passes")
    assert not problems, "\n".join(problems)
    assert succeeded, f"nothing was checked: {checks}"
