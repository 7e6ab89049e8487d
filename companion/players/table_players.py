"""The table as a player: it plays seats, gives hints, and plays in the matches that it deals.

A move is chosen in a process of its own, which ends with the turn. Where a camera watches a real table, the
move is shown, and a person lays it. Elsewhere the table plays it like any other move, with its own dice. In a
dealt match, the dealer says what a move turns out to be. Players are given only what their seats know.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import msgspec

from companion.errors import CompanionError, IllegalMove, InvalidMove
from companion.games.chance import KEY_BYTES, Chance
from companion.games.players import Choice, level_now, levels_of, player_of
from companion.games.registry import hides
from companion.kept_state import KeptState
from companion.play.dealt import ANSWER_S, Dealt
from companion.play.snapshot import MatchSnapshot
from companion.play.table import NewsThread, Table, TableSnapshot
from companion.players import worker
from companion.players.worker import Choose

log = logging.getLogger(__name__)

SOURCE = "opponent"
"""The journal's source for the table's own moves."""

LOOK_S = 0.1
"""Seconds between two looks at a thinking process and its turn."""

LONGEST_S = 30.0
"""The seconds after which a thinking process is given up."""

AGAIN_S = 2.0
"""Seconds before the next attempt at a failed move in a dealt match."""

SEEDS = 1 << 31


class OpponentNow(msgspec.Struct, frozen=True):
    """The table's seats: the one in turn, else the first, and its level; `seats` are all.

    `move` is the move for a person to make on the table; None while it thinks, out of turn, and where it
    plays by itself.
    """

    seat: str
    level: str
    thinks: bool = False
    move: Any = None
    seats: tuple[str, ...] = ()


class Playing(msgspec.Struct, frozen=True):
    """The table's seat in every match of this game, until changed; `others` are further seats of it."""

    game: str
    seat: str
    level: str
    others: dict[str, str] = {}

    @property
    def levels(self) -> dict[str, str]:
        """The level at each seat."""
        noted = {self.seat: self.level, **self.others}
        return {seat: level_now(self.game, level) for seat, level in noted.items()}


class KeptSeat(msgspec.Struct, frozen=True):
    """State kept across restarts: the table's seat, and the match without hints.

    `hints_off_by` is the seat that switched them off; None for somebody without a seat.
    """

    playing: Playing | None = None
    without_hints: int | None = None
    hints_off_by: str | None = None


class _Window(msgspec.Struct):
    """The time to answer the last open move, `of` (match, number); `asked` are the table's seats asked."""

    of: tuple[int, int]
    ends_s: float
    asked: set[str]


