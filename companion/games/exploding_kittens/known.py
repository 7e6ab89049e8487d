"""The knowledge of the table and of each seat: the record played again on the exact engine.

A seat's private notes stand where they belong, so a late note counts like an early one. Impossible notes
never stop the table: the newest that can be true together count, and `lost` says that the seat's hand must be
entered again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
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
    Seat,
)
from companion.odds import (
    ImpossibleCards,
    Knowledge,
    Pile,
    Reading,
    TooManyWorlds,
    certain,
    known_cards,
    number_held,
)

DISCARD, OUT = "discard", "out"
"""The piles besides the hands: face up, and the hands of those who exploded."""

UNKNOWN = "unknown"
"""A moved card that the seat has not noted."""

KEPT = 512
"""The newest standings of knowledge to keep: some matches' worth."""

Change: TypeAlias = Callable[[Knowledge], Knowledge]
T = TypeVar("T")


class Seen(NamedTuple):
    """The knowledge of an observer.

    `lost`: the seat's notes cannot all be true, and it has not noted its hand since. `wrong`: the notes that
    do not count. `rough`: with too many ways for the cards to lie, earlier knowledge of places is dropped.
    """

    knowledge: Knowledge
    lost: bool = False
    rough: bool = False
    wrong: tuple[PrivateNote, ...] = ()


class _Course(NamedTuple):
    """All that an observer's knowledge depends on.

    `halted`: the last card has not taken effect yet. `weighed`: with chances, not only what can be.
    """

    options: KittensOptions
    seats: int
    seat: str | None
    record: tuple[Action, ...]
    notes: tuple[PrivateNote, ...]
    halted: bool = False
    weighed: bool = True

    def until(self, actions: int) -> _Course:
        """The course of the first `actions` actions."""
        if actions == len(self.record):
            return self
        notes = tuple(note for note in self.notes if note.action < actions)
        seat = self.seat if notes else None
        return self._replace(record=self.record[:actions], seat=seat, notes=notes, halted=False)


_kept: dict[_Course, Seen] = {}


def known(state: KittensState, seat: str | None) -> Seen:
    """The knowledge of `seat` (None: of all), independent of other seats' notes."""
    return _followed(_course(state, seat))


def possible(state: KittensState, seat: str | None) -> Seen:
    """What can be, as `seat` knows (None: all), without chances: much quicker, and enough for the rules."""
    return _followed(_course(state, seat)._replace(weighed=False))


def can_all_be_true(state: KittensState, seat: str) -> bool:
    """True if all notes of a seat can be true together: quicker than finding those that can."""
    return _strictly(_course(state, seat)._replace(weighed=False)) is not None


def _course(state: KittensState, seat: str | None) -> _Course:
    notes = tuple(note for note in state.notes if note.seat == seat)
    # A seat without notes shares the table's knowledge, worked out once.
    return _Course(state.options, len(state.seats), seat if notes else None, state.record, notes)


def before_effect(state: KittensState, seat: str | None = None) -> Knowledge:
    """The knowledge of `seat` (None: of all) before the last card takes effect, while a nope may come."""
    return _followed(_course(state, seat)._replace(halted=True)).knowledge


def _followed(course: _Course) -> Seen:
    """From the longest kept part of the course, action by action."""
    # Several threads follow courses at once: a kept standing may vanish at any moment.
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
    """The knowledge after the last action of the course. Raises `ImpossibleCards`."""
    if before is None:
        dealt = start(course.options.box, course.seats)
        before = Seen(dealt if course.weighed else dealt.unweighed())
        return _changed(before, [_Whole(note) for note in course.notes])
    if before.wrong:
        course = course._replace(notes=tuple(note for note in course.notes if note not in before.wrong))
    return _changed(before, steps(course, before.knowledge))


def _mended(course: _Course) -> Seen:
    """The knowledge by the notes that can be true together, the newest first."""
    fitting: tuple[PrivateNote, ...] = ()
    for note in reversed(course.notes):
        tried = tuple(other for other in course.notes if other is note or other in fitting)
        if _strictly(course._replace(notes=tried, weighed=False)) is not None:
            fitting = tried
    seen = _strictly(course._replace(notes=fitting)) if fitting else None
    if seen is None:
        seen, fitting = _followed(course._replace(seat=None, notes=())), ()
    last = (len(course.record) - 1, len(course.record[-1].nopes) if course.record else 0)
    corrected = any(note.what == "hand" and (note.action, note.nopes) == last for note in fitting)
    wrong = tuple(note for note in course.notes if note not in fitting)
    return seen._replace(lost=not corrected, wrong=wrong)


