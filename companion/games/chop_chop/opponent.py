"""The companion's player of Chop! Chop!, for the cat and for the mice, and the players that measure it."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from companion.games.choosing import RANDOM, Budget, Choice, Dealer, Lots, Seen, Weighed
from companion.games.chop_chop.kitchen import Side, Square
from companion.games.chop_chop.people import likely_move, number_of
from companion.games.chop_chop.state import (
    CameBy,
    ChopMove,
    ChopState,
    GoTo,
    PlaceCat,
    SpearCheese,
    Standing,
    StayHere,
    ThrowDie,
    TurnSlab,
)
from companion.games.chop_chop.worth import Aim, Scale, Stand

WALKER = "nearest-goal"
"""The player who walks to the nearest goal: the cat to a mouse, a mouse to cheese or a slab, or home."""


CHOSEN = (GoTo, PlaceCat, SpearCheese, StayHere)
"""The moves that are anybody's choice."""


class ChopChooser:
    """Plays the cat, or the mice."""

    levels = ("beginner", "middle", "top", RANDOM, WALKER)
    expects = "chance"

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the side in `seen`. Nothing is hidden in this game but what lies under the slabs."""
        lots, state = Lots(seed), seen.known
        if not isinstance(state, ChopState):
            raise TypeError("this is no match of Chop! Chop!")
        ways = [move for move in seen.legal if isinstance(move, GoTo)]
        weighable = [move for move in seen.legal if not isinstance(move, CameBy)]
        walks = level in (WALKER, "beginner")
        if level == RANDOM or not weighable or (walks and not ways):
            return Choice(lots.one_of(seen.legal))
        if walks:
            return Choice(_nearest(state, ways, lots), why="advice.nearest")
        best, chance = _weighed(state, weighable, budget, lots, answers=level == "top")
        return Choice(best, chance, *_why(state, best))

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        """The best move and what the played one was worth; None where there was nothing to choose."""
        state = seen.known
        moves = [move for move in seen.legal if isinstance(move, CHOSEN)]
        if len(moves) < 2 or not isinstance(played, CHOSEN):
            return None
        scale, side = Scale.of(state.options, "wins"), state.standing.side

        def worth(move: ChopMove, *, ahead: bool) -> float:
            budget.spend(1)
            chance = _after(state, scale, move, ahead=ahead)
            return 1 - chance if side == "cat" else chance

        best, most = played, worth(played, ahead=True)
        mine = most
        for move in sorted(moves, key=lambda move: -worth(move, ahead=False)):
            if budget.is_over:
                break
            if (answered := worth(move, ahead=True)) > most:
                best, most = move, answered
        return Weighed(Choice(best, most, *_why(state, best)), mine)


CHOOSER = ChopChooser()


def _weighed(
    state: ChopState, moves: list[ChopMove], budget: Budget, lots: Lots, *, answers: bool
) -> tuple[ChopMove, float]:
    """The best of some moves, and its side's chance to win.

    All are weighed as the pieces then stand. With `answers` they are then weighed, the best first, with the
    other side's answers to each of its throws, as long as the budget lasts. The mice want to win soon, else
    they would hide for ever.
    """
    side = state.standing.side
    aim: Aim = "wins" if side == "cat" else "wins soon"
    sign = -1 if side == "cat" else 1
    lots.mix(moves)

    def worth(move: ChopMove, *, ahead: bool) -> float:
        scale = Scale.of(state.options, aim)
        before = scale.weighed
        chance = sign * _after(state, scale, move, ahead=ahead)
        budget.spend(scale.weighed - before)
        return chance

    at_once = {move: worth(move, ahead=False) for move in moves}
    ordered = sorted(moves, key=lambda move: -at_once[move])
    best, most = ordered[0], -inf
    for move in ordered if answers else ():
        answered = worth(move, ahead=True)
        if answered > most:
            best, most = move, answered
        if budget.is_over:
            break
    chance = _after(state, Scale.of(state.options, "wins"), best, ahead=False)
    return best, 1 - chance if side == "cat" else chance


def _after(state: ChopState, scale: Scale, move: ChopMove, *, ahead: bool) -> float:
    """The mice's chance after a move of either side."""
    standing, bit = state.standing, state.options.kitchen.bit
    stand, side = Stand.of(scale.hunt, standing), _next_side(standing)
    weigh = scale.ahead if ahead else scale.chance
    if isinstance(move, PlaceCat):
        return weigh(stand._replace(cat=bit((move.row, move.col))), "mice")
    if isinstance(move, SpearCheese):
        speared = stand.cheeses ^ bit((move.row, move.col))
        return weigh(stand._replace(cheeses=speared, cheese_found=stand.cheese_found + 1), side)
    if isinstance(move, GoTo):
        return scale.after(stand, number_of(move.piece), bit((move.row, move.col)), side, ahead=ahead)
    return weigh(stand, side)


