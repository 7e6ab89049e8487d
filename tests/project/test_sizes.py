"""Modules and functions stay short, and what is public says what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.project import sources

LONGEST_MODULE = 800
LONGEST_FUNCTION = 50
MOST_ATTRIBUTES = 20
MOST_METHODS = 25
METHODS_OF_A_RECORD = 5
"""A value with fewer methods may have many fields: what a page shows, for one."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[Function]:
    """Every function of a module, methods and inner ones included."""
    return (node for node in ast.walk(sources.tree(path)) if isinstance(node, Function))


def documented_names() -> set[str]:
    """The names of all functions that have a docstring somewhere: a protocol's method needs it once."""
    return {node.name for path in sources.modules() for node in functions(path) if ast.get_docstring(node)}


def public(body: list[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """The public functions and classes of a module, and the public methods of those classes."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def test_a_module_is_not_too_long() -> None:
    lengths = {path: len(sources.read(path).splitlines()) for path in sources.modules()}
    assert lengths
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_a_function_is_not_too_long() -> None:
    lengths = {
        f"{path}: {node.name}": node.end_lineno - node.lineno + 1
        for path in sources.modules()
        for node in functions(path)
        if node.end_lineno
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_a_class_is_not_too_large() -> None:
    large = {
        node.name
        for path in sources.modules()
        for node in ast.walk(sources.tree(path))
        if isinstance(node, ast.ClassDef)
        and (len(attributes(node)) > MOST_ATTRIBUTES or len(methods(node)) > MOST_METHODS)
        and len(methods(node)) >= METHODS_OF_A_RECORD
    }
    assert large == set()


def methods(node: ast.ClassDef) -> list[Function]:
    """The methods of a class."""
    return [each for each in node.body if isinstance(each, Function)]


def attributes(node: ast.ClassDef) -> set[str]:
    """What a class declares, and what its methods assign to `self`."""
    declared = {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    assigned = {
        each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
        and each.value.id == "self"
    }
    return declared | assigned


def test_what_is_public_says_what_it_is_for() -> None:
    elsewhere = documented_names()
    modules = {path: sources.tree(path) for path in sources.modules()}
    untold = [path.as_posix() for path, module in modules.items() if not ast.get_docstring(module)]
    untold += [
        f"{path}: {node.name}"
        for path, module in modules.items()
        for node in public(module.body)
        if not ast.get_docstring(node) and node.name not in elsewhere
    ]
    assert untold == []
