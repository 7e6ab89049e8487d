"""Patches, found by its entry point as any package's game is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.registry import ENTRY_POINTS
from tests.project.installed import forget_the_games, install

ENTRY_POINT = f"[{ENTRY_POINTS}]\npatches = tests.polyomino.game:GAME\n"


@pytest.fixture
def patches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The game's slug."""
    site = tmp_path / "site"
    install(site, "patches_table", ENTRY_POINT)
    monkeypatch.syspath_prepend(str(site))
    forget_the_games()
    yield "patches"
    forget_the_games()
