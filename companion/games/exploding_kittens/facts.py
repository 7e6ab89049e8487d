"""Why the chances are what they are, in sentences: what of the deck is known, in the order it came about."""

from __future__ import annotations

import msgspec

from companion.games.exploding_kittens.cards import FUTURE, SHUFFLE
from companion.games.exploding_kittens.state import Deed, KittensState, Note


class Fact(msgspec.Struct, frozen=True):
    """A sentence `fact.<name>` of the words: about a seat, a number, cards."""

    name: str
    seat: str = ""
    count: int = 0
    cards: tuple[str, ...] = ()


def facts_of(state: KittensState, seat: str | None) -> tuple[Fact, ...]:
    """What bears on the places in the deck since it was last shuffled, and the hands that are out."""
    found: list[Fact] = []
    drawn = 0
    out = [Fact("out", deed.seat) for deed in state.record if deed.what == "explode"]
    for index, deed in enumerate(state.record):
        drawn += deed.what in ("draw", "kitten")
        if deed.what == "play" and deed.card == SHUFFLE and deed.works:
            found, drawn = [Fact("shuffled")], 0
        told = _told(state, seat, index, deed)
        if told:
            found.append(told)
    if not found or found[0].name != "shuffled":
        found.insert(0, Fact("dealt"))
    return (*found, *([Fact("drawn", count=drawn)] if drawn else []), *out)


def _told(state: KittensState, seat: str | None, index: int, deed: Deed) -> Fact | None:
    """What a deed tells of places: a kitten put back, cards that the asker looked at."""
    mine = {note.what: note for note in state.notes if note.deed == index and note.seat == seat}
    if deed.what == "defuse":
        return _put_back(state, deed, mine.get("hid"))
    if deed.what == "play" and deed.card == FUTURE and deed.works and "saw" in mine:
        return Fact("saw", deed.seat, cards=mine["saw"].cards)
    return None


def _put_back(state: KittensState, deed: Deed, hid: Note | None) -> Fact:
    if hid is not None:
        return Fact("hid", deed.seat, count=hid.place)
    return Fact(state.options.kitten_back, deed.seat)
