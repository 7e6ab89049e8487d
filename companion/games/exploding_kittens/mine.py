"""A seat's own page: its hand, its missing notes, and the effect of each card in its hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from companion.games.exploding_kittens import chances as chances_of
from companion.games.exploding_kittens import private_notes
from companion.games.exploding_kittens.cards import (
    ACTIONS,
    ATTACK,
    DEFUSE,
    FUTURE,
    KITTEN,
    NOPE,
    SHUFFLE,
    SKIP,
)
from companion.games.exploding_kittens.chances import Chance, Risk
from companion.games.exploding_kittens.known import Seen, counted, numbers_held, sure, targets
from companion.games.exploding_kittens.state import KittensState, NoteKind, PrivateNote
from companion.odds import Knowledge, Span, TooManyWorlds, numbers_together

LATELY = 5
"""The number of a seat's latest notes on its page."""


class Held(msgspec.Struct, frozen=True):
    """Cards of one kind that the seat certainly holds."""

    card: str
    count: int


class Sight(msgspec.Struct, frozen=True):
    """A possible result of See the Future: the places of kittens (0: the top), its chance, the risk then."""

    kittens: tuple[int, ...]
    chance: Chance
    risk: Risk


class Effect(msgspec.Struct, frozen=True):
    """The effect of a card in the hand on this turn: the risk before and after playing it.

    See the Future does not change the overall risk; `sights` are its possible results.
    """

    card: str
    before: Risk
    after: Risk
    sights: tuple[Sight, ...] = ()


class Theft(msgspec.Struct, frozen=True):
    """The risk of the turns that the seat owes now, after two alike took a card of `target` blindly."""

    target: str
    after: Risk


class Ask(msgspec.Struct, frozen=True):
    """A possible note of the seat: `what` is the move, `count` the number of cards or places."""

    what: str
    count: int


class Noted(msgspec.Struct, frozen=True):
    """A note on an action of `seat` (against `target`): the cards, or the place of the kitten.

    `drawn`: the number of cards drawn since. `shuffled`: the deck was shuffled since, so places are void.
    `wrong`: later events contradict it, so it does not count.
    """

    what: NoteKind
    seat: str
    target: str
    cards: tuple[str, ...]
    place: int
    drawn: int
    shuffled: bool
    wrong: bool = False


class MineView(msgspec.Struct, frozen=True):
    """The part for one seat alone. `unknown`: cards in its hand without a note.

    `lost`: its notes cannot all be true, so it must note its hand again; those that can be true still count.
    `may_stay`: cards of the hand noted last that may still be there. `noted`: what the seat recently drew,
    saw, hid or took, the newest first.
    """

    seat: str
    hand: tuple[Held, ...]
    unknown: int
    lost: bool
    asks: tuple[Ask, ...]
    effects: tuple[Effect, ...]
    noted: tuple[Noted, ...]
    may_stay: tuple[Held, ...] = ()
    thefts: tuple[Theft, ...] = ()


def mine(state: KittensState, seen: Seen, seat: str) -> MineView | None:
    """A seat's own part of its view; None for a seat that is out."""
    if not state.standing.lives(seat):
        return None
    holds = sure(seen.knowledge, seat)
    unknown = state.standing.hand_size(seat) - sum(holds.values())
    plays = state.phase == "turn" and state.standing.turn == seat
    effects = (
        tuple(effect(state, seen.knowledge, seat, card) for card in ACTIONS if card in holds) if plays else ()
    )
    return MineView(
        seat,
        _kinds(state, holds),
        unknown,
        seen.lost,
        _asks(state, seat),
        effects,
        _noted(state, seen, seat),
        _kinds(state, may_stay(state, seen, seat) if seen.lost else {}),
        _thefts(state, seen.knowledge, seat) if plays else (),
    )


def _kinds(state: KittensState, counts: Mapping[str, int]) -> tuple[Held, ...]:
    return tuple(Held(card, counts[card]) for card in state.options.box.in_hands if counts.get(card))


def _noted(state: KittensState, seen: Seen, seat: str) -> tuple[Noted, ...]:
    notes = [note for note in state.notes if note.seat == seat and note.what != "hand"]
    newest = sorted(notes, key=lambda note: note.action, reverse=True)[:LATELY]
    return tuple(_as_noted(state, note, wrong=note in seen.wrong) for note in newest)


