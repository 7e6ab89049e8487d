"""Follows the pieces on a board of squares: coloured blobs that the empty board did not have.

A sample of the picture is foreground if it differs from the empty board, even in shadow. Its hue gives the
kind of piece. Connected samples of one kind form a blob. A blob of a piece's size is a piece on the square
under the blob's centre.

Boards change during play: a slab that was taken away bares the floor. A square that has changed and does not
look like a piece is learned as new ground once two pictures agree on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Hue, Observation, Piece, Square
from hardware.arrays import Float32, Mask, Picture
from hardware.vision.board.board_view import BoardReader, Corners, Seen
from hardware.vision.board.foreground import DARKEST, FOREGROUND, LIGHTEST, sample_likelihood
from hardware.vision.board.illumination import SAMPLES, side_by_side, steepness
from hardware.vision.board.occlusions import obstacle
from hardware.vision.board.reader_state import pack, unpack
from hardware.vision.board.scene import Scene
from hardware.vision.register.rectify import INNER, MARGIN

HUE_REACH = 0.11
"""The maximum distance of a sample's hue from its kind's; more saturation of it adds no distance."""
SHADOW_HUE = 0.05
"""The maximum change of the ground's hue by a shadow or a lamp's glare (differences of logarithms)."""
LEAST_SIZE = 0.05
"""The minimum size of a piece's blob, in squares. A pawn a third of a square wide has 0.09."""
MOST_SIZE = 0.75
"""The maximum size of one piece's blob, in squares. Bare floor in a piece's colour fills its square."""
FULL = 0.85
"""The width and height in squares above which a blob that fills most of its box is ground."""
EDGE = 0.12
"""The distance in squares from a border below which a piece stands between two squares."""
RIM_SHARE = 0.5
"""The share of a blob's size below which a blob of another hue beside it may be its rim."""
RIM_REACH = 0.15
"""The maximum distance of a rim, in squares."""
SIDE_SHARE = 0.8
"""The share of a blob's size below which a blob inside it is the same piece's dark side."""
LONGEST = 1.9
"""The ratio of a blob's sides above which it is not one piece; leaning by a third of a square gives 1.6."""
CROWDED = 0.2
"""The share of other foreground on its square from which on a blob must stand out to be a piece."""
STANDS_OUT = 0.12
"""The difference of colour above which a blob stands out from that foreground, and is not bared floor."""
HAND_SIZE = 1.0
"""The minimum size of a hand's foreground, in squares."""
HAND_OVER_FRAME = 0.3
"""The minimum size of the part of a hand that is over the frame, in squares."""
LEANS = 0.8
"""The maximum distance in squares at which an oblique camera sees a piece from its square's centre."""
CHANGED = 0.2
"""The share of foreground samples above which a square may be new ground."""
ALIKE = 0.06
"""The mean difference of colour below which two pictures agree on new ground."""
GROUNDS = 3
"""The number of grounds to remember in addition to the reference: slab, floor, cheese."""
UNAMBIGUOUS = 0.98
"""The confidence of a piece that stands clearly within its square."""


class Blob(msgspec.Struct, frozen=True):
    """Connected samples of one kind: centre and size in squares, from the grid's top left.

    `stands_out`: true if they differ from the other foreground on their square.
    """

    kind: str
    x: float
    y: float
    size: float
    wide: float
    high: float
    stands_out: bool


