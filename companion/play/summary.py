"""How a match stands, in a few words: what a list of matches shows of it without playing it back."""

from __future__ import annotations

import msgspec

from companion.games.game import Luck, Outcome


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a match stands for one seat, or for the table: all of a view but the board.

    `n` counts the entries that the seat may see, `moves` the moves that stand among them, `by` is the source
    of the last one. The journal keeps the table's own, which holds what lies open alone: it can tell nothing
    that a seat keeps to itself.

    `luck` and `pieces` are by seat, as `Game.luck` and `Game.pieces` give them: of a match that is over, for
    the table.
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
