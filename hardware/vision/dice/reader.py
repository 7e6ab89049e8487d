"""Reads pip dice in a picture.

The detector finds dice, the classifier names their colour, and the pip reader counts their pips. All three
say whether a die is there. If that or a value is unclear, the reading is unsure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np

from companion.games.watching import Die, Observation
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.dice.classifier import NONE, Classifier, DieFace
from hardware.vision.dice.detector import Detection, Detector, non_max_suppression
from hardware.vision.dice.photo import turned
from hardware.vision.dice.pip_reader import PipReader
from hardware.vision.dice.table_view import TableView, beside_the_board, table_view, tray_outline
from hardware.vision.register.homography import Homography

# The calibration and the thresholds below were chosen on drawn pictures with seeds from 60000 to 60149, which
# no network has seen, and on the labelled photographs, which all have. docs/dice.md has the figures.

WEIGHTS = Path(__file__).parent / "weights"
NO_DIE = 0.98
"""The classifier's probability of no die from which on the pip reader is skipped."""
CALIBRATION = (-5.7, 0.85, 0.45, 1.1)
"""The log odds of a die: a constant, then the shares of detector, classifier and pip reader.

Fitted to drawn pictures that no network had seen. docs/dice.md says how often each stated chance is right.
"""
MOST_LOGIT = 7.0
"""The limit of the log odds that one network contributes."""
PERHAPS = 0.2
"""The probability of a die below which nothing is there."""
THERE = 0.5
"""The probability of a die from which on it is reported, and not only asked about."""
BELIEVED = 0.8
"""The probability of a die with its value below which a person is asked."""
OTHER_SIZE = 1.7
"""The ratio to the plain dice's edge from which on a die is none, or asked about if it is plain."""
SAME_DIE = 0.55
"""The distance of two faces' centres, in edges, below which they are the same die."""
LEAST_PICTURE_PX = 16
"""The minimum length in px of the shorter side of a picture with a die."""
UNCLEAR = "dice"
"""The `why` of dice that a person must be asked about."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A weighed detection: `there`, the probability of a die; `value`, the best guess; `sure`, its
    probability.

    `doubtful`: a person must be asked about it.
    """

    there: float
    value: int
    sure: float
    face: DieFace
    doubtful: bool = False

    @property
    def believed(self) -> float:
        """The probability of a die with this value."""
        return self.there * self.sure


