"""The companion's players: a game's own player sees what its seat sees, and chooses a move.

A game's folder offers it as `player.PLAYER`, a `GamePlayer`; without one, any legal move is played. The
player gets a `Seen`: the options, the seat, that seat's view and its legal moves, but never the state with
what its seat does not know. It has no clock: `Budget` says when to stop. The seed decides between equals.

    player = player_of("this-bed-is-mine")
    choice = player.choose(seen(game, state, "cat"), "top", Budget(nodes=100_000), seed=1)
    state = game.play(state, choice.move)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from math import exp
from typing import Any, ClassVar

import msgspec

from companion.games.chance import Chance, Stream, key_of
from companion.games.game import Game, Options

RANDOM = "random"
"""The player below all levels: any legal move, all equally likely."""

FINEST_WEIGHT = 1 << 30
"""The weight of the best move where a level takes one by lot; the others weigh less."""


@dataclass(frozen=True)
class Seen:
    """All that a player is given: `legal` are its seat's legal moves.

    `known`: the state without what the seat must not know (`Game.hide`).
    """

    game: Game[Any, Any, Any]
    seat: str
    known: Any
    legal: tuple[Any, ...]

    @property
    def options(self) -> Options:
        """The match's options."""
        options: Options = self.known.options
        return options

    @cached_property
    def view(self) -> msgspec.Struct:
        """The seat's view, made on demand: some take longer than a move."""
        return self.game.view(self.known, self.seat)


class Choice(msgspec.Struct, frozen=True):
    """A chosen move; None if a seat that could act out of turn (play a nope, say) does not.

    `value`: the player's expectation (`GamePlayer.expects`), or None if it did not weigh the move. `why`: a
    key of the game's messages, with `facts` to fill in; empty without a reason.
    """

    move: Any
    value: float | None = None
    why: str = ""
    facts: dict[str, str | int] = {}


class Weighed(msgspec.Struct, frozen=True):
    """A played move beside the best one, both by their values (see `Choice`).

    `settled`: both values are certain, however the others play.
    """

    best: Choice
    played: float
    settled: bool = False


class Budget:
    """A limit to a player's thinking: a number of nodes, or until `over` says that time is up.

    A node is one weighed position. The same number of nodes gives the same move on every machine.
    """

    def __init__(self, nodes: int | None = None, over: Callable[[], bool] | None = None) -> None:
        self._nodes, self._over, self.spent = nodes, over, 0

    @property
    def is_over(self) -> bool:
        """True once the player has to stop."""
        if self._nodes is not None and self.spent >= self._nodes:
            return True
        return self._over is not None and self._over()

    def spend(self, nodes: int) -> None:
        """Count weighed positions."""
        self.spent += nodes

    def at_most(self, nodes: int | None) -> Budget:
        """The same budget with fewer nodes."""
        return self if nodes is None else Budget(nodes, lambda: self.is_over)


@dataclass(frozen=True)
class Handicap:
    """All that a level lacks beside the top player, which has no handicap.

    `nodes`: the most positions that it weighs. `spread`: it takes a move by lot, and one that is worth this
    much less (in the unit of `GamePlayer.expects`) e times as seldom.
    """

    nodes: int | None = None
    spread: float = 0.0


class Dealer:
    """Brings chance into a match that the machine runs by itself. This one is for games without chance."""

    def begin(self, state: Any, chance: Chance) -> None:
        """Get ready at a match's start."""

    def chance(self, state: Any) -> Any:
        """The move that chance makes now, for example a throw; None if a player has to choose."""
        return None

    def acting(self, game: Game[Any, Any, Any], state: Any) -> str | None:
        """The seat that chooses now; None if nobody can act."""
        return game.turn(state)

    def resolve(self, state: Any, move: Any) -> Any:
        """The result of a chosen move: a draw shows the top card.

        None for a move that does not show yet, such as a card laid face down until all have laid.
        """
        return move

    def seen_by(self, state: Any, seat: str) -> Any:
        """The state as a choosing seat sees it, with its own face-down cards."""
        return state

    def passes(self, state: Any, seat: str) -> None:
        """Note that an asked seat declines."""

    def after(self, state: Any, move: Any) -> None:
        """Note a move made in `state`."""

    def check(self, state: Any, move: Any, seat: str) -> None:
        """Refuse a move that the seat cannot make with its dealt cards. Raises `MoveError`."""

    def waits(self, state: Any) -> bool:
        """True while the match waits for an answer to the last move that, as all know, may come."""
        return False

    def answerers(self, state: Any) -> tuple[str, ...]:
        """The seats that really hold an answer to the last move and have not declined, in order."""
        return ()

    def in_secret(self, state: Any) -> str:
        """The seat that must act unseen before the match goes on; empty without one."""
        return ""

    def close(self, state: Any) -> None:
        """Note that the time to answer the last move is over."""
        for seat in self.answerers(state):
            self.passes(state, seat)

    def answers(self, moves: tuple[Any, ...]) -> tuple[Any, ...]:
        """The moves that answer the last one, before it takes effect."""
        return moves


