"""The light of a table: the doctor, the set-up, the watch over it and the camera's health judge alike."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.doctor import checks
from companion.doctor.looking import CameraCheck
from companion.service.setup.checks import check_picture
from companion.service.setup.drift import EVERY_S, LASTS_S, DriftWatch
from companion.simulator.draw import Table as OnTheTable
from companion.simulator.sources import virtual_camera
from hardware.arrays import Picture
from hardware.camera.folder import read_picture
from hardware.camera.frame import Frame
from hardware.camera.health import Condition, Health
from hardware.light import Exposure, levels_of
from tests.camera.conftest import noisy, plain

TABLE = virtual_camera("virtual").table


def empty() -> Picture:
    """The empty virtual table."""
    TABLE.rehearse(OnTheTable(), hands=False)
    taken = TABLE.take_picture()
    assert taken is not None
    return taken[0]


def lit(share: float) -> Picture:
    """The empty table in that share of its light."""
    return np.asarray(cv2.convertScaleAbs(empty(), alpha=share), np.uint8)


def with_paper(level: int) -> Picture:
    """A dark table with white paper on it, at that level."""
    picture = plain(20)
    picture[: len(picture) // 3] = level
    return picture


PICTURES = {
    **{f"table at {share}": lambda share=share: lit(share) for share in (0.05, 0.2, 0.4, 0.6, 1.0, 2.0)},
    **{
        f"paper at {level}": lambda level=level: with_paper(level)
        for level in (5, 75, 90, 105, 115, 200, 255)
    },
    "lens cap": lambda: plain(0),
    "white": lambda: plain(255),
    "nearly white": lambda: plain(248),
}


@pytest.mark.parametrize("name", PICTURES)
def test_all_who_ask_hear_the_same_of_the_light(name: str) -> None:
    picture = PICTURES[name]()
    light = levels_of(picture).exposure
    advice = light.advice
    doctor = checks.light(CameraCheck("table", Condition.OK, picture)).key
    set_up = check_picture(picture, TABLE.scene, None, empty_shown=False).advice
    assert doctor == {"dark": "dark", "bright": "glare", "": "ok"}[advice]
    assert [each for each in set_up if each != "blurred"] == ([advice] if advice else [])
    watch = DriftWatch(None)
    watch.set_up(empty(), TABLE.scene)
    for at_s in np.arange(0, LASTS_S + 2 * EVERY_S, EVERY_S):
        watch.compare(picture, TABLE.scene, float(at_s))
    if advice:
        assert watch.drift.what == advice
    health = Health(0.0)
    health.frame_came(Frame(picture, 1.0), 1.0)
    unreadable = {Exposure.BLACK: Condition.BLACK, Exposure.OVEREXPOSED: Condition.OVEREXPOSED}
    assert health.state.condition is unreadable.get(light, Condition.OK)


@pytest.mark.parametrize(
    ("picture", "light"),
    [
        (plain(0), Exposure.BLACK),
        (noisy(1, level=5), Exposure.BLACK),
        (noisy(1, level=30), Exposure.DARK),
        (with_paper(75), Exposure.DARK),
        (with_paper(90), Exposure.DARK),
        (with_paper(200), Exposure.FINE),
        (noisy(1, level=235), Exposure.FINE),
        (with_paper(255), Exposure.BRIGHT),
        (noisy(1, level=254), Exposure.OVEREXPOSED),
        (plain(255), Exposure.OVEREXPOSED),
    ],
)
def test_light(picture: Picture, light: Exposure) -> None:
    assert levels_of(picture).exposure is light
    assert levels_of(picture[..., 0]).exposure is light


def test_a_white_picture_may_keep_some_dark_things() -> None:
    picture = plain(255)
    picture[:15] = 60
    assert levels_of(picture).exposure is Exposure.OVEREXPOSED
    picture[:30] = 60
    assert levels_of(picture).exposure is Exposure.BRIGHT


PHOTOS = Path(__file__).parents[2] / "../shared/photos"


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs of ../shared are not here")
def test_the_light_of_every_photograph_of_a_table_is_fine() -> None:
    patterns = ("boards/*/*1.jpg", "bed/*/05.jpg", "dice/*/*15.*")
    photos = [photo for pattern in patterns for photo in PHOTOS.glob(pattern)]
    assert len(photos) > 20
    assert {levels_of(read_picture(photo)).exposure for photo in photos} == {Exposure.FINE}
