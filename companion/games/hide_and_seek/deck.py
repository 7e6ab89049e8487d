"""Hands and deck: how many cards lie where, and the exact chances of what comes next.

The table sees every card that is turned up; where the others lie, nobody knows but who holds them. The
chances come from `companion.odds`, played through from the events of the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from companion.games.hide_and_seek.moves import (
    CardEvent,
    Drew,
    HideState,
    Reshuffled,
    Showed,
    Told,
)
from companion.odds import ImpossibleCards, Knowledge, Pile, TooManyWorlds

SEEN, ASIDE = "seen", "aside"
"""The engine's piles beside the hands: cards that were turned up, and those being shuffled anew."""

REMEMBERED = 256
"""How many states of knowledge are kept at hand: a long match has some 300 events, of which each view
asks for the last, once for the table and once for every seat."""

Events = tuple[CardEvent, ...]
Start = tuple[tuple[tuple[str, int], ...], tuple[str, ...]]
"""What a match starts from: the number of each kind, and the seats."""

STRETCH = 40
"""Events are played through so many at a time, so that a long match does not go too deep at once."""


def dealt(state: HideState) -> HideState:
    """Every hand drawn up, in the round's order, as far as the deck goes (6. 補牌)."""
    for seat in state.order:
        state = draw(state, seat, state.set.hand - state.hands[seat])
    return state


def draw(state: HideState, seat: str, cards: int) -> HideState:
    """A seat draws so many cards, fewer if there are no more; the deck is made anew where the set says so."""
    taken = min(cards, state.deck)
    if taken > 0:
        state = msgspec.structs.replace(
            state,
            deck=state.deck - taken,
            hands=state.hands | {seat: state.hands[seat] + taken},
            events=(*state.events, Drew(seat, taken)),
        )
    if cards > taken and state.discards and state.set.reshuffle:
        return draw(_reshuffled(state), seat, cards - taken)
    return state


def _reshuffled(state: HideState) -> HideState:
    return msgspec.structs.replace(
        state,
        deck=len(state.discards),
        discards=(),
        events=(*state.events, Reshuffled(tuple(sorted(state.discards)))),
    )


def show(state: HideState, seat: str, card: str) -> HideState:
    """A card of a seat's hand is seen by all: one fewer in hand."""
    return msgspec.structs.replace(
        state,
        hands=state.hands | {seat: state.hands[seat] - 1},
        events=(*state.events, Showed(seat, card)),
    )


def unseen(state: HideState) -> Counter[str]:
    """How many of each kind lie in the deck or in hands, where the table cannot see them."""
    counts = Counter(state.set.counts(enemies=state.options.enemies))
    counts.subtract(each.card for each in state.lying)
    counts.subtract(state.discards)
    counts.subtract(each.card for each in state.enemies_caught)
    if state.enemy:
        counts[state.enemy.card] -= 1
    return counts


def without_told(state: HideState, but: str | None = None) -> HideState:
    """The state without what players told their own phones, but for the seat `but`."""
    open_events = tuple(each for each in state.events if not isinstance(each, Told) or each.seat == but)
    return msgspec.structs.replace(state, events=open_events)


def knows(state: HideState, seat: str | None) -> tuple[Knowledge | None, bool]:
    """What a seat knows of the cards (None: what the table knows), and whether what it told still counts.

    A hand that was told wrong, as the cards turned up since have shown, counts no more. The knowledge
    is None where the cases to tell apart have grown too many for an exact answer.
    """
    mine = without_told(state, seat).events
    told = [each for each in mine if isinstance(each, Told)]
    if told:
        try:
            return _knowledge(state, mine), True
        except ImpossibleCards:
            mine = tuple(each for each in mine if not isinstance(each, Told))
    return _knowledge(state, mine), not told


def could_show(state: HideState, seat: str, card: str) -> bool:
    """Whether a seat can have such a card in hand, as far as the table knows."""
    if not unseen(state)[card] or not state.hands[seat]:
        return False
    if not any(isinstance(each, Reshuffled) for each in state.events):
        return True
    try:
        _knowledge(state, (*without_told(state).events, Showed(seat, card)))
    except ImpossibleCards:
        return False
    return True


def could_hold(state: HideState, seat: str, cards: Sequence[str]) -> Events | None:
    """The events with that hand told; None when the seat cannot hold it.

    What the seat told earlier is left out where it contradicts this.
    """
    mine = without_told(state, seat).events
    for before in (mine, without_told(state).events):
        try:
            _knowledge(state, (*before, Told(seat, tuple(sorted(cards)))))
        except ImpossibleCards:
            continue
        others = tuple(
            each for each in state.events if not isinstance(each, Told) or each.seat != seat or before is mine
        )
        return (*others, Told(seat, tuple(sorted(cards))))
    return None


class HandTold(msgspec.Struct, frozen=True):
    """A hand as its player told it, cards shown since taken out, and how many were drawn since, untold."""

    cards: tuple[str, ...]
    untold: int = 0


def hand_told(state: HideState, seat: str) -> HandTold | None:
    """What a seat has told of its hand; None when nothing, or when what it showed since contradicts it."""
    hand: Counter[str] | None = None
    untold = 0
    for each in without_told(state, seat).events:
        if isinstance(each, Reshuffled) or each.seat != seat:
            continue
        if isinstance(each, Told):
            hand, untold = Counter(each.cards), 0
        elif hand is None:
            continue
        elif isinstance(each, Drew):
            untold += each.cards
        elif hand[each.card]:
            hand[each.card] -= 1
        elif untold:
            untold -= 1
        else:
            return None
    return None if hand is None else HandTold(tuple(sorted(hand.elements())), untold)


def _knowledge(state: HideState, events: Events) -> Knowledge | None:
    """The knowledge after these events; None where there are too many cases. Raises `ImpossibleCards`."""
    start = (tuple(state.set.counts(enemies=state.options.enemies).items()), state.seats)
    for at in range(0, len(events), STRETCH):
        _known(start, events[:at])
    return _known(start, events)


@lru_cache(maxsize=REMEMBERED)
def _known(start: Start, events: Events) -> Knowledge | None:
    if not events:
        return _before_any(start)
    before = _known(start, events[:-1])
    try:
        return None if before is None else _after(before, events[-1])
    except TooManyWorlds:
        return None


def _before_any(start: Start) -> Knowledge:
    counts, seats = start
    piles = {pile: Pile(0) for pile in (*seats, SEEN, ASIDE)}
    return Knowledge.start(dict(counts), Pile(sum(number for _, number in counts)), piles)


def _after(knowledge: Knowledge, event: CardEvent) -> Knowledge:
    match event:
        case Drew():
            for _ in range(event.cards):
                knowledge = knowledge.draw(event.seat)
            return knowledge
        case Showed():
            return knowledge.play(event.seat, SEEN, event.card)
        case Reshuffled():
            for card in event.cards:
                knowledge = knowledge.play(SEEN, ASIDE, card)
            return knowledge.gather(ASIDE)
        case _:
            return knowledge.contains(event.seat, Counter(event.cards))
