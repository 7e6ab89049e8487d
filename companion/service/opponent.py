"""The table as an opponent: it plays a seat, and gives hints.

A move is chosen in a process of its own, which is ended when the turn is over. Where a camera watches a real
table, the move is shown, and a person lays it. Elsewhere the table plays it itself, with its own dice, on the
road of every other move.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from companion import files, paths
from companion.errors import IllegalMove, InvalidMove, MoveError
from companion.games.choosing import Choice, Dealer, Lots, dealer_of, levels_of
from companion.games.registry import AnyGame, hides
from companion.opponents import think
from companion.play.news_thread import NewsThread
from companion.play.reading import JournalError
from companion.play.table import Table, TableSnapshot
from web.opponent_port import OpponentNow

log = logging.getLogger(__name__)

SOURCE = "opponent"
"""The journal's source for a move that the table plays by itself."""

LOOK_S = 0.1
"""The seconds between two looks at a process that thinks, and at the turn that it thinks about."""

LONGEST_S = 30.0
"""The seconds after which a process that thinks is given up; a slow board takes a few to start it."""

SEEDS = 1 << 31
"""The seeds that may be drawn for a choice."""


class Playing(msgspec.Struct, frozen=True):
    """The seat that the table plays: in every match of this game, until it is told otherwise."""

    game: str
    seat: str
    level: str


class Kept(msgspec.Struct, frozen=True):
    """What a restart does not change: the seat that the table plays, and the match without hints.

    `hints_off_by` is the seat that switched them off; None for somebody without a seat.
    """

    playing: Playing | None = None
    without_hints: int | None = None
    hints_off_by: str | None = None


