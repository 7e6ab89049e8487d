"""How the companion plays: a game's own player sees what its seat sees, and chooses a move.

A player is a `Chooser`, which a game's folder offers as `opponent.CHOOSER`. It gets a `Seen`: the options,
the seat, that seat's view and that seat's legal moves. It never gets the state, so it cannot know what its
seat does not know. It has no clock and no random numbers of its own: `Budget` says when to stop, and the seed
decides between equals.

    chooser = choosing.chooser_of("this-bed-is-mine")
    choice = chooser.choose(choosing.seen(game, state, "cat"), "top", Budget(nodes=100_000), seed=1)
    state = game.play(state, choice.move)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar

import msgspec

from companion.games.game import Game, Options

LEVELS = ("beginner", "middle", "top")
"""The levels that a person chooses from, the weakest first. Not every game has all of them."""

RANDOM = "random"
"""The reference player that every game has: any legal move, each as likely."""

T = TypeVar("T")


@dataclass(frozen=True)
class Seen:
    """All that a player is given: `legal` are the legal moves of its seat.

    `known` is the state without what the seat must not know (`Game.hide`), and `view` is made of that alone,
    once it is asked for: some views take longer than a move.
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
        """What the seat sees."""
        return self.game.view(self.known, self.seat)


class Choice(msgspec.Struct, frozen=True):
    """A chosen move; None if a seat that is not in turn could act (play a nope, say) but does not.

    `value` is what the player expects of it (`Chooser.expects`); None if it did not weigh the move. `why` is
    a key of the game's messages, with `facts` to fill in; empty if there is nothing to say.
    """

    move: Any
    value: float | None = None
    why: str = ""
    facts: dict[str, str | int] = {}


class Weighed(msgspec.Struct, frozen=True):
    """A move that was played beside the best one, both by their values (see `Choice`)."""

    best: Choice
    played: float


class Budget:
    """How long a player may think: a number of nodes, or until `over` says that its time is up.

    A node is one position that was weighed. The same number of nodes gives the same move on every machine.
    """

    def __init__(self, nodes: int | None = None, over: Callable[[], bool] | None = None) -> None:
        self._nodes, self._over, self._spent = nodes, over, 0

    @property
    def spent(self) -> int:
        """The nodes spent so far."""
        return self._spent

    @property
    def is_over(self) -> bool:
        """Whether to stop thinking."""
        if self._nodes is not None and self._spent >= self._nodes:
            return True
        return self._over is not None and self._over()

    def spend(self, nodes: int) -> None:
        """Count positions that were weighed."""
        self._spent += nodes


class Lots:
    """Lots drawn from a seed, the same on every machine: a linear congruential generator of 64 bits."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2 + 1) & 0xFFFF_FFFF_FFFF_FFFF
        for _ in range(4):
            self.below(2)

    def below(self, limit: int) -> int:
        """A number from 0 to `limit - 1`."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFF_FFFF_FFFF_FFFF
        return (self._state >> 33) * limit >> 31

    def one_of(self, some: Sequence[T]) -> T:
        """One of these, each as likely."""
        return some[self.below(len(some))]

    def mix(self, cards: list[T]) -> None:
        """Put cards into a random order, each as likely."""
        below = self.below
        for at in range(len(cards) - 1, 0, -1):
            other = below(at + 1)
            cards[at], cards[other] = cards[other], cards[at]


class Chooser(Protocol):
    """A game's player."""

    levels: tuple[str, ...]
    """The ways it can play: levels of `LEVELS`, and reference players to measure them by."""
    expects: str
    """What `Choice.value` counts: `points` ahead of the others, or a `chance` to win (0 to 1)."""

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the seat in `seen`, which has at least one legal move."""


class Weighs(Protocol):
    """A chooser that can say how good a move was beside the best one."""

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed:
        """The best move, and what the played one was worth."""


class AnyMove:
    """The player for games without one of their own: any legal move."""

    levels: tuple[str, ...] = (RANDOM,)
    expects = "chance"

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """Any legal move, each as likely."""
        return Choice(Lots(seed).one_of(seen.legal))


def _opponent(slug: str) -> Any:
    """The module or package `opponent` in a game's folder; None if it has none."""
    package = f"companion.games.{slug.replace('-', '_')}"
    if find_spec(package) and find_spec(f"{package}.opponent"):
        return import_module(f"{package}.opponent")
    return None


