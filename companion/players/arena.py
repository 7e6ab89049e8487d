"""Matches between two players, and the measures of their strength."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot, log10, sqrt
from statistics import median
from time import perf_counter
from typing import Any

import msgspec

from companion import machine
from companion.errors import MoveError, UserError
from companion.games.chance import Chance, key_of
from companion.games.players import RANDOM, Budget, Dealer, GamePlayer, Seen, player_of, seen
from companion.games.registry import AnyGame
from companion.players.outside import OUTSIDE, NoAnswer, OutsidePlayer

CONFIDENT = 1.96
"""Standard deviations to each side of a 95 % interval."""

LONGEST_MATCH = 5_000
"""A longer match, in moves, counts as drawn."""

SEEDS = 1 << 31

LEAST_SHARE = 0.001
"""The share of matches below which Elo counts no further."""

MOST_REASONS = 10
"""The most reasons in a result for matches lost without a legal move."""


class Thinking(msgspec.Struct, frozen=True):
    """A player's thinking time, in milliseconds a move.

    `memory_mb` is the most memory that a program from outside took; None for our players, which think in the
    arena's own process.
    """

    moves: int
    median_ms: float
    longest_ms: float
    memory_mb: float | None = None


class OnSide(msgspec.Struct, frozen=True):
    """Matches in which `a` had one side; `share`, `low` and `high` as in `Result`."""

    games: int
    share: float
    low: float
    high: float


class Result(msgspec.Struct, frozen=True):
    """The matches of `a` against `b`.

    `share` is the share that `a` won, a draw counted half; `low` and `high` are the ends of its 95 % interval
    (Wilson). `sides` says the same of each side of `a`, by that side's first seat. `even` is the share of a
    player as strong as the others. `ahead` is the average lead of `a` in points, None in a game without
    points. `refused` counts matches lost by an illegal move or no move; `refused_why` gives each reason once.
    `memory_mb` is the most memory that this process took.
    """

    game: str
    a: str
    b: str
    games: int
    won: int
    drawn: int
    lost: int
    share: float
    low: float
    high: float
    even: float
    ahead: float | None
    refused: int
    a_thinks: Thinking
    b_thinks: Thinking
    memory_mb: float
    sides: dict[str, OnSide]
    refused_why: tuple[str, ...] = ()


class Rung(msgspec.Struct, frozen=True):
    """A level on a game's ladder: its Elo above `random` with a 95 % interval, and its matches against the
    level below."""

    level: str
    elo: int
    low: int
    high: int
    against: Result


def ladder(levels: Sequence[str], matches: Callable[[str, str], Result]) -> Iterator[Rung]:
    """Each level against the one below, the weakest against `random`; `matches` plays two of them."""
    elo = above = below = 0.0
    for under, level in pairwise((RANDOM, *levels)):
        result = matches(level, under)
        share, low, high = (elo_of(some, result.even) for some in (result.share, result.low, result.high))
        elo, above, below = elo + share, hypot(above, high - share), hypot(below, share - low)
        yield Rung(level, round(elo), round(elo - below), round(elo + above), result)


def elo_of(share: float, even: float) -> float:
    """The lead in Elo of a player with this share of matches, where `even` is the share of an equal one."""
    share = min(max(share, LEAST_SHARE), 1 - LEAST_SHARE)
    return 400 * log10(share * (1 - even) / (even * (1 - share)))


def wilson(share: float, games: int) -> tuple[float, float]:
    """The ends of the 95 % interval of a share of `games` matches."""
    if not games:
        return 0.0, 1.0
    z = CONFIDENT * CONFIDENT / games
    middle = (share + z / 2) / (1 + z)
    half = CONFIDENT * sqrt(share * (1 - share) / games + z / (4 * games)) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)


class Player:
    """One of the two players, with its time and memory."""

    def __init__(self, game: AnyGame, name: str, budget: Callable[[], Budget]) -> None:
        self.name, self._budget = name, budget
        self.took_ms: list[float] = []
        self._outside = OutsidePlayer(game, name.removeprefix(OUTSIDE)) if name.startswith(OUTSIDE) else None
        self._own: GamePlayer = player_of(game.slug)
        if self._outside is None and name not in (*self._own.levels, RANDOM):
            levels = ", ".join((*self._own.levels, RANDOM))
            raise UserError(f"There is no player {name!r} of {game.slug}; there are: {levels}, exec:COMMAND.")

    def move(self, seen: Seen, moves: Sequence[Any], seed: int) -> Any:
        """Choose a move. Raises `NoAnswer` or `MoveError`."""
        begun = perf_counter()
        if self._outside is not None:
            move = self._outside.choose(seen, moves).move
        else:
            move = self._own.choose(seen, self.name, self._budget(), seed).move
        self.took_ms.append(1000 * (perf_counter() - begun))
        return move

    def thinking(self) -> Thinking:
        """Its time and memory."""
        some = self.took_ms or [0.0]
        memory_mb = None if self._outside is None else self._outside.memory_mb
        return Thinking(len(self.took_ms), round(median(some), 2), round(max(some), 2), memory_mb)

    def start_again(self) -> None:
        """Start a program from outside again; its late answers are lost."""
        if self._outside is not None:
            self._outside.start_again()

    def close(self) -> None:
        """End a program from outside."""
        if self._outside is not None:
            self._outside.close()


class Arena:
    """A game with two players who change sides from match to match."""

    def __init__(
        self, game: AnyGame, a: str, b: str, budget: Callable[[], Budget], *, opening: int = 1
    ) -> None:
        self.game, self._opening = game, opening
        self.a, self.b = Player(game, a, budget), Player(game, b, budget)

    def __enter__(self) -> Arena:
        return self

    def __exit__(self, *_: object) -> None:
        self.a.close()
        self.b.close()

    def matches(
        self, options: Sequence[Mapping[str, object]], seats: int, games: int, seed: int
    ) -> Iterator[Result]:
        """Play the matches; yields the result so far after each. `options` take turns.

        Each deal and each opening is played from every side in turn, so luck at the start is even.
        """
        tally = _Tally()
        for number in range(games):
            sides = player_of(self.game.slug).sides(self.game.seat_names(self._start(options[0], seats)))
            round_, side = divmod(number, len(sides))
            chosen, before = options[round_ % len(options)], tally.points
            self._match(self._start(chosen, seats), side, seed * 1_000_003 + round_, tally)
            tally.sides.setdefault(sides[side][0], []).append(tally.points - before)
            yield self._result(tally, len(sides))

    def _start(self, options: Mapping[str, object], seats: int) -> Any:
        return self.game.start(self.game.options(options, from_text=True), seats)

    def _match(self, state: Any, side: int, seed: int, tally: _Tally) -> None:
        game, chance, moves = self.game, Chance(key_of(seed)), list[tuple[Any, Any]]()
        mine = player_of(game.slug).sides(game.seat_names(state))[side]
        dealer = player_of(game.slug).dealer()
        dealer.begin(state, chance)
        by_lot, passed = self._opening, None
        while game.outcome(state) is None and len(moves) < LONGEST_MATCH:
            move = dealer.chance(state)
            if move is None:
                seat = dealer.acting(game, state)
                if seat is None:
                    break
                player = self.a if seat in mine else self.b
                try:
                    chosen = self._chosen(player, dealer, state, seat, moves, chance, by_lot=by_lot > 0)
                    by_lot -= 1
                    if chosen is None:
                        if passed == (state, seat):
                            raise NoAnswer(f"The player of {seat} lets a turn pass in which it has to move.")
                        passed = (state, seat)
                        dealer.passes(state, seat)
                        continue
                    move = dealer.resolve(state, chosen)
                    if move is None:
                        continue
                    after = game.play(state, move)
                except (NoAnswer, MoveError) as error:
                    tally.refuse(by_a=player is self.a, why=str(error))
                    player.start_again()
                    return
            else:
                after = game.play(state, move)
            moves.append((move, game.private_to(move)))
            dealer.after(state, move)
            state = after
        tally.count(game.outcome(state), mine)

    def _chosen(
        self,
        player: Player,
        dealer: Dealer,
        state: Any,
        seat: str,
        moves: Sequence[tuple[Any, Any]],
        chance: Chance,
        *,
        by_lot: bool,
    ) -> Any:
        """Choose for a seat: by lot in a match's opening, else by its player; None to do nothing."""
        view = seen(self.game, dealer.seen_by(state, seat), seat)
        legal = dealer.answers(view.legal)
        if seat not in dealer.answerers(state):
            late = [move for move in legal if not _takes(dealer, state, move, seat)]
            legal = tuple(move for move in view.legal if move not in late)
        view = replace(view, legal=legal)
        if by_lot:
            return chance.stream("openings").choice(view.legal) if view.legal else None
        known = [move for move, for_seat in moves if for_seat in (None, seat)]
        return player.move(view, known, chance.stream("choices").randbelow(SEEDS))

    def _result(self, tally: _Tally, sides: int) -> Result:
        games = tally.won + tally.drawn + tally.lost
        whole = _on_side(games, tally.points)
        return Result(
            self.game.slug,
            self.a.name,
            self.b.name,
            games,
            tally.won,
            tally.drawn,
            tally.lost,
            whole.share,
            whole.low,
            whole.high,
            round(1 / sides, 4),
            round(sum(tally.ahead) / len(tally.ahead), 2) if tally.ahead else None,
            tally.refused,
            self.a.thinking(),
            self.b.thinking(),
            round(machine.peak_memory_bytes() / 2**20, 1),
            {side: _on_side(len(points), sum(points)) for side, points in tally.sides.items()},
            tuple(tally.why),
        )


