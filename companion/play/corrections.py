"""A past move put right: what becomes of the moves after it, before and after anything is changed.

The journal keeps a correction as what it is: undos back to the wrong move, the right one, and all that the
rules still accept of what came after it. Nothing that was kept is written over.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from companion.errors import IllegalMove, MoveError
from companion.games.game import Move
from companion.play.history import History

Change = tuple[Literal["move", "undo"], dict[str, Any], History]
"""An entry to keep: its kind, its body, and the history that it leads to."""


class Lost(NamedTuple):
    """An open move that no longer fits: its number in the match as it was, and why the rules refuse it."""

    number: int
    move: Move
    error: MoveError


class Correction(NamedTuple):
    """What a correction does: the entries that it takes, and the open moves that it leaves out.

    `history` is the match as it stands afterwards.
    """

    changes: tuple[Change, ...]
    lost: tuple[Lost, ...]
    history: History


def correction(history: History, number: int, move: Move | None) -> Correction:
    """The correction of open move `number` (the first is 1): it was `move`, or never made (None).

    The moves after it are judged again, one by one; those that the rules now refuse are left out. Raises
    `IllegalMove` if there is no such move, and `MoveError` if `move` itself does not fit.
    """
    places = [at for at, each in enumerate(history.moves) if history.game.private_to(each) is None]
    if not 1 <= number <= len(places):
        raise IllegalMove(history.game.slug, "no-such-move", number=number)
    changes: list[Change] = []
    rest, after = history.moves[places[number - 1] + 1 :], history
    for _ in places[number - 1 :]:
        after = after.undo(None)
        changes.append(("undo", {}, after))
    if move is not None:
        after = after.played(move)
        changes.append(("move", msgspec.to_builtins(move), after))
    lost: list[Lost] = []
    for each in rest:
        is_open = history.game.private_to(each) is None
        number += is_open
        try:
            after = after.played(each)
        except MoveError as error:
            # A private note that fits no more goes without a word: its seat alone may know of it.
            lost += [Lost(number, each, _open_error(after, each, error))] if is_open else []
        else:
            changes.append(("move", msgspec.to_builtins(each), after))
    return Correction(tuple(changes), tuple(lost), after)


def _open_error(history: History, move: Move, refusal: MoveError) -> MoveError:
    """Why the rules refuse an open move, by what lies open alone: a refusal could name a seat's secret."""
    try:
        history.game.play(history.game.hide(history.state, None), move)
    except MoveError as error:
        return error
    return IllegalMove(refusal.game, "not-now")