def _as_noted(state: KittensState, note: PrivateNote, *, wrong: bool) -> Noted:
    action, since = state.record[note.action], state.record[note.action + 1 :]
    return Noted(
        what=note.what,
        seat=action.seat,
        target=action.target,
        cards=note.cards,
        place=note.place,
        drawn=sum(action.what in ("draw", "kitten") for action in since),
        shuffled=any(action.what == "play" and action.card == SHUFFLE and action.works for action in since),
        wrong=wrong,
    )


def _asks(state: KittensState, seat: str) -> tuple[Ask, ...]:
    asks = []
    for what in private_notes.missing_notes(state, seat):
        if what == "hand":
            asks.append(Ask(what, state.standing.hand_size(seat)))
            continue
        action = private_notes.latest_action(state, seat, what)
        deck = private_notes.deck_size_at(state, action)
        count = {"hid": deck + 1, "saw": min(state.options.box.seen, deck)}.get(what, 1)
        asks.append(Ask(what, count))
    return tuple(asks)


def effect(state: KittensState, knowledge: Knowledge, seat: str, card: str) -> Effect:
    """The risk of the turns that the seat owes now, without and with the card."""
    owed = state.standing.owed
    before = chances_of.risk(knowledge, owed, seat)
    if card == FUTURE:
        return Effect(card, before, before, sights(state, knowledge, seat))
    draws = {ATTACK: 0, SKIP: owed - 1, SHUFFLE: owed}[card]
    after = counted(Knowledge.shuffle, knowledge) if card == SHUFFLE else knowledge
    return Effect(card, before, chances_of.risk(after, draws, seat))


def _thefts(state: KittensState, knowledge: Knowledge, seat: str) -> tuple[Theft, ...]:
    """The effect of stealing from each other player; empty without two alike."""
    if state.standing.hand_size(seat) < 2:
        return ()
    return tuple(
        Theft(target, chances_of.after_a_theft(knowledge, target, seat, state.standing.owed))
        for target in targets(state)
    )


def sights(state: KittensState, knowledge: Knowledge, seat: str) -> tuple[Sight, ...]:
    """The possible results of See the Future, each with its chance and the risk then."""
    seen, draws = min(state.options.box.seen, knowledge.deck_size), state.standing.owed
    try:
        tables = numbers_together(knowledge, [Span(place, 1) for place in range(seen)], [KITTEN])
        return tuple(_sight(knowledge, draws, seat, table, share) for table, share in sorted(tables.items()))
    except TooManyWorlds:
        return ()


def _sight(
    knowledge: Knowledge, draws: int, seat: str, table: tuple[tuple[int, ...], ...], share: Fraction
) -> Sight:
    for place, (kitten,) in enumerate(table):
        knowledge = knowledge.see(place, KITTEN if kitten else knowledge.others(KITTEN))
    shown = tuple(place for place, (kitten,) in enumerate(table) if kitten)
    return Sight(shown, chances_of.chance(share), chances_of.risk(knowledge, draws, seat))


def may_stay(state: KittensState, seen: Seen, seat: str) -> dict[str, int]:
    """Cards of the seat's last noted hand that can still be there.

    With them come the cards that the hand surely holds by the notes that still count.
    """
    hands = [note for note in state.notes if (note.seat, note.what) == (seat, "hand")]
    counts = _since(state, hands[-1]) if hands else Counter()
    holds = sure(seen.knowledge, seat)
    stays = {}
    for card in state.options.box.in_hands:
        most = len(numbers_held(seen.knowledge, seat, card)) - 1
        stays[card] = max(holds.get(card, 0), min(counts[card], most))
    return stays


def _since(state: KittensState, hand: PrivateNote) -> Counter[str]:
    """A noted hand without the cards laid or given since, with those gained."""
    counts = Counter(hand.cards)
    for index, action in enumerate(state.record[max(0, hand.action) :], start=max(0, hand.action)):
        later = index > hand.action
        if later and action.seat == hand.seat:
            counts[DEFUSE if action.what == "defuse" else action.card] -= action.laid
        counts[NOPE] -= action.nopes[0 if later else hand.nopes :].count(hand.seat)
        answered_since = later or hand.answers < action.answers
        if action.what == "three" and action.given and action.works and answered_since:
            counts[action.named] += (action.seat == hand.seat) - (action.target == hand.seat)
    return counts
