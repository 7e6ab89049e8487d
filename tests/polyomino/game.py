"""Patches: red and green lay six polyominoes each on a board of 7 × 8 around a pond, in turn.

Each tile touches one of the other colour, and none of its own. Who cannot lay passes; most squares win.


A game of its own, in a package of its own, that the camera reads: what it owns, how its tiles are shaped and
whose may come next stand here, and nowhere in the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.errors import IllegalMove, MoveError
from companion.games.game import Game, Move, Options, Outcome, State
from companion.games.watching import Guess, Observation, SeesTiles, Sighting, Square, Tile, Verdict

SLUG = "patches"
OWNERS = ("red", "green")
ROWS, COLS = 7, 8
POND: tuple[Square, ...] = ((3, 3), (3, 4))
"""The squares in the middle that stay free."""
SHAPES: dict[str, tuple[str, ...]] = {
    "I3": ("###",),
    "L3": ("#.", "##"),
    "L4": ("#.", "#.", "##"),
    "O4": ("##", "##"),
    "S4": (".##", "##."),
    "T4": ("###", ".#."),
}
"""Each kind of tile, unturned: every owner has one of each."""

MOMENTARY = frozenset({"hand", "blurred"})
"""What is in the camera's way for a moment only."""
MOST_MISSED = 3
"""The most tiles that may appear between two pictures for their order to be worked out."""

Owner = Literal["red", "green"]
Kind = Literal["I3", "L3", "L4", "O4", "S4", "T4"]
KINDS: tuple[Kind, ...] = ("I3", "L3", "L4", "O4", "S4", "T4")
Squares = frozenset[Square]


class PatchOptions(Options, frozen=True):
    """How a match is set up."""

    beginner: Annotated[Owner, Meta(description="Who lays the first tile")] = "red"


class Lay(Move, frozen=True, tag="put"):
    """Lay a tile: its kind, its clockwise quarter turns, the top left of its box."""

    whose: Owner
    shape: Kind
    turned: Annotated[int, Meta(ge=0, le=3)]
    top: Annotated[int, Meta(ge=0, lt=ROWS)]
    left: Annotated[int, Meta(ge=0, lt=COLS)]


class PatchState(State, frozen=True):
    """The tiles in the order in which they were laid."""

    options: PatchOptions
    laid: tuple[Lay, ...] = ()


class PatchView(msgspec.Struct, frozen=True):
    """What a page shows: the owner of each square, `.` for none, and the squares of each owner."""

    rows: tuple[str, ...]
    points: dict[str, int]


@cache
def turned(shape: str, turns: int) -> tuple[Square, ...]:
    """The squares of a shape in its box after some clockwise quarter turns."""
    drawing = SHAPES[shape]
    squares = [(r, c) for r, line in enumerate(drawing) for c, sign in enumerate(line) if sign == "#"]
    rows = len(drawing)
    for _ in range(turns):
        squares = [(c, rows - 1 - r) for r, c in squares]
        rows = max(r for r, _ in squares) + 1
    return tuple(squares)


@cache
def squares_of(move: Lay) -> Squares:
    """The squares that a tile covers."""
    return frozenset((move.top + r, move.left + c) for r, c in turned(move.shape, move.turned))


@cache
def placements(owner: Owner) -> tuple[Lay, ...]:
    """Every way to lay a tile of an owner on the empty board, each set of squares once."""
    known: dict[tuple[str, Squares], Lay] = {}
    for shape in KINDS:
        for turns, top, left in product(range(4), range(ROWS), range(COLS)):
            lay = Lay(owner, shape, turns, top, left)
            if on_board(squares_of(lay)):
                known.setdefault((shape, squares_of(lay)), lay)
    return tuple(known.values())


def on_board(squares: Squares) -> bool:
    """Whether a tile may cover these squares at all: within the edges, off the pond."""
    return all(row < ROWS and col < COLS for row, col in squares) and not squares & set(POND)


