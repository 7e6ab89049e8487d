"""The virtual table behind the companion: its people's phones, and its controls for the pages.

The phones see the match, and their taps are moves like any others. The journal marks them with `SOURCE`, and
is kept apart from that of real games.
"""

from __future__ import annotations

import logging
from typing import Any, Literal

import msgspec
import numpy as np

from companion.errors import MoveError
from companion.games.watching import Kind, Tile
from companion.play.table import Table as MatchTable
from companion.service.accuracy import Task
from companion.simulator.acting import thrown
from companion.simulator.dice import Die
from companion.simulator.draw import Table
from companion.simulator.faults import Fault
from companion.simulator.people import Known
from companion.simulator.table import VirtualTable
from companion.simulator.table_scene import on_board
from hardware.vision.board.scene import teaching_places

log = logging.getLogger(__name__)

SOURCE = "virtual"

Put = Literal["nothing", "lesson", "askew", "tile"]
"""Things to put on the table: nothing, a lesson's tiles, those with one askew, a forgotten tile."""

DICE = 2
FORGOTTEN = (2, 1)


class VirtualPhone:
    """All phones of the people at a table."""

    def __init__(self, table: MatchTable) -> None:
        self._table = table

    def shown(self) -> Known:
        """The match on the table now."""
        with self._table.locked() as match:
            asked = self._table.snapshot.sighting
            answers = tuple(guess.moves for guess in asked.guesses) if asked else ()
            question = asked.id if asked and asked.guesses else 0
            n, moves = match.n_of(None), len(match.moves)
            stopped = match.snapshot.history.stopped
            return Known(match.game, match.state, match.record.id, n, moves, question, answers, stopped)

    def tap(self, known: Known, move: Any) -> None:
        """Tap a move, unless the match has changed since."""
        with self._table.locked() as match:
            if self._is_old(known) or self._table.snapshot.dealt is not None:
                return  # the cards that the table deals are on the players' own phones
            seat = match.game.private_to(move)
            try:
                self._table.play(move, SOURCE, seat=seat)
            except MoveError as error:
                log.warning("The virtual table's people were refused: %s", error)

    def answer(self, known: Known, number: int) -> None:
        """Choose one of the answers, unless the question is gone."""
        try:
            self._table.answer(known.question, number, SOURCE)
        except MoveError as error:
            log.info("The virtual table's people answered too late: %s", error)

    def undo(self, known: Known) -> None:
        """Take back the last move, unless the match has changed since."""
        with self._table.locked():
            if not self._is_old(known):
                self._table.undo(SOURCE)

    def did(self, move: Any) -> None:
        """Do nothing, because the camera reads the move."""

    def set_up(self) -> None:
        """Do nothing, because the camera sees the empty board, and the next match begins."""

    def _is_old(self, known: Known) -> bool:
        shown = self.shown()
        return (shown.match, shown.n, shown.moves) != (known.match, known.n, known.moves)


class VirtualDemo:
    """A virtual table behind the pages."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self._followed: tuple[str, int] | None = None
        self._dice: tuple[Die, ...] = ()

    @property
    def plays(self) -> bool:
        """True while virtual people play by themselves."""
        return self.table.plays

    def leave(self) -> None:
        """Let them leave for good."""
        self.table.leave()

    @property
    def rehearses(self) -> bool:
        """True while a person tries the set-up."""
        return self.table.rehearses

    def begin_rehearsal(self) -> None:
        """Clear the table for a person who tries the set-up."""
        self.table.rehearse(Table(), hands=False)

    def end_rehearsal(self) -> None:
        """Switch all faults off, and let the people go on."""
        self.table.faults.clear()
        self.table.end_rehearsal()

    def put(self, what: Put, owner: str, kinds: tuple[Kind, ...]) -> None:
        """Put this on the table. Raises `SceneError` for tiles that do not fit on the board."""
        board = self.table.scene
        tiles: tuple[Tile, ...] = ()
        if what == "tile":
            kind = next(iter(board.shapes))
            tiles = (on_board(Tile(board.owners[0], kind, 0, *FORGOTTEN), board),)
        elif what != "nothing":
            tiles = teaching_places(board, owner, kinds)
        if what == "askew":
            last = tiles[-1]
            aside = msgspec.structs.replace(last, row=last.row + 1, col=last.col + 1)
            tiles = (*tiles[:-1], on_board(aside, board))
        self.table.rehearse(Table(tiles=tiles))

    def follow(self, task: Task | None) -> None:
        """Lay or throw what the accuracy test asks for, once for each task."""
        asked = None if task is None else (task.kind, task.number)
        if asked == self._followed:
            return
        self._followed = asked
        if task is None:
            self.end_rehearsal()
            return
        board, lying = self.table.scene, tuple(on_board(tile, self.table.scene) for tile in task.lying)
        tiles = lying if task.tile is None else (*lying, on_board(task.tile, board))
        if task.kind == "throw":
            values = [int(value) for value in np.random.default_rng(task.number).integers(1, 7, DICE)]
            self._dice = thrown(values, board, lying=self._dice)
        self.table.rehearse(Table(tiles=tiles, dice=self._dice))

    def fault_names(self) -> dict[str, bool]:
        """Every fault of the virtual camera; true for those that are on."""
        active = self.table.faults.active()
        return {str(fault): fault in active for fault in Fault}

    def set_fault(self, name: str, *, on: bool) -> None:
        """Switch a fault. Raises `CameraError` for an unknown name."""
        if on:
            self.table.faults.add(name)
        else:
            self.table.faults.discard(name)
