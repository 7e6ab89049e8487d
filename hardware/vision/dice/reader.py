"""Reads pip dice in a picture.

The detector says where dice lie; the classifier and the pip reader say what they show. What these leave open
is looked at by the close reader, and compared with the six patterns of pips. If it is still not clear, the
reading is unsure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from companion.games.watching import Die, Observation
from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice import patterns
from hardware.vision.dice.classifier import NONE, UNSURE, Classifier, Verdict
from hardware.vision.dice.close_reader import CloseReader
from hardware.vision.dice.detector import Detection, Detector
from hardware.vision.dice.photo import turned
from hardware.vision.dice.pip_reader import PipReader
from hardware.vision.dice.table_view import TableView
from hardware.vision.overlap import non_max_suppression

# The thresholds below were chosen on drawn pictures and on the labelled photographs, each source read by
# networks that had not seen it. So no test data was held out for them. docs/dice.md has the figures.

WEIGHTS = Path(__file__).parent / "weights"
"""The folder with the networks' weights."""
NO_DIE = 0.98
"""The classifier's probability of no die from which on the pip reader is skipped."""
CLASSIFIER_SHARE = 0.2
"""The weight of the classifier's probabilities of the values; the pip reader's is the rest."""
CLASSIFIER_SHARE_OF_NONE = 0.35
"""The same for the probability of no die: the classifier sees more of what lies around."""
CLEAR_VALUE = 0.97
"""The networks' probability of a value from which on the patterns are skipped."""
CLEARLY_THERE = 0.75
"""The probability of a die from which on, with a clear value, the close reader is skipped."""
CLOSE_SHARE_OF_NONE = 0.4
"""The weight of the close reader's probability of no die; that of the others together is the rest.

The values are the close reader's alone. With half the weight, 1.5 % fewer of the held-out photographs were
read exactly.
"""
NETWORKS_WEIGHT = 0.7
"""The weight of the logarithm of the networks' probability of a value."""
PATTERNS_WEIGHT = 8.0
"""The weight of the fit of a value's pattern."""
LEAST_CHANCE = 1e-3
"""Added to the networks' probability of a value before its logarithm."""
LEAST_FORESHORTENING = 0.4
"""The minimum ratio of a face's height to its width, when seen from the side."""
MOST_FORESHORTENING = 1.3
"""The maximum of this ratio."""
SCORE_FLOOR = 0.2
"""Added to the detector's score; a score above one minus this counts in full."""
THERE = 0.45
"""The minimum probability of a die."""
PERHAPS = 0.35
"""The minimum probability at which a detection with a value may be a die, so that a person is asked."""
CERTAINLY_THERE = 0.55
"""The minimum probability at which nobody is asked whether it is a die."""
SHOWS = 0.85
"""The probability of a value above which a detection that may be a die is asked about."""
SURE = 0.7
"""The minimum probability to believe a value."""
ASKEW = 0.2
"""The probability above which an unclear die is reported as askew, half hidden or rolling."""
WEAK = 0.6
"""The probability of a die below which a detection without a clear value is print, a key or a label."""
MUDDLED = 0.4
"""The probability of a value below which it is not clear."""
SAME_DIE = 0.55
"""The distance of two faces' centres, in edges, below which they are the same die."""
PLAINLY_DIE = 0.8
"""The probability of a die, and of its value, from which on it tells the others' size and slant."""
SMALLER = 0.6
"""The ratio of edges below which a detection is too small for the dice of this picture."""
LARGER = 1.7
"""The ratio of edges above which it is too large for them."""
UNLIKE_VALUE = 0.5
"""The probability of a value below which a detection of another size than the dice is no die."""
USUAL_FORESHORTENING = 0.8
"""The ratio of a face's height to its width, if no die of the picture is plain enough to measure it."""
FROM_ABOVE = 0.95
"""This ratio from which on the camera looks down so steeply that no side face is seen."""
SIDE_OFF = 0.25
"""The maximum distance, in edges, up or down from where a side face must be."""
SIDE_WEAKER = 0.93
"""The ratio of the two probabilities below which the lower face may be a side face."""
SIDE_ASIDE = 0.6
"""The maximum distance of a side face to the left or right, in edges."""
SIDE_LIKE = 1.8
"""The maximum ratio of the two faces' edges."""
SIDE_AT_MOST = 0.6
"""The probability from which on a side face may be a die of its own, so that a person is asked."""
MUCH_SMALLER = 0.5
"""The ratio of edges below which a die inside another one lies on it: the larger one is a tray or a card.

On the virtual table, a die is a quarter of its tray.
"""
LEAST_EDGE_PX = 13.0
"""The edge in px below which a die is not read, but asked about."""
PLAIN = 0.8
"""The probability below which something that small is not a die, but a letter or a key."""
LEAST_PICTURE_PX = 16
"""The minimum length in px of the shorter side of a picture with a die."""
MAY_BE = "something may be a die or not"
"""The question about a detection that may not be a die."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A weighed detection: `there`, the probability of a die; `value`, the best guess; `sure`, its
    probability.

    `doubtful`: a person must say whether it is a die.
    """

    there: float
    value: int
    sure: float
    verdict: Verdict
    doubtful: bool = False