def _next_side(standing: Standing) -> Side:
    """Who throws after this move: the other side, unless a knife made it miss its turn."""
    other: Side = "mice" if standing.side == "cat" else "cat"
    mice_owe, cat_owes = standing.owes
    skipped = mice_owe if other == "mice" else cat_owes
    owes_itself = cat_owes if other == "mice" else mice_owe
    return standing.side if skipped and not owes_itself else other


def _why(state: ChopState, move: ChopMove) -> tuple[str, dict[str, str | int]]:
    """What speaks for the best move, and what to fill in there."""
    if not isinstance(move, GoTo):
        return "", {}
    standing, to = state.standing, (move.row, move.col)
    if standing.side == "cat":
        hunted = [mouse for mouse in standing.mice if mouse and mouse not in state.options.kitchen.table]
        if to in hunted:
            return "advice.catches", {}
        nearer = hunted and standing.cat and _steps(to, hunted) < _steps(standing.cat, hunted)
        return "advice.hunts" if nearer else "advice.leaves-least", {}
    if to in standing.cheeses:
        return "advice.takes-cheese", {}
    if standing.cheese_found == state.options.slabs.cheese and to in state.options.kitchen.holes:
        return "advice.goes-home", {}
    caught = _risk(state, move)
    if caught:
        return "advice.dares", {"percent": round(100 * caught)}
    return "advice.looks-for-cheese" if to in standing.slabs else "advice.keeps-away", {}


def _risk(state: ChopState, move: GoTo) -> float:
    """The chance that the cat's next throw catches a mouse after a mouse's move."""
    scale = Scale.of(state.options, "wins")
    stand, number = Stand.of(scale.hunt, state.standing), number_of(move.piece)
    to = state.options.kitchen.bit((move.row, move.col))
    mice = [to if other == number else mouse for other, mouse in enumerate(stand.mice)]
    return scale.risk([mouse for mouse in mice if mouse], stand)


def _steps(start: Square, goals: Iterable[Square]) -> int:
    """The steps to the nearest of some squares on an empty board."""
    return min(abs(row - start[0]) + abs(col - start[1]) for row, col in goals)


def _nearest(state: ChopState, ways: list[GoTo], lots: Lots) -> GoTo:
    """The way that ends nearest to a goal, by steps on an empty board."""
    standing, kitchen = state.standing, state.options.kitchen
    if standing.side == "cat":
        goals = [mouse for mouse in standing.mice if mouse]
    elif standing.cheese_found < state.options.slabs.cheese:
        goals = [*standing.cheeses, *standing.slabs]
    else:
        goals = list(kitchen.holes)
    if not goals:
        return lots.one_of(ways)
    far = [_steps((go.row, go.col), goals) for go in ways]
    return lots.one_of([go for go, steps in zip(ways, far, strict=True) if steps == min(far)])


class ChopDealer(Dealer):
    """The machine's own dice and slabs."""

    def begin(self, state: Any, lots: Lots) -> None:
        """Keep the match's lots."""
        self._lots = lots

    def chance(self, state: Any) -> Any:
        """A throw as the die falls, or a slab as the bag has it."""
        if state.standing.phase not in ("throw", "slab"):
            return None
        move = likely_move(state, self._lots.below)
        assert isinstance(move, ThrowDie | TurnSlab), "these phases wait for nothing else"
        return move


dealer = ChopDealer


def sides(seats: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The mice win and lose together, and the cat is alone."""
    return tuple(seat for seat in seats if seat != "cat"), ("cat",)
