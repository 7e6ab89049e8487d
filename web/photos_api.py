"""Photos over HTTP: of a finished board, until its score is kept as a match; and of dice that were thrown."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, abort, request

from companion.errors import PhotoError
from companion.games.registry import game
from companion.games.watching import ScoresPhotos, SeesDice, Tile, Verdict
from companion.play.entries import MatchRecord
from companion.play.match import FROM_PHOTO, Match, begin_in_memory, keep_whole
from web.app_state import TableNow, app_state
from web.camera_port import Point
from web.error_pages import refuse, say
from web.identity import phone
from web.matches import names_a_file
from web.openapi import Routes
from web.photo_port import PhotoDraft, PhotoPort, PlacedTile

photos_api = Routes("photos")


class NewPhotos(msgspec.Struct, frozen=True):
    """The game whose board is scored, and its options (the others as by default)."""

    game: str
    options: dict[str, Any] = {}


class WhichPhoto(msgspec.Struct, frozen=True):
    """A photo by its name."""

    photo: int


class CornersInPhoto(msgspec.Struct, frozen=True):
    """The board's four corners in px of a photo, its own top left first, clockwise."""

    photo: int
    corners_px: tuple[Point, Point, Point, Point]


class TilesOnBoard(msgspec.Struct, frozen=True):
    """All tiles on the finished board, as a person agreed to them."""

    tiles: tuple[PlacedTile, ...]


class KeepScore(msgspec.Struct, frozen=True):
    """What is kept: all tiles, the players by seat, and whether the photos stay."""

    tiles: tuple[PlacedTile, ...]
    players: dict[str, str] = {}
    photos: bool = False


class KeptScore(msgspec.Struct, frozen=True):
    """The number of the match in which a score was kept."""

    match: int


class ScoredBoard(msgspec.Struct, frozen=True):
    """The game's own view of a finished board, with its score."""

    board: Any


def _photos() -> PhotoPort:
    """What reads photos; 404 where nothing does."""
    photos = app_state().photos
    if photos is None:
        abort(404)
    return photos


@photos_api.route(
    "POST", "/api/photos", takes=NewPhotos, gives=PhotoDraft, refusals=(400, 403, 404, 409, 503)
)
def begin(new: NewPhotos) -> PhotoDraft | Response:
    """Begin to score a finished board from photos. The number that this gives is the only way to them."""
    for name, value in new.options.items():
        if names_a_file(value):
            return refuse("not-an-option", say("web.no-path", option=name), 400)
    return _photos().begin(new.game, new.options)


@photos_api.route("GET", "/api/photos/<int:number>", gives=PhotoDraft, refusals=(403, 404))
def draft(number: int) -> PhotoDraft:
    """The photos, whether they are being read, and what was read."""
    return _photos().draft(number)


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/pictures",
    takes="image/*",
    gives=PhotoDraft,
    refusals=(403, 404, 409, 413, 503),
)
def add(photo: bytes, number: int) -> PhotoDraft:
    """Take one more photo: a JPEG, PNG or WebP of at most 12 megapixels and 10 MB as the body.

    One that looks taken off a screen is refused as `of-a-screen`; `?real-table=1` takes it all the same.
    """
    return _photos().add(number, photo, real_table=request.args.get("real-table") == "1")


@photos_api.route(
    "GET", "/api/photos/<int:number>/pictures/<int:photo>", gives="image/jpeg", refusals=(403, 404)
)
def picture(number: int, photo: int) -> Response:
    """A photo, upright, with nothing beside its pixels."""
    return Response(_photos().picture(number, photo), mimetype="image/jpeg")


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/corners",
    takes=CornersInPhoto,
    gives=PhotoDraft,
    refusals=(400, 403, 404, 409, 503),
)
def corners(where: CornersInPhoto, number: int) -> PhotoDraft:
    """Say where the board's corners lie in a photo."""
    return _photos().set_corners(number, where.photo, where.corners_px)


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/remove",
    takes=WhichPhoto,
    gives=PhotoDraft,
    refusals=(400, 403, 404, 503),
)
def remove(which: WhichPhoto, number: int) -> PhotoDraft:
    """Take a photo out again."""
    return _photos().remove(number, which.photo)