def beside(squares: Squares) -> Squares:
    """The squares that share an edge with some."""
    around = {(r + dr, c + dc) for r, c in squares for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return frozenset(around) - squares


def squares_by_owner(laid: Iterable[tuple[str, Squares]]) -> dict[str, Squares]:
    """All squares of each owner."""
    laid = tuple(laid)
    return {
        owner: frozenset(square for whose, squares in laid if whose == owner for square in squares)
        for owner in OWNERS
    }


def broken_rule(covered: Mapping[str, Squares], lay: Lay) -> str:
    """The rule that a tile breaks which is laid now, by name; empty where it breaks none."""
    squares = squares_of(lay)
    own, others = covered[lay.whose], covered[other(lay.whose)]
    if not on_board(squares):
        return "off-the-board"
    if squares & (own | others):
        return "tiles-overlap"
    if not (own or others):
        return ""
    if beside(squares) & own:
        return "beside-its-own"
    return "" if beside(squares) & others else "apart"


def other(owner: str) -> Owner:
    """The opponent."""
    return "green" if owner == "red" else "red"


def open_to(covered: Mapping[str, Squares], owner: Owner, kinds_laid: Iterable[str]) -> Iterator[Lay]:
    """Every legal placement of an owner's remaining tiles."""
    out = set(kinds_laid)
    return (lay for lay in placements(owner) if lay.shape not in out and not broken_rule(covered, lay))


def next_to_lay(laid: Sequence[tuple[str, str, Squares]], expected: Owner) -> Owner | None:
    """Who lays next: the expected owner, the other one if only that one can, None at the end."""
    covered = squares_by_owner((owner, squares) for owner, _, squares in laid)
    for owner in (expected, other(expected)):
        if any(open_to(covered, owner, (kind for whose, kind, _ in laid if whose == owner))):
            return owner
    return None


class PatchTurns:
    """Red and green in turn; who cannot lay passes."""

    owners = OWNERS

    def __init__(self, beginner: Owner) -> None:
        self._beginner = beginner

    def next_owner(self, tiles: Sequence[Tile], last: str | None) -> str | None:
        """Who lays after `last`; where that is unknown, whoever has fewer tiles on the board."""
        counts = {owner: sum(tile.owner == owner for tile in tiles) for owner in OWNERS}
        ahead = None if counts["red"] == counts["green"] else max(OWNERS, key=lambda owner: counts[owner])
        lately = last or ahead
        expected = self._beginner if lately is None else other(lately)
        return next_to_lay([(t.owner, str(t.kind), frozenset(t.cells)) for t in tiles], expected)


class Patches(Game[PatchState, Lay, PatchOptions], SeesTiles):
    """Two players, no hidden knowledge."""

    slug = SLUG
    names: ClassVar = {"en": "Patches", "zh-Hant": "拼布", "ko": "조각보"}
    seat_counts = (2,)

    # The rules

    def set_up(self, options: PatchOptions, seats: int) -> PatchState:
        """The empty board."""
        return PatchState(options)

    def seat_names(self, state: PatchState) -> tuple[str, ...]:
        """Red and green."""
        return OWNERS

    def turn(self, state: PatchState) -> str | None:
        """Who lays now."""
        expected = other(state.laid[-1].whose) if state.laid else state.options.beginner
        return next_to_lay([(lay.whose, lay.shape, squares_of(lay)) for lay in state.laid], expected)

    def legal_moves(self, state: PatchState) -> list[Lay]:
        """Every placement that is open to whoever lays now."""
        owner = self.turn(state)
        if owner is None:
            return []
        kinds = [lay.shape for lay in state.laid if lay.whose == owner]
        return list(open_to(_covered(state), "red" if owner == "red" else "green", kinds))

    def play(self, state: PatchState, move: Lay) -> PatchState:
        """The state with the tile laid."""
        owner = self.turn(state)
        if owner is None:
            raise IllegalMove(self.slug, "match-over")
        if owner != move.whose:
            raise IllegalMove(self.slug, "out-of-turn", owner=owner)
        if any((lay.whose, lay.shape) == (move.whose, move.shape) for lay in state.laid):
            raise IllegalMove(self.slug, "laid-already", kind=move.shape)
        rule = broken_rule(_covered(state), move)
        if rule:
            raise IllegalMove(self.slug, rule, kind=move.shape)
        return PatchState(state.options, (*state.laid, move))

    def outcome(self, state: PatchState) -> Outcome | None:
        """Most squares win, once nobody can lay."""
        if self.turn(state) is not None:
            return None
        points = _points(state)
        most = max(points.values())
        return Outcome("full", tuple(owner for owner in OWNERS if points[owner] == most), points)

    def view(self, state: PatchState, seat: str | None) -> PatchView:
        """Everybody sees all of it."""
        owner_at = {square: owner for owner, squares in _covered(state).items() for square in squares}
        rows = tuple("".join(owner_at.get((row, col), ".")[0] for col in range(COLS)) for row in range(ROWS))
        return PatchView(rows, _points(state))

    # The camera

    def scene(self, state: PatchState) -> dict[str, Any]:
        """The board, its pond and the tiles' shapes."""
        return {"rows": ROWS, "cols": COLS, "pillows": [POND], "tile_shapes": SHAPES}

    def options_for_scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        """Nothing of the board can be chosen."""
        return {}

    def turn_order(self, state: PatchState) -> PatchTurns:
        """Whose tile the camera may expect."""
        return PatchTurns(state.options.beginner)

    def lying(self, state: PatchState) -> tuple[Tile, ...]:
        """The tiles that were laid."""
        return tuple(Tile(lay.whose, lay.shape, lay.turned, lay.top, lay.left) for lay in state.laid)

    def ended(self, options: PatchOptions, tiles: Iterable[Tile]) -> PatchState:
        """A match that ended so, if the tiles can have been laid one by one."""
        state = PatchState(options)
        for lay in self._laid_since(state, tuple(tiles)):
            state = self.play(state, lay)
        return state

    def sighting(self, state: PatchState, observation: Observation) -> Sighting:
        """What is new on the board is laid; what is unsure is asked."""
        if observation.tiles is None:
            return Sighting(Verdict.WAIT if observation.unsure else Verdict.NOTHING, why=observation.why)
        if observation.unsure:
            return self._unsure(state, observation)
        try:
            new = len(observation.tiles) - len(state.laid)
            if new > MOST_MISSED:
                raise IllegalMove(self.slug, "too-many-at-once", count=new)
            moves = self._laid_since(state, observation.tiles)
        except MoveError as error:
            return Sighting.broken(error)
        if not moves:
            return Sighting(Verdict.NOTHING)
        confidence = min(tile.confidence for tile in observation.tiles)
        return Sighting(Verdict.PLAY, guesses=(Guess(moves, confidence),))

    def _unsure(self, state: PatchState, observation: Observation) -> Sighting:
        """Ask which of the boards it is, of those that the rules allow."""
        if observation.why in MOMENTARY:
            return Sighting(Verdict.WAIT, why=observation.why)
        left_over = max(0.0, 1 - sum(board.confidence for board in observation.alternatives))
        boards = [(observation.tiles or (), left_over)]
        boards += [(board.tiles, board.confidence) for board in observation.alternatives]
        guesses: dict[tuple[Lay, ...], float] = {}
        for tiles, confidence in boards:
            try:
                moves = self._laid_since(state, tiles)
            except MoveError:
                continue
            guesses[moves] = max(confidence, guesses.get(moves, 0.0))
        if not any(guesses):
            return Sighting(Verdict.WAIT, why=observation.why)
        ranked = sorted(guesses.items(), key=lambda guess: -guess[1])
        return Sighting(Verdict.ASK, why=observation.why, guesses=tuple(Guess(*guess) for guess in ranked))

    def _laid_since(self, state: PatchState, tiles: Sequence[Tile]) -> tuple[Lay, ...]:
        """The moves that lead from this state to these tiles. Raises `MoveError` where none do."""
        in_sight = {(tile.owner, str(tile.kind)): _as_laid(tile) for tile in tiles}
        for lay in state.laid:
            now = in_sight.pop((lay.whose, lay.shape), None)
            if now is None or squares_of(now) != squares_of(lay):
                raise IllegalMove(self.slug, "tile-moved", owner=lay.whose, kind=lay.shape)
        return self._in_order(state, list(in_sight.values()))

    def _in_order(self, state: PatchState, waiting: list[Lay]) -> tuple[Lay, ...]:
        """An order in which the rules let these tiles be laid. Raises `MoveError` where there is none."""
        if not waiting:
            return ()
        refused: list[MoveError] = []
        for lay in waiting:
            try:
                after = self.play(state, lay)
                return (lay, *self._in_order(after, [each for each in waiting if each is not lay]))
            except MoveError as error:
                refused.append(error)
        raise refused[0]


def _covered(state: PatchState) -> dict[str, Squares]:
    return squares_by_owner((lay.whose, squares_of(lay)) for lay in state.laid)


def _points(state: PatchState) -> dict[str, int]:
    return {owner: len(squares) for owner, squares in _covered(state).items()}


def _as_laid(tile: Tile) -> Lay:
    """The move that lays a tile: of all ways to turn it that cover the same squares, the first."""
    lay = msgspec.convert(
        {
            "move": "put",
            "whose": tile.owner,
            "shape": tile.kind,
            "turned": tile.turns % 4,
            "top": tile.row,
            "left": tile.col,
        },
        Lay,
    )
    squares = squares_of(lay)
    same = (each for each in placements(lay.whose) if (each.shape, squares_of(each)) == (lay.shape, squares))
    return next(same, lay)


GAME = Patches()
