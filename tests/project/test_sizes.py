"""Modules and functions stay short, and each public one says what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.project import sources

LONGEST_MODULE = 800
LONGEST_FUNCTION = 50

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[Function]:
    """Every function of a module, methods and inner ones included."""
    return (node for node in ast.walk(sources.tree(path)) if isinstance(node, Function))


@cache
def methods_documented() -> dict[str, set[str]]:
    """Each class of the product by name: the methods that have a docstring there, or in a base of it."""
    documented: dict[str, set[str]] = {}
    bases: dict[str, list[str]] = {}
    for path in sources.modules():
        for node in ast.walk(sources.tree(path)):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [name_of(base) for base in node.bases]
                documented[node.name] = {
                    each.name for each in node.body if isinstance(each, Function) and ast.get_docstring(each)
                }
    for _ in range(4):
        for name, above in bases.items():
            documented[name].update(*(documented.get(base, set()) for base in above))
    return documented


def name_of(base: ast.expr) -> str:
    """`Game` of `Game`, `game.Game` and `Game[State]`."""
    if isinstance(base, ast.Subscript):
        return name_of(base.value)
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def untold(body: list[ast.stmt], owner: str = "") -> Iterator[str]:
    """Public functions and classes without a docstring."""
    for node in body:
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
            continue
        inherited = owner and node.name in methods_documented()[owner]
        if not ast.get_docstring(node) and not inherited:
            yield f"{owner}.{node.name}".lstrip(".")
        if isinstance(node, ast.ClassDef):
            yield from untold(node.body, node.name)


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_a_module_is_not_too_long(path: Path) -> None:
    assert len(sources.read(path).splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_a_function_is_not_too_long(path: Path) -> None:
    long = {
        node.name: node.end_lineno - node.lineno + 1
        for node in functions(path)
        if node.end_lineno and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    }
    assert not long


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_what_is_public_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(sources.tree(path)), "the module itself"
    assert not list(untold(sources.tree(path).body))
