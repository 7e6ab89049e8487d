"""When something is read: after half a second without motion, until two readings agree, then not again."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.vision.motion import Stillness

FEW, MANY = Observation(why="few"), Observation(why="many")


def equal(one: Observation, two: Observation) -> bool:
    """Whether two readings agree."""
    return one == two


def scene(at: int = 0, gain: float = 1.0, noise: int = 0) -> Picture:
    """A gray picture with a light square at one of some places."""
    picture = np.full((90, 120, 3), 80.0)
    picture[30:60, 20 + 10 * at : 50 + 10 * at] = 160
    picture = gain * picture + np.random.default_rng(noise).normal(0, 2, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def waits(stillness: Stillness, *shots: tuple[float, Picture]) -> list[bool]:
    """Whether each of these pictures is waited out."""
    return [stillness.waits(picture, at_s) for at_s, picture in shots]


def test_half_a_second_without_motion_is_rest() -> None:
    shots = [(0.1 * n, scene(noise=n)) for n in range(8)]
    assert waits(Stillness((12, 9), 3), *shots) == [True] * 5 + [False] * 3


def test_motion_begins_the_wait_again() -> None:
    shots = [(0.25 * n, scene(at=n // 4, noise=n)) for n in range(8)]
    assert waits(Stillness((12, 9), 3), *shots) == [True, True, False, False] * 2


def test_a_lamp_that_brightens_all_alike_is_no_motion() -> None:
    flat = np.full((90, 120, 3), 80, dtype=np.uint8)
    assert waits(Stillness((12, 9), 3), (0.0, flat), (1.0, flat + 40), (2.0, flat)) == [True, False, False]


def test_two_readings_that_agree_settle_it() -> None:
    stillness = Stillness((12, 9), 4)
    assert waits(stillness, (0.0, scene()), (1.0, scene())) == [True, False]
    assert not stillness.begun
    assert stillness.settle(FEW, equal) is None
    assert stillness.begun
    assert stillness.settle(FEW, equal) == (FEW, True)
    assert stillness.waits(scene(), 2.0)


@pytest.mark.parametrize("most", [2, 3, 4])
def test_readings_that_never_agree_end_with_the_last(most: int) -> None:
    stillness = Stillness((12, 9), most)
    readings = [FEW, MANY] * 2
    settled = [stillness.settle(reading, equal) for reading in readings[:most]]
    assert settled == [None] * (most - 1) + [(readings[most - 1], False)]


def test_only_readings_in_a_row_agree() -> None:
    stillness = Stillness((12, 9), 9)
    assert [stillness.settle(reading, equal) for reading in (FEW, MANY, FEW)] == [None] * 3
    assert stillness.settle(FEW, equal) == (FEW, True)


def test_after_motion_it_is_read_again() -> None:
    stillness = Stillness((12, 9), 3)
    waits(stillness, (0.0, scene()), (1.0, scene()))
    stillness.settle(FEW, equal)
    stillness.settle(FEW, equal)
    assert waits(stillness, (1.2, scene(at=3)), (1.8, scene(at=3))) == [True, False]
    assert not stillness.begun
    assert stillness.settle(FEW, equal) is None