class DiceReader:
    """Reads dice. Loading takes about 20 ms; one reader serves many pictures. Not thread-safe."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._detector = Detector(weights / "detector.onnx")
        self._classifier = Classifier(weights / "classifier.onnx")
        self._pip_reader = PipReader(weights / "pip_reader.onnx")
        self._close_reader = CloseReader(weights / "close_reader.onnx")

    def read(
        self,
        picture: Picture,
        box: Sequence[tuple[float, float]] | tuple[int, int, int, int] | None = None,
        *,
        faces: Collection[int] = range(1, 7),
        view: TableView | None = None,
    ) -> Observation:
        """The dice in a picture (BGR, shape `(h, w, 3)`).

        Only dice inside `box` count: (x, y, width, height) or the corners of the tray, in px. `faces` are the
        values that these dice have; any other value makes the reading unsure. `view`: how the picture shows
        the table; without it, up on the table is taken to be up in the picture. The dice come from left to
        right.
        """
        left, top, right, bottom = bounds(picture, box)
        part = np.ascontiguousarray(picture[top:bottom, left:right])
        if min(part.shape[:2]) < LEAST_PICTURE_PX:
            return Observation(dice=(), unsure=True, why="the picture is too small to hold a die")
        view = view or TableView()
        photo = turned(part, view.turns)
        reading = _reading(self._dice(photo.upright), faces)
        dice = []
        for die in reading.dice or ():
            x, y, width, height = photo.as_stored(die.box)
            placed = msgspec.structs.replace(die, box=(x + left, y + top, width, height))
            dice.append(view.named(picture, placed))
        from_left = sorted(dice, key=lambda die: die.box[0] + die.box[2] / 2)
        return msgspec.structs.replace(reading, dice=tuple(from_left))

    def _dice(self, part: Picture) -> list[_Seen]:
        """The dice in a part of the picture. The classifier refines centre and size for the pip reader.

        The close reader looks at what is still open. A value that it leaves open is compared with the
        patterns of pips.
        """
        seen = []
        for detection in self._detector.find(part):
            classified = self._classifier.look(part, detection.x, detection.y, detection.edge)
            if classified.chances[NONE] < NO_DIE:
                counted = self._pip_reader.look(part, classified.x, classified.y, classified.edge)
                chances = _together(classified.chances, counted.chances)
                there = _there(detection, chances)
                if there >= PERHAPS and not (_is_clear(chances) and there >= CLEARLY_THERE):
                    close = self._close_reader.look(part, counted.x, counted.y, counted.edge)
                    chances = _with_close(chances, close.chances)
                if not _is_clear(chances):
                    chances = _with_patterns(part, counted, chances)
                verdict = replace(counted, chances=chances, colour=classified.colour)
                seen.append(_weigh(detection, verdict))
        return _suppressed(seen)


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


def _together(classified: Float32, counted: Float32) -> Float32:
    """The probabilities of classifier and pip reader together."""
    none = CLASSIFIER_SHARE_OF_NONE * classified[NONE] + (1 - CLASSIFIER_SHARE_OF_NONE) * counted[NONE]
    values = CLASSIFIER_SHARE * _if_die(classified) + (1 - CLASSIFIER_SHARE) * _if_die(counted)
    return float32([none, *(1 - none) * values])


def _with_close(chances: Float32, close: Float32) -> Float32:
    """The close reader's probabilities of the values, and that of no die by all three networks."""
    none = CLOSE_SHARE_OF_NONE * close[NONE] + (1 - CLOSE_SHARE_OF_NONE) * chances[NONE]
    return float32([none, *(1 - none) * _if_die(close)])


