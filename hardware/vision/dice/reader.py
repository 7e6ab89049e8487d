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

# The numbers below were chosen on drawn pictures and on the labelled photographs, each source read by
# networks that had not seen it: they are not held out. docs/dice.md says how well they do.

WEIGHTS = Path(__file__).parent / "weights"

NO_DIE = 0.98
"""A first look as sure as this that there is no die needs no second one."""
JUDGES_SHARE = 0.2
"""How much the classifier's chances count beside the pip reader's."""
SETTLED = 0.97
"""A value that the networks are so sure of is not held against the patterns any more."""
NETWORKS_WEIGHT, PATTERNS_WEIGHT, LEAST_CHANCE = 0.7, 8.0, 1e-3
"""What the logarithm of a value's chance counts for, what its pattern's fit, and the least a chance is."""
LEAST_SQUASH, MOST_SQUASH = 0.4, 1.3
"""A face's height against its width is held to be within these."""
SCORE_FLOOR = 0.2
"""A detector's score counts in full from one minus this on."""
THERE = 0.45
"""A place counts as a die from this chance on."""
PERHAPS, CERTAINLY_THERE = 0.35, 0.55
"""Between the first and the second a person is asked; below `THERE` only where a value shows."""
SHOWS = 0.6
"""A place shows a value from this chance of it on."""
SURE = 0.7
"""A value is believed from this chance on."""
ASKEW = 0.2
"""A die that is not clear is said to be askew, half hidden or rolling where that is likelier than this."""
WEAK, MUDDLED = 0.6, 0.4
"""What is less certainly there than the first and shows no value surer than the second is print, keys or a
label, and no die."""
SAME_DIE = 0.55
"""Two dice whose faces' middles are nearer than this share of an edge are one die seen twice."""
SIDE_BELOW, SIDE_WITHIN, SIDE_WEAKER = 0.3, 1.1, 0.93
"""A die's side face lies at least the first below and at most the second from the middle of its uppermost
one, in edges, and is seen as a die less certainly than that by the third, a factor."""
SIDE_ASIDE, SIDE_LIKE = 0.6, 1.5
"""And it lies aside by less than this in edges, and is of a like size but for this factor."""
SIDE_AT_MOST = 0.6
"""What is a die more certainly than this may be one that touches the other, and is asked about."""
MUCH_SMALLER = 0.5
"""A die of less than this share of another's edge, inside it, lies on something that is no die (virtual
table: a die is a quarter of its tray)."""
LEAST_EDGE_PX, PLAIN = 13.0, 0.8
"""Smaller dice are not read: what is that small is asked about where it is a die more certainly than the
second, and is taken for a letter or a key where not."""


MAY_BE = "something may be a die or not"


@dataclass(frozen=True, slots=True)
class _Seen:
    """A die with all that is held of it: `there` the chance that it is one, `value` the best guess, `sure`
    its chance, `doubtful` whether a person must say if it is one."""

    there: float
    value: int
    sure: float
    verdict: Verdict
    doubtful: bool = False


class DiceReader:
    """Reads dice. Loading takes some 20 ms; one reader serves many pictures, from one thread at a time."""

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
        if min(part.shape[:2]) < 16:
            return Observation(dice=(), unsure=True, why="the picture is too small to hold a die")
        return _reading(self._dice(part), faces, (left, top))

    def _dice(self, part: Picture) -> list[_Seen]:
        """The dice of a part of the picture: the classifier refines middle and size for the pip reader.

        A value that is left open is held against the patterns of pips.
        """
        seen = []
        for place in self._detector.find(part):
            judged = self._classifier.look(part, place.x, place.y, place.edge)
            if judged.chances[NONE] < NO_DIE:
                counted = self._pip_reader.look(part, judged.x, judged.y, judged.edge)
                chances = JUDGES_SHARE * judged.chances + (1 - JUDGES_SHARE) * counted.chances
                if chances[1:7].max() < SETTLED * (1 - chances[NONE]):
                    chances = _held_against_patterns(part, counted, chances)
                seen.append(_weigh(place, replace(counted, chances=chances, colour=judged.colour)))
        return _one_each(seen)


def bounds(
    picture: Picture, box: Sequence[tuple[float, float]] | tuple[int, int, int, int] | None
) -> tuple[int, int, int, int]:
    """Left, top, right and bottom px of where dice count, within the picture."""
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


def _held_against_patterns(part: Picture, face: Verdict, chances: Float32) -> Float32:
    """The chances with those of the six values moved by how well each one's pattern fits the face."""
    squash = float(np.clip(face.height / max(face.width, 1.0), LEAST_SQUASH, MOST_SQUASH))
    fit = patterns.fits(part, face.x, face.y, face.edge, squash)
    values = chances[1:7]
    logs = NETWORKS_WEIGHT * np.log(values / values.sum() + LEAST_CHANCE) + PATTERNS_WEIGHT * fit
    moved = np.exp(logs - logs.max())
    return float32([chances[NONE], *(moved * values.sum() / moved.sum()), chances[UNSURE]])


def _weigh(place: Detection, verdict: Verdict) -> _Seen:
    """A place as a die: the detector's score and the chances taken together."""
    there = float(1 - verdict.chances[NONE])
    values = verdict.chances[1:7]
    sure = float(values.max()) / max(1e-6, there)
    return _Seen(there * min(1.0, SCORE_FLOOR + place.score), int(values.argmax()) + 1, sure, verdict)


def _one_each(seen: list[_Seen]) -> list[_Seen]:
    """Every die once, the surest sight of it; what is most likely none is left out."""
    kept: list[_Seen] = []
    for die in sorted(filter(_may_be_die, seen), key=lambda s: -s.there):
        side = any(_is_side_of(die, other) for other in kept)
        if any(_apart(die, other) < SAME_DIE for other in kept) or (side and die.there < SIDE_AT_MOST):
            continue
        kept.append(replace(die, doubtful=side or die.there < CERTAINLY_THERE))
    return [die for die in kept if not any(_lies_on(other.verdict, die.verdict) for other in kept)]


def _may_be_die(die: _Seen) -> bool:
    print_or_key = die.there < WEAK and die.sure < MUDDLED
    letter = die.there < PLAIN and die.verdict.edge < LEAST_EDGE_PX
    there = die.there >= THERE or (die.there >= PERHAPS and die.sure > SHOWS)
    return there and not print_or_key and not letter


def _apart(die: _Seen, other: _Seen) -> float:
    """How far apart two faces' middles are, in the smaller one's edges."""
    one, two = die.verdict, other.verdict
    return float(np.hypot(one.x - two.x, one.y - two.y)) / min(one.edge, two.edge)


def _is_side_of(die: _Seen, other: _Seen) -> bool:
    """Whether a sight may be a side face of a die whose uppermost one is seen."""
    one, two = die.verdict, other.verdict
    small, large = sorted((one.edge, two.edge))
    below = one.y - two.y > SIDE_BELOW * small and abs(one.x - two.x) < SIDE_ASIDE * small
    near = _apart(die, other) < SIDE_WITHIN and large < SIDE_LIKE * small
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
