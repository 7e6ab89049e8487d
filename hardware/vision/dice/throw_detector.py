"""Detects throws in live pictures. A throw is reported once, when its dice have come to rest."""

from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from companion.games.watching import Die, Observation
from hardware.arrays import Picture
from hardware.vision.dice.reader import UNCLEAR, DiceReader, bounds
from hardware.vision.dice.table_view import TableView
from hardware.vision.motion import Stillness

Region = Sequence[tuple[float, float]] | tuple[int, int, int, int] | None
"""The part to search: (x, y, width, height) or the corners of the tray, in px; None for the whole picture."""

PATCHES = (40, 30)
MOST_READINGS = 4
"""The maximum number of readings of dice at rest, if no two agree. Tried on drawn pictures with grain."""
STAYED = 0.3
"""The share of a die's width within which it is the same die as one that lay there before."""
ANY_FACE = range(1, 7)


class ThrowDetector:
    """Watches one place for throws.

    `count`: the number of dice of a throw (None: any). `faces`: the values of these dice. `box`: where to
    look.
    """

    def __init__(
        self,
        reader: DiceReader,
        *,
        count: int | None = None,
        faces: Collection[int] = ANY_FACE,
        box: Region = None,
    ) -> None:
        self._reader, self._count, self._faces, self._box = reader, count, faces, box
        self._stillness = Stillness(PATCHES, MOST_READINGS)
        self._last: Observation | None = None
        self._others_lie = False
        self._lying: tuple[Die, ...] = ()
        self._shifted = False

    def camera_moved(self) -> None:
        """Expect the present dice elsewhere: with the same values they are no new throw."""
        self._shifted = True

    def expect(self, count: int | None, faces: Collection[int], *, others_lie: bool = False) -> None:
        """Set the number of dice of the next throw, and their values.

        `others_lie`: dice of earlier throws may lie there too; unmoved ones are not part of the throw.
        """
        self._count, self._faces, self._others_lie = count, faces, others_lie

    def detect_throw(
        self, picture: Picture, at_s: float, view: TableView | None = None
    ) -> Observation | None:
        """The throw that this picture (BGR), taken at `at_s` seconds, completes; usually None.

        `view`: how the picture shows the table, as in `DiceReader.read_dice`.
        """
        if self._stillness.waits(_part(picture, self._box), at_s):
            return None
        # Other dice may have other faces, so a throw is compared with its own faces afterwards.
        faces, count = (ANY_FACE, None) if self._others_lie else (self._faces, self._count)
        settled = self._stillness.settle(
            self._reader.read_dice(picture, self._box, faces=faces, view=view, count=count), _same
        )
        if settled is None:
            return None
        reading, agreed = settled
        if self._is_seen_elsewhere(reading):
            return None
        if not agreed:
            reading = _doubted(reading)
        return self._moved_dice(reading) if self._others_lie else self._new_throw(self._counted(reading))

    def _is_seen_elsewhere(self, reading: Observation) -> bool:
        """True if the dice lie as before, and only the picture was moved."""
        lay = self._lying if self._others_lie else (self._last and self._last.dice) or ()
        shifted, self._shifted = self._shifted, False
        dice = reading.dice or ()
        if (
            reading.unsure
            or not dice
            or not (_alike(dice, lay) if shifted else _are_moved_together(dice, lay))
        ):
            return False
        self._last, self._lying = reading, dice
        return True

    def _moved_dice(self, reading: Observation) -> Observation | None:
        """The reading without the dice that lie where one of their colour lay before."""
        if not reading.dice and not reading.unsure:
            self._lying = ()
        thrown = tuple(die for die in reading.dice or () if not _stayed(die, self._lying))
        if not thrown:
            return None
        colours = {die.colour for die in thrown}
        self._lying = (*(die for die in self._lying if die.colour not in colours), *thrown)
        reading = msgspec.structs.replace(reading, dice=thrown)
        if any(die.value not in self._faces for die in thrown):
            reading = _doubted(reading)
        return self._counted(reading)

    def _counted(self, reading: Observation) -> Observation:
        count = len(reading.dice or ())
        if self._count is None or count in (0, self._count):
            return reading
        return _doubted(reading)

    def _new_throw(self, reading: Observation) -> Observation | None:
        """The reading if it is a new throw; after an empty table, any dice are a new throw."""
        if not reading.dice and not reading.unsure:
            self._last = None
            return None
        # New if fewer than half of the dice stayed, or, after an unsure throw, if anything changed.
        last, dice = self._last, reading.dice or ()
        if last is not None and (
            _same(last, reading)
            if last.unsure
            else dice and 2 * sum(_stayed(die, last.dice or ()) for die in dice) >= len(dice)
        ):
            return None
        self._last = reading
        return reading


def _doubted(reading: Observation) -> Observation:
    return msgspec.structs.replace(reading, unsure=True, why=UNCLEAR)


def _part(picture: Picture, box: Region) -> Picture:
    left, top, right, bottom = bounds(picture, box)
    return picture[top:bottom, left:right] if right > left and bottom > top else picture


def _stayed(die: Die, others: Sequence[Die]) -> bool:
    """True if one of the others shows the same value in the same place."""
    x, y, width, height = die.box
    reach = STAYED * max(width, height)
    return any(
        die.value == o.value
        and np.hypot(x - o.box[0] + (width - o.box[2]) / 2, y - o.box[1] + (height - o.box[3]) / 2) < reach
        for o in others
    )


def _alike(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """True if these dice have the values and colours of the others."""
    return sorted((d.value, d.colour) for d in dice) == sorted((o.value, o.colour) for o in others)


def _are_moved_together(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """True if these are the other dice, several that are all shifted alike: nobody throws like that."""
    if len(dice) < 2 or not _alike(dice, others) or any(_stayed(die, others) for die in dice):
        return False
    off = np.mean([die.box for die in dice], axis=0) - np.mean([other.box for other in others], axis=0)
    x, y = int(off[0]), int(off[1])
    return all(
        _stayed(msgspec.structs.replace(die, box=(die.box[0] - x, die.box[1] - y, *die.box[2:])), others)
        for die in dice
    )


def _same(one: Observation, two: Observation) -> bool:
    """True if two readings are of the same dice."""
    dice, others = one.dice or (), two.dice or ()
    return one.unsure == two.unsure and len(dice) == len(others) and all(_stayed(d, others) for d in dice)
