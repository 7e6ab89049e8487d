"""What the camera's report means: one die at rest is a throw, a piece on another square is its move.

The dice are told apart by colour: the die of the other side, two dice at once, or a value that the die does
not have are said, never played. Mice are alike, and one under the table is out of sight: what could be told
in two ways is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.errors import MoveError
from companion.games.chop_chop.kitchen import SideDie, Square
from companion.games.chop_chop.reach import movers
from companion.games.chop_chop.rules import WAITS_FOR, legal_moves, play
from companion.games.chop_chop.state import ChopMove, ChopState, GoTo, PlaceCat, ThrowDie
from companion.games.watching import IN_THE_WAY, Die, Guess, Hue, Observation, Piece, Sighting, Verdict

NOT_NOW = IN_THE_WAY | {"pieces-behind"}
"""What is in the way for a moment only: nothing is asked about then."""

WITHOUT_HUE = frozenset({"white", "grey", "black"})
"""How bright a die looks is half the lamp's doing: of these a reader tells one from another only roughly."""

MOST_GUESSES = 6
"""Moves offered to choose from."""

HUES: Mapping[str, Hue] = {"mouse": (0.0, 0.0), "cat": (0.17, -0.28)}
"""The hue of each kind of piece: gray mice, a light-blue cat. A light-blue plastic of BGR (235, 190, 120) has
the cat's hue; one twice as strong has twice that."""

Places = Counter[tuple[str, int, int]]
"""How many pieces of each kind stand on each square."""


def in_sight(state: ChopState) -> tuple[Piece, ...]:
    """The pieces that can be seen from above: all but mice under the table."""
    standing, table = state.standing, state.options.kitchen.table
    mice = [Piece("mouse", *square) for square in standing.mice if square and square not in table]
    return (*((Piece("cat", *standing.cat),) if standing.cat else ()), *mice)


def ground(state: ChopState) -> tuple[Piece, ...]:
    """What lies on the board under the pieces, as it is seen from above: what is under the table is not."""
    kitchen, standing = state.options.kitchen, state.standing
    lying = {
        "hole": kitchen.holes,
        "table": sorted(kitchen.table),
        "slab": sorted(set(standing.slabs) - kitchen.table),
        "cheese": [square for square in standing.cheeses if square not in kitchen.table],
    }
    return tuple(Piece(kind, *square) for kind, squares in lying.items() for square in squares)


def sighting(state: ChopState, seen: Observation) -> Sighting:
    """What a picture means for the match; see `Verdict`."""
    if not seen.dice and seen.pieces is None:
        return Sighting(Verdict.NOTHING)
    if seen.why in NOT_NOW:
        return Sighting(Verdict.WAIT, why=seen.why)
    return _die(state, seen, seen.dice) if seen.dice else _pieces(state, seen, seen.pieces or ())


# Dice


def _die(state: ChopState, seen: Observation, dice: Sequence[Die]) -> Sighting:
    if state.ended:
        return _breaks("match-over")
    if len(dice) > 1:
        return _breaks("one-die", dice=len(dice))
    side, die = state.standing.side, dice[0]
    own = state.options.two_dice.of(side)
    others = state.options.two_dice.of("cat" if side == "mice" else "mice")
    colour = _colour_of(die, own, others)
    if colour == others.colour:
        return _breaks("wrong-die", side=side, colour=own.colour)
    if state.standing.phase != "throw":
        return _breaks(WAITS_FOR[state.standing.phase], side=side, n=state.standing.steps)
    if seen.unsure:
        return _asked_die(own, die, seen.why if seen.why != "dice" else "die-unclear")
    if die.value not in own.faces:
        return _judged(state, ThrowDie((die.value,)), die.confidence)
    if colour != own.colour:
        return _asked_die(own, die, "die-colour", {"colour": own.colour, "side": side})
    return _judged(state, ThrowDie((die.value,)), die.confidence)


def _colour_of(die: Die, *dice: SideDie) -> str:
    """The colour of the one of these dice that was seen, as far as that can be told; else what was read."""
    alike = [each.colour for each in dice if {each.colour, die.colour} <= WITHOUT_HUE]
    return alike[0] if len(alike) == 1 else die.colour


