"""How likely the mice win as the pieces stand, weighed without playing on.

A standing is described by some twenty numbers (`NUMBERS`): the mice alive, the cheese still to find, the
chance that the cat's next throw catches one, and so on. Weights fitted to matches make one chance of them, by
logistic regression. `Scale.after` is the chance once a piece has come to a square, with what may lie under a
slab there; `Scale.ahead` is the mean over the next throw, with the best answer to each value of the die.

A square is a bit here, and a set of squares is a number, as in `playouts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import exp, sqrt
from typing import Literal, NamedTuple, TypeVar

from companion.games.chop_chop.kitchen import Side
from companion.games.chop_chop.playouts import CAT, Hunt
from companion.games.chop_chop.state import ChopOptions, Standing

T = TypeVar("T")

NEAR = 5
"""Steps from which on the cat is too far away to matter."""

FAR = 12
"""Steps to the nearest slab or cheese, where there is none."""

CHEESE_OF_A_HOLE = 0.5
"""What a hole that no mouse has left yet is reckoned as, in slabs still to be turned."""

HOPELESS, SURE = 0.0, 1.0
"""The mice's chance in a match that the cat has won, and that they have won."""

NUMBERS = (
    "always 1",
    "one mouse alive",
    "two mice alive",
    "three mice alive",
    "slabs to turn",
    "slabs to turn by one mouse",
    "slabs to turn by two mice",
    "slabs to turn by three mice",
    "root of slabs to turn",
    "cheese missing",
    "risk",
    "risk of one mouse",
    "risk of two mice",
    "risk left",
    "risk left to two mice",
    "cat near the nearest",
    "cat near the second",
    "cat near the third",
    "under the table",
    "last mouse safe in a hole",
    "throw leads to a slab",
    "steps to a slab",
    "throw leads home",
    "steps home",
    "holes never left",
)
"""What describes a standing, in the order of `Scale.numbers`."""

Aim = Literal["wins", "wins soon"]
"""What the chance is of: that the mice win, or the same with each throw that it takes making it less."""

WEIGHTS: dict[str, tuple[float, float, float, float]] = {
    "always 1": (3.700, 2.764, 2.000, 1.502),
    "one mouse alive": (-2.507, -1.340, -1.520, -0.782),
    "two mice alive": (-1.276, 0.064, -0.638, 0.079),
    "three mice alive": (-0.266, 0.728, -0.081, 0.464),
    "slabs to turn": (0.080, 0.124, 0.076, 0.110),
    "slabs to turn by one mouse": (0.023, -0.026, -0.010, -0.046),
    "slabs to turn by two mice": (0.002, -0.052, -0.016, -0.042),
    "slabs to turn by three mice": (-0.012, -0.044, -0.014, -0.031),
    "root of slabs to turn": (-0.781, -0.786, -0.643, -0.672),
    "cheese missing": (-0.204, -0.206, -0.244, -0.266),
    "risk": (-0.097, -0.381, -0.199, -0.221),
    "risk of one mouse": (-1.858, -0.282, -1.554, -0.294),
    "risk of two mice": (-0.386, -0.383, -0.188, -0.291),
    "risk left": (-0.306, 0.105, -0.303, 0.036),
    "risk left to two mice": (0.239, 0.068, 0.142, 0.103),
    "cat near the nearest": (-0.054, 0.049, -0.029, 0.029),
    "cat near the second": (-0.093, -0.072, -0.041, -0.053),
    "cat near the third": (-0.222, -0.024, -0.161, 0.009),
    "under the table": (0.072, 0.071, 0.039, 0.036),
    "last mouse safe in a hole": (-0.208, -0.187, -0.133, -0.185),
    "throw leads to a slab": (0.151, 0.038, 0.127, 0.132),
    "steps to a slab": (-0.004, 0.003, -0.026, -0.004),
    "throw leads home": (1.316, 1.385, 1.606, 1.812),
    "steps home": (0.184, 0.355, 0.190, 0.264),
    "holes never left": (0.082, -0.124, 0.028, -0.125),
}
"""The weight of each number: for "wins" where the cat throws next and where the mice do, then the same for
"wins soon". `python -m tests.opponents.fit_chop_chop` prints this table."""


class Stand(NamedTuple):
    """A standing as bits. A caught mouse is 0; `hidden` is the cheese that still lies under slabs; `home`
    says that the mice have won."""

    cat: int
    mice: tuple[int, ...]
    slabs: int
    cheeses: int
    hidden: int
    cheese_found: int
    left: tuple[bool, ...]
    home: bool = False

    @classmethod
    def of(cls, hunt: Hunt, standing: Standing) -> Stand:
        """A standing of the rules."""
        begun = hunt.begun(standing)
        return cls(
            begun.cat,
            begun.mice,
            begun.slabs,
            begun.cheeses,
            begun.cheese_left,
            standing.cheese_found,
            standing.left,
        )


