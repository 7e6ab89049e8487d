"""Photos of boards and dice, and pictures of moves, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Response, request

from companion.errors import PhotoError
from companion.games.registry import game
from companion.games.watching import ScoresPhotos, SeesDice, Tile, Verdict
from companion.play.match import FROM_PHOTO, Match, begin_in_memory, keep_whole
from companion.play.schema import MatchRecord
from companion.service.camera_status import Point
from companion.service.photos.drafts import PhotoDraft, PhotoDrafts
from companion.service.photos.kept import Gone, KeptPictures
from companion.service.photos.reading import PlacedTile, settled
from web.app_state import TableNow, app_state, or_404, running
from web.error_pages import refuse, say
from web.identity import phone
from web.matches import names_a_file
from web.openapi import Routes
from web.permissions import CHANGE_SETTINGS, KEPT_PHOTOS, SCORE, SEE

photos_api = Routes("photos")


class NewPhotos(msgspec.Struct, frozen=True):
    """The scored board's game and options (others by default)."""

    game: str
    options: dict[str, Any] = {}


class OtherOptions(msgspec.Struct, frozen=True):
    """The options of the board that the photos are of."""

    options: dict[str, Any]


class WhichPhoto(msgspec.Struct, frozen=True):
    """A photo by its name."""

    photo: int


class CornersInPhoto(msgspec.Struct, frozen=True):
    """The board's four corners in px of a photo, its own top left first, clockwise."""

    photo: int
    corners_px: tuple[Point, Point, Point, Point]


class TilesOnBoard(msgspec.Struct, frozen=True):
    """All tiles on the finished board; `unsure` are the numbers of those that nobody has confirmed."""

    tiles: tuple[PlacedTile, ...]
    unsure: tuple[int, ...] = ()


class KeepScore(msgspec.Struct, frozen=True):
    """A score to keep: all tiles, the players by seat, and whether the photos stay."""

    tiles: tuple[PlacedTile, ...]
    players: dict[str, str] = {}
    photos: bool = False


class KeptScore(msgspec.Struct, frozen=True):
    """The number of the match with the kept score."""

    match: int


class ScoredBoard(msgspec.Struct, frozen=True):
    """The game's view of a finished board, with its score.

    `fits`: tiles that would still fit on it. `tiles`: all of them, in the order that was given, as the rules
    allow them. `asked`: those unsure ones on which the score hangs, by their numbers.
    """

    board: Any
    fits: tuple[PlacedTile, ...]
    tiles: tuple[PlacedTile, ...]
    asked: tuple[int, ...]


def _photos() -> PhotoDrafts:
    return or_404(running().photos)


@photos_api.route(
    "POST", "/api/photos", who=SCORE, takes=NewPhotos, gives=PhotoDraft, refusals=(404, 409, 503)
)
def begin(new: NewPhotos) -> PhotoDraft | Response:
    """Begin to score a finished board from photos. Its number is the only way to them."""
    return _path_refused(new.options) or _photos().begin(new.game, new.options)


def _path_refused(options: dict[str, Any]) -> Response | None:
    for name, value in options.items():
        if names_a_file(value):
            return refuse("not-an-option", say("web.no-path", option=name), 400)
    return None


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/options",
    who=SCORE,
    takes=OtherOptions,
    gives=PhotoDraft,
    refusals=(404, 409, 503),
)
def options(chosen: OtherOptions, number: int) -> PhotoDraft | Response:
    """Change the board that the photos are of, or house rules; they have to be read again."""
    return _path_refused(chosen.options) or _photos().choose(number, chosen.options)


@photos_api.route("GET", "/api/photos/<int:number>", who=SCORE, gives=PhotoDraft, refusals=(404,))
def draft(number: int) -> PhotoDraft:
    """The photos, their stage and their reading."""
    return _photos().draft(number)


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/pictures",
    who=SCORE,
    takes="image/*",
    gives=PhotoDraft,
    refusals=(404, 409, 413, 503),
)
def add(photo: bytes, number: int) -> PhotoDraft:
    """Add a photo: a JPEG, PNG or WebP of at most 12 megapixels and 10 MB as the body."""
    return _photos().add(number, photo, request.remote_addr or "")


