"""What may be laid and what not, and why: RULES of play, and corrections of the record.

Turns. The sides alternate, the cat first; a side that can lay nothing when its turn comes is skipped
and stays out (rulebook, "進行遊戲"). By the bed alone: of the sides that may still lay, the
one with fewer tiles on the bed is to play, the cat when both have as many.

Corrections. A tile that was recorded wrongly is shifted or taken off, under the same rules for where
it may lie. A side whose tile was taken off has fewer on the bed and so is owed its turn, even when it
has been skipped since, as many tiles as it had then. A skip is judged again as long as nothing has been
laid after it; once the other side has laid on, it stands, even if a place is found later.

A finished bed may be recorded whole, in place of a match: nobody saw in which order its tiles were laid, so
neither turns nor the first tile's zone are judged. It stays finished, whatever is corrected on it.
"""

from __future__ import annotations

import msgspec

from companion.errors import IllegalMove, InvalidMove
from companion.games.this_bed_is_mine.fits import bed_of, binding, can_lay, fits
from companion.games.this_bed_is_mine.moves import (
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
    other,
)
from companion.games.watching import square_name

RULES = (
    "match-over",
    "no-such-tile",
    "tile-already-laid",
    "tile-not-laid",
    "stays-out",
    "not-your-turn",
    "must-lay",
    "off-the-bed",
    "on-a-pillow",
    "on-a-tile",
    "first-digit",
    "first-zone",
    "first-tile-fits-nowhere",
    "face-up",
    "half-off-the-bed",
    "tiles-overlap",
    "already-begun",
)
"""Every rule that a move, an option or a sighting can break."""


def start(options: BedOptions) -> BedState:
    """The empty bed. Raises `InvalidMove` when the cat's first tile has no place on it."""
    bed_of(options)
    if not can_lay(options, (), "cat"):
        raise InvalidMove(SLUG, "first-tile-fits-nowhere", owner="cat")
    return BedState(options)


def play(state: BedState, move: BedMove) -> BedState:
    """The state after a move. Raises `InvalidMove` or `IllegalMove` naming the rule."""
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
            return _finish(state, move)


def _lay(state: BedState, move: Lay) -> BedState:
    if state.turn is None:
        raise IllegalMove(SLUG, "match-over")
    _check_digit(state.options, move.owner, move.digit)
    if _find(state, move.owner, move.digit) is not None:
        raise IllegalMove(SLUG, "tile-already-laid", owner=move.owner, digit=move.digit)
    if is_out(state, move.owner):
        raise IllegalMove(SLUG, "stays-out", owner=move.owner)
    if move.owner != state.turn:
        raise IllegalMove(SLUG, "not-your-turn", owner=move.owner, turn=state.turn)
    tile = Tile(move.owner, move.digit, move.turns, move.row, move.col)
    _check_place(state.options, state.tiles, tile)
    _check_first(state.options, state.tiles, tile)
    return settle(state.options, (*state.tiles, tile), state.skipped)


def _skip(state: BedState, move: Skip) -> BedState:
    """Agree to a skip that has been found already; refuse one while a tile fits."""
    if is_out(state, move.owner):
        return state
    fit = next(fits(state.options, state.tiles, move.owner), None)
    if fit is None:
        raise IllegalMove(SLUG, "not-your-turn", owner=move.owner, turn=other(move.owner))
    shape, where = fit
    row, col = bed_of(state.options).listed(where)[0]
    square = square_name((row, col))
    raise IllegalMove(
        SLUG,
        "must-lay",
        owner=move.owner,
        digit=shape.digit,
        turns=shape.turns,
        row=row,
        col=col,
        square=square,
    )


def _shift(state: BedState, move: Shift) -> BedState:
    at = _check_laid(state, move.owner, move.digit)
    tile = Tile(move.owner, move.digit, move.turns, move.row, move.col)
    others = state.tiles[:at] + state.tiles[at + 1 :]
    _check_place(state.options, others, tile)
    # Without it no tile of that side has met the first-tile rule: so it was the first, and must meet it.
    if binding(state.options, state.tiles[:at], tile.owner) and not binding(
        state.options, state.tiles[: at + 1], tile.owner
    ):
        _check_first(state.options, state.tiles[:at], tile)
    return _corrected(state, (*state.tiles[:at], tile, *state.tiles[at + 1 :]), state.skipped)


