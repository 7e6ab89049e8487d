"""The plain values of the game, and the way and cost of one throw.

Rulebook, "Rules of play" 2 to 6. Both the match (`rules`) and the chances (`odds`) use this.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.cat_and_mouse.board import HIGHEST_FACE, Board
from companion.games.forms import Forms, joined, number
from companion.games.game import Move, Options, Outcome, State

Seat = Literal["cat", "mouse"]
Dice = tuple[int, int]

SLUG = "cat-and-mouse"

Starter = Literal["first", "second"]
"""The players by their first throws, before they are Cat and Mouse."""

Reason = Literal["stake", "pots", "stay", "jump", "pays", "earns"]
"""Keys of payments under `because` in the messages."""

FACES = range(1, HIGHEST_FACE + 1)

SEATS: tuple[Seat, Seat] = ("cat", "mouse")


class RaceOptions(Options, frozen=True):
    """The choices that the rulebook leaves to the players."""

    past: Annotated[
        Literal["beyond", "at-or-beyond"],
        Meta(description="Whether a double leads on from beyond the square before, or from it too."),
    ] = "beyond"
    pays_on_plain_11: Annotated[
        bool, Meta(description="Square 11 earns two chips however it is reached.")
    ] = False
    jump_fee: Annotated[
        Literal["auto", "declared", "off"],
        Meta(description="Who notices a jump over the other: the board's data, a player, nobody."),
    ] = "auto"
    fee_on_double: Annotated[
        bool, Meta(description="A jump costs its chip also when a double leads straight on.")
    ] = True
    fee_on_turn_back: Annotated[
        bool, Meta(description="A jump costs its chip also on the way back from the last square.")
    ] = False
    stake: Annotated[int, Meta(ge=0, le=1_000_000_000, description="Chips that each puts in the pot.")] = 5
    chips: Annotated[
        int, Meta(ge=0, le=1_000_000_000, description="Chips that each begins with; below 0 is debt.")
    ] = 20
    board: Annotated[str, Meta(description="The board: `classic`, or the path of a file of your own.")] = (
        "classic"
    )


class How(StrEnum):
    """The way of a counter."""

    PLAIN = "plain"
    LEAP = "leap"
    STAY = "stay"
    TURN_BACK = "turn-back"


class Then(StrEnum):
    """The consequence of a throw."""

    NEXT = "next"
    LOST_TURN = "lost-turn"
    SECOND_THROW = "second-throw"
    WON = "won"


class RaceBoard(msgspec.Struct, frozen=True):
    """The counters (0: the corner), the seat that throws, and the seats that must sit out a turn."""

    cat: int = 0
    mouse: int = 0
    thrower: Seat | None = None
    cat_owes: bool = False
    mouse_owes: bool = False

    def square(self, seat: Seat) -> int:
        """The square of `seat`'s counter, on its own walk."""
        return self.cat if seat == "cat" else self.mouse

    def owes(self, seat: Seat) -> bool:
        """True if `seat` loses its next turn."""
        return self.cat_owes if seat == "cat" else self.mouse_owes


class Due(msgspec.Struct, frozen=True):
    """Chips due by a throw, and the rule; `pays` is true when the thrower pays."""

    rule: Literal["stay", "jump", "pays", "earns"]
    chips: int
    pays: bool


class Step(msgspec.Struct, frozen=True):
    """The effect of one throw: the way, its two ends, the chips due in order, and the consequence.

    `jumped`: over the other's counter, whether it costs or not. `served`: the seats that sit out a turn right
    after this throw, in order.
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
    standing: RaceBoard


class Throw(Move, frozen=True, tag="throw"):
    """Both dice, thrown by the player to throw; the first throws of a match are those for Cat."""

    dice: Annotated[
        tuple[Annotated[int, Meta(extra_json_schema={"minimum": FACES[0], "maximum": FACES[-1]})], ...],
        Meta(description="What the two dice show.", extra_json_schema={"minItems": 2, "maxItems": 2}),
    ]


class JumpFee(Move, frozen=True, tag="jump-fee"):
    """Declare that the last throw jumped over the other's counter: its chip is paid."""


RaceMove = Throw | JumpFee

FORMS = Forms({"dice": joined(number, "-", 2)}, {Throw: "{dice}", JumpFee: "fee"})
"""`3-5` is a throw, `fee` declares that the last throw jumped over the other's counter."""


class Payment(msgspec.Struct, frozen=True):
    """A line of the ledger: payer, payee, chips, throw and reason.

    `throw` counts the throws of the match from 1; `square` is the thrower's, on its own walk.
    """

    throw: int
    dice: Dice
    payer: str
    payee: str
    chips: int
    reason: Reason
    square: int


class StartThrow(msgspec.Struct, frozen=True):
    """A throw for who is Cat."""

    by: Starter
    dice: Dice


class Purse(msgspec.Struct, frozen=True):
    """The chips of one player.

    `hand`: in front of the player, at least 0. `debt`: could not be paid (stakes are unlimited, so no payment
    is refused). `net`: won (+) or lost since the start.
    """

    hand: int
    debt: int
    net: int


