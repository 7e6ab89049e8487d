"""The scene of a bed for the camera, and the meaning of the camera's report.

Only sure and legal moves are played. A tile that moved or vanished may have been pushed by a sleeve or
hidden, so a person is asked, except about a nudge of the tile laid last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, Literal

import msgspec

from companion.errors import InvalidMove, MoveError, UserError
from companion.errors.causes import cause_of
from companion.games import watching
from companion.games.this_bed_is_mine.board import TOYS, Board, Square, board_text, tiles_text
from companion.games.this_bed_is_mine.fits import Bed, bed_of, binding, can_lay, places
from companion.games.this_bed_is_mine.state import (
    OWNERS,
    SLUG,
    BedMove,
    BedOptions,
    BedState,
    Lay,
    Owner,
    Shift,
    TakeOff,
    Tile,
    other,
)
from companion.games.watching import IN_THE_WAY, Guess, Judge, Kind, Observation, Sighting, Verdict

FLIPPED = "flipped"
"""The `why` of a tile that lies face down: no reading can name it."""

AGAINST_A_RULE = {FLIPPED: "face-up", "tile-off-bed": "half-off-the-bed", "overlap": "tiles-overlap"}
"""The broken rule by `why`, if no reading is legal."""

ORDERS_TRIED = 500
"""The most orders tried for tiles that appeared at once: more than the 126 choices of the last four of
nine."""

Moves = tuple[BedMove, ...]


def sighting(play: Judge, state: BedState, seen: Observation) -> Sighting:
    """The meaning of a picture for the match."""
    if seen.unsure:
        return _unsure(play, state, seen)
    if seen.tiles is None:
        return Sighting(Verdict.NOTHING)
    return _sure(play, state, seen.tiles)


class Difference:
    """The difference between a reading and the match.

    Raises `InvalidMove` for a tile that is not of this game.
    """

    def __init__(self, play: Judge, state: BedState, seen: Iterable[watching.Tile]) -> None:
        self.play = play
        self.state = state
        bed, lying = bed_of(state.options), {(tile.owner, tile.digit): tile for tile in state.tiles}
        there = set()
        self.new: list[Tile] = []
        self.moved: list[Tile] = []
        self.confidence = 1.0
        """That of the least sure tile of the reading."""
        for read in seen:
            tile = as_tile(read)
            name = tile.owner, tile.digit
            if name not in lying or name in there:
                self.new.append(tile)
            elif not (bed.holds(tile) and bed.covered(lying[name]) == bed.covered(tile)):
                self.moved.append(tile)
            there.add(name)
            self.confidence = min(self.confidence, read.confidence)
        self.gone = [tile for name, tile in lying.items() if name not in there]

    @property
    def plain(self) -> bool:
        """True if only tiles were laid, or the tile laid last was nudged."""
        if self.gone:
            return False
        if not self.moved:
            return True
        last = self.state.tiles[-1]
        nudged = [(tile.owner, tile.digit) for tile in self.moved]
        return not self.new and nudged == [(last.owner, last.digit)]

    def moves(self) -> Moves:
        """The moves that bring the match to the reading. Raises `MoveError` if rules forbid them."""
        play, state, done = self.play, self.state, []
        for tile in self.gone:
            done.append(TakeOff(tile.owner, tile.digit))
            state = play(state, done[-1])
        state, shifted, lifted = _shifted(play, state, self.moved)
        return (*done, *shifted, *in_order(play, state, [*self.new, *lifted]))


def as_tile(seen: watching.Tile) -> Tile:
    """A seen tile as one of the game's. Raises `InvalidMove` for values that no tile has."""
    plain = msgspec.to_builtins(seen)
    try:
        return msgspec.convert(plain, Tile)
    except msgspec.ValidationError as error:
        raise InvalidMove(SLUG, "not-a-move", fault=cause_of(error, Tile, plain)) from error


def _shifted(play: Judge, state: BedState, moved: list[Tile]) -> tuple[BedState, list[BedMove], list[Tile]]:
    """Shift tiles in an order that lets each reach its place. Of two in each other's way, one is taken off
    and given back to be laid again."""
    waiting, done, lifted = list(moved), list[BedMove](), list[Tile]()
    while waiting:
        problem: MoveError | None = None
        for tile in waiting:
            try:
                shift = Shift(tile.owner, tile.digit, tile.turns, tile.row, tile.col)
                state = play(state, shift)
            except MoveError as error:
                problem = problem or error
                continue
            done.append(shift)
            waiting.remove(tile)
            break
        else:
            assert problem is not None  # every tile that waits was tried and refused
            in_the_way = {(tile.owner, tile.digit) for tile in waiting[1:]}
            under = problem.facts.get("under_owner"), problem.facts.get("under_digit")
            if under not in in_the_way:
                raise problem
            tile = waiting.pop(0)
            done.append(TakeOff(tile.owner, tile.digit))
            state = play(state, done[-1])
            lifted.append(tile)
    return state, done, lifted


