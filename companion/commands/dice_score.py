"""Compares readings of dice photographs with the truth, source by source."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from companion.commands.output import part
from companion.errors.causes import NOT_JSON, cause_of
from companion.files import read_bytes, unmarked
from companion.games.watching import Observation
from hardware.vision.dice import DiceReader
from hardware.vision.dice.photo import load_photo
from hardware.vision.errors import SceneError


class PhotoTruth(msgspec.Struct, frozen=True):
    """One line of truth.jsonl in a folder of dice photographs."""

    image: str
    pips: tuple[int, ...]
    """The values of the dice in the photo."""
    boxes: tuple[tuple[float, float, float, float, int], ...] = ()
    """Each die's box and value: x, y, width, height in px, value. Empty where the boxes are not known."""
    group: str = ""
    """The source of the photo."""


class DiceScore(msgspec.Struct, frozen=True):
    """How the photos of one source were read. `ms` is the median time per photo, in milliseconds."""

    folder: str
    source: str
    photos: int
    exact: int
    asked: int
    silently_wrong: int
    dice: int
    dice_right: int
    dice_made_up: int
    ms: float

    def lines(self) -> list[str]:
        """The score as text, one line per figure."""
        return [
            f"{self.folder}, {self.source or 'all'}: {self.photos} photos",
            f"  exact           {part(self.exact, self.photos)}",
            f"  asked           {part(self.asked, self.photos)}",
            f"  silently wrong  {part(self.silently_wrong, self.photos)}",
            f"  dice right      {part(self.dice_right, self.dice)}, {self.dice_made_up} made up",
            f"  ms (median)     {self.ms:.1f}",
        ]


def photo_truths(folder: Path) -> list[PhotoTruth] | None:
    """The truth of a folder of dice photographs; None for a folder of another kind."""
    try:
        lines = unmarked(read_bytes(folder / "truth.jsonl")).splitlines()
    except OSError:
        return None
    if (folder / "scene.json").exists():
        return None
    try:
        return [msgspec.json.decode(line, type=PhotoTruth) for line in lines if line.strip()]
    except NOT_JSON as reason:
        raise SceneError(f"{folder / 'truth.jsonl'}: {cause_of(reason, PhotoTruth)}.") from None


def score_photos(folder: Path, truths: list[PhotoTruth]) -> list[DiceScore]:
    """Read every photo, compare it with its truth, and score each source. Raises `MendableError`."""
    reader = DiceReader()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    spent: defaultdict[str, list[float]] = defaultdict(list)
    for truth in truths:
        photo = load_photo(folder / truth.image)
        begun = perf_counter()
        reading = reader.read(photo.upright)
        spent[truth.group].append(1000 * (perf_counter() - begun))
        boxes = [photo.as_stored(die.box) for die in reading.dice or ()]
        _count(counts[truth.group], truth, reading, [(x + w / 2, y + h / 2) for x, y, w, h in boxes])
    return [
        DiceScore(
            folder=folder.name,
            source=source,
            **{
                name: n[name]
                for name in DiceScore.__struct_fields__
                if name not in ("folder", "source", "ms")
            },
            ms=round(median(spent[source]), 2),
        )
        for source, n in counts.items()
    ]


def _count(
    n: Counter[str], truth: PhotoTruth, reading: Observation, middles: list[tuple[float, float]]
) -> None:
    exact = reading.values == tuple(sorted(truth.pips))
    right = _right(truth, reading, middles)
    n["photos"] += 1
    n["asked" if reading.unsure else "exact" if exact else "silently_wrong"] += 1
    n["dice"] += len(truth.pips)
    n["dice_right"] += right
    n["dice_made_up"] += len(reading.dice or ()) - right


def _right(truth: PhotoTruth, reading: Observation, middles: list[tuple[float, float]]) -> int:
    """The number of dice read right: by value, and by position where the truth has boxes."""
    if not truth.boxes:
        return (Counter(truth.pips) & Counter(reading.values)).total()
    left = [(die.value, *middle) for die, middle in zip(reading.dice or (), middles, strict=True)]
    for x, y, width, height, value in truth.boxes:
        here = [
            die for die in left if die[0] == value and 0 <= die[1] - x <= width and 0 <= die[2] - y <= height
        ]
        if here:
            left.remove(here[0])
    return len(middles) - len(left)
