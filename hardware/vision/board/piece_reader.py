"""Follows the pieces on a board of squares: blobs of a colour that were not there when it was empty.

A `PieceReader` is shown the board and looks at it as the bed's reader does (markers, homography,
rectified view, light, motion are its own); only what it makes of the squares differs. A sample of the
picture belongs to a piece when it does not look as the empty board does there, not even in shadow, and
has the hue of that kind of piece. Samples of one kind that hang together are a blob, and a blob of a piece's
size stands on the square under its middle.

Boards change while they are played on: a slab that was taken away bares the floor. A square that looks
otherwise than before, and not like a piece, is learned as the ground there once two pictures agree on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Hue, Observation, Piece, Square
from hardware.arrays import Float32, Mask, Picture
from hardware.vision.board.foreground import DARKEST, LIGHTEST, NOTHING_LIKE_IT, sample_likelihood
from hardware.vision.board.illumination import SAMPLES, steepness
from hardware.vision.board.occlusions import over_the_frame
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import Corners, Reference, Seen, TileReader
from hardware.vision.register.rectify import MARGIN

HUE_REACH = 0.11
"""A sample is of the kind whose hue is nearest, if that is no farther than this; the cat's hue reaches on
towards stronger blues. Tried on drawn kitchens under light that is warmer or colder by a tenth."""

SHADOW_HUE = 0.05
"""A shadow or a lamp's glare changes the ground's luma as far as `squares` allows, and its hue no more."""

LEAST, MOST = 0.05, 0.75
"""The size of a blob that is one piece, in squares. A pawn of a third of a square's width has 0.09; a bare
floor of a piece's colour fills its square."""
FULL = 0.85
"""A blob that reaches so far across a square both ways, and fills most of it, is ground."""
EDGE = 0.12
"""A blob whose middle is nearer than this to the border of two squares, in squares, stands between them."""
RIM, RIM_REACH, SIDE = 0.5, 0.15, 0.8
"""Where a piece's colour runs into the ground's, or its side is dark, it may have the hue of another kind: a
blob smaller than RIM of another kind's and as near to it as RIM_REACH squares is a part of it; so is one
smaller than SIDE of it with its middle within it."""
LONGEST = 1.9
"""A blob so much longer than wide is no single piece; one that leans by a third of a square is 1.6."""
AROUND, STANDS_OUT = 0.2, 0.12
"""Where more than this share of the square around a blob is new as well, the blob is a piece only if it
differs from that by so much: else it is a part of the floor that was bared."""
HAND, HAND_IN = 1.0, 0.3
"""What is no piece, spreads over so many squares and reaches in over the frame by so many is a hand."""
LEANS = 0.8
"""A piece is seen off its square's middle by less than this: it stands up, and the camera looks askance."""
CHANGED = 0.2
"""The share of a square's samples that must differ for it to be new ground."""
ALIKE = 0.06
"""Two pictures agree on a square's new ground when its colours differ by less than this, on average."""
GROUNDS = 3
"""So many looks of a square are remembered: slab, floor, cheese."""
CLEAR = 0.98
"""How sure a piece is of which nothing speaks against."""


class Blob(msgspec.Struct, frozen=True):
    """Samples of one kind that hang together: middle and size in squares, from the grid's top left; and
    whether they stand out from what else is new on their square."""

    kind: str
    x: float
    y: float
    size: float
    wide: float
    high: float
    stands_out: bool


