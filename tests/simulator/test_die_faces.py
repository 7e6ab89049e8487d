"""The dice of the virtual table are real dice: opposite faces add up to 7, and all are wound one way."""

from __future__ import annotations

import numpy as np
import pytest

from companion.simulator.dice import PIPS, SIDE_FACES

AXES = {1: (1, 0, 0), 6: (-1, 0, 0), 2: (0, 1, 0), 5: (0, -1, 0), 3: (0, 0, 1), 4: (0, 0, -1)}
"""Where the faces of one die point to."""


@pytest.mark.parametrize("top", range(1, 7))
def test_around_the_top_lie_the_four_other_faces(top: int) -> None:
    sides = SIDE_FACES[top]
    assert sorted((top, 7 - top, *sides)) == [1, 2, 3, 4, 5, 6]
    assert (sides[0] + sides[2], sides[1] + sides[3]) == (7, 7)


def test_whatever_lies_on_top_it_is_the_same_die() -> None:
    winding = {
        round(np.linalg.det(np.array([AXES[top], AXES[sides[0]], AXES[sides[1]]])))
        for top, sides in SIDE_FACES.items()
    }
    assert len(winding) == 1


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_has_as_many_pips_as_its_value_says(value: int) -> None:
    pips = PIPS[value]
    assert len(set(pips)) == value
    # Turned by half a turn it looks the same.
    assert {(round(1 - x, 6), round(1 - y, 6)) for x, y in pips} == set(pips)