class TablePlayers:
    """Plays seats of the table, in a thread that looks at all news.

    `lays` is asked before each move, and is true if the table makes its moves itself. `kept` is the small
    file that keeps its seat across restarts, or None. `answer_s`: seconds to answer a move in a dealt match.
    """

    def __init__(
        self,
        table: Table,
        lays: Callable[[], bool],
        kept: Path | None = None,
        *,
        answer_s: float = ANSWER_S,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._table, self._lays = table, lays
        self._answer_s, self._clock = answer_s, clock
        self._file = KeptState(kept, KeptSeat)
        self._kept = self._file.load() or KeptSeat()
        self._now: OpponentNow | None = None
        self._shown_for: Any = None
        self._window = _Window((0, 0), 0.0, set())
        self._thinking = Lock()
        self._thread = NewsThread(table, self._look, name="players")

    def start(self) -> None:
        """Play in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._thread.stop(worker.A_MOVE_S)

    def levels(self) -> tuple[str, ...]:
        """Levels for the game on the table; empty where hands are secret."""
        game = self._table.snapshot.match.game
        return () if hides(game) else levels_of(game.slug)

    def can_hint(self) -> bool:
        """True if it can give hints in the game on the table."""
        return bool(levels_of(self._table.snapshot.match.game.slug))

    def status(self) -> OpponentNow | None:
        """The table's seat; None without one in this match."""
        levels = self.playing()
        if not levels:
            return None
        seat = next(iter(levels))
        return self._now or OpponentNow(seat, levels[seat], seats=tuple(levels))

    def playing(self) -> dict[str, str]:
        """The level at each of the table's seats in this match."""
        playing, match = self._kept.playing, self._table.snapshot.match
        if playing is None or playing.game != match.game.slug:
            return {}
        return {seat: level for seat, level in playing.levels.items() if seat in match.seat_names}

    def sit_down(self, seat: str, level: str) -> None:
        """Play this seat, too. Raises `InvalidMove`, or `IllegalMove` for a taken seat."""
        match = self._table.snapshot.match
        slug = match.game.slug
        if seat not in match.seat_names:
            raise InvalidMove(slug, "no-such-seat", seat=seat)
        if level not in self.levels():
            raise InvalidMove(slug, "no-such-level", level=level)
        if seat in self._table.seats.at(match.record.id).taken:
            raise IllegalMove(slug, "seat-taken", seat=seat)
        self._now = None
        playing = _playing(slug, {**self.playing(), seat: level})
        self._keep(msgspec.structs.replace(self._kept, playing=playing))

    def stand_up(self, seat: str | None = None) -> None:
        """Give up this seat, or all."""
        left = (
            {} if seat is None else {other: level for other, level in self.playing().items() if other != seat}
        )
        self._now = None
        playing = _playing(self._table.snapshot.match.game.slug, left)
        self._keep(msgspec.structs.replace(self._kept, playing=playing))

    def hints(self) -> bool:
        """True if this match has hints."""
        return self._kept.without_hints != self._table.snapshot.match.record.id

    def let_hint(self, seat: str | None, *, on: bool) -> None:
        """Switch hints on or off in this match, for `seat`.

        Raises `IllegalMove` where another player, who still sits there, has switched them off.
        """
        match, by = self._table.snapshot.match, self._kept.hints_off_by
        if (
            not self.hints()
            and by is not None
            and by != seat
            and by in self._table.seats.at(match.record.id).taken
        ):
            if not on:
                return
            raise IllegalMove(match.game.slug, "hints-off-by", seat=by)
        without, off_by = (None, None) if on else (match.record.id, seat)
        self._keep(msgspec.structs.replace(self._kept, without_hints=without, hints_off_by=off_by))

    def shows_for(self) -> str | None:
        """The seat whose move is shown for a person to make, if any."""
        opponent = self.status()
        return opponent.seat if opponent is not None and opponent.move is not None else None

    def _keep(self, kept: KeptSeat) -> None:
        self._kept = kept
        self._file.save(kept)
        self._table.notify()

    def hint(self, seat: str | None) -> Choice:
        """The best level's move for a seat: the one in turn, or any while all act. Raises `IllegalMove`."""
        match = self._table.snapshot.match
        slug, levels = match.game.slug, levels_of(match.game.slug)
        # A seat without a phone has no secrets from the table, unless the game has any.
        asker = seat if hides(match.game) else seat or match.game.turn(match.state)
        if not self.hints():
            raise IllegalMove(slug, "hints-off")
        acts = match.outcome is None and match.game.turn(match.state) in (None, asker)
        if not levels or asker is None or not acts:
            raise IllegalMove(slug, "no-hint-now")
        choice = self._choice(match, asker, levels[-1], is_hint=True)
        if choice is None or choice.move is None:
            raise IllegalMove(slug, "no-hint-now")
        return choice

    def _look(self, snapshot: TableSnapshot) -> float:
        try:
            return self.step(snapshot)
        except CompanionError as error:
            # Somebody else moved meanwhile, or the disk is full.
            log.info("The table's own move was not played: %s", error)
            return LONGEST_S if snapshot.dealt is None else AGAIN_S

    def step(self, snapshot: TableSnapshot) -> float:
        """Do what is due. Returns the seconds until the next step without news."""
        if snapshot.match.outcome is not None:
            return LONGEST_S
        if snapshot.dealt is not None:
            return self._step_dealt(snapshot.match, snapshot.dealt)
        self._act(snapshot.match)
        return LONGEST_S

    def _act(self, match: MatchSnapshot) -> None:
        playing, levels = self._kept.playing, self.playing()
        seat = match.game.turn(match.state) or ""
        if seat not in levels:
            self._show(None)
            return
        level, seats = levels[seat], tuple(levels)
        if self._now is not None and self._now.move is not None and self._shown_for is match.state:
            return
        # The machine's own dice; None where a player chooses.
        dealer = player_of(match.game.slug).dealer()
        dealer.begin(match.state, Chance(secrets.token_bytes(KEY_BYTES)))
        move = dealer.chance(match.state)
        if move is not None and not self._lays():
            return  # the dice on the table decide
        if move is None and next(iter(match.game.legal_moves(match.state)), None) is not None:
            self._show(OpponentNow(seat, level, thinks=True, seats=seats))
            choice = self._choice(match, seat, level)
            move = None if choice is None else choice.move
        if move is None or self._kept.playing != playing or not self._is_current(match):
            self._show(None)
            return
        if self._lays():
            self._show(None)
            self._play(match, move, seat)
        else:
            self._shown_for = match.state
            self._show(OpponentNow(seat, level, move=msgspec.to_builtins(move), seats=seats))

    def _show(self, opponent: OpponentNow | None) -> None:
        if opponent != self._now:
            self._now = opponent
            self._table.notify()

    def _choice(self, match: MatchSnapshot, seat: str, level: str, *, is_hint: bool = False) -> Choice | None:
        """A process's choice; None if the turn was over before. One thinks at a time."""
        known = msgspec.json.encode(match.game.hide(match.state, seat))
        limit_s = worker.A_HINT_S if is_hint else worker.A_MOVE_S
        seed = secrets.randbelow(SEEDS)
        task = Choose(match.game.slug, msgspec.Raw(known), seat, level, seed, limit_s, is_hint=is_hint)
        with self._thinking:
            return chosen(task, lambda: self._thread.pause(LOOK_S) and self._is_current(match))

    def _step_dealt(self, match: MatchSnapshot, dealt: Dealt) -> float:
        if dealt.waits:
            return self._answer(match, dealt)
        if self._table.deals.due(match):
            self._table.continue_dealing(match)
            return 0.0
        seat = self._table.deals.acting(match)
        if seat in dealt.players:
            choice = self._dealt_choice(match, seat, dealt.players[seat])
            if choice is not None and choice.move is not None:
                self._play(match, choice.move, seat)
            elif choice is not None and dealt.in_secret == seat:
                self._table.continue_dealing(match, passes=seat)
        return LONGEST_S

    def waited_s(self, match: MatchSnapshot) -> float:
        """Seconds that are over of the time to answer the last move of a dealt match."""
        window = self._window
        return max(0.0, self._clock() + self._answer_s - window.ends_s) if window.of == _last(match) else 0.0

    def _answer(self, match: MatchSnapshot, dealt: Dealt) -> float:
        """Ask one of the table's seats for an answer to the last move; once time is up, deal on."""
        of = _last(match)
        if self._window.of != of:
            self._window = _Window(of, self._clock() + self._answer_s, set())
        left_s = self._window.ends_s - self._clock()
        if left_s <= 0:
            self._table.continue_dealing(match, close=True)
            return 0.0
        players, asked = dealt.players, self._window.asked
        answerers = (seat for seat in self._table.deals.answerers(match) if seat in players)
        seat = next((seat for seat in answerers if seat not in asked), None)
        if seat is None:
            return left_s
        choice = self._dealt_choice(match, seat, players[seat], answers=True)
        asked.add(seat)
        if choice is not None and choice.move is not None:
            self._play(match, choice.move, seat)
        return 0.0

    def _play(self, match: MatchSnapshot, move: Any, seat: str) -> None:
        self._table.play(msgspec.to_builtins(move), SOURCE, n=match.n_of(seat), seat=seat)

    def _dealt_choice(
        self, match: MatchSnapshot, seat: str, level: str, *, answers: bool = False
    ) -> Choice | None:
        """A process's choice; None if somebody moved before, or the time to answer is over."""
        known = msgspec.Raw(msgspec.json.encode(self._table.deals.seen_by(match, seat)))
        task = Choose(match.game.slug, known, seat, level, secrets.randbelow(SEEDS), answers=answers)

        def goes_on() -> bool:
            # A card that comes late would tell that somebody could stop the last one.
            is_late = answers and self._clock() >= self._window.ends_s
            return self._thread.pause(LOOK_S) and self._is_current(match) and not is_late

        return chosen(task, goes_on)

    def _is_current(self, match: MatchSnapshot) -> bool:
        return self._table.snapshot.match.state is match.state and not self._thread.stopping


def _last(match: MatchSnapshot) -> tuple[int, int]:
    """A match, and the number of its last open move."""
    return match.record.id, len(match.seen(None))


def _playing(slug: str, levels: dict[str, str]) -> Playing | None:
    """The seats as they are kept; None without one."""
    (seat, level), *others = levels.items() or [("", "")]
    return Playing(slug, seat, level, dict(others)) if seat else None


def chosen(task: Choose, goes_on: Callable[[], bool]) -> Choice | None:
    """A process's choice; None once `goes_on` is false (it waits a little) or time is up."""
    process = worker.begin(task)
    for _ in range(round(LONGEST_S / LOOK_S)):
        if not goes_on() or process.poll() is not None:
            break
    if process.poll() is None:
        process.kill()
    return worker.choice_of(process, task.game)
