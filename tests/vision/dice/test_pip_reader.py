"""The look that counts pips, at faces that the test paints: small, glazed, with red pips on dark colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.arrays import Picture
from hardware.vision.dice.pip_reader import CHANNELS, PipReader, three_ways
from hardware.vision.dice.reader import WEIGHTS
from tests.vision.dice.faces import EDGE_PX, SIDE_PX, painted

SMALL_EDGE_PX = 22
"""The edge of a face in a photograph of many dice."""
RED, BLUE, DARK_BLUE = (60, 40, 190), (150, 80, 20), (60, 30, 15)
"""The BGR of the pips and of the two colours of a swirled die."""


@pytest.fixture(scope="module")
def pip_reader() -> PipReader:
    """The close reader as it is shipped."""
    return PipReader(WEIGHTS / "pip_reader.onnx")


def small(picture: Picture) -> Picture:
    """The picture, shrunk until a face's edge has `SMALL_EDGE_PX`."""
    scale = SMALL_EDGE_PX / EDGE_PX
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("stripes", [None, DARK_BLUE], ids=["plain", "swirled"])
def test_small_red_pips_on_blue_are_counted(
    pip_reader: PipReader, value: int, stripes: tuple[int, int, int] | None
) -> None:
    picture = small(painted(value, body=BLUE, pip=RED, stripes=stripes, turn_deg=10))
    middle = SIDE_PX / 2 * SMALL_EDGE_PX / EDGE_PX
    chances = pip_reader.count_pips(picture, middle, middle, SMALL_EDGE_PX).chances
    # Whether a flat face without sides is a die at all is not asked here.
    assert chances[1:7].argmax() + 1 == value


def test_a_faint_difference_of_hue_is_as_large_as_a_strong_one_of_brightness() -> None:
    """A third of the face is brighter; a dot of it is a little redder."""
    cut = np.full((56, 56, 3), 120, np.uint8)
    cut[:, 30:] = 60
    cut[24:32, 18:26, 2] += 8
    ways = three_ways(cut)
    assert ways.shape == (CHANNELS, 56, 56)
    evened_out, own_scale = ways[1], ways[7]
    assert np.ptp(own_scale) > 5 * np.ptp(evened_out)
    dot = np.abs(own_scale - np.median(own_scale)) > np.ptp(own_scale) / 2
    assert dot[26:30, 20:24].all()
    assert not dot[:20].any()
