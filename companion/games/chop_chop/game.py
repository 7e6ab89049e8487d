"""The game as the rest of the companion meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from companion.errors import InvalidMove
from companion.games import data_files
from companion.games.chop_chop import luck as lucks
from companion.games.chop_chop import rules
from companion.games.chop_chop import sighting as sightings
from companion.games.chop_chop import view as views
from companion.games.chop_chop.drawing import drawing
from companion.games.chop_chop.kitchen import DRAWABLE, SLABS, Bag, Kitchen, TwoDice, bag, kitchen
from companion.games.chop_chop.narrate import named, narrate
from companion.games.chop_chop.notation import FORMS
from companion.games.chop_chop.state import (
    SLUG,
    CameBy,
    ChopMove,
    ChopOptions,
    ChopState,
    GoTo,
    PlaceCat,
    SpearCheese,
    StayHere,
    ThrowDie,
    TurnSlab,
)
from companion.games.chop_chop.view import KitchenView
from companion.games.data_files import Fault
from companion.games.drawing import Drawing, Drawn
from companion.games.game import Decided, Game, Luck, LuckRemark, Outcome, luck_of
from companion.games.narrated import Narrated
from companion.games.watching import (
    Autoplay,
    Dice,
    HasGround,
    Observation,
    Piece,
    SeesDice,
    SeesPieces,
    Sighting,
)
from companion.messages import Phrase


class ChopChop(
    Game[ChopState, ChopMove, ChopOptions], SeesPieces, SeesDice, HasGround, Autoplay, Drawn, Narrated
):
    """One cat against the mice of one to four players."""

    slug = SLUG
    names: ClassVar = {"en": "Chop! Chop!", "zh-Hant": "鼠貓大戰", "ko": "촙! 촙!"}
    seat_counts = (2, 3, 4, 5)
    minutes = (20, 30)
    luck_kind = "dice"
    editable: ClassVar = {"board": DRAWABLE}
    trend: ClassVar = {"chop.side-mice": "chances.mice", "chop.side-cat": "chances.cat"}
    options_type = ChopOptions
    state_type = ChopState
    move_types = (PlaceCat, ThrowDie, GoTo, CameBy, StayHere, TurnSlab, SpearCheese)
    forms = FORMS
    hues = sightings.HUES
    rules = rules.RULES
    folder = Path(__file__).parent

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> ChopOptions:
        """Options from plain values. A player's own files, given by their paths, are read here, and go into
        the match whole.

        Raises `InvalidMove` with rule `not-an-option`, `MendableError` for a file that cannot be used.
        """
        options = super().options(given, from_text=from_text)
        own = {
            what: data_files.kept(getattr(options, what), what, kind)
            for what, kind in (("board", Kitchen), ("bag", Bag), ("dice", TwoDice))
        }
        chosen = msgspec.structs.replace(options, **own)
        for path, key in ((options.bag, "cheese"), (options.board, "squares")):
            if data_files.is_own_file(path) and (fault := rules.slabs_fault(chosen)):
                raise data_files.own_file(path).error(Fault(fault, (key,)))
        return chosen

    def kept_options(self, kept: Mapping[str, object]) -> ChopOptions:
        """As `Game.kept_options`; a slip in a file's text was there when the match was played."""
        return super().options({**self.options_before, **kept})

    def start(self, options: ChopOptions, seats: int) -> ChopState:
        """The kitchen set up.

        Raises `InvalidMove` for seats that do not fit, `MendableError` for files that do not.
        """
        if seats not in self.seat_counts:
            raise InvalidMove(self.slug, "not-an-option", fault=f"{seats} seats; it is for 2 to 5")
        return rules.start(options, seats)

    def seat_names(self, state: ChopState) -> tuple[str, ...]:
        """The mice's players in their order, then the cat's."""
        if state.seats == 2:
            return ("mice", "cat")
        return (*(f"mice-{n}" for n in range(1, state.seats)), "cat")

    def turn(self, state: ChopState) -> str | None:
        """Who places, throws or moves: the mice's players take their side's turns in rotation."""
        if state.ended:
            return None
        if state.standing.side == "cat" or state.standing.phase == "place":
            return "cat"
        mice = self.seat_names(state)[:-1]
        return mice[(state.mice_turns - 1) % len(mice)]

    def legal_moves(self, state: ChopState) -> Iterable[ChopMove]:
        """Every move forward, chance included; none when the match is over."""
        return () if state.ended else rules.legal_moves(state)

    def play(self, state: ChopState, move: ChopMove) -> ChopState:
        """The state after a move. Raises `MoveError`."""
        return rules.play(state, move)

    def outcome(self, state: ChopState) -> Outcome | None:
        """Whether the mice brought the cheese home, or the cat caught them all."""
        if not state.ended:
            return None
        mice = self.seat_names(state)[:-1]
        return Outcome(state.ended, mice if state.ended == "cheese-home" else ("cat",))

    def progress(self, state: ChopState) -> dict[str, int]:
        """The cheese that the mice hold, and the mice that the cat has caught."""
        standing, (*mice, cat) = state.standing, self.seat_names(state)
        caught = len(standing.mice) - len(standing.alive)
        return {**dict.fromkeys(mice, standing.cheese_found), cat: caught}

    def decided(self, course: Sequence[tuple[ChopState, ChopMove]], state: ChopState) -> Decided | None:
        """How much cheese was on the table, and how many mice were caught, when it ended."""
        standing = state.standing
        caught = len(standing.mice) - len(standing.alive)
        throws = sum(isinstance(move, ThrowDie) for _, move in course)
        return Decided("count", {"cheese": standing.cheese_found, "caught": caught, "throws": throws})

    def luck(self, course: Iterable[tuple[ChopState, ChopMove]]) -> dict[str, Luck]:
        """The throws, each by the faces of its side's die."""
        return luck_of(self._throws(course))

    def _throws(
        self, course: Iterable[tuple[ChopState, ChopMove]]
    ) -> Iterator[tuple[str, float, float, float]]:
        for state, move in course:
            thrower = self.turn(state)
            if isinstance(move, ThrowDie) and thrower:
                faces = state.options.two_dice.of(state.standing.side).faces
                mean = sum(faces) / len(faces)
                yield thrower, sum(move.dice), mean, sum((face - mean) ** 2 for face in faces) / len(faces)

    def luck_remarks(
        self, course: Sequence[tuple[ChopState, ChopMove]], state: ChopState
    ) -> tuple[LuckRemark, ...]:
        """What the dice and the slabs brought each side."""
        return tuple(lucks.luck_remarks(course))

    def pressed(self, state: ChopState, seat: str) -> ChopMove | None:
        """The button says that an arrow's free move is not used; elsewhere it moves nothing."""
        return StayHere() if state.standing.phase == "arrow" and self.turn(state) == seat else None

    def view(self, state: ChopState, seat: str | None) -> KitchenView:
        """The kitchen, where each piece can go, what is left in the bag, and the chances; all seats see the
        same."""
        return views.view(state, self.turn(state), self.outcome(state))

    def named(self, move: ChopMove) -> Phrase | None:
        """A move as people call it within a sentence."""
        return named(move)

    def narrate(self, before: ChopState, after: ChopState) -> tuple[Phrase, ...]:
        """What an open move did, in the page's words."""
        return narrate(before, after)

    def drawing(self, view: KitchenView, name: Callable[[str], str]) -> Drawing:
        """The kitchen with its pieces."""
        return drawing(view)

    def dice_now(self, state: ChopState) -> Dice:
        """The die of the side whose turn it is."""
        die = state.options.two_dice.of(state.standing.side)
        return Dice(1, die.values, die.colour)

    def standing_pieces(self, state: ChopState) -> tuple[Piece, ...]:
        """The pieces in sight: all but mice under the table."""
        return sightings.in_sight(state)

    def ground(self, state: ChopState) -> tuple[Piece, ...]:
        """The holes, the table, the slabs that are not turned over beside it, and the cheese left lying."""
        return sightings.ground(state)

    def likely_move(self, state: ChopState, below: Callable[[int], int]) -> ChopMove | None:
        """What the two simple players of the chances would do: `people` says how."""
        from companion.games.chop_chop import people

        return people.likely_move(state, below)

    def scene(self, state: ChopState) -> dict[str, Any]:
        """The kitchen's squares, as a camera needs to know them."""
        kitchen = state.options.kitchen
        return {"rows": kitchen.rows, "cols": kitchen.cols}

    def sighting(self, state: ChopState, observation: Observation) -> Sighting:
        """What a die at rest, or the pieces in sight, mean."""
        return sightings.sighting(state, observation)

    def drawn_values(self) -> dict[str, object]:
        """The first kitchen, and what lies under its slabs."""
        first, slabs = kitchen("middle"), bag("chop")
        return {
            "rows": first.rows,
            "cols": first.cols,
            "holes": first.holes,
            "table": sorted(first.table),
            "cheese": slabs.cheese,
            "bag": {slab: slabs.of(slab) for slab in SLABS},
        }


GAME = ChopChop()
