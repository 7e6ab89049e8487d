"""A photo of a screen shows a rainbow that no table has."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.arrays import Picture
from hardware.vision.screen import is_of_a_screen, rainbow_share
from tests.commands.conftest import GAME
from tests.vision.drawn import picture
from tests.vision.screened import Panel, Shot, screened

MONITOR = Panel(960, 600)
SHOT = Shot(width=1600, height=1200, fill=1.1, long_side=1600)


@pytest.fixture(scope="module")
def bed() -> Picture:
    """A finished bed."""
    return picture(GAME)


def swinging(turns: tuple[float, float, float], period_px: float = 14.0) -> Picture:
    """Slanting stripes on gray, in which each of blue, green and red is so many turns late."""
    y, x = np.mgrid[0:600, 0:800]
    waves = [np.cos(2 * np.pi * ((x + 0.4 * y) / period_px - late)) for late in turns]
    return np.rint(128 + 12 * np.stack(waves, -1)).astype(np.uint8)


@pytest.mark.parametrize(
    "shot",
    [SHOT, replace(SHOT, fill=1.0, tilt=18, side=200, turn=-4), replace(SHOT, fill=1.2, softened=2.0)],
    ids=["nearly from the front", "aslant", "colours softened by the phone"],
)
def test_a_bed_on_a_screen_is_noticed(bed: Picture, shot: Shot) -> None:
    assert is_of_a_screen(screened(bed, MONITOR, shot))


def test_the_same_photo_without_a_screens_dots_is_not(bed: Picture) -> None:
    assert rainbow_share(screened(bed, MONITOR, SHOT, dots=False)) == 0
    assert rainbow_share(bed) == 0


@pytest.mark.parametrize("threads", [960, 1350, 1400])
def test_a_cloth_whose_threads_beat_with_the_camera_is_no_screen(bed: Picture, threads: int) -> None:
    cloth, shot = Panel(threads, round(threads * 0.625), "threads"), replace(SHOT, blur=0.3)
    photo = screened(bed, cloth, shot)
    plain = screened(bed, cloth, shot, dots=False)
    assert np.abs(photo.astype(float) - plain).mean() > 2, "the threads are seen"
    assert rainbow_share(photo) == 0


def test_colours_that_go_round_are_a_screens_either_way() -> None:
    assert is_of_a_screen(swinging((2 / 3, 1 / 3, 0)))
    assert is_of_a_screen(swinging((0, 1 / 3, 2 / 3)))


@pytest.mark.parametrize(
    "turns", [(0, 0, 0), (0, 0, 0.5), (0.5, 0, 0.5), (0, 0.5, 0)], ids=["gray", "red", "green", "other"]
)
def test_printed_stripes_swing_between_two_colours(turns: tuple[float, float, float]) -> None:
    assert rainbow_share(swinging(turns)) == 0


def test_a_rainbow_on_one_thing_is_a_things_own(bed: Picture) -> None:
    spoilt = bed.copy()
    spoilt[300:450, 400:550] = swinging((2 / 3, 1 / 3, 0))[:150, :150]
    assert not is_of_a_screen(spoilt)


def test_a_photo_too_small_for_a_second_look_is_let_pass() -> None:
    assert not is_of_a_screen(cv2.resize(swinging((2 / 3, 1 / 3, 0)), (300, 240)))
