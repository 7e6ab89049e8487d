"""Where a throw leads, and what it costs: the rules of one throw, as plain values.

Rulebook, "Rules of play" 2 to 6. Both the match (`rules`) and the chances (`odds`) are made of this.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from typing import Annotated, Literal

import msgspec

from companion.games.cat_and_mouse.board import HIGHEST_FACE, Board
from companion.games.game import Options

Seat = Literal["cat", "mouse"]
Dice = tuple[int, int]

FACES = range(1, HIGHEST_FACE + 1)
"""What a die shows."""

SEATS: tuple[Seat, Seat] = ("cat", "mouse")


class RaceOptions(Options, frozen=True):
    """What the rulebook leaves open, and what the players agree on."""

    past: Annotated[
        Literal["beyond", "at-or-beyond"],
        msgspec.Meta(description="Whether a double leads on from beyond the square before, or from it too."),
    ] = "beyond"
    pays_on_plain_11: Annotated[
        bool, msgspec.Meta(description="Square 11 earns two chips however it is reached.")
    ] = False
    jump_fee: Annotated[
        Literal["auto", "declared", "off"],
        msgspec.Meta(description="Who notices a jump over the other: the board's data, a player, nobody."),
    ] = "auto"
    fee_on_double: Annotated[
        bool, msgspec.Meta(description="A jump costs its chip also when a double leads straight on.")
    ] = True
    fee_on_turn_back: Annotated[
        bool, msgspec.Meta(description="A jump costs its chip also on the way back from the last square.")
    ] = False
    stake: Annotated[
        int, msgspec.Meta(ge=0, le=1_000_000_000, description="Chips that each puts in the pot.")
    ] = 5
    chips: Annotated[
        int, msgspec.Meta(ge=0, le=1_000_000_000, description="Chips that each begins with; below 0 is debt.")
    ] = 20
    board: Annotated[
        str, msgspec.Meta(description="The board: `classic`, or the path of a file of your own.")
    ] = "classic"


class How(StrEnum):
    """The way a throw led."""

    PLAIN = "plain"
    LEAP = "leap"
    STAY = "stay"
    TURN_BACK = "turn-back"


class Then(StrEnum):
    """What follows a throw."""

    NEXT = "next"
    LOST_TURN = "lost-turn"
    SECOND_THROW = "second-throw"
    WON = "won"


class Standing(msgspec.Struct, frozen=True):
    """Where the race stands: the counters (0: the corner), who throws, who must sit out a turn."""

    cat: int = 0
    mouse: int = 0
    thrower: Seat | None = None
    cat_owes: bool = False
    mouse_owes: bool = False

    def square(self, seat: Seat) -> int:
        """Where the counter of `seat` stands, on its own walk."""
        return self.cat if seat == "cat" else self.mouse

    def owes(self, seat: Seat) -> bool:
        """Whether `seat` loses its next turn."""
        return self.cat_owes if seat == "cat" else self.mouse_owes


class Due(msgspec.Struct, frozen=True):
    """Chips that a throw makes due, and the rule; `pays` is true when the thrower pays."""

    rule: Literal["stay", "jump", "pays", "earns"]
    chips: int
    pays: bool


class Step(msgspec.Struct, frozen=True):
    """What one throw does: the way, both ends of it, what falls due in order, what follows.

    `jumped` marks a jump over the other's counter, whether it costs or not. `served` are the seats
    that sit out a turn right after this throw, in order.
    """

    seat: Seat
    dice: Dice
    how: How
    start: int
    to: int
    jumped: bool
    dues: tuple[Due, ...]
    then: Then
    served: tuple[Seat, ...]
    standing: Standing


def other(seat: Seat) -> Seat:
    """The other seat."""
    return "mouse" if seat == "cat" else "cat"


def lead(board: Board, past: str, square: int, dice: Dice) -> tuple[int, How]:
    """Where `dice` lead from `square`, and how. Rules 2, 4, 5 (doubles) and 6 (turning back)."""
    if dice[0] == dice[1]:
        leap = board.leap_of.get(dice[0])
        if leap is not None and square < leap.to and (
            leap.past is None or square > leap.past or (square == leap.past and past == "at-or-beyond")
        ):  # fmt: skip
            return leap.to, How.LEAP
        if dice[0] == board.stay.double:
            return square, How.STAY
    to = square + sum(dice)
    return (board.turn_back_to, How.TURN_BACK) if to > board.squares else (to, How.PLAIN)


def can_be_won(board: Board, past: str) -> bool:
    """Whether the last square can be reached from where turning back leads (and so from anywhere)."""
    known, new = set[int](), {board.turn_back_to}
    while new:
        known |= new
        going = product(new - {board.squares}, FACES, FACES)
        new = {lead(board, past, square, (one, two))[0] for square, one, two in going} - known
    return board.squares in known


def follows(board: Board, how: How, to: int) -> Then:
    """What follows landing on `to`: the win, a lost turn, a second throw, or the other's throw."""
    if how is How.STAY:
        return Then.NEXT
    if to == board.squares:
        return Then.WON
    if to in board.lost_turn:
        return Then.LOST_TURN
    return Then.SECOND_THROW if to in board.second_throw else Then.NEXT