@photos_api.route(
    "GET", "/api/photos/<int:number>/pictures/<int:photo>", who=SCORE, gives="image/jpeg", refusals=(404,)
)
def picture(number: int, photo: int) -> Response:
    """An upright photo without metadata."""
    return Response(_photos().picture(number, photo), mimetype="image/jpeg")


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/corners",
    who=SCORE,
    takes=CornersInPhoto,
    gives=PhotoDraft,
    refusals=(404, 409, 503),
)
def corners(where: CornersInPhoto, number: int) -> PhotoDraft:
    """Set the board's corners in a photo."""
    return _photos().set_corners(number, where.photo, where.corners_px)


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/remove",
    who=SCORE,
    takes=WhichPhoto,
    gives=PhotoDraft,
    refusals=(404, 503),
)
def remove(which: WhichPhoto, number: int) -> PhotoDraft:
    """Remove a photo."""
    return _photos().remove(number, which.photo)


@photos_api.route(
    "POST", "/api/photos/<int:number>/read", who=SCORE, gives=PhotoDraft, refusals=(404, 409, 503)
)
def read(number: int) -> PhotoDraft:
    """Begin to read the photos together; ask for the draft until its stage changes."""
    return _photos().read_photos(number, request.remote_addr or "")


@photos_api.route(
    "GET", "/api/photos/<int:number>/crops/<int:tile>", who=SCORE, gives="image/jpeg", refusals=(404, 503)
)
def crop(number: int, tile: int) -> Response:
    """The part of a photo with a tile of the reading."""
    return Response(_photos().crop(number, tile, request.remote_addr or ""), mimetype="image/jpeg")


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/board",
    who=SCORE,
    takes=TilesOnBoard,
    gives=ScoredBoard,
    refusals=(404, 409),
)
def board(given: TilesOnBoard, number: int) -> ScoredBoard:
    """The board with these tiles and its score; nothing is kept."""
    photos = _photos().draft(number)
    rules = game(photos.game)
    assert isinstance(rules, ScoresPhotos)  # no draft begins for any other
    unsure = [n for n in given.unsure if 0 <= n < len(given.tiles)]
    now = settled(
        given.tiles, unsure, photos.read, lambda tiles: rules.score_of(_finished(photos, tiles).state)
    )
    finished = _finished(photos, now.tiles)
    fits = [
        PlacedTile(tile.owner, tile.kind, tile.turns, tile.row, tile.col)
        for tile in rules.still_fits(finished.state)
    ]
    return ScoredBoard(finished.view().board, tuple(fits), *now)


@photos_api.route(
    "POST",
    "/api/photos/<int:number>/keep",
    who=SCORE,
    takes=KeepScore,
    gives=KeptScore,
    refusals=(404, 409, 503),
)
def keep(given: KeepScore, number: int) -> KeptScore:
    """Keep the score as a match, and forget the photos unless they are to stay."""
    photos = _photos()
    finished = _finished(photos.draft(number), given.tiles)
    if any(given.players.values()):
        finished.name_players(given.players, FROM_PHOTO)
    kept = keep_whole(running().table.journal, finished)
    if given.photos:
        photos.keep(number, kept)
    photos.drop(number)
    return KeptScore(kept.id)


@photos_api.route("POST", "/api/photos/<int:number>/drop", who=SCORE, gives=dict[str, bool], refusals=(404,))
def drop(number: int) -> dict[str, bool]:
    """Forget the photos."""
    _photos().drop(number)
    return {"ok": True}