class GamePlayer:
    """A game's player. This one, for games without their own, makes any legal move."""

    levels: ClassVar[Mapping[str, Handicap]] = {}
    """The levels for people to choose from, the weakest first. The last is the top player."""
    expects = "chance"
    """The unit of `Choice.value`: `points` ahead of the others, or a `chance` to win (0 to 1)."""
    judges = False
    """True if `weigh` can judge a move."""
    deals_to_people = False
    """True if people can play with the machine's cards, each on their own phone."""

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move of a level, or of `RANDOM`, for the seat in `seen`."""
        luck = Stream(key_of(seed))
        if level == RANDOM:
            return Choice(luck.choice(self.all_moves(seen)))
        handicap = self.levels[level]
        ways = self.ways(seen, budget.at_most(handicap.nodes), luck)
        return self.explained(seen, _by_lot(ways, handicap.spread, luck) if handicap.spread else ways[0])

    def all_moves(self, seen: Seen) -> Sequence[Any]:
        """The legal moves, with None where a seat may do nothing."""
        return seen.legal

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> Sequence[Choice]:
        """The moves with their values, the best first. `luck` decides between equals."""
        raise NotImplementedError

    def explained(self, seen: Seen, choice: Choice) -> Choice:
        """The choice with its reason."""
        return choice

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        """The best move, and the worth of the played one; None without a choice."""
        return None

    def own_moves(self, game: Game[Any, Any, Any], state: Any, seat: str) -> tuple[Any, ...]:
        """The moves that a seat can choose in a state without what it must not know.

        If the rules accept any card of a hidden hand, only those with cards that it holds.
        """
        return tuple(move for move in game.legal_moves(state) if belongs_to(game, state, move, seat))

    def sides(self, seats: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """The seats that win and lose together: each seat alone."""
        return tuple((seat,) for seat in seats)

    def dealer(self) -> Dealer:
        """A new dealer, for one match."""
        return Dealer()


def player_of(slug: str) -> GamePlayer:
    """The player of a game, by the game's slug, loaded only now: rules do without it."""
    package = f"companion.games.{slug.replace('-', '_')}"
    if find_spec(package) and find_spec(f"{package}.player"):
        player: GamePlayer = import_module(f"{package}.player").PLAYER
        return player
    return GamePlayer()


def levels_of(slug: str) -> tuple[str, ...]:
    """The companion's levels at a game, the weakest first."""
    return tuple(player_of(slug).levels)


def level_now(slug: str, level: str) -> str:
    """A level as it was noted; the top one if the game no longer has it."""
    levels = levels_of(slug)
    return level if level in levels or not levels else levels[-1]


def seen(game: Game[Any, Any, Any], state: Any, seat: str) -> Seen:
    """The part of a state for a seat's player."""
    known = game.hide(state, seat)
    return Seen(game, seat, known, player_of(game.slug).own_moves(game, known, seat))


def belongs_to(game: Game[Any, Any, Any], state: Any, move: Any, seat: str) -> bool:
    """True for a move of this seat: its own private note, an open move that names it, or an open move in its
    turn that names nobody."""
    private = game.private_to(move)
    if private is not None:
        return private == seat
    named = [getattr(move, field) for field in ("seat", "owner", "by") if hasattr(move, field)]
    return seat in named if named else game.turn(state) == seat


def _by_lot(ways: Sequence[Choice], spread: float, luck: Stream) -> Choice:
    best = max(way.value or 0.0 for way in ways)
    ends = list(accumulate(round(FINEST_WEIGHT * exp(((way.value or 0.0) - best) / spread)) for way in ways))
    return ways[bisect_right(ends, luck.randbelow(ends[-1]))]
