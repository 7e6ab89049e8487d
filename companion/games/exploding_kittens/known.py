"""What the table and each seat know of the cards: the record played again on the exact engine.

A seat's private notes stand where they belong, so that a late note counts like an early one. Notes that
turn out impossible never stop the table: of all its notes the newest count that can be true together, and
`lost` says that the seat's hand must be entered again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace

from companion.games.exploding_kittens.cards import DEFUSE, FUTURE, KITTEN, NOPE, SHUFFLE, Deck
from companion.games.exploding_kittens.state import (
    SEATS,
    Action,
    KittensOptions,
    KittensState,
    NoteKind,
    PrivateNote,
)
from companion.odds import ImpossibleCards, Knowledge, Pile, Reading, TooManyWorlds, certain, known_cards

DISCARD, OUT = "discard", "out"
"""The piles besides the hands: face up, and the hands of those who exploded."""

UNKNOWN = "unknown"
"""A card that moved, of which the seat has not noted what it was."""

KEPT = 512
"""Standings of knowledge that are kept, the newest: some matches' worth."""

Change: TypeAlias = Callable[[Knowledge], Knowledge]
Answer = TypeVar("Answer")


class Seen(NamedTuple):
    """What an observer knows.

    `lost`: the seat's notes cannot all be true, and it has not noted its hand since; `wrong` are those that
    do not count. `rough`: the ways that the cards may lie were too many, so what was known of places until
    then is no longer followed.
    """

    knowledge: Knowledge
    lost: bool = False
    rough: bool = False
    wrong: tuple[PrivateNote, ...] = ()


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
        seat = self.seat if notes else None
        return self._replace(record=self.record[:actions], seat=seat, notes=notes, halted=False)


_kept: dict[_Course, Seen] = {}


def known(state: KittensState, seat: str | None) -> Seen:
    """What `seat` knows (None: what all saw). It depends on no other seat's notes."""
    return _followed(_course(state, seat))


def can_all_be_true(state: KittensState, seat: str) -> bool:
    """Whether the notes of a seat can be true together: quicker than to work out which of them can."""
    return _strictly(_course(state, seat)) is not None


def _course(state: KittensState, seat: str | None) -> _Course:
    notes = tuple(note for note in state.notes if note.seat == seat)
    # A seat without notes knows what the table knows: worked out once for all of them.
    return _Course(state.options, len(state.seats), seat if notes else None, state.record, notes)


def before_effect(state: KittensState, seat: str | None = None) -> Knowledge:
    """What `seat` knows (None: what all saw) while the last card lies there and has not taken effect: when a
    nope may come."""
    return _followed(_course(state, seat)._replace(halted=True)).knowledge


def _followed(course: _Course) -> Seen:
    """From the longest part of the course that is kept, action by action."""
    # Several threads follow courses at once: what is kept may be gone the next moment.
    actions, seen = len(course.record), None
    while actions >= 0 and (seen := _kept.get(course.until(actions))) is None:
        actions -= 1
    for done in range(actions + 1, len(course.record) + 1):
        part = course.until(done)
        try:
            seen = _step(part, seen)
        except ImpossibleCards:
            if course.seat is None:
                raise
            seen = _mended(part)
        _keep(part, seen)
    assert seen is not None, "the start is a part of every course"
    return seen


def _step(course: _Course, before: Seen | None) -> Seen:
    """What is known after the last action of the course. Raises `ImpossibleCards`."""
    if before is None:
        return _changed(
            Seen(start(course.options.box, course.seats)), [_Whole(note) for note in course.notes]
        )
    if before.wrong:
        course = course._replace(notes=tuple(note for note in course.notes if note not in before.wrong))
    return _changed(before, steps(course, before.knowledge))


def _mended(course: _Course) -> Seen:
    """What a seat knows by those of its notes that can be true together: a newer one counts first."""
    seen = _followed(course._replace(seat=None, notes=()))
    fitting: tuple[PrivateNote, ...] = ()
    for note in reversed(course.notes):
        tried = tuple(each for each in course.notes if each is note or each in fitting)
        trial = _strictly(course._replace(notes=tried))
        if trial is not None:
            seen, fitting = trial, tried
    last = (len(course.record) - 1, len(course.record[-1].nopes) if course.record else 0)
    corrected = any(note.what == "hand" and (note.action, note.nopes) == last for note in fitting)
    wrong = tuple(note for note in course.notes if note not in fitting)
    return seen._replace(lost=not corrected, wrong=wrong)


def _strictly(course: _Course) -> Seen | None:
    """What a seat knows when all its notes count; None when they cannot all be true."""
    seen: Seen | None = None
    for done in range(len(course.record) + 1):
        part = course.until(done)
        kept = _kept.get(part)
        try:
            seen = _step(part, seen) if kept is None else kept
        except ImpossibleCards:
            return None
        if seen.wrong:
            return None
        if kept is None:
            _keep(part, seen)
    return seen


def _keep(course: _Course, seen: Seen) -> None:
    """Keep what was worked out for a course; the oldest goes."""
    for oldest in list(_kept)[: max(0, len(_kept) - KEPT + 1)]:
        _kept.pop(oldest, None)
    _kept[course] = seen


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


def start(deck: Deck, seats: int) -> Knowledge:
    """Hands just dealt: each holds a defuse, the kittens are in the deck (rulebook, set-up 2 to 6)."""
    hand = Pile(deck.dealt + 1, {DEFUSE: 1})
    piles: dict[str, Pile] = dict.fromkeys(SEATS[:seats], hand)
    piles |= {DISCARD: Pile(0), OUT: Pile(0)}
    return Knowledge.start(deck.played(seats), Pile(deck.left(seats), {KITTEN: seats - 1}), piles)


