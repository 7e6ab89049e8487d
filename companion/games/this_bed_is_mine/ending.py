"""What decided a finished bed: the toys, or the largest region of the side that has won."""

from __future__ import annotations

from companion.games.game import Decided
from companion.games.this_bed_is_mine import fits, score
from companion.games.this_bed_is_mine.moves import OWNERS, BedState
from companion.games.this_bed_is_mine.view import middle
from companion.games.watching import square_name


def decided(state: BedState) -> Decided | None:
    """What decided it; None where the bed is shared.

    The toys did where the regions alone would not have won. The largest region did where the side would not
    have won without it; otherwise several regions did, and the largest is named.
    """
    scored = score.score(state.options, state.tiles)
    first, second = sorted(OWNERS, key=scored.total, reverse=True)
    margin = scored.total(first) - scored.total(second)
    if not margin:
        return None
    facts = {"owner": first, "other": second, "margin": margin}
    if scored.region_points[first] <= scored.region_points[second]:
        bonus = scored.bonus_points(first) - scored.bonus_points(second)
        return Decided("toys", {**facts, "points": bonus})
    largest = max((each for each in scored.regions if each.owner == first), key=lambda each: each.points)
    square = middle(tuple(fits.bed_of(state.options).listed(largest.squares)))
    named = {**facts, "points": largest.points, "square": square_name(square)}
    return Decided("region" if largest.points >= margin else "regions", named)
