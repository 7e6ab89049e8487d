"""What a seat tells its own phone: its hand, what it drew, saw, took or lost, where it hid the kitten.

Each is a note that no other seat sees. Told again, it replaces the note before it: so a wrong tap is
put right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.exploding_kittens import cards
from companion.games.exploding_kittens.cards import FUTURE, KITTEN
from companion.games.exploding_kittens.known import known
from companion.games.exploding_kittens.moves import Drew, Hand, Hid, PrivateMove, Saw, Took
from companion.games.exploding_kittens.rules import check_card, check_lives, refuse
from companion.games.exploding_kittens.state import SLUG, Deed, KittensState, Note, Seat, Told
from companion.odds import Knowledge, TooManyWorlds, card_at


def tell(state: KittensState, move: PrivateMove) -> KittensState:
    """The state with what a seat told. Raises `MoveError`, also for what that seat knows cannot be."""
    if state.phase == "over":
        refuse("match-over")
    check_lives(state, move.seat)
    note = _note(state, move)
    kept = tuple(each for each in state.notes if not _replaced(each, note))
    told = replace(state, notes=(*kept, note))
    if known(told, move.seat).lost:
        refuse("cannot-be")
    return told


def _replaced(old: Note, new: Note) -> bool:
    return (old.seat, old.what, old.deed, old.nopes) == (new.seat, new.what, new.deed, new.nopes)


def _note(state: KittensState, move: PrivateMove) -> Note:
    """What was told, at the deed that it belongs to."""
    if isinstance(move, Hand):
        return _hand(state, move)
    if isinstance(move, Saw):
        return _saw(state, move)
    if isinstance(move, Hid):
        deed = deed_told(state, move.seat, "hid")
        most = deck_then(state, deed)
        if not 0 <= move.place <= most:
            refuse("no-such-place", place=move.place, most=most)
        return Note(move.seat, "hid", deed, place=move.place)
    check_card(move.card)
    what: Told = "drew" if isinstance(move, Drew) else "took"
    return Note(move.seat, what, deed_told(state, move.seat, what), cards=(move.card,))


def _hand(state: KittensState, move: Hand) -> Note:
    for card in move.cards:
        check_card(card)
    if len(move.cards) != state.standing.held(move.seat):
        refuse("wrong-number", told=len(move.cards), held=state.standing.held(move.seat))
    nopes = len(state.last.nopes) if state.last else 0
    return Note(move.seat, "hand", len(state.record) - 1, nopes, tuple(sorted(move.cards)))


def _saw(state: KittensState, move: Saw) -> Note:
    for card in move.cards:
        check_card(card, KITTEN)
    deed = deed_told(state, move.seat, "saw")
    shown = min(cards.deck().seen, deck_then(state, deed))
    if len(move.cards) != shown:
        raise InvalidMove(SLUG, "wrong-number", told=len(move.cards), held=shown)
    return Note(move.seat, "saw", deed, cards=move.cards)


_ABOUT: dict[Told, Callable[[Deed, str], bool]] = {
    "drew": lambda deed, seat: deed.what == "draw" and deed.seat == seat,
    "hid": lambda deed, seat: deed.what == "defuse" and deed.seat == seat,
    "saw": lambda deed, seat: (deed.what, deed.card, deed.seat, deed.works) == ("play", FUTURE, seat, True),
    "took": lambda deed, seat: deed.what == "pair" and deed.works and seat in (deed.seat, deed.target),
}
"""Which deeds a seat has more to tell of."""


def deed_told(state: KittensState, seat: str, what: Told) -> int:
    """The index of the last deed of which a seat can tell that. Raises `IllegalMove` when there is none."""
    found = [index for index, deed in enumerate(state.record) if _ABOUT[what](deed, seat)]
    if not found:
        refuse("nothing-to-tell")
    return found[-1]


def untold(state: KittensState, seat: str) -> tuple[Told, ...]:
    """What a seat could tell of its last draw, kitten, look or theft, the newest last, and has not."""
    told = {(note.what, note.deed) for note in state.notes if note.seat == seat}
    since = max((note.deed for note in state.notes if (note.seat, note.what) == (seat, "hand")), default=-1)
    open_ = []
    for what, about in _ABOUT.items():
        found = [index for index, deed in enumerate(state.record) if about(deed, seat)]
        if found and (what, found[-1]) not in told and not (what in ("drew", "took") and found[-1] <= since):
            open_.append((found[-1], what))
    return tuple(what for _, what in sorted(open_))


def legal_tells(state: KittensState) -> Iterator[PrivateMove]:
    """What seats may tell of the last thing done, each that can be; not what was told already.

    A seat that was told wrong has only its hand to tell anew.
    """
    last = len(state.record) - 1
    for seat in state.standing.living if state.phase != "over" else ():
        if known(state, seat).lost:
            continue
        for what in untold(state, seat):
            if deed_told(state, seat, what) == last:
                # Whatever a look may show was reckoned from all that the seat knows: it can be.
                yield from (m for m in _tells(state, seat, what) if what == "saw" or _can_be(state, m))


def _tells(state: KittensState, seat: Seat, what: Told) -> Iterator[PrivateMove]:
    kinds, deck = cards.deck().in_hands, deck_then(state, len(state.record) - 1)
    if what == "hid":
        yield from (Hid(seat, place) for place in range(deck + 1))
    elif what == "saw":
        shown = min(cards.deck().seen, deck)
        yield from (Saw(seat, seen) for seen in _tops(known(state, seat).knowledge, shown))
    else:
        yield from (Drew(seat, card) if what == "drew" else Took(seat, card) for card in kinds)


def _tops(knowledge: Knowledge, count: int, place: int = 0) -> Iterator[tuple[str, ...]]:
    """What so many cards from a place on may be, for one who knows that."""
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
        tell(state, move)
    except IllegalMove:
        return False
    return True


def deck_then(state: KittensState, deed: int) -> int:
    """How many cards the deck had at a deed: under a kitten that was put back, or to look at."""
    later = state.record[deed:]
    back = sum(each.what == "defuse" for each in later)
    return state.standing.deck - back + sum(each.what in ("draw", "kitten") for each in later)
