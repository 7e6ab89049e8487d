"""The people at the virtual table: they follow the companion's match, and continue it.

They make visible moves on the table, and wait until each has been read. They tap everything else on their
phones, and answer the companion's questions. If it misreads a move, they undo that and tap their move; if it
stays silent for long, they tap it too. So every match reaches its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.registry import AnyGame
from companion.games.watching import Autoplay, SeesTiles, Tile
from companion.simulator.acting import WATCH, Moment, Pace, acted, opening, still, thrown
from companion.simulator.draw import Marker, Table
from companion.simulator.table_scene import (
    TableScene,
    Tiles,
    board_of,
    changed,
    dice_of,
    ground_of,
    pieces_of,
    scene_of_match,
    tiles_of,
)

LOOKED_AT = 120
NUMBER_WORTH = 0.55
"""The worth of each step of a tile's number, or of each square if its kind is not a number."""
CONTACT_WORTH = 0.3
"""The worth of each edge shared with the border, a blocked square or a tile."""
HOLE_COST = 1.2
WHIM = 2.5
"""The maximum worth of chance. With these values, This Bed Is Mine lasts 14 to 16 tiles."""

Squares = NDArray[np.bool_]
PATIENCE = 60
"""The additional pictures for which people wait for a reading; a usual one takes up to 20."""


@dataclass(frozen=True)
class Known:
    """The match as the people's phones show it.

    `state` is what all of them together know, `match` the match's number, `n` the number of its open entries,
    `moves` the number of moves that were not undone, including private ones. `question` is the open
    question's number, 0 without one; `answers` are the moves of each answer. `stopped`: somebody ended the
    match early.
    """

    game: AnyGame
    state: Any
    match: int
    n: int
    moves: int
    question: int = 0
    answers: tuple[tuple[Any, ...], ...] = ()
    stopped: bool = False

    @property
    def is_over(self) -> bool:
        """True for a match that is played out, or was ended early."""
        return self.stopped or self.game.outcome(self.state) is not None


class Phone(Protocol):
    """The people's phones. A tap on a match that has changed meanwhile does nothing."""

    def shown(self) -> Known:
        """The current match."""

    def tap(self, known: Known, move: Any) -> None:
        """Tap a move; a private one from its own seat."""

    def answer(self, known: Known, number: int) -> None:
        """Choose one of the answers to the question."""

    def undo(self, known: Known) -> None:
        """Take back the last move."""

    def did(self, move: Any) -> None:
        """Note a move made on the table for the camera to see."""

    def set_up(self) -> None:
        """Note that the empty board was shown after a finished match."""


class Memory:
    """The match in the people's heads, without a companion."""

    def __init__(self, game: AnyGame, options: Any, seats: int) -> None:
        self._known = Known(game, game.start(options, seats), 1, 0, 0)

    def shown(self) -> Known:
        """The match so far."""
        return self._known

    def tap(self, known: Known, move: Any) -> None:
        """Play it. Raises `MoveError`."""
        state = known.game.play(known.state, move)
        self._known = replace(known, state=state, n=known.n + 1, moves=known.moves + 1)

    def did(self, move: Any) -> None:
        self.tap(self._known, move)

    def answer(self, known: Known, number: int) -> None:
        """Do nothing, because nothing is ever asked."""

    def undo(self, known: Known) -> None:
        """Do nothing, because nothing is ever misread."""

    def set_up(self) -> None:
        """Begin the next match."""
        game, state = self._known.game, self._known.state
        fresh = game.start(state.options, len(game.seat_names(state)))
        self._known = Known(game, fresh, self._known.match + 1, 0, 0)


