"""The printed face of a tile: what each of its squares looked like when the tile was shown.

A coat says which colours a tile has; a face says where. It tells coats apart that are alike, and it shows a
tile on a bed of the tile's own colour.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Square
from hardware.arrays import Float32, Float64
from hardware.vision.board.appearance import UNIFORM
from hardware.vision.board.evidence import NATS_A_SQUARE
from hardware.vision.board.foreground import TAIL_WEIGHT
from hardware.vision.board.illumination import SAMPLES, side_by_side
from hardware.vision.board.scene import Shape
from hardware.vision.board.search import SHIFT_NATS, Pose
from hardware.vision.register.rectify import MARGIN

Way = Literal["turned", "upright"]
"""How the print of a turned tile lies: turned with it, or upright on the board."""
Shift = tuple[float, float]
"""How far a tile lies off its squares, across and down, in samples."""
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
BRIGHTER_UNEVEN = 3.0
"""The most by which a shadow changes a whole tile's luma, in multiples of how uneven the frame's light is.

Of 22 rendered pictures with a drawn shadow that were not exact, one was silently wrong; with this, none is,
and three are exact. Without a shadow the light of the frame is uneven by at most 0.04.
"""
FACE_NOISE = 2.0
"""The variance of the difference of two pictures, in variances of one."""
FACE_STEEPEST = 0.3
"""The registration error of a tile's print, in samples."""
OUTLIERS = 0.05
"""The share of a face's samples that may show anything: a tail over it, glare."""
BEYOND = 3
"""The samples by which a tile that is turned by MOST_TURN may reach beyond its box."""
LEAST_SAMPLES = 30
"""The minimum samples of a face that must lie under the tile for it to say anything."""
MOST_OF_IT = 0.5
"""The minimum share of a tile's squares on which its print is known for the others to be judged by them."""
MOST_COVERED = 12.0
"""The nats up to which a face may raise the evidence of a square for being covered."""
MOST_LESSON_SHIFT = 2
"""The maximum samples by which a tile that is shown may lie off its squares, across and down."""
MOST_A_SAMPLE = 3.0
"""The maximum nats by which one sample says that a tile that is shown covers it, or does not."""
NATS_A_FACE = 1.5
"""The weight of a square's mean log-density on its face, above that on its coat."""
CLEAR_WAY = 20.0
"""The nats by which a board's turned tiles must speak for one way in which prints lie, to rule out the other.

On rendered boards with eight turned tiles or more they speak for the right way with 25 to 140 nats. The tiles
that speak for the wrong one say at most 8 of them, together.
"""


class Print(msgspec.Struct, frozen=True):
    """A face as a tile shows it that lies turned on the board, sample by sample.

    `rows`, `cols` shape (N,): where each sample lies, from the top left of the turned tile's box. `colours`
    shape (3, N). `unsteady` shape (3, N): the variance that the registration adds. `squares` shape (N,): the
    index of each sample's square in the shape.
    """

    rows: NDArray[np.int16]
    cols: NDArray[np.int16]
    colours: Float32
    unsteady: Float32
    squares: NDArray[np.int8]

    def part(self, numbers: Sequence[int]) -> Print:
        """The samples of these squares alone."""
        wanted = np.zeros(int(self.squares.max(initial=0)) + 1, dtype=bool)
        wanted[[number for number in numbers if number < len(wanted)]] = True
        own = wanted[self.squares]
        return Print(
            self.rows[own], self.cols[own], self.colours[:, own], self.unsteady[:, own], self.squares[own]
        )


