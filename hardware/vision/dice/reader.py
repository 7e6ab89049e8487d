"""Reads pip dice in a picture.

The detector says where dice lie; the classifier and the pip reader say what they show. What these leave open
is compared with the six patterns of pips. What is not clear then stays unsure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.games.watching import Die, Observation
from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice import patterns
from hardware.vision.dice.classifier import NONE, UNSURE, Classifier, Verdict
from hardware.vision.dice.detector import Detection, Detector
from hardware.vision.dice.pip_reader import PipReader
from hardware.vision.overlap import non_max_suppression

# The numbers below were chosen on drawn pictures and on the labelled photographs, each source read by
# networks that had not seen it: they are not held out. docs/dice.md says how well they do.

WEIGHTS = Path(__file__).parent / "weights"
"""The folder of the networks' weights."""
NO_DIE = 0.98
"""The classifier's chance of no die from which on the pip reader is not asked."""
CLASSIFIER_SHARE = 0.2
"""The weight of the classifier's chances against the pip reader's."""
CLEAR_VALUE = 0.97
"""The networks' chance of a value from which on the patterns are not asked."""
NETWORKS_WEIGHT = 0.7
"""The weight of the logarithm of a value's chance by the networks."""
PATTERNS_WEIGHT = 8.0
"""The weight of the fit of a value's pattern."""
LEAST_CHANCE = 1e-3
"""Added to the networks' chance of a value before its logarithm."""
LEAST_FORESHORTENING = 0.4
"""The least ratio of a face's height to its width, seen from aside."""
MOST_FORESHORTENING = 1.3
"""The most that this ratio may be."""
SCORE_FLOOR = 0.2
"""A detector's score counts in full from one minus this on."""
THERE = 0.45
"""The chance from which on a detection is a die."""
PERHAPS = 0.35
"""The chance from which on a detection that shows a value may be a die: a person is asked."""
CERTAINLY_THERE = 0.55
"""The chance from which on no person is asked whether it is one."""
SHOWS = 0.6
"""The chance of a value from which on a detection shows it."""
SURE = 0.7
"""The chance of a value from which on it is believed."""
ASKEW = 0.2
"""The chance from which on a die that is not clear is said to be askew, half hidden or rolling."""
WEAK = 0.6
"""The chance of a die below which a detection without a clear value is print, keys or a label."""
MUDDLED = 0.4
"""The chance below which its value is not clear."""
SAME_DIE = 0.55
"""The distance of two faces' middles, in edges, below which they are one die seen twice."""
SIDE_BELOW = 0.3
"""The least distance, in edges, at which a die's side face lies below its uppermost one."""
SIDE_WITHIN = 1.1
"""The farthest that it lies from the middle of that, in edges."""
SIDE_WEAKER = 0.93
"""The ratio of the two chances below which the lower one may be the side face."""
SIDE_ASIDE = 0.6
"""The farthest that it lies to the left or right, in edges."""
SIDE_LIKE = 1.5
"""The largest ratio of the two edges."""
SIDE_AT_MOST = 0.6
"""The chance from which on a side face may be a die that touches the other: a person is asked."""
MUCH_SMALLER = 0.5
"""The ratio of edges below which a die inside another lies on it: the larger one is a tray or a card.

On the virtual table a die is a quarter of its tray.
"""
LEAST_EDGE_PX = 13.0
"""The edge in px below which dice are not read: a person is asked."""
PLAIN = 0.8
"""The chance below which what is that small is a letter or a key, and no die."""
LEAST_PICTURE_PX = 16
"""The shorter side of a picture in px below which it holds no die."""
MAY_BE = "something may be a die or not"
"""What a person is asked about a detection that is no certain die."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A detection, weighed: `there` the chance that it is a die, `value` the best guess, `sure` its chance.

    `doubtful`: a person must say if it is a die.
    """

    there: float
    value: int
    sure: float
    verdict: Verdict
    doubtful: bool = False


