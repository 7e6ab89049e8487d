"""The people at the virtual table: they follow the match as the companion knows it, and go on with it.

What a camera can see of a move they do on the table, and wait until it has been read; all else they tap on
their phones, as people at a real table do. When the companion asks they answer, when it has read something
else than they did they take that back and tell it, and when it says nothing for long they tell it too. So a
match goes on to its end, whatever is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec
import numpy as np

from companion.games.registry import AnyGame
from companion.games.watching import Autoplay, HasGround, Kind, Piece, SeesDice, SeesPieces, SeesTiles, Tile
from companion.simulator.acting import WATCH, Moment, Pace, acted, opening, still, thrown, tile_of
from companion.simulator.draw import Table
from companion.simulator.kitchen import Thing
from companion.simulator.players import chosen_tile, markers_of
from companion.simulator.scenes import scene_of_match
from companion.simulator.table_scene import TableScene

PATIENCE = 60
"""For so many pictures more than a move lies still anyway the people wait for it to be read. A reader that
needs half a second of rest and two looks has done so within 20 at the usual speed."""


@dataclass(frozen=True)
class Known:
    """What the people's phones show: the game, the state as all of them together know it, which match it is,
    how many open entries it has and how many moves stand, private ones included; the question that is asked,
    if any, and the moves of each answer."""

    game: AnyGame
    state: Any
    match: int
    n: int
    moves: int
    question: int = 0
    answers: tuple[tuple[Any, ...], ...] = ()


class Phone(Protocol):
    """The people's phones. What comes too late, because the match has gone on meanwhile, does nothing."""

    def look(self) -> Known:
        """How the match stands now."""

    def tap(self, known: Known, move: Any) -> None:
        """Tell a move; a private one from its own seat."""

    def answer(self, known: Known, number: int) -> None:
        """Choose one of the answers to the question."""

    def undo(self, known: Known) -> None:
        """Take back the last move."""

    def did(self, move: Any) -> None:
        """A move was done on the table, for the camera to see."""

    def set_up(self) -> None:
        """The empty board was shown after a match that is over."""


class Memory:
    """Where no companion watches: the people keep the match in their heads."""

    def __init__(self, game: AnyGame, options: Any, seats: int) -> None:
        self._known = Known(game, game.start(options, seats), 1, 0, 0)

    def look(self) -> Known:
        """What has been played."""
        return self._known

    def tap(self, known: Known, move: Any) -> None:
        """Play it. Raises `MoveError`."""
        state = known.game.play(known.state, move)
        self._known = replace(known, state=state, n=known.n + 1, moves=known.moves + 1)

    def did(self, move: Any) -> None:
        """Play it. Raises `MoveError`."""
        self.tap(self._known, move)

    def answer(self, known: Known, number: int) -> None:
        """Nothing is ever asked."""

    def undo(self, known: Known) -> None:
        """Nothing is ever misread."""

    def set_up(self) -> None:
        """The next match."""
        game, state = self._known.game, self._known.state
        fresh = game.start(state.options, len(game.seat_names(state)))
        self._known = Known(game, fresh, self._known.match + 1, 0, 0)