class RaceState(State, frozen=True):
    """A match: the throws for the start, those of the race, and the ledger.

    `first`: the seat of the player who threw first for the start. `fee_declared`: a player declared the last
    throw's jump, and its chip was paid.
    """

    options: RaceOptions
    standing: RaceBoard = RaceBoard()
    start_throws: tuple[StartThrow, ...] = ()
    first: Seat | None = None
    steps: tuple[Step, ...] = ()
    ledger: tuple[Payment, ...] = ()
    fee_declared: bool = False

    @property
    def throws(self) -> int:
        """The number of throws, those for the start included."""
        return len(self.start_throws) + len(self.steps)

    @property
    def starter(self) -> Starter:
        """The player who throws next for the start."""
        return "second" if len(self.start_throws) % 2 else "first"

    @property
    def winner(self) -> Seat | None:
        """The seat that has reached the pot."""
        return self.steps[-1].seat if self.steps and self.steps[-1].then is Then.WON else None

    def gained(self, whose: str) -> int:
        """Chips that `whose` (a seat, or the pots) has gained (+) or lost so far."""
        return sum(line.chips * ((line.payee == whose) - (line.payer == whose)) for line in self.ledger)

    def purse(self, seat: Seat) -> Purse:
        """The chips of `seat` now."""
        net = self.gained(seat)
        chips = self.options.chips + net
        return Purse(max(chips, 0), max(-chips, 0), net)

    @property
    def outcome(self) -> Outcome | None:
        """The winner, and how it reached the pot: exactly or by a double; None before that."""
        if self.winner is None:
            return None
        reason = "double" if self.steps[-1].how is How.LEAP else "exact"
        return Outcome(reason, (self.winner,), {seat: self.purse(seat).net for seat in SEATS})

    @property
    def fee_refusal(self) -> str | None:
        """The rule that forbids declaring a jump now, or None. The winning throw may have jumped, too."""
        if self.options.jump_fee != "declared":
            return "jump-fee-not-declared"
        if not self.steps or self.steps[-1].how is How.STAY:
            return "jump-fee-after-a-move"
        how = self.steps[-1].how
        if not costs(self.options, how):
            return "jump-fee-on-double" if how is How.LEAP else "jump-fee-on-turn-back"
        return "jump-fee-once" if self.fee_declared else None


def other(seat: Seat) -> Seat:
    """The other seat."""
    return "mouse" if seat == "cat" else "cat"


def lead(board: Board, past: str, square: int, dice: Dice) -> tuple[int, How]:
    """The square to which `dice` lead, and the way: rules 2, 4, 5 (doubles) and 6 (turning back)."""
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
    """True if the last square can be reached from `turn_back_to`, and so from anywhere."""
    known, new = set[int](), {board.turn_back_to}
    while new:
        known |= new
        going = product(new - {board.squares}, FACES, FACES)
        new = {lead(board, past, square, (one, two))[0] for square, one, two in going} - known
    return board.squares in known


def follows(board: Board, how: How, to: int) -> Then:
    """The consequence of landing on `to`: the win, a lost turn, a second throw, or the other's throw."""
    if how is How.STAY:
        return Then.NEXT
    if to == board.squares:
        return Then.WON
    if to in board.lost_turn:
        return Then.LOST_TURN
    return Then.SECOND_THROW if to in board.second_throw else Then.NEXT


def landing_dues(board: Board, options: RaceOptions, how: How, to: int) -> tuple[Due, ...]:
    """The chips due for landing on `to` that way, or for having to stay."""
    if how is How.STAY:
        return (Due("stay", board.stay.chips, pays=True),)
    dues = []
    if to in board.pays.squares:
        dues.append(Due("pays", board.pays.chips, pays=True))
    led = how is How.LEAP or options.pays_on_plain_11
    if to in board.earns.squares or (led and to in board.earns.by_leap):
        dues.append(Due("earns", board.earns.chips, pays=False))
    return tuple(dues)


def passes(start: int, to: int, how: How, met: int | None) -> bool:
    """True if the way from `start` to `to` leads over the square `met` (the ends do not count).

    Turning back goes straight back from the counter's square.
    """
    return how is not How.STAY and met is not None and min(start, to) < met < max(start, to)


def costs(options: RaceOptions, how: How) -> bool:
    """True if a jump on this kind of way costs a chip."""
    if how is How.LEAP:
        return options.fee_on_double
    return options.fee_on_turn_back if how is How.TURN_BACK else how is How.PLAIN


def step(board: Board, options: RaceOptions, standing: RaceBoard, dice: Dice) -> Step:
    """The effect of `dice` for the thrower of `standing`, which must be a seat."""
    seat = standing.thrower
    assert seat is not None, "nobody throws in this standing"
    start = standing.square(seat)
    to, how = lead(board, options.past, start, dice)
    met = board.on_the_others_walk(other(seat), standing.square(other(seat)))
    jumped = passes(start, to, how, met)
    dues = landing_dues(board, options, how, to)
    if jumped and options.jump_fee == "auto" and costs(options, how):
        dues = (Due("jump", board.jump_chips, pays=True), *dues)
    then = follows(board, how, to)
    served, after = pass_on(standing, seat, to, then)
    return Step(seat, dice, how, start, to, jumped, dues, then, served, after)


def pass_on(standing: RaceBoard, seat: Seat, to: int, then: Then) -> tuple[tuple[Seat, ...], RaceBoard]:
    """The seats that sit out a turn after `seat` has come to `to`, in order, and the race then."""
    cat, mouse = (to, standing.mouse) if seat == "cat" else (standing.cat, to)
    owing = {owes for owes in SEATS if standing.owes(owes)}
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
    return tuple(served), RaceBoard(cat, mouse, thrower, "cat" in owing, "mouse" in owing)
