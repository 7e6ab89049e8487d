"""Locates the board in a frame by its printed markers: markers, then the lens, then the homography."""

from __future__ import annotations

import msgspec

from hardware.arrays import Float64, Gray
from hardware.vision.board.scene import Scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_markers


class Located(msgspec.Struct, frozen=True):
    """The board in a frame of `size` (width, height).

    `markers`: the corners in px, shape (4, 2), of each marker in sight. `homography`: None if fewer than two
    of the board's markers are seen, or they do not fit; `fault` then says so. `covered`: the markers that
    should be in sight but are not.
    """

    size: tuple[int, int]
    markers: dict[int, Float64]
    lens: Lens
    homography: Homography | None = None
    covered: tuple[int, ...] = ()
    fault: str = ""


def locate(gray: Gray, scene: Scene, last: Lens | None = None) -> Located:
    """Locate the board in a frame. `last`: the lens of the frame before, kept if the size is the same."""
    size = gray.shape[1], gray.shape[0]
    markers = find_markers(gray, scene.marker_dictionary)
    known = last is not None and (last.width, last.height) == size
    lens = last if last is not None and known else lens_from_markers(scene, size, [markers])
    try:
        homography = homography_from_markers(scene, markers, lens)
    except HomographyError as error:
        return Located(size, markers, lens, fault=str(error))
    covered = tuple(
        number
        for number, corners in expected_markers(scene, homography).items()
        if number not in markers and (corners > 0).all() and (corners < size).all()
    )
    return Located(size, markers, lens, homography, covered)
