"""The private notes of a seat: its hand, what it drew, saw, took or lost, where it hid the kitten.

No other seat sees them. A repeated note replaces the earlier one, so a wrong tap is corrected. A hand must
fit the table's own knowledge, and counts before all older notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.exploding_kittens.cards import FUTURE, KITTEN
from companion.games.exploding_kittens.known import can_all_be_true, possible
from companion.games.exploding_kittens.state import (
    SLUG,
    Action,
    Drew,
    Hand,
    Hid,
    KittensState,
    NoteKind,
    PrivateMove,
    PrivateNote,
    Saw,
    Seat,
    Took,
    check_card,
    check_lives,
    refuse,
)
from companion.messages import Fact, Phrase
from companion.odds import Knowledge, TooManyWorlds, card_at


def add_note(state: KittensState, move: PrivateMove) -> KittensState:
    """The state with one more note. Raises `MoveError`, also for a note that the seat knows to be
    impossible."""
    if state.phase == "over":
        refuse("match-over")
    check_lives(state, move.seat)
    note = _note(state, move)

    def about(note: PrivateNote) -> tuple[str, str, int, int, int]:
        return note.seat, note.what, note.action, note.nopes, note.answers

    kept = tuple(old for old in state.notes if about(old) != about(note))
    noted = replace(state, notes=(*kept, note))
    if not can_all_be_true(noted, move.seat):
        is_new = note.what != "hand" and note.action == len(state.record) - 1
        # If all notes could be true before, the new one is wrong. Finding the doubtful ones takes long, so it
        # is left for the seat's view.
        if (is_new and can_all_be_true(state, move.seat)) or not (
            set(possible(noted, move.seat).wrong) <= _doubtful(state, note)
        ):
            said: dict[str, Fact] = {"cards": note.cards, "place": note.place}
            refuse("cannot-be", what=Phrase(f"narrated.{note.what}", said, SLUG))
    return noted


def _doubtful(state: KittensState, new: PrivateNote) -> set[PrivateNote]:
    """The notes of a seat that a new note may prove wrong; others make the new one a wrong tap.

    For a hand, all before it. Otherwise the wrong ones, and with any, all before the last hand. Matches
    recorded with `seen_before_nope` = `forgotten` took any note then.
    """
    notes = [note for note in state.notes if note.seat == new.seat]
    wrong = set(possible(state, new.seat).wrong)
    if wrong and state.options.seen_before_nope == "forgotten":
        return {*notes, new}
    if new.what == "hand":
        return set(notes)
    hands = [n for n, note in enumerate(notes) if note.what == "hand" and note not in wrong]
    return wrong | set(notes[: hands[-1]] if wrong and hands else ())


def _note(state: KittensState, move: PrivateMove) -> PrivateNote:
    if isinstance(move, Hand):
        return _hand(state, move)
    if isinstance(move, Saw):
        return _saw(state, move)
    if isinstance(move, Hid):
        action = latest_action(state, move.seat, "hid")
        most = deck_size_at(state, action)
        if not 0 <= move.place <= most:
            refuse("no-such-place", place=move.place, most=most)
        return PrivateNote(move.seat, "hid", action, place=move.place)
    check_card(state, move.card)
    what: NoteKind = "drew" if isinstance(move, Drew) else "took"
    action = latest_action(state, move.seat, what)
    return PrivateNote(move.seat, what, action, _theft(state, what, action), cards=(move.card,))


def _theft(state: KittensState, what: NoteKind, action: int) -> int:
    """Of a stolen card, the nopes that lay there: if they are stopped, another may have been taken."""
    known_before = what == "took" and state.options.seen_before_nope == "known"
    return len(state.record[action].nopes) if known_before else 0


def _hand(state: KittensState, move: Hand) -> PrivateNote:
    for card in move.cards:
        check_card(state, card)
    if len(move.cards) != state.standing.hand_size(move.seat):
        refuse("wrong-number", entered=len(move.cards), in_hand=state.standing.hand_size(move.seat))
    nopes = len(state.last.nopes) if state.last else 0
    answers = state.last.answers if state.last and state.options.seen_before_nope == "known" else 0
    cards_ = tuple(sorted(move.cards))
    return PrivateNote(move.seat, "hand", len(state.record) - 1, nopes, cards_, answers=answers)


def _saw(state: KittensState, move: Saw) -> PrivateNote:
    for card in move.cards:
        check_card(state, card, KITTEN)
    action = latest_action(state, move.seat, "saw")
    shown = min(state.options.box.seen, deck_size_at(state, action))
    if len(move.cards) != shown:
        raise InvalidMove(SLUG, "wrong-number", entered=len(move.cards), in_hand=shown)
    return PrivateNote(move.seat, "saw", action, cards=move.cards)


_ABOUT: dict[NoteKind, Callable[[Action, str], bool]] = {
    "drew": lambda action, seat: action.what == "draw" and action.seat == seat,
    "hid": lambda action, seat: action.what == "defuse" and action.seat == seat,
    "saw": lambda action, seat: (
        (action.what, action.card, action.seat, action.works) == ("play", FUTURE, seat, True)
    ),
    "took": lambda action, seat: (
        action.what == "pair" and action.works and seat in (action.seat, action.target)
    ),
}
"""Tests, by kind of note, if a seat can make one on an action."""


def latest_action(state: KittensState, seat: str, what: NoteKind) -> int:
    """The index of the last action for this note of a seat. Raises `IllegalMove` without one."""
    actions = [index for index, action in enumerate(state.record) if _ABOUT[what](action, seat)]
    if not actions:
        refuse("nothing-to-tell")
    return actions[-1]


def missing_notes(state: KittensState, seat: str) -> tuple[NoteKind, ...]:
    """The missing notes of a seat on its last draw, kitten, look or theft, the newest last.

    A note that counts no longer is asked for again; a hand last of all.
    """
    seen = possible(state, seat)
    notes = [note for note in state.notes if note.seat == seat and note not in seen.wrong]
    noted = {(note.what, note.action, note.nopes) for note in notes}
    since = max((note.action for note in notes if note.what == "hand"), default=-1)
    open_ = []
    for what, about in _ABOUT.items():
        actions = [index for index, action in enumerate(state.record) if about(action, seat)]
        if (
            actions
            and (what, actions[-1], _theft(state, what, actions[-1])) not in noted
            and not (what in ("drew", "took") and actions[-1] <= since)
        ):
            open_.append((actions[-1], what))
    return (*(what for _, what in sorted(open_)), *(("hand",) if seen.lost else ()))


def legal_notes(state: KittensState) -> Iterator[PrivateMove]:
    """The notes of the last action that seats may make and that can be true, without those already made.

    Hands are left out: there are too many. So is a seat whose notes cannot all be true: its possible notes
    take long to work out.
    """
    last = len(state.record) - 1
    for seat in state.standing.living if state.phase != "over" else ():
        if not can_all_be_true(state, seat):
            continue
        for what in missing_notes(state, seat):
            if what != "hand" and latest_action(state, seat, what) == last:
                # The results of a look come from the seat's own knowledge, so they are possible.
                yield from (m for m in _notes_of(state, seat, what) if what == "saw" or _can_be(state, m))


def _notes_of(state: KittensState, seat: Seat, what: NoteKind) -> Iterator[PrivateMove]:
    kinds, deck = state.options.box.in_hands, deck_size_at(state, len(state.record) - 1)
    if what == "hid":
        yield from (Hid(seat, place) for place in range(deck + 1))
    elif what == "saw":
        shown = min(state.options.box.seen, deck)
        yield from (Saw(seat, seen) for seen in _tops(possible(state, seat).knowledge, shown))
    else:
        yield from (Drew(seat, card) if what == "drew" else Took(seat, card) for card in kinds)


def _tops(knowledge: Knowledge, count: int, place: int = 0) -> Iterator[tuple[str, ...]]:
    """The possible cards of `count` places from this one on, by a seat's knowledge."""
    if place == count:
        yield ()
        return
    for card, chance in card_at(knowledge, place).items():
        if chance:
            with suppress(TooManyWorlds):
                after = knowledge.see(place, card)
                yield from ((card, *below) for below in _tops(after, count, place + 1))


def _can_be(state: KittensState, move: PrivateMove) -> bool:
    try:
        add_note(state, move)
    except IllegalMove:
        return False
    return True


def deck_size_at(state: KittensState, action: int) -> int:
    """Cards in the deck at an action: under a kitten that was put back, or to look at."""
    later = state.record[action:]
    back = sum(action.what == "defuse" for action in later)
    return state.standing.deck - back + sum(action.what in ("draw", "kitten") for action in later)