def _strictly(course: _Course) -> Seen | None:
    """The knowledge by all notes; None if they cannot all be true."""
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
    """Keep a course's result; the oldest goes."""
    for oldest in list(_kept)[: max(0, len(_kept) - KEPT + 1)]:
        _kept.pop(oldest, None)
    _kept[course] = seen


def _changed(seen: Seen, changes: Sequence[Change]) -> Seen:
    """All changes, one after another; a noted hand mends lost knowledge."""
    knowledge, rough = seen.knowledge, seen.rough
    for change in changes:
        try:
            knowledge = change(knowledge)
        except TooManyWorlds:
            # Too many worlds on the way: the certain facts are one world, and a change makes few of it.
            knowledge, rough = change(coarse(knowledge)), True
    hand_noted = any(isinstance(change, _Whole) for change in changes)
    return Seen(knowledge, seen.lost and not hand_noted, rough)


def start(deck: Deck, seats: int) -> Knowledge:
    """Dealt hands with a defuse each, the kittens in the deck (rulebook, set-up 2 to 6)."""
    hand = Pile(deck.dealt + 1, {DEFUSE: 1})
    piles: dict[str, Pile] = dict.fromkeys(SEATS[:seats], hand)
    piles |= {DISCARD: Pile(0), OUT: Pile(0)}
    return Knowledge.start(deck.played(seats), Pile(deck.left(seats), {KITTEN: seats - 1}), piles)


def coarse(knowledge: Knowledge) -> Knowledge:
    """Only certain facts of hands and piles; the rest as if dealt again and the deck shuffled."""
    totals = dict(zip(knowledge.kinds, knowledge.totals, strict=True))
    piles = {name: Pile(knowledge.pile_size(name), known_cards(knowledge, name)) for name in knowledge.piles}
    gone = known_cards(knowledge, DISCARD).get(KITTEN, 0)
    dealt = Knowledge.start(totals, Pile(knowledge.deck_size, {KITTEN: totals[KITTEN] - gone}), piles)
    return dealt if knowledge.weighed else dealt.unweighed()


def counted(ask: Callable[[Knowledge], T], knowledge: Knowledge) -> T:
    """The answer; with too many cases, that of certain facts alone."""
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
    """The changes of an observer's knowledge by the last action of a course, in order."""
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
    """A card or combo, its nopes, cards seen meanwhile, and its effect if it is not stopped."""
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
    action: Action, mine: Mapping[NoteKind, PrivateNote], took: PrivateNote | None, hands: list[PrivateNote]
) -> Iterator[Change]:
    """The effect of a card or combo, and the hands noted before and after a named card was answered."""
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
    """The cards seen while that many nopes lay there, before the next nope."""
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
    answers = sum(answer.nopes <= nopes for answer in action.answered) + (
        action.given is not None and nopes == len(action.nopes)
    )
    for note in hands:
        before = given is not None and note.answers < answers
        back = _handed_back(note, action, "" if before else moved)
        if back is not None:
            yield _Whole(back)


def _handed_back(note: PrivateNote, action: Action, moved: str) -> PrivateNote | None:
    """A noted hand after the moved card has gone back; None if that card is unknown."""
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
    """False for a hand noted before a nope while a card seemed to have changed hands."""
    return bool(note.nopes % 2) or not action.takes() or note.seat not in (action.seat, action.target)


def _effect(
    action: Action, mine: Mapping[NoteKind, PrivateNote], took: PrivateNote | None
) -> Iterator[Change]:
    """The cards that an unnoped card or combo shows or moves."""
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
    """The cards that were looked at; a later nope does not change them."""
    if action.card == FUTURE and action.what == "play" and "saw" in mine:
        for place, card in enumerate(mine["saw"].cards):
            yield partial(Knowledge.see, place=place, kinds=card)


def _stolen(action: Action, took: PrivateNote | None, deck: Knowledge) -> Knowledge:
    """A blindly picked card, if a nope has left any to pick."""
    if not deck.pile_size(action.target):
        return deck
    return deck.steal(action.target, action.seat, took.cards[0] if took else None)


def _draw(action: Action, drew: PrivateNote | None, before: Knowledge) -> Change:
    """A drawn card other than a kitten, for all or for the seat that noted it."""
    kinds = drew.cards[0] if drew else before.others(KITTEN)
    return lambda deck: deck.draw(action.seat, kinds)


def _laid(seat: str, card: str, reading: Reading = Reading.ANY) -> Change:
    return lambda deck: deck.play(seat, DISCARD, card, reading)


