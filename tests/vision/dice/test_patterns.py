"""Patterns of pips held against faces that the test paints itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.arrays import Float32, Picture
from hardware.vision.dice import patterns, reader
from hardware.vision.dice.classifier import NONE, UNSURE, Verdict
from tests.vision.dice.faces import EDGE_PX, SIDE_PX, painted


def fits(picture: Picture, foreshortening: float = 1.0) -> Float32:
    return patterns.fits(picture, SIDE_PX / 2 - 0.5, SIDE_PX / 2 - 0.5, EDGE_PX, foreshortening)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("turn_deg", [0, 17, 44, 90, 130, 301])
def test_a_face_fits_its_own_value_best_however_it_is_turned(value: int, turn_deg: float) -> None:
    assert fits(painted(value, turn_deg=turn_deg)).argmax() + 1 == value


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize(
    "colours",
    [
        {"body": (200, 90, 90), "pip": (60, 122, 130)},
        {"body": (150, 60, 10), "stripes": (15, 15, 15), "pip": (40, 40, 220)},
        {"body": (235, 235, 235), "pip": (190, 200, 200)},
    ],
    ids=["brown on as bright a blue", "red on swirled blue and black", "pale"],
)
def test_hue_alone_swirls_and_little_contrast_do(
    value: int, colours: dict[str, tuple[int, int, int]]
) -> None:
    assert fits(painted(value, turn_deg=25, **colours)).argmax() + 1 == value  # type: ignore[arg-type]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_seen_from_aside_is_set_upright(value: int) -> None:
    assert fits(painted(value, foreshortening=0.6), 0.6).argmax() + 1 == value


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_seen_small_fits_still(value: int) -> None:
    small = cv2.resize(painted(value, turn_deg=20), None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    middle = small.shape[0] / 2 - 0.5
    assert patterns.fits(np.asarray(small, np.uint8), middle, middle, EDGE_PX / 5).argmax() + 1 == value


def test_a_plain_face_fits_nothing() -> None:
    plain = np.full((SIDE_PX, SIDE_PX, 3), 128, np.uint8)
    assert fits(plain) == pytest.approx(np.zeros(6), abs=1e-3)
    assert fits(painted(5)).max() > 1


def test_what_the_networks_leave_open_the_patterns_decide() -> None:
    chances = np.array([0.1, 0.15, 0.15, 0.15, 0.15, 0.1, 0.1, 0.1], np.float32)
    middle = SIDE_PX / 2 - 0.5
    face = Verdict(chances, "grey", middle, middle, EDGE_PX, EDGE_PX, EDGE_PX)
    moved = reader._with_patterns(painted(6), face, chances)
    assert moved.argmax() == 6
    assert moved[6] > 0.7
    assert (moved[NONE], moved[UNSURE]) == pytest.approx((0.1, 0.1))
    assert moved.sum() == pytest.approx(1)