def landing_dues(board: Board, options: RaceOptions, how: How, to: int) -> tuple[Due, ...]:
    """What falls due by landing on `to` that way (or by having to stay)."""
    if how is How.STAY:
        return (Due("stay", board.stay.chips, pays=True),)
    dues = []
    if to in board.pays.squares:
        dues.append(Due("pays", board.pays.chips, pays=True))
    led = how is How.LEAP or options.pays_on_plain_11
    if to in board.earns.squares or (led and to in board.earns.by_leap):
        dues.append(Due("earns", board.earns.chips, pays=False))
    return tuple(dues)


def passes(start: int, to: int, how: How, at: int | None) -> bool:
    """Whether the way from `start` to `to` leads over the square `at` (the ends do not count).

    Turning back goes straight back from where the counter stood.
    """
    return how is not How.STAY and at is not None and min(start, to) < at < max(start, to)


def costs(options: RaceOptions, how: How) -> bool:
    """Whether a jump on such a way costs a chip."""
    if how is How.LEAP:
        return options.fee_on_double
    return options.fee_on_turn_back if how is How.TURN_BACK else how is How.PLAIN


def step(board: Board, options: RaceOptions, standing: Standing, dice: Dice) -> Step:
    """What `dice` do for the thrower of `standing` (who must be a seat)."""
    seat = standing.thrower
    assert seat is not None, "nobody throws in this standing"
    start = standing.square(seat)
    to, how = lead(board, options.past, start, dice)
    at = board.on_the_others_walk(other(seat), standing.square(other(seat)))
    jumped = passes(start, to, how, at)
    dues = landing_dues(board, options, how, to)
    if jumped and options.jump_fee == "auto" and costs(options, how):
        dues = (Due("jump", board.jump_chips, pays=True), *dues)
    then = follows(board, how, to)
    served, after = pass_on(standing, seat, to, then)
    return Step(seat, dice, how, start, to, jumped, dues, then, served, after)


def pass_on(standing: Standing, seat: Seat, to: int, then: Then) -> tuple[tuple[Seat, ...], Standing]:
    """Who throws after `seat` has come to `to`, and who sat out a turn before that, in order."""
    cat, mouse = (to, standing.mouse) if seat == "cat" else (standing.cat, to)
    owing = {each for each in SEATS if standing.owes(each)}
    served: list[Seat] = []
    thrower: Seat | None = seat
    if then is Then.WON:
        thrower = None
    elif then is not Then.SECOND_THROW:
        owing |= {seat} if then is Then.LOST_TURN else set()
        thrower = other(seat)
        while thrower in owing:
            owing.remove(thrower)
            served.append(thrower)
            thrower = other(thrower)
    return tuple(served), Standing(cat, mouse, thrower, "cat" in owing, "mouse" in owing)
