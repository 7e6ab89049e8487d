"""The insides of waitress that `web.connections` overrides and uses are there: waitress promises none."""

from __future__ import annotations

import ast
import inspect

import pytest

from web.connections import Connection, Front, _Parser, _Task

OVERRIDDEN: dict[type, set[str]] = {
    Connection: {
        *("__init__", "_flush_some", "close_when_flushed", "handle_close", "parser_class", "received"),
        *("service", "task_class", "total_outbufs_len", "write_soon"),
    },
    _Task: {"close_on_finish", "finish", "get_environment"},
    _Parser: {
        *("__init__", "adj", "connection_close", "error", "expect_continue", "headers", "parse_header"),
        "received",
    },
    Front: {"channel_class", "handle_accept", "maintenance", "set_socket_options"},
}
"""Each name of waitress that a class of ours defines or sets itself."""

CALLED = {
    *(
        "_flush_some",
        "finish",
        "get_environment",
        "handle_accept",
        "handle_close",
        "maintenance",
        "parse_header",
    ),
    *("received", "service", "set_socket_options", "write_soon"),
}
"""The methods among them that waitress calls."""


def of_self(kind: type, *how: type[ast.expr_context]) -> set[str]:
    """The names that a class's own code reads (`Load`) or sets (`Store`) on `self`."""
    return {
        node.attr
        for node in ast.walk(ast.parse(inspect.getsource(kind)))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, how) and ast.unparse(node.value) == "self"
    }


def defined(kind: type) -> set[str]:
    """The names that a class defines or sets itself."""
    return {*vars(kind), *vars(kind).get("__annotations__", {}), *of_self(kind, ast.Store)}


def of_waitress(ours: type) -> set[str]:
    """The names that waitress's classes below ours define or set."""
    below = set[str]().union(*(defined(base) for base in ours.__mro__[1:-1]))
    return {name for name in below if name == "__init__" or not name.startswith("__")}


@pytest.mark.parametrize("ours", OVERRIDDEN)
def test_what_is_overridden_is_named_here_and_is_there(ours: type) -> None:
    assert defined(ours) & of_waitress(ours) == OVERRIDDEN[ours]


@pytest.mark.parametrize("ours", OVERRIDDEN)
def test_what_is_used_is_there(ours: type) -> None:
    assert of_self(ours, ast.Load, ast.Store) <= defined(ours) | of_waitress(ours)


@pytest.mark.parametrize("ours", OVERRIDDEN)
def test_a_method_takes_what_waitress_gives(ours: type) -> None:
    for name in OVERRIDDEN[ours] & CALLED:
        theirs = inspect.signature(getattr(ours.__mro__[1], name))
        assert list(inspect.signature(getattr(ours, name)).parameters) == list(theirs.parameters), name