class PieceReader(BoardReader):
    """Reads the pieces in pictures of one board. Show it the empty board, then read.

    `hues`: each kind's hue in the light of the empty board.
    """

    def __init__(self, scene: Scene, hues: Mapping[str, Hue]) -> None:
        super().__init__(scene)
        self.hues = dict(hues)
        self._grounds: list[Float32] = []
        self._before: Float32 | None = None
        self._standing: dict[str, list[Square]] = {}
        self._lean: dict[str, tuple[float, float]] = {}

    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Take this picture as the board, with things other than pieces on the squares `covered`."""
        self.view.show(picture, covered, corners_px)
        self._grounds, self._before, self._lean = [], None, {}

    def stand(self, pieces: Iterable[Piece]) -> None:
        """Believe these pieces, because a person or the match says so.

        Their distance from their squares' centres in the next pictures shows how pieces lean.
        """
        self._standing = {}
        for piece in pieces:
            self._standing.setdefault(piece.kind, []).append((piece.row, piece.col))

    def save(self) -> bytes:
        return pack(self.scene, self.view.state())

    @classmethod
    def restore(cls, scene: Scene, data: bytes, hues: Mapping[str, Hue]) -> PieceReader:
        """A reader that continues from saved bytes. Raises SavedStateError if they are not valid."""
        reader = cls(scene, hues)
        reader.view.restore(unpack(scene, data))
        return reader

    def read_board(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        return self.view.compare(picture, corners_px, image, self._read_pieces, same_light=False)

    def _read_pieces(self, seen: Seen) -> Observation:
        relit = _relit(seen)
        foreground = self._foreground(seen)
        why = obstacle(self.view, seen, ()) or ("hand" if _hand_over(foreground) else "")
        if why:
            self._before = None
            return Observation(unsure=True, why=why)
        blobs = self._blobs(relit, foreground)
        self.view.stopwatch.lap("pieces")
        self._learn_ground(relit, foreground, blobs)
        return self._decide([blob for blob in blobs if not _is_ground(blob)])

    # -- foreground and ground ----------------------------------------------------------------------------

    def _foreground(self, seen: Seen) -> Mask:
        """The samples that look like no known ground, shape (rows, cols, samples), including the frame."""
        reference = seen.reference
        foreground = _unlike(reference.colours, reference.steep, seen)
        for ground in self._grounds:
            foreground &= _unlike(ground, steepness(ground), seen)
        # The markers lie in the frame's corners.
        foreground[:: len(foreground) - 1, :: foreground.shape[1] - 1] = False
        return foreground

    def _learn_ground(self, relit: Float32, foreground: Mask, blobs: Iterable[Blob]) -> None:
        """Learn the changed squares without a piece as new ground, once two pictures agree on them."""
        before, self._before = self._before, relit
        if before is None:
            return
        changed = foreground[INNER].mean(axis=-1) > CHANGED
        same = np.abs(relit[INNER] - before[INNER]).mean(axis=(-1, -2)) < ALIKE
        for blob in blobs:
            if not _is_ground(blob):
                row, col = max(0, int(blob.y)), max(0, int(blob.x))
                changed[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] = False
        new = np.zeros(foreground.shape[:2], dtype=bool)
        new[INNER] = changed & same
        if new.any():
            ground = (self._grounds[-1] if self._grounds else self.view.reference.colours).copy()
            ground[new] = relit[new]
            self._grounds = [*self._grounds, ground][-GROUNDS:]

    # -- pieces -------------------------------------------------------------------------------------------

    def _blobs(self, relit: Float32, foreground: Mask) -> list[Blob]:
        """The blobs of all kinds, the largest first."""
        distance = np.stack([_hue_distance(relit[..., 1:], hue) for hue in self.hues.values()])
        nearest = distance.argmin(axis=0)
        blobs: list[Blob] = []
        for number, kind in enumerate(self.hues):
            mask = foreground & (nearest == number) & (distance[number] < HUE_REACH)
            blobs += _connected(kind, mask, foreground, relit)
        blobs.sort(key=lambda blob: -blob.size)
        return [
            blob for number, blob in enumerate(blobs) if not any(_is_rim(blob, of) for of in blobs[:number])
        ]

    def _decide(self, blobs: list[Blob]) -> Observation:
        self._learn_lean(blobs)
        placed = [self._placed(blob) for blob in blobs]
        pieces = tuple(sorted((piece for piece, _ in placed), key=lambda piece: piece.place))
        why = next((doubt for _, doubt in placed if doubt), "")
        if len({piece.place for piece in pieces}) < len(pieces) or any(map(_is_unclear, blobs)):
            why = why or "pieces-unclear"
        return Observation(unsure=bool(why), why=why, pieces=pieces)

    def _learn_lean(self, blobs: Iterable[Blob]) -> None:
        """Learn a kind's apparent distance from its square's centre: the median of the pieces that stayed."""
        for kind, squares in self._standing.items():
            alike = [blob for blob in blobs if blob.kind == kind and blob.size <= MOST_SIZE]
            off = []
            for row, col in squares:
                near = [(blob.x - col - 0.5, blob.y - row - 0.5) for blob in alike]
                near = [shift for shift in near if max(map(abs, shift)) < LEANS]
                if len(near) == 1:
                    off.append(near[0])
            if off:
                x, y = np.median(np.array(off), axis=0)
                self._lean[kind] = float(x), float(y)

    def _placed(self, blob: Blob) -> tuple[Piece, str]:
        """The piece of a blob, and the doubt about it, if any."""
        lean_x, lean_y = self._lean.get(blob.kind, (0.0, 0.0))
        x = float(np.clip(blob.x - lean_x, 0, self.scene.cols - 1e-6))
        y = float(np.clip(blob.y - lean_y, 0, self.scene.rows - 1e-6))
        edge = min(x % 1, 1 - x % 1, y % 1, 1 - y % 1)
        doubt = "between-squares" if edge < EDGE else ""
        confidence = UNAMBIGUOUS if not doubt else 0.5 + edge
        return Piece(blob.kind, int(y), int(x), round(confidence, 3)), doubt


def _unlike(ground: Float32, steep: Float32, seen: Seen) -> Mask:
    """The samples that do not look like a ground in the picture's light, even in shadow."""
    expected = seen.light.expected(ground)
    fits = sample_likelihood(seen.colours, expected, steep, seen.light)
    off = seen.colours - expected
    leave = SHADOW_HUE + steep[..., 1:]
    shaded = (off[..., 0] > DARKEST) & (off[..., 0] < LIGHTEST) & (np.abs(off[..., 1:]) < leave).all(axis=-1)
    return np.asarray((fits < FOREGROUND) & ~shaded)


