"""A score in sentences: each region with its why, and what to lay out, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.this_bed_is_mine.moves import SLUG
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
from companion.messages import messages_of_game


def regions(view: BedView, language: str) -> Iterator[str]:
    """A line for each region: its number and size, the tiles that touch it, who owns it and why."""
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
    """What a person lays out at the end, a sentence a step."""
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
