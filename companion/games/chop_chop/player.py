"""The companion's player of Chop! Chop!, for the cat and for the mice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.games.chance import Chance, Stream
from companion.games.chop_chop.kitchen import Square
from companion.games.chop_chop.people import by_chance
from companion.games.chop_chop.state import CameBy, ChopMove, ChopState, GoTo, PlaceCat, SpearCheese, StayHere
from companion.games.chop_chop.worth import Scale, Stand, chance, number_of
from companion.games.players import Budget, Choice, Dealer, GamePlayer, Handicap, Seen, Weighed

CHOSEN = (GoTo, PlaceCat, SpearCheese, StayHere)

PATIENCE = 300
"""The throws of both sides after which the mice stop hiding."""


class ChopDealer(Dealer):
    """The machine's own dice and slabs."""

    def begin(self, state: Any, chance: Chance) -> None:
        self._streams = {"throw": chance.stream("dice"), "slab": chance.stream("slabs")}

    def chance(self, state: Any) -> Any:
        stream = self._streams.get(state.standing.phase)
        return None if stream is None else by_chance(state, stream.randbelow)


class ChopPlayer(GamePlayer):
    """Plays the cat, or the mice."""

    levels: ClassVar[dict[str, Handicap]] = {
        "newcomer": Handicap(nodes=0, spread=0.25),
        "beginner": Handicap(nodes=0, spread=0.055),
        "middle": Handicap(nodes=0, spread=0.012),
        "top": Handicap(),
    }
    judges = True

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
        """The moves for the side in `seen`. Only what lies under slabs is hidden."""
        moves = [move for move in seen.legal if not isinstance(move, CameBy)]
        if not moves:
            return [Choice(luck.choice(seen.legal))]
        luck.shuffle(moves)
        return _weighed(seen, moves, budget)

    def explained(self, seen: Seen, choice: Choice) -> Choice:
        if choice.value is None:
            return choice
        why, facts = _why(seen.known, choice.move)
        return Choice(choice.move, _expected(seen, choice.move), why, facts)

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        moves = [move for move in seen.legal if isinstance(move, CHOSEN)]
        if len(moves) < 2 or not isinstance(played, CHOSEN):
            return None
        best = _weighed(seen, moves, budget, first=played)[0]
        mine, reached = _expected(seen, played), _expected(seen, best.move)
        best = best if reached > mine else Choice(played)
        return Weighed(self.explained(seen, replace(best, value=max(mine, reached))), mine)

    def sides(self, seats: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """The mice win and lose together, the cat alone."""
        return tuple(seat for seat in seats if seat != "cat"), ("cat",)

    def dealer(self) -> Dealer:
        return ChopDealer()


PLAYER = ChopPlayer()


def _expected(seen: Seen, move: ChopMove) -> float:
    return chance(seen.game.play(seen.known, move), seen.known.standing.side)


def _weighed(
    seen: Seen, moves: Sequence[ChopMove], budget: Budget, first: ChopMove | None = None
) -> list[Choice]:
    """Some moves with their chances on the scale, the best first.

    All are weighed by the pieces after them. They are then weighed again, `first` and the best first, with
    the other side's answers to each of its throws, while the budget lasts. The mice want to win soon, else
    they would hide for ever. Once they cannot win any more, or after `PATIENCE`, they want what the cat
    wants: so every match ends.
    """
    state: ChopState = seen.known
    scale = Scale.for_options(state.options, "wins" if state.standing.side == "cat" else "wins soon")
    gives_up = not state.standing.mice_can_win or state.throws > PATIENCE
    cat = state.standing.side == "cat" or gives_up

    def worth(move: ChopMove, *, ahead: bool) -> float:
        before = scale.weighed
        mice = scale.move(state, move, ahead=ahead)
        budget.spend(scale.weighed - before)
        return 1 - mice if cat else mice

    at_once = {move: worth(move, ahead=False) for move in moves}
    ordered = sorted(moves, key=lambda move: (move != first, -at_once[move]))
    answered = dict[ChopMove, float]()
    for move in ordered:
        if budget.is_over:
            break
        answered[move] = worth(move, ahead=True)
    by_worth = sorted((answered or at_once).items(), key=lambda way: -way[1])
    return [Choice(move, value) for move, value in by_worth]


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
