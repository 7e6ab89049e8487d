"""The printed face of a tile: what each of its squares looked like when the tile was shown.

A coat says which colours a tile has; a face says where. It tells coats apart that are alike, and it shows a
tile on a bed of the tile's own colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Square
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.appearance import UNIFORM
from hardware.vision.board.evidence import MOST_A_SQUARE, NATS_A_SQUARE
from hardware.vision.board.foreground import TAIL_WEIGHT
from hardware.vision.board.illumination import SAMPLES, side_by_side
from hardware.vision.board.scene import Shape
from hardware.vision.register.rectify import MARGIN

Pose = tuple[float, float, float]
"""How a tile lies beside its squares: the shift across and down in samples, and the turn in degrees."""

STEPS: tuple[Pose, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 2), (0, 0, -2))
"""The steps in which the pose is improved."""
MOST_SHIFT = 3.0
"""The maximum shift in samples: a tile laid carelessly, and taught carelessly, is seen aslant."""
MOST_TURN = 6.0
"""The maximum turn in degrees: twice that of a careless tile, because it may have been taught askew too."""
MOST_POSES = 22
"""The maximum number of poses to try for one placement."""
NOT_LIKE = 0.0
"""The mean log-density below which a face is so unlike the picture that no other pose is tried."""
BRIGHTER = np.array([0.15, 0.02, 0.02], dtype=np.float32)
"""The most by which lamps and glare change a whole tile's luma and chromas."""
FACE_NOISE = 2.0
"""The variance of the difference of two pictures, in variances of one."""
FACE_STEEPEST = 0.3
"""The registration error of a tile's print, in samples."""
OUTLIERS = 0.05
"""The share of a face's samples that may show anything: a tail over it, glare."""
LEAST_SAMPLES = 30
"""The minimum samples of a face that must lie under the tile for it to say anything."""
NATS_A_FACE = 1.5
"""The weight of a square's mean log-density on its face, above that on its coat."""


class Face(msgspec.Struct, frozen=True):
    """A tile's face, upright.

    `colours` shape (rows SAMPLES, cols SAMPLES, 3), in the reference's light; `steep`, its gradient, has the
    same shape. `squares` shape (rows SAMPLES, cols SAMPLES): the index of each sample's square in the shape,
    -1 beside the tile and at its edge.
    """

    colours: Float32
    steep: Float32
    squares: NDArray[np.int32]


class Sight(msgspec.Struct, frozen=True):
    """A picture of the board to compare faces with, shape ((rows + 2 MARGIN) SAMPLES, (cols + 2 MARGIN)
    SAMPLES, …).

    `colours`: in the reference's light. `empty`: how well each sample fits the empty board. `noise` shape
    (3,).
    """

    colours: Float32
    empty: Float32
    noise: Float32


def face_at(colours: Float32, shape: Shape, row: int, col: int) -> Face:
    """The face of an upright tile that lies with its box at (row, col).

    `colours` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3).
    """
    top, left = (row + MARGIN) * SAMPLES, (col + MARGIN) * SAMPLES
    box = (slice(top, top + shape.rows * SAMPLES), slice(left, left + shape.cols * SAMPLES))
    return face_of(side_by_side(colours)[box].copy(), shape)


def face_of(colours: Float32, shape: Shape) -> Face:
    """A face from the colours of the upright shape's box, shape (rows SAMPLES, cols SAMPLES, 3)."""
    squares = np.full(colours.shape[:2], -1, dtype=np.int32)
    for number, (row, col) in enumerate(shape.squares):
        squares[row * SAMPLES : (row + 1) * SAMPLES, col * SAMPLES : (col + 1) * SAMPLES] = number
    inside = cv2.erode(
        (squares >= 0).astype(np.uint8),
        np.ones((3, 3), np.uint8),
        borderType=cv2.BORDER_CONSTANT,
        borderValue=0,
    )
    across, down = (cv2.Sobel(colours, cv2.CV_32F, x, 1 - x, scale=1 / 8) for x in (1, 0))
    return Face(colours, np.abs(across) + np.abs(down), np.where(inside > 0, squares, -1).astype(np.int32))


class Place(msgspec.Struct, frozen=True):
    """Where a tile is thought to lie: its box at (row, col), after `turns` quarter turns, and its squares.

    `cells` are in the order of the unturned tile's squares. `pose` is where to look for it first. `covered`
    shape (cells,): the evidence in nats for each of its squares being covered by anything.
    """

    turns: int
    row: int
    col: int
    cells: tuple[Square, ...]
    pose: Pose
    covered: Float32


def face_nats(face: Face, usual: float, sight: Sight, coat: Float32, place: Place) -> float:
    """How much better the face explains a tile's squares than its coat and the evidence for covering do.

    `usual`: the mean log-density of the coat's own colours. `coat`, shape of the sight's: how well each
    sample fits the coat. Never below 0: a face that does not show (glare, another lamp) is no evidence
    against the tile.
    """
    nats = [0.0]
    for pairs, turns in _prints(face, place):
        part = np.isin(face.squares, [number for number, _ in pairs])
        if int(part.sum()) >= LEAST_SAMPLES:
            nats.append(_nats(_Fit(face, part, sight, place, turns), usual, coat, pairs))
    return max(nats)


