"""The rules of This Bed Is Mine.

Turns. The sides alternate, the cat first; a side that can lay nothing when its turn comes is skipped
and stays out (rulebook, "進行遊戲"). By the bed alone: of the sides that may still lay, the one with
fewer tiles on the bed is in turn, the cat if both have as many.

Corrections. A wrongly recorded tile is shifted or taken off, under the same rules for where it may
lie. A side whose tile was taken off is owed its turn, even after it was skipped, up to as many tiles
as it had then. A skip is judged again until something is laid after it; then it stands, even if a
place appears later. A side that passes although a tile fits stays out too ("可以擺放時必須擺放板塊", and
"若有玩家跳過後發現還有板塊可以擺放，並不能重新放置").

A finished bed may be recorded whole, in place of a match. Nobody saw the order of its tiles, so
neither turns nor the first tile's zone are judged. It stays finished, whatever is corrected on it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.data_files import Fault
from companion.games.game import About, Game, Outcome
from companion.games.this_bed_is_mine import score
from companion.games.this_bed_is_mine import sighting as sightings
from companion.games.this_bed_is_mine import view as views
from companion.games.this_bed_is_mine.board import (
    DRAWABLE,
    BoardFile,
    TileSetFile,
    cells,
    read_board,
    read_tiles,
)
from companion.games.this_bed_is_mine.fits import bed_of, binding, can_lay, first_fit, lays
from companion.games.this_bed_is_mine.retrospect import BedRetrospect, laid_at
from companion.games.this_bed_is_mine.state import (
    FORMS,
    OWNERS,
    SLUG,
    BedMove,
    BedOptions,
    BedState,
    Finish,
    Lay,
    Owner,
    Shift,
    Skip,
    Skipped,
    TakeOff,
    Tile,
    is_out,
    laid,
    other,
)
from companion.games.watching import Observation, ScoresPhotos, Sighting
from companion.games.watching import Tile as SeenTile
from companion.messages import Phrase


def _drawn_values() -> dict[str, object]:
    bed, tiles = read_board("a"), read_tiles("digits")
    return {
        "rows": bed.rows,
        "cols": bed.cols,
        "zone": bed.zone,
        "first": tiles.first,
        "tiles": {digit: cells(rows) for digit, rows in tiles.shapes.items()},
        "bonus": score.BONUS_POINTS,
    }


class ThisBedIsMine(Game[BedState, BedMove, BedOptions], ScoresPhotos):
    """Cat against dog, two players, tiles on a bed."""

    slug = SLUG
    names: ClassVar = {"en": "This Bed Is Mine", "zh-Hant": "放開那個窩", "ko": "이 침대는 내 거야"}
    seat_counts = (2,)
    about = About(
        minutes=(15, 25),
        asked_first=("board",),
        files={"board": BoardFile, "tiles": TileSetFile},
        editable={"board": DRAWABLE},
        drawn_values=_drawn_values,
    )
    forms = FORMS
    retrospect = BedRetrospect()

    def misfits(self, options: BedOptions) -> Mapping[str, Fault]:
        """A bed on which the cat's first tile has no place."""
        if can_lay(options, (), "cat"):
            return {}
        nowhere = Phrase("data.first-nowhere", game=self.slug)
        return {"board": Fault(nowhere, ("bed",)), "tiles": Fault(nowhere, ("first",))}

    def set_up(self, options: BedOptions, seats: int) -> BedState:
        """The empty bed, the cat to begin. Raises `InvalidMove` when her first tile has no place on it."""
        if not can_lay(options, (), "cat"):
            raise InvalidMove(SLUG, "first-tile-fits-nowhere", owner="cat")
        return BedState(options)

    def seat_names(self, state: BedState) -> tuple[str, ...]:
        return OWNERS

    def turn(self, state: BedState) -> str | None:
        """The side to lay a tile."""
        return state.turn

    def legal_moves(self, state: BedState) -> list[Lay]:
        """Every placement of the side in turn, without corrections and passes."""
        return lays(state.options, state.tiles, state.turn) if state.turn else []

    def play(self, state: BedState, move: BedMove) -> BedState:
        match move:
            case Lay():
                return _lay(state, move)
            case Skip():
                return _skip(state, move)
            case Shift():
                return _shift(state, move)
            case TakeOff():
                return _take_off(state, move)
            case _:
                if state.tiles and not state.finished:
                    raise IllegalMove(SLUG, "already-begun")
                return _ended(state.options, move.tiles)

    def outcome(self, state: BedState) -> Outcome | None:
        """The side that sleeps in the bed, once both sides are skipped."""
        return score.outcome(state)

    def view(self, state: BedState, seat: str | None) -> views.BedView:
        """The bed with every number and its reason; all seats see the same."""
        return views.view(state)

    def lying(self, state: BedState) -> tuple[SeenTile, ...]:
        return tuple(SeenTile(tile.owner, tile.digit, tile.turns, tile.row, tile.col) for tile in state.tiles)

    def turn_order(self, state: BedState) -> sightings.BedTurns:
        """The sides alternate while both can lay."""
        return sightings.BedTurns.on(bed_of(state.options))

    def ended(self, options: BedOptions, tiles: Iterable[SeenTile]) -> BedState:
        """The bed as it lies at the end, both sides skipped."""
        return _ended(options, tuple(map(sightings.as_tile, tiles)))

    def finish(self, tiles: Iterable[SeenTile]) -> Finish:
        return Finish(tuple(map(sightings.as_tile, tiles)))

    def still_fits(self, state: BedState) -> tuple[SeenTile, ...]:
        lays = [first_fit(state.options, state.tiles, owner) for owner in OWNERS]
        return tuple(SeenTile(lay.owner, lay.digit, lay.turns, lay.row, lay.col) for lay in lays if lay)

    def score_of(self, state: BedState) -> Hashable:
        return tuple(
            (region.squares, region.owner) for region in score.score(state.options, state.tiles).regions
        )

    def scene(self, state: BedState) -> dict[str, Any]:
        return sightings.scene_of(state.options)

    def options_for_scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        return sightings.options_of(scene)

    def sighting(self, state: BedState, observation: Observation) -> Sighting:
        """The meaning of the tiles in sight."""
        return sightings.sighting(self.play, state, observation)


