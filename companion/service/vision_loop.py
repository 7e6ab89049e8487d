"""Live: the camera's pictures, read as they come, become sightings at the table.

The roof puts the parts together here: a watched camera gives frames (floor 3), the reader says what
lies on the bed (floor 3), the table judges it (floor 2). Pages (floor 4) ask this for the newest
picture and for how reading goes; they never see an array.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any

import cv2
import msgspec

from companion.errors import MendableError
from companion.games.watching import (
    AnyTurn,
    Dice,
    HasBoard,
    Kind,
    Observation,
    Piece,
    SeesCards,
    SeesDice,
    SeesPieces,
    SeesTiles,
    Tile,
    TurnOrder,
)
from companion.play.table import Table
from companion.service.debug_frames import LastFailing
from hardware.camera.frame import Frame
from hardware.camera.health import Condition
from hardware.camera.watcher import Watcher
from hardware.vision.board import overlay, teaching
from hardware.vision.board.layout import scene_of
from hardware.vision.board.piece_reader import PieceReader
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.cards.taught_cards import TaughtCards
from hardware.vision.dice import DiceReader
from hardware.vision.dice.beside import beside_the_board
from hardware.vision.dice.throw_detector import ThrowDetector
from hardware.vision.errors import HomographyError, ReferenceMissingError, VisionError
from hardware.vision.register.homography import Homography
from web.camera_port import CameraState, Lesson, Overlay, OverlayTile, Point

log = logging.getLogger(__name__)

Places = frozenset[tuple[str, Kind, int, int, int]]
"""How tiles lie: the `place` of each."""

JPEG_QUALITY = 80
"""The quality of the picture on the camera's page, 0 to 100."""
READINGS_TO_BE_STEADY = 2
"""A live camera must read the same this often in a row before it counts: a tile still being pushed
into place is not yet laid. Pictures of a folder come once each and count at once."""

CROP_MARGIN_SQUARES = 1.5

NO_BOARD = Scene(rows=1, cols=1)
"""What is watched in a game without a board: nothing is ever read from its one square."""

PACE_S = 5.0
"""Over how long the pictures read a second are counted."""

WAIT_S = 0.5
"""How long to wait for a frame before looking whether to stop."""