def _is_clear(chances: Float32) -> bool:
    """Whether the networks' probability of a value is so high that nothing else is asked."""
    return bool(chances[1:7].max() >= CLEAR_VALUE * (1 - chances[NONE]))


def _there(detection: Detection, chances: Float32) -> float:
    """The probability of a die, by the detector's score too."""
    return float(1 - chances[NONE]) * min(1.0, SCORE_FLOOR + detection.score)


def _if_die(chances: Float32) -> Float32:
    """The probabilities of the values, and of an unreadable one, if a die is there."""
    return float32(chances[1:] / max(1e-6, float(1 - chances[NONE])))


def _with_patterns(part: Picture, face: Verdict, chances: Float32) -> Float32:
    """The probabilities, with those of the six values adjusted by how well each pattern fits the face."""
    ratio = face.height / max(face.width, 1.0)
    foreshortening = float(np.clip(ratio, LEAST_FORESHORTENING, MOST_FORESHORTENING))
    fit = patterns.fits(part, face.x, face.y, face.edge, foreshortening)
    values = chances[1:7]
    logs = NETWORKS_WEIGHT * np.log(values / values.sum() + LEAST_CHANCE) + PATTERNS_WEIGHT * fit
    moved = np.exp(logs - logs.max())
    return float32([chances[NONE], *(moved * values.sum() / moved.sum()), chances[UNSURE]])


def _weigh(detection: Detection, verdict: Verdict) -> _Seen:
    """Weigh a detection by the detector's score and the networks' probabilities."""
    values = verdict.chances[1:7]
    sure = float(values.max()) / max(1e-6, float(1 - verdict.chances[NONE]))
    return _Seen(_there(detection, verdict.chances), int(values.argmax()) + 1, sure, verdict)


def _suppressed(seen: list[_Seen]) -> list[_Seen]:
    """Each die once, by its surest detection, without what is probably not a die."""
    plain = [s for s in seen if min(s.there, s.sure) >= PLAINLY_DIE]
    best_first = sorted(filter(_may_be_die, _of_fitting_size(seen, plain)), key=lambda s: -s.there)
    slant = _foreshortening(plain)
    kept = non_max_suppression(best_first, partial(_is_same_die, foreshortening=slant))
    dice = [
        replace(
            die,
            doubtful=die.there < CERTAINLY_THERE or any(_is_side_of(die, other, slant) for other in kept),
        )
        for die in kept
    ]
    return [die for die in dice if not any(_lies_on(other.verdict, die.verdict) for other in dice)]


def _of_fitting_size(seen: list[_Seen], plain: list[_Seen]) -> list[_Seen]:
    """The detections about as large as the plain dice of the picture, or with a value, or plainly a die."""
    if not plain:
        return seen
    edge = float(np.median([die.verdict.edge for die in plain]))
    return [
        s
        for s in seen
        if SMALLER * edge < s.verdict.edge < LARGER * edge or s.there >= PLAINLY_DIE or s.sure >= UNLIKE_VALUE
    ]


