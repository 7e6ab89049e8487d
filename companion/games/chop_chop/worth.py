"""The mice's chance to win as the pieces stand, weighed without playing on.

Some twenty numbers (`NUMBERS`) describe a standing: the mice alive, the cheese still to find, the chance that
the cat's next throw catches one, and so on. Logistic regression fitted their weights to matches.
`Scale.after` is the chance after a piece has come to a square, with the slab there; `Scale.ahead` is the mean
over the next throw, with the best answer to each value of the die.

`chance`, for the page, a hint and the review of a match, corrects the scale by matches that good players of
both sides played to their ends.

A square is a bit here, and a set of squares is a number (`kitchen.Kitchen.bit`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import exp, log, sqrt
from typing import Literal, NamedTuple

from msgspec.structs import replace

from companion.games.chop_chop.kitchen import SIDES, SLABS, Side, changed
from companion.games.chop_chop.reach import Ground, ways
from companion.games.chop_chop.state import (
    MICE,
    ChopMove,
    ChopOptions,
    ChopState,
    GoTo,
    KitchenBoard,
    Piece,
    PlaceCat,
    SpearCheese,
    all_done,
)

CAT = 9
"""The cat's number as a mover; the mice are 0 to 3."""

MOST_KEPT = 10_000
"""Walks to remember; a match on this board needs about 3,000."""

NEAR = 5
"""Steps beyond which the cat does not matter."""

FAR = 12
"""Steps to the nearest slab or cheese, without either."""

CHEESE_OF_A_HOLE = 0.5
"""A hole that no mouse has left counts as this many slabs to turn."""

HOPELESS, SURE = 0.0, 1.0
"""The mice's chance once the cat has won, and once they have."""

DECIMALS = 4
"""Of a shown chance: the last bits of a root differ between processors."""

FINEST = 10**-DECIMALS
"""The least chance of anything possible."""

NEARLY_SURE = 1 - FINEST**2
"""The most that a standing is weighed at before it is corrected."""

Terms = tuple[float, float, float, float, float]
"""The numbers that correct a chance: 1, its log odds on the scale, the mice alive, and these times the log
odds, and times the cat's average throw."""

CORRECTION: Terms = (-0.027, 0.484, 1.217, 0.331, -0.358)
"""The weight of each term, fitted by `python -m lab.chop_chop_chance`."""

ERROR = 0.27
"""Twice the error of a chance of one half."""

Aim = Literal["wins", "wins soon"]
"""The chance that the mice win, plain or lowered by each throw that it takes."""

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
"""Each number's weights: for "wins" where the cat throws next and where the mice do, then for "wins soon".
Fitted to 3,000 matches of simple players."""

NUMBERS = tuple(WEIGHTS)
"""In the order of `Scale.numbers`."""


class Stand(NamedTuple):
    """A standing as bits. A caught mouse is 0; `hidden`: cheese under slabs."""

    cat: int
    mice: tuple[int, ...]
    slabs: int
    cheeses: int
    hidden: int
    cheese_found: int
    left: tuple[bool, ...]
    been_home: bool

    @classmethod
    def from_state(cls, state: ChopState) -> Stand:
        """The board of a match."""
        standing, kitchen = state.standing, state.options.kitchen
        return cls(
            kitchen.bit(standing.cat) if standing.cat else 0,
            tuple(kitchen.bit(square) if square else 0 for square in standing.mice),
            kitchen.mask(standing.slabs),
            kitchen.mask(standing.cheeses),
            max(0, state.options.slabs.cheese - standing.turned[SLABS.index("cheese")]),
            standing.cheese_found,
            standing.left,
            standing.been_home,
        )