def _asked_die(own: SideDie, die: Die, why: str, facts: dict[str, str | int] | None = None) -> Sighting:
    """The values that the die may show, the likeliest first: what was read, then what its faces bear."""
    read = die.confidence if die.value in own.faces else 0.0
    rest = [value for value in own.values if value != die.value]
    evenly = {value: own.faces.count(value) / len(own.faces) for value in rest}
    left = (1 - read) / (sum(evenly.values()) or 1)
    likely = {die.value: read} if read else {}
    likely |= {value: left * share for value, share in evenly.items()}
    ranked = sorted(likely.items(), key=lambda guess: -guess[1])
    guesses = tuple(Guess((ThrowDie((value,)),), round(chance, 6)) for value, chance in ranked[:MOST_GUESSES])
    return Sighting(Verdict.ASK, why=why or "die-unclear", facts=facts or {}, guesses=guesses)


# Pieces


def _pieces(state: ChopState, seen: Observation, pieces: Iterable[Piece]) -> Sighting:
    placed, known = _places(pieces), _places(in_sight(state))
    if placed == known or state.ended:
        return Sighting(Verdict.NOTHING)
    sure = _confidence(pieces)
    fitting = [move for move in _moves_of_pieces(state) if _after(state, move) == placed]
    appeared = placed - known
    if fitting and not seen.unsure and appeared and len(fitting) == 1:
        return Sighting(Verdict.PLAY, guesses=(Guess((fitting[0],), sure),))
    if fitting:
        # A mouse that is gone may be under the table, or in a hand; alike mice may have gone either way.
        each = round(sure / len(fitting), 6)
        guesses = tuple(Guess((move,), each) for move in fitting[:MOST_GUESSES])
        return Sighting(Verdict.ASK, why=seen.why or "which-piece", guesses=guesses)
    if seen.unsure or sum(placed.values()) < sum(known.values()):
        # A piece in a hand, or hidden for a moment.
        return Sighting(Verdict.WAIT, why=seen.why or "piece-missing")
    return _explained(state, placed, known)


def _moves_of_pieces(state: ChopState) -> list[ChopMove]:
    if state.standing.phase not in ("place", "move", "bonus", "arrow"):
        return []
    return [move for move in legal_moves(state) if isinstance(move, GoTo | PlaceCat)]


def _after(state: ChopState, move: ChopMove) -> Places:
    return _places(in_sight(play(state, move)))


def _explained(state: ChopState, placed: Places, known: Places) -> Sighting:
    """Pieces stand clearly where no move leads: the rule that one moved piece breaks."""
    appeared, gone = list((placed - known).elements()), list((known - placed).elements())
    phase = state.standing.phase
    if len(appeared) != 1 or len(gone) > 1:
        return _breaks("pieces-differ")
    kind, row, col = appeared[0]
    if phase not in ("place", "move", "bonus", "arrow"):
        return _breaks(WAITS_FOR[phase], side=state.standing.side, n=state.standing.steps)
    move: ChopMove = PlaceCat(row, col)
    if phase != "place":
        pieces = [piece for piece in movers(state.standing) if _kind(piece) == kind]
        was = (gone[0][1], gone[0][2]) if gone else None
        moved = next((piece for piece in pieces if _seen_at(state, state.standing.at(piece)) == was), None)
        if moved is None:
            other = state.standing.side if pieces == [] else None
            return _breaks("other-side", side=other) if other else _breaks("pieces-differ")
        move = GoTo(moved, row, col)
    return _judged(state, move, 1.0)


def _seen_at(state: ChopState, square: Square | None) -> Square | None:
    """Where a piece was seen; None for one under the table."""
    return None if square in state.options.kitchen.table and square != state.standing.cat else square


def _judged(state: ChopState, move: ChopMove, confidence: float) -> Sighting:
    """A move that is plain to see: played, or refused by the rule that it breaks."""
    try:
        play(state, move)
    except MoveError as error:
        facts = {name: fact for name, fact in error.facts.items() if isinstance(fact, int | str)}
        return Sighting(Verdict.BREAKS, rule=error.rule, facts=facts)
    return Sighting(Verdict.PLAY, guesses=(Guess((move,), confidence),))


def _breaks(rule: str, **facts: str | int) -> Sighting:
    return Sighting(Verdict.BREAKS, rule=rule, facts=facts)


def _places(pieces: Iterable[Piece]) -> Places:
    return Counter((piece.kind, piece.row, piece.col) for piece in pieces)


def _kind(piece: str) -> str:
    return "cat" if piece == "cat" else "mouse"


def _confidence(pieces: Iterable[Piece]) -> float:
    """How sure the camera is of all pieces together."""
    sure = 1.0
    for piece in pieces:
        sure *= piece.confidence
    return round(sure, 6)
