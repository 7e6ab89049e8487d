"""Playouts play the rules a second time, on bits: here the two are laid side by side, move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import SLABS, Side, Square
from companion.games.chop_chop.playouts import CAT, NOBODY, Begun, Chance, Hunt, Playout
from companion.games.chop_chop.rules import legal_moves
from companion.games.chop_chop.state import (
    MICE,
    CameBy,
    ChopMove,
    ChopOptions,
    ChopState,
    GoTo,
    SpearCheese,
    Standing,
    TurnSlab,
)
from companion.games.chop_chop.tests.playing import CHOP, EMPTY, kitchen, square

THROWS_FROM_EACH = 4
"""How many throws are played on from a position that was drawn: each leads to one more position."""

OPTIONS = tuple(
    ChopOptions(no_return=no_return, last_mouse=last_mouse, caught_in_hole=caught, board=board, dice=dice)
    for no_return in ("no-step-back", "not-end-on-start")
    for last_mouse in ("front-and-hole", "front")
    for caught in ("counts", "does-not")
    for board, dice in (("middle", "chop"), ("corners", "plain"))
)


def position(draw: random.Random, options: ChopOptions) -> ChopState:
    """Any position in which a throw is due: pieces, slabs and cheese anywhere that the rules let them be."""
    kitchen, bag = options.kitchen, options.slabs
    turned = [draw.randint(0, bag.of(slab)) for slab in SLABS]
    if not any(bag.of(slab) - count for slab, count in zip(SLABS, turned, strict=True)):
        turned[0] -= 1
    slabs = tuple(sorted(draw.sample(kitchen.slabs, len(kitchen.slabs) - sum(turned))))
    bare = [square for square in kitchen.slabs if square not in slabs]
    cheeses = tuple(draw.sample(bare, draw.randint(0, min(turned[0], 4, len(bare)))))
    mice = mice_somewhere(draw, options, cheeses)
    free = set(kitchen.all_squares) - {mouse for mouse in mice if mouse not in kitchen.table}
    side: Side = draw.choice(("mice", "cat"))
    alive = [name for name, square in zip(MICE, mice, strict=False) if square]
    standing = Standing(
        cat=draw.choice(sorted(free - set(kitchen.holes))),
        mice=mice,
        slabs=slabs,
        cheeses=cheeses,
        turned=tuple(turned),
        cheese_found=turned[0] - len(cheeses),
        left=tuple(
            square != hole or draw.random() < 0.5 for square, hole in zip(mice, kitchen.holes, strict=True)
        ),
        owes=(draw.random() < 0.2, draw.random() < 0.2),
        side=side,
        same=draw.choice(alive) if side == "mice" and draw.random() < 0.2 else None,
        phase="throw",
    )
    return ChopState(options, 2, standing, standing, mice_turns=1)


def mice_somewhere(
    draw: random.Random, options: ChopOptions, cheeses: tuple[Square, ...]
) -> tuple[Square | None, ...]:
    """One to all mice on squares of their own, often in or near a hole, where the rules are richest."""
    kitchen = options.kitchen
    holes = kitchen.holes
    near = [*holes, *(front for hole in holes for front in kitchen.fronts(hole))]
    squares: list[Square] = []
    for _ in holes:
        anywhere = near if draw.random() < 0.5 else kitchen.all_squares
        squares.append(draw.choice([at for at in anywhere if at not in squares and at not in cheeses]))
    alive = draw.sample(range(len(holes)), draw.randint(1, len(holes)))
    return tuple(square if number in alive else None for number, square in enumerate(squares))


class Beside(list[ChopMove]):
    """What a playout does, played by the rules at once: each move must be one that they offer."""

    def __init__(self, state: ChopState) -> None:
        super().__init__()
        self.state = state

    def append(self, move: ChopMove) -> None:
        """One more move."""
        assert move in set(legal_moves(self.state))
        self.state = GAME.play(self.state, move)
        super().append(move)


class Led(Playout):
    """A playout whose players choose by chance among all that they may do, which is what the rules offer."""

    def __init__(self, state: ChopState, draw: random.Random) -> None:
        self.beside, self.draw = Beside(state), draw
        chance = Chance(draw.getrandbits(60))
        super().__init__(Hunt.of(state.options), state.standing, chance, self.beside)

    def throw(self) -> ChopState:
        """Play one throw and what follows; the state that the rules come to."""
        self._throw()
        return self.beside.state

    def offered(self) -> set[ChopMove]:
        """What the rules offer now, staying where an arrow could lead aside."""
        return {move for move in legal_moves(self.beside.state) if isinstance(move, GoTo)}

    def gone(self, number: int, ends: int) -> set[ChopMove]:
        """A piece to each of these squares."""
        piece = "cat" if number == CAT else MICE[number]
        return {GoTo(piece, *square) for square in self.hunt.kitchen.squares_of(ends)}

    def one(self, ends: int) -> int:
        """Any of these squares."""
        return self.hunt.kitchen.bit(self.draw.choice(list(self.hunt.kitchen.squares_of(ends))))

    def _preyed(self, reached: int) -> int:
        assert self.gone(CAT, reached) == self.offered()
        return self.one(reached)

    def _safest(self, reached: list[tuple[int, int]]) -> tuple[int, int]:
        assert set().union(*(self.gone(*each) for each in reached)) == self.offered()
        number, ends = self.draw.choice(reached)
        return number, self.one(ends)

    def _flown(self, ends: int) -> int:
        assert self.gone(self.mover, ends) == self.offered()
        return self.one(ends) if ends and self.draw.random() < 0.8 else 0

    def _turn_slab(self, at: int) -> None:
        kinds = {"cheese"} if self.cheese_left else set()
        if self.slabs.bit_count() > self.cheese_left:
            kinds |= set(self.others)
        assert {TurnSlab(kind) for kind in kinds} == set(legal_moves(self.beside.state))  # type: ignore[arg-type]
        super()._turn_slab(at)

    def _fork(self) -> None:
        can = set(self.hunt.kitchen.squares_of(self.cheeses & ~self.cat))
        if len(can) > 1:
            assert {SpearCheese(*square) for square in can} == set(legal_moves(self.beside.state))
        super()._fork()


def assert_alike(playout: Playout, state: ChopState) -> None:
    """A playout stands as the rules say."""
    standing, kitchen = state.standing, state.options.kitchen
    assert playout.ended == state.ended
    assert playout.cat == kitchen.mask((standing.cat,) if standing.cat else ())
    assert playout.mice == [kitchen.bit(mouse) if mouse else 0 for mouse in standing.mice]
    assert playout.slabs == kitchen.mask(standing.slabs)
    assert playout.cheeses == kitchen.mask(standing.cheeses)
    assert (playout.cheese_found, tuple(playout.left)) == (standing.cheese_found, standing.left)
    if not state.ended:
        assert (playout.side, tuple(playout.owes)) == (standing.side, standing.owes)
        assert playout.same == (NOBODY if standing.same is None else MICE.index(standing.same))


def lay_side_by_side(count: int, seed: int) -> dict[str, int]:
    """Play `count` positions by both; how often each thing happened in them."""
    draw, happened = random.Random(seed), dict[str, int]()
    for number, state in enumerate(positions(draw)):
        if number == count:
            return happened
        for event in state.since:
            happened[event.slab or event.what] = happened.get(event.slab or event.what, 0) + 1
        happened[state.ended] = happened.get(state.ended, 0) + 1
    raise AssertionError("positions are drawn without end")


def positions(draw: random.Random) -> Iterator[ChopState]:
    """What each throw came to, by the rules and the playout alike."""
    while True:
        state = position(draw, draw.choice(OPTIONS))
        led = Led(state, draw)
        for _ in range(THROWS_FROM_EACH):
            state = led.throw()
            assert_alike(led, state)
            yield state
            if state.ended:
                break


EVENTS = {
    *(
        "thrown",
        "no-way",
        "moved",
        "came-by",
        "flew",
        "stayed",
        "never-left",
        "hid",
        "took-cheese",
        "left-cheese",
        "speared",
    ),
    *("nothing-to-spear", "no-bonus-way", "caught", "cut", "missed", *SLABS),
}


def test_a_playout_and_the_rules_do_the_same() -> None:
    happened = lay_side_by_side(400, seed=2)
    assert happened.keys() >= {"moved", "caught", "missed", "speared", "all-caught"}


@pytest.mark.slow
def test_a_playout_and_the_rules_do_the_same_in_ten_thousand_positions() -> None:
    happened = lay_side_by_side(10_000, seed=26)
    assert happened.keys() >= EVENTS | {"cheese-home", "all-caught"}, "all that the rules know has happened"


class Scripted(Chance):
    """Chance that gives these numbers, one after another."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def below(self, limit: int) -> int:
        """The next number."""
        return self.numbers.pop(0)


