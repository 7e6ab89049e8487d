"""What a move in the kitchen is called, and what happened there: in the same sentences as on the page."""

from __future__ import annotations

from companion.games.chop_chop.state import (
    SLUG,
    ChopMove,
    ChopState,
    Event,
    GoTo,
    PlaceCat,
    SpearCheese,
    StayHere,
)
from companion.games.watching import square_name
from companion.messages import Phrase

OF_A_SIDE = ("cut", "missed")
"""What happens to a side has a sentence for each."""


def narrate(before: ChopState, after: ChopState) -> tuple[Phrase, ...]:
    """What has happened since the state before; a throw begins the events anew."""
    known = len(before.since) if after.since[: len(before.since)] == before.since else 0
    return tuple(map(_phrase, after.since[known:]))


def _phrase(event: Event) -> Phrase:
    what = f"{event.what}-{event.side}" if event.what in OF_A_SIDE else event.what
    return Phrase(
        f"chop.did-{what}",
        {
            "side": event.side,
            "piece": event.piece or "",
            "n": event.n,
            "slab": Phrase(f"slab.{event.slab}", {}, SLUG) if event.slab else "",
            "square": square_name(event.at) if event.at else "",
        },
        SLUG,
    )


def named(move: ChopMove) -> Phrase | None:
    """Where a player put a piece; throws and slabs are called by their notation."""
    match move:
        case GoTo(piece=piece, row=row, col=col):
            return Phrase("narrated.go", {"piece": piece, "square": square_name((row, col))}, SLUG)
        case PlaceCat(row=row, col=col):
            return Phrase("narrated.place", {"square": square_name((row, col))}, SLUG)
        case SpearCheese(row=row, col=col):
            return Phrase("narrated.spear", {"square": square_name((row, col))}, SLUG)
        case StayHere():
            return Phrase("narrated.stay", {}, SLUG)
    return None