def _takes(dealer: Dealer, state: Any, move: Any, seat: str) -> bool:
    """True for a move that the dealer takes from a seat now: no nope once the card has taken effect."""
    try:
        dealer.check(state, move, seat)
    except MoveError:
        return False
    return True


def _on_side(games: int, points: float) -> OnSide:
    """The share of matches won, a draw counted half."""
    share = points / games
    return OnSide(games, *(round(figure, 4) for figure in (share, *wilson(share, games))))


class _Tally:
    def __init__(self) -> None:
        self.won = self.drawn = self.lost = self.refused = 0
        self.why: dict[str, None] = {}
        self.ahead: list[int] = []
        self.sides: dict[str, list[float]] = {}
        """Points of each match, by the first seat of the side of `a`."""

    @property
    def points(self) -> float:
        """Matches won, a draw counted half."""
        return self.won + self.drawn / 2

    def refuse(self, *, by_a: bool, why: str) -> None:
        """Count a match lost by a player without a legal move."""
        why = f"{'a' if by_a else 'b'} made no legal move: {why}"
        sys.stderr.write(f"{why}\n")
        self.refused += 1
        if len(self.why) < MOST_REASONS:
            self.why[why] = None
        self.lost += by_a
        self.won += not by_a

    def count(self, outcome: Any, mine: Sequence[str]) -> None:
        """Count a finished match; it is drawn without winners, or with winners on both sides."""
        winners = set(outcome.winners) if outcome else set()
        won, lost = bool(winners & set(mine)), bool(winners - set(mine))
        self.won += won and not lost
        self.lost += lost and not won
        self.drawn += won == lost
        if outcome and outcome.points:
            others = [points for seat, points in outcome.points.items() if seat not in mine]
            ours = [points for seat, points in outcome.points.items() if seat in mine]
            if ours and others:
                self.ahead.append(max(ours) - max(others))