def _foreshortening(plain: list[_Seen]) -> float:
    """The ratio of an upper face's height to its width, on which the plain dice of a picture agree."""
    ratios = [die.verdict.height / max(die.verdict.width, 1.0) for die in plain]
    return float(np.median(ratios)) if ratios else USUAL_FORESHORTENING


def _is_same_die(die: _Seen, other: _Seen, foreshortening: float) -> bool:
    """Whether a detection is the same die as a better one, by the same face or by a side face."""
    side = die.there < SIDE_AT_MOST and _is_side_of(die, other, foreshortening)
    return side or _distance(die, other) < SAME_DIE


def _may_be_die(die: _Seen) -> bool:
    print_or_key = die.there < WEAK and die.sure < MUDDLED
    letter = die.there < PLAIN and die.verdict.edge < LEAST_EDGE_PX
    there = die.there >= THERE or (die.there >= PERHAPS and die.sure > SHOWS)
    return there and not print_or_key and not letter


def _distance(die: _Seen, other: _Seen) -> float:
    """The distance of two faces' centres, in edges of the smaller one."""
    one, two = die.verdict, other.verdict
    return float(np.hypot(one.x - two.x, one.y - two.y)) / min(one.edge, two.edge)


def _is_side_of(die: _Seen, other: _Seen, foreshortening: float) -> bool:
    """Whether a detection may be a side face of a die whose upper face is seen.

    A side hangs from an edge of the upper face. Its middle lies below that edge's middle, by half the height
    of a side at this slant. The edge's middle is half an edge from the face's, on an ellipse.
    """
    one, two = die.verdict, other.verdict
    small, large = sorted((one.edge, two.edge))
    aside, below = abs(one.x - two.x) / two.edge, (one.y - two.y) / two.edge
    if foreshortening >= FROM_ABOVE or aside > SIDE_ASIDE or below <= 0:
        return False
    rim = foreshortening * np.sqrt(max(0.0, 0.25 - aside**2))
    hangs = np.sqrt(1 - foreshortening**2) / 2
    in_place = abs(below - rim - hangs) < SIDE_OFF and large < SIDE_LIKE * small
    return bool(in_place and die.there < SIDE_WEAKER * other.there)


def _lies_on(die: Verdict, ground: Verdict) -> bool:
    """Whether what looks like a large die is a tray or a card with a much smaller die on it."""
    off = max(abs(die.x - ground.x) / ground.width, abs(die.y - ground.y) / ground.height)
    return off < 0.5 and die.edge < MUCH_SMALLER * ground.edge


def _reading(seen: list[_Seen], faces: Collection[int]) -> Observation:
    """The reading: the dice that are there, and the doubts about which a person must be asked."""
    dice, doubts = [], []
    for s in sorted(seen, key=lambda s: s.verdict.x):
        v = s.verdict
        if s.there < THERE:
            doubts.append(MAY_BE)
            continue
        box = (round(v.x - v.width / 2), round(v.y - v.height / 2), round(v.width), round(v.height))
        dice.append(Die(s.value, v.colour, box, round(s.there * s.sure, 3)))
        if v.edge < LEAST_EDGE_PX:
            doubts.append("a die is too small to read")
        elif s.doubtful:
            doubts.append(MAY_BE)
        elif s.sure < SURE:
            askew = v.chances[UNSURE] > ASKEW
            doubts.append(
                "a die lies askew, is half hidden or still rolls" if askew else "a die's value is not clear"
            )
        elif s.value not in faces:
            doubts.append(f"a die shows {s.value}, which none of these dice has")
    return Observation(unsure=bool(doubts), why="; ".join(dict.fromkeys(doubts)), dice=tuple(dice))
