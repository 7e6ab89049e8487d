"""The phones of the virtual table's people: they see the match, and their taps are moves like any others.

The journal marks their taps with `SOURCE`, and is kept apart from that of real games.
"""

from __future__ import annotations

import logging
from typing import Any

from companion.errors import MoveError
from companion.play.table import Table
from companion.simulator.people import Known

log = logging.getLogger(__name__)

SOURCE = "virtual"
"""The journal's source for taps of the virtual table's people."""


class VirtualPhone:
    """All phones of the people at a table together."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def look(self) -> Known:
        """How the match stands now."""
        with self._table.locked() as match:
            asked = self._table.sighting
            answers = tuple(guess.moves for guess in asked.guesses) if asked else ()
            question = asked.id if asked and asked.guesses else 0
            n, moves = match.n_of(None), len(match.moves)
            return Known(match.game, match.state, match.record.id, n, moves, question, answers)

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
        now = self.look()
        return (now.match, now.n, now.moves) != (known.match, known.n, known.moves)
