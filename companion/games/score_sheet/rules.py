"""The rules of a score sheet: who may write what, whose turn comes next, and when the match is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, islice
from typing import ClassVar

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.game import About, Game, Outcome
from companion.games.score_sheet import sighting as sightings
from companion.games.score_sheet import view as views
from companion.games.score_sheet.retrospect import SheetRetrospect
from companion.games.score_sheet.sheet import EDITED, MOST_DICE, SLUG, Sheet, sheet
from companion.games.score_sheet.state import (
    FACES,
    FORMS,
    Enter,
    Finish,
    Note,
    SheetMove,
    SheetOptions,
    SheetState,
    Throw,
    Thrown,
    Turn,
)
from companion.games.score_sheet.view import SheetView
from companion.games.watching import Autoplay, Dice, Observation, SeesDice, Sighting

MOST_SEATS = 8

POINTS = (-5, 0, 1, 10)
"""Points that stand for all numbers in the list of legal moves."""
THROWS = 20
"""So many throws stand for all."""

USUAL_DICE, USUAL_POINTS = 2, 20
"""The dice that people who play by chance throw, and the most points that they enter."""


class ScoreSheet(Game[SheetState, SheetMove, SheetOptions], SeesDice, Autoplay):
    """Points for any game: the people know its rules, the sheet adds up."""

    slug = SLUG
    names: ClassVar = {"en": "Score sheet", "zh-Hant": "計分表", "ko": "점수판"}
    seat_counts = tuple(range(1, MOST_SEATS + 1))
    about = About(asked_first=("sheet",), files={"sheet": Sheet}, editable={"sheet": EDITED})
    forms = FORMS
    retrospect = SheetRetrospect()

    def set_up(self, options: SheetOptions, seats: int) -> SheetState:
        """An empty sheet. Raises `UserError` for an unusable one."""
        rows = len(sheet(options.sheet).rows)
        return SheetState(options, ((None,) * rows,) * seats)

    def seat_names(self, state: SheetState) -> tuple[str, ...]:
        """The players in order."""
        return state.seats

    def turn(self, state: SheetState) -> str | None:
        """The player in turn: the order moves on with each entry, tap or press."""
        return None if self.outcome(state) else state.seats[state.up]

    def legal_moves(self, state: SheetState) -> Iterator[SheetMove]:
        """Entries and throws by example, every other turn, and the end."""
        if self.outcome(state):
            return
        for place, seat in enumerate(state.seats):
            for line in state.open_lines(place):
                yield from (Enter(seat, points, line) for points in POINTS)
        count = state.sheet.dice or USUAL_DICE
        thrown = islice(combinations_with_replacement(FACES, count), THROWS)
        yield from (Throw(state.seats[state.up], dice) for dice in thrown)
        yield from (Turn(seat) for place, seat in enumerate(state.seats) if place != state.up)
        if any(state.filled):
            yield Finish()

    def play(self, state: SheetState, move: SheetMove) -> SheetState:
        if self.outcome(state):
            raise IllegalMove(SLUG, "match-over")
        seat = getattr(move, "seat", None)
        if seat is not None and seat not in state.seats:
            raise InvalidMove(SLUG, "no-such-seat", seat=seat)
        after = _played(state, move)
        # Free points begin their line, those of a round end it.
        next_begins = state.moves + (state.sheet.entries == "rounds")
        began = (*after.began, next_begins)[: max(after.round, len(state.began))]
        return replace(after, began=began, moves=state.moves + 1)

    def outcome(self, state: SheetState) -> Outcome | None:
        """The best total wins, as the sheet says what is best."""
        reason = _why_over(state)
        if not reason:
            return None
        totals = state.totals
        best = (max if state.sheet.wins == "most" else min)(totals.values())
        return Outcome(reason, tuple(seat for seat in totals if totals[seat] == best), totals)

    def fewest_win(self, options: SheetOptions) -> bool:
        """True if the sheet says so."""
        return sheet(options.sheet).wins == "least"

    def view(self, state: SheetState, seat: str | None) -> SheetView:
        """The whole sheet; all seats see the same."""
        return views.view(state, self.turn(state), self.outcome(state))

    def pressed(self, state: SheetState, seat: str) -> SheetMove | None:
        """The player in turn passes the turn on; anybody else takes it."""
        if len(state.seats) == 1:
            return None
        place = state.seats.index(seat)
        return Turn(state.seats[(place + 1) % len(state.seats)] if place == state.up else seat)

    def dice_now(self, state: SheetState) -> Dice:
        return Dice(state.sheet.dice or None)

    def sighting(self, state: SheetState, observation: Observation) -> Sighting:
        """The meaning of dice at rest."""
        return sightings.sighting(self.play, state, observation)

    def likely_move(self, state: SheetState, below: Callable[[int], int]) -> SheetMove | None:
        """A throw where the sheet has dice, then points."""
        if self.outcome(state):
            return None
        seat, count = state.seats[state.up], state.sheet.dice
        last = state.throws[-1] if state.throws else None
        if count and (last is None or (last.seat, last.line) != (seat, state.round)):
            return Throw(seat, tuple(1 + below(len(FACES)) for _ in range(count)))
        lines = state.open_lines(state.up)
        if not lines:
            return Turn(state.seats[(state.up + 1) % len(state.seats)])
        return Enter(seat, below(USUAL_POINTS + 1), lines[below(len(lines))])


def _played(state: SheetState, move: SheetMove) -> SheetState:
    """The state after a move, but for what counts moves. Raises `MoveError`."""
    match move:
        case Enter():
            return _entered(state, move)
        case Throw():
            return _thrown(state, move)
        case Turn():
            if state.seats[state.up] == move.seat:
                raise IllegalMove(SLUG, "has-the-turn", seat=move.seat)
            return replace(state, up=state.seats.index(move.seat))
        case Note():
            if move.line > state.round:
                raise IllegalMove(SLUG, "no-such-line", line=move.line)
            others = {line: text for line, text in state.notes.items() if line != move.line}
            return replace(state, notes=others | ({move.line: move.text} if move.text else {}))
        case Finish():
            if not any(state.filled):
                raise IllegalMove(SLUG, "nothing-entered")
            return replace(state, finished=True)


def _entered(state: SheetState, move: Enter) -> SheetState:
    """Points in a line, and the turn with whoever is next."""
    place = state.seats.index(move.seat)
    cells = list(state.cells[place])
    is_new = move.line > len(cells) or cells[move.line - 1] is None
    if is_new and move.line not in state.open_lines(place):
        waits = state.sheet.entries == "rounds" and not state.open_lines(place)
        raise IllegalMove(SLUG, "round-is-open" if waits else "no-such-line", seat=move.seat, line=move.line)
    cells[move.line - 1 : move.line] = [move.points]
    columns = (*state.cells[:place], tuple(cells), *state.cells[place + 1 :])
    after = replace(state, cells=columns)
    return replace(after, up=_next_up(state, after, place)) if is_new else after


def _next_up(before: SheetState, after: SheetState, place: int) -> int:
    """The player in turn after a new entry at `place`."""
    seats = len(after.seats)
    if after.sheet.entries == "rounds" and after.round > before.round:
        return (after.round - 1) % seats if after.sheet.starter == "moves" else 0
    if place != before.up:
        return before.up
    order = [(place + step) % seats for step in range(1, seats + 1)]
    return next(other for other in order if after.open_lines(other))


def _thrown(state: SheetState, move: Throw) -> SheetState:
    count = state.sheet.dice
    if not move.dice or len(move.dice) > MOST_DICE:
        raise InvalidMove(SLUG, "number-of-dice", dice=len(move.dice), most=MOST_DICE)
    if count and len(move.dice) > count:
        raise InvalidMove(SLUG, "number-of-dice", dice=len(move.dice), most=count)
    for value in move.dice:
        if value not in FACES:
            raise InvalidMove(SLUG, "die-faces", value=value)
    thrown = Thrown(state.moves + 1, state.round, move.seat, move.dice)
    return replace(state, throws=(*state.throws, thrown))


def _why_over(state: SheetState) -> str:
    """The reason why the match is over; empty while it goes on."""
    if state.finished:
        return "finished"
    sheet, filled = state.sheet, state.filled
    rounds = len(sheet.rows) or sheet.rounds
    if rounds and min(filled) == rounds:
        return "rounds"
    is_level = sheet.entries == "free" or len(set(filled)) == 1
    return "target" if is_level and any(map(sheet.reached, state.totals.values())) else ""


GAME = ScoreSheet()
