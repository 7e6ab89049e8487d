"""Games of other packages, as pip would leave them: found by their entry point, gone after the test."""

from __future__ import annotations

from pathlib import Path

from companion.games import registry
from companion.messages import messages_of_game


def install(site: Path, package: str, entry_points: str) -> None:
    """Write down in a folder of installed packages that this one is there, with its entry points."""
    known = site / f"{package}-1.0.dist-info"
    known.mkdir(parents=True)
    name = package.replace("_", "-")
    (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (known / "entry_points.txt").write_text(entry_points, "utf-8")


def forget_the_games() -> None:
    """Let the registry look for games again."""
    registry.games.cache_clear()
    registry.game.cache_clear()
    messages_of_game.cache_clear()