def _lay(state: BedState, move: Lay) -> BedState:
    if state.turn is None:
        raise IllegalMove(SLUG, "match-over")
    _check_digit(state.options, move.owner, move.digit)
    if _find(state, move.owner, move.digit) is not None:
        raise IllegalMove(SLUG, "tile-already-laid", owner=move.owner, digit=move.digit)
    if state.is_out(move.owner):
        raise IllegalMove(SLUG, "stays-out", owner=move.owner)
    if move.owner != state.turn:
        raise IllegalMove(SLUG, "not-your-turn", owner=move.owner, turn=state.turn)
    tile = Tile(move.owner, move.digit, move.turns, move.row, move.col)
    _check_place(state.options, state.tiles, tile)
    _check_first(state.options, state.tiles, tile)
    return _settle(state.options, (*state.tiles, tile), state.skipped)


def _skip(state: BedState, move: Skip) -> BedState:
    """Agree to a skip that the rules have made; else the side in turn passes by mistake."""
    if state.is_out(move.owner):
        return state
    if move.owner != state.turn:
        raise IllegalMove(SLUG, "not-your-turn", owner=move.owner, turn=other(move.owner))
    fit = first_fit(state.options, state.tiles, move.owner)
    if fit is not None and state.options.mistaken_pass == "refuse":
        raise IllegalMove(SLUG, "must-lay", owner=move.owner, tile=laid_at(fit))
    passed = Skipped(move.owner, laid(state.tiles, move.owner), len(state.tiles), passed=True)
    others = tuple(skip for skip in state.skipped if skip.owner != move.owner)
    return _settle(state.options, state.tiles, (*others, passed))


def _shift(state: BedState, move: Shift) -> BedState:
    n = _check_laid(state, move.owner, move.digit)
    tile = Tile(move.owner, move.digit, move.turns, move.row, move.col)
    others = state.tiles[:n] + state.tiles[n + 1 :]
    _check_place(state.options, others, tile)
    # Without it no tile of that side has met the first-tile rule: so it was the first, and must meet it.
    if binding(state.options, state.tiles[:n], tile.owner) and not binding(
        state.options, state.tiles[: n + 1], tile.owner
    ):
        _check_first(state.options, state.tiles[:n], tile)
    return _corrected(state, (*state.tiles[:n], tile, *state.tiles[n + 1 :]), state.skipped)