class Scale:
    """Weighs standings on one board with one pair of dice."""

    def __init__(self, options: ChopOptions, aim: Aim) -> None:
        self.options = options
        self.kitchen = kitchen = options.kitchen
        faces_of = {side: options.two_dice.die_of(side).faces for side in SIDES}
        self.board, self.table, self.holes = kitchen.board_mask, kitchen.table_mask, kitchen.holes_mask
        self.cheese = options.slabs.cheese
        self.homes = tuple(map(kitchen.bit, kitchen.holes))
        self.fronts = {kitchen.bit(hole): kitchen.mask(kitchen.fronts(hole)) for hole in kitchen.holes}
        self._near: dict[tuple[int, int], int] = {}
        self._reached: dict[tuple[int, int, int], int] = {}
        self.weighed = 0
        """The standings weighed so far."""
        self.shares = {
            side: [(face, faces.count(face) / len(faces)) for face in sorted(set(faces))]
            for side, faces in faces_of.items()
        }
        self._rings = {bit: self._ringed(bit) for bit in kitchen.squares_by_bit}
        self._steps = {
            (bit, far): steps
            for bit, rings in self._rings.items()
            for steps, ring in enumerate(rings)
            for far in map(kitchen.bit, kitchen.squares_of(ring))
        }
        self._thrown = {
            bit: [self.reach(bit, face, 0) for face, _ in self.shares["mice"]] for bit in self._rings
        }
        self._columns = {
            side: tuple(WEIGHTS[name][2 * (aim == "wins soon") + (side == "mice")] for name in NUMBERS)
            for side in self.shares
        }

    @staticmethod
    @lru_cache(maxsize=8)
    def for_options(options: ChopOptions, aim: Aim) -> Scale:
        """The scale for these options."""
        return Scale(options, aim)

    def reach(self, start: int, steps: int, blocked: int) -> int:
        """The ends of walks of this many steps. A walk may end on `blocked`, but not pass it."""
        near = self._near.get((start, steps))
        if near is None:
            near = self._near[start, steps] = self.around(start, steps - 1)
        key = start, steps, blocked & near
        ends = self._reached.get(key)
        if ends is None:
            ground = Ground(self.board & ~key[2], self.board)
            ends = ways(self.kitchen, self.kitchen.square(start), steps, ground, self.options.no_return).ends
            if len(self._reached) >= MOST_KEPT:
                self._reached.clear()
            self._reached[key] = ends
        return ends

    def around(self, mask: int, steps: int) -> int:
        """The squares at most this many steps from any of these."""
        for _ in range(steps):
            stride = self.kitchen.stride
            mask |= (mask << 1 | mask >> 1 | mask << stride | mask >> stride) & self.board
        return mask

    def _ringed(self, bit: int) -> list[int]:
        """The squares at each distance from a square, on an empty board."""
        rings, within = [bit], bit
        while within != self.board:
            wider = self.around(within, 1)
            rings.append(wider & ~within)
            within = wider
        return rings

    # What a standing is worth

    def chance(self, stand: Stand, side: Side) -> float:
        """The mice's chance to win when this side throws next."""
        if self._won(stand):
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
        open_to_cat = [m for m in alive if not m & (self.table | self._kept(alive))]
        near = sorted(max(0, NEAR - self._steps[stand.cat, mouse]) for mouse in open_to_cat)[::-1]
        near += [0, 0, 0]
        lying, unleft = stand.slabs.bit_count(), stand.left.count(False)
        turns = (lying + 1) * stand.hidden / (stand.hidden + 1)
        work = turns + stand.cheeses.bit_count() + CHEESE_OF_A_HOLE * unleft
        missing = self.cheese - stand.cheese_found
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
            sum(1.0 for mouse in alive if mouse & self.table),
            float(bool(self._kept(alive))),
            finding,
            steps_to_find,
            going_home,
            steps_home,
            unleft,
        )

    def risk(self, alive: list[int], stand: Stand) -> float:
        """The chance that the cat's next throw reaches a mouse."""
        prey = sum(alive) & ~self.table
        blocked = prey | stand.cheeses
        reachable = prey & ~self._kept(alive)
        if not reachable:
            return 0.0
        reach, cat = self.reach, stand.cat
        return sum(share for face, share in self.shares["cat"] if reach(cat, face, blocked) & reachable)

    def _spared(self, alive: list[int], stand: Stand) -> float:
        """The least risk left when one of several mice gets out of the cat's way."""
        if len(alive) == 1:
            return 0.0
        return min(
            self.risk([other for other in alive if other != mouse], stand)
            for mouse in alive
            if not mouse & self.table
        )

    def _kept(self, alive: list[int]) -> int:
        """The hole of the last mouse where the cat may not catch it, else 0."""
        if len(alive) > 1 or self.options.last_mouse == "front":
            return 0
        return alive[0] & self.holes

    def _errands(
        self, alive: list[int], stand: Stand, missing: int, unleft: int
    ) -> tuple[float, float, float, float]:
        """The chance that a throw leads to a slab or cheese, and the steps there; the same for home."""
        if missing:
            goals = stand.slabs | stand.cheeses
            return self._leads(alive, goals), min(self._far(mouse, goals) for mouse in alive), 0.0, 0.0
        if unleft:
            return 0.0, 0.0, 0.0, 0.0
        goals = self.holes & ~sum(alive)
        return 0.0, 0.0, self._leads(alive, goals), min(self._far(mouse, goals) for mouse in alive)

    def _leads(self, alive: list[int], goals: int) -> float:
        """The chance that a throw of the mice leads one to a goal, with nobody in the way."""
        return sum(
            share
            for number, (_, share) in enumerate(self.shares["mice"])
            if any(self._thrown[mouse][number] & goals for mouse in alive)
        )

    def _far(self, mouse: int, goals: int) -> float:
        """Steps from a mouse to the nearest goal other than its own square."""
        for steps, ring in enumerate(self._rings[mouse]):
            if steps and ring & goals:
                return steps
        return FAR

    # What a move is worth

    def move(self, state: ChopState, move: ChopMove, *, ahead: bool = False) -> float:
        """The mice's chance after a move of either side; `ahead` counts the next throw's answers too."""
        stand, side, bit = Stand.from_state(state), next_side(state.standing), state.options.kitchen.bit
        weigh = self.ahead if ahead else self.chance
        if isinstance(move, PlaceCat):
            return weigh(stand._replace(cat=bit((move.row, move.col))), "mice")
        if isinstance(move, SpearCheese):
            speared = stand.cheeses ^ bit((move.row, move.col))
            return weigh(stand._replace(cheeses=speared, cheese_found=stand.cheese_found + 1), side)
        if isinstance(move, GoTo):
            return self.after(stand, number_of(move.piece), bit((move.row, move.col)), side, ahead=ahead)
        return weigh(stand, side)

    def after(self, stand: Stand, mover: int, to: int, side: Side, *, ahead: bool = False) -> float:
        """The mice's chance after a piece (a mouse's number, or `CAT`) has come to a square, before this side
        throws; `ahead` counts its answers too."""
        weigh = self.ahead if ahead else self.chance
        return sum(share * weigh(follows, side) for share, follows in self._follows(stand, mover, to))

    def ahead(self, stand: Stand, side: Side) -> float:
        """The mice's chance before this side throws: for each value of its die, its best answer."""
        if self._won(stand) or not any(stand.mice):
            return self.chance(stand, side)
        other: Side = "cat" if side == "mice" else "mice"
        best = min if side == "cat" else max
        mean = 0.0
        for face, share in self.shares[side]:
            answers = [self.after(stand, mover, to, other) for mover, to in self.ways(stand, side, face)]
            mean += share * (best(answers) if answers else self.chance(stand, other))
        return mean

    def ways(self, stand: Stand, side: Side, steps: int) -> list[tuple[int, int]]:
        """Each piece with each square that a throw may lead it to."""
        reach, alive = self.reach, [mouse for mouse in stand.mice if mouse]
        if side == "cat":
            prey = sum(alive) & ~self.table
            barred = stand.cheeses | self._kept(alive)
            if len(alive) == 1:
                barred |= self.fronts.get(alive[0], 0)
            return [(CAT, to) for to in bits(reach(stand.cat, steps, prey | stand.cheeses) & ~barred)]
        taken = sum(alive) | stand.cat & ~self.table
        return [
            (number, to)
            for number, mouse in enumerate(stand.mice)
            if mouse
            for to in bits(reach(mouse, steps, taken & ~mouse) & ~(taken & ~mouse))
        ]

    def _follows(self, stand: Stand, mover: int, to: int) -> list[tuple[float, Stand]]:
        """The boards that may follow a move, each with its chance. Of the slabs, only cheese counts."""
        if mover == CAT:
            return self._cat_comes(stand, to)
        left = stand.left
        if stand.mice[mover] == self.homes[mover] != to:
            left = changed(left, mover, to=True)
        stand = stand._replace(mice=changed(stand.mice, mover, to=to), left=left)
        if to & self.holes:
            counts = self.options.drop_off == "any-time" or self._all_done(stand)
            return [(1.0, stand._replace(been_home=stand.been_home or counts))]
        if to & stand.cheeses:
            return [(1.0, stand._replace(cheeses=stand.cheeses ^ to, cheese_found=stand.cheese_found + 1))]
        if to & stand.slabs:
            return _turned(stand, mover)
        return [(1.0, stand)]

    def _all_done(self, stand: Stand) -> bool:
        return all_done(self.options, stand.cheese_found, stand.left)

    def _won(self, stand: Stand) -> bool:
        return stand.been_home and self._all_done(stand)

    def _cat_comes(self, stand: Stand, to: int) -> list[tuple[float, Stand]]:
        stand = stand._replace(cat=to)
        if to & self.table:
            return [(1.0, stand)]
        if to in stand.mice:
            caught, left = stand.mice.index(to), stand.left
            if to == self.homes[caught] and self.options.caught_in_hole == "counts":
                left = changed(left, caught, to=True)
            return [(1.0, stand._replace(mice=changed(stand.mice, caught, to=0), left=left))]
        if to & stand.slabs:
            return _turned(stand, CAT)
        return [(1.0, stand)]


