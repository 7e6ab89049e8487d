"""What a move on the bed is called, and what it did."""

from __future__ import annotations

from companion.games.this_bed_is_mine.moves import SLUG, BedMove, BedState, Lay
from companion.games.watching import square_name
from companion.messages import Phrase


def narrate(before: BedState, after: BedState) -> tuple[Phrase, ...]:
    """The tile that was laid; a correction says nothing."""
    if len(after.tiles) != len(before.tiles) + 1:
        return ()
    tile = after.tiles[-1]
    return (Phrase("bed.laid", {"owner": tile.owner, "digit": tile.digit}, SLUG),)


def named(move: BedMove) -> Phrase | None:
    """A tile and where it lies; a correction is called by its notation."""
    if not isinstance(move, Lay):
        return None
    key = "narrated.lay-turned" if move.turns else "narrated.lay"
    square = square_name((move.row, move.col))
    facts = {"owner": move.owner, "digit": move.digit, "turns": move.turns, "square": square}
    return Phrase(key, facts, SLUG)
