"""The private notes of a seat: its hand, what it drew, saw, took or lost, where it hid the kitten.

No other seat sees them. A repeated note replaces the one before it, so a wrong tap is corrected. A hand is
taken where the table's own knowledge allows it, and counts before all older notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.exploding_kittens.cards import FUTURE, KITTEN
from companion.games.exploding_kittens.known import can_all_be_true, known
from companion.games.exploding_kittens.moves import Drew, Hand, Hid, PrivateMove, Saw, Took
from companion.games.exploding_kittens.rules import check_card, check_lives, refuse
from companion.games.exploding_kittens.state import SLUG, Action, KittensState, NoteKind, PrivateNote, Seat
from companion.odds import Knowledge, TooManyWorlds, card_at


def add_note(state: KittensState, move: PrivateMove) -> KittensState:
    """The state with one more note. Raises `MoveError`, also for what that seat knows cannot be."""
    if state.phase == "over":
        refuse("match-over")
    check_lives(state, move.seat)
    note = _note(state, move)
    kept = tuple(each for each in state.notes if not _replaced(each, note))
    noted = replace(state, notes=(*kept, note))
    if not can_all_be_true(noted, move.seat):
        is_new = note.what != "hand" and note.action == len(state.record) - 1
        # Notes that could all be true before are not in doubt: then the new one is wrong. Which others may be
        # takes long to work out, so that is left for where it is asked.
        if (is_new and can_all_be_true(state, move.seat)) or not (
            set(known(noted, move.seat).wrong) <= _doubtful(state, note)
        ):
            refuse("cannot-be")
    return noted


def _doubtful(state: KittensState, new: PrivateNote) -> set[PrivateNote]:
    """The notes of a seat that may turn out wrong by a new one; else the new one is taken for a wrong tap.

    For a hand, all before it. Otherwise those that are wrong already, and once some are, all before the last
    hand. A match of before took any note then.
    """
    notes = [note for note in state.notes if note.seat == new.seat]
    wrong = set(known(state, new.seat).wrong)
    if wrong and state.options.seen_before_nope == "forgotten":
        return {*notes, new}
    if new.what == "hand":
        return set(notes)
    hands = [at for at, note in enumerate(notes) if note.what == "hand" and note not in wrong]
    return wrong | set(notes[: hands[-1]] if wrong and hands else ())


def _replaced(old: PrivateNote, new: PrivateNote) -> bool:
    def key(note: PrivateNote) -> tuple[str, str, int, int, int]:
        return note.seat, note.what, note.action, note.nopes, note.answers

    return key(old) == key(new)


def _note(state: KittensState, move: PrivateMove) -> PrivateNote:
    """The note of a move, at the action that it belongs to."""
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
    """Of a card taken, the nopes that lay there: once they are stopped, another may have been taken."""
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
"""Whether a seat has a note of a kind to make of an action."""


def latest_action(state: KittensState, seat: str, what: NoteKind) -> int:
    """The index of the last action that a seat can note this of. Raises `IllegalMove` when there is none."""
    actions = [index for index, action in enumerate(state.record) if _ABOUT[what](action, seat)]
    if not actions:
        refuse("nothing-to-tell")
    return actions[-1]


def missing_notes(state: KittensState, seat: str) -> tuple[NoteKind, ...]:
    """The notes on its last draw, kitten, look or theft that a seat has not made, the newest last.

    A note that does not count any more is asked for again; a hand that does not, last of all.
    """
    seen = known(state, seat)
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
    """The notes that seats may make of the last action, each that can be true; those made are left out.

    Hands are left out too: there are too many. So is a seat whose notes cannot all be true: what it may note
    takes long to work out.
    """
    last = len(state.record) - 1
    for seat in state.standing.living if state.phase != "over" else ():
        if not can_all_be_true(state, seat):
            continue
        for what in missing_notes(state, seat):
            if what != "hand" and latest_action(state, seat, what) == last:
                # Whatever a look may show was reckoned from all that the seat knows: it can be.
                yield from (m for m in _notes_of(state, seat, what) if what == "saw" or _can_be(state, m))


def _notes_of(state: KittensState, seat: Seat, what: NoteKind) -> Iterator[PrivateMove]:
    kinds, deck = state.options.box.in_hands, deck_size_at(state, len(state.record) - 1)
    if what == "hid":
        yield from (Hid(seat, place) for place in range(deck + 1))
    elif what == "saw":
        shown = min(state.options.box.seen, deck)
        yield from (Saw(seat, seen) for seen in _tops(known(state, seat).knowledge, shown))
    else:
        yield from (Drew(seat, card) if what == "drew" else Took(seat, card) for card in kinds)


def _tops(knowledge: Knowledge, count: int, place: int = 0) -> Iterator[tuple[str, ...]]:
    """What `count` cards from a place on may be, by what a seat knows."""
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
    """How many cards the deck had at an action: under a kitten that was put back, or to look at."""
    later = state.record[action:]
    back = sum(each.what == "defuse" for each in later)
    return state.standing.deck - back + sum(each.what in ("draw", "kitten") for each in later)