def _take_off(state: BedState, move: TakeOff) -> BedState:
    n = _check_laid(state, move.owner, move.digit)
    skipped = tuple(replace(skip, after=skip.after - 1) if n < skip.after else skip for skip in state.skipped)
    return _corrected(state, state.tiles[:n] + state.tiles[n + 1 :], skipped)


def _corrected(state: BedState, tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...]) -> BedState:
    if state.finished:
        return _ended(state.options, tiles)
    return _settle(
        state.options, tiles, tuple(skip for skip in skipped if skip.passed or skip.after < len(tiles))
    )


def _settle(options: BedOptions, tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...]) -> BedState:
    """The state with these tiles, after skipping the sides that cannot lay in their turn."""
    while (turn := _next(tiles, skipped)) and not can_lay(options, tiles, turn):
        skipped = tuple(skip for skip in skipped if skip.owner != turn)
        skipped += (Skipped(turn, laid(tiles, turn), len(tiles)),)
    return BedState(options, tiles, skipped, turn)


def _ended(options: BedOptions, tiles: tuple[Tile, ...]) -> BedState:
    """The end of a match with these tiles on the bed. Raises `MoveError` if they cannot lie that way."""
    for n, tile in enumerate(tiles):
        _check_digit(options, tile.owner, tile.digit)
        if any((tile.owner, tile.digit) == (lying.owner, lying.digit) for lying in tiles[:n]):
            raise IllegalMove(SLUG, "tile-already-laid", owner=tile.owner, digit=tile.digit)
        _check_place(options, tiles[:n], tile)
    out = tuple(Skipped(owner, laid(tiles, owner), len(tiles)) for owner in OWNERS)
    return BedState(options, tiles, out, None, finished=True)


def _next(tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...]) -> Owner | None:
    may_lay = [owner for owner in OWNERS if not is_out(tiles, skipped, owner)]
    return min(may_lay, key=lambda owner: laid(tiles, owner), default=None)


def _find(state: BedState, owner: Owner, digit: int) -> int | None:
    """The tile's number, from 0 in the order they were laid; None if it is not laid."""
    places = (n for n, tile in enumerate(state.tiles) if (tile.owner, tile.digit) == (owner, digit))
    return next(places, None)


def _check_digit(options: BedOptions, owner: Owner, digit: int) -> None:
    if digit not in bed_of(options).shapes:
        raise InvalidMove(SLUG, "no-such-tile", owner=owner, digit=digit)


def _check_laid(state: BedState, owner: Owner, digit: int) -> int:
    _check_digit(state.options, owner, digit)
    n = _find(state, owner, digit)
    if n is None:
        raise IllegalMove(SLUG, "tile-not-laid", owner=owner, digit=digit)
    return n


def _check_place(options: BedOptions, others: tuple[Tile, ...], tile: Tile) -> None:
    """Check that a tile lies wholly on the bed, on no pillow and on no other tile."""
    bed = bed_of(options)
    if not bed.holds(tile):
        raise IllegalMove(SLUG, "off-the-bed", owner=tile.owner, digit=tile.digit)
    covered = bed.covered(tile)
    if covered & bed.pillows:
        raise IllegalMove(SLUG, "on-a-pillow", owner=tile.owner, digit=tile.digit)
    for lying in others:
        if covered & bed.covered(lying):
            under = {"under_owner": lying.owner, "under_digit": lying.digit}
            raise IllegalMove(SLUG, "on-a-tile", owner=tile.owner, digit=tile.digit, **under)


def _check_first(options: BedOptions, tiles: tuple[Tile, ...], tile: Tile) -> None:
    """Check a tile against the first-tile rule if that still binds its side."""
    rule = binding(options, tiles, tile.owner)
    if rule is None:
        return
    if tile.digit not in rule.digits:
        digits = ", ".join(map(str, rule.digits))
        raise IllegalMove(SLUG, "first-digit", owner=tile.owner, digit=tile.digit, digits=digits)
    if not rule.in_zone(bed_of(options).covered(tile)):
        raise IllegalMove(SLUG, "first-zone", owner=tile.owner, digit=tile.digit, zone=options.first_zone)


GAME = ThisBedIsMine()
