"""What the table and each seat know of the cards: the record played again on the exact engine.

A seat's private notes stand where they belong, so that a late note counts like an early one. A note
that turns out impossible never stops the table: its view becomes the table's, and `lost` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from companion.games.exploding_kittens import cards
from companion.games.exploding_kittens.cards import DEFUSE, FUTURE, KITTEN, NOPE, SHUFFLE
from companion.games.exploding_kittens.state import (
    SEATS,
    Action,
    KittensOptions,
    KittensState,
    NoteKind,
    PrivateNote,
)
from companion.odds import ImpossibleCards, Knowledge, Pile, Reading, TooManyWorlds, certain

DISCARD, OUT = "discard", "out"
"""The piles besides the hands: face up, and the hands of those who exploded."""

KEPT = 512
"""Standings of knowledge that are kept, the newest: some matches' worth."""

Change: TypeAlias = Callable[[Knowledge], Knowledge]
Answer = TypeVar("Answer")


class Seen(NamedTuple):
    """What an observer knows.

    `lost`: the seat's notes were impossible, so this is what the table knows. `rough`: the ways that the
    cards may lie were too many, so what was known of places until then is no longer followed.
    """

    knowledge: Knowledge
    lost: bool = False
    rough: bool = False


class _Course(NamedTuple):
    """All that an observer's knowledge depends on. `halted`: the last card has not taken effect yet."""

    options: KittensOptions
    seats: int
    seat: str | None
    record: tuple[Action, ...]
    notes: tuple[PrivateNote, ...]
    halted: bool = False

    def until(self, actions: int) -> _Course:
        """The course of the first `actions` actions."""
        if actions == len(self.record):
            return self
        notes = tuple(note for note in self.notes if note.action < actions)
        return self._replace(record=self.record[:actions], notes=notes, halted=False)


_kept: dict[_Course, Seen] = {}


def known(state: KittensState, seat: str | None) -> Seen:
    """What `seat` knows (None: what all saw). It depends on no other seat's notes."""
    notes = tuple(note for note in state.notes if note.seat == seat)
    # A seat without notes knows what the table knows: worked out once for all of them.
    return _followed(_Course(state.options, len(state.seats), seat if notes else None, state.record, notes))


def before_effect(state: KittensState) -> Knowledge:
    """What all know while the last card lies there and has not taken effect: when a nope may come."""
    course = _Course(state.options, len(state.seats), None, state.record, (), halted=True)
    return _followed(course).knowledge


def _followed(course: _Course) -> Seen:
    """From the longest part of the course that is kept, action by action."""
    # Several threads follow courses at once: what is kept may be gone the next moment.
    actions, seen = len(course.record), None
    while actions >= 0 and (seen := _kept.get(course.until(actions))) is None:
        actions -= 1
    for done in range(actions + 1, len(course.record) + 1):
        part = course.until(done)
        seen = _step(part, seen)
        for oldest in list(_kept)[: max(0, len(_kept) - KEPT + 1)]:
            _kept.pop(oldest, None)
        _kept[part] = seen
    assert seen is not None, "the start is a part of every course"
    return seen


def _step(course: _Course, before: Seen | None) -> Seen:
    """What is known after the last action of the course."""
    if before is None:
        seen, changes = Seen(start(course.seats)), _start_notes(course.notes)
    else:
        seen, changes = before, steps(course, before.knowledge)
    try:
        return _changed(seen, changes)
    except ImpossibleCards:
        if course.seat is None:
            raise
    table = _followed(course._replace(seat=None, notes=()))._replace(lost=True)
    try:
        return _changed(table, [change for change in changes[-1:] if isinstance(change, _Whole)])
    except ImpossibleCards:
        return table


def _changed(seen: Seen, changes: Sequence[Change]) -> Seen:
    """All changes, one after another; a noted hand mends what was lost."""
    knowledge, rough = seen.knowledge, seen.rough
    for change in changes:
        try:
            knowledge = change(knowledge)
        except TooManyWorlds:
            # The bound was met on the way: what is certain has one world, from which any change is few.
            knowledge, rough = change(coarse(knowledge)), True
    found_again = any(isinstance(change, _Whole) for change in changes)
    return Seen(knowledge, seen.lost and not found_again, rough)


def start(seats: int) -> Knowledge:
    """Hands just dealt: each holds a defuse, the kittens are in the deck (rulebook, set-up 2 to 6)."""
    deck = cards.deck()
    hand = Pile(deck.dealt + 1, {DEFUSE: 1})
    piles: dict[str, Pile] = dict.fromkeys(SEATS[:seats], hand)
    piles |= {DISCARD: Pile(0), OUT: Pile(0)}
    return Knowledge.start(deck.played(seats), Pile(deck.left(seats), {KITTEN: seats - 1}), piles)


def coarse(knowledge: Knowledge) -> Knowledge:
    """Only what is certain of hands and piles; the rest as if dealt again and the deck shuffled."""
    totals = dict(zip(knowledge.kinds, knowledge.totals, strict=True))
    piles = {name: Pile(knowledge.pile_size(name), certain(knowledge, name)) for name in knowledge.piles}
    gone = certain(knowledge, DISCARD).get(KITTEN, 0)
    return Knowledge.start(totals, Pile(knowledge.deck_size, {KITTEN: totals[KITTEN] - gone}), piles)


