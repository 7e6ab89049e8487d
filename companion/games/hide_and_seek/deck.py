"""Hands and deck: the number of cards in each, and the exact chances of the next ones.

The table sees every card that is turned up; only its holder knows any other. The chances come from
`companion.odds`, played through from the events of the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from companion.games.hide_and_seek.state import CardEvent, Drew, HandNoted, HideState, Reshuffled, Showed
from companion.odds import ImpossibleCards, Knowledge, Pile, TooManyWorlds

SEEN, ASIDE = "seen", "aside"
"""The engine's piles beside the hands: turned-up cards, and those being shuffled again."""

REMEMBERED = 256
"""States of knowledge to keep: a long match has some 300 events, and each view needs the last."""

MOST_WORLDS = 64
"""The most cases to count, tried on 24 rounds; there is one until a deck is made again."""

Events = tuple[CardEvent, ...]

Start = tuple[tuple[tuple[str, int], ...], tuple[str, ...]]
"""The number of each kind, and the seats."""

STRETCH = 40
"""Events played through at a time, against too deep a recursion."""


def dealt(state: HideState) -> HideState:
    """Every hand drawn up, in the round's order, until the deck is empty (6. 補牌)."""
    for seat in state.order:
        state = draw(state, seat, state.set.hand - state.hands[seat])
    return state


def draw(state: HideState, seat: str, cards: int) -> HideState:
    """A seat draws `cards` cards, or all there are; the deck is made again if the set says so."""
    taken = min(cards, state.deck)
    if taken > 0:
        state = msgspec.structs.replace(
            state,
            deck=state.deck - taken,
            hands=state.hands | {seat: state.hands[seat] + taken},
            events=(*state.events, Drew(seat, taken)),
        )
    if cards > taken and state.discards and state.set.reshuffle:
        again = msgspec.structs.replace(
            state,
            deck=len(state.discards),
            discards=(),
            events=(*state.events, Reshuffled(tuple(sorted(state.discards)))),
        )
        return draw(again, seat, cards - taken)
    return state


def show(state: HideState, seat: str, card: str) -> HideState:
    """A card of a seat's hand is seen by all, and leaves the hand."""
    return msgspec.structs.replace(
        state, hands=state.hands | {seat: state.hands[seat] - 1}, events=(*state.events, Showed(seat, card))
    )


def unseen(state: HideState) -> Counter[str]:
    """Unseen cards of each kind, in the deck or in hands."""
    counts = Counter(state.set.counts(enemies=state.options.enemies))
    counts.subtract(laid.card for laid in state.lying)
    counts.subtract(state.discards)
    counts.subtract(caught.card for caught in state.enemies_caught)
    if state.enemy:
        counts[state.enemy.card] -= 1
    return counts


def without_notes(state: HideState, but: str | None = None) -> HideState:
    """The state without noted hands, except that of the seat `but`."""
    open_events = tuple(act for act in state.events if not isinstance(act, HandNoted) or act.seat == but)
    return msgspec.structs.replace(state, events=open_events)


def knows(state: HideState, seat: str | None) -> tuple[Knowledge | None, bool]:
    """A seat's knowledge of the cards (None: the table's), and True if its noted hand still counts.

    Later cards may prove a noted hand wrong. The knowledge is None if there are too many cases for a quick
    exact answer, or if the turned-up cards are impossible.
    """
    if seat is not None and noted_hand(state, seat) is not None:
        try:
            return _knowledge(state, without_notes(state, seat).events), True
        except ImpossibleCards:
            pass
    noted = any(isinstance(event, HandNoted) and event.seat == seat for event in state.events)
    try:
        return _knowledge(state, without_notes(state).events), not noted
    except ImpossibleCards:
        return None, not noted