def _prints(face: Face, place: Place) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """The ways in which a print may lie: as pairs (square of the face, square of the place), and its turns.

    A real tile's print turns with the tile. The print of the rendered tiles keeps to the board's axes, from
    the corner of the turned tile's box, so a turned tile shows only some of its own squares.
    """
    count = len(place.cells)
    yield [(number, number) for number in range(count)], place.turns % 4
    if place.turns % 4:
        at = {cell: number for number, cell in enumerate(place.cells)}
        upright = ((place.row + row, place.col + col) for row, col in _squares_of(face, count))
        yield [(number, at[cell]) for number, cell in enumerate(upright) if cell in at], 0


def _squares_of(face: Face, count: int) -> list[Square]:
    """Each square's (row, col) in the upright face; far away if none of its samples counts."""
    places = []
    for number in range(count):
        rows, cols = np.nonzero(face.squares == number)
        inside = len(rows) > 0
        places.append((int(rows.mean()) // SAMPLES, int(cols.mean()) // SAMPLES) if inside else (-99, -99))
    return places


class _Fit:
    """The part of a face that a tile shows, compared with a picture in one pose after another."""

    def __init__(self, face: Face, part: Mask, sight: Sight, place: Place, turns: int) -> None:
        self._part = part
        self.sight = sight
        self.place = place
        self._turns = turns
        self._size = face.squares.shape[1], face.squares.shape[0]
        self._colours = face.colours[part]
        self._variance = FACE_NOISE * sight.noise**2 + (FACE_STEEPEST * face.steep[part]) ** 2
        self._norm = -np.log(15.75) - 0.5 * np.log(self._variance).sum(axis=-1)
        self.squares = face.squares[part]

    def look(self, source: Float32, pose: Pose) -> Float32:
        """The samples of a picture under the part of the face, in a pose."""
        seen = cv2.warpAffine(
            source,
            self._matrix(pose),
            self._size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(seen[self._part], dtype=np.float32)

    def best(self) -> tuple[Pose, Float32]:
        """The pose that fits best, and how well each sample fits the face in it, as a log-density."""
        pose = self.place.pose
        likely = self._likelihood(pose)
        tried = {pose}
        better = float(likely.mean()) > NOT_LIKE
        while better and len(tried) < MOST_POSES:
            better = False
            for step in STEPS:
                other = (pose[0] + step[0], pose[1] + step[1], pose[2] + step[2])
                if other in tried or max(map(abs, other[:2])) > MOST_SHIFT or abs(other[2]) > MOST_TURN:
                    continue
                tried.add(other)
                fit = self._likelihood(other)
                if fit.mean() > likely.mean():
                    pose, likely, better = other, fit, True
        mixed = np.log((1 - OUTLIERS) * np.exp(likely) + OUTLIERS * UNIFORM)
        return pose, np.asarray(mixed, dtype=np.float32)

    def _likelihood(self, pose: Pose) -> Float32:
        off = self.look(self.sight.colours, pose) - self._colours
        middle = np.partition(off, len(off) // 2, axis=0)[len(off) // 2]
        off = off - np.clip(middle, -BRIGHTER, BRIGHTER)
        far = (off * off / self._variance).sum(axis=-1)
        return np.asarray(self._norm - (TAIL_WEIGHT + 3) / 2 * np.log1p(far / TAIL_WEIGHT), dtype=np.float32)

    def _matrix(self, pose: Pose) -> Float64:
        """The affine map, shape (2, 3), from samples of the upright face to samples of the board."""
        across, down, turn = pose
        middle = (np.array(self._size) - 1) / 2
        turned = middle[::-1] if self._turns % 2 else middle
        to = (np.array([self.place.col, self.place.row]) + MARGIN) * SAMPLES + turned + (across, down)
        angle = np.deg2rad(90 * self._turns + turn)
        turning = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.column_stack([turning, to - turning @ middle])


def _nats(fit: _Fit, usual: float, coat: Float32, pairs: Sequence[tuple[int, int]]) -> float:
    pose, likely = fit.best()
    on_coat = fit.look(coat, pose)
    count = int(fit.squares.max()) + 1
    samples = np.bincount(fit.squares, minlength=count)

    def mean(values: Float32) -> Float64:
        sums = np.bincount(fit.squares, weights=values, minlength=count)
        return np.asarray(sums / np.maximum(samples, 1), dtype=np.float64)

    gain = mean(_either(likely, np.maximum(on_coat, usual)) - np.maximum(on_coat, usual))
    covered = NATS_A_SQUARE * (mean(_either(likely, on_coat)) - mean(fit.look(fit.sight.empty, pose)))
    total = 0.0
    for number, cell in pairs:
        if number < count and samples[number]:
            share = min(float(samples[number]) / (SAMPLES - 1) ** 2, 1.0)
            more = min(float(covered[number]), MOST_A_SQUARE) - float(fit.place.covered[cell])
            total += share * NATS_A_FACE * float(gain[number]) + max(more, 0.0)
    return total


def _either(likely: Float32, coat: Float32) -> Float32:
    """The log-density of samples that show either the face or, where it does not show, the coat."""
    return np.asarray(np.logaddexp(likely, coat) - np.log(2), dtype=np.float32)
