"""Hands and deck: how many cards lie where, and the exact chances of what comes next.

The table sees every card that is turned up; where the others lie, nobody knows but who holds them. The
chances come from `companion.odds`, played through from the events of the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from companion.games.hide_and_seek.moves import (
    CardEvent,
    Drew,
    HandNoted,
    HideState,
    Reshuffled,
    Showed,
)
from companion.odds import ImpossibleCards, Knowledge, Pile, TooManyWorlds

SEEN, ASIDE = "seen", "aside"
"""The engine's piles beside the hands: cards that were turned up, and those being shuffled again."""

REMEMBERED = 256
"""How many states of knowledge are kept at hand: a long match has some 300 events, of which each view
asks for the last, once for the table and once for every seat."""

MOST_WORLDS = 64
"""The most cases that are counted; there is one until a deck is made again. Tried on matches of 24 rounds."""

Events = tuple[CardEvent, ...]
"""What happened to hands and deck, in order."""

Start = tuple[tuple[tuple[str, int], ...], tuple[str, ...]]
"""What a match starts from: the number of each kind, and the seats."""

STRETCH = 40
"""Events that are played through at a time, so that a long match does not recurse too deep."""


def dealt(state: HideState) -> HideState:
    """Every hand drawn up, in the round's order, as far as the deck goes (6. 補牌)."""
    for seat in state.order:
        state = draw(state, seat, state.set.hand - state.hands[seat])
    return state


def draw(state: HideState, seat: str, cards: int) -> HideState:
    """A seat draws `cards` cards, or all there are; the deck is made again where the set says so."""
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


def without_notes(state: HideState, but: str | None = None) -> HideState:
    """The state without the noted hands of players, except that of the seat `but`."""
    open_events = tuple(each for each in state.events if not isinstance(each, HandNoted) or each.seat == but)
    return msgspec.structs.replace(state, events=open_events)


def knows(state: HideState, seat: str | None) -> tuple[Knowledge | None, bool]:
    """What a seat knows of the cards (None: what the table knows), and whether its noted hand still counts.

    A hand noted wrongly, as the cards turned up since have shown, counts no more. The knowledge
    is None where there are too many cases for an exact answer in good time, or where
    what was turned up cannot be.
    """
    if seat is not None and noted_hand(state, seat) is not None:
        try:
            return _knowledge(state, without_notes(state, seat).events), True
        except ImpossibleCards:
            pass
    noted = any(isinstance(each, HandNoted) and each.seat == seat for each in state.events)
    try:
        return _knowledge(state, without_notes(state).events), not noted
    except ImpossibleCards:
        return None, not noted


def could_hold(state: HideState, seat: str, cards: Iterable[str]) -> bool:
    """Whether a seat can have these cards in hand.

    What cannot be is refused where it is sure to be wrong: more of a kind than are unseen, or of those that
    went into a new deck, more than have been drawn from it since.
    """
    left, new = unseen(state), _new_deck(state)
    for card, count in Counter(cards).items():
        if count > left[card]:
            return False
        if new is None:
            continue
        # Those that were in hands when the deck was made again come first; the rest must have been drawn.
        shown = Counter({each: by[card] for each, by in new.shown.items() if by[card]})
        old = left[card] + shown.total() - new.cards[card]
        drawn = sum(new.drawn[each] for each in {*shown, seat})
        if shown.total() + count - old > drawn:
            return False
    return True


class _NewDeck(msgspec.Struct):
    """Since the deck was last made again: its cards, what each seat drew of it, what each has shown."""

    cards: Counter[str]
    drawn: Counter[str]
    shown: dict[str, Counter[str]]


def _new_deck(state: HideState) -> _NewDeck | None:
    at = max((n for n, each in enumerate(state.events) if isinstance(each, Reshuffled)), default=None)
    if at is None:
        return None
    made = state.events[at]
    new = _NewDeck(Counter(made.cards if isinstance(made, Reshuffled) else ()), Counter(), {})
    for each in state.events[at:]:
        if isinstance(each, Drew):
            new.drawn[each.seat] += each.cards
        elif isinstance(each, Showed):
            new.shown.setdefault(each.seat, Counter())[each.card] += 1
    return new


def note_hand(state: HideState, seat: str, cards: Iterable[str]) -> HideState:
    """A seat notes its hand. An earlier note of it goes: this one says more."""
    others = tuple(each for each in state.events if not isinstance(each, HandNoted) or each.seat != seat)
    return msgspec.structs.replace(state, events=(*others, HandNoted(seat, tuple(sorted(cards)))))


class NotedHand(msgspec.Struct, frozen=True):
    """A hand as its player noted it, without the cards shown since; `untold` cards were drawn since."""

    cards: tuple[str, ...]
    untold: int = 0


def noted_hand(state: HideState, seat: str) -> NotedHand | None:
    """The noted hand of a seat; None without one, or when the cards that it showed since contradict it."""
    hand: Counter[str] | None = None
    untold = 0
    for each in without_notes(state, seat).events:
        if isinstance(each, Reshuffled) or each.seat != seat:
            continue
        if isinstance(each, HandNoted):
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
    return None if hand is None else NotedHand(tuple(sorted(hand.elements())), untold)


def may_stay(state: HideState, seat: str) -> tuple[str, ...]:
    """Of a seat's noted hand, the cards that it has not shown since and that can still be in its hand."""
    cards: Counter[str] = Counter()
    for each in without_notes(state, seat).events:
        if isinstance(each, HandNoted) and each.seat == seat:
            cards = Counter(each.cards)
        elif isinstance(each, Showed) and each.seat == seat and cards[each.card]:
            cards[each.card] -= 1
    stay: list[str] = []
    for card in sorted(cards.elements()):
        if could_hold(state, seat, (*stay, card)):
            stay.append(card)
    return tuple(stay)


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
        after = None if before is None else _after(before, events[-1])
    except TooManyWorlds:
        return None
    return None if after is None or len(after.worlds) > MOST_WORLDS else after


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
