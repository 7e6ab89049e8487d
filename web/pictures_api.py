"""The pictures of a kept match's moves over HTTP: which moves have one, a picture, deleting them."""

from __future__ import annotations

import msgspec
from flask import Response, abort

from companion.play.entries import MatchRecord
from web.app_state import app_state
from web.openapi import Routes
from web.pictures_port import Gone, PicturesPort

pictures_api = Routes("pictures")


class MovesPictured(msgspec.Struct, frozen=True):
    """The number of each open move's picture, 0 where it has none; `gone`: what became of others."""

    pictures: tuple[int, ...]
    gone: Gone


def _kept(number: int) -> tuple[PicturesPort, MatchRecord]:
    """The pictures, and the match of that number; 404 where there is neither."""
    pictures, record = app_state().pictures, app_state().table.journal.match(number)
    return (pictures, record) if pictures is not None and record is not None else abort(404)


@pictures_api.route(
    "GET", "/api/matches/<int:number>/pictures", gives=MovesPictured, refusals=(403, 404, 503)
)
def pictured(number: int) -> MovesPictured:
    """Which moves of a kept match have a picture."""
    pictures, record = _kept(number)
    kept, gone = pictures.of(record)
    shows = app_state().look_backs.of(record).shows
    return MovesPictured(tuple(next((n for n in entries if n in kept), 0) for entries in shows), gone)


@pictures_api.route(
    "GET", "/api/matches/<int:number>/pictures/<int:picture>", gives="image/jpeg", refusals=(403, 404, 503)
)
def picture(number: int, picture: int) -> Response:
    """The picture of a move: the board from above, or the dice."""
    pictures, record = _kept(number)
    return Response(pictures.picture(record, picture), mimetype="image/jpeg")


@pictures_api.route(
    "POST",
    "/api/matches/<int:number>/pictures/remove",
    gives=dict[str, bool],
    refusals=(403, 404, 409, 503),
)
def remove(number: int) -> dict[str, bool]:
    """Delete the pictures of a match; its moves stay."""
    pictures, record = _kept(number)
    pictures.remove(record)
    return {"ok": True}


@pictures_api.route("POST", "/api/pictures/remove", gives=dict[str, bool], refusals=(403, 404, 409))
def remove_all() -> dict[str, bool]:
    """Delete the pictures of all matches; their moves stay."""
    pictures = app_state().pictures
    if pictures is None:
        abort(404)
    pictures.remove_all()
    return {"ok": True}