@photos_api.route("POST", "/api/photos/<int:number>/read", gives=PhotoDraft, refusals=(403, 404, 409, 503))
def read(number: int) -> PhotoDraft:
    """Begin to read the photos together; ask for the draft until its stage is another one."""
    return _photos().read(number)


@photos_api.route(
    "GET", "/api/photos/<int:number>/crops/<int:tile>", gives="image/jpeg", refusals=(403, 404, 503)
)
def crop(number: int, tile: int) -> Response:
    """The part of a photo that shows a tile of the reading."""
    return Response(_photos().crop(number, tile), mimetype="image/jpeg")


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/board",
    takes=TilesOnBoard,
    gives=ScoredBoard,
    refusals=(400, 403, 404, 409),
)
def board(given: TilesOnBoard, number: int) -> ScoredBoard:
    """The board with these tiles and its score, as it would be kept; nothing is kept."""
    view = _finished(_photos().draft(number), given.tiles).view()
    return ScoredBoard(view.board)


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/keep",
    takes=KeepScore,
    gives=KeptScore,
    refusals=(400, 403, 404, 409, 503),
)
def keep(given: KeepScore, number: int) -> KeptScore:
    """Keep the score as a match beside the table's own, and forget the photos unless they shall stay."""
    photos = _photos()
    finished = _finished(photos.draft(number), given.tiles)
    if any(given.players.values()):
        finished.name_players(given.players, FROM_PHOTO)
    kept = keep_whole(app_state().table.journal, finished)
    if given.photos:
        photos.keep(number, kept)
    photos.drop(number)
    return KeptScore(kept.id)


@photos_api.route("POST", "/api/photos/<int:number>/drop", gives=dict[str, bool], refusals=(403, 404))
def drop(number: int) -> dict[str, bool]:
    """Forget the photos."""
    _photos().drop(number)
    return {"ok": True}


@photos_api.route(
    "POST", "/api/photos/throw", takes="image/*", gives=TableNow, refusals=(403, 404, 409, 413, 503)
)
def throw(photo: bytes) -> TableNow:
    """Take the throw that a photo shows, as a camera's: it is played, asked about or refused by the rules."""
    state = app_state()
    match = state.table.match
    if not isinstance(match.game, SeesDice):
        raise PhotoError("no-dice")
    thrown = _photos().throw(match.game.dice_now(match.state), photo)
    if state.table.see(thrown).verdict is Verdict.NOTHING:
        raise PhotoError("no-dice")
    return state.now(phone())


@photos_api.route(
    "GET", "/api/matches/<int:number>/photos/<int:photo>", gives="image/jpeg", refusals=(403, 404)
)
def kept_picture(number: int, photo: int) -> Response:
    """A photo that was kept with the score of a match."""
    return Response(_photos().kept_picture(_record(number), photo), mimetype="image/jpeg")


@photos_api.route(
    "POST", "/api/matches/<int:number>/photos/remove", gives=dict[str, bool], refusals=(403, 404, 409)
)
def remove_kept(number: int) -> dict[str, bool]:
    """Delete the photos that were kept with the score of a match; the score stays."""
    _photos().remove_kept(_record(number))
    return {"ok": True}


def _record(number: int) -> MatchRecord:
    """The match of that number; 404 where there is none."""
    record = app_state().table.journal.match(number)
    return record if record is not None else abort(404)


def _finished(photos: PhotoDraft, tiles: tuple[PlacedTile, ...]) -> Match:
    """A match that consists of these tiles on its finished board, kept nowhere. Raises `MoveError`."""
    rules = game(photos.game)
    assert isinstance(rules, ScoresPhotos)  # no draft begins for any other
    match = begin_in_memory(photos.game, photos.options)
    lying = [Tile(each.owner, each.kind, each.turns, each.row, each.col) for each in tiles]
    match.play(rules.finish(lying), FROM_PHOTO)
    return match
