"""How a match stands, in short: what a list of matches shows of it without replaying it."""

from __future__ import annotations

import msgspec

from companion.games.game import Luck, Outcome


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a match stands for one seat, or for the table: everything in a view except the board.

    `n` is the number of entries that the seat may see, `moves` that of the moves among them that were not
    undone; `by` is the source of the last one. The journal keeps the table's own summary, which holds only
    what lies open, and so nothing that a seat keeps to itself.

    `luck` and `pieces` are by seat, as `Game.luck` and `Game.pieces` give them; only the table's summary of a
    match that is over has them.
    """

    n: int
    moves: int
    seats: tuple[str, ...]
    players: dict[str, str]
    turn: str | None
    outcome: Outcome | None
    can_undo: bool
    can_redo: bool
    by: str
    luck: dict[str, Luck] = {}
    pieces: dict[str, int] = {}
