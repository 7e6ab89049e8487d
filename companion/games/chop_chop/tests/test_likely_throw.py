"""The throws at a table that plays by itself: each face of a side's die comes as often as any other."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest

from companion.games.chop_chop import GAME
from companion.games.chop_chop.state import ChopOptions, ThrowDie
from companion.games.chop_chop.tests.playing import kitchen

THROWS = 6000

FREE = """
C . . . . . .
. . . . . . .
. . . . . . .
. . 1 . . . .
. . . . . . .
. . . . . . .
"""


@pytest.mark.parametrize(
    ("dice", "side", "faces"),
    [
        pytest.param("chop", "mice", (1, 1, 2, 2, 3, 4), id="mice"),
        pytest.param("chop", "cat", (1, 1, 2, 2, 2, 3), id="cat"),
        pytest.param("plain", "mice", (1, 2, 3, 4, 5, 6), id="plain"),
    ],
)
def test_each_face_comes_a_sixth_of_the_time(dice: str, side: str, faces: tuple[int, ...]) -> None:
    state = kitchen(FREE, side=side, options=ChopOptions(dice=dice))
    random = Random(f"{dice} {side}")
    values: Counter[int] = Counter()
    for _ in range(THROWS):
        move = GAME.likely_move(state, random.randrange)
        assert isinstance(move, ThrowDie)
        values[move.dice[0]] += 1
    assert values.keys() == set(faces)
    for value, sides in Counter(faces).items():
        share = sides / 6
        spread = sqrt(THROWS * share * (1 - share))
        assert abs(values[value] - THROWS * share) < 4 * spread, f"{value} came {values[value]} times"