def _relit(seen: Seen) -> Float32:
    """The picture's colours in the light of the empty board, same shape."""
    roughly = seen.colours - seen.light.shift.astype(np.float32)
    return np.asarray(seen.colours - (seen.light.expected(roughly) - roughly), dtype=np.float32)


def _hue_distance(hues: Float32, hue: Hue) -> Float32:
    """The distance of hues, shape (..., 2), from a piece's; 0 for a more saturated colour of its hue."""
    paint = np.array(hue, dtype=np.float32)
    length = float(paint @ paint)
    along = np.clip(hues @ paint / length, 1, None) if length else np.zeros(hues.shape[:-1], np.float32)
    off = hues - along[..., None] * paint
    return np.asarray(np.sqrt((off * off).sum(axis=-1)), dtype=np.float32)


def _connected(kind: str, mask: Mask, foreground: Mask, relit: Float32) -> list[Blob]:
    """The blobs of a mask, shape (rows, cols, samples).

    It includes the frame, over which a piece may appear.
    """
    joined = cv2.morphologyEx(_flat(mask), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(joined, connectivity=4)
    new, colours = _flat(foreground) > 0, side_by_side(relit)
    blobs = []
    for number in range(1, count):
        size = float(stats[number, cv2.CC_STAT_AREA]) / SAMPLES**2
        if size >= LEAST_SIZE:
            x, y = ((float(px) + 0.5) / SAMPLES for px in middles[number])
            wide, high = (float(stats[number, side]) / SAMPLES for side in (2, 3))
            square = tuple(slice(int(part) * SAMPLES, (int(part) + 1) * SAMPLES) for part in (y, x))
            rest = colours[square][new[square] & (labels[square] != number)]
            stands_out = len(rest) < CROWDED * SAMPLES**2 or _differ(colours[labels == number], rest)
            blobs.append(Blob(kind, x - MARGIN, y - MARGIN, size, wide, high, stands_out))
    return blobs


def _differ(some: Float32, others: Float32) -> bool:
    """True if the medians of two sets of colours, shape (N, 3), differ."""
    off = np.median(some, axis=0) - np.median(others, axis=0)
    return float(np.abs(off).max()) > STANDS_OUT


def _flat(mask: Mask) -> NDArray[np.uint8]:
    """A mask of samples, shape (rows, cols, samples), as a picture."""
    return side_by_side(mask.astype(np.uint8))


def _is_unclear(blob: Blob) -> bool:
    """True if a blob is several pieces, or something else."""
    return blob.size > MOST_SIZE or max(blob.wide, blob.high) > LONGEST * min(blob.wide, blob.high)


def _is_rim(blob: Blob, of: Blob) -> bool:
    """True if a blob is only the rim, or the dark side, of a larger one of another kind."""
    off_x, off_y = abs(blob.x - of.x) - of.wide / 2, abs(blob.y - of.y) - of.high / 2
    inside = max(off_x, off_y) < 0
    beside = off_x < blob.wide / 2 + RIM_REACH and off_y < blob.high / 2 + RIM_REACH
    share = blob.size / of.size
    return blob.kind != of.kind and ((share < RIM_SHARE and beside) or (share < SIDE_SHARE and inside))


def _hand_over(foreground: Mask) -> bool:
    """True if something large reaches in over the frame."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(_flat(foreground), connectivity=4)
    edge = MARGIN * SAMPLES
    inside = labels[edge:-edge, edge:-edge]
    for number in range(1, count):
        size = int(stats[number, cv2.CC_STAT_AREA])
        over = size - int((inside == number).sum())
        if size >= HAND_SIZE * SAMPLES**2 and over >= HAND_OVER_FRAME * SAMPLES**2:
            return True
    return False


def _is_ground(blob: Blob) -> bool:
    """True if a blob is not a piece but bared floor, which fills squares, or a part of it."""
    if not blob.stands_out:
        return True
    across = min(blob.wide, blob.high)
    return across > FULL and blob.size / (blob.wide * blob.high) > MOST_SIZE
