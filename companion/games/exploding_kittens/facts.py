"""Why the chances are what they are, in sentences: what of the deck is known, in the order it came about."""

from __future__ import annotations

import msgspec

from companion.games.exploding_kittens.cards import FUTURE, SHUFFLE
from companion.games.exploding_kittens.state import Action, KittensState, PrivateNote


class Fact(msgspec.Struct, frozen=True):
    """A sentence `fact.<name>` of the words: about a seat, a number, cards."""

    name: str
    seat: str = ""
    count: int = 0
    cards: tuple[str, ...] = ()


def facts_of(state: KittensState, seat: str | None) -> tuple[Fact, ...]:
    """What bears on the places in the deck since it was last shuffled, and the hands that are out."""
    facts: list[Fact] = []
    drawn = 0
    out = [Fact("out", action.seat) for action in state.record if action.what == "explode"]
    for index, action in enumerate(state.record):
        drawn += action.what in ("draw", "kitten")
        if action.what == "play" and action.card == SHUFFLE and action.works:
            facts, drawn = [Fact("shuffled")], 0
        fact = _fact(state, seat, index, action)
        if fact:
            facts.append(fact)
    if not facts or facts[0].name != "shuffled":
        facts.insert(0, Fact("dealt"))
    return (*facts, *([Fact("drawn", count=drawn)] if drawn else []), *out)


def _fact(state: KittensState, seat: str | None, index: int, action: Action) -> Fact | None:
    """What an action shows of places: a kitten put back, cards that the asker looked at."""
    mine = {note.what: note for note in state.notes if note.action == index and note.seat == seat}
    if action.what == "defuse":
        return _put_back(state, action, mine.get("hid"))
    counts = action.works or state.options.seen_before_nope == "known"
    if action.what == "play" and action.card == FUTURE and counts and "saw" in mine:
        return Fact("saw", action.seat, cards=mine["saw"].cards)
    return None


def _put_back(state: KittensState, action: Action, hid: PrivateNote | None) -> Fact:
    if hid is not None:
        return Fact("hid", action.seat, count=hid.place)
    return Fact(state.options.kitten_back, action.seat)