def coarse(knowledge: Knowledge) -> Knowledge:
    """Only what is certain of hands and piles; the rest as if dealt again and the deck shuffled."""
    totals = dict(zip(knowledge.kinds, knowledge.totals, strict=True))
    piles = {name: Pile(knowledge.pile_size(name), known_cards(knowledge, name)) for name in knowledge.piles}
    gone = known_cards(knowledge, DISCARD).get(KITTEN, 0)
    return Knowledge.start(totals, Pile(knowledge.deck_size, {KITTEN: totals[KITTEN] - gone}), piles)


def counted(ask: Callable[[Knowledge], Answer], knowledge: Knowledge) -> Answer:
    """The answer; where it has too many cases, that of what is certain alone."""
    try:
        return ask(knowledge)
    except TooManyWorlds:
        return ask(coarse(knowledge))


def sure(knowledge: Knowledge, pile: str) -> dict[str, int]:
    """The cards that a pile surely holds; with too many cases, those that follow from the known cards."""
    try:
        return certain(knowledge, pile)
    except TooManyWorlds:
        return known_cards(knowledge, pile)


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
        return _played(course, mine, hands)
    return [*changes, *(_Whole(note) for note in hands)]


def _played(course: _Course, mine: Mapping[NoteKind, PrivateNote], hands: list[PrivateNote]) -> list[Change]:
    """A card or combo, the nopes on it, what was seen meanwhile, and what it does if they leave it be."""
    action, index = course.record[-1], len(course.record) - 1
    known_before = course.options.seen_before_nope == "known"
    taken = {note.nopes: note for note in course.notes if (note.action, note.what) == (index, "took")}
    changes: list[Change] = [_laid(action.seat, action.card)] * action.laid
    for nopes in range(len(action.nopes) + 1):
        noted = [note for note in hands if note.nopes == nopes]
        ends = nopes == len(action.nopes)
        if not known_before:
            works = ends and action.works and not course.halted
            changes += _effect(action, mine, mine.get("took")) if works else ()
            changes += [_Whole(note) for note in noted if ends or _still_true(note, action)]
        elif ends and action.works and not course.halted:
            changes += _in_effect(action, mine, taken.get(nopes), noted)
        else:
            changes += _seen_only(action, mine if ends else {}, taken.get(nopes), noted, nopes)
        changes += [] if ends else [_laid(action.nopes[nopes], NOPE)]
    return changes


def _in_effect(
    action: Action,
    mine: Mapping[NoteKind, PrivateNote],
    took: PrivateNote | None,
    hands: list[PrivateNote],
) -> Iterator[Change]:
    """What a card or combo does, and the hands noted before and after a named card was answered."""
    before = [note for note in hands if action.given is not None and note.answers < action.answers]
    yield from map(_Whole, before)
    yield from _effect(action, mine, took)
    yield from (_Whole(note) for note in hands if note not in before)


def _seen_only(
    action: Action,
    mine: Mapping[NoteKind, PrivateNote],
    took: PrivateNote | None,
    hands: list[PrivateNote],
    nopes: int,
) -> Iterator[Change]:
    """What was seen while that many nopes lay there, before another made it void."""
    given = action.answer_at(nopes)
    if given is not None:
        at_least, at_most = (1, None) if given else (0, 0)
        yield lambda deck: deck.count(action.target, action.named, at_least, at_most)
    moved = action.named if given else ""
    if action.what == "pair" and nopes % 2 == 0:
        moved = took.cards[0] if took else UNKNOWN
        if took:
            yield partial(_looked_at, action, moved)
    yield from _looks(action, mine)
    answers = sum(each.nopes <= nopes for each in action.answered) + (
        action.given is not None and nopes == len(action.nopes)
    )
    for note in hands:
        before = given is not None and note.answers < answers
        back = _handed_back(note, action, "" if before else moved)
        if back is not None:
            yield _Whole(back)


def _handed_back(note: PrivateNote, action: Action, moved: str) -> PrivateNote | None:
    """A noted hand after the card that had moved is back where it was; None where that card is unknown."""
    if not moved or note.seat not in (action.seat, action.target):
        return note
    if moved == UNKNOWN:
        return None
    hand = Counter(note.cards)
    hand[moved] += 1 if note.seat == action.target else -1
    return replace(note, cards=tuple(sorted(hand.elements())))


def _looked_at(action: Action, card: str, deck: Knowledge) -> Knowledge:
    """A card that was picked blindly, seen, and given back because of a nope."""
    if not deck.pile_size(action.target):
        return deck
    taken = deck.steal(action.target, action.seat, card)
    return taken.play(action.seat, action.target, card, Reading.HELD)


def _still_true(note: PrivateNote, action: Action) -> bool:
    """Whether a hand noted before a nope was that hand: not when a card seemed to have changed hands."""
    return bool(note.nopes % 2) or not action.takes() or note.seat not in (action.seat, action.target)


def _effect(
    action: Action, mine: Mapping[NoteKind, PrivateNote], took: PrivateNote | None
) -> Iterator[Change]:
    """What a card or combo that is not noped shows or moves."""
    if action.what == "pair":
        yield partial(_stolen, action, took)
    elif action.what == "three" and action.given:
        yield lambda deck: deck.play(action.target, action.seat, action.named, Reading.HELD)
    elif action.what == "three" and action.given is False:
        yield lambda deck: deck.count(action.target, action.named, at_most=0)
    elif action.card == SHUFFLE and action.what == "play":
        yield Knowledge.shuffle
    yield from _looks(action, mine)


def _looks(action: Action, mine: Mapping[NoteKind, PrivateNote]) -> Iterator[Change]:
    """The cards that were looked at; a nope that comes later does not change them."""
    if action.card == FUTURE and action.what == "play" and "saw" in mine:
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
