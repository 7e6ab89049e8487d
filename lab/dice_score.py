"""Compares readings of dice photographs with the truth, source by source."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

import msgspec

from companion.commands.output import part
from companion.errors.causes import NOT_JSON, cause_of
from companion.files import read_text
from companion.games.watching import Observation
from hardware.vision.dice import DiceReader
from hardware.vision.dice.photo import load_photo
from hardware.vision.errors import SceneError

T = TypeVar("T", bound=msgspec.Struct)


class PhotoTruth(msgspec.Struct, frozen=True):
    """One line of truth.jsonl in a folder of dice photographs."""

    image: str
    pips: tuple[int, ...]
    boxes: tuple[tuple[float, float, float, float, int], ...] = ()
    """Each die's x, y, width, height in px, and value; empty if the boxes are unknown."""
    group: str = ""
    """The source of the photo."""


class DiceScore(msgspec.Struct, frozen=True):
    """The counts of one source. `ms` is the median time per photo, in milliseconds."""

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


def truth_lines(folder: Path, kind: type[T]) -> list[T]:
    """The lines of a folder's truth.jsonl. Raises `SceneError` with the number of the wrong line."""
    path = folder / "truth.jsonl"
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError):
        against = "without a truth there is nothing to hold a reading against"
        raise SceneError(f"{path} cannot be read: {against}.") from None
    truths = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                truths.append(msgspec.json.decode(line, type=kind))
            except NOT_JSON as reason:
                cause = cause_of(reason, kind, line.encode())
                raise SceneError(f"{path}, line {number}: {cause}.") from None
    return truths


def photo_truths(folder: Path) -> list[PhotoTruth] | None:
    """The truth of a folder of dice photographs; None for a folder of another kind."""
    if (folder / "scene.json").exists() or not (folder / "truth.jsonl").exists():
        return None
    return truth_lines(folder, PhotoTruth)


COUNTED = [name for name in DiceScore.__struct_fields__ if name not in ("folder", "source", "ms")]


def score_photos(folder: Path, truths: list[PhotoTruth]) -> list[DiceScore]:
    """Read every photo, compare it with its truth, and score each source. Raises `UserError`."""
    reader = DiceReader()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    spent: defaultdict[str, list[float]] = defaultdict(list)
    for truth in truths:
        photo = load_photo(folder / truth.image)
        begun = perf_counter()
        reading = reader.read_dice(photo.upright)
        spent[truth.group].append(1000 * (perf_counter() - begun))
        boxes = [photo.as_stored(die.box) for die in reading.dice or ()]
        _count(counts[truth.group], truth, reading, [(x + w / 2, y + h / 2) for x, y, w, h in boxes])
    return [
        DiceScore(
            folder=folder.name,
            source=source,
            **{name: n[name] for name in COUNTED},
            ms=round(median(spent[source]), 2),
        )
        for source, n in counts.items()
    ]


def _count(
    n: Counter[str], truth: PhotoTruth, reading: Observation, middles: list[tuple[float, float]]
) -> None:
    exact, right = reading.values == tuple(sorted(truth.pips)), _right(truth, reading, middles)
    n["photos"] += 1
    n["asked" if reading.unsure else "exact" if exact else "silently_wrong"] += 1
    n["dice"] += len(truth.pips)
    n["dice_right"] += right
    n["dice_made_up"] += len(reading.dice or ()) - right


def _right(truth: PhotoTruth, reading: Observation, middles: list[tuple[float, float]]) -> int:
    if not truth.boxes:
        return (Counter(truth.pips) & Counter(reading.values)).total()
    left = [(die.value, *middle) for die, middle in zip(reading.dice or (), middles, strict=True)]
    for x, y, width, height, value in truth.boxes:
        same = (die for die in left if die[0] == value)
        here = next((die for die in same if 0 <= die[1] - x <= width and 0 <= die[2] - y <= height), None)
        if here:
            left.remove(here)
    return len(middles) - len(left)
