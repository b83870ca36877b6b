"""AgentDojo's attacks: a frame of words around each of its goals."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from . import literals
from .texts import Text


def texts(package: Path) -> Iterator[Text]:
    attacks = package / "attacks"
    defaults = literals.constants(literals.module(attacks / "base_attacks.py").body, {})
    models = literals.constants(literals.module(package / "models.py").body, {})["MODEL_NAMES"]
    names = [
        (user, model)
        for user in ["Emma Johnson", defaults["DEFAULT_USER_NAME"]]
        for model in sorted({*models.values(), defaults["DEFAULT_MODEL_NAME"]})
    ]
    goals = sorted(_goals(package / "default_suites"))
    for attack, frame in _frames(attacks):
        for user, model in names:
            for goal in goals:
                # Which tools to call, the package works out by running its tasks.
                text = frame.format(goal=goal, user=user, model=model, tools="")
                yield Text(f"agentdojo {attack}", text)


def _goals(suites: Path) -> set[str]:
    found = set()
    for path in suites.glob("*/*/injection_tasks.py"):
        for task in literals.classes(literals.module(path)).values():
            if isinstance(goal := task.get("GOAL"), str):
                found.add(goal)
    return found


def _frames(attacks: Path) -> Iterator[tuple[str, str]]:
    """The name of each attack that has words of its own, and the words."""
    for path in sorted(attacks.glob("*.py")):
        tree = literals.module(path)
        constants = literals.classes(tree)
        for node in tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            own = literals.constants(node.body, {})
            frame = own.get("_JB_STRING") or own.get("_DOS_STRING") or _handed_up(node)
            if frame:
                yield str(constants[node.name]["name"]), str(frame)


def _handed_up(attack: ast.ClassDef) -> str | None:
    """The words that the class hands to the one it is made from."""
    for node in ast.walk(attack):
        match node:
            case ast.Call(func=ast.Attribute(attr="__init__"), args=[ast.Constant(value=str(words)), *_]):
                return words
    return None
