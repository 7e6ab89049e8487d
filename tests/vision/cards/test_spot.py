"""The discard spot lies between the printed markers, else in the middle of the picture."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.vision.cards.discard_watcher import spot_of


def table(*places: tuple[int, int]) -> np.ndarray:
    """A grey table of 640 × 480 with printed markers, 60 px large, at these corners."""
    picture = np.full((480, 640, 3), 200, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, (x, y) in enumerate(places):
        marker = cv2.aruco.generateImageMarker(dictionary, number, 60)
        picture[y : y + 60, x : x + 60] = marker[..., None]
    return picture


def test_without_markers_it_is_the_middle() -> None:
    assert spot_of(table()) == (160, 120, 480, 360)


def test_one_marker_marks_no_spot() -> None:
    assert spot_of(table((100, 50))) == (160, 120, 480, 360)


def test_two_markers_in_opposite_corners_mark_it() -> None:
    assert np.abs(np.array(spot_of(table((100, 50), (440, 350)))) - (130, 80, 470, 380)).max() <= 2


def test_four_markers_mark_it() -> None:
    spot = spot_of(table((100, 50), (440, 60), (430, 350), (90, 340)))
    assert np.abs(np.array(spot) - (120, 80, 470, 380)).max() <= 2


def test_markers_in_one_row_mark_no_spot() -> None:
    assert spot_of(table((100, 50), (440, 50))) == (160, 120, 480, 360)
