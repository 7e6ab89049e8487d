"""The people at the virtual table: they follow the companion's match, and continue it.

They make on the table the moves that a camera can see, and wait until each has been read. Everything else
they tap on their phones, as people at a real table do. They answer the companion's questions. If it read
something else, they undo that and tap their move; if it stays silent for long, they tap it too. So a match
always reaches its end, whatever is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec
import numpy as np

from companion.games.registry import AnyGame
from companion.games.watching import Autoplay, SeesTiles
from companion.simulator.acting import WATCH, Moment, Pace, acted, opening, still, thrown
from companion.simulator.draw import Table
from companion.simulator.layout import changed, dice_of, ground_of, pieces_of, tiles_of
from companion.simulator.players import chosen_move, markers_of
from companion.simulator.scenes import scene_of_match
from companion.simulator.table_scene import board_of

PATIENCE = 60
"""The additional pictures for which people wait until a move has been read.

A reader that needs half a second of rest and two looks takes up to 20 at the usual speed.
"""


@dataclass(frozen=True)
class Known:
    """What the people's phones show.

    `state` is what all of them together know, `match` the match's number, `n` the number of its open entries,
    `moves` the number of moves that were not undone, including private ones. `question` is the number of the
    open question, 0 for none; `answers` are the moves of each answer.
    """

    game: AnyGame
    state: Any
    match: int
    n: int
    moves: int
    question: int = 0
    answers: tuple[tuple[Any, ...], ...] = ()


class Phone(Protocol):
    """The people's phones.

    A tap that comes too late, because the match has changed meanwhile, does nothing.
    """

    def look(self) -> Known:
        """How the match stands now."""

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
    """The match in the people's heads, if no companion watches."""

    def __init__(self, game: AnyGame, options: Any, seats: int) -> None:
        self._known = Known(game, game.start(options, seats), 1, 0, 0)

    def look(self) -> Known:
        """The match so far."""
        return self._known

    def tap(self, known: Known, move: Any) -> None:
        """Play it. Raises `MoveError`."""
        state = known.game.play(known.state, move)
        self._known = replace(known, state=state, n=known.n + 1, moves=known.moves + 1)

    def did(self, move: Any) -> None:
        """Play it. Raises `MoveError`."""
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
        """Whether they have left: from then on the table shows the match as others play it."""
        self.shows_again = False
        """Whether they show the board and the tiles once more before they go on."""

    def moments(self, pace: Pace) -> Iterator[Moment]:
        """The pictures, without end."""
        yield from self._show_board(pace, teach=True)
        self._match = self.phone.look().match
        self._lying = self._laid_out(self.phone.look())
        yield from still(self._lying, pace.still)
        while True:
            known = self.phone.look()
            if self.shows_again:
                self.shows_again = False
                yield from self._show_board(pace, teach=True)
                self._lying = self._laid_out(known)
            elif self.gone:
                yield from self._follow(known, pace)
            elif known.game.outcome(known.state) is None:
                yield from self._go_on(known, pace)
            else:
                yield from self._end(known, pace)

    def _end(self, known: Known, pace: Pace) -> Iterator[Moment]:
        """Leave the end on the table for a while, then set up the board again."""
        markers = markers_of(known.game, known.state)
        self._lying = msgspec.structs.replace(self._laid_out(known), markers=markers)
        for moment in still(self._lying, pace.end):
            yield moment
            if self.gone or self.phone.look().match != known.match:
                return
        if self.phone.look() == known:
            yield from self._show_board(pace, teach=False)
            self.phone.set_up()
            # The companion begins the next match once it has read the picture of the empty board.
            for moment in still(self._lying, PATIENCE):
                if self.phone.look().match != known.match:
                    break
                yield moment
            self._match = self.phone.look().match
            self._lying = self._laid_out(self.phone.look())

    def _show_board(self, pace: Pace, *, teach: bool) -> Iterator[Moment]:
        """Show the board without pieces, and the tiles once if the game has them."""
        known = self.phone.look()
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
            known = self.phone.look()
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
        """Set the table to the match, which other people play by taps."""
        if known.match != self._match:
            yield from self._begin(known, pace)
        elif self._differs(known):
            yield from self._act(self._laid_out(known), pace)
        else:
            yield from still(self._lying, 1)

    def _differs(self, known: Known) -> bool:
        """Whether something else lies on the table than in the match."""
        return self._laid_out(known) != self._lying

    def _act(self, table: Table, pace: Pace) -> Iterator[Moment]:
        for each in acted(self._lying, table, self.board, pace):
            yield Moment(each, WATCH)
        self._lying = table

    def _wait(self, known: Known, move: Any, after: Any, pace: Pace) -> Iterator[Moment]:
        """Wait until the move has been read: answer questions, and correct misreadings."""
        for number in range(pace.still + PATIENCE):
            yield Moment(self._lying, WATCH)
            if self.gone:
                return
            now = self.phone.look()
            if (now.match, now.n) != (known.match, known.n):
                if now.match == known.match and now.n == known.n + 1 and now.state != after:
                    self._correct(now, move)
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

    def _correct(self, now: Known, move: Any) -> None:
        self.phone.undo(now)
        self.phone.tap(self.phone.look(), move)

    def next_move(self, known: Known) -> Any:
        """The move that they choose now; None if there is none."""
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
        """Whether a camera over the table can see the move."""
        game, before = known.game, known.state
        return (
            tiles_of(game, after, self.board) != tiles_of(game, before, self.board)
            or pieces_of(game, after) != pieces_of(game, before)
            or (hasattr(move, "dice") and dice_of(game, before) is not None)
        )

    def _after(self, known: Known, move: Any, after: Any) -> Table:
        """The table after a visible move; what lies under a new piece is not touched yet."""
        game, now = known.game, self._lying
        lying = tiles_of(game, known.state, self.board), tiles_of(game, after, self.board)
        now = msgspec.structs.replace(now, tiles=changed(now.tiles, *lying), pieces=pieces_of(game, after))
        dice = dice_of(game, known.state)
        if dice is None or not hasattr(move, "dice"):
            return now
        fallen = thrown(move.dice, self.board, colour=dice.colour, faces=dice.faces, lying=now.dice)
        return msgspec.structs.replace(now, dice=fallen)

    def _laid_out(self, known: Known) -> Table:
        """The table of the match; dice lie where they fell."""
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