class TableOpponent:
    """Plays a seat of the table. `lays` says whether it makes its moves itself, asked before each.

    `kept` is the small file that keeps its seat across restarts, or None.
    """

    def __init__(self, table: Table, lays: Callable[[], bool], kept: Path | None = None) -> None:
        self._table, self._lays, self._file = table, lays, kept
        self._kept = _read(kept)
        self._now: OpponentNow | None = None
        self._shown_for: Any = None
        self._thinking = Lock()
        self._thread = NewsThread(table, self._look, name="opponent")

    def start(self) -> None:
        """Play from now on, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Play no more."""
        self._thread.stop(think.A_MOVE_S)

    def levels(self) -> tuple[str, ...]:
        """The levels at which it can play the game on the table; none where hands are secret."""
        game = self._table.snapshot.match.game
        return () if hides(game) else levels_of(game.slug)

    def can_hint(self) -> bool:
        """Whether it can say what to do in the game on the table."""
        return bool(levels_of(self._table.snapshot.match.game.slug))

    def now(self) -> OpponentNow | None:
        """The seat that it plays; None if it plays none in this match."""
        playing, match = self._kept.playing, self._table.snapshot.match
        if playing is None or playing.game != match.game.slug or playing.seat not in match.seat_names:
            return None
        return self._now or OpponentNow(playing.seat, playing.level)

    def sit_down(self, seat: str, level: str) -> None:
        """Play this seat from now on. Raises `InvalidMove`, or `IllegalMove` for a seat that is taken."""
        match = self._table.snapshot.match
        slug = match.game.slug
        if seat not in match.seat_names:
            raise InvalidMove(slug, "no-such-seat", seat=seat)
        if level not in self.levels():
            raise InvalidMove(slug, "no-such-level", level=level)
        if seat in self._table.seating.taken:
            raise IllegalMove(slug, "seat-taken", seat=seat)
        self._now = None
        self._keep(msgspec.structs.replace(self._kept, playing=Playing(slug, seat, level)))

    def stand_up(self) -> None:
        """Play no seat any more."""
        self._now = None
        self._keep(msgspec.structs.replace(self._kept, playing=None))

    def hints(self) -> bool:
        """Whether hints are given in this match."""
        return self._kept.without_hints != self._table.snapshot.match.record.id

    def let_hint(self, seat: str | None, *, on: bool) -> None:
        """Give hints in this match, or none, as `seat` asks.

        Raises `IllegalMove` where another player, who still sits there, has switched them off.
        """
        match, by = self._table.snapshot.match, self._kept.hints_off_by
        if not self.hints() and by is not None and by != seat and by in self._table.seating.taken:
            if not on:
                return
            raise IllegalMove(match.game.slug, "hints-off-by", seat=by)
        without, off_by = (None, None) if on else (match.record.id, seat)
        self._keep(msgspec.structs.replace(self._kept, without_hints=without, hints_off_by=off_by))

    def shows_for(self) -> str | None:
        """The seat for which a move is shown now, for a person to make it; None for none."""
        now = self.now()
        return now.seat if now is not None and now.move is not None else None

    def _keep(self, kept: Kept) -> None:
        """Remember this, also across a restart where the disk allows."""
        self._kept = kept
        if self._file is not None:
            try:
                files.write_sealed(self._file, kept)
            except OSError as error:
                log.warning("The table's own seat cannot be kept in %s (%s).", self._file, error)
        self._table.notify()

    def hint(self, seat: str | None) -> Choice:
        """What the best level would play for a seat: the one in turn, or any while all act.

        Raises `IllegalMove`.
        """
        snapshot = self._table.snapshot
        match = snapshot.match
        slug, levels = match.game.slug, levels_of(match.game.slug)
        # A seat without a phone has no secrets from the table, unless the game has any.
        asker = seat if hides(match.game) else seat or match.game.turn(match.state)
        if not self.hints():
            raise IllegalMove(slug, "hints-off")
        if not levels or asker is None or match.game.turn(match.state) not in (None, asker):
            raise IllegalMove(slug, "no-hint-now")
        choice = self._choice(snapshot, asker, levels[-1])
        if choice is None or choice.move is None:
            raise IllegalMove(slug, "no-hint-now")
        return choice

    def _look(self, snapshot: TableSnapshot) -> float:
        try:
            self._act(snapshot)
        except (MoveError, JournalError) as error:
            # Somebody else moved meanwhile, or the disk is full: the next change is looked at again.
            log.info("The table's own move was not played: %s", error)
        return LONGEST_S

    def _act(self, snapshot: TableSnapshot) -> None:
        """Do what is to be done now: throw, think, play or show a move."""
        playing = self._kept.playing
        if playing is None or self.now() is None or snapshot.match.outcome is not None:
            return
        match = snapshot.match
        if match.game.turn(match.state) != playing.seat:
            self._show(None)
            return
        if self._now is not None and self._now.move is not None and self._still(snapshot):
            return
        move = _chance(match.game, match.state)
        if move is not None and not self._lays():
            return  # the dice on the table decide
        if move is None and next(iter(match.game.legal_moves(match.state)), None) is not None:
            self._show(OpponentNow(playing.seat, playing.level, thinks=True))
            choice = self._choice(snapshot, playing.seat, playing.level)
            move = None if choice is None else choice.move
        if move is None or self._kept.playing != playing or not self._is_current(snapshot):
            self._show(None)
            return
        if self._lays():
            self._show(None)
            self._table.play(msgspec.to_builtins(move), SOURCE, n=match.n_of(playing.seat), seat=playing.seat)
        else:
            self._shown_for = match.state
            self._show(OpponentNow(playing.seat, playing.level, move=msgspec.to_builtins(move)))

    def _still(self, snapshot: TableSnapshot) -> bool:
        """Whether the move that is shown was chosen for this state."""
        return self._shown_for is snapshot.match.state

    def _is_current(self, snapshot: TableSnapshot) -> bool:
        return self._table.snapshot.match.state is snapshot.match.state and not self._thread.stopping

    def _show(self, now: OpponentNow | None) -> None:
        if now != self._now:
            self._now = now
            self._table.notify()

    def _choice(self, snapshot: TableSnapshot, seat: str, level: str) -> Choice | None:
        """What a process chooses; None if the turn was over before. One thinks at a time."""
        game = snapshot.match.game
        known = msgspec.json.encode(game.hide(snapshot.match.state, seat))
        task = think.Task(game.slug, msgspec.Raw(known), seat, level, secrets.randbelow(SEEDS))
        with self._thinking:
            return chosen(task, lambda: self._thread.pause(LOOK_S) and self._is_current(snapshot))


def chosen(task: think.Task, goes_on: Callable[[], bool]) -> Choice | None:
    """What a process chooses, while `goes_on` says so, asked again and again; it waits between. Else None."""
    process = think.begin(task)
    for _ in range(round(LONGEST_S / LOOK_S)):
        if not goes_on() or process.poll() is not None:
            break
    if process.poll() is None:
        process.kill()
    return think.answer_of(process, task.game)


def _read(path: Path | None) -> Kept:
    """What is kept; nothing where that cannot be read."""
    try:
        return (None if path is None else paths.read_kept(path, Kept)) or Kept()
    except OSError as error:
        log.warning("The table's own seat of before is left aside (%s: %s).", path, error)
        return Kept()


def _chance(game: AnyGame, state: Any) -> Any:
    """What the machine's own dice say now, such as a throw; None where a player chooses."""
    dealer: Dealer = dealer_of(game.slug)
    dealer.begin(state, Lots(secrets.randbelow(SEEDS)))
    return dealer.chance(state)