class People:
    """People who play one match after another, the same matches for the same seed."""

    def __init__(self, scene_json: dict[str, Any], phone: Phone, seed: int = 1) -> None:
        self.scene_json, self.phone = scene_json, phone
        self.board = board_of(scene_json)
        self._seed = seed
        self._lying = Table()
        self._match = 0
        self.gone = False
        """True once they have left: the table then follows others' play."""
        self.shows_again = False
        """True if they show the board and the tiles once more before they go on."""

    def moments(self, pace: Pace) -> Iterator[Moment]:
        """The pictures, without end."""
        yield from self._show_board(pace, teach=True)
        self._match = self.phone.shown().match
        self._lying = self._laid_out(self.phone.shown())
        yield from still(self._lying, pace.still)
        yield from self._play_on(pace)

    def _play_on(self, pace: Pace) -> Iterator[Moment]:
        while True:
            known = self.phone.shown()
            if self.shows_again:
                self.shows_again = False
                yield from self._show_board(pace, teach=True)
                self._lying = self._laid_out(known)
            elif self.gone:
                yield from self._follow(known, pace)
            elif known.is_over:
                yield from self._end(known, pace)
            else:
                yield from self._go_on(known, pace)

    def clear(self, pace: Pace) -> Iterator[Moment]:
        """The pictures once they have left: their things are off the table, then it follows others' play."""
        yield from self._set_up(self.phone.shown(), pace)
        yield from self._play_on(pace)

    def _end(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Leave the end on the table for a while, then set up the board again."""
        markers = markers_of(known.game, known.state)
        self._lying = msgspec.structs.replace(self._laid_out(known), markers=markers)
        for moment in still(self._lying, pace.end):
            yield moment
            if self.gone or self.phone.shown().match != known.match:
                return
        if self.phone.shown() == known:
            yield from self._set_up(known, pace)

    def _set_up(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Clear the table; after a match that is over, until the next one begins."""
        yield from self._show_board(pace, teach=False)
        if known.is_over:
            self.phone.set_up()
            # The companion begins the next match once it has read the picture of the empty board.
            for moment in still(self._lying, PATIENCE):
                if self.phone.shown().match != known.match:
                    break
                yield moment
        self._match = self.phone.shown().match
        self._lying = self._laid_out(self.phone.shown())

    def _show_board(self, pace: Pace, *, teach: bool) -> Iterator[Moment]:
        known = self.phone.shown()
        game, state = known.game, known.state
        if game.outcome(state) is not None:
            state = game.start(state.options, len(game.seat_names(state)))
        self._lying = Table(ground=ground_of(game, state))
        for moment in opening(self.board, pace, teach=teach and isinstance(game, SeesTiles)):
            table = msgspec.structs.replace(moment.table, ground=self._lying.ground)
            yield Moment(table, moment.note)

    def _begin(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Clear the table and lay out the board of another match, perhaps of another game."""
        self._match = known.match
        scene_json = scene_of_match(known.game, known.state.options)
        other = scene_json != self.scene_json
        if other:
            self.scene_json, self.board = scene_json, board_of(scene_json)
        self._lying = Table()
        yield from self._show_board(pace, teach=other)
        self._lying = self._laid_out(known)
        yield from still(self._lying, pace.still)

    # A move

    def _go_on(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Set the table to the match if somebody changed it, then make the next move."""
        if known.match != self._match:
            yield from self._begin(known, pace)
            return
        if self._differs(known):
            yield from self._act(self._laid_out(known), pace)
            yield from still(self._lying, pace.still)
            known = self.phone.shown()
        if self.gone:
            return
        move = self.next_move(known)
        if move is None:
            yield from self._end(known, pace)
            return
        after = known.game.play(known.state, move)
        if not self._shows(known, move, after):
            self.phone.tap(known, move)
            if known.game.private_to(move) is None:
                yield from still(self._lying, pace.still)
            return
        yield from self._act(self._after(known, move, after), pace)
        self.phone.did(move)
        yield from self._wait(known, move, after, pace)

    def _follow(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Set the table to the match that others play by taps."""
        if known.match != self._match:
            yield from self._begin(known, pace)
        elif self._differs(known):
            yield from self._act(self._laid_out(known), pace)
        else:
            yield from still(self._lying, 1)

    def _differs(self, known: Known) -> bool:
        return self._laid_out(known) != self._lying

    def _act(self, table: Table, pace: Pace) -> Iterator[Moment]:
        for scene in acted(self._lying, table, self.board, pace):
            yield Moment(scene, WATCH)
        self._lying = table

    def _wait(self, known: Known, move: Any, after: Any, pace: Pace) -> Iterator[Moment]:
        """Wait until the move has been read: answer questions, and correct misreadings."""
        for number in range(pace.still + PATIENCE):
            yield Moment(self._lying, WATCH)
            if self.gone:
                return
            shown = self.phone.shown()
            if (shown.match, shown.n) != (known.match, known.n):
                if shown.match == known.match and shown.n == known.n + 1 and shown.state != after:
                    self.phone.undo(shown)
                    self.phone.tap(self.phone.shown(), move)
                yield from still(self._lying, max(0, pace.still - number - 1))
                return
            if shown.question and number >= pace.still:
                right = [n for n, moves in enumerate(shown.answers) if moves == (move,)]
                if right:
                    self.phone.answer(shown, right[0])
                else:
                    self.phone.tap(shown, move)
        self.phone.tap(self.phone.shown(), move)

    def next_move(self, known: Known) -> Any:
        """Choose a move; None if there is none."""
        game, state = known.game, known.state
        random = np.random.default_rng((self._seed, known.match, known.n, known.moves))
        if isinstance(game, Autoplay):
            move = game.likely_move(state, lambda limit: int(random.integers(limit)))
            if move is not None:
                return move
        legal = list(game.legal_moves(state))
        if legal and isinstance(game, SeesTiles):
            return chosen_move(game, state, legal, self.board, random)
        return legal[int(random.integers(len(legal)))] if legal else None

    # What lies on the table

    def _shows(self, known: Known, move: Any, after: Any) -> bool:
        """True if a camera over the table can see the move."""
        game, before = known.game, known.state
        return (
            tiles_of(game, after, self.board) != tiles_of(game, before, self.board)
            or pieces_of(game, after) != pieces_of(game, before)
            or (hasattr(move, "dice") and dice_of(game, before) is not None)
        )

    def _after(self, known: Known, move: Any, after: Any) -> Table:
        """The table after a visible move; ground under a new piece stays for now."""
        game, then = known.game, self._lying
        lying = tiles_of(game, known.state, self.board), tiles_of(game, after, self.board)
        then = msgspec.structs.replace(then, tiles=changed(then.tiles, *lying), pieces=pieces_of(game, after))
        dice = dice_of(game, known.state)
        if dice is None or not hasattr(move, "dice"):
            return then
        fallen = thrown(move.dice, self.board, colour=dice.colour, faces=dice.faces, lying=then.dice)
        return msgspec.structs.replace(then, dice=fallen)

    def _laid_out(self, known: Known) -> Table:
        game, state = known.game, known.state
        tiles = tiles_of(game, state, self.board)
        if {tile.place for tile in tiles} == {tile.place for tile in self._lying.tiles}:
            tiles = self._lying.tiles
        return Table(
            tiles=tiles,
            dice=self._lying.dice,
            ground=ground_of(game, state),
            pieces=pieces_of(game, state),
        )


def markers_of(game: AnyGame, state: Any) -> tuple[Marker, ...]:
    """The owners' markers in the game's view; empty if the view has no regions."""
    view = msgspec.to_builtins(game.view(state, None))
    regions = view.get("regions", ())
    return tuple(
        Marker(region["owner"], *region["marker"])
        for region in regions
        if region.get("marker") and region.get("owner")
    )


def chosen_move(
    game: AnyGame, state: Any, legal: Sequence[Any], board: TableScene, random: np.random.Generator
) -> Any:
    """Weigh some of the legal moves as a player of tiles does, and choose one."""
    picked = random.choice(len(legal), min(LOOKED_AT, len(legal)), replace=False)
    before = tiles_of(game, state, board)
    taken = _taken(before, board)
    worths = []
    for number in picked:
        after = tiles_of(game, game.play(state, legal[number]), board)
        new = changed((), before, after)
        worths.append(sum(_worth(tile, taken) for tile in new) + WHIM * random.random())
    return legal[picked[int(np.argmax(worths))]]


def _taken(lying: Tiles, board: TableScene) -> Squares:
    """Taken squares, including the border around the board; shape (rows + 2, cols + 2)."""
    taken = np.ones((board.rows + 2, board.cols + 2), dtype=bool)
    taken[1:-1, 1:-1] = board.blocked_mask
    for row, col in (cell for tile in lying for cell in tile.cells):
        taken[row + 1, col + 1] = True
    return taken


def _worth(tile: Tile, taken: Squares) -> float:
    """Worth of a placement to a player who likes high numbers, or large tiles, and snug places."""
    after = taken.copy()
    for row, col in tile.cells:
        after[row + 1, col + 1] = True
    contact = 0
    for row, col in tile.cells:
        contact += int(taken[row, col + 1]) + int(taken[row + 2, col + 1])
        contact += int(taken[row + 1, col]) + int(taken[row + 1, col + 2])
    number = tile.kind if isinstance(tile.kind, int) else len(tile.cells)
    return NUMBER_WORTH * number + CONTACT_WORTH * contact - HOLE_COST * (_holes(after) - _holes(taken))


def _holes(taken: Squares) -> int:
    """The number of free squares without a free neighbour."""
    shut = ~taken[1:-1, 1:-1] & taken[:-2, 1:-1] & taken[2:, 1:-1] & taken[1:-1, :-2] & taken[1:-1, 2:]
    return int(shut.sum())