def in_order(play: Judge, state: BedState, new: list[Tile]) -> tuple[Lay, ...]:
    """An order in which these tiles may have been laid by the rules.

    Raises the `MoveError` of the plainest order if the rules allow no order.
    """
    problem: MoveError | None = None
    for late in islice(_late(state, new), ORDERS_TRIED):
        try:
            return _alternating(play, state, new, late)
        except MoveError as error:
            problem = problem or error
    assert problem is not None  # the plainest order is always tried
    raise problem


def _alternating(play: Judge, state: BedState, new: list[Tile], late: tuple[Tile, ...]) -> tuple[Lay, ...]:
    waiting = [tile for tile in new if tile not in late] + list(late)
    done = []
    while waiting:
        tile = _next_tile(state, waiting)
        waiting.remove(tile)
        done.append(Lay(tile.owner, tile.digit, tile.turns, tile.row, tile.col))
        state = play(state, done[-1])
    return tuple(done)


def _next_tile(state: BedState, waiting: list[Tile]) -> Tile:
    """The tile to lay next; one that breaks a rule only as the last resort."""
    mine = [tile for tile in waiting if tile.owner == state.turn]
    if mine and (rule := binding(state.options, state.tiles, mine[0].owner)):
        bed = bed_of(state.options)
        first = [
            tile
            for tile in mine
            if tile.digit in rule.digits and bed.holds(tile) and rule.in_zone(bed.covered(tile))
        ]
        mine = first or mine
    return (mine or waiting)[0]


def _late(state: BedState, new: list[Tile]) -> Iterator[tuple[Tile, ...]]:
    """The tiles that may have come last, after the other side was skipped; first an empty tuple."""
    yield ()
    bed = bed_of(state.options)
    if state.turn is None or not all(tile.digit in bed.shapes and bed.holds(tile) for tile in new):
        return
    more, surplus = _surplus(state.turn, new)
    if surplus < 1:
        return
    for late in combinations([tile for tile in new if tile.owner == more], surplus):
        before = tuple(tile for tile in new if tile not in late)
        if not can_lay(state.options, (*state.tiles, *before), other(more)):
            yield late


def _surplus(turn: Owner, new: list[Tile]) -> tuple[Owner, int]:
    """The side with more tiles than alternating turns allow, and the number too many."""
    mine = sum(tile.owner == turn for tile in new)
    others = len(new) - mine
    return (turn, mine - others - 1) if mine > others else (other(turn), others - mine)


def _sure(play: Judge, state: BedState, tiles: tuple[watching.Tile, ...]) -> Sighting:
    try:
        difference = Difference(play, state, tiles)
        moves = difference.moves()
    except MoveError as error:
        return Sighting.broken(error)
    if not moves:
        return Sighting(Verdict.NOTHING)
    if difference.plain:
        return Sighting(Verdict.PLAY, guesses=(Guess(moves, difference.confidence),))
    return _ask(difference, moves)


def _ask(difference: Difference, moves: Moves) -> Sighting:
    """Ask a person: a tile really moved or vanished, only the new tiles count, or nothing happened."""
    confidence = difference.confidence
    guesses = [Guess(moves, confidence)]
    if difference.new:
        try:
            only_new = in_order(difference.play, difference.state, difference.new)
            guesses.append(Guess(only_new, (1 - confidence) / 2))
        except MoveError:
            pass  # a tile that was laid where another was lifted cannot be the only change
    guesses.append(Guess((), round(1 - sum(guess.confidence for guess in guesses), 6)))
    tile = (difference.gone or difference.moved)[0]
    why = "tile-gone" if difference.gone else "tile-moved"
    return Sighting(
        Verdict.ASK, why=why, facts={"owner": tile.owner, "digit": tile.digit}, guesses=tuple(guesses)
    )


def _unsure(play: Judge, state: BedState, seen: Observation) -> Sighting:
    """Offer the legal readings, the likeliest first; wait if no reading is legal."""
    if seen.why == FLIPPED:
        return Sighting(Verdict.BREAKS, why=seen.why, rule=AGAINST_A_RULE[FLIPPED])
    if seen.why in IN_THE_WAY:
        return Sighting(Verdict.WAIT, why=seen.why)
    likeliest: dict[Moves, float] = {}
    for board in seen.alternatives:
        if (moves := _legal(play, state, board.tiles)) is not None:
            likeliest[moves] = max(board.confidence, likeliest.get(moves, 0.0))
    if seen.tiles is not None and (moves := _legal(play, state, seen.tiles)) is not None:
        # The current belief is at most as likely as the other readings leave room for.
        left_over = max(0.0, 1 - sum(likeliest.values()))
        least_sure = min([left_over, *(tile.confidence for tile in seen.tiles)])
        likeliest[moves] = max(least_sure, likeliest.get(moves, 0.0))
    if not any(likeliest):
        rule = AGAINST_A_RULE.get(seen.why, "")
        return Sighting(Verdict.BREAKS if rule else Verdict.WAIT, why=seen.why, rule=rule)
    ranked = sorted(likeliest.items(), key=lambda guess: -guess[1])
    guesses = tuple(Guess(moves, confidence) for moves, confidence in ranked)
    return Sighting(Verdict.ASK, why=seen.why, guesses=guesses)


