"""Estimates each side's chance to win, by playing a match to its end many times with two simple players.

**The players.** The mice are careful: they take visible cheese and turn slabs where the cat cannot come with
her next throw, flee from where she can, and head for a hole once they have all the cheese. The cat hunts: she
catches a mouse if she can, else goes where her next throw may catch one, else nearer to a mouse. Ties are
broken at random. Both play by all the rules (a test replays what they do), with the slabs of this bag and
these dice.

**The sample.** A fixed number of throws limits the number of matches, so an estimate takes equally long at
any point of a match and always ends. The nearer the end of the match, the more precise it is. The random
numbers come from a generator of our own, seeded with the standing: the same standing gives the same chances
on every machine. `Chances.error` is the standard error of the sample for these two players. It says nothing
about how other people play.

A square is a bit here, and a set of squares is a number (`kitchen.Kitchen.bit`).
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from math import sqrt
from typing import TypeVar

import msgspec

from companion.games.chop_chop.chance import slab_chances
from companion.games.chop_chop.kitchen import BONUS, Kitchen, Side, Slab, Square
from companion.games.chop_chop.state import (
    MICE,
    CameBy,
    ChopMove,
    ChopOptions,
    ChopState,
    GoTo,
    Piece,
    PlaceCat,
    SpearCheese,
    Standing,
    StayHere,
    ThrowDie,
    TurnSlab,
)
from companion.games.chop_chop.ways import Ground, Ways, ways

K = TypeVar("K")
V = TypeVar("V")

THROWS = 4000
"""The number of throws played out for one estimate; about 7 µs each on one core of a server."""
MOST_MATCHES = 400
"""The most matches of one estimate. More would show no difference: the error is below 2.5 in a hundred."""
LONGEST = 300
"""The throws after which a match is given up; of matches played from the start, none in a thousand was."""

MOST_KEPT = 10_000
"""The most walks to remember from one playout to the next; a match on this board needs about 3,000."""


class Chances(msgspec.Struct, frozen=True):
    """The number of matches played out, and how they ended. `error` is the standard error of the shares."""

    matches: int
    mice: int
    cat: int
    unfinished: int

    @property
    def error(self) -> float:
        """The standard error of a share. Each end is counted once more than it was seen, because matches that
        all ended alike do not prove that none ends otherwise."""
        share = (self.mice + 1) / (self.matches + 2)
        return sqrt(share * (1 - share) / max(1, self.matches))


def chances(state: ChopState) -> Chances:
    """The chances of a match before its last throw; if the match is over, its result.

    They are estimated once per throw, not at each step of a turn.
    """
    if state.ended:
        mice = int(state.ended == "cheese-home")
        return Chances(0, mice, 1 - mice, 0)
    return _chances(state.options, msgspec.json.encode(state.turn_began))


@lru_cache(maxsize=256)
def _chances(options: ChopOptions, standing_json: bytes) -> Chances:
    standing = msgspec.json.decode(standing_json, type=Standing)
    chosen = (options.no_return, options.last_mouse, options.caught_in_hole)
    given = msgspec.json.encode((*chosen, options.board, options.bag))
    chance = Chance(int.from_bytes(sha256(given + options.dice.encode() + standing_json).digest()[:8], "big"))
    hunt = Hunt.of(options)
    ends = {"cheese-home": 0, "all-caught": 0, "": 0}
    thrown = matches = 0
    while matches < MOST_MATCHES and (thrown < THROWS or not matches):
        match = Playout(hunt, standing, chance)
        ends[match.run()] += 1
        thrown += match.throws
        matches += 1
    return Chances(matches, ends["cheese-home"], ends["all-caught"], ends[""])


class Chance:
    """Random numbers, the same on every machine: the upper half of a 64-bit congruential generator."""

    def __init__(self, seed: int) -> None:
        self._at = seed
        self.below(2)

    def below(self, limit: int) -> int:
        """A random number from 0 to `limit - 1`; `limit` is at most a few thousand."""
        self._at = (self._at * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._at >> 32) * limit >> 32

    def bit(self, mask: int) -> int:
        """A random bit of a mask, which must not be empty."""
        for _ in range(self.below(mask.bit_count())):
            mask &= mask - 1
        return mask & -mask


class Begun(msgspec.Struct, frozen=True):
    """A standing as bits, and what lies under its slabs: the number of cheeses left, and the `others`."""

    cat: int
    mice: tuple[int, ...]
    slabs: int
    cheeses: int
    cheese_left: int
    others: tuple[Slab, ...]


class Hunt:
    """What all matches on one board with one pair of dice share; kept from one playout to the next."""

    def __init__(self, options: ChopOptions) -> None:
        self.options = options
        self.kitchen: Kitchen = options.kitchen
        self.faces = {side: options.two_dice.of(side).faces for side in ("mice", "cat")}
        self.board = self.kitchen.board_mask
        self.table = self.kitchen.table_mask
        self.holes = self.kitchen.holes_mask
        self.steps_back = options.no_return == "not-end-on-start"
        self.cheese = options.slabs.cheese
        self.fronts = {
            self.kitchen.bit(hole): self.kitchen.mask(self.kitchen.fronts(hole))
            for hole in self.kitchen.holes
        }
        self._reached: dict[tuple[int, int, int], int] = {}
        self._walks: dict[tuple[int, int, int, tuple[Square, ...]], Ways] = {}
        self._near: dict[tuple[int, int], int] = {}
        self._hit: dict[tuple[int, Side], int] = {}
        self.homes = tuple(map(self.kitchen.bit, self.kitchen.holes))
        self._begun: tuple[Standing | None, Begun] = None, Begun(0, (), 0, 0, 0, ())
        self.doorsteps = 0
        for hole in self.kitchen.squares_of(self.holes):
            self.doorsteps |= self.hit(self.kitchen.bit(hole), "mice")

    @staticmethod
    @lru_cache(maxsize=8)
    def of(options: ChopOptions) -> Hunt:
        """The hunt for these options."""
        return Hunt(options)

    def begun(self, standing: Standing) -> Begun:
        """A standing in the form in which a playout begins."""
        # The pair is read once and replaced as a whole, because several threads use the same board.
        kept, begun = self._begun
        if kept is not standing:
            mask = self.kitchen.mask
            cheese, *others = slab_chances(ChopState(self.options, 2, standing, standing))
            begun = Begun(
                mask((standing.cat,) if standing.cat else ()),
                tuple(mask((square,) if square else ()) for square in standing.mice),
                mask(standing.slabs),
                mask(standing.cheeses),
                cheese.left,
                tuple(kind.slab for kind in others for _ in range(kind.left)),
            )
            self._begun = standing, begun
        return begun

    def reach(self, at: int, steps: int, blocked: int) -> int:
        """The squares where walks of this many steps end. A walk may end on `blocked`, but not pass it."""
        near = self._near.get((at, steps))
        if near is None:
            near = self._near[at, steps] = self.around(at, steps - 1)
        key = at, steps, blocked & near
        ends = self._reached.get(key)
        if ends is None:
            ends = self._walked(at, steps, key[2], ()).ends
            _keep(self._reached, key, ends)
        return ends

    def walks(self, at: int, steps: int, blocked: int, came_from: tuple[Square, ...]) -> Ways:
        """All walks of this many steps that pass none of `blocked`, wherever they end."""
        key = at, steps, blocked & self.around(at, steps - 1), came_from
        walks = self._walks.get(key)
        if walks is None:
            walks = self._walked(*key)
            _keep(self._walks, key, walks)
        return walks

    def _walked(self, at: int, steps: int, blocked: int, came_from: tuple[Square, ...]) -> Ways:
        ground = Ground(self.board & ~blocked, self.board)
        start, back = self.kitchen.square(at), self.steps_back
        return ways(self.kitchen, start, steps, ground, came_from=came_from, steps_back=back)

    def hit(self, at: int, side: Side) -> int:
        """The squares to which one throw of a side may lead with nobody in the way. Walks work in both
        directions, so these are also the squares from which a throw may lead here."""
        squares = self._hit.get((at, side))
        if squares is None:
            squares = 0
            for face in set(self.faces[side]):
                squares |= self.reach(at, face, 0)
            self._hit[at, side] = squares
        return squares

    def around(self, mask: int, steps: int) -> int:
        """The squares at most this many steps away from any of these."""
        for _ in range(steps):
            stride = self.kitchen.stride
            mask |= (mask << 1 | mask >> 1 | mask << stride | mask >> stride) & self.board
        return mask


def _keep(kept: dict[K, V], key: K, value: V) -> None:
    """Remember a value; if there are too many, forget all others first."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value


