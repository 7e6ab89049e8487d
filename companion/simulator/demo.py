"""The virtual table as the pages' demo: its people play, leave, or wait while a person tries the set-up."""

from __future__ import annotations

import msgspec
import numpy as np

from companion.games.watching import Kind, Tile
from companion.simulator.acting import thrown
from companion.simulator.dice import Die
from companion.simulator.draw import Table
from companion.simulator.faults import Fault
from companion.simulator.layout import on_board
from companion.simulator.table import VirtualTable
from hardware.vision.board import teaching
from web.accuracy_port import Task
from web.demo_port import Put

DICE = 2
"""The dice of a throw in the accuracy test."""
FORGOTTEN = (2, 1)
"""The row and column of the tile that somebody forgot on the board."""


class VirtualDemo:
    """A virtual table behind the pages. It is their `Demo`."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self._followed: tuple[str, int] | None = None
        self._dice: tuple[Die, ...] = ()

    @property
    def plays(self) -> bool:
        """Whether virtual people play by themselves."""
        return self.table.plays

    def leave(self) -> None:
        """Let them leave for good."""
        self.table.leave()

    @property
    def rehearses(self) -> bool:
        """Whether a person tries the set-up."""
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
            tiles = teaching.teaching_places(board, owner, kinds)
        if what == "askew":
            last = tiles[-1]
            aside = msgspec.structs.replace(last, row=last.row + 1, col=last.col + 1)
            tiles = (*tiles[:-1], on_board(aside, board))
        self.table.rehearse(Table(tiles=tiles))

    def follow(self, task: Task | None) -> None:
        """Lay or throw what the accuracy test asks for; a hand does it once for each task."""
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
        """Every fault of the virtual camera, and whether it is switched on."""
        active = self.table.faults.now()
        return {str(fault): fault in active for fault in Fault}

    def set_fault(self, name: str, *, on: bool) -> None:
        """Switch a fault. Raises `CameraError` for an unknown name."""
        if on:
            self.table.faults.add(name)
        else:
            self.table.faults.discard(name)