class Scale:
    """Weighs standings on one board with one pair of dice."""

    def __init__(self, hunt: Hunt, aim: Aim) -> None:
        self.hunt = hunt
        self.weighed = 0
        """The standings weighed so far."""
        self.shares = {
            side: [(face, faces.count(face) / len(faces)) for face in sorted(set(faces))]
            for side, faces in hunt.faces.items()
        }
        self._rings = {bit: self._ringed(bit) for bit in hunt.kitchen.squares_by_bit}
        self._steps = {
            (bit, far): steps
            for bit, rings in self._rings.items()
            for steps, ring in enumerate(rings)
            for far in map(hunt.kitchen.bit, hunt.kitchen.squares_of(ring))
        }
        self._thrown = {
            bit: [(hunt.reach(bit, face, 0), share) for face, share in self.shares["mice"]]
            for bit in self._rings
        }
        self._columns = {
            side: tuple(WEIGHTS[name][2 * (aim == "wins soon") + (side == "mice")] for name in NUMBERS)
            for side in self.shares
        }

    @staticmethod
    @lru_cache(maxsize=8)
    def of(options: ChopOptions, aim: Aim) -> Scale:
        """The scale for these options."""
        return Scale(Hunt.of(options), aim)

    def _ringed(self, bit: int) -> list[int]:
        """The squares at each distance from a square, on an empty board."""
        rings, within = [bit], bit
        while within != self.hunt.board:
            wider = self.hunt.around(within, 1)
            rings.append(wider & ~within)
            within = wider
        return rings

    # What a standing is worth

    def chance(self, stand: Stand, side: Side) -> float:
        """The mice's chance to win when this side throws next."""
        if stand.home:
            return SURE
        if not any(stand.mice):
            return HOPELESS
        self.weighed += 1
        numbers = self.numbers(stand)
        odds = sum(weight * number for weight, number in zip(self._columns[side], numbers, strict=True))
        return 1 / (1 + exp(-odds))

    def numbers(self, stand: Stand) -> tuple[float, ...]:
        """The numbers that describe a standing, in the order of `NUMBERS`."""
        alive = [mouse for mouse in stand.mice if mouse]
        one, two, three = (float(len(alive) == count) for count in (1, 2, 3))
        risk = self.risk(alive, stand)
        spared = self._spared(alive, stand) if risk else 0.0
        open_to_cat = [m for m in alive if not m & (self.hunt.table | self._kept(alive))]
        near = sorted(max(0, NEAR - self._steps[stand.cat, mouse]) for mouse in open_to_cat)[::-1]
        near += [0, 0, 0]
        lying, unleft = stand.slabs.bit_count(), stand.left.count(False)
        turns = (lying + 1) * stand.hidden / (stand.hidden + 1)
        work = turns + stand.cheeses.bit_count() + CHEESE_OF_A_HOLE * unleft
        missing = self.hunt.cheese - stand.cheese_found
        finding, steps_to_find, going_home, steps_home = self._errands(alive, stand, missing, unleft)
        return (
            1.0,
            one,
            two,
            three,
            work,
            work * one,
            work * two,
            work * three,
            sqrt(work),
            missing,
            risk,
            risk * one,
            risk * two,
            spared,
            spared * two,
            near[0],
            near[1],
            near[2],
            sum(1.0 for mouse in alive if mouse & self.hunt.table),
            float(bool(self._kept(alive))),
            finding,
            steps_to_find,
            going_home,
            steps_home,
            unleft,
        )

    def risk(self, alive: list[int], stand: Stand) -> float:
        """The chance that the cat's next throw reaches a mouse."""
        prey = sum(alive) & ~self.hunt.table
        blocked = prey | stand.cheeses
        reachable = prey & ~self._kept(alive)
        if not reachable:
            return 0.0
        reach, cat = self.hunt.reach, stand.cat
        return sum(share for face, share in self.shares["cat"] if reach(cat, face, blocked) & reachable)

    def _spared(self, alive: list[int], stand: Stand) -> float:
        """The least risk that is left when one of several mice gets out of the cat's way."""
        if len(alive) == 1:
            return 0.0
        return min(
            self.risk([other for other in alive if other != mouse], stand)
            for mouse in alive
            if not mouse & self.hunt.table
        )

    def _kept(self, alive: list[int]) -> int:
        """The hole of the last mouse where the cat may not catch it, else 0."""
        if len(alive) > 1 or self.hunt.options.last_mouse == "front":
            return 0
        return alive[0] & self.hunt.holes

    def _errands(
        self, alive: list[int], stand: Stand, missing: int, unleft: int
    ) -> tuple[float, float, float, float]:
        """The chance that a throw leads to a slab or cheese, and the steps there; then the same for home."""
        if missing:
            goals = stand.slabs | stand.cheeses
            return self._leads(alive, goals), min(self._far(mouse, goals) for mouse in alive), 0.0, 0.0
        if unleft:
            return 0.0, 0.0, 0.0, 0.0
        goals = self.hunt.holes & ~sum(alive)
        return 0.0, 0.0, self._leads(alive, goals), min(self._far(mouse, goals) for mouse in alive)

    def _leads(self, alive: list[int], goals: int) -> float:
        """The chance that a throw of the mice leads one of them to a goal, with nobody in the way."""
        leads = 0.0
        for number, (_, share) in enumerate(self.shares["mice"]):
            if any(self._thrown[mouse][number][0] & goals for mouse in alive):
                leads += share
        return leads

    def _far(self, mouse: int, goals: int) -> float:
        """The steps from a mouse to the nearest goal that it does not stand on."""
        for steps, ring in enumerate(self._rings[mouse]):
            if steps and ring & goals:
                return steps
        return FAR

    # What a move is worth

    def after(self, stand: Stand, mover: int, to: int, side: Side, *, ahead: bool = False) -> float:
        """The mice's chance once a piece (a mouse's number, or `CAT`) has come to a square, and this side
        throws next; `ahead` looks at its answers too."""
        weigh = self.ahead if ahead else self.chance
        return sum(share * weigh(follows, side) for share, follows in self._follows(stand, mover, to))

    def ahead(self, stand: Stand, side: Side) -> float:
        """The mice's chance when this side throws next: for each value of its die, its best answer."""
        if stand.home or not any(stand.mice):
            return self.chance(stand, side)
        other: Side = "cat" if side == "mice" else "mice"
        best = min if side == "cat" else max
        mean = 0.0
        for face, share in self.shares[side]:
            answers = [self.after(stand, mover, to, other) for mover, to in self.ways(stand, side, face)]
            mean += share * (best(answers) if answers else self.chance(stand, other))
        return mean

    def ways(self, stand: Stand, side: Side, steps: int) -> list[tuple[int, int]]:
        """Which piece may go where with a throw."""
        reach, alive = self.hunt.reach, [mouse for mouse in stand.mice if mouse]
        if side == "cat":
            prey = sum(alive) & ~self.hunt.table
            barred = stand.cheeses | self._kept(alive)
            if len(alive) == 1:
                barred |= self.hunt.fronts.get(alive[0], 0)
            return [(CAT, to) for to in bits(reach(stand.cat, steps, prey | stand.cheeses) & ~barred)]
        taken = sum(alive) | stand.cat & ~self.hunt.table
        return [
            (number, to)
            for number, mouse in enumerate(stand.mice)
            if mouse
            for to in bits(reach(mouse, steps, taken & ~mouse) & ~(taken & ~mouse))
        ]

    def _follows(self, stand: Stand, mover: int, to: int) -> list[tuple[float, Stand]]:
        """How it may stand after a move, and how likely each is. Of what lies under a slab, cheese alone is
        weighed."""
        if mover == CAT:
            return self._cat_comes(stand, to)
        left = stand.left
        if stand.mice[mover] == self.hunt.homes[mover] != to:
            left = _with(left, mover, to=True)
        stand = stand._replace(mice=_with(stand.mice, mover, to=to), left=left)
        if to & self.hunt.holes:
            return [(1.0, stand._replace(home=stand.cheese_found == self.hunt.cheese and all(left)))]
        if to & stand.cheeses:
            return [(1.0, stand._replace(cheeses=stand.cheeses ^ to, cheese_found=stand.cheese_found + 1))]
        if to & stand.slabs:
            return _turned(stand, to, stand._replace(cheese_found=stand.cheese_found + 1))
        return [(1.0, stand)]

    def _cat_comes(self, stand: Stand, to: int) -> list[tuple[float, Stand]]:
        stand = stand._replace(cat=to)
        if to & self.hunt.table:
            return [(1.0, stand)]
        if to in stand.mice:
            caught, left = stand.mice.index(to), stand.left
            if to == self.hunt.homes[caught] and self.hunt.options.caught_in_hole == "counts":
                left = _with(left, caught, to=True)
            return [(1.0, stand._replace(mice=_with(stand.mice, caught, to=0), left=left))]
        if to & stand.slabs:
            return _turned(stand, to, stand._replace(cheeses=stand.cheeses | to))
        return [(1.0, stand)]


def bits(mask: int) -> Iterator[int]:
    """The bits of a mask."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def _turned(stand: Stand, at: int, with_cheese: Stand) -> list[tuple[float, Stand]]:
    """A slab that hides cheese, and one that does not, each as likely as it is."""
    slabs, share = stand.slabs ^ at, stand.hidden / stand.slabs.bit_count()
    follows = (
        (share, with_cheese._replace(slabs=slabs, hidden=stand.hidden - 1)),
        (1 - share, stand._replace(slabs=slabs)),
    )
    return [(share, stand) for share, stand in follows if share]


def _with(values: tuple[T, ...], number: int, *, to: T) -> tuple[T, ...]:
    """The values with one of them changed."""
    return (*values[:number], to, *values[number + 1 :])