def counted(ask: Callable[[Knowledge], Answer], knowledge: Knowledge) -> Answer:
    """The answer; where it has too many cases, that of what is certain alone."""
    try:
        return ask(knowledge)
    except TooManyWorlds:
        return ask(coarse(knowledge))


def steps(course: _Course, before: Knowledge) -> list[Change]:
    """What the last action of a course does to an observer's knowledge, in order."""
    index, action = len(course.record) - 1, course.record[-1]
    mine: dict[NoteKind, PrivateNote] = {
        note.what: note for note in course.notes if note.action == index and note.what != "hand"
    }
    hands = [note for note in course.notes if note.action == index and note.what == "hand"]
    if action.what == "draw":
        changes: list[Change] = [_draw(action, mine.get("drew"), before)]
    elif action.what == "kitten":
        changes = [lambda deck: deck.draw(DISCARD, KITTEN)]
    elif action.what == "defuse":
        changes = [
            _laid(action.seat, DEFUSE, Reading.HELD),
            partial(_put_back, course.options, mine.get("hid")),
        ]
    elif action.what == "explode":
        changes = [partial(_exploded, course.options, action.seat)]
    else:
        return _played(action, mine, hands, takes_effect=action.works and not course.halted)
    return [*changes, *(_Whole(note) for note in hands)]


def _played(
    action: Action, mine: Mapping[NoteKind, PrivateNote], hands: list[PrivateNote], *, takes_effect: bool
) -> list[Change]:
    """A card or combo, the nopes on it, and what it does if they leave it be."""
    changes: list[Change] = [_laid(action.seat, action.card)] * action.laid
    for count, seat in enumerate(action.nopes):
        changes += [_Whole(note) for note in hands if note.nopes == count and _still_true(note, action)]
        changes.append(_laid(seat, NOPE))
    if takes_effect:
        changes += _effect(action, mine)
    return changes + [_Whole(note) for note in hands if note.nopes == len(action.nopes)]


def _still_true(note: PrivateNote, action: Action) -> bool:
    """Whether a hand noted before a nope was that hand: not when a card seemed to have changed hands."""
    return bool(note.nopes % 2) or not action.takes() or note.seat not in (action.seat, action.target)


def _effect(action: Action, mine: Mapping[NoteKind, PrivateNote]) -> Iterator[Change]:
    """What a card or combo that is not noped shows or moves."""
    if action.what == "pair":
        yield partial(_stolen, action, mine.get("took"))
    elif action.what == "three" and action.given:
        yield lambda deck: deck.play(action.target, action.seat, action.named, Reading.HELD)
    elif action.what == "three" and action.given is False:
        yield lambda deck: deck.count(action.target, action.named, at_most=0)
    elif action.card == SHUFFLE and action.what == "play":
        yield Knowledge.shuffle
    elif action.card == FUTURE and action.what == "play" and "saw" in mine:
        for place, card in enumerate(mine["saw"].cards):
            yield partial(_saw, place, card)


def _stolen(action: Action, took: PrivateNote | None, deck: Knowledge) -> Knowledge:
    """A card picked blindly, if a nope has left any to pick."""
    if not deck.pile_size(action.target):
        return deck
    return deck.steal(action.target, action.seat, took.cards[0] if took else None)


def _saw(place: int, card: str, deck: Knowledge) -> Knowledge:
    return deck.see(place, card)


def _draw(action: Action, drew: PrivateNote | None, before: Knowledge) -> Change:
    """A card drawn that was no kitten, for all or for the seat that noted what it was."""
    kinds = drew.cards[0] if drew else before.others(KITTEN)
    return lambda deck: deck.draw(action.seat, kinds)


def _laid(seat: str, card: str, reading: Reading = Reading.ANY) -> Change:
    return lambda deck: deck.play(seat, DISCARD, card, reading)


def _put_back(options: KittensOptions, hid: PrivateNote | None, deck: Knowledge) -> Knowledge:
    """The kitten goes back where one seat knows; the others hold it to be anywhere, or near the top."""
    if hid is not None:
        return deck.put(DISCARD, KITTEN, hid.place)
    near = options.kitten_back == "near-the-top"
    return deck.put(DISCARD, KITTEN, weights=near_the_top(deck.deck_size + 1) if near else None)


def near_the_top(places: int) -> list[int]:
    """How likely each place is taken to be: the top third three times, the middle third twice the bottom one.

    Thirds, not a slope: places of one weight are one case, so that a deck stays quick to count.

    >>> near_the_top(7)
    [3, 3, 3, 2, 2, 1, 1]
    """
    return [3 - 3 * place // places for place in range(places)]


def _exploded(options: KittensOptions, seat: str, deck: Knowledge) -> Knowledge:
    """A hand is out, face down. Its player would have played a defuse, unless one is known to be there."""
    if options.exploded_had_defuse == "no":
        with suppress(ImpossibleCards):
            deck = deck.count(seat, DEFUSE, at_most=0)
    return deck.lay_down(seat, OUT)


@dataclass(frozen=True, slots=True)
class _Whole:
    """The change of a noted hand."""

    note: PrivateNote

    def __call__(self, deck: Knowledge) -> Knowledge:
        counts = {card: self.note.cards.count(card) for card in self.note.cards}
        return deck.contains(self.note.seat, counts)


def _start_notes(notes: tuple[PrivateNote, ...]) -> list[Change]:
    return [_Whole(note) for note in notes]