class DiceReader:
    """Reads dice. Loading takes about 20 ms; one reader serves many pictures. Not thread-safe."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._detector = Detector(weights / "detector.onnx")
        self._classifier = Classifier(weights / "classifier.onnx")
        self._pip_reader = PipReader(weights / "pip_reader.onnx")

    def read_dice(
        self,
        picture: Picture,
        box: Sequence[tuple[float, float]] | tuple[int, int, int, int] | None = None,
        *,
        faces: Collection[int] = range(1, 7),
        view: TableView | None = None,
        count: int | None = None,
    ) -> Observation:
        """The dice in a picture (BGR, shape `(h, w, 3)`).

        Only dice inside `box` count: (x, y, width, height) or the corners of the tray, in px. `faces` are the
        values that these dice have; any other value makes the reading unsure. `view`: how the picture shows
        the table; without it, up on the table is taken to be up in the picture. The dice come from left to
        right. `count`: the number of dice that were thrown, if it is known. Where just as many are sure,
        nobody is asked about anything else.
        """
        left, top, right, bottom = bounds(picture, box)
        part = np.ascontiguousarray(picture[top:bottom, left:right])
        if min(part.shape[:2]) < LEAST_PICTURE_PX:
            return Observation(dice=(), unsure=True, why=UNCLEAR)
        view = view or TableView()
        photo = turned(part, view.turns)
        seen = self._dice(photo.upright)
        reading = _reading(_of_count(seen, count), faces)
        dice = []
        for die in reading.dice or ():
            x, y, width, height = photo.as_stored(die.box)
            placed = msgspec.structs.replace(die, box=(x + left, y + top, width, height))
            dice.append(view.named(picture, placed))
        from_left = sorted(dice, key=lambda die: die.box[0] + die.box[2] / 2)
        return msgspec.structs.replace(reading, dice=tuple(from_left))

    def _dice(self, part: Picture) -> list[_Seen]:
        """The dice in a part of the picture.

        The classifier refines centre and size for the pip reader.
        """
        seen = []
        for detection in self._detector.find(part):
            classified = self._classifier.classify(part, detection.x, detection.y, detection.edge)
            if classified.chances[NONE] < NO_DIE:
                counted = self._pip_reader.count_pips(part, classified.x, classified.y, classified.edge)
                seen.append(_weigh(detection, classified, counted))
        return _suppressed(seen)


def read_tray(reader: DiceReader, picture: Picture, scene: Scene, homography: Homography) -> Observation:
    """The dice in the tray beside the board, boxes in px; empty if the scene has no tray."""
    outline = tray_outline(scene, homography)
    if outline is None:
        return Observation(dice=())
    corners = [(float(x), float(y)) for x, y in outline]
    view = table_view(picture, scene, homography)
    return reader.read_dice(beside_the_board(picture, scene, homography), corners, view=view)


def bounds(
    picture: Picture, box: Sequence[tuple[float, float]] | tuple[int, int, int, int] | None
) -> tuple[int, int, int, int]:
    """The left, top, right and bottom px of the part of the picture where dice count."""
    height, width = picture.shape[:2]
    if box is None or len(box) == 0:
        return 0, 0, width, height
    corners = np.asarray(box, np.float64)
    if corners.ndim == 1:
        x, y, w, h = corners
        corners = np.array([(x, y), (x + w, y + h)])
    low = np.clip(np.floor(corners.min(0)), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(corners.max(0)), 0, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _weigh(detection: Detection, classified: DieFace, counted: DieFace) -> _Seen:
    """Weigh a detection by what all three networks say."""
    dice = np.array([detection.score, 1 - classified.chances[NONE], 1 - counted.chances[NONE]], np.float64)
    least = 1 / (1 + np.exp(MOST_LOGIT))
    dice = np.clip(dice, least, 1 - least)
    log_odds = CALIBRATION[0] + np.log(dice / (1 - dice)) @ CALIBRATION[1:]
    values = counted.chances[1:7]
    sure = float(values.max()) / max(1e-6, float(1 - counted.chances[NONE]))
    face = replace(counted, colour=classified.colour)
    return _Seen(float(1 / (1 + np.exp(-log_odds))), int(values.argmax()) + 1, sure, face)


def _suppressed(seen: list[_Seen]) -> list[_Seen]:
    """Each die once, by its surest detection, without probable non-dice."""
    plain = [s.face.edge for s in seen if s.believed >= BELIEVED]
    usual = float(np.median(plain)) if plain else None
    may_be = [s for s in seen if s.there >= PERHAPS and (s.believed >= BELIEVED or _is_of_size(s, usual))]
    kept = non_max_suppression(sorted(may_be, key=lambda s: -s.there), _is_same_die)
    return [replace(s, doubtful=s.believed < BELIEVED or not _is_of_size(s, usual)) for s in kept]


def _is_of_size(die: _Seen, usual: float | None) -> bool:
    """True if a die's edge is about the usual one, or if nothing tells the usual one, px."""
    edge = die.face.edge
    return usual is None or max(edge / usual, usual / edge) < OTHER_SIZE


def _is_same_die(die: _Seen, other: _Seen) -> bool:
    """True if a detection is the same die as a better one."""
    one, two = die.face, other.face
    return bool(np.hypot(one.x - two.x, one.y - two.y) < SAME_DIE * min(one.edge, two.edge))


def _of_count(dice: list[_Seen], count: int | None) -> list[_Seen]:
    """The dice, or only the sure ones, if just as many were thrown."""
    sure = [die for die in dice if not die.doubtful]
    return sure if len(sure) == count else dice


def _reading(seen: list[_Seen], faces: Collection[int]) -> Observation:
    """The reading: the dice that are there, unsure if a person must be asked about one of them."""
    dice, unsure = [], False
    for die in sorted(seen, key=lambda die: die.face.x):
        face = die.face
        if die.there < THERE:
            unsure = True
            continue
        box = (
            round(face.x - face.width / 2),
            round(face.y - face.height / 2),
            round(face.width),
            round(face.height),
        )
        dice.append(Die(die.value, face.colour, box, round(die.believed, 3)))
        unsure = unsure or die.doubtful or die.value not in faces
    return Observation(unsure=unsure, why=UNCLEAR if unsure else "", dice=tuple(dice))
