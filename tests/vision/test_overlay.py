"""What is drawn over the camera's picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.vision.board import overlay
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography, homography_from_corners
from hardware.vision.register.lens import Lens

BED = Scene(rows=4, cols=3)


@pytest.fixture
def homography() -> Homography:
    """A bed seen straight from above, 10 px a square, its corner at (100, 50)."""
    return homography_from_corners(BED, [(100, 50), (130, 50), (130, 90), (100, 90)], Lens(640, 480))


def test_every_line_between_squares_is_drawn(homography: Homography) -> None:
    lines = overlay.grid_lines(BED, homography)
    assert len(lines) == (4 + 1) + (3 + 1)
    assert lines[0][0] == pytest.approx((100, 50), abs=0.2)
    assert lines[-1][-1] == pytest.approx((130, 90), abs=0.2)


@pytest.mark.parametrize(
    ("cells", "corners"),
    [
        pytest.param([], 0, id="none"),
        pytest.param([(0, 0)], 4, id="one-square"),
        pytest.param(
            [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)], 12, id="hole-left-out"
        ),
        pytest.param([(0, 0), (1, 0), (1, 1)], 8, id="an-L"),
    ],
)
def test_the_border_goes_once_around(cells: list[tuple[int, int]], corners: int) -> None:
    around = overlay.border(cells)
    assert len(around) == corners
    steps = [
        abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(around, around[1:] + around[:1], strict=True)
    ]
    assert steps == [1] * corners


def test_the_border_holds_its_squares(homography: Homography) -> None:
    x, y = zip(*overlay.outline([(1, 1), (2, 1)], homography), strict=True)
    assert (min(x), max(x)) == pytest.approx((110, 120), abs=0.2)
    assert (min(y), max(y)) == pytest.approx((60, 80), abs=0.2)


def test_an_outlined_crop_says_which_squares_are_meant(homography: Homography) -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    cells = [(1, 1), (2, 1)]
    part = overlay.crop_outlined(picture, homography, cells, margin_squares=1)
    plain = overlay.crop(picture, homography, cells, margin_squares=1)
    assert part.shape == plain.shape
    assert not picture.any(), "the photo itself has no line"
    assert tuple(part[20, 10]) == overlay.LINE, "on the border"
    assert not part[20, 15].any(), "on the tile"
    assert not part[20, 2].any(), "beside it"


def test_a_crop_shows_the_squares_and_stays_in_the_picture(homography: Homography) -> None:
    picture = np.zeros((80, 200, 3), np.uint8)
    picture[60:80, 110:120] = 255
    part = overlay.crop(picture, homography, [(1, 1), (2, 1)], margin_squares=1)
    assert part.shape[0] <= 30 + 2
    assert part.max() == 255
    assert overlay.crop(picture, homography, [(3, 2)], margin_squares=30).shape == picture.shape


@st.composite
def joined_squares(draw: st.DrawFn) -> set[tuple[int, int]]:
    """Squares joined by edges."""
    squares = {(3, 3)}
    for _ in range(draw(st.integers(0, 9))):
        row, col = draw(st.sampled_from(sorted(squares)))
        down, right = draw(st.sampled_from([(1, 0), (-1, 0), (0, 1), (0, -1)]))
        squares.add((row + down, col + right))
    return squares


def area(corners: list[tuple[float, float]]) -> float:
    """The area inside corners in order, by the shoelace formula: positive clockwise (y down)."""
    after = corners[1:] + corners[:1]
    return sum(x * v - u * y for (x, y), (u, v) in zip(corners, after, strict=True)) / 2


def holes(squares: set[tuple[int, int]]) -> int:
    """How many squares cannot be left without crossing them; one may pass where two meet at a corner."""
    rows, cols = ({square[axis] for square in squares} for axis in (0, 1))
    low, high = (min(rows) - 1, min(cols) - 1), (max(rows) + 1, max(cols) + 1)
    outside, left = {low}, [low]
    while left:
        row, col = left.pop()
        for beside in ((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)):
            inside = low[0] <= beside[0] <= high[0] and low[1] <= beside[1] <= high[1]
            if inside and beside not in squares and beside not in outside:
                outside.add(beside)
                left.append(beside)
    return (high[0] - low[0] + 1) * (high[1] - low[1] + 1) - len(outside) - len(squares)


@settings(deadline=None)
@given(joined_squares())
def test_the_border_encloses_the_squares_and_their_holes(squares: set[tuple[int, int]]) -> None:
    around = overlay.border(squares)
    assert area(around) == len(squares) + holes(squares)
    steps = [
        abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(around, around[1:] + around[:1], strict=True)
    ]
    assert set(steps) == {1.0}