def chooser_of(slug: str) -> Chooser:
    """The player of a game, by the game's slug; any move where the game has no player."""
    chooser: Chooser = getattr(_opponent(slug), "CHOOSER", AnyMove())
    return chooser


def levels_of(slug: str) -> tuple[str, ...]:
    """The levels at which the companion knows how to play a game, the weakest first."""
    known = chooser_of(slug).levels
    return tuple(level for level in LEVELS if level in known)


class Dealer:
    """What chance brings in a match that the machine runs by itself. This one is for games without chance."""

    deals_to_people = False
    """Whether people can play with the machine's cards, each on their own phone."""

    def begin(self, state: Any, lots: Lots) -> None:
        """Get ready for a match from its start."""

    def chance(self, state: Any) -> Any:
        """The move that chance makes now, such as a throw; None if a player has to choose."""
        return None

    def acting(self, game: Game[Any, Any, Any], state: Any) -> str | None:
        """The seat that chooses now; None if nobody can do anything."""
        return game.turn(state)

    def comes_of(self, state: Any, move: Any) -> Any:
        """What a chosen move turns out to be: a draw shows the card that lies on top.

        None for what does not show yet, such as a card that is laid face down until all have laid.
        """
        return move

    def seen_by(self, state: Any, seat: str) -> Any:
        """The state as a seat that has to choose sees it, with what it laid face down."""
        return state

    def passes(self, state: Any, seat: str) -> None:
        """Note that a seat that was asked does nothing."""

    def after(self, state: Any, move: Any) -> None:
        """Note a move that was made in `state`."""

    def check(self, state: Any, move: Any, seat: str) -> None:
        """Refuse a move that the seat cannot make with the cards it was dealt. Raises `MoveError`."""

    def waits(self, state: Any) -> bool:
        """Whether somebody may still answer the last move, as far as everybody knows; nothing else happens
        meanwhile."""
        return False

    def answerers(self, state: Any) -> tuple[str, ...]:
        """The seats that do hold an answer to the last move and have not declined, in order."""
        return ()

    def in_secret(self, state: Any) -> str:
        """The seat that has to do something unseen before the match goes on; empty for none."""
        return ""

    def close(self, state: Any) -> None:
        """Note that nobody answers the last move any more."""
        for seat in self.answerers(state):
            self.passes(state, seat)

    def answers(self, moves: tuple[Any, ...]) -> tuple[Any, ...]:
        """Those of a seat's moves that answer the last one, before it takes effect."""
        return moves


def dealer_of(slug: str) -> Dealer:
    """A new dealer for a game, by the game's slug."""
    module = _opponent(slug)
    dealer: Dealer = getattr(module, "dealer", Dealer)()
    return dealer


def sides_of(game: Game[Any, Any, Any], state: Any) -> tuple[tuple[str, ...], ...]:
    """The seats that win and lose together: each seat alone, unless the game's player says otherwise."""
    sides = getattr(_opponent(game.slug), "sides", None)
    seats = game.seat_names(state)
    return tuple((seat,) for seat in seats) if sides is None else sides(seats)


def seen(game: Game[Any, Any, Any], state: Any, seat: str) -> Seen:
    """What a seat's player is given of a state.

    Where the rules take whatever a hidden hand may hold, the game's player says what the seat can do with the
    cards that it does hold (`opponent.own_moves`).
    """
    known = game.hide(state, seat)
    own_moves = getattr(_opponent(game.slug), "own_moves", None)
    if own_moves is not None:
        return Seen(game, seat, known, own_moves(known, seat))
    return Seen(
        game, seat, known, tuple(m for m in game.legal_moves(known) if belongs_to(game, known, m, seat))
    )


def belongs_to(game: Game[Any, Any, Any], state: Any, move: Any, seat: str) -> bool:
    """Whether a move is for this seat to make: a private note of its own, an open move that names it, or one
    that names nobody in its turn."""
    private = game.private_to(move)
    if private is not None:
        return private == seat
    named = [getattr(move, field) for field in ("seat", "owner", "by") if hasattr(move, field)]
    return seat in named if named else game.turn(state) == seat