class Wanting(random.Random):
    """A choice of this one, wherever it is offered."""

    wanted: Square

    def choice(self, among: Any) -> Any:
        """The wanted one, else the first."""
        return self.wanted if self.wanted in among else among[0]


def test_a_mouse_may_have_crossed_the_square_that_it_began_on() -> None:
    """By six steps from F1 to G2 it may come by G3, by F2, or by G1, around and over F1 again."""
    options = ChopOptions(board="corners", dice="plain")
    state = kitchen(
        EMPTY,
        options=options,
        cat=square("G5"),
        mice=(None, None, square("F1"), None),
        slabs=(square("G2"), square("B3")),
    )
    draw = Wanting(1)
    draw.wanted = square("G2")
    led = Led(state, draw)
    six, no_cheese, plus_one, by_the_third = 5, 1, 13, 2
    led.chance = Scripted(six, no_cheese, plus_one, by_the_third)
    assert_alike(led, led.throw())
    assert CameBy(*square("G1")) in led.beside


def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Playout, "_kept_from_cat", lambda _: 0)
    with pytest.raises(AssertionError):
        lay_side_by_side(400, seed=2)


class Interrupted(Hunt):
    """A hunt that another thread asks about `other`, once, right after it has taken up a standing."""

    other: Standing | None = None

    @property
    def _begun(self) -> tuple[Standing | None, Begun]:
        return self.kept

    @_begun.setter
    def _begun(self, kept: tuple[Standing | None, Begun]) -> None:
        self.kept = kept
        if self.other is not None:
            other, self.other = self.other, None
            self.begun(other)


def test_two_phones_may_have_two_standings_played_out_at_the_same_time() -> None:
    draw = random.Random(3)
    one, other = (position(draw, CHOP).standing for _ in range(2))
    hunt = Interrupted(CHOP)
    hunt.other = other
    assert hunt.begun(one) == Hunt(CHOP).begun(one) != Hunt(CHOP).begun(other)