class VisionLoop:
    """Reads what a watched camera gives, for one table. It is the pages' `CameraPort`."""

    def __init__(
        self,
        table: Table,
        watcher: Watcher,
        scene: Scene | Callable[[], Scene | None] | None = None,
        *,
        source: str = "",
        knowledge: Path | None = None,
        failing: LastFailing | None = None,
        cards: Path | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`scene` is the board that the source itself brings (a function, where that may change while a match
        goes on); else it is that of the match being played.
        `knowledge` is a file that keeps what was shown once (empty bed, coats) across restarts; `failing`
        keeps the last picture that could not be read; `cards` is the folder of what `companion teach cards`
        keeps.
        """
        self._table = table
        self._watcher = watcher
        self._brought = scene if callable(scene) else lambda: scene
        self._scene = self._scene_of_match()
        self._source = source
        self._knowledge = knowledge
        self._failing = failing
        self._cards_kept = cards
        self._clock = clock
        self._lock = RLock()
        self._reader = self._remembered()
        self._corners: tuple[Point, ...] | None = None
        self._newest: Frame | None = None
        self._reading: Observation | None = None
        self._needs = ""
        self._undone: Places = frozenset()
        # Nothing yet: the reader is told of a match that goes on before its first picture.
        self._held: Places = frozenset()
        self._held_of = 0
        self._match = table.match.record.id
        self._expected: Dice | None = None
        self._dice = self._watch_for_dice()
        self._stood = self._standing()
        self._behind: frozenset[Piece] | None = None
        self._cards = self._watch_for_cards()
        self._same = 0
        self._read_at: list[float] = []
        self._complained = ""
        self._stopping = Event()
        self._rounds = self._rounds_told = 0
        self._thread = Thread(target=self._run, name="reading", daemon=True)

    def start(self) -> None:
        """Begin to watch and to read."""
        self._watcher.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and reading."""
        self._stopping.set()
        self._watcher.stop()
        if self._thread.is_alive():
            self._thread.join(2)

    def _run(self) -> None:
        while not self._stopping.is_set():
            frame = self._watcher.next(WAIT_S)
            # Of a camera that gives pictures, only a picture counts; without them, looking for one does.
            self._rounds += frame is not None or self._watcher.state.condition is not Condition.OK
            if frame is None:
                continue
            try:
                self.take(frame)
            except MendableError as error:
                self._complain(str(error))
            except Exception as error:
                # One picture that trips the reader must not end the evening; the next one is read anew.
                log.exception("a picture could not be read")
                self._could_not_read(frame, repr(error))

    def _complain(self, fault: str) -> None:
        """Once for many pictures that meet the same: a disk that is full takes no long log either."""
        if fault != self._complained:
            self._complained = fault
            log.error("%s", fault)

    def at_work(self) -> bool:
        """Whether, since this was asked last, pictures were read or, without any, looked for."""
        told, self._rounds_told = self._rounds_told, self._rounds
        return self._rounds != told

    def _could_not_read(self, frame: Frame, why: str) -> None:
        if self._failing is not None:
            self._failing.keep(frame, why)

    def take(self, frame: Frame) -> None:
        """Take one frame: learn from it what its source tells of it, or read it."""
        with self._lock:
            self._newest = frame
            before = self._needs
            self._follow_match()
            try:
                self._learn_or_read(frame)
                self._needs = (
                    "teach" if self._scene.shapes and not any(self._reader.taught().values()) else ""
                )
            except ReferenceMissingError:
                self._needs = "empty"
            except HomographyError as error:
                self._needs = "markers"
                self._could_not_read(frame, str(error))
            changed = self._needs != before
        if changed:
            self._table.notify()

    def _learn_or_read(self, frame: Frame) -> None:
        note = frame.note
        role = note.role if note else "watch"
        corners = (note.corners_px if note else None) or self._corners
        if note and role == "empty":
            self._begin_again()
            self._reader.see_empty(frame.picture, corners)
        elif note and role == "start":
            self._reader.see_start(frame.picture, note.covered, corners)
        elif note and role == "teach":
            self._reader.teach(frame.picture, note.tiles, corners)
        else:
            self._keep_pace()
            if self._dice is not None:
                self._look_at_dice(self._dice, frame)
            if self._cards is not None:
                self._look_at_cards(self._cards, frame)
            if isinstance(self._table.match.game, SeesTiles):
                self._follow_table()
                self._see(self._read(frame, corners))
            elif isinstance(self._reader, PieceReader):
                reading = self._read(frame, corners)
                self._see_pieces(self._reader, reading)

    def _read(self, frame: Frame, corners: Sequence[Sequence[float]] | None) -> Observation:
        reading = self._reader.read(frame.picture, corners, frame.name)
        if reading.unsure:
            self._could_not_read(frame, reading.why)
        return reading

    def _look_at_dice(self, watch: ThrowDetector, frame: Frame) -> None:
        self._expect_dice(watch)
        homography = self._reader.homography
        picture = (
            frame.picture if homography is None else beside_the_board(frame.picture, self._scene, homography)
        )
        thrown = watch.look(picture, frame.at_s)
        if thrown is not None:
            self._table.see(msgspec.structs.replace(thrown, why="dice" if thrown.unsure else ""))

    def _look_at_cards(self, watch: TaughtCards, frame: Frame) -> None:
        laid = watch.look(frame.picture, frame.at_s, self._table.match.n)
        if laid is not None:
            self._table.see(laid)

    def _watch_for_cards(self) -> TaughtCards | None:
        game = self._table.match.game
        folder = self._cards_kept
        if folder is None or not isinstance(game, SeesCards):
            return None
        return TaughtCards(folder / f"{game.slug}.npz")

    def _watch_for_dice(self) -> ThrowDetector | None:
        match = self._table.match
        if not isinstance(match.game, SeesDice):
            return None
        dice = match.game.dice_now(match.state)
        return ThrowDetector(DiceReader(), count=dice.count, faces=dice.faces)

    def _expect_dice(self, watch: ThrowDetector) -> None:
        """Watch for what a throw is made of now: it may be another side's die."""
        match = self._table.match
        now = match.game.dice_now(match.state) if isinstance(match.game, SeesDice) else None
        if now is not None and now != self._expected:
            self._expected = now
            watch.expect(now.count, now.faces, others_lie=bool(now.colour))

    def _scene_of_match(self) -> Scene:
        match = self._table.match
        board = scene_of(match.game.scene(match.state)) if isinstance(match.game, HasBoard) else NO_BOARD
        return self._brought() or board

    def _follow_match(self) -> None:
        """Another match may be of another game, or on another board: that must be shown anew."""
        match = self._table.match.record.id
        brought = self._brought()
        if match == self._match and (brought is None or brought == self._scene):
            return
        self._match, self._undone, self._dice = match, frozenset(), self._watch_for_dice()
        self._stood, self._behind = self._standing(), None
        self._cards = self._watch_for_cards()
        scene = self._scene_of_match()
        if scene != self._scene or type(self._reader) is not self._reads():
            self._scene, self._held = scene, frozenset()
            self._reader = self._made(scene)
        if isinstance(self._reader, TileReader):
            self._reader.turn_order = self._turn_order()

    def _made(self, scene: Scene, saved: bytes | None = None) -> TileReader:
        """A reader of this game's board that starts from nothing, or from what was saved."""
        game, reads = self._table.match.game, self._reads()
        given: Any = game.hues if isinstance(game, SeesPieces) else self._turn_order()
        return reads(scene, given) if saved is None else reads.restore(scene, saved, given)

    def _turn_order(self) -> TurnOrder:
        match = self._table.match
        return match.game.turn_order(match.state) if isinstance(match.game, SeesTiles) else AnyTurn()

    def _reads(self) -> type[TileReader]:
        """What reads the board of this game: its tiles, or its pieces."""
        return PieceReader if isinstance(self._table.match.game, SeesPieces) else TileReader

    def _begin_again(self) -> None:
        """The source itself shows the empty bed after a match that is over: the next one begins."""
        match = self._table.match
        if match.outcome is not None:
            self._table.begin(match.game.slug, match.record.options, match.record.seats)

    def _keep_pace(self) -> None:
        now = self._clock()
        self._read_at = [at for at in self._read_at if now - at < PACE_S] + [now]

    def _see(self, reading: Observation) -> None:
        former, self._reading = self._reading, reading
        self._same = self._same + 1 if former is not None and _says_the_same(former, reading) else 1
        if self._watcher.camera.live and self._same < READINGS_TO_BE_STEADY:
            return
        tiles = _places(reading.tiles or ())
        if not reading.unsure and self._undone:
            if tiles == self._held | (self._undone & tiles) and self._undone & tiles:
                # A person took it back and it still lies there: playing it again would undo the undo.
                self._table.see(Observation(unsure=True, why="undone"))
                return
            self._undone = frozenset()
        self._table.see(reading)
        self._held, self._held_of = _places(self._lying()), self._match

    def _see_pieces(self, reader: PieceReader, reading: Observation) -> None:
        """Tell the table of the pieces, unless they only stand as they did before people told a move here."""
        former, self._reading = self._reading, reading
        same = former is not None and _stand_the_same(former, reading)
        self._same = self._same + 1 if same else 1
        standing = self._standing()
        reader.stand((piece.kind, piece.row, piece.col) for piece in standing)
        if self._watcher.camera.live and self._same < READINGS_TO_BE_STEADY:
            return
        pieces = reading.pieces or ()
        where = frozenset(Piece(p.kind, p.row, p.col) for p in pieces)
        if standing != self._stood and self._behind is None:
            self._behind = self._stood
        if not reading.unsure and where != self._behind:
            self._behind = None
        if self._behind is not None and where == self._behind:
            self._table.see(Observation(unsure=True, why="pieces-behind", pieces=pieces))
        else:
            self._table.see(reading)
        self._stood = self._standing()

    def _standing(self) -> frozenset[Piece]:
        match = self._table.match
        pieces = match.game.standing_pieces(match.state) if isinstance(match.game, SeesPieces) else ()
        return frozenset(pieces)

    def _lying(self) -> tuple[Tile, ...]:
        match = self._table.match
        return match.game.lying(match.state) if isinstance(match.game, SeesTiles) else ()

    def _follow_table(self) -> None:
        """Believe what people have set by hand since the last picture."""
        lying = self._lying()
        now = _places(lying)
        if now == self._held:
            return
        if self._held_of == self._match:
            self._undone = (self._undone | (self._held - now)) - now
        self._held, self._held_of = now, self._match
        self._reader.believe(lying)

    # What the pages ask.

    def state(self) -> CameraState:
        """How the camera fares now."""
        with self._lock:
            camera = self._watcher.state
            reading = self._reading
            return CameraState(
                kind=camera.condition.value,
                since_s=round(max(0.0, self._clock() - camera.since_s), 1),
                needs=self._needs,  # type: ignore[arg-type]
                unsure=bool(reading and reading.unsure),
                why=reading.why if reading else "",
                source=self._source,
                fps=round(len(self._read_at) / PACE_S, 1),
                taught=self._reader.taught(),
            )

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None before the first."""
        # Also one from which nothing can be read: whoever looks sees what is wrong.
        newest = self._watcher.latest or self._newest
        return None if newest is None else _jpeg(newest.picture)

    def overlay(self) -> Overlay:
        """The grid and the tiles as read, in px of the newest picture."""
        with self._lock:
            newest, homography, reading = self._newest, self._reader.homography, self._reading
        if newest is None:
            return Overlay(0, 0)
        height, width = newest.picture.shape[:2]
        if homography is None:
            return Overlay(width, height)
        return Overlay(
            width,
            height,
            overlay.grid_lines(self._scene, homography),
            tuple(
                OverlayTile(t.owner, t.kind, overlay.outline(t.cells, homography), t.confidence)
                for t in ((reading.tiles or ()) if reading else ())
            ),
        )

    def crop(self) -> bytes | None:
        """The part of the newest picture that an unsure sighting asks about, as JPEG."""
        with self._lock:
            newest, homography, reading = self._newest, self._reader.homography, self._reading
        if newest is None or homography is None or reading is None or not reading.unsure:
            return None
        squares = _in_question(reading)
        if not squares:
            return None
        return _jpeg(overlay.crop(newest.picture, homography, squares, CROP_MARGIN_SQUARES))

    def remember_empty(self) -> None:
        """Take the newest picture as that of the empty bed. Raises `MendableError`."""
        with self._lock:
            frame = self._frame()
            self._reader.see_empty(frame.picture, self._corners)
            self._watcher.lock_controls()
            self._remember()
        self._table.notify()

    def lessons(self) -> tuple[Lesson, ...]:
        """The tiles to be shown, as many at once as the bed holds, and where in the picture to lay them."""
        with self._lock:
            homography = self._reader.homography
        return tuple(
            Lesson(owner, kinds, self._outlines(owner, kinds, homography))
            for owner in self._turn_order().owners
            for kinds in teaching.groups(self._scene, owner)
        )

    def _outlines(
        self, owner: str, kinds: tuple[Kind, ...], homography: Homography | None
    ) -> tuple[tuple[Point, ...], ...]:
        if homography is None:
            return ()
        places = teaching.teaching_places(self._scene, owner, kinds)
        return tuple(overlay.outline(tile.cells, homography) for tile in places)

    def teach(self, owner: str, kinds: tuple[Kind, ...]) -> None:
        """The newest picture shows these tiles at their teaching places: learn their coats."""
        with self._lock:
            tiles = teaching.teaching_places(self._scene, owner, kinds)
            self._reader.teach(self._frame().picture, tiles, self._corners)
            self._remember()
        self._table.notify()

    def corners(self, corners_px: tuple[Point, Point, Point, Point]) -> None:
        """The grid's corners as a person tapped them: top left first, then clockwise, in px."""
        with self._lock:
            self._corners = corners_px
        self._table.notify()

    def _frame(self) -> Frame:
        if self._newest is None:
            raise VisionError("The camera has given no picture yet: look at its cable, then try again.")
        return self._newest

    def _remember(self) -> None:
        if self._knowledge is None:
            return
        try:
            self._knowledge.parent.mkdir(parents=True, exist_ok=True)
            part = self._knowledge.with_suffix(".part")
            part.write_bytes(self._reader.save())
            part.replace(self._knowledge)
        except OSError as error:
            raise MendableError(
                f"What was shown cannot be kept in {self._knowledge} ({error}); free some space."
            ) from error

    def _remembered(self) -> TileReader:
        if self._knowledge is not None and self._knowledge.exists():
            try:
                return self._made(self._scene, self._knowledge.read_bytes())
            except (VisionError, OSError) as error:
                log.warning("What was shown before is left aside: %s", error)
        return self._made(self._scene)


def _says_the_same(one: Observation, other: Observation) -> bool:
    return (one.unsure, one.why, _places(one.tiles or ())) == (
        other.unsure,
        other.why,
        _places(other.tiles or ()),
    )


def _stand_the_same(one: Observation, other: Observation) -> bool:
    return (one.unsure, one.why, one.pieces) == (other.unsure, other.why, other.pieces)


def _places(tiles: Iterable[Tile]) -> Places:
    return frozenset(tile.place for tile in tiles)


def _in_question(reading: Observation) -> set[tuple[int, int]]:
    """The squares on which the readings to choose from differ from what is believed."""
    believed = {(t.owner, t.kind, tuple(t.cells)) for t in reading.tiles or ()}
    asked: set[tuple[int, int]] = set()
    for other in reading.alternatives:
        told = {(t.owner, t.kind, tuple(t.cells)) for t in other.tiles}
        for _, _, cells in told ^ believed:
            asked.update(cells)
    return asked


def _jpeg(picture: cv2.typing.MatLike) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()
