"""The meaning of the camera's report: a die at rest is a throw, a piece on another square is its move.

Dice are distinguished by colour. The other side's die, two dice at once, or an impossible value are said,
never played. Mice look alike, and one under the table is out of sight: if two moves fit, the player is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod

from companion.games.chop_chop.kitchen import SideDie, Square
from companion.games.chop_chop.reach import movers
from companion.games.chop_chop.state import (
    WAITS_FOR,
    ChopMove,
    ChopOptions,
    ChopState,
    GoTo,
    PlaceCat,
    ThrowDie,
)
from companion.games.game import Game
from companion.games.watching import (
    IN_THE_WAY,
    Die,
    Guess,
    Hue,
    Observation,
    Piece,
    Sighting,
    Verdict,
    judged,
)

NOT_NOW = IN_THE_WAY | {"pieces-behind"}
"""Obstacles that pass: nothing is asked meanwhile."""

WITHOUT_HUE = frozenset({"white", "grey", "black"})
"""Colours that differ in brightness alone: under another lamp, a reader may confuse them."""

MOST_GUESSES = 6

HUES: Mapping[str, Hue] = {"mouse": (0.0, 0.0), "cat": (0.17, -0.28)}
"""Gray mice, a light-blue cat. A light-blue plastic of BGR (235, 190, 120) has the cat's hue; one twice as
strong has twice that."""

Rules = Game[ChopState, ChopMove, ChopOptions]

Places = Counter[tuple[str, int, int]]
"""The number of pieces of each kind on each square."""


def in_sight(state: ChopState) -> tuple[Piece, ...]:
    """The pieces in sight from above: all but mice under the table."""
    standing, table = state.standing, state.options.kitchen.table
    mice = [Piece("mouse", *square) for square in standing.mice if square and square not in table]
    return (*((Piece("cat", *standing.cat),) if standing.cat else ()), *mice)


def ground(state: ChopState) -> tuple[Piece, ...]:
    """The board under the pieces from above, without squares under the table."""
    kitchen, standing = state.options.kitchen, state.standing
    lying = {
        "hole": kitchen.holes,
        "table": sorted(kitchen.table),
        "slab": sorted(set(standing.slabs) - kitchen.table),
        "cheese": [square for square in standing.cheeses if square not in kitchen.table],
    }
    return tuple(Piece(kind, *square) for kind, squares in lying.items() for square in squares)


def sighting(game: Rules, state: ChopState, seen: Observation) -> Sighting:
    """The meaning of a picture for the match; see `Verdict`."""
    if not seen.dice and seen.pieces is None:
        return Sighting(Verdict.NOTHING)
    if seen.why in NOT_NOW:
        return Sighting(Verdict.WAIT, why=seen.why)
    return _die(game, state, seen, seen.dice) if seen.dice else _pieces(game, state, seen, seen.pieces or ())


# Dice


def _die(game: Rules, state: ChopState, seen: Observation, dice: Sequence[Die]) -> Sighting:
    if state.ended:
        return _breaks("match-over")
    if len(dice) > 1:
        return _breaks("one-die", dice=len(dice))
    side, die = state.standing.side, dice[0]
    thrown = state.options.two_dice.die_of(side)
    others = state.options.two_dice.die_of("cat" if side == "mice" else "mice")
    # The colour of the only die that fits the reading; else the colour that was read.
    alike = [one.colour for one in (thrown, others) if {one.colour, die.colour} <= WITHOUT_HUE]
    colour = alike[0] if len(alike) == 1 else die.colour
    if colour == others.colour:
        return _breaks("wrong-die", side=side, colour=thrown.colour)
    if state.standing.phase != "throw":
        return _breaks(WAITS_FOR[state.standing.phase], side=side, n=state.standing.steps)
    if seen.unsure:
        return _asked_die(thrown, die, seen.why if seen.why != "dice" else "die-unclear")
    if die.value not in thrown.faces:
        return judged(game.play, state, ThrowDie((die.value,)), die.confidence)
    if colour != thrown.colour:
        return _asked_die(thrown, die, "die-colour", {"colour": thrown.colour, "side": side})
    return judged(game.play, state, ThrowDie((die.value,)), die.confidence)


def _asked_die(thrown: SideDie, die: Die, why: str, facts: dict[str, str | int] | None = None) -> Sighting:
    """The values that the die may show, the likeliest first: the reading, then its faces."""
    read = die.confidence if die.value in thrown.faces else 0.0
    rest = [value for value in thrown.values if value != die.value]
    evenly = {value: thrown.faces.count(value) / len(thrown.faces) for value in rest}
    left = (1 - read) / (sum(evenly.values()) or 1)
    likely = {die.value: read} if read else {}
    likely |= {value: left * share for value, share in evenly.items()}
    ranked = sorted(likely.items(), key=lambda guess: -guess[1])
    guesses = tuple(Guess((ThrowDie((value,)),), round(chance, 6)) for value, chance in ranked[:MOST_GUESSES])
    return Sighting(Verdict.ASK, why=why or "die-unclear", facts=facts or {}, guesses=guesses)


# Pieces


def _pieces(game: Rules, state: ChopState, seen: Observation, pieces: Iterable[Piece]) -> Sighting:
    placed, known = _places(pieces), _places(in_sight(state))
    if placed == known or state.ended:
        return Sighting(Verdict.NOTHING)
    sure = round(prod(piece.confidence for piece in pieces), 6)
    fitting = [
        move for move in _moves_of_pieces(game, state) if _places(in_sight(game.play(state, move))) == placed
    ]
    appeared = placed - known
    if fitting and not seen.unsure and appeared and len(fitting) == 1:
        return Sighting(Verdict.PLAY, guesses=(Guess((fitting[0],), sure),))
    if fitting:
        # A missing mouse may be under the table, or in a hand; any of the mice, all alike, may have moved.
        share = round(sure / len(fitting), 6)
        guesses = tuple(Guess((move,), share) for move in fitting[:MOST_GUESSES])
        return Sighting(Verdict.ASK, why=seen.why or "which-piece", guesses=guesses)
    if seen.unsure or sum(placed.values()) < sum(known.values()):
        # A piece in a hand, or hidden for a moment.
        return Sighting(Verdict.WAIT, why=seen.why or "piece-missing")
    return _explained(game, state, placed, known)


def _moves_of_pieces(game: Rules, state: ChopState) -> list[ChopMove]:
    if state.standing.phase not in ("place", "move", "bonus", "arrow"):
        return []
    return [move for move in game.legal_moves(state) if isinstance(move, GoTo | PlaceCat)]


def _explained(game: Rules, state: ChopState, placed: Places, known: Places) -> Sighting:
    """The rule broken by one moved piece, where no move leads to what was clearly seen."""
    appeared, gone = list((placed - known).elements()), list((known - placed).elements())
    phase = state.standing.phase
    if len(appeared) != 1 or len(gone) > 1:
        return _breaks("pieces-differ")
    kind, row, col = appeared[0]
    if phase not in ("place", "move", "bonus", "arrow"):
        return _breaks(WAITS_FOR[phase], side=state.standing.side, n=state.standing.steps)
    move: ChopMove = PlaceCat(row, col)
    if phase != "place":
        pieces = [piece for piece in movers(state.standing) if ("cat" if piece == "cat" else "mouse") == kind]
        was = (gone[0][1], gone[0][2]) if gone else None
        moved = next((piece for piece in pieces if _seen_at(state, state.standing.at(piece)) == was), None)
        if moved is None:
            other = state.standing.side if pieces == [] else None
            return _breaks("other-side", side=other) if other else _breaks("pieces-differ")
        move = GoTo(moved, row, col)
    return judged(game.play, state, move, 1.0)


def _seen_at(state: ChopState, square: Square | None) -> Square | None:
    """The square where a piece was seen; None under the table."""
    return None if square in state.options.kitchen.table and square != state.standing.cat else square


def _breaks(rule: str, **facts: str | int) -> Sighting:
    return Sighting(Verdict.BREAKS, rule=rule, facts=facts)


def _places(pieces: Iterable[Piece]) -> Places:
    return Counter((piece.kind, piece.row, piece.col) for piece in pieces)
