"""How the tests play: a race begun, throws written as two digits, standings set up at will."""

from __future__ import annotations

import msgspec

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import RaceBoard, RaceOptions, RaceState, Seat, Throw

FREE = RaceOptions(stake=0)
"""The defaults, with nothing in the pots."""


def throw(dice: str) -> Throw:
    """A throw written as its digits: `throw("34")`."""
    return Throw(tuple(int(value) for value in dice))


def play(state: RaceState, *throws: str) -> RaceState:
    """Play throws one after another."""
    for dice in throws:
        state = GAME.play(state, throw(dice))
    return state


def begun(options: RaceOptions = FREE) -> RaceState:
    """A race in which whoever threw first has become Cat."""
    return play(GAME.start(options, 2), "65", "12")


def at(cat: int, mouse: int, thrower: Seat = "cat", options: RaceOptions = FREE, owes: str = "") -> RaceState:
    """A race in that standing; `owes` names the seat that owes a lost turn."""
    standing = RaceBoard(cat, mouse, thrower, owes == "cat", owes == "mouse")
    return msgspec.structs.replace(begun(options), standing=standing)


def nets(state: RaceState) -> tuple[int, int]:
    """What Cat and Mouse have won or lost."""
    return state.purse("cat").net, state.purse("mouse").net


def reasons(state: RaceState) -> list[str]:
    """Why the chips of the last throw change hands."""
    return [line.reason for line in state.ledger if line.throw == state.throws]
