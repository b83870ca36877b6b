"""Reads strings out of Python files without running them: the packages are
installed without what they need, so they can't be imported."""

from __future__ import annotations

import ast
from pathlib import Path

Names = dict[str, object]


class Unreadable(Exception):
    """Not made of literals and names of literals."""


def module(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def constants(body: list[ast.stmt], known: Names) -> Names:
    """What is assigned in a module or class and can be read, with what was known before."""
    names = dict(known)
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=node):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as node):
                pass
            case _:
                continue
        try:
            names[name] = value(node, names)
        except Unreadable:
            names.pop(name, None)
    return names


def classes(tree: ast.Module) -> dict[str, Names]:
    """The constants of every class, those of its bases in the same file included."""
    outer = constants(tree.body, {})
    found: dict[str, Names] = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        inherited: Names = {}
        for base in reversed(node.bases):
            inherited |= found.get(base.id, {}) if isinstance(base, ast.Name) else {}
        own = constants(node.body, outer | found | inherited)
        found[node.name] = {name: own[name] for name in own if name not in outer and name not in found}
    return found


def value(node: ast.expr, names: Names) -> object:
    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Attribute(value=inner, attr=name):
            owner = value(inner, names)
            if isinstance(owner, dict) and name in owner:
                return owner[name]
        case ast.JoinedStr(values=parts):
            return "".join(str(value(part, names)) for part in parts)
        case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
            return value(inner, names)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [value(element, names) for element in elements]
        case ast.Dict(keys=keys, values=values) if all(keys):
            return {value(key, names): value(item, names) for key, item in zip(keys, values, strict=True)}
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() as operator, right=right):
            first, second = value(left, names), value(right, names)
            return first + second if isinstance(operator, ast.Add) else first * second
    raise Unreadable(ast.dump(node))
