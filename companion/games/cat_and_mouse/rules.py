"""A match of Cat and Mouse: its moves, its state, what is refused and why.

Rulebook, "Rules of play" 1 (the start) to 6. What one throw does stands in `steps`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Annotated, Literal, NoReturn

import msgspec
from msgspec import Meta

from companion.errors import IllegalMove, InvalidMove
from companion.games.cat_and_mouse.board import Board
from companion.games.cat_and_mouse.steps import (
    FACES,
    SEATS,
    Dice,
    How,
    RaceOptions,
    Seat,
    Standing,
    Step,
    Then,
    costs,
    other,
    step,
)
from companion.games.game import Move, State

SLUG = "cat-and-mouse"
"""The game's name in addresses and files."""

Starter = Literal["first", "second"]
"""Who threw when for the start: nobody is Cat or Mouse yet."""

Reason = Literal["stake", "pots", "stay", "jump", "pays", "earns"]
"""Why chips change hands, as named in the words under `because`."""

RULES = (
    "two-dice",
    "die-faces",
    "match-over",
    "jump-fee-not-declared",
    "jump-fee-after-a-move",
    "jump-fee-once",
    "jump-fee-on-double",
    "jump-fee-on-turn-back",
)
"""Every rule that a move can break."""


class Throw(Move, frozen=True, tag="throw"):
    """Both dice are thrown by the player to throw; the first throws of a match are those for Cat."""

    dice: Annotated[
        tuple[Annotated[int, Meta(extra_json_schema={"minimum": FACES[0], "maximum": FACES[-1]})], ...],
        Meta(description="What the two dice show.", extra_json_schema={"minItems": 2, "maxItems": 2}),
    ]


class JumpFee(Move, frozen=True, tag="jump-fee"):
    """A player says that the last throw jumped over the other's counter: its chip is paid."""


class Payment(msgspec.Struct, frozen=True):
    """A line of the ledger: who pays whom how many chips, by which throw, for what.

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


class RaceState(State, frozen=True):
    """All that the rules need: the throws for the start, those of the race, and the ledger.

    `first` is what the one who threw first for the start has become. `fee_declared` says that the
    chip for the last throw's jump was paid by declaring it.
    """

    options: RaceOptions
    standing: Standing = Standing()
    start_throws: tuple[StartThrow, ...] = ()
    first: Seat | None = None
    steps: tuple[Step, ...] = ()
    ledger: tuple[Payment, ...] = ()
    fee_declared: bool = False

    @property
    def throws(self) -> int:
        """How many throws there were, those for the start among them."""
        return len(self.start_throws) + len(self.steps)

    @property
    def starter(self) -> Starter:
        """Who throws next for the start."""
        return "second" if len(self.start_throws) % 2 else "first"

    @property
    def winner(self) -> Seat | None:
        """Who has reached the pot."""
        return self.steps[-1].seat if self.steps and self.steps[-1].then is Then.WON else None


RaceMove = Throw | JumpFee
"""Every kind of move."""


def legal_moves(state: RaceState) -> Iterable[RaceMove]:
    """The 36 ways the dice can fall, and the fee where it may be declared.

    The fee of the throw that has won is left out: it corrects the ledger of a match that is over.
    """
    if state.winner is not None:
        return
    for dice in product(FACES, repeat=2):
        yield Throw(dice)
    if fee_refusal(state) is None:
        yield JumpFee()


def play(board: Board, state: RaceState, move: RaceMove) -> RaceState:
    """The state after `move`. Raises `MoveError`."""
    if isinstance(move, JumpFee):
        return declare_fee(board, state)
    dice = two_dice(move.dice)
    if state.winner is not None:
        refuse("match-over")
    return start_throw(state, dice) if state.first is None else race_throw(board, state, dice)


def two_dice(dice: tuple[int, ...]) -> Dice:
    """The dice of a throw. Raises `InvalidMove` when they are not two, or show what no die shows."""
    if len(dice) != 2:
        raise InvalidMove(SLUG, "two-dice", dice=len(dice))
    for value in dice:
        if value not in FACES:
            raise InvalidMove(SLUG, "die-faces", value=value)
    return dice[0], dice[1]


def start_throw(state: RaceState, dice: Dice) -> RaceState:
    """A throw for who is Cat: the higher total; equal totals throw again (rule 1)."""
    thrown = (*state.start_throws, StartThrow(state.starter, dice))
    state = msgspec.structs.replace(state, start_throws=thrown)
    if len(thrown) % 2:
        return state
    first, second = sum(thrown[-2].dice), sum(thrown[-1].dice)
    if first == second:
        return state
    return msgspec.structs.replace(
        state,
        first="cat" if first > second else "mouse",
        standing=Standing(thrower="cat"),
        ledger=stakes(state),
    )


def stakes(state: RaceState) -> tuple[Payment, ...]:
    """Both stakes put in the pots (rule 1)."""
    stake, last = state.options.stake, state.start_throws[-1]
    return tuple(Payment(state.throws, last.dice, seat, "pots", stake, "stake", 0) for seat in SEATS if stake)


def race_throw(board: Board, state: RaceState, dice: Dice) -> RaceState:
    """A throw of the race (rules 2 to 6)."""
    done = step(board, state.options, state.standing, dice)
    return msgspec.structs.replace(
        state,
        standing=done.standing,
        steps=(*state.steps, done),
        ledger=(*state.ledger, *payments(state, done)),
        fee_declared=False,
    )


def payments(state: RaceState, done: Step) -> tuple[Payment, ...]:
    """The ledger's lines of one throw, in the order in which they fall due."""
    lines = []
    for due in done.dues:
        payer, payee = (done.seat, other(done.seat)) if due.pays else (other(done.seat), done.seat)
        lines.append(Payment(state.throws + 1, done.dice, payer, payee, due.chips, due.rule, done.to))
    if done.then is Then.WON and state.options.stake:
        both = 2 * state.options.stake
        lines.append(Payment(state.throws + 1, done.dice, "pots", done.seat, both, "pots", done.to))
    return tuple(lines)


def fee_refusal(state: RaceState) -> str | None:
    """The rule that forbids declaring a jump now, or None; the throw that wins may have jumped, too."""
    if state.options.jump_fee != "declared":
        return "jump-fee-not-declared"
    if not state.steps or state.steps[-1].how is How.STAY:
        return "jump-fee-after-a-move"
    how = state.steps[-1].how
    if not costs(state.options, how):
        return "jump-fee-on-double" if how is How.LEAP else "jump-fee-on-turn-back"
    return "jump-fee-once" if state.fee_declared else None


def declare_fee(board: Board, state: RaceState) -> RaceState:
    """The last thrower pays the other for a jump that a player declared. Raises `IllegalMove`."""
    rule = fee_refusal(state)
    if rule is not None:
        refuse(rule)
    last = state.steps[-1]
    paid = Payment(
        state.throws, last.dice, last.seat, other(last.seat), board.jump_chips, "jump", last.to
    )  # fmt: skip
    return msgspec.structs.replace(state, ledger=(*state.ledger, paid), fee_declared=True)


def refuse(rule: str) -> NoReturn:
    """Raise `IllegalMove` with that rule's name."""
    raise IllegalMove(SLUG, rule)