class Playout:
    """One match, played to its end from before a throw. A list `moves`, if given, collects the moves."""

    def __init__(
        self, hunt: Hunt, standing: Standing, chance: Chance, moves: list[ChopMove] | None = None
    ) -> None:
        begun = hunt.begun(standing)
        self.hunt, self.chance, self.moves = hunt, chance, moves
        self.cat, self.slabs, self.cheeses = begun.cat, begun.slabs, begun.cheeses
        self.mice, self.others = list(begun.mice), list(begun.others)
        self.cheese_left = begun.cheese_left
        self.cheese_found = standing.cheese_found
        self.left, self.owes = list(standing.left), list(standing.owes)
        self.side: Side = standing.side
        self.same, self.mover = MICE.index(standing.same) if standing.same else NOBODY, NOBODY
        self.began_at = 0
        self.last: tuple[int, int, int] | None = None
        self.came: tuple[Square, ...] = ()
        self.ended = ""
        self.throws = 0

    def run(self) -> str:
        """Play to the end. Returns how the match ended (`ChopState.ended`), empty if it was given up."""
        if not self.cat:
            self.cat = self.chance.bit(self.hunt.table)
            self._did(PlaceCat(*self._square(self.cat)))
        while not self.ended and self.throws < LONGEST:
            self._throw()
        return self.ended

    def preferred(self, ends: dict[int, int]) -> tuple[int, int]:
        """Who goes where, given the squares (bits) to which each may go (by number; the cat is `CAT`)."""
        if CAT in ends:
            return CAT, self._preyed(ends[CAT])
        return self._safest(list(ends.items()))

    # A throw and what follows

    def _throw(self) -> None:
        faces = self.hunt.faces[self.side]
        value = faces[self.chance.below(len(faces))]
        self.throws += 1
        self._did(ThrowDie((value,)))
        self.mover, self.began_at = NOBODY, 0
        self._move(value)

    def _move(self, steps: int) -> None:
        """Walk the thrown steps with the preferred piece; pass if no piece can."""
        blocked = self._blocked()
        chosen = self._hunt(steps, blocked) if self.side == "cat" else self._scurry(steps, blocked)
        if chosen is None:
            self._next()
            return
        self.mover, to = chosen
        self._walk(steps, to, blocked)

    def _walk(self, steps: int, to: int, blocked: int) -> None:
        start = self._at(self.mover)
        self.began_at = self.began_at or start
        # A mouse may cross the square that it began on; the cat may not, where she stands on cheese.
        own = 0 if self.mover == CAT else start
        self.last = start, steps, blocked & ~own
        self._put(self.mover, to)
        self._land(to)

    def _put(self, mover: int, to: int) -> None:
        if mover == CAT:
            self.cat = to
        else:
            if self.mice[mover] == self._home(mover):
                self.left[mover] = True
            self.mice[mover] = to
        if self.moves is not None:
            self.moves.append(GoTo(_piece(mover), *self._square(to)))

    def _land(self, at: int) -> None:
        if self.mover == CAT:
            if at & self.hunt.table:
                return self._next()
            if at in self.mice:
                return self._catch(self.mice.index(at))
        elif at & self.hunt.holes:
            if self.cheese_found == self.hunt.cheese and all(self.left):
                self.ended = "cheese-home"
                return None
            return self._next()
        elif at & self.cheeses:
            self.cheeses ^= at
            self.cheese_found += 1
            return self._next()
        return self._turn_slab(at) if at & self.slabs else self._next()

    def _catch(self, number: int) -> None:
        if self.mice[number] == self._home(number) and self.hunt.options.caught_in_hole == "counts":
            self.left[number] = True
        self.mice[number] = 0
        if any(self.mice):
            self._next()
        else:
            self.ended = "all-caught"

    def _turn_slab(self, at: int) -> None:
        lying = self.slabs.bit_count()
        self.slabs ^= at
        if self.chance.below(lying) < self.cheese_left:
            slab: Slab = "cheese"
            self.cheese_left -= 1
        else:
            drawn = self.chance.below(len(self.others))
            slab, self.others[drawn] = self.others[drawn], self.others[-1]
            self.others.pop()
        self._did(TurnSlab(slab))
        if slab in BONUS:
            self._bonus(BONUS[slab])
        elif slab == "arrow":
            self._arrow()
        elif slab == "fork" and self.mover != CAT:
            self._fork()
        else:
            self._served(slab, at)
            self._next()

    def _served(self, slab: Slab, at: int) -> None:
        """Do what a cheese or a knife does; crockery, and a fork under the cat, do nothing."""
        if slab == "knife":
            self.owes[self.mover == CAT] = True
        elif slab == "cheese" and self.mover == CAT:
            self.cheeses |= at
        elif slab == "cheese":
            self.cheese_found += 1

    def _bonus(self, steps: int) -> None:
        """Walk one or two more steps within the rules; the square is chosen as after a throw."""
        at, blocked = self._at(self.mover), self._blocked()
        came_from = () if self.hunt.steps_back else self._came_from(at)
        came_from, reached = self._onward(at, steps, blocked, came_from)
        if not reached:
            self._next()
            return
        to = self._preyed(reached) if self.mover == CAT else self._safest([(self.mover, reached)])[1]
        self.came = came_from
        self._walk(steps, to, blocked)

    def _onward(
        self, at: int, steps: int, blocked: int, came_from: tuple[Square, ...]
    ) -> tuple[tuple[Square, ...], int]:
        """Where the mover may go on to, and the squares it may not step straight back to: one of several
        ways that it may have come is chosen by chance, where that matters."""
        barred = self._barred(self.mover, blocked)
        if len(came_from) > 1:
            ends = {
                by: self.hunt.walks(at, steps, blocked, self._not_back(by)).ends & ~barred for by in came_from
            }
            if len(set(ends.values())) > 1:
                by = came_from[self.chance.below(len(came_from))]
                self._did(CameBy(*by))
                return self._not_back(by), ends[by]
        if any(not self._not_back(by) for by in came_from):
            came_from = ()
        return came_from, self.hunt.walks(at, steps, blocked, came_from).ends & ~barred

    def _not_back(self, by: Square) -> tuple[Square, ...]:
        """Where a mover that came by this square may not step straight back to: nowhere, if its throw began
        there."""
        return () if self.began_at and self._square(self.began_at) == by else (by,)

    def _came_from(self, at: int) -> tuple[Square, ...]:
        """The squares from which the mover's last step may have come."""
        if self.last is None:
            return ()
        return self.hunt.walks(*self.last, self.came).came_from(self._square(at))

    def _arrow(self) -> None:
        """Make an arrow's free move to one of the squares that it allows, or stay."""
        here = self._at(self.mover)
        ends = self.hunt.board & ~(self.cheeses | self.hunt.holes | here)
        ends &= ~self._barred(self.mover, self._blocked())
        to = self._flown(ends & ~self._in_reach() if self.mover == CAT else ends)
        if not to:
            self._did(StayHere())
            self._next()
            return
        self.last, self.came = None, ()
        self._put(self.mover, to)
        self._land(to)

    def _fork(self) -> None:
        can = self.cheeses & ~self.cat
        if can:
            speared = self.chance.bit(can)
            if can != speared:
                self._did(SpearCheese(*self._square(speared)))
            self.cheeses ^= speared
            self.cheese_found += 1
        self._next()

    def _next(self) -> None:
        threw, side = self.side, self.side
        while True:
            side = "cat" if side == "mice" else "mice"
            number = int(side == "cat")
            if not self.owes[number]:
                break
            self.owes[number] = False
        again = side == threw == "mice"
        self.same = (self.same if self.mover == NOBODY else self.mover) if again else NOBODY
        self.side = side
        self.last, self.came = None, ()

    # Where pieces may go

    def _blocked(self) -> int:
        """The squares that the mover's side may not pass; a mouse's own square does not matter."""
        if self.side == "cat":
            return self._in_reach() | self.cheeses
        return sum(self.mice) | (self.cat & ~self.hunt.table)

    def _barred(self, mover: int, blocked: int) -> int:
        """The squares on which the mover may not stop."""
        if mover != CAT:
            return blocked & ~self.mice[mover]
        return self.cheeses | self._kept_from_cat()

    def _in_reach(self) -> int:
        return sum(self.mice) & ~self.hunt.table

    def _kept_from_cat(self) -> int:
        alive = sum(self.mice)
        if alive & (alive - 1) or not alive & self.hunt.holes:
            return 0
        fronts = self.hunt.fronts[alive]
        return fronts if self.hunt.options.last_mouse == "front" else fronts | alive

    # What the players choose

    def _hunt(self, steps: int, blocked: int) -> tuple[int, int] | None:
        reached = self.hunt.reach(self.cat, steps, blocked) & ~self._barred(CAT, blocked)
        return (CAT, self._preyed(reached)) if reached else None

    def _preyed(self, reached: int) -> int:
        """The cat's choice: a mouse, else a square from which a throw may catch one, else nearer to one."""
        prey = self._in_reach()
        if reached & prey:
            return self.chance.bit(reached & prey)
        lurk = 0
        for mouse in self.mice:
            if mouse & prey:
                lurk |= self.hunt.hit(mouse, "cat")
        if reached & lurk:
            return self.chance.bit(reached & lurk)
        near = prey
        while near and near != self.hunt.board and not reached & near:
            near = self.hunt.around(near, 1)
        return self.chance.bit(reached & near or reached)

    def _scurry(self, steps: int, blocked: int) -> tuple[int, int] | None:
        reached = []
        for number, at in enumerate(self.mice):
            if at and self.same in (NOBODY, number):
                ends = self.hunt.reach(at, steps, blocked & ~at) & ~(blocked & ~at)
                if ends:
                    reached.append((number, ends))
        return self._safest(reached) if reached else None

    def _safest(self, reached: list[tuple[int, int]]) -> tuple[int, int]:
        """The mice's choice: home with all the cheese, else a find where the cat cannot come next, else out
        of her way."""
        threat = self._threat()
        fleeing = [each for each in reached if self.mice[each[0]] & threat]
        finds = self.slabs | self.cheeses
        wishes: tuple[tuple[list[tuple[int, int]], int], ...]
        if self.cheese_found == self.hunt.cheese:
            staying = [each for each in reached if not self.left[each[0]]]
            home = self.hunt.holes if all(self.left) else 0
            doorsteps = self.hunt.doorsteps & ~threat
            wishes = (reached, home), (staying, ~threat), (reached, doorsteps), (fleeing, ~threat)
        else:
            cheese = reached, self.cheeses & ~threat
            wishes = (fleeing, finds & ~threat), cheese, (reached, self.slabs & ~threat), (fleeing, ~threat)
        wishes = (*wishes, (reached, ~threat), (reached, finds))
        for who, wanted in wishes:
            suited = [(number, ends & wanted) for number, ends in who if ends & wanted]
            if suited:
                return self._one_of(suited)
        return self._one_of(reached)

    def _flown(self, ends: int) -> int:
        """Where an arrow leads: the mice fly to a safe and useful square, the cat to her prey; 0 to stay."""
        if self.mover == CAT:
            return self._preyed(ends) if ends else 0
        safe = ends & ~self._threat()
        wanted = safe & (self.slabs if self.cheese_found < self.hunt.cheese else self.hunt.doorsteps)
        return self.chance.bit(wanted or safe) if safe else 0

    def _one_of(self, suited: list[tuple[int, int]]) -> tuple[int, int]:
        number, ends = suited[self.chance.below(len(suited))]
        return number, self.chance.bit(ends)

    def _threat(self) -> int:
        """The squares where the cat's next throw may catch a mouse."""
        return self.hunt.hit(self.cat, "cat") & ~self.hunt.table if self.cat else 0

    # Small things

    def _at(self, mover: int) -> int:
        return self.cat if mover == CAT else self.mice[mover]

    def _home(self, number: int) -> int:
        return self.hunt.homes[number]

    def _square(self, bit: int) -> Square:
        return self.hunt.kitchen.square(bit)

    def _did(self, move: ChopMove) -> None:
        if self.moves is not None:
            self.moves.append(move)


CAT, NOBODY = 9, -1
"""The numbers of the cat and of nobody as movers; the mice are 0 to 3."""


def _piece(number: int) -> Piece:
    return "cat" if number == CAT else MICE[number]


def forget() -> None:
    """Forget all estimates, so that the next ones are played out again."""
    _chances.cache_clear()