def _take_off(state: BedState, move: TakeOff) -> BedState:
    at = _check_laid(state, move.owner, move.digit)
    skipped = tuple(
        msgspec.structs.replace(each, after=each.after - 1) if at < each.after else each
        for each in state.skipped
    )
    return _corrected(state, state.tiles[:at] + state.tiles[at + 1 :], skipped)


def _finish(state: BedState, move: Finish) -> BedState:
    if state.tiles and not state.finished:
        raise IllegalMove(SLUG, "already-begun")
    return ended(state.options, move.tiles)


def _corrected(state: BedState, tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...]) -> BedState:
    if state.finished:
        return ended(state.options, tiles)
    standing = tuple(each for each in skipped if each.after < len(tiles))
    return settle(state.options, tiles, standing)


def settle(options: BedOptions, tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...]) -> BedState:
    """The state with these tiles on the bed: who cannot lay when the turn comes is skipped."""
    while (turn := _next(tiles, skipped)) and not can_lay(options, tiles, turn):
        skipped = tuple(each for each in skipped if each.owner != turn)
        skipped += (Skipped(turn, _laid(tiles, turn), len(tiles)),)
    return BedState(options, tiles, skipped, turn)


def ended(options: BedOptions, tiles: tuple[Tile, ...]) -> BedState:
    """The end of a match with these tiles on the bed, in whatever order they were laid.

    Raises `InvalidMove` or `IllegalMove` when tiles cannot lie so.
    """
    for at, tile in enumerate(tiles):
        _check_digit(options, tile.owner, tile.digit)
        if any((tile.owner, tile.digit) == (lying.owner, lying.digit) for lying in tiles[:at]):
            raise IllegalMove(SLUG, "tile-already-laid", owner=tile.owner, digit=tile.digit)
        _check_place(options, tiles[:at], tile)
    out = tuple(Skipped(owner, _laid(tiles, owner), len(tiles)) for owner in OWNERS)
    return BedState(options, tiles, out, None, finished=True)


def _next(tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...]) -> Owner | None:
    may_lay = [owner for owner in OWNERS if not _out(tiles, skipped, owner)]
    return min(may_lay, key=lambda owner: _laid(tiles, owner), default=None)


def is_out(state: BedState, owner: Owner) -> bool:
    """Whether a side has been skipped and stays out."""
    return _out(state.tiles, state.skipped, owner)


def _out(tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...], owner: Owner) -> bool:
    return any(each.owner == owner and _laid(tiles, owner) >= each.laid for each in skipped)


def _laid(tiles: tuple[Tile, ...], owner: Owner) -> int:
    return sum(tile.owner == owner for tile in tiles)


def _find(state: BedState, owner: Owner, digit: int) -> int | None:
    for at, tile in enumerate(state.tiles):
        if tile.owner == owner and tile.digit == digit:
            return at
    return None


def _check_digit(options: BedOptions, owner: Owner, digit: int) -> None:
    if digit not in bed_of(options).shapes:
        raise InvalidMove(SLUG, "no-such-tile", owner=owner, digit=digit)


def _check_laid(state: BedState, owner: Owner, digit: int) -> int:
    _check_digit(state.options, owner, digit)
    at = _find(state, owner, digit)
    if at is None:
        raise IllegalMove(SLUG, "tile-not-laid", owner=owner, digit=digit)
    return at


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
            raise IllegalMove(
                SLUG,
                "on-a-tile",
                owner=tile.owner,
                digit=tile.digit,
                under_owner=lying.owner,
                under_digit=lying.digit,
            )


def _check_first(options: BedOptions, tiles: tuple[Tile, ...], tile: Tile) -> None:
    """Check a tile against the first-tile rule where that still binds its side."""
    rule = binding(options, tiles, tile.owner)
    if rule is None:
        return
    if tile.digit not in rule.digits:
        digits = ", ".join(map(str, rule.digits))
        raise IllegalMove(SLUG, "first-digit", owner=tile.owner, digit=tile.digit, digits=digits)
    if not rule.in_zone(bed_of(options).covered(tile)):
        raise IllegalMove(SLUG, "first-zone", owner=tile.owner, digit=tile.digit, zone=options.first_zone)
