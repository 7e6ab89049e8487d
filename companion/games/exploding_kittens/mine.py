"""A seat's own page: its hand, the notes still missing, and the effect of each card in its hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from companion.games.exploding_kittens import chances as chances_of
from companion.games.exploding_kittens import private_notes, rules
from companion.games.exploding_kittens.cards import ACTIONS, ATTACK, FUTURE, KITTEN, SHUFFLE, SKIP
from companion.games.exploding_kittens.chances import Chance, Risk
from companion.games.exploding_kittens.correction import may_stay
from companion.games.exploding_kittens.known import Seen, counted, sure
from companion.games.exploding_kittens.state import KittensState, NoteKind, PrivateNote
from companion.odds import Knowledge, Span, TooManyWorlds, numbers_together

LATELY = 5
"""The number of a seat's own latest notes to show to it."""


class Held(msgspec.Struct, frozen=True):
    """The cards of one kind that the seat certainly holds."""

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
    """A note that the seat could make: `what` is the move, `count` the number of cards or places."""

    what: str
    count: int


class Noted(msgspec.Struct, frozen=True):
    """A note on an action of `seat` (against `target`): the cards, or the place of the kitten.

    `drawn` is the number of cards drawn since. `shuffled`: the deck was shuffled since, so places are void.
    `wrong`: what came since shows that it cannot be true, so it does not count.
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
    """What only one seat sees. `unknown` is the number of cards in its hand without a note.

    `lost`: its notes cannot all be true, so the hand is asked for again. Those that still can be true count;
    `may_stay` are the cards of the hand noted last that can still be there. `noted` is what the seat recently
    drew, saw, hid or took, the newest first.
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
    """A seat's own part of its view; None if the seat is out."""
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
        drawn=sum(each.what in ("draw", "kitten") for each in since),
        shuffled=any(each.what == "play" and each.card == SHUFFLE and each.works for each in since),
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
    """What a card of each of the others would be worth; nothing where no two alike can be played."""
    if state.standing.hand_size(seat) < 2:
        return ()
    return tuple(
        Theft(target, chances_of.after_a_theft(knowledge, target, seat, state.standing.owed))
        for target in rules.targets(state)
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