class DiceReader:
    """Reads dice. Loading takes about 20 ms; one reader serves many pictures, from one thread at a time."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._detector = Detector(weights / "detector.onnx")
        self._classifier = Classifier(weights / "classifier.onnx")
        self._pip_reader = PipReader(weights / "pip_reader.onnx")

    def read(
        self,
        picture: Picture,
        box: Sequence[tuple[float, float]] | tuple[int, int, int, int] | None = None,
        *,
        faces: Collection[int] = range(1, 7),
    ) -> Observation:
        """The dice in a picture (BGR, shape `(h, w, 3)`).

        `box` bounds where dice count: (x, y, width, height) or the corners of the tray, px. `faces` are the
        values that these dice have: any other value is unsure.
        """
        left, top, right, bottom = bounds(picture, box)
        part = np.ascontiguousarray(picture[top:bottom, left:right])
        if min(part.shape[:2]) < LEAST_PICTURE_PX:
            return Observation(dice=(), unsure=True, why="the picture is too small to hold a die")
        return _reading(self._dice(part), faces, (left, top))

    def _dice(self, part: Picture) -> list[_Seen]:
        """The dice of a part of the picture: the classifier refines middle and size for the pip reader.

        A value that is left open is compared with the patterns of pips.
        """
        seen = []
        for detection in self._detector.find(part):
            classified = self._classifier.look(part, detection.x, detection.y, detection.edge)
            if classified.chances[NONE] < NO_DIE:
                counted = self._pip_reader.look(part, classified.x, classified.y, classified.edge)
                chances = CLASSIFIER_SHARE * classified.chances + (1 - CLASSIFIER_SHARE) * counted.chances
                if chances[1:7].max() < CLEAR_VALUE * (1 - chances[NONE]):
                    chances = _with_patterns(part, counted, chances)
                verdict = replace(counted, chances=chances, colour=classified.colour)
                seen.append(_weigh(detection, verdict))
        return _suppressed(seen)


def bounds(
    picture: Picture, box: Sequence[tuple[float, float]] | tuple[int, int, int, int] | None
) -> tuple[int, int, int, int]:
    """The left, top, right and bottom px of the part where dice count, within the picture."""
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


def _with_patterns(part: Picture, face: Verdict, chances: Float32) -> Float32:
    """The chances with those of the six values moved by how well each one's pattern fits the face."""
    ratio = face.height / max(face.width, 1.0)
    foreshortening = float(np.clip(ratio, LEAST_FORESHORTENING, MOST_FORESHORTENING))
    fit = patterns.fits(part, face.x, face.y, face.edge, foreshortening)
    values = chances[1:7]
    logs = NETWORKS_WEIGHT * np.log(values / values.sum() + LEAST_CHANCE) + PATTERNS_WEIGHT * fit
    moved = np.exp(logs - logs.max())
    return float32([chances[NONE], *(moved * values.sum() / moved.sum()), chances[UNSURE]])


def _weigh(detection: Detection, verdict: Verdict) -> _Seen:
    """A detection as a die: the detector's score and the chances taken together."""
    there = float(1 - verdict.chances[NONE])
    values = verdict.chances[1:7]
    sure = float(values.max()) / max(1e-6, there)
    return _Seen(there * min(1.0, SCORE_FLOOR + detection.score), int(values.argmax()) + 1, sure, verdict)


def _suppressed(seen: list[_Seen]) -> list[_Seen]:
    """Every die once, the surest sight of it; what is most likely none is left out."""
    best_first = sorted(filter(_may_be_die, seen), key=lambda s: -s.there)
    kept = non_max_suppression(best_first, _is_same_die)
    dice = [
        replace(die, doubtful=die.there < CERTAINLY_THERE or any(_is_side_of(die, other) for other in kept))
        for die in kept
    ]
    return [die for die in dice if not any(_lies_on(other.verdict, die.verdict) for other in dice)]


def _is_same_die(die: _Seen, other: _Seen) -> bool:
    """Whether a sight shows a better one's die, by the same face or by a side face."""
    side = die.there < SIDE_AT_MOST and _is_side_of(die, other)
    return side or _distance(die, other) < SAME_DIE


def _may_be_die(die: _Seen) -> bool:
    print_or_key = die.there < WEAK and die.sure < MUDDLED
    letter = die.there < PLAIN and die.verdict.edge < LEAST_EDGE_PX
    there = die.there >= THERE or (die.there >= PERHAPS and die.sure > SHOWS)
    return there and not print_or_key and not letter


def _distance(die: _Seen, other: _Seen) -> float:
    """The distance of two faces' middles, in the smaller one's edges."""
    one, two = die.verdict, other.verdict
    return float(np.hypot(one.x - two.x, one.y - two.y)) / min(one.edge, two.edge)


def _is_side_of(die: _Seen, other: _Seen) -> bool:
    """Whether a sight may be a side face of a die whose uppermost one is seen."""
    one, two = die.verdict, other.verdict
    small, large = sorted((one.edge, two.edge))
    below = one.y - two.y > SIDE_BELOW * small and abs(one.x - two.x) < SIDE_ASIDE * small
    near = _distance(die, other) < SIDE_WITHIN and large < SIDE_LIKE * small
    return below and near and die.there < SIDE_WEAKER * other.there


def _lies_on(die: Verdict, ground: Verdict) -> bool:
    """Whether what looks like a large die is a tray or a card with a much smaller die lying on it."""
    off = max(abs(die.x - ground.x) / ground.width, abs(die.y - ground.y) / ground.height)
    return off < 0.5 and die.edge < MUCH_SMALLER * ground.edge


def _reading(seen: list[_Seen], faces: Collection[int], origin: tuple[int, int]) -> Observation:
    """The reading of what was seen: the dice that are there, and whether a person must be asked about any."""
    dice, doubts = [], []
    for s in sorted(seen, key=lambda s: s.verdict.x):
        v = s.verdict
        if s.there < THERE:
            doubts.append(MAY_BE)
            continue
        box = (
            round(v.x - v.width / 2) + origin[0],
            round(v.y - v.height / 2) + origin[1],
            round(v.width),
            round(v.height),
        )
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
