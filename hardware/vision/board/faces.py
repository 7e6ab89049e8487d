"""The printed face of a tile: what each of its squares looked like when the tile was shown.

A coat says which colours a tile has; a face says where. It tells coats apart that are alike, and it shows a
tile on a bed of the tile's own colour.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Square, Tile, TilePlace
from hardware.arrays import Float32, Float64
from hardware.vision.board.appearance import UNIFORM, Coat
from hardware.vision.board.evidence import NATS_A_SQUARE, REACH, Evidence
from hardware.vision.board.foreground import TAIL_WEIGHT
from hardware.vision.board.illumination import SAMPLES, side_by_side
from hardware.vision.board.scene import Shape
from hardware.vision.board.search import SHIFT_NATS, Choice, Pose, TileName
from hardware.vision.register.rectify import MARGIN

Way = Literal["turned", "upright"]
"""The way in which the print of a turned tile lies: turned with it, or upright on the board."""
Shift = tuple[float, float]
"""The shift of a tile off its squares, across and down, in samples."""
STEPS: tuple[Pose, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 2), (0, 0, -2))
MOST_SHIFT = 3.0
"""The maximum shift in samples: a tile laid carelessly, and taught carelessly, is seen aslant."""
MOST_TURN = 6.0
"""The maximum turn in degrees: twice that of a careless tile, because it may have been taught askew too."""
MOST_POSES = 22
NOT_LIKE = 0.0
"""The mean log-density below which no other pose of a face is tried."""
BRIGHTER = np.array([0.15, 0.02, 0.02], dtype=np.float32)
"""The most by which lamps and glare change a whole tile's luma and chromas."""
BRIGHTER_UNEVEN = 3.0
"""The most by which a shadow changes a whole tile's luma, in multiples of the frame's unevenness."""
FACE_NOISE = 2.0
"""The variance of the difference of two pictures, in variances of one."""
FACE_STEEPEST = 0.3
"""The registration error of a tile's print, in samples."""
OUTLIERS = 0.05
"""The share of a face's samples that may show anything: a tail, glare."""
BEYOND = 3
"""The samples by which a tile that is turned by MOST_TURN may reach beyond its box."""
LEAST_SAMPLES = 30
"""The minimum samples of a face that must lie under the tile for it to say anything."""
MOST_OF_IT = 0.5
"""The least share of a tile's squares with a known print by which to judge the others."""
MOST_COVERED = 12.0
"""The most evidence of a covered square to which a face may add, in nats."""
MOST_LESSON_SHIFT = 2
"""The maximum samples by which a tile that is shown may lie off its squares, across and down."""
MOST_A_SAMPLE = 3.0
"""The most evidence of one sample for or against a shown tile, in nats."""
NATS_A_FACE = 1.5
"""The weight of a square's mean log-density on its face, above that on its coat."""
CLEAR_WAY = 20.0
"""The nats between turned and upright prints from which one way is clear."""
FEWEST_FACES = 5
"""The fewest faces that show a common shift of all tiles."""
LEAST_NATS = 1.0
"""The least evidence of a face that shows, in nats."""
MOST_LEAN = 2.0
"""The maximum samples that all tiles together may lie off: a tile of usual thickness, 45° aslant."""


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
        has = wanted[self.squares]
        return Print(
            self.rows[has], self.cols[has], self.colours[:, has], self.unsteady[:, has], self.squares[has]
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
            place = (int(rows.mean()) // SAMPLES, int(cols.mean()) // SAMPLES) if len(rows) else (-99, -99)
            places.append(place)
        return places


class Sight(msgspec.Struct, frozen=True):
    """A picture of the board to compare faces with.

    `colours`: in the reference's light, shape (3, high, wide). `empty`: each sample's log-density on the
    empty board, shape (high, wide). `noise` shape (3,). Sides of (rows + 2 MARGIN) SAMPLES, (cols + 2 MARGIN)
    SAMPLES. `brighter` shape (3,): the most by which the light on a tile may differ from the board's.
    """

    colours: Float32
    empty: Float32
    noise: Float32
    brighter: Float32 = msgspec.field(default_factory=BRIGHTER.copy)


def brighter_in(uneven: float) -> Float32:
    """The most by which the light on a tile may differ, where the frame's is as `uneven`, shape (3,)."""
    return np.maximum(BRIGHTER, np.array([BRIGHTER_UNEVEN * uneven, 0, 0], dtype=np.float32))


def shift_of(on_coat: Float32, empty: Float32, shape: Shape, row: int, col: int) -> tuple[int, int]:
    """The shift of an upright tile that was shown, across and down in samples.

    Its box is at (row, col). `on_coat`, `empty` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples): each
    sample's log-density on the tile's coat and on the empty board.
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
    """A place where a tile may lie: its box at (row, col), after `turns` quarter turns, and its squares.

    `cells` are in the order of the unturned tile's squares. `pose` is tried first. `covered` shape (cells,):
    the evidence in nats for each square being covered. `lean`: the shift of all tiles, around which to
    search.
    """

    turns: int
    row: int
    col: int
    cells: tuple[Square, ...]
    pose: Pose
    covered: Float32
    lean: Shift = (0.0, 0.0)


class Likeness(msgspec.Struct, frozen=True):
    """The nats by which a face explains a tile's squares better than its coat, and its pose.

    `pose`: None if less than half of the face shows. `lean`: the shift of all tiles, around which it was
    searched.
    """

    nats: float = 0.0
    pose: Pose | None = None
    lean: Shift = (0.0, 0.0)

    @property
    def is_between_squares(self) -> bool:
        """True if the face is at the edge of the search around the tile's squares."""
        return self.pose is not None and _off(self.pose, self.lean) >= MOST_SHIFT

    @property
    def worth(self) -> float:
        """Its evidence for the tile in this place, in nats.

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
            return max(self.turned, self.upright, key=lambda likeness: likeness.nats)
        return self.turned if way == "turned" else self.upright


def way_of(compared: Iterable[Compared]) -> Way | None:
    """The way in which a set's prints lie, by the tiles of one board; None if that is not clear."""
    for_upright = sum(face.upright.nats - face.turned.nats for face in compared)
    if abs(for_upright) < CLEAR_WAY:
        return None
    return "upright" if for_upright > 0 else "turned"


def compare(face: Face, usual: float, sight: Sight, coat: Float32, place: Place) -> Compared:
    """Compare a face with a tile's squares, against its coat and the evidence for covering.

    `usual`: the mean log-density of the coat's own colours. `coat`, of the shape of the sight's `empty`: each
    sample's log-density on the coat. Never below 0: a face that does not show (glare, another lamp) is no
    evidence against the tile.
    """
    ways = []
    for pairs, turns in _prints(face, place):
        fit = _Fit(face, [number for number, _ in pairs], sight, place, turns)
        likeness = Likeness()
        if fit.samples >= LEAST_SAMPLES:
            pose, likely = fit.best()
            nats = _nats(fit, pose, likely, usual, coat, pairs)
            shows = len(pairs) >= MOST_OF_IT * len(place.cells)
            likeness = Likeness(nats, pose if shows else None, place.lean) if nats > 0 else likeness
        ways.append(likeness)
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
        numbers = {cell: number for number, cell in enumerate(place.cells)}
        upright = ((place.row + row, place.col + col) for row, col in face.places)
        yield [(number, numbers[cell]) for number, cell in enumerate(upright) if cell in numbers], 0


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

    def samples_under(self, source: Float32, pose: Pose) -> Float32:
        """The samples of a picture under the part of the face, in a pose."""
        return np.asarray(source.ravel()[self._indices(pose)], dtype=np.float32)

    def best(self) -> tuple[Pose, Float32]:
        """The best pose, and each sample's log-density on the face in it."""
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
            part = whole if len(self._numbers) == len(self._face.places) else whole.part(self._numbers)
            variance = np.float32(FACE_NOISE) * (self.sight.noise**2)[:, None] + part.unsteady
            norm = -np.float32(np.log(15.75)) - np.log(variance[0] * variance[1] * variance[2]) / 2
            px = self._start + part.rows.astype(np.intp) * self._wide + part.cols
            self._turned[turn] = part, px, np.asarray(1 / variance, np.float32), np.asarray(norm, np.float32)
        return self._turned[turn]

    def _indices(self, pose: Pose) -> NDArray[np.intp]:
        across, down, turn = pose
        return np.asarray(self._at(turn)[1] + (int(down) * self._wide + int(across)))

    def _likelihood(self, pose: Pose) -> Float32:
        part, _, weights, norm = self._at(pose[2])
        off = self._colours.take(self._indices(pose), axis=1)
        off -= part.colours
        half = off.shape[1] // 2
        middle = np.partition(off, half, axis=1)[:, half]
        off -= np.minimum(np.maximum(middle, -self.sight.brighter), self.sight.brighter)[:, None]
        off *= off
        off *= weights
        far = off[0] + off[1] + off[2]
        far *= np.float32(1 / TAIL_WEIGHT)
        return np.asarray(norm - np.float32((TAIL_WEIGHT + 3) / 2) * np.log1p(far), dtype=np.float32)


def _off(pose: Pose, lean: Shift) -> float:
    """The distance of a pose from the lean of all tiles, in samples."""
    return max(abs(pose[0] - lean[0]), abs(pose[1] - lean[1]))


def _mean(values: Float32) -> float:
    return float(np.add.reduce(values)) / len(values)


def _nats(
    fit: _Fit, pose: Pose, likely: Float32, usual: float, coat: Float32, pairs: Sequence[tuple[int, int]]
) -> float:
    squares = fit.print(pose).squares
    on_coat = fit.samples_under(coat, pose)
    count = int(squares.max()) + 1
    samples = np.bincount(squares, minlength=count)

    def mean(values: Float32) -> Float64:
        sums = np.bincount(squares, weights=values, minlength=count)
        return np.asarray(sums / np.maximum(samples, 1), dtype=np.float64)

    better = np.maximum(on_coat, usual)
    gain = mean(_either(likely, better) - better)
    covered = NATS_A_SQUARE * (
        mean(_either(likely, on_coat)) - mean(fit.samples_under(fit.sight.empty, pose))
    )
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


def lean_of(looks: Sequence[Likeness | None]) -> Shift:
    """The shift of all tiles together, across and down in samples: the median of their faces."""
    poses = [look.pose for look in looks if look is not None and look.pose and look.nats >= LEAST_NATS]
    if len(poses) < FEWEST_FACES:
        return 0.0, 0.0
    across, down = np.clip(np.rint(np.median(np.array(poses)[:, :2], axis=0)), -MOST_LEAN, MOST_LEAN)
    return float(across), float(down)


def between_squares(
    tiles: Sequence[Tile],
    looked: Callable[[Tile], Likeness | None],
    again: Callable[[Tile, Likeness, Shift], Likeness],
) -> list[Tile]:
    """The tiles of a board that lie between squares.

    `looked`: a tile's compared face, or None. `again`: the same, compared around the common shift of all
    tiles.
    """
    looks = [looked(tile) for tile in tiles]
    lean = lean_of(looks)
    between = []
    for tile, look in zip(tiles, looks, strict=True):
        if look is None or look.pose is None or look.nats < LEAST_NATS:
            continue
        if look.is_between_squares or _off(look.pose, lean) >= MOST_SHIFT:
            seen = look if lean == (0.0, 0.0) else again(tile, look, lean)
            between += [tile] if seen.is_between_squares else []
    return between


class ComparedFaces:
    """The faces of a board's tiles as they were compared with pictures of it, by the tiles' places."""

    def __init__(self, faces: Mapping[TileName, Face], coats: Mapping[TileName, Coat], cols: int) -> None:
        self._faces, self._coats, self._cols = faces, coats, cols
        self._compared: dict[TilePlace, Compared] = {}

    def forget(self) -> None:
        """Compare each face again."""
        self._compared.clear()

    def compared(self, tile: Tile) -> Compared | None:
        """A tile's compared face, or None."""
        return self._compared.get(tile.place)

    def likeness(self, tile: Tile, way: Way | None) -> Likeness | None:
        """The same, if prints lie this way."""
        compared = self.compared(tile)
        return None if compared is None else compared.by(way)

    def worth(
        self,
        choice: Choice,
        number: int,
        weighed: Evidence,
        sight: Sight,
        way: Way | None,
        *,
        again: bool = False,
    ) -> float:
        """The evidence of a tile's face for one of its places, in nats.

        `again`: compare it even if it was compared before.
        """
        name = (choice.owner, choice.places.kind)
        if name not in self._faces or name not in weighed.samples:
            return 0.0
        known = choice.places.place(choice.owner, number)
        if again or known not in self._compared:
            place = place_of(choice, number, self._cols, weighed)
            coat, usual = weighed.samples[name], self._coats[name].usual
            self._compared[known] = compare(self._faces[name], usual, sight, coat, place)
        return self._compared[known].by(way).worth

    def between_squares(
        self, tiles: Sequence[Tile], weighed: Evidence, sight: Callable[[], Sight], way: Way | None
    ) -> list[Tile]:
        """The tiles whose faces, if they were compared, lie between squares."""

        def again(tile: Tile, look: Likeness, lean: Shift) -> Likeness:
            name = (tile.owner, tile.kind)
            pose = look.pose or (0.0, 0.0, 0.0)
            squares = [row * self._cols + col for row, col in tile.cells]
            covered = weighed.moved[int(pose[1]) + REACH, int(pose[0]) + REACH][squares]
            place = Place(tile.turns, tile.row, tile.col, tile.cells, pose, covered, lean)
            usual = self._coats[name].usual
            return compare(self._faces[name], usual, sight(), weighed.samples[name], place).by(way)

        return between_squares(tiles, lambda tile: self.likeness(tile, way), again)


def place_of(choice: Choice, number: int, cols: int, weighed: Evidence) -> Place:
    """One of a tile's places on a board of `cols` columns, to compare its face there."""
    places = choice.places
    across, down, turn = (float(part) for part in choice.pose[number])
    tile = places.tile(choice.owner, number, cols)
    covered = weighed.moved[int(down) + REACH, int(across) + REACH][places.squares[number]]
    return Place(tile.turns, tile.row, tile.col, tile.cells, (across, down, turn), covered)
