"""The game as the rest of the companion meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import msgspec

from companion.errors import InvalidMove
from companion.games import data_files
from companion.games.cat_and_mouse import board, rules
from companion.games.cat_and_mouse import luck as lucks
from companion.games.cat_and_mouse import sighting as sightings
from companion.games.cat_and_mouse import view as views
from companion.games.cat_and_mouse.drawing import drawing
from companion.games.cat_and_mouse.narrate import narrate
from companion.games.cat_and_mouse.notation import FORMS
from companion.games.cat_and_mouse.rules import SLUG, JumpFee, RaceMove, RaceState, Throw
from companion.games.cat_and_mouse.score import outcome
from companion.games.cat_and_mouse.steps import SEATS, RaceOptions, can_be_won
from companion.games.cat_and_mouse.view import RaceView
from companion.games.data_files import Fault
from companion.games.drawing import Drawing, Drawn
from companion.games.game import Decided, Game, Luck, LuckRemark, Outcome, luck_of
from companion.games.narrated import Narrated
from companion.games.watching import Dice, Observation, SeesDice, Sighting
from companion.messages import Phrase

TWO_DICE = Dice(2)
"""What each throw is made of."""

MEAN, VARIANCE = 7.0, 35 / 6
"""Of the total of two dice."""


class CatAndMouse(Game[RaceState, RaceMove, RaceOptions], SeesDice, Drawn, Narrated):
    """Cat against Mouse, two dice, a race for each other's pot."""

    slug = SLUG
    names: ClassVar = {"en": "Cat and Mouse", "zh-Hant": "貓捉老鼠", "ko": "고양이와 쥐"}
    seat_counts = (2,)
    minutes = (10, 20)
    luck_kind = "dice"
    editable: ClassVar = {"board": board.DRAWABLE}
    options_type = RaceOptions
    state_type = RaceState
    move_types = (Throw, JumpFee)
    forms = FORMS
    rules = rules.RULES
    folder = Path(__file__).parent

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> RaceOptions:
        """Options from plain values. A player's own board, given by its path, is read here, and goes
        into the match whole.

        Raises `InvalidMove` with rule `not-an-option`, `MendableError` for a file that cannot be used.
        """
        options = super().options(given, from_text=from_text)
        kept = data_files.kept(options.board, "board", board.Board)
        if data_files.is_own_file(options.board) and not can_be_won(board.board(kept), options.past):
            raise data_files.own_file(options.board).error(
                Fault(Phrase("data.cannot-be-won", game=self.slug), ("turn_back_to",))
            )
        return msgspec.structs.replace(options, board=kept)

    def kept_options(self, kept: Mapping[str, object]) -> RaceOptions:
        """As `Game.kept_options`; a slip in the board's text was there when the match was played."""
        return super().options({**self.options_before, **kept})

    def start(self, options: RaceOptions, seats: int) -> RaceState:
        """Nobody is Cat yet.

        Raises `InvalidMove` for seats that do not fit, `MendableError` for a board that does not.
        """
        if seats not in self.seat_counts:
            raise InvalidMove(self.slug, "not-an-option", fault=f"{seats} seats; it is for 2")
        played_on = board.board(options.board)
        if not _can_be_won(options.board, options.past):
            raise InvalidMove(
                self.slug, "not-an-option", fault=f"no throw reaches square {played_on.squares} of that board"
            )
        return RaceState(options)

    def seat_names(self, state: RaceState) -> tuple[str, ...]:
        """Cat and Mouse; who is which, the throws for the start decide."""
        return SEATS

    def turn(self, state: RaceState) -> str | None:
        """Who throws; None while it is thrown for Cat, and when the race is won."""
        return state.standing.thrower

    def legal_moves(self, state: RaceState) -> Iterable[RaceMove]:
        """The 36 ways the dice can fall, and the fee where it may be declared."""
        return rules.legal_moves(state)

    def play(self, state: RaceState, move: RaceMove) -> RaceState:
        """The state after a move. Raises `MoveError`."""
        return rules.play(board.board(state.options.board), state, move)

    def outcome(self, state: RaceState) -> Outcome | None:
        """Who has won both stakes; points are the chips that each has won or lost."""
        return outcome(state)

    def takes_corrections(self, state: RaceState) -> bool:
        """Whether the chip for a jump of the throw that has won may still be claimed."""
        return rules.fee_refusal(state) is None

    def progress(self, state: RaceState) -> dict[str, int]:
        """The square where each counter stands."""
        return {seat: state.standing.square(seat) for seat in SEATS}

    def decided(self, course: Sequence[tuple[RaceState, RaceMove]], state: RaceState) -> Decided | None:
        """The throw that reached the pot, and how far behind the other stood."""
        throws = [move for before, move in course if isinstance(move, Throw) and before.standing.thrower]
        if state.winner is None or not throws:
            return None
        [other] = [seat for seat in SEATS if seat != state.winner]
        one, two = throws[-1].dice
        square = state.standing.square(other)
        return Decided(
            "throw", {"one": one, "two": two, "throws": len(throws), "other": other, "square": square}
        )

    def luck(self, course: Iterable[tuple[RaceState, RaceMove]]) -> dict[str, Luck]:
        """The throws of the race; those for who is Cat are nobody's yet."""
        return luck_of(
            (state.standing.thrower, sum(move.dice), MEAN, VARIANCE)
            for state, move in course
            if isinstance(move, Throw) and state.standing.thrower
        )

    def luck_remarks(
        self, course: Sequence[tuple[RaceState, RaceMove]], state: RaceState
    ) -> tuple[LuckRemark, ...]:
        """What each player's throws did to the chance to win."""
        return lucks.luck_remarks(course, state)

    def view(self, state: RaceState, seat: str | None) -> RaceView:
        """The track, the chips and the chances; all seats see the same."""
        return views.view(board.board(state.options.board), state)

    def narrate(self, before: RaceState, after: RaceState) -> tuple[Phrase, ...]:
        """What an open move did, in the page's words."""
        return narrate(before, after)

    def drawing(self, view: RaceView, name: Callable[[str], str]) -> Drawing:
        """The board with both counters."""
        return drawing(view)

    def dice_now(self, state: RaceState) -> Dice:
        """Two dice, whoever throws."""
        return TWO_DICE

    def drawn_values(self) -> dict[str, object]:
        """What the squares and the doubles of the first board do."""
        first = board.board("classic")
        return {
            "last": first.squares,
            "turn_back_to": first.turn_back_to,
            "leaps": first.leaps,
            "pays": first.pays.squares,
            "pays_chips": first.pays.chips,
            "earns": first.earns.squares,
            "earns_chips": first.earns.chips,
            "lost_turn": first.lost_turn,
            "second_throw": first.second_throw,
        }

    def sighting(self, state: RaceState, observation: Observation) -> Sighting:
        """What dice at rest mean."""
        return sightings.sighting(board.board(state.options.board), state, observation)


@cache
def _can_be_won(given: str, past: str) -> bool:
    """`can_be_won` on the board that an option means, worked out once: lists of matches begin each one."""
    return can_be_won(board.board(given), past)


GAME = CatAndMouse()