@photos_api.route(
    "POST",
    "/api/photos/throw",
    who=KEPT_PHOTOS,
    takes="image/*",
    gives=TableNow,
    refusals=(404, 409, 413, 503),
)
def throw(photo: bytes) -> TableNow:
    """Take the throw in a photo as a camera's: it is played, asked about or refused by the rules."""
    state = app_state()
    match = state.table.match
    if not isinstance(match.game, SeesDice):
        raise PhotoError("no-dice")
    thrown = _photos().throw(match.game.dice_now(match.state), photo, request.remote_addr or "")
    if state.table.see(thrown).verdict is Verdict.NOTHING:
        raise PhotoError("no-dice")
    return state.table_now(phone())


@photos_api.route(
    "GET",
    "/api/matches/<int:number>/photos/<int:photo>",
    who=KEPT_PHOTOS,
    gives="image/jpeg",
    refusals=(404,),
)
def kept_picture(number: int, photo: int) -> Response:
    """A photo kept with the score of a match."""
    return Response(_photos().kept.picture(_record(number), photo), mimetype="image/jpeg")


@photos_api.route(
    "POST",
    "/api/matches/<int:number>/photos/remove",
    who=KEPT_PHOTOS,
    gives=dict[str, bool],
    refusals=(404, 409),
)
def remove_kept(number: int) -> dict[str, bool]:
    """Delete the photos kept with a match's score; the score stays."""
    _photos().kept.remove(_record(number))
    return {"ok": True}


def _record(number: int) -> MatchRecord:
    return or_404(running().table.journal.match(number))


def _finished(photos: PhotoDraft, tiles: Sequence[PlacedTile]) -> Match:
    """A match of these tiles on its finished board, in memory only. Raises `MoveError`."""
    rules = game(photos.game)
    assert isinstance(rules, ScoresPhotos)  # no draft begins for any other
    match = begin_in_memory(photos.game, photos.options)
    lying = [Tile(tile.owner, tile.kind, tile.turns, tile.row, tile.col) for tile in tiles]
    match.play(rules.finish(lying), FROM_PHOTO)
    return match


class MovesPictured(msgspec.Struct, frozen=True):
    """The number of each open move's picture, 0 without one; `gone` explains missing pictures."""

    pictures: tuple[int, ...]
    gone: Gone


def _kept_pictures(number: int) -> tuple[KeptPictures, MatchRecord]:
    return or_404(running().pictures), _record(number)


@photos_api.route(
    "GET", "/api/matches/<int:number>/pictures", who=SEE, gives=MovesPictured, refusals=(404, 503)
)
def pictured(number: int) -> MovesPictured:
    """The pictures of a kept match by move."""
    pictures, record = _kept_pictures(number)
    kept, gone = pictures.pictured(record)
    shows = app_state().look_backs.replayed(record).shows
    return MovesPictured(tuple(next((n for n in entries if n in kept), 0) for entries in shows), gone)


@photos_api.route(
    "GET",
    "/api/matches/<int:number>/pictures/<int:picture>",
    who=SEE,
    gives="image/jpeg",
    refusals=(404, 503),
)
def move_picture(number: int, picture: int) -> Response:
    """The picture of a move: the board from above, or the dice."""
    pictures, record = _kept_pictures(number)
    return Response(pictures.picture(record, picture), mimetype="image/jpeg")


@photos_api.route(
    "POST",
    "/api/matches/<int:number>/pictures/remove",
    who=SEE,
    gives=dict[str, bool],
    refusals=(404, 409, 503),
)
def remove_pictures(number: int) -> dict[str, bool]:
    """Delete the pictures of a match; its moves stay."""
    pictures, record = _kept_pictures(number)
    pictures.remove(record)
    return {"ok": True}


@photos_api.route(
    "POST", "/api/pictures/remove", who=CHANGE_SETTINGS, gives=dict[str, bool], refusals=(404, 409)
)
def remove_all_pictures() -> dict[str, bool]:
    """Delete the pictures of all matches; their moves stay."""
    or_404(running().pictures).remove_all()
    return {"ok": True}
