"""Names say what a value is; a participle that any value could bear says nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project import sources

EMPTY_NAMES = frozenset({"told", "held", "found", "nos", "anew"})
"""A value is parsed, given, announced, matched, kept: what it is, not that somebody has it."""

PYTHON = [path for path in sources.texts() if path.suffix == ".py"]
JAVASCRIPT = [path for path in sources.texts() if path.suffix == ".js"]

WORD = re.compile(r"(?<![\w$.\"'`-])(" + "|".join(EMPTY_NAMES) + r")(?![\w$\"'`-])")
"""A bare name in JavaScript, not a part of a text."""
TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", re.DOTALL)


def names(tree: ast.AST) -> Iterator[str]:
    """Every identifier of a module: variables, attributes, parameters, functions, classes, keywords."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


def empty(tree: ast.AST) -> set[str]:
    """The identifiers that say nothing; a leading underscore does not help them."""
    return {name for name in names(tree) if name.strip("_") in EMPTY_NAMES}


@pytest.mark.parametrize("path", PYTHON, ids=str)
def test_each_name_says_what_the_value_is(path: Path) -> None:
    assert empty(sources.tree(path)) == set()


@pytest.mark.parametrize("path", JAVASCRIPT, ids=str)
def test_each_name_in_a_script_says_what_the_value_is(path: Path) -> None:
    assert set(WORD.findall(TEXT.sub(" ", sources.read(path)))) == set()


def test_an_empty_name_would_be_found() -> None:
    assert empty(ast.parse("def f(told): self._held = told\nanew = 1")) == {"told", "_held", "anew"}
    assert WORD.findall(TEXT.sub(" ", "const found = 'told'; // held")) == ["found"]
