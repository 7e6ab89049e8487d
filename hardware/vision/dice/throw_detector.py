"""Dice on a live picture: a throw is told once they have come to rest, once, and not again until they have
moved."""

from collections.abc import Collection, Sequence
from typing import Protocol

import cv2
import msgspec
import numpy as np

from companion.games.watching import Die, Observation
from hardware.arrays import Float32, Picture
from hardware.vision.dice.reader import bounds

Region = Sequence[tuple[float, float]] | tuple[int, int, int, int] | None

REST_S = 0.5
"""How long nothing may stir before dice count as lying still."""
STIR_LEVELS = 7.0
"""A patch whose mean grey moves by more than this from one picture to the next stirs."""
PATCHES = (40, 30)
"""Columns and rows of patches that the watched part is looked at in."""
STAYED = 0.3
"""A die within this share of its own width of where one lay before is the one that lay there."""
ANY_FACE = range(1, 7)
MOST_LOOKS = 4
"""So often dice at rest are looked at for two readings that agree. These were tried on drawn pictures with
grain."""


class Reader(Protocol):
    """What reads dice in a picture: `DiceReader`, or a stand-in."""

    def read(self, picture: Picture, box: Region = None, *, faces: Collection[int] = ...) -> Observation:
        """The dice in a picture."""


class ThrowDetector:
    """Watches one place for throws.

    `count` is how many dice a throw has (None: any number), `faces` the values that these dice have, `box`
    where to look: (x, y, width, height) or the corners of the tray, px, None for the whole picture.
    """

    def __init__(
        self,
        reader: Reader,
        *,
        count: int | None = None,
        faces: Collection[int] = range(1, 7),
        box: Region = None,
    ) -> None:
        self._reader, self._count, self._faces, self._box = reader, count, faces, box
        self._before: Float32 | None = None
        self._stirred_s = float("-inf")
        self._settled = False
        self._looks: list[Observation] = []
        self._told: Observation | None = None
        self._others_lie = False
        self._lying: tuple[Die, ...] = ()

    def expect(self, count: int | None, faces: Collection[int], *, others_lie: bool = False) -> None:
        """The next throw has so many dice, with these values. `others_lie`: dice of earlier throws may lie
        about, and those that have not moved are no part of it."""
        self._count, self._faces, self._others_lie = count, faces, others_lie

    def look(self, picture: Picture, at_s: float) -> Observation | None:
        """The throw that this picture (BGR), taken at `at_s` seconds, completes; mostly None."""
        if self._stirs(picture):
            self._stirred_s, self._settled = at_s, False
            self._looks.clear()
        if self._settled or at_s - self._stirred_s < REST_S:
            return None
        # Dice of others may have other faces: what was thrown is held against its own afterwards.
        faces = ANY_FACE if self._others_lie else self._faces
        self._looks.append(self._reader.read(picture, self._box, faces=faces))
        agreed = len(self._looks) > 1 and _same(self._looks[-1], self._looks[-2])
        if not agreed and len(self._looks) < MOST_LOOKS:
            return None
        self._settled = True
        reading = self._looks[-1] if agreed else msgspec.structs.replace(
            self._looks[-1], unsure=True, why="the dice look different from one picture to the next"
        )  # fmt: skip
        return self._tell_thrown(reading) if self._others_lie else self._tell(self._counted(reading))

    def _tell_thrown(self, reading: Observation) -> Observation | None:
        """Those of the dice that do not lie where one of their colour was left lying."""
        if not reading.dice and not reading.unsure:
            self._lying = ()
        thrown = tuple(die for die in reading.dice or () if not _stayed(die, self._lying))
        if not thrown:
            return None
        colours = {die.colour for die in thrown}
        self._lying = (*(die for die in self._lying if die.colour not in colours), *thrown)
        return self._counted(self._with_own_faces(msgspec.structs.replace(reading, dice=thrown)))

    def _with_own_faces(self, reading: Observation) -> Observation:
        strange = [die.value for die in reading.dice or () if die.value not in self._faces]
        if not strange:
            return reading
        why = f"a die shows {strange[0]}, which none of these dice has"
        return msgspec.structs.replace(reading, unsure=True, why="; ".join(filter(None, (reading.why, why))))

    def _tell(self, reading: Observation) -> Observation | None:
        """The reading if it is a new throw; an empty table makes whatever comes next a new one."""
        if not reading.dice and not reading.unsure:
            self._told = None
            return None
        if self._told is not None and not _thrown_anew(self._told, reading):
            return None
        self._told = reading
        return reading

    def _counted(self, reading: Observation) -> Observation:
        count = len(reading.dice or ())
        if self._count is None or count in (0, self._count):
            return reading
        why = f"{count} dice are seen where a throw has {self._count}"
        return msgspec.structs.replace(reading, unsure=True, why="; ".join(filter(None, (reading.why, why))))

    def _stirs(self, picture: Picture) -> bool:
        """Whether the watched part differs from the picture before; lamps that brighten it all alike are no
        stir."""
        grey = cv2.cvtColor(_part(picture, self._box), cv2.COLOR_BGR2GRAY)
        now = np.asarray(cv2.resize(grey, PATCHES, interpolation=cv2.INTER_AREA), np.float32)
        before, self._before = self._before, now
        if before is None:
            return True
        change = now - before
        return bool(np.abs(change - np.median(change)).max() > STIR_LEVELS)


def _part(picture: Picture, box: Region) -> Picture:
    left, top, right, bottom = bounds(picture, box)
    return picture[top:bottom, left:right] if right > left and bottom > top else picture


def _stayed(die: Die, others: Sequence[Die]) -> bool:
    """Whether one of the others shows the same value in the same place."""
    x, y, width, height = die.box
    reach = STAYED * max(width, height)
    return any(
        die.value == o.value
        and np.hypot(x - o.box[0] + (width - o.box[2]) / 2, y - o.box[1] + (height - o.box[3]) / 2) < reach
        for o in others
    )


def _same(one: Observation, two: Observation) -> bool:
    """Whether two readings are of the same dice."""
    dice, others = one.dice or (), two.dice or ()
    return one.unsure == two.unsure and len(dice) == len(others) and all(_stayed(d, others) for d in dice)


def _thrown_anew(told: Observation, now: Observation) -> bool:
    """Whether this is another throw: none of the dice stayed. After one that was unsure any change will
    do."""
    if told.unsure:
        return not _same(told, now)
    return not any(_stayed(die, told.dice or ()) for die in now.dice or ())
