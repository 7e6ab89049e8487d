"""The layout of the mat, in squares and in mm, and how a sheet is cut into pages.

Lengths in squares run from the grid's corner at the bed's top left, x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.errors import UserError
from companion.files import TomlText
from hardware.arrays import Mask
from hardware.vision.board.scene import MARKER_GAP_SQUARES, MARKER_SQUARES, markers_in_cells

MARKERS = ("top-left", "top-right", "bottom-right", "bottom-left")
"""The corner of the bed that each marker belongs to, by its id."""

PIECE_SQUARES = MARKER_SQUARES + 2 * MARKER_GAP_SQUARES
"""The side of a marker with its white margin, in squares. The margin reaches the corner of the grid."""

MODULES = 8
"""The width of an AprilTag 36h11 in black or white modules, with its black rim."""

MAT = Path(__file__).with_name("mat.toml")
Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom, in squares or mm as the function says."""


class SheetError(UserError):
    """A sheet cannot be made; the text says how to mend it."""


class Mat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of mat.toml. Every length but `square_mm` is in squares."""

    rows: int
    cols: int
    square_mm: float
    tray_beside: float
    tray_width: float
    tray_height: float

    @property
    def grid(self) -> Bounds:
        """The bed's squares."""
        return 0.0, 0.0, float(self.cols), float(self.rows)

    @property
    def tray(self) -> Bounds:
        """The dice tray: right of the bed, level with its middle."""
        left, top = self.cols + self.tray_beside, (self.rows - self.tray_height) / 2
        return left, top, left + self.tray_width, top + self.tray_height

    def marker_box(self, marker: int) -> Bounds:
        """The black square of a marker (0 to 3)."""
        top_left, _, bottom_right, _ = markers_in_cells(self.rows, self.cols)[marker]
        return *top_left, *bottom_right

    @property
    def edges(self) -> Bounds:
        """The whole mat: the markers' white and the tray included."""
        _, above, right, below = self.tray
        return (
            -PIECE_SQUARES,
            min(-PIECE_SQUARES, above - MARKER_GAP_SQUARES),
            right + MARKER_GAP_SQUARES,
            max(self.rows + PIECE_SQUARES, below + MARKER_GAP_SQUARES),
        )

    def in_mm(self, box: Bounds) -> Bounds:
        """A box of squares as mm from the mat's own top left corner."""
        off_x, off_y, _, _ = self.edges
        left, top, right, bottom = box
        mm = self.square_mm
        return (left - off_x) * mm, (top - off_y) * mm, (right - off_x) * mm, (bottom - off_y) * mm

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the whole mat."""
        _, _, right, bottom = self.in_mm(self.edges)
        return right, bottom


def read_mat(path: Path = MAT, **overrides: Any) -> Mat:
    """Read a mat file. Keyword arguments override the file; None means unset. Raises `SheetError`."""
    try:
        file = TomlText.from_file(path)
        return file.convert(
            file.values() | {name: value for name, value in overrides.items() if value is not None}, Mat
        )
    except UserError as error:
        raise SheetError(str(error)) from error


def black_modules(marker: int) -> Mask:
    """The black modules of a marker, shape (8, 8), row 0 at its top."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    drawn = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, MODULES), np.uint8)
    black: Mask = drawn == 0
    return black


class Pages(msgspec.Struct, frozen=True):
    """A sheet cut into pages. Neighbouring pages overlap; each begins at its seam.

    `width_mm` and `height_mm` are the size of the part that one page shows.
    """

    columns: tuple[float, ...]
    """The left edge of each column of pages, in mm from the sheet's own."""
    rows: tuple[float, ...]
    """The top edge of each row of pages, in mm from the sheet's own."""
    width_mm: float
    height_mm: float

    @property
    def count(self) -> int:
        """The number of pages."""
        return len(self.columns) * len(self.rows)


def cut(mat: Mat, width_mm: float, height_mm: float, overlap_mm: float) -> Pages:
    """Cut the mat into pages of this size that overlap by at least `overlap_mm`, no seam through a marker.

    Raises `SheetError` when a marker does not fit on one page.
    """
    off = MARKER_GAP_SQUARES * mat.square_mm
    boxes = [mat.in_mm(mat.marker_box(marker)) for marker in range(len(MARKERS))]
    across = sorted({(left - off, right + off) for left, _, right, _ in boxes})
    down = sorted({(top - off, bottom + off) for _, top, _, bottom in boxes})
    width, height = mat.size_mm
    return Pages(
        _starts(width, width_mm, overlap_mm, across),
        _starts(height, height_mm, overlap_mm, down),
        width_mm,
        height_mm,
    )


def _starts(
    length: float, page: float, overlap: float, whole: Sequence[tuple[float, float]]
) -> tuple[float, ...]:
    """Pages' beginnings along one direction, with no seam inside the intervals `whole` (all in mm)."""
    starts = [0.0]
    while starts[-1] + page < length:
        seam = starts[-1] + page - overlap
        seam = next((low for low, high in whole if low < seam < high), seam)
        if seam <= starts[-1]:
            raise SheetError(
                f"A marker is wider than one page shows ({page:.0f} mm); take larger paper (--size a3) or"
                " smaller squares (--square)."
            )
        starts.append(seam)
    return tuple(starts)
