"""What a finger does on the bed's page, and a whole game to watch."""

from __future__ import annotations

import random

from playwright.sync_api import Locator, Page

from companion.games.watching import Observation, Tile
from companion.play.table import Table

PLACE = """([row, col]) => {
  const at = new DOMPoint(col, row).matrixTransform(document.getElementById("picture").getScreenCTM());
  return [at.x, at.y];
}"""


def tap(page: Page, row: float, col: float) -> None:
    """Tap a place of the bed, in squares from its top left."""
    x, y = page.evaluate(PLACE, [row, col])
    page.touchscreen.tap(x, y)


def left(page: Page, digit: int) -> Locator:
    """The button of a tile left of the side that is shown."""
    return page.locator("#tray button").filter(has_text=str(digit))


def lay_it(page: Page) -> None:
    """Lay the tile in hand where its ghost lies."""
    page.get_by_role("button", name="Lay it").click()


def laid(page: Page, owner: str, digit: int) -> Locator:
    """A tile on the bed."""
    return page.locator(f'#picture [data-key="{owner}{digit}"]')


def now(table: Table) -> tuple[Tile, ...]:
    """The tiles as the camera would report them, if it saw just what the match holds."""
    return tuple(
        Tile(t.owner, t.digit, t.turns, t.row, t.col) for t in table.snapshot.view().match.board.tiles
    )


def sees(table: Table, *more: Tile) -> None:
    """The camera is sure of what the match holds, and of these tiles as well."""
    table.see(Observation(tiles=(*now(table), *more)))


def play_on(table: Table, moves: int = 99) -> None:
    """Play legal moves, the same each time, to the end or as many as told."""
    chance = random.Random(3)
    for _ in range(moves):
        legal = list(table.match.game.legal_moves(table.match.state))
        if not legal:
            return
        digit = chance.choice(sorted({move.digit for move in legal}))
        table.play(chance.choice([move for move in legal if move.digit == digit]), "replay")