def chance(state: ChopState, side: Side) -> float:
    """A side's chance to win, in steps of `FINEST`, for the page, a hint and the review.

    A die counts only after its piece has moved, and a slab's gift after its use. Only a match that is over,
    or that the mice cannot win, is certain.
    """
    if state.ended or not state.standing.mice_can_win:
        mice = float(state.ended == "cheese-home")
    else:
        mice = min(max(round(corrected(terms(state)), DECIMALS), FINEST), 1 - FINEST)
    return mice if side == "mice" else round(1 - mice, DECIMALS)


def error(state: ChopState) -> float:
    """The average error of `chance` for similar chances; 0 where it is certain."""
    mice = chance(state, "mice")
    return round(ERROR * sqrt(mice * (1 - mice)), DECIMALS)


def corrected(numbers: Terms) -> float:
    """The chance on the scale as good players bear it out."""
    return 1 / (1 + exp(-sum(weight * number for weight, number in zip(CORRECTION, numbers, strict=True))))


def terms(state: ChopState) -> Terms:
    """The numbers for the correction of an unfinished match, in the order of `CORRECTION`."""
    weighed, alive = min(_weighed(state), NEARLY_SURE), len(state.standing.alive)
    odds, faces = log(weighed / (1 - weighed)), state.options.two_dice.cat.faces
    return 1, odds, alive, alive * odds, alive * sum(faces) / len(faces)