def _put_back(options: KittensOptions, hid: PrivateNote | None, deck: Knowledge) -> Knowledge:
    """The kitten goes back at a place that one seat knows; for the others anywhere, or near the top."""
    if hid is not None:
        return deck.put(DISCARD, KITTEN, hid.place)
    near = options.kitten_back == "near-the-top"
    return deck.put(DISCARD, KITTEN, weights=near_the_top(deck.deck_size + 1) if near else None)


def near_the_top(places: int) -> list[int]:
    """Weights of the places: the top third three times, the middle third twice the bottom one.

    Thirds, not a slope: places of one weight are one case, so that a deck stays quick to count.

    >>> near_the_top(7)
    [3, 3, 3, 2, 2, 1, 1]
    """
    return [3 - 3 * place // places for place in range(places)]


def _exploded(options: KittensOptions, seat: str, deck: Knowledge) -> Knowledge:
    """A hand is out, face down. Its player would have used a defuse, unless one is known to be there."""
    if options.exploded_had_defuse == "no":
        with suppress(ImpossibleCards):
            deck = deck.count(seat, DEFUSE, at_most=0)
    return deck.lay_down(seat, OUT)


@dataclass(frozen=True, slots=True)
class _Whole:
    """The change by a noted hand."""

    note: PrivateNote

    def __call__(self, deck: Knowledge) -> Knowledge:
        counts = {card: self.note.cards.count(card) for card in self.note.cards}
        return deck.contains(self.note.seat, counts)


def nopers(state: KittensState) -> tuple[Seat, ...]:
    """The seats that may hold a nope for the last card."""
    return tuple(seat for seat in state.standing.living if may_nope(state, seat))


def may_nope(state: KittensState, seat: str) -> bool:
    """True if a living seat may hold a nope for the last card, by what all saw."""
    last = state.last
    if last is None or not last.can_be_noped or state.phase == "over" or not state.before.hand_size(seat):
        return False
    halted = _course(state, None)._replace(halted=True, weighed=False)
    return len(numbers_held(_followed(halted).knowledge, seat, NOPE)) > 1


def discarded(state: KittensState) -> dict[str, int]:
    """The cards that lie face up, by kind, with the kittens of those who exploded."""
    counts: dict[str, int] = {}
    for action in state.record:
        laid = (
            {DEFUSE: 1}
            if action.what == "defuse"
            else {KITTEN: 1}
            if action.what == "explode"
            else {action.card: action.laid}
        )
        for card, count in ({**laid, NOPE: laid.get(NOPE, 0) + len(action.nopes)}).items():
            counts[card] = counts.get(card, 0) + count
    return {card: count for card, count in counts.items() if count}


def most_held(state: KittensState, seat: str, card: str) -> int:
    """The most cards of a kind that a seat may hold, by what all saw."""
    return len(numbers_possible(state, seat, card)) - 1


def all_in_hand(state: KittensState, seat: str) -> dict[str, int]:
    """The most cards of each kind that a seat may hold, by what all saw."""
    return {card: most_held(state, seat, card) for card in state.options.box.in_hands}


def targets(state: KittensState) -> tuple[Seat, ...]:
    """The players for two or three alike: the others that live and hold cards."""
    others = (seat for seat in state.standing.living if seat != state.standing.turn)
    return tuple(seat for seat in others if state.standing.hand_size(seat))


def answers(state: KittensState) -> tuple[bool, ...]:
    """The possible answers to a named card, by what all saw: True to hand it over."""
    last = state.record[-1]
    counts = numbers_possible(state, last.target, last.named)
    return tuple(given for given in (True, False) if (len(counts) > 1 if given else counts[0]))


def numbers_possible(state: KittensState, seat: str, card: str) -> tuple[bool, ...]:
    """For 0, 1, 2, … cards of a kind, True if a seat may hold so many by what all saw; the last is True."""
    return tuple(map(bool, numbers_held(possible(state, None).knowledge, seat, card)))


def numbers_held(knowledge: Knowledge, seat: str, card: str) -> tuple[Fraction, ...]:
    """The chances that a seat holds 0, 1, 2, … cards of a kind."""
    return counted(lambda deck: number_held(deck, seat, card), knowledge)


def alike(state: KittensState, in_hand: Mapping[str, int], count: int) -> tuple[str, ...]:
    """The kinds with so many alike to play, from the most cards of each that a hand may hold."""
    may = state.options.may_combine
    return tuple(card for card, most in in_hand.items() if most >= count and may(card, count))
