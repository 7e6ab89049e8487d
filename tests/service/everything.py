"""The smallest game that the camera sees with several senses: tiles, a piece and a die."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec

from companion.games.game import Game, Move, Options, Outcome, State
from companion.games.watching import (
    AnyTurn,
    Dice,
    Guess,
    Hue,
    Observation,
    Piece,
    SeesDice,
    SeesPieces,
    SeesTiles,
    Sighting,
    Tile,
    TurnOrder,
    Verdict,
)

SEATS = ("red", "green")


class EverythingOptions(Options, frozen=True):
    """Nothing to set up."""


class Lay(Move, frozen=True, tag="lay"):
    """A tile laid."""

    owner: str
    row: int
    col: int


class Step(Move, frozen=True, tag="step"):
    """The pawn moved."""

    row: int
    col: int


class Throw(Move, frozen=True, tag="throw"):
    """The die thrown."""

    value: int


class EverythingState(State, frozen=True):
    """The tiles laid, where the pawn stands, the values thrown."""

    options: EverythingOptions
    tiles: tuple[Lay, ...] = ()
    pawn: tuple[int, int] = (0, 0)
    thrown: tuple[int, ...] = ()


class Everything(
    Game[EverythingState, Lay | Step | Throw, EverythingOptions], SeesTiles, SeesPieces, SeesDice
):
    """Anything may be done at any time."""

    slug = "everything"
    names: ClassVar = {"en": "Everything"}
    seat_counts = (2,)
    hues: ClassVar[Mapping[str, Hue]] = {"pawn": (0.17, -0.28)}

    def set_up(self, options: EverythingOptions, seats: int) -> EverythingState:
        return EverythingState(options)

    def seat_names(self, state: EverythingState) -> tuple[str, ...]:
        return SEATS

    def turn(self, state: EverythingState) -> str | None:
        return None

    def legal_moves(self, state: EverythingState) -> list[Lay | Step | Throw]:
        return [Throw(value) for value in range(1, 7)]

    def play(self, state: EverythingState, move: Lay | Step | Throw) -> EverythingState:
        if isinstance(move, Lay):
            return msgspec.structs.replace(state, tiles=(*state.tiles, move))
        if isinstance(move, Step):
            return msgspec.structs.replace(state, pawn=(move.row, move.col))
        return msgspec.structs.replace(state, thrown=(*state.thrown, move.value))

    def outcome(self, state: EverythingState) -> Outcome | None:
        return None

    def view(self, state: EverythingState, seat: str | None) -> msgspec.Struct:
        return state

    def scene(self, state: EverythingState) -> dict[str, Any]:
        return {"rows": 4, "cols": 5, "tile_shapes": {"bar": ["##"]}}

    def lying(self, state: EverythingState) -> tuple[Tile, ...]:
        return tuple(bar(lay.owner, lay.row, lay.col) for lay in state.tiles)

    def turn_order(self, state: EverythingState) -> TurnOrder:
        return AnyTurn(*SEATS)

    def ended(self, options: EverythingOptions, tiles: Iterable[Tile]) -> EverythingState:
        return EverythingState(options, tuple(Lay(tile.owner, tile.row, tile.col) for tile in tiles))

    def options_for_scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    def standing_pieces(self, state: EverythingState) -> tuple[Piece, ...]:
        return (Piece("pawn", *state.pawn),)

    def dice_now(self, state: EverythingState) -> Dice:
        return Dice(1)

    def sighting(self, state: EverythingState, observation: Observation) -> Sighting:
        """Whatever is new was done; what is unsure is asked about."""
        moves: list[Move] = [Throw(die.value) for die in observation.dice or ()]
        lying = {tile.place for tile in self.lying(state)}
        new = [tile for tile in observation.tiles or () if tile.place not in lying]
        moves += [Lay(tile.owner, tile.row, tile.col) for tile in new]
        moves += [
            Step(piece.row, piece.col)
            for piece in observation.pieces or ()
            if (piece.row, piece.col) != state.pawn
        ]
        if not moves:
            return Sighting(Verdict.WAIT if observation.unsure else Verdict.NOTHING, observation.why)
        verdict = Verdict.ASK if observation.unsure else Verdict.PLAY
        return Sighting(verdict, observation.why, guesses=(Guess(tuple(moves), 0.9),))


def bar(owner: str, row: int, col: int) -> Tile:
    """A tile of two squares side by side."""
    return Tile(owner, "bar", 0, row, col, ((row, col), (row, col + 1)), 0.99)


GAME = Everything()
