"""The pictures that the project draws: the same from the same seed, and what they say of their dice is so."""

import numpy as np
import pytest

from lab.dice.drawing import draw_picture
from lab.dice.drawing.camera import look_at_table
from lab.dice.drawing.solid import SPOTS


def test_a_seed_draws_the_same_picture_again() -> None:
    one, two = draw_picture(7, (320, 240)), draw_picture(7, (320, 240))
    assert np.array_equal(one.image, two.image)
    assert one.dice == two.dice
    assert not np.array_equal(one.image, draw_picture(8, (320, 240)).image)


def test_as_many_dice_as_asked_for_lie_in_the_picture() -> None:
    drawn = draw_picture(3, count=2, edge_px=(30, 40), tilt_deg=(0, 20))
    assert len(drawn.dice) == 2
    assert all(1 <= die.value <= 6 and not die.gone for die in drawn.dice)


@pytest.mark.parametrize("seed", range(4))
def test_a_die_is_where_the_truth_says(seed: int) -> None:
    drawn = draw_picture(seed, count=1, edge_px=(60, 80), tilt_deg=(0, 10))
    (die,) = drawn.dice
    x, y, width, height = die.face_box_px
    assert x < die.centre_px[0] < x + width
    assert y < die.centre_px[1] < y + height
    assert die.edge_px * 0.9 < width < die.edge_px * 1.6


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_has_as_many_pips_as_its_value(value: int) -> None:
    assert len(set(SPOTS[value])) == value


def test_the_camera_looks_at_the_middle_of_the_table() -> None:
    camera = look_at_table((640, 480), 1.2, 1.0, edge_px=40, tilt_deg=30, roll_deg=10)
    assert camera.project(np.float32([[0, 0, 0]]))[0] == pytest.approx((320, 240), abs=0.1)
    assert camera.scale_at(np.float32([0, 0, 0])) == pytest.approx(40, rel=1e-3)
    ground = camera.ground(np.float32(100), np.float32(400))
    back = camera.project(np.float32([[*ground, 0]]))[0]
    assert back == pytest.approx((100, 400), abs=0.1)
