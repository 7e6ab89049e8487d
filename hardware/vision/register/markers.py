"""Finds the printed AprilTags in a picture."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from hardware.arrays import Float64, Gray, Picture
from hardware.vision.errors import SceneError

SIDE_PER_BORDER = 25
"""The picture's longer side as a multiple of the white that is added around it to find cut markers."""


def to_gray(picture: Picture) -> Gray:
    """A BGR picture without its colour."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@lru_cache(maxsize=4)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    number = getattr(cv2.aruco, dictionary, None)
    if not isinstance(number, int):
        raise SceneError(
            f"marker_dictionary {dictionary!r} is not known: DICT_APRILTAG_36h11 is the usual one."
        )
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(number), settings)


def find_markers(gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> dict[int, Float64]:
    """The markers' corners in px by id, shape (4, 2) each, in the marker's own order.

    A marker seen twice (a reflection in the cover, a second print) is ignored, because its position is
    ambiguous.
    """
    corners, ids, _ = _detector(dictionary).detectMarkers(gray)
    if ids is None:
        return {}
    numbers = [int(number) for number in ids.ravel()]
    return {
        number: corner_px.reshape(4, 2).astype(np.float64)
        for number, corner_px in zip(numbers, corners, strict=True)
        if numbers.count(number) == 1
    }


def find_cut_markers(gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> dict[int, Float64]:
    """The markers in sight, and those that the picture's edge cuts: their corners are only nearly right."""
    # Beside white, what is left of a marker's black border is closed again.
    beyond = max(gray.shape) // SIDE_PER_BORDER
    wider = cv2.copyMakeBorder(gray, *(beyond,) * 4, cv2.BORDER_CONSTANT, value=255)
    nearly = find_markers(np.asarray(wider, dtype=np.uint8), dictionary)
    return {number: corners - beyond for number, corners in nearly.items()}
