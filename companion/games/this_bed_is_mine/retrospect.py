"""A match on the bed in words: its moves, its end, and its score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.retrospect import Decided, Retrospect
from companion.games.this_bed_is_mine.fits import bed_of
from companion.games.this_bed_is_mine.score import score
from companion.games.this_bed_is_mine.state import OWNERS, SLUG, BedMove, BedState, Lay, laid
from companion.games.this_bed_is_mine.view import (
    BedView,
    CompareToys,
    HandOutChips,
    LayMarker,
    NameWinners,
    RegionView,
    Step,
    TakeToys,
    UseInstead,
)
from companion.games.watching import square_name
from companion.messages import Fact, Phrase, messages_of_game


def laid_at(move: Lay) -> Phrase:
    """A tile and its place, within a sentence."""
    square = square_name((move.row, move.col))
    return Phrase("narrated.lay", {"owner": move.owner, "digit": move.digit, "square": square}, SLUG)


class BedRetrospect(Retrospect[BedState, BedMove]):
    """A match on the bed, looked back at."""

    def progress(self, state: BedState) -> dict[str, int]:
        scored = score(state.options, state.tiles)
        return {owner: scored.total(owner) for owner in OWNERS}

    def lying(self, state: BedState) -> dict[str, tuple[Fact, ...]]:
        """The tile or the toy on each square."""
        bed = bed_of(state.options)
        toys = {square_name(square): (toy,) for toy, there in bed.board.toys.items() for square in there}
        tiles = {
            square_name((tile.row + row, tile.col + col)): (
                Phrase("narrated.tile", {"owner": tile.owner, "digit": tile.digit}, SLUG),
            )
            for tile in state.tiles
            for row, col in bed.shapes[tile.digit][tile.turns].cells
        }
        return {**toys, **tiles}

    def pieces(self, state: BedState) -> dict[str, int]:
        return {owner: laid(state.tiles, owner) for owner in OWNERS}

    def decided(self, course: Sequence[tuple[BedState, BedMove]], state: BedState) -> Decided | None:
        """The toys or the region that decided it; None if the bed is shared.

        The toys did if the regions alone would not have won. The largest region did if the side needed it to
        win; otherwise several regions did, and the largest is named.
        """
        scored = score(state.options, state.tiles)
        first, second = sorted(OWNERS, key=scored.total, reverse=True)
        margin = scored.total(first) - scored.total(second)
        if not margin:
            return None
        facts = {"owner": first, "other": second, "margin": margin}
        if scored.region_points[first] <= scored.region_points[second]:
            bonus = scored.bonus_points(first) - scored.bonus_points(second)
            return Decided("toys", {**facts, "points": bonus})
        largest = max(
            (region for region in scored.regions if region.owner == first), key=lambda region: region.points
        )
        reason = "region" if largest.points >= margin else "regions"
        return Decided(reason, {**facts, "points": largest.points})

    def named(self, move: BedMove) -> Phrase | None:
        """A tile and its place; a correction is called by its notation."""
        return laid_at(move) if isinstance(move, Lay) else None

    def narrate(self, before: BedState, after: BedState) -> tuple[Phrase, ...]:
        """The tile that was laid; nothing for a correction."""
        if len(after.tiles) != len(before.tiles) + 1:
            return ()
        tile = after.tiles[-1]
        return (Phrase("bed.laid", {"owner": tile.owner, "digit": tile.digit}, SLUG),)


def regions(view: BedView, language: str) -> Iterator[str]:
    """A line for each region: its number and size, its owner with the reason, the tiles that touch it."""
    words = messages_of_game(SLUG)
    for region in view.regions:
        why = words.say(
            f"region.{region.why}",
            language,
            owner=region.owner or "",
            cat=region.sums.cat,
            dog=region.sums.dog,
            points=region.points,
        )
        tiles = ", ".join(filter(None, (_sum(region, owner, language) for owner in ("cat", "dog"))))
        yield f"{region.id:3}  {region.size:3} □  {why}" + (f"  [{tiles}]" if tiles else "")


def _sum(region: RegionView, owner: str, language: str) -> str:
    digits = [tile.digit for tile in region.tiles if tile.owner == owner]
    if not digits:
        return ""
    name = messages_of_game(SLUG).say(f"name.{owner}", language)
    return f"{name} {' + '.join(map(str, digits))} = {sum(digits)}"


def steps(view: BedView, language: str) -> Iterator[str]:
    """Sentences for a person who lays out the score."""
    for step in view.layout:
        yield from _step(step, language)


def _step(step: Step, language: str) -> Iterator[str]:
    say = messages_of_game(SLUG).say
    match step:
        case UseInstead(what=what, need=need, there=there, short=short, instead=instead):
            yield say(f"layout.{instead}", language, toy=what, need=need, there=there, short=short)
        case LayMarker(owner=owner, square=square, points=points):
            yield say("layout.marker", language, owner=owner, square=square_name(square), points=points)
        case TakeToys(owner=owner, toys=toys):
            for toy, number in toys.items():
                yield say("layout.toys", language, owner=owner, number=number, toy=toy)
        case CompareToys(toy=toy, cat=cat, dog=dog, owner=None):
            yield say("layout.no-bonus", language, toy=toy, cat=cat, dog=dog)
        case CompareToys(toy=toy, cat=cat, dog=dog, owner=str(owner), points=points):
            yield say("layout.bonus", language, toy=toy, cat=cat, dog=dog, owner=owner, points=points)
        case HandOutChips(owner=owner, points=points, chips=chips, short=short):
            pieces = ", ".join(f"{count} × {value}" for value, count in chips.items() if count)
            said = say("layout.chips", language, owner=owner, points=points)
            yield f"{said} ({pieces})" if pieces else said
            if short:
                yield say("layout.short", language, owner=owner, short=short)
        case NameWinners(reason=reason, winners=winners):
            yield say(f"outcome.{reason}", language, winner=winners[0])