def _legal(play: Judge, state: BedState, tiles: Iterable[watching.Tile]) -> Moves | None:
    """The moves of a reading; None if the rules forbid them."""
    try:
        return Difference(play, state, tiles).moves()
    except MoveError:
        return None


class BedTurns:
    """The sides alternate until one of them cannot lay; then the other goes on alone.

    `placements`: each kind's ways to lie on the bare bed, as masks with the bit row * stride + col of each
    square.
    """

    owners: tuple[str, ...] = OWNERS

    def __init__(
        self, placements: Mapping[Kind, Sequence[int]], stride: int, first_player: Owner = OWNERS[0]
    ) -> None:
        self._placements = placements
        self._stride = stride
        self._first_player = first_player

    @classmethod
    def on(cls, bed: Bed) -> BedTurns:
        """The turns on a bed, for its tile set."""
        placements: dict[Kind, list[int]] = {
            digit: [
                shape.mask << row * bed.stride + col
                for shape in shapes
                for row, col in bed.listed(places(shape, bed.open))
            ]
            for digit, shapes in bed.distinct.items()
        }
        return cls(placements, bed.stride)

    def next_owner(self, tiles: Sequence[watching.Tile], last: str | None) -> str | None:
        """The side after `last`; if that is unknown, the one with fewer tiles."""
        if last is None:
            counts = {owner: sum(tile.owner == owner for tile in tiles) for owner in OWNERS}
            level = counts["cat"] == counts["dog"]
            expected = self._first_player if level else min(OWNERS, key=lambda owner: counts[owner])
        else:
            expected = other("cat" if last == "cat" else "dog")
        return expected if self.can_lay(tiles, expected) else other(expected)

    def can_lay(self, tiles: Sequence[watching.Tile], owner: str) -> bool:
        """True if a tile in the side's hand still has room."""
        taken = 0
        for tile in tiles:
            for row, col in tile.cells:
                taken |= 1 << row * self._stride + col
        laid = {tile.kind for tile in tiles if tile.owner == owner}
        return any(
            not mask & taken for kind, masks in self._placements.items() if kind not in laid for mask in masks
        )


class BedScene(msgspec.Struct, frozen=True):
    """The part of a scene that the rules need."""

    rows: int
    cols: int
    side: Literal["A", "B"] | None = None
    """Default: B with pillows or toys, else A."""
    pillows: tuple[tuple[Square, ...], ...] = ()
    toys: dict[str, tuple[Square, ...]] = {}
    start: tuple[Square, ...] = ()
    tile_shapes: dict[int, tuple[str, ...]] = {}


def options_of(scene: Mapping[str, Any]) -> dict[str, Any]:
    """The options `board` and (if the scene has shapes) `tiles`, as the texts of their files.

    Raises `UserError` for a scene without a bed.
    """
    try:
        # Through JSON: digits are keys there, and keys are text.
        given = msgspec.json.decode(msgspec.json.encode(scene), type=BedScene)
    except msgspec.ValidationError as error:
        fault = cause_of(error, BedScene, msgspec.json.encode(scene))
        raise UserError(f"The scene describes no bed: {fault}.") from error
    strange = given.toys.keys() - set(TOYS)
    if strange:
        raise UserError(f"The scene has toys of a kind {min(strange)!r}; the kinds are {', '.join(TOYS)}.")
    toys = {kind: given.toys.get(kind, ()) for kind in TOYS}
    side = given.side or ("B" if given.pillows or any(given.toys.values()) else "A")
    board = Board("scene", side, given.rows, given.cols, given.start, given.pillows, toys)
    options: dict[str, Any] = {"board": board_text(board)}
    if given.tile_shapes:
        options["tiles"] = tiles_text("scene", dict(sorted(given.tile_shapes.items())))
    return options


def scene_of(options: BedOptions) -> dict[str, Any]:
    """The scene of a match's bed and tiles, without the markers."""
    bed = bed_of(options)
    board = bed.board
    return {
        "rows": board.rows,
        "cols": board.cols,
        "side": board.side,
        "pillows": board.pillows,
        "toys": board.toys,
        "start": board.zone,
        "tile_shapes": bed.tiles.shapes,
    }
