"""Outcomes of a stranger's photo: what is wrong and not said is silently wrong."""

from __future__ import annotations

import pytest

from companion.games.watching import Observation, Tile
from hardware.vision.board.photos import PhotosReading
from lab.stranger import outcome

ONE = Tile("", 1, 0, 0, 0, ((0, 0), (1, 0)))
OTHER = Tile("", 7, 0, 0, 0, ((0, 0), (1, 0), (1, 1)))


@pytest.mark.parametrize(
    ("read", "doubtful", "why", "expected"),
    [
        ((ONE,), (), "", "exact, nothing asked"),
        ((ONE,), (0,), "not-told-apart", "exact, asked"),
        ((OTHER,), (0,), "not-told-apart", "wrong, asked"),
        ((), (), "unexplained", "wrong, asked"),
        ((OTHER,), (), "not-told-apart", "silently wrong"),
    ],
)
def test_the_outcome(read: tuple[Tile, ...], doubtful: tuple[int, ...], why: str, expected: str) -> None:
    reading = PhotosReading(Observation(unsure=bool(why), why=why, tiles=read), doubtful, ())
    assert outcome(reading, (ONE,)) == expected
