"""All games, by slug.

A game is a folder below `companion/games/` whose package holds `GAME`; another package offers one through the
entry point group `table_companion.games`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from companion.errors import TableError
from companion.games.game import Game

ENTRY_POINTS = "table_companion.games"

AnyGame = Game[Any, Any, Any]


@cache
def games() -> dict[str, AnyGame]:
    """Every game by its slug, our own in alphabetical order first."""
    known = {rules.slug: rules for rules in map(_of_package, _packages())}
    for point in entry_points(group=ENTRY_POINTS):
        other: AnyGame = point.load()
        known.setdefault(other.slug, other)
    return known


@cache
def game(slug: str) -> AnyGame:
    """The game of that slug; no other is loaded. Raises `TableError` with a list of all games."""
    package = slug.replace("-", "_")
    if package.isidentifier() and find_spec(f"companion.games.{package}") and package in _packages():
        return _of_package(package)
    if slug in games():
        return games()[slug]
    raise TableError("no-game", game=repr(slug), games=", ".join(games()))


def _packages() -> list[str]:
    return [module.name for module in iter_modules([str(Path(__file__).parent)]) if module.ispkg]


def _of_package(package: str) -> AnyGame:
    rules: AnyGame = import_module(f"companion.games.{package}").GAME
    return rules


def hides(game: AnyGame) -> bool:
    """True for a game with secrets; in any other, every seat sees what the table sees."""
    return type(game).hide is not Game.hide or type(game).private_to is not Game.private_to