class PieceReader(TileReader):
    """Reads pictures of one board for its pieces: show it the empty board, then read.

    `kinds` are the pieces by their hue under the light of the empty board.
    """

    def __init__(self, scene: Scene, kinds: Mapping[str, Hue]) -> None:
        super().__init__(scene)
        self.kinds = dict(kinds)
        self._grounds: list[Float32] = []
        self._before: Float32 | None = None
        self._standing: dict[str, list[Square]] = {}
        self._lean: dict[str, tuple[float, float]] = {}

    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Takes this picture for the board without pieces. Raises PictureError, HomographyError."""
        super().see_start(picture, covered, corners_px)
        self._grounds, self._before, self._lean = [], None, {}

    def stand(self, pieces: Iterable[tuple[str, int, int]]) -> None:
        """These pieces (kind, row, column) stand there: a person, or the match, says so. How far off their
        squares' middles they are seen tells how they lean."""
        self._standing = {}
        for kind, row, col in pieces:
            self._standing.setdefault(kind, []).append((row, col))

    def read(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        """Reads one picture. Raises ReferenceMissingError, PictureError, HomographyError where nothing can be
        read."""
        return super().read(picture, corners_px, image)

    def _read_squares(self, reference: Reference, seen: Seen) -> Observation:
        own = _as_shown(seen)
        strange = self._strange(reference, seen)
        if over_the_frame(seen.frame, seen.empty.whole, ()) or _hand_over(strange):
            self._before = None
            return Observation(unsure=True, why="hand")
        blobs = self._blobs(own, strange)
        self._watch.lap("pieces")
        self._learn_ground(own, strange, blobs)
        return self._decide_pieces([blob for blob in blobs if not _is_ground(blob)])

    # -- what of the picture is no ground -----------------------------------------------------------------

    def _strange(self, reference: Reference, seen: Seen) -> Mask:
        """The samples that look as no ground does there, shape (rows, cols, samples), with the frame."""
        strange = self._unlike(reference.colours, reference.steep, seen)
        for ground in self._grounds:
            strange &= self._unlike(ground, steepness(ground), seen)
        # Where the frame's corners are, the markers lie.
        strange[:: len(strange) - 1, :: strange.shape[1] - 1] = False
        return strange

    def _unlike(self, ground: Float32, steep: Float32, seen: Seen) -> Mask:
        expected = seen.light.expected(ground)
        fits: Float32 = sample_likelihood(seen.colours, expected, steep, seen.light)
        off = seen.colours - expected
        leave = SHADOW_HUE + steep[..., 1:]
        shaded = (
            (off[..., 0] > DARKEST) & (off[..., 0] < LIGHTEST) & (np.abs(off[..., 1:]) < leave).all(axis=-1)
        )
        return np.asarray((fits < NOTHING_LIKE_IT) & ~shaded)

    def _learn_ground(self, own: Float32, strange: Mask, blobs: Iterable[Blob]) -> None:
        """Squares that have changed, on which no piece stands, are learned once two pictures agree."""
        before, self._before = self._before, own
        if before is None:
            return
        inner = (slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
        changed = strange[inner].mean(axis=-1) > CHANGED
        same = np.abs(own[inner] - before[inner]).mean(axis=(-1, -2)) < ALIKE
        for blob in blobs:
            if not _is_ground(blob):
                row, col = max(0, int(blob.y)), max(0, int(blob.x))
                changed[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] = False
        new = np.zeros(strange.shape[:2], dtype=bool)
        new[inner] = changed & same
        if new.any():
            self._add_ground(own, new)

    def _add_ground(self, own: Float32, new: Mask) -> None:
        last = self._grounds[-1] if self._grounds else self._known_reference().colours
        ground = last.copy()
        ground[new] = own[new]
        self._grounds = [*self._grounds, ground][-GROUNDS:]

    # -- which samples are pieces -------------------------------------------------------------------------

    def _blobs(self, own: Float32, strange: Mask) -> list[Blob]:
        """The blobs of all kinds, the largest first."""
        far = np.stack([_far_from(own[..., 1:], hue) for hue in self.kinds.values()])
        nearest = far.argmin(axis=0)
        found: list[Blob] = []
        for number, kind in enumerate(self.kinds):
            mask = strange & (nearest == number) & (far[number] < HUE_REACH)
            found += _hanging_together(kind, mask, strange, own)
        found.sort(key=lambda blob: -blob.size)
        return [blob for number, blob in enumerate(found) if not any(_rim(blob, of) for of in found[:number])]

    def _decide_pieces(self, blobs: list[Blob]) -> Observation:
        self._learn_lean(blobs)
        placed = [self._placed(blob) for blob in blobs]
        pieces = tuple(
            sorted((piece for piece, _ in placed), key=lambda piece: (piece.kind, piece.row, piece.col))
        )
        squares = [(piece.kind, piece.row, piece.col) for piece in pieces]
        why = next((doubt for _, doubt in placed if doubt), "")
        if len(set(squares)) < len(squares) or any(map(_is_unclear, blobs)):
            why = why or "pieces-unclear"
        return Observation(unsure=bool(why), why=why, pieces=pieces)

    def _learn_lean(self, blobs: Iterable[Blob]) -> None:
        """How far off its square's middle a kind of piece is seen: the median of those that have stayed."""
        for kind, squares in self._standing.items():
            own = [blob for blob in blobs if blob.kind == kind and blob.size <= MOST]
            off = []
            for row, col in squares:
                near = [(blob.x - col - 0.5, blob.y - row - 0.5) for blob in own]
                near = [each for each in near if max(map(abs, each)) < LEANS]
                if len(near) == 1:
                    off.append(near[0])
            if off:
                x, y = np.median(np.array(off), axis=0)
                self._lean[kind] = float(x), float(y)

    def _placed(self, blob: Blob) -> tuple[Piece, str]:
        """The piece that a blob is, and what is doubtful about it."""
        lean_x, lean_y = self._lean.get(blob.kind, (0.0, 0.0))
        x = float(np.clip(blob.x - lean_x, 0, self.scene.cols - 1e-6))
        y = float(np.clip(blob.y - lean_y, 0, self.scene.rows - 1e-6))
        edge = min(x % 1, 1 - x % 1, y % 1, 1 - y % 1)
        doubt = "between-squares" if edge < EDGE else ""
        sure = CLEAR if not doubt else 0.5 + edge
        return Piece(blob.kind, int(y), int(x), round(sure, 3)), doubt


def _as_shown(seen: Seen) -> Float32:
    """The picture's colours as they would be under the light of the empty board, same shape."""
    roughly = seen.colours - seen.light.shift.astype(np.float32)
    return np.asarray(seen.colours - (seen.light.expected(roughly) - roughly), dtype=np.float32)


def _far_from(hues: Float32, hue: Hue) -> Float32:
    """How far hues, shape (..., 2), are from a piece's; farther out in the same direction is as near."""
    own = np.array(hue, dtype=np.float32)
    length = float(own @ own)
    along = np.clip(hues @ own / length, 1, None) if length else np.zeros(hues.shape[:-1], np.float32)
    off = hues - along[..., None] * own
    return np.asarray(np.sqrt((off * off).sum(axis=-1)), dtype=np.float32)


def _hanging_together(kind: str, mask: Mask, strange: Mask, own: Float32) -> list[Blob]:
    """The blobs of a mask, shape (rows, cols, samples) with the frame, on squares of these colours, of which
    the `strange` samples are new. A piece at the edge may be seen over the frame."""
    joined = cv2.morphologyEx(_flat(mask), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(joined, connectivity=4)
    new, colours = _flat(strange) > 0, _flat(own)
    found = []
    for number in range(1, count):
        size = float(stats[number, cv2.CC_STAT_AREA]) / SAMPLES**2
        if size >= LEAST:
            x, y = ((float(at) + 0.5) / SAMPLES for at in middles[number])
            wide, high = (float(stats[number, side]) / SAMPLES for side in (2, 3))
            square = tuple(slice(int(at) * SAMPLES, (int(at) + 1) * SAMPLES) for at in (y, x))
            rest = colours[square][new[square] & (labels[square] != number)]
            stands_out = len(rest) < AROUND * SAMPLES**2 or _differ(colours[labels == number], rest)
            found.append(Blob(kind, x - MARGIN, y - MARGIN, size, wide, high, stands_out))
    return found


def _differ(some: Float32, others: Float32) -> bool:
    """Whether the usual colours of two lots of samples, shape (N, 3), differ."""
    off = np.median(some, axis=0) - np.median(others, axis=0)
    return float(np.abs(off).max()) > STANDS_OUT


def _flat(samples: NDArray[Any]) -> NDArray[Any]:
    """Samples of squares, shape (rows, cols, samples, ...), as a picture; bits as bytes."""
    rows, cols, _, *rest = samples.shape
    tiled = samples.reshape(rows, cols, SAMPLES, SAMPLES, *rest).swapaxes(1, 2)
    flat = tiled.reshape(rows * SAMPLES, cols * SAMPLES, *rest)
    return np.ascontiguousarray(flat, dtype=np.uint8 if flat.dtype == bool else flat.dtype)


def _is_unclear(blob: Blob) -> bool:
    """Whether a blob is more than one piece, or another thing."""
    return blob.size > MOST or max(blob.wide, blob.high) > LONGEST * min(blob.wide, blob.high)


def _rim(blob: Blob, of: Blob) -> bool:
    """Whether a blob is but the rim of a larger one of another kind."""
    off_x, off_y = abs(blob.x - of.x) - of.wide / 2, abs(blob.y - of.y) - of.high / 2
    inside = max(off_x, off_y) < 0
    beside = off_x < blob.wide / 2 + RIM_REACH and off_y < blob.high / 2 + RIM_REACH
    share = blob.size / of.size
    return blob.kind != of.kind and ((share < RIM and beside) or (share < SIDE and inside))


def _hand_over(strange: Mask) -> bool:
    """Whether something large lies there that reaches in over the frame."""
    picture = _flat(strange)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(picture, connectivity=4)
    edge = MARGIN * SAMPLES
    inside = labels[edge:-edge, edge:-edge]
    for number in range(1, count):
        size = int(stats[number, cv2.CC_STAT_AREA])
        if size >= HAND * SAMPLES**2:
            over = size - int((inside == number).sum())
            if over >= HAND_IN * SAMPLES**2:
                return True
    return False


def _is_ground(blob: Blob) -> bool:
    """Whether a blob fills squares as bared floor does, or is a part of that, and not a piece on a square."""
    if not blob.stands_out:
        return True
    across = min(blob.wide, blob.high)
    return across > FULL and blob.size / (blob.wide * blob.high) > MOST
