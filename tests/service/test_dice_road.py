"""Dice thrown on the virtual table become moves of Cat and Mouse: the whole road, nothing stood in for."""

from __future__ import annotations

from companion.play.journal import Journal
from companion.play.table import Table
from tests.thrown import watched

THROWS = 8
"""How many throws are watched."""
PICTURES = 400
"""More pictures than these throws take."""


def test_each_throw_is_read_once_and_played(journal: Journal) -> None:
    table = Table.open(journal, "cat-and-mouse")
    truly = watched(table, "game=cat-and-mouse&seed=5", PICTURES, more_than=THROWS)
    played = [sorted(move.dice) for move in table.match.moves if hasattr(move, "dice")]
    asked = table.snapshot.view().sighting
    assert len(truly) > THROWS
    assert played == truly[: len(played)]
    assert len(played) >= THROWS or asked is not None
