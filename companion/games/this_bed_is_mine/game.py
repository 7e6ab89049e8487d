"""The game as the rest of the companion meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from companion.errors import InvalidMove
from companion.games import data_files
from companion.games.data_files import Fault
from companion.games.drawing import Drawing, Drawn
from companion.games.game import Decided, Game, Outcome
from companion.games.narrated import Narrated
from companion.games.this_bed_is_mine import ending, fits, rules, score
from companion.games.this_bed_is_mine import scene as scenes
from companion.games.this_bed_is_mine import sighting as sightings
from companion.games.this_bed_is_mine import view as views
from companion.games.this_bed_is_mine.board import DRAWABLE, BoardFile, read_board
from companion.games.this_bed_is_mine.drawing import drawing
from companion.games.this_bed_is_mine.moves import (
    OWNERS,
    SLUG,
    BedMove,
    BedOptions,
    BedState,
    Finish,
    Lay,
    Shift,
    Skip,
    TakeOff,
)
from companion.games.this_bed_is_mine.narrate import named, narrate
from companion.games.this_bed_is_mine.notation import FORMS
from companion.games.this_bed_is_mine.tiles import TileSetFile, cells, read_tiles
from companion.games.this_bed_is_mine.turn_order import BedTurns
from companion.games.watching import Observation, ScoresPhotos, Sighting, Tile
from companion.messages import Phrase


class ThisBedIsMine(Game[BedState, BedMove, BedOptions], ScoresPhotos, Drawn, Narrated):
    """Cat against dog, two players, tiles on a bed."""

    slug = SLUG
    names: ClassVar = {"en": "This Bed Is Mine", "zh-Hant": "放開那個窩", "ko": "이 침대는 내 거야"}
    seat_counts = (2,)
    minutes = (15, 25)
    asked_first = ("board",)
    editable: ClassVar = {"board": DRAWABLE}
    options_type = BedOptions
    state_type = BedState
    move_types = (Lay, Skip, Shift, TakeOff, Finish)
    forms = FORMS
    rules = rules.RULES
    folder = Path(__file__).parent

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> BedOptions:
        """Options from plain values. A player's own board or tile set, given by its path, is read
        here, and goes into the match whole.

        Raises `InvalidMove` with rule `not-an-option`, `MendableError` for a file that cannot be used.
        """
        options = super().options(given, from_text=from_text)
        kept = msgspec.structs.replace(
            options,
            board=data_files.kept(options.board, "board", BoardFile),
            tiles=data_files.kept(options.tiles, "tile set", TileSetFile),
        )
        for path, key in ((options.board, "bed"), (options.tiles, "first")):
            if data_files.is_own_file(path) and not fits.can_lay(kept, (), "cat"):
                fault = Phrase("data.first-nowhere", game=self.slug)
                raise data_files.own_file(path).error(Fault(fault, (key,)))
        return kept

    def kept_options(self, kept: Mapping[str, object]) -> BedOptions:
        """As `Game.kept_options`; a slip in a file's text was there when the match was played."""
        return super().options({**self.options_before, **kept})

    def start(self, options: BedOptions, seats: int) -> BedState:
        """The empty bed, the cat to begin."""
        if seats not in self.seat_counts:
            raise InvalidMove(self.slug, "not-an-option", fault=f"{seats} seats; it is for 2")
        return rules.start(options)

    def seat_names(self, state: BedState) -> tuple[str, ...]:
        """Cat and dog."""
        return OWNERS

    def turn(self, state: BedState) -> str | None:
        """The side to lay a tile."""
        return state.turn

    def legal_moves(self, state: BedState) -> list[Lay]:
        """Every placement of the side to play; corrections, and agreeing to a skip, aside."""
        if state.turn is None:
            return []
        return fits.lays(state.options, state.tiles, state.turn)

    def play(self, state: BedState, move: BedMove) -> BedState:
        """The state after a move."""
        return rules.play(state, move)

    def outcome(self, state: BedState) -> Outcome | None:
        """Who sleeps in the bed, once both sides are skipped."""
        return score.outcome(state)

    def view(self, state: BedState, seat: str | None) -> views.BedView:
        """The bed with every number and its why; all seats see the same."""
        return views.view(state)

    def named(self, move: BedMove) -> Phrase | None:
        """A move as people call it within a sentence."""
        return named(move)

    def narrate(self, before: BedState, after: BedState) -> tuple[Phrase, ...]:
        """What an open move did, in the page's words."""
        return narrate(before, after)

    def drawing(self, view: views.BedView, name: Callable[[str], str]) -> Drawing:
        """The bed with its tiles."""
        return drawing(view)

    def progress(self, state: BedState) -> dict[str, int]:
        """The points of each side, if it ended now."""
        scored = score.score(state.options, state.tiles)
        return {owner: scored.total(owner) for owner in OWNERS}

    def pieces(self, state: BedState) -> dict[str, int]:
        """The tiles that each side has on the bed."""
        return {owner: sum(tile.owner == owner for tile in state.tiles) for owner in OWNERS}

    def decided(self, course: Sequence[tuple[BedState, BedMove]], state: BedState) -> Decided | None:
        """The toys or the region without which the side in front would not have won."""
        return ending.decided(state)

    def lying(self, state: BedState) -> tuple[Tile, ...]:
        """The tiles on the bed."""
        return tuple(Tile(tile.owner, tile.digit, tile.turns, tile.row, tile.col) for tile in state.tiles)

    def turn_order(self, state: BedState) -> BedTurns:
        """The sides alternate while both can lay."""
        return BedTurns.on(fits.bed_of(state.options))

    def ended(self, options: BedOptions, tiles: Iterable[Tile]) -> BedState:
        """The bed as it lies at the end, both sides skipped."""
        return rules.ended(options, tuple(map(sightings.as_tile, tiles)))

    def finish(self, tiles: Iterable[Tile]) -> Finish:
        """The move that records a finished bed with these tiles."""
        return Finish(tuple(map(sightings.as_tile, tiles)))

    def drawn_values(self) -> dict[str, object]:
        """The tiles, the first bed with its zone, and the bonus for toys."""
        bed, tiles = read_board("a"), read_tiles("digits")
        return {
            "rows": bed.rows,
            "cols": bed.cols,
            "zone": bed.zone,
            "first": tiles.first,
            "tiles": {digit: cells(rows) for digit, rows in tiles.shapes.items()},
            "bonus": score.BONUS_POINTS,
        }

    def scene(self, state: BedState) -> dict[str, Any]:
        """The bed and its tiles as a camera needs to know them."""
        return scenes.scene_of(state.options)

    def options_for_scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a match on the bed, and with the tiles, of a scene."""
        return scenes.options_of(scene)

    def sighting(self, state: BedState, observation: Observation) -> Sighting:
        """What the tiles in sight mean."""
        return sightings.sighting(state, observation)


GAME = ThisBedIsMine()
