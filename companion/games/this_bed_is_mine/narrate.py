"""What a move on the bed did, in a sentence."""

from __future__ import annotations

from companion.games.this_bed_is_mine.moves import SLUG, BedState
from companion.messages import Phrase


def narrate(before: BedState, after: BedState) -> tuple[Phrase, ...]:
    """The tile that was laid; a correction says nothing."""
    if len(after.tiles) != len(before.tiles) + 1:
        return ()
    tile = after.tiles[-1]
    return (Phrase("bed.laid", {"owner": tile.owner, "digit": tile.digit}, SLUG),)
