"""Makes the senses for a match, and keeps a board that is still the same."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import files, paths
from companion.errors import PhotoError, TableError
from companion.errors.causes import cause_of
from companion.games.watching import (
    AnyTurn,
    HasBoard,
    Kind,
    Observation,
    SeesCards,
    SeesDice,
    SeesPieces,
    SeesTiles,
    Tile,
)
from companion.play.match import Match
from companion.service.senses.beside import CardsSense, DiceSense
from companion.service.senses.board import BoardSense, Corners, Sense
from companion.service.senses.on_board import PiecesSense, TilesSense
from hardware.arrays import Picture
from hardware.vision.board.board_view import BoardView
from hardware.vision.board.faces import Face
from hardware.vision.board.photos import read_photos
from hardware.vision.board.piece_reader import PieceReader
from hardware.vision.board.scene import PictureLine, Scene, scene_of, teaching_places
from hardware.vision.board.search import TileName
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import BrokenStateError, VisionError

log = logging.getLogger(__name__)

NO_BOARD = Scene(rows=1, cols=1)


class MatchSenses:
    """The senses of the current match. Not thread-safe."""

    def __init__(
        self,
        match: Match,
        brought: Callable[[], Scene | None],
        *,
        live: bool,
        shown: Path | None = None,
        cards: Path | None = None,
    ) -> None:
        """`brought` returns the source's own board, if any. `live`: readings must be steady.

        `shown` is the file that keeps the camera's lessons across restarts, `cards` the folder of `companion
        teach cards`.
        """
        self._brought, self._live, self._shown, self._cards = brought, live, shown, cards
        self.scene = self._scene_of(match)
        self._boards: dict[str, BoardSense] = {}
        self._begin(match, restore=True)

    def follow(self, match: Match) -> None:
        """Follow the table to another match; a new board must be shown first."""
        if match.record.id == self.match and self._brought() in (None, self.scene):
            return
        scene = self._scene_of(match)
        if scene != self.scene:
            self.scene, self._boards = scene, {}
        self._begin(match)

    def __iter__(self) -> Iterator[Sense]:
        """The senses in their order; those beside the board also work without it."""
        yield from self._beside
        yield from self._boards.values()

    # -- what they were shown -----------------------------------------------------------------------------

    def learn(self, picture: Picture, note: PictureLine, corners_px: Corners | None) -> None:
        for board in self._boards.values():
            board.learn(picture, note, corners_px)

    def see_empty(self, picture: Picture, corners_px: Corners | None) -> None:
        """Learn and keep the picture as the empty board. Raises `UserError`."""
        for board in self._boards.values():
            board.board.see_empty(picture, corners_px)
        self._save()

    def teach(
        self, picture: Picture, owner: str, kinds: tuple[Kind, ...], corners_px: Corners | None
    ) -> None:
        """Learn and keep tiles in their teaching places. Raises `UserError`."""
        tiles = teaching_places(self.scene, owner, kinds)
        if self._tiles is not None:
            self._tiles.reader.teach(picture, tiles, corners_px)
            self._save()

    @property
    def empty_shown(self) -> bool:
        """True if the empty board was shown, or a board with known things on it."""
        return all(board.board.view.has_reference for board in self._boards.values())

    def saved_tiles(self) -> bytes:
        """The saved state of the tile reader. Raises `UserError` without tiles."""
        if self._tiles is None:
            raise TableError("no-tiles")
        return self._tiles.reader.save()

    @property
    def faces(self) -> dict[TileName, Face]:
        """Learnt tiles' faces."""
        return {} if self._tiles is None else dict(self._tiles.reader.faces)

    def forget(self, match: Match) -> None:
        """Forget all lessons, on the disk as well."""
        for path in self._files.values():
            if path is not None:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
        self._boards = {}
        self._begin(match)

    def read_whole(self, picture: Picture, corners_px: Corners | None) -> Observation:
        """Read every tile without earlier beliefs. Raises `PhotoError`."""
        if self._tiles is None or self.untaught:
            raise PhotoError("not-taught")
        try:
            return read_photos([picture], self.scene, [corners_px], shown=self._tiles.reader).reading
        except VisionError as error:
            raise PhotoError("unreadable") from error

    @property
    def owners(self) -> tuple[str, ...]:
        """Owners of tiles to teach."""
        return () if self._tiles is None else self._tiles.reader.turn_order.owners

    @property
    def taught(self) -> dict[str, tuple[Kind, ...]]:
        """Each owner's taught kinds of tiles."""
        return {} if self._tiles is None else self._tiles.reader.taught()

    @property
    def untaught(self) -> bool:
        """True if none of the readable tiles was taught."""
        return self._tiles is not None and bool(self.scene.shapes) and not any(self.taught.values())

    # -- what they saw ------------------------------------------------------------------------------------

    @property
    def view(self) -> BoardView:
        """The view of the board, with its place and its lessons."""
        return next(iter(self._boards.values())).board.view

    @property
    def reading(self) -> Observation | None:
        """The last reading of the board; of several, the first unsure one."""
        readings = [board.reading for board in self._boards.values() if board.reading is not None]
        return next((reading for reading in readings if reading.unsure), readings[0] if readings else None)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of the last reading."""
        reading = None if self._tiles is None else self._tiles.reading
        return (reading and reading.tiles) or ()

    # -- making them --------------------------------------------------------------------------------------

    @property
    def _tiles(self) -> TilesSense | None:
        tiles = self._boards.get("tiles")
        return tiles if isinstance(tiles, TilesSense) else None

    def _scene_of(self, match: Match) -> Scene:
        board = scene_of(match.game.scene(match.state)) if isinstance(match.game, HasBoard) else NO_BOARD
        return self._brought() or board

    def _begin(self, match: Match, *, restore: bool = False) -> None:
        game = match.game
        self.match = match.record.id
        reads = {"tiles": isinstance(game, SeesTiles), "pieces": isinstance(game, SeesPieces)}
        names = [name for name in reads if reads[name]] or ["nothing"]
        self._files = dict(zip(names, _files(self._shown, names), strict=True))
        self._boards = {
            name: self._boards.get(name) or self._board(name, match, restore=restore) for name in names
        }
        for board in self._boards.values():
            board.begin(match)
        self._beside = tuple(self._made_beside(match))

    def _made_beside(self, match: Match) -> Iterator[Sense]:
        if isinstance(match.game, SeesDice):
            yield DiceSense(self.scene, next(iter(self._boards.values())))
        if isinstance(match.game, SeesCards) and self._cards is not None:
            yield CardsSense(self._cards / f"{match.game.slug}.npz")

    def _board(self, name: str, match: Match, *, restore: bool) -> BoardSense:
        game = match.game
        saved = self._saved(name) if restore else None
        if name == "pieces" and isinstance(game, SeesPieces):
            reader = _reader(PieceReader, self.scene, game.hues, saved, self._files[name])
            return PiecesSense(reader, live=self._live)
        turn_order = game.turn_order(match.state) if isinstance(game, SeesTiles) else AnyTurn()
        reader = _reader(TileReader, self.scene, turn_order, saved, self._files[name])
        return TilesSense(reader, live=self._live) if name == "tiles" else BoardSense(reader)

    # -- keeping what they were shown ---------------------------------------------------------------------

    def _saved(self, name: str) -> bytes | None:
        path = self._files[name]
        try:
            return path.read_bytes() if path is not None and path.exists() else None
        except OSError as error:
            log.warning("What was shown before is left aside: %s", cause_of(error))
            return None

    def _save(self) -> None:
        for name, board in self._boards.items():
            path = self._files[name]
            if path is None:
                continue
            try:
                files.write(path, board.board.save())
            except OSError as error:
                raise TableError("shown-not-kept", path=str(path), cause=cause_of(error)) from error


def _files(shown: Path | None, names: list[str]) -> list[Path | None]:
    """Each board sense's file: the given one, and others beside it."""
    if shown is None:
        return [None] * len(names)
    return [shown, *(shown.with_stem(f"{shown.stem}-{name}") for name in names[1:])]


def _reader(reads: Any, scene: Scene, given: object, saved: bytes | None, path: Path | None) -> Any:
    """A saved reader, or an untaught one."""
    if saved is not None:
        try:
            return reads.restore(scene, saved, given)
        except VisionError as error:
            log.warning("What was shown before is left aside: %s", error)
            if isinstance(error, BrokenStateError) and path is not None:
                with suppress(OSError):
                    paths.put_aside(path)
    return reads(scene, given)