def could_hold(state: HideState, seat: str, cards: Iterable[str]) -> bool:
    """False if a seat cannot have these cards: more of a kind than are unseen, or than it drew since they
    went into a new deck."""
    left, new = unseen(state), _new_deck(state)
    for card, count in Counter(cards).items():
        if count > left[card]:
            return False
        if new is None:
            continue
        # Cards in hands when the deck was made again come first; the rest must have been drawn.
        shown = Counter({other: by[card] for other, by in new.shown.items() if by[card]})
        old = left[card] + shown.total() - new.cards[card]
        drawn = sum(new.drawn[player] for player in {*shown, seat})
        if shown.total() + count - old > drawn:
            return False
    return True


class _NewDeck(msgspec.Struct):
    """Since the deck was last made again: its cards, each seat's draws, and the cards each has shown."""

    cards: Counter[str]
    drawn: Counter[str]
    shown: dict[str, Counter[str]]


def _new_deck(state: HideState) -> _NewDeck | None:
    made_at = max((n for n, event in enumerate(state.events) if isinstance(event, Reshuffled)), default=None)
    if made_at is None:
        return None
    made = state.events[made_at]
    new = _NewDeck(Counter(made.cards if isinstance(made, Reshuffled) else ()), Counter(), {})
    for event in state.events[made_at:]:
        if isinstance(event, Drew):
            new.drawn[event.seat] += event.cards
        elif isinstance(event, Showed):
            new.shown.setdefault(event.seat, Counter())[event.card] += 1
    return new


def note_hand(state: HideState, seat: str, cards: Iterable[str]) -> HideState:
    """A seat notes its hand, in place of an earlier note."""
    others = tuple(event for event in state.events if not isinstance(event, HandNoted) or event.seat != seat)
    return msgspec.structs.replace(state, events=(*others, HandNoted(seat, tuple(sorted(cards)))))


class NotedHand(msgspec.Struct, frozen=True):
    """A hand as its player noted it, without the cards shown since; `untold` more were drawn."""

    cards: tuple[str, ...]
    untold: int = 0


def noted_hand(state: HideState, seat: str) -> NotedHand | None:
    """A seat's noted hand; None without one, or when the cards shown since contradict it."""
    hand: Counter[str] | None = None
    untold = 0
    for event in without_notes(state, seat).events:
        if isinstance(event, Reshuffled) or event.seat != seat:
            continue
        if isinstance(event, HandNoted):
            hand, untold = Counter(event.cards), 0
        elif hand is None:
            continue
        elif isinstance(event, Drew):
            untold += event.cards
        elif hand[event.card]:
            hand[event.card] -= 1
        elif untold:
            untold -= 1
        else:
            return None
    return None if hand is None else NotedHand(tuple(sorted(hand.elements())), untold)


def may_stay(state: HideState, seat: str) -> tuple[str, ...]:
    """Cards of a seat's noted hand that it has not shown and may still hold."""
    cards: Counter[str] = Counter()
    for event in without_notes(state, seat).events:
        if isinstance(event, HandNoted) and event.seat == seat:
            cards = Counter(event.cards)
        elif isinstance(event, Showed) and event.seat == seat and cards[event.card]:
            cards[event.card] -= 1
    stay: list[str] = []
    for card in sorted(cards.elements()):
        if could_hold(state, seat, (*stay, card)):
            stay.append(card)
    return tuple(stay)


def _knowledge(state: HideState, events: Events) -> Knowledge | None:
    """The knowledge after these events; None with too many cases. Raises `ImpossibleCards`."""
    start = (tuple(state.set.counts(enemies=state.options.enemies).items()), state.seats)
    for end in range(0, len(events), STRETCH):
        _known(start, events[:end])
    return _known(start, events)


@lru_cache(maxsize=REMEMBERED)
def _known(start: Start, events: Events) -> Knowledge | None:
    if not events:
        counts, seats = start
        piles = {pile: Pile(0) for pile in (*seats, SEEN, ASIDE)}
        return Knowledge.start(dict(counts), Pile(sum(number for _, number in counts)), piles)
    before = _known(start, events[:-1])
    try:
        after = None if before is None else _after(before, events[-1])
    except TooManyWorlds:
        return None
    return None if after is None or len(after.worlds) > MOST_WORLDS else after


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
