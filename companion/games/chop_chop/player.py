"""The companion's player of Chop! Chop!, for the cat and for the mice, and players to measure it by."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from companion.games.chance import Chance, Stream, key_of
from companion.games.chop_chop.kitchen import Square
from companion.games.chop_chop.people import by_chance
from companion.games.chop_chop.state import CameBy, ChopMove, ChopState, GoTo, PlaceCat, SpearCheese, StayHere
from companion.games.chop_chop.worth import Aim, Scale, Stand, chance, number_of
from companion.games.players import RANDOM, Budget, Choice, Dealer, GamePlayer, Seen, Weighed

WALKER = "nearest-goal"
"""Walks to the nearest goal: the cat to a mouse, a mouse to cheese or a slab, or home."""


CHOSEN = (GoTo, PlaceCat, SpearCheese, StayHere)


class ChopDealer(Dealer):
    """The machine's own dice and slabs."""

    def begin(self, state: Any, chance: Chance) -> None:
        self._streams = {"throw": chance.stream("dice"), "slab": chance.stream("slabs")}

    def chance(self, state: Any) -> Any:
        stream = self._streams.get(state.standing.phase)
        return None if stream is None else by_chance(state, stream.randbelow)


class ChopPlayer(GamePlayer):
    """Plays the cat, or the mice."""

    levels = ("beginner", "middle", "top", RANDOM, WALKER)
    judges = True

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the side in `seen`. Only what lies under slabs is hidden."""
        luck, state = Stream(key_of(seed)), seen.known
        if not isinstance(state, ChopState):
            raise TypeError("this is no match of Chop! Chop!")
        ways = [move for move in seen.legal if isinstance(move, GoTo)]
        weighable = [move for move in seen.legal if not isinstance(move, CameBy)]
        walks = level in (WALKER, "beginner")
        if level == RANDOM or not weighable or (walks and not ways):
            return Choice(luck.choice(seen.legal))
        if walks:
            return Choice(_nearest(state, ways, luck), why="advice.nearest")
        best = _best(state, weighable, budget, luck, answers=level == "top")
        return Choice(best, _expected(seen, best), *_why(state, best))

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        state = seen.known
        moves = [move for move in seen.legal if isinstance(move, CHOSEN)]
        if len(moves) < 2 or not isinstance(played, CHOSEN):
            return None
        scale, sign = Scale.for_options(state.options, "wins"), -1 if state.standing.side == "cat" else 1

        def worth(move: ChopMove, *, ahead: bool) -> float:
            budget.spend(1)
            return sign * scale.move(state, move, ahead=ahead)

        best, most = played, worth(played, ahead=True)
        for move in sorted(moves, key=lambda move: -worth(move, ahead=False)):
            if budget.is_over:
                break
            if (answered := worth(move, ahead=True)) > most:
                best, most = move, answered
        mine, reached = _expected(seen, played), _expected(seen, best)
        if reached <= mine:
            best, reached = played, mine
        return Weighed(Choice(best, reached, *_why(state, best)), mine)

    def sides(self, seats: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """The mice win and lose together, the cat alone."""
        return tuple(seat for seat in seats if seat != "cat"), ("cat",)

    def dealer(self) -> Dealer:
        return ChopDealer()


PLAYER = ChopPlayer()


def _expected(seen: Seen, move: ChopMove) -> float:
    return chance(seen.game.play(seen.known, move), seen.known.standing.side)


def _best(
    state: ChopState, moves: list[ChopMove], budget: Budget, luck: Stream, *, answers: bool
) -> ChopMove:
    """The best of some moves.

    All are weighed by the pieces after them. With `answers`, they are then weighed again, the best first,
    with the other side's answers to each of its throws, while the budget lasts. The mice want to win soon,
    else they would hide for ever.
    """
    side = state.standing.side
    aim: Aim = "wins" if side == "cat" else "wins soon"
    scale, sign = Scale.for_options(state.options, aim), -1 if side == "cat" else 1
    luck.shuffle(moves)

    def worth(move: ChopMove, *, ahead: bool) -> float:
        before = scale.weighed
        chance = sign * scale.move(state, move, ahead=ahead)
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
    return best


def _why(state: ChopState, move: ChopMove) -> tuple[str, dict[str, str | int]]:
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
    """The chance that the cat's next throw catches a mouse after this move."""
    scale = Scale.for_options(state.options, "wins")
    stand, number = Stand.from_state(state), number_of(move.piece)
    to = state.options.kitchen.bit((move.row, move.col))
    mice = [to if other == number else mouse for other, mouse in enumerate(stand.mice)]
    return scale.risk([mouse for mouse in mice if mouse], stand)


def _steps(start: Square, goals: Iterable[Square]) -> int:
    """Steps to the nearest of these squares on an empty board."""
    return min(abs(row - start[0]) + abs(col - start[1]) for row, col in goals)


def _nearest(state: ChopState, ways: list[GoTo], luck: Stream) -> GoTo:
    standing, kitchen = state.standing, state.options.kitchen
    if standing.side == "cat":
        goals = [mouse for mouse in standing.mice if mouse]
    elif standing.cheese_found < state.options.slabs.cheese:
        goals = [*standing.cheeses, *standing.slabs]
    else:
        goals = list(kitchen.holes)
    if not goals:
        return luck.choice(ways)
    far = [_steps((go.row, go.col), goals) for go in ways]
    return luck.choice([go for go, steps in zip(ways, far, strict=True) if steps == min(far)])