class People:
    """They play one match after the other, the same ones for the same seed."""

    def __init__(self, told_scene: dict[str, Any], phone: Phone, seed: int = 1) -> None:
        self.told_scene, self.phone = told_scene, phone
        self.scene = msgspec.convert(told_scene, TableScene, strict=False)
        self._seed = seed
        self._lying = Table()
        self._match = 0

    def moments(self, pace: Pace) -> Iterator[Moment]:
        """What is to be seen, without end."""
        yield from self._show_board(pace, teach=True)
        self._match = self.phone.look().match
        self._lying = self._laid_out(self.phone.look())
        yield from still(self._lying, pace.still)
        while True:
            known = self.phone.look()
            if known.game.outcome(known.state) is None:
                yield from self._go_on(known, pace)
            else:
                yield from self._end(known, pace)

    def _end(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """How it ended lies there for a while; then the board is set up anew."""
        markers = markers_of(known.game, known.state)
        self._lying = msgspec.structs.replace(self._laid_out(known), markers=markers)
        for moment in still(self._lying, pace.end):
            yield moment
            if self.phone.look().match != known.match:
                return
        if self.phone.look() == known:
            yield from self._show_board(pace, teach=False)
            self.phone.set_up()
            # The companion begins the next match when it has read the picture of the empty board.
            for moment in still(self._lying, PATIENCE):
                if self.phone.look().match != known.match:
                    break
                yield moment
            self._match = self.phone.look().match
            self._lying = self._laid_out(self.phone.look())

    def _show_board(self, pace: Pace, *, teach: bool) -> Iterator[Moment]:
        """The board without pieces and, where the game has them, the tiles shown once."""
        known = self.phone.look()
        game, state = known.game, known.state
        if game.outcome(state) is not None:
            state = game.start(state.options, len(game.seat_names(state)))
        self._lying = Table(ground=_ground(game, state))
        for moment in opening(self.scene, pace, teach=teach and isinstance(game, SeesTiles)):
            table = msgspec.structs.replace(moment.table, ground=self._lying.ground)
            yield Moment(table, moment.note)

    def _begin(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Another match, perhaps of another game: the table is cleared, and that one's board laid out."""
        self._match = known.match
        told = scene_of_match(known.game, known.state.options)
        other = told != self.told_scene
        if other:
            self.told_scene, self.scene = told, msgspec.convert(told, TableScene, strict=False)
        self._lying = Table()
        yield from self._show_board(pace, teach=other)
        self._lying = self._laid_out(known)
        yield from still(self._lying, pace.still)

    # A move

    def _go_on(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Make the table as the match is, if somebody changed that, then do the next move."""
        if known.match != self._match:
            yield from self._begin(known, pace)
            return
        table = self._laid_out(known)
        if table != self._lying:
            yield from self._act(table, pace)
            yield from still(self._lying, pace.still)
            known = self.phone.look()
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

    def _act(self, table: Table, pace: Pace) -> Iterator[Moment]:
        for each in acted(self._lying, table, self.scene, pace):
            yield Moment(each, WATCH)
        self._lying = table

    def _wait(self, known: Known, move: Any, after: Any, pace: Pace) -> Iterator[Moment]:
        """Until the move has been read: answer what is asked, set right what was misread."""
        for number in range(pace.still + PATIENCE):
            yield Moment(self._lying, WATCH)
            now = self.phone.look()
            if (now.match, now.n) != (known.match, known.n):
                if now.match == known.match and now.n == known.n + 1 and now.state != after:
                    self._set_right(now, move)
                yield from still(self._lying, max(0, pace.still - number - 1))
                return
            if now.question and number >= pace.still:
                self._answer(now, move)
        self.phone.tap(self.phone.look(), move)

    def _answer(self, now: Known, move: Any) -> None:
        right = [number for number, moves in enumerate(now.answers) if moves == (move,)]
        if right:
            self.phone.answer(now, right[0])
        else:
            self.phone.tap(now, move)

    def _set_right(self, now: Known, move: Any) -> None:
        self.phone.undo(now)
        self.phone.tap(self.phone.look(), move)

    def next_move(self, known: Known) -> Any:
        """What they choose now; None when nothing can be done."""
        game, state = known.game, known.state
        random = np.random.default_rng((self._seed, known.match, known.n, known.moves))
        if isinstance(game, Autoplay):
            move = game.likely_move(state, lambda limit: int(random.integers(limit)))
            if move is not None:
                return move
        legal = list(game.legal_moves(state))
        if legal and isinstance(game, SeesTiles):
            return chosen_tile(game, state, legal, self.scene, random)
        return legal[int(random.integers(len(legal)))] if legal else None

    # What lies on the table

    def _shows(self, known: Known, move: Any, after: Any) -> bool:
        """Whether a camera over the table can see that this was done."""
        game = known.game
        told = msgspec.to_builtins(move)
        return (
            (isinstance(game, SeesTiles) and tile_of(told, self.scene) is not None)
            or (isinstance(game, SeesDice) and hasattr(move, "dice"))
            or _pieces(game, after) != _pieces(game, known.state)
        )

    def _after(self, known: Known, move: Any, after: Any) -> Table:
        """The table with a move done that shows; what lies under a piece that has come is not touched yet."""
        game, now = known.game, self._lying
        if hasattr(move, "dice") and isinstance(game, SeesDice):
            now = msgspec.structs.replace(now, dice=self._thrown(game, known.state, move.dice))
        now = msgspec.structs.replace(now, pieces=_pieces(game, after))
        tile = tile_of(msgspec.to_builtins(move), self.scene)
        return now if tile is None else msgspec.structs.replace(now, tiles=(*now.tiles, tile))

    def _thrown(self, game: SeesDice, state: Any, values: Any) -> Any:
        """The thrown dice, and those of another colour that lie there from before."""
        colour = game.dice_now(state).colour
        return thrown(values, self.scene, colour=colour, lying=self._lying.dice)

    def _laid_out(self, known: Known) -> Table:
        """The table as the match is; dice lie where they fell."""
        game, state = known.game, known.state
        lying = game.lying(state) if isinstance(game, SeesTiles) else ()
        tiles = tuple(_tile(each, self.scene) for each in lying)
        if {_place(tile) for tile in tiles} == {_place(tile) for tile in self._lying.tiles}:
            tiles = self._lying.tiles
        return Table(
            tiles=tiles,
            dice=self._lying.dice,
            ground=_ground(game, state),
            pieces=_pieces(game, state),
        )


def _tile(seen: Any, scene: TableScene) -> Tile:
    tile = Tile(seen.owner, seen.kind, seen.turns, seen.row, seen.col)
    return msgspec.structs.replace(tile, cells=scene.cells_of(tile))


def _place(tile: Tile) -> tuple[str, Kind, int, int, int]:
    return tile.owner, tile.kind, tile.turns % 4, tile.row, tile.col


def _ground(game: AnyGame, state: Any) -> tuple[Thing, ...]:
    return _things(game.ground(state)) if isinstance(game, HasGround) else ()


def _pieces(game: AnyGame, state: Any) -> tuple[Thing, ...]:
    return _things(game.standing_pieces(state)) if isinstance(game, SeesPieces) else ()


def _things(seen: tuple[Piece, ...]) -> tuple[Thing, ...]:
    return tuple(Thing(each.kind, each.row, each.col) for each in seen)
