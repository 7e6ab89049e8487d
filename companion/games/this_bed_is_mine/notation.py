"""The notation of moves: `c4+1@6,3`.

| text | move |
| --- | --- |
| `c4@5,3` | the cat lays its 4 with the top left of its box on row 5, column 3 (from 0) |
| `d9+1@0,2` | the dog lays its 9, a quarter turn clockwise; `+2` is half a turn, `+3` three quarters |
| `c4>6,3` `d9+1>0,3` | a correction: the tile lies here |
| `c4-` | a correction: the tile is not on the bed |
| `d skip` | the dog is skipped |
| `end c4@5,3 d9+1@0,2` | a finished bed was recorded whole: all of its tiles |
"""

from __future__ import annotations

import re
from typing import Any

from companion.games.game import Form
from companion.games.this_bed_is_mine.moves import (
    Finish,
    Lay,
    Owner,
    Shift,
    Skip,
    TakeOff,
    Tile,
)

OWNER: dict[str, Owner] = {"c": "cat", "d": "dog"}
"""The sides by their letters."""

PLACED = r"([cd])(\d+)(?:\+([1-3]))?{}(-?\d+),(-?\d+)"
"""A tile and where it lies, with what stands between the two."""


_WITHOUT_GROUPS = PLACED.replace("(?:", "(").replace("(", "(?:").format("@")
"""A tile that lies somewhere, where its parts are not asked for."""


def written(tile: Tile | Lay | Shift, sign: str = "@") -> str:
    """A tile and where it lies: `c4+1@6,3`."""
    turns = f"+{tile.turns}" if tile.turns else ""
    return f"{tile.owner[0]}{tile.digit}{turns}{sign}{tile.row},{tile.col}"


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles in a text, apart by spaces: `c4@5,3 d9+1@0,2`. Raises `ValueError` for one that is none."""
    matches = [re.fullmatch(PLACED.format("@"), word) for word in text.split()]
    if None in matches:
        raise ValueError(f"{text!r} is no list of tiles such as 'c4@5,3 d9+1@0,2'.")
    return tuple(Tile(*_placed(*each.groups())) for each in matches if each)


def _placed(owner: str, digit: str, turns: str | None, row: str, col: str) -> tuple[Any, ...]:
    return OWNER[owner], int(digit), int(turns or 0), int(row), int(col)


FORMS = (
    Form(Lay, PLACED.format("@"), written, lambda *parts: Lay(*_placed(*parts))),
    Form(
        Shift,
        PLACED.format(">"),
        lambda move: written(move, ">"),
        lambda *parts: Shift(*_placed(*parts)),
    ),
    Form(
        TakeOff,
        r"([cd])(\d+)-",
        lambda move: f"{move.owner[0]}{move.digit}-",
        lambda owner, digit: TakeOff(OWNER[owner], int(digit)),
    ),
    Form(
        Finish,
        rf"end((?: {_WITHOUT_GROUPS})*)",
        lambda move: " ".join(("end", *map(written, move.tiles))),
        lambda text: Finish(tiles(text)),
    ),
    Form(Skip, r"([cd]) skip", lambda move: f"{move.owner[0]} skip", lambda owner: Skip(OWNER[owner])),
)
"""Each kind of move as text."""