def _weighed(state: ChopState) -> float:
    """The mice's chance on the scale."""
    standing = state.standing
    if standing.phase == "place":
        placed = (replace(standing, cat=square, phase="throw") for square in state.options.kitchen.table)
        return min(_weighed(replace(state, standing=board)) for board in placed)
    scale, stand = Scale.for_options(state.options, "wins"), Stand.from_state(state)
    if standing.phase in ("throw", "move"):
        return scale.chance(stand, standing.side)
    follows = [(1.0, stand)]
    if standing.phase == "slab":
        assert standing.mover is not None
        follows = _turned(stand, number_of(standing.mover))
    return sum(share * scale.chance(stand, next_side(standing)) for share, stand in follows)


def next_side(standing: KitchenBoard) -> Side:
    """The side that throws after this move: the other one, unless a knife makes it miss its turn."""
    other: Side = "mice" if standing.side == "cat" else "cat"
    mice_owe, cat_owes = standing.owes
    skipped, owes_itself = (mice_owe, cat_owes) if other == "mice" else (cat_owes, mice_owe)
    return standing.side if skipped and not owes_itself else other


def number_of(piece: Piece) -> int:
    """A piece's number as a mover."""
    return CAT if piece == "cat" else MICE.index(piece)


def bits(mask: int) -> Iterator[int]:
    """The bits of a mask."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def _turned(stand: Stand, mover: int) -> list[tuple[float, Stand]]:
    """The boards with cheese under a mover's slab and without, each with its chance."""
    square = stand.cat if mover == CAT else stand.mice[mover]
    turned, share = stand._replace(slabs=stand.slabs ^ square), stand.hidden / stand.slabs.bit_count()
    with_cheese = turned._replace(hidden=stand.hidden - 1)
    if mover == CAT:
        with_cheese = with_cheese._replace(cheeses=stand.cheeses | square)
    else:
        with_cheese = with_cheese._replace(cheese_found=stand.cheese_found + 1)
    return [(share, stand) for share, stand in ((share, with_cheese), (1 - share, turned)) if share]
