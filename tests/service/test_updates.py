"""The newer version in the package's repository: asked by the timer's program, told by the settings page."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import __version__, files
from companion.service import updates
from companion.service.updates import Newer

SHOWN = """Package: table-companion
Version: 99.0
Changes: - Dice of five colours.
 .
 - No wait.
Description: sees a board game
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own for what lasts."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def program(path: Path, text: str) -> str:
    """A stand-in for one of apt's programs, which notes what it was asked."""
    path.write_text(f'#!/bin/sh\necho "$@" >{path}.asked\n{text}\n')
    path.chmod(0o755)
    return str(path)


def test_the_timers_program_keeps_what_the_repository_has(home: Path) -> None:
    get = program(home / "get", "")
    show = program(home / "show", f"cat <<'EOF'\n{SHOWN}EOF")
    updates.ask(home / "cache", (get, show))
    assert updates.newer() == Newer("99.0", "- Dice of five colours.\n\n- No wait.")
    asked = (home / "get.asked").read_text()
    assert f"Dir::State={home}/cache" in asked, "with lists of its own: it needs no rights"
    assert f"Dir::Etc::SourceList={updates.SOURCES}" in asked


@pytest.mark.parametrize("version", [__version__, "0.0.9"])
def test_what_runs_already_or_is_older_is_not_newer(home: Path, version: str) -> None:
    files.write_json(home / updates.KEPT, Newer(version, ""))
    assert updates.newer() is None


def test_0_10_is_newer_than_0_9(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "__version__", "0.9.0")
    files.write_json(home / updates.KEPT, Newer("0.10.0", ""))
    assert updates.newer() is not None


@pytest.mark.parametrize("kept", [None, "", "{}", "not JSON"])
def test_nothing_heard_is_nothing_newer(home: Path, kept: str | None) -> None:
    if kept is not None:
        (home / updates.KEPT).write_text(kept)
    assert updates.newer() is None