class Face(msgspec.Struct, frozen=True, dict=True):
    """A tile's face, upright.

    `colours` shape (rows SAMPLES, cols SAMPLES, 3), in the reference's light; `steep`, its gradient, has the
    same shape. `squares` shape (rows SAMPLES, cols SAMPLES): the index of each sample's square in the shape,
    -1 beside the tile and at its edge.
    """

    colours: Float32
    steep: Float32
    squares: NDArray[np.int32]

    @cached_property
    def _prints(self) -> dict[tuple[int, float], Print]:
        return {}

    def turned(self, quarters: int, turn: float) -> Print:
        """The face after quarter turns, and then a turn by some degrees about its middle."""
        known = quarters % 4, turn
        if known not in self._prints:
            self._prints[known] = self._turned(*known)
        return self._prints[known]

    def _turned(self, quarters: int, turn: float) -> Print:
        high, wide = self.squares.shape
        middle = (wide - 1) / 2, (high - 1) / 2
        matrix = cv2.getRotationMatrix2D(middle, -turn, 1.0)
        matrix[:, 2] += BEYOND
        size = wide + 2 * BEYOND, high + 2 * BEYOND

        def laid(image: NDArray[Any], how: int, beside: float) -> NDArray[Any]:
            turning = cv2.warpAffine(image, matrix, size, flags=how, borderValue=(beside,) * 3)
            return np.rot90(turning, -quarters)

        squares = laid(self.squares.astype(np.float32), cv2.INTER_NEAREST, -1).astype(np.int32)
        rows, cols = np.nonzero(squares >= 0)
        colours = laid(self.colours, cv2.INTER_LINEAR, 0)[rows, cols]
        steep = laid(self.steep, cv2.INTER_LINEAR, 0)[rows, cols]
        return Print(
            (rows - BEYOND).astype(np.int16),
            (cols - BEYOND).astype(np.int16),
            np.ascontiguousarray(colours.T),
            np.ascontiguousarray((FACE_STEEPEST * steep.T) ** 2),
            squares[rows, cols].astype(np.int8),
        )

    @cached_property
    def places(self) -> list[Square]:
        """Each square's (row, col) in the upright face; far away if none of its samples counts."""
        places = []
        for number in range(int(self.squares.max()) + 1):
            rows, cols = np.nonzero(self.squares == number)
            inside = len(rows) > 0
            places.append(
                (int(rows.mean()) // SAMPLES, int(cols.mean()) // SAMPLES) if inside else (-99, -99)
            )
        return places


class Sight(msgspec.Struct, frozen=True):
    """A picture of the board to compare faces with.

    `colours`: in the reference's light, shape (3, high, wide). `empty`: how well each sample fits the empty
    board, shape (high, wide). `noise` shape (3,). Of (rows + 2 MARGIN) SAMPLES, (cols + 2 MARGIN) SAMPLES.
    `brighter` shape (3,): the most by which the light on a tile may differ from that of the board.
    """

    colours: Float32
    empty: Float32
    noise: Float32
    brighter: Float32 = msgspec.field(default_factory=BRIGHTER.copy)


def brighter_in(uneven: float) -> Float32:
    """The most by which the light on a tile may differ, where the frame's is as `uneven`, shape (3,)."""
    return np.maximum(BRIGHTER, np.array([BRIGHTER_UNEVEN * uneven, 0, 0], dtype=np.float32))


def shift_of(on_coat: Float32, empty: Float32, shape: Shape, row: int, col: int) -> tuple[int, int]:
    """How far an upright tile that was shown lies off its squares, across and down in samples.

    Its box is at (row, col). `on_coat`, `empty` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples): how well
    each sample fits the tile's coat, and the empty board, as log-densities.
    """
    gain = np.clip(side_by_side(on_coat - empty), -MOST_A_SAMPLE, MOST_A_SAMPLE)
    on_squares = cv2.boxFilter(gain, -1, (SAMPLES, SAMPLES), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    rows, cols = SAMPLES * (np.array([row, col]) + MARGIN + np.array(shape.squares)).T

    def nats(shift: tuple[int, int]) -> float:
        across, down = shift
        covered = NATS_A_SQUARE * float(on_squares[rows + down, cols + across].sum())
        return covered - SHIFT_NATS * (across * across + down * down)

    steps = range(-MOST_LESSON_SHIFT, MOST_LESSON_SHIFT + 1)
    return max(itertools.product(steps, steps), key=nats)


def face_at(colours: Float32, shape: Shape, row: int, col: int, shift: tuple[int, int] = (0, 0)) -> Face:
    """The face of an upright tile that lies with its box at (row, col), off by a shift in samples.

    `colours` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3).
    """
    top, left = (row + MARGIN) * SAMPLES + shift[1], (col + MARGIN) * SAMPLES + shift[0]
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
    shape (cells,): the evidence in nats for each of its squares being covered by anything. `lean`: how far
    all tiles lie off their squares, around which to look.
    """

    turns: int
    row: int
    col: int
    cells: tuple[Square, ...]
    pose: Pose
    covered: Float32
    lean: Shift = (0.0, 0.0)


class Likeness(msgspec.Struct, frozen=True):
    """How much better a face explains a tile's squares than its coat does, in nats, and in which pose.

    `pose`: None if the face does not show, or less than half of it. `lean`: how far all tiles lie off, around
    which it was looked for.
    """

    nats: float = 0.0
    pose: Pose | None = None
    lean: Shift = (0.0, 0.0)

    @property
    def is_between_squares(self) -> bool:
        """Whether the face shows about as far from the tile's squares as it is looked for."""
        return self.pose is not None and _off(self.pose, self.lean) >= MOST_SHIFT

    @property
    def worth(self) -> float:
        """What it adds to the evidence for the tile in this place, in nats.

        Nothing if it lies between squares: so does the face of a tile that lies in the next place.
        """
        return 0.0 if self.is_between_squares else self.nats


class Compared(msgspec.Struct, frozen=True):
    """A face compared with a tile's squares, for each way in which the print of a turned tile may lie."""

    turned: Likeness = Likeness()
    upright: Likeness = Likeness()

    def by(self, way: Way | None) -> Likeness:
        """The likeness if prints lie this way; None: whichever fits better."""
        if way is None:
            return max(self.turned, self.upright, key=lambda each: each.nats)
        return self.turned if way == "turned" else self.upright


def way_of(compared: Iterable[Compared]) -> Way | None:
    """The way in which a set's prints lie, by the tiles of one board; None if that is not clear."""
    for_upright = sum(each.upright.nats - each.turned.nats for each in compared)
    if abs(for_upright) < CLEAR_WAY:
        return None
    return "upright" if for_upright > 0 else "turned"


def compare(face: Face, usual: float, sight: Sight, coat: Float32, place: Place) -> Compared:
    """How much better the face explains a tile's squares than its coat and the evidence for covering do.

    `usual`: the mean log-density of the coat's own colours. `coat`, shape of the sight's `empty`: how well
    each sample fits the coat. Never below 0: a face that does not show (glare, another lamp) is no evidence
    against the tile.
    """
    ways = []
    for pairs, turns in _prints(face, place):
        fit = _Fit(face, [number for number, _ in pairs], sight, place, turns)
        each = Likeness()
        if fit.samples >= LEAST_SAMPLES:
            pose, likely = fit.best()
            nats = _nats(fit, pose, likely, usual, coat, pairs)
            shows = len(pairs) >= MOST_OF_IT * len(place.cells)
            each = Likeness(nats, pose if shows else None, place.lean) if nats > 0 else each
        ways.append(each)
    return Compared(ways[0], ways[-1])


def _prints(face: Face, place: Place) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """The ways in which a print may lie: as pairs (square of the face, square of the place), and its turns.

    A real tile's print turns with the tile. The print of the rendered tiles keeps to the board's axes, from
    the corner of the turned tile's box, so a turned tile shows only some of its own squares. An upright
    tile's print lies one way.
    """
    count = len(place.cells)
    yield [(number, number) for number in range(count)], place.turns % 4
    if place.turns % 4:
        at = {cell: number for number, cell in enumerate(place.cells)}
        upright = ((place.row + row, place.col + col) for row, col in face.places)
        yield [(number, at[cell]) for number, cell in enumerate(upright) if cell in at], 0


class _Fit:
    """The part of a face that a tile shows, compared with a picture in one pose after another."""

    def __init__(self, face: Face, numbers: Sequence[int], sight: Sight, place: Place, turns: int) -> None:
        self._face = face
        self._numbers = numbers
        self.sight = sight
        self.place = place
        self._turns = turns
        self._wide = sight.empty.shape[1]
        self._colours = sight.colours.reshape(3, -1)
        self._start = ((place.row + MARGIN) * self._wide + place.col + MARGIN) * SAMPLES
        self._turned: dict[float, tuple[Print, NDArray[np.intp], Float32, Float32]] = {}
        self.samples = len(self._at(0.0)[1])

    def print(self, pose: Pose) -> Print:
        """The part of the face, turned as in a pose."""
        return self._at(pose[2])[0]

    def look(self, source: Float32, pose: Pose) -> Float32:
        """The samples of a picture under the part of the face, in a pose."""
        return np.asarray(source.ravel()[self._indices(pose)], dtype=np.float32)

    def best(self) -> tuple[Pose, Float32]:
        """The pose that fits best, and how well each sample fits the face in it, as a log-density."""
        # What lies beside a tile may draw its coat's pose away from where its face shows.
        tried = {self.place.pose, (*self.place.lean, 0.0)}
        pose, likely = max(
            ((start, self._likelihood(start)) for start in sorted(tried)), key=lambda fit: _mean(fit[1])
        )
        mean = _mean(likely)
        better = mean > NOT_LIKE
        while better and len(tried) < MOST_POSES:
            better = False
            for step in STEPS:
                other = (pose[0] + step[0], pose[1] + step[1], pose[2] + step[2])
                if other in tried or _off(other, self.place.lean) > MOST_SHIFT or abs(other[2]) > MOST_TURN:
                    continue
                tried.add(other)
                fit = self._likelihood(other)
                if (fits := _mean(fit)) > mean:
                    pose, likely, mean, better = other, fit, fits, True
        mixed = np.log((1 - OUTLIERS) * np.exp(likely) + OUTLIERS * UNIFORM)
        return pose, np.asarray(mixed, dtype=np.float32)

    def _at(self, turn: float) -> tuple[Print, NDArray[np.intp], Float32, Float32]:
        """The print in a turn, where its samples lie, their weights, and the log-density of a perfect fit."""
        if turn not in self._turned:
            whole = self._face.turned(self._turns, turn)
            own = whole if len(self._numbers) == len(self._face.places) else whole.part(self._numbers)
            variance = np.float32(FACE_NOISE) * (self.sight.noise**2)[:, None] + own.unsteady
            norm = -np.float32(np.log(15.75)) - np.log(variance[0] * variance[1] * variance[2]) / 2
            at = self._start + own.rows.astype(np.intp) * self._wide + own.cols
            self._turned[turn] = own, at, np.asarray(1 / variance, np.float32), np.asarray(norm, np.float32)
        return self._turned[turn]

    def _indices(self, pose: Pose) -> NDArray[np.intp]:
        across, down, turn = pose
        return np.asarray(self._at(turn)[1] + (int(down) * self._wide + int(across)))

    def _likelihood(self, pose: Pose) -> Float32:
        across, down, turn = pose
        own, at, weights, norm = self._at(turn)
        off = self._colours.take(at + (int(down) * self._wide + int(across)), axis=1)
        off -= own.colours
        half = off.shape[1] // 2
        middle = np.partition(off, half, axis=1)[:, half]
        off -= np.minimum(np.maximum(middle, -self.sight.brighter), self.sight.brighter)[:, None]
        off *= off
        off *= weights
        far = off[0] + off[1] + off[2]
        far *= np.float32(1 / TAIL_WEIGHT)
        return np.asarray(norm - np.float32((TAIL_WEIGHT + 3) / 2) * np.log1p(far), dtype=np.float32)


def _off(pose: Pose, lean: Shift) -> float:
    """How far a pose lies from where all tiles lie, in samples."""
    return max(abs(pose[0] - lean[0]), abs(pose[1] - lean[1]))


def _mean(values: Float32) -> float:
    return float(np.add.reduce(values)) / len(values)


def _nats(
    fit: _Fit, pose: Pose, likely: Float32, usual: float, coat: Float32, pairs: Sequence[tuple[int, int]]
) -> float:
    squares = fit.print(pose).squares
    on_coat = fit.look(coat, pose)
    count = int(squares.max()) + 1
    samples = np.bincount(squares, minlength=count)

    def mean(values: Float32) -> Float64:
        sums = np.bincount(squares, weights=values, minlength=count)
        return np.asarray(sums / np.maximum(samples, 1), dtype=np.float64)

    better = np.maximum(on_coat, usual)
    gain = mean(_either(likely, better) - better)
    covered = NATS_A_SQUARE * (mean(_either(likely, on_coat)) - mean(fit.look(fit.sight.empty, pose)))
    total = gained = 0.0
    for number, cell in pairs:
        if number < count and samples[number]:
            share = min(float(samples[number]) / (SAMPLES - 1) ** 2, 1.0)
            more = min(float(covered[number]), MOST_COVERED) - float(fit.place.covered[cell])
            total += max(more, 0.0)
            gained += share * float(gain[number])
    if len(pairs) >= MOST_OF_IT * len(fit.place.cells):
        # A print that shows in part would gain as much on the other squares; else a twin's whole one wins.
        gained *= len(fit.place.cells) / len(pairs)
    return total + NATS_A_FACE * gained


def _either(likely: Float32, coat: Float32) -> Float32:
    """The log-density of samples that show either the face or, where it does not show, the coat."""
    return np.asarray(np.logaddexp(likely, coat) - np.log(2), dtype=np.float32)
