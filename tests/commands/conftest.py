"""A command run as a person runs it, without a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from companion import cli


class Ran(NamedTuple):
    """What a command did: exit status, stdout, stderr."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """stdout as JSON objects, a line each."""
        return [json.loads(line) for line in self.out.splitlines()]


Companion = Callable[..., Ran]


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Companion:
    """`companion("games", "--json")` runs that command."""

    def run(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["companion", *map(str, words)])
        status: Any = 0
        try:
            cli.main()
        except SystemExit as stop:
            status = stop.code or 0
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run
