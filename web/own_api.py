"""Boards and decks of one's own: the pages that make them, the file of each, keeping and removing them."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, abort, render_template, request

from companion.errors import MendableError, MoveError
from companion.games import data_files
from companion.games.data_files import Countable, Drawable, Editable, Scripted
from companion.games.registry import AnyGame, games
from companion.play.own_files import data_file, is_name
from web.app_state import app_state
from web.error_pages import refuse, say, sentence_of
from web.forms import Choice
from web.kept import speak_of
from web.openapi import Routes
from web.packing import FOR_GOOD

own_api = Routes("own")
own_pages = Blueprint("own_pages", __name__)

TEMPLATES: dict[type, str] = {
    Drawable: "own_board.html",
    Countable: "own_numbers.html",
    Scripted: "own_scripted.html",
}
"""The page that makes each kind."""


class OwnBoard(msgspec.Struct, frozen=True):
    """A board or deck to keep: its game, option and name, and what it is.

    That is its rows of signs, its numbers by key, or the text of its file. `like` is the name of the kept
    board from which it was drawn; empty for none.
    """

    game: str
    option: str
    name: str
    rows: tuple[str, ...] = ()
    numbers: dict[str, int] = {}
    text: str = ""
    like: str = ""


class OwnName(msgspec.Struct, frozen=True):
    """A board that is kept, by its game, option and name."""

    game: str
    option: str
    name: str


class OwnPicture(msgspec.Struct, frozen=True):
    """The name of a picture that is kept."""

    picture: str


class _Own(NamedTuple):
    game: AnyGame
    option: str
    kind: Editable


def _own(slug: str, option: str) -> _Own:
    """What can be made for an option of a game; else there is no such page."""
    game = games().get(slug)
    kind = game.editable.get(option) if game is not None else None
    return abort(404) if game is None or kind is None else _Own(game, option, kind)


@own_api.route("POST", "/api/own", takes=OwnBoard, gives=OwnName, refusals=(400, 403, 404))
def keep(board: OwnBoard) -> OwnName | Response:
    """Keep a board or deck that was made on the page, or a file that was made elsewhere, under a name."""
    made = _own(board.game, board.option)
    game, option, _ = made
    name = " ".join(board.name.split())
    if not is_name(name):
        return refuse("bad-name", say("web.own-bad-name"), 400)
    own = app_state().own
    try:
        text = board.text or _text(made, board, name)
        own.check(game, option, name, text)
        own.keep(game, option, name, text)
    except (MendableError, MoveError) as error:
        return refuse("not-an-option", sentence_of(error), 400)
    return OwnName(game.slug, option, name)


def _text(made: _Own, board: OwnBoard, name: str) -> str:
    """The text of what was made on the page."""
    if isinstance(made.kind, Scripted):
        return board.text
    if isinstance(made.kind, Countable):
        return made.kind.write(board.numbers)
    before = app_state().own.text(made.game, made.option, board.like) or ""
    return made.kind.write(name, board.rows, before)


@own_api.route("POST", "/api/own/remove", takes=OwnName, gives=OwnName, refusals=(400, 403, 404))
def remove(named: OwnName) -> OwnName:
    """Remove a board; matches that were begun with it go on as they are."""
    game, option, _ = _own(named.game, named.option)
    if not app_state().own.remove(game, option, named.name):
        abort(404)
    return named


@own_pages.get("/own/<slug>/<option>")
def editor(slug: str, option: str) -> str:
    """The page that makes a board or deck for an option of a game: a new one, or one that is kept."""
    game, _, kind = _own(slug, option)
    speak_of(game)
    own = app_state().own
    name = request.args.get("name", "")
    names = own.names(game, option)
    default = str(getattr(game.options({}), option))
    made = kind.read(data_files.find(default, kind.folder, option))
    with suppress(MendableError):  # a file that somebody spoilt by hand
        made = kind.read(data_file(own.text(game, option, name) or "", name)) if name in names else made
    return render_template(
        TEMPLATES[type(kind)],
        game=game,
        page="own",
        option=option,
        kind=kind,
        name=name if name in names else "",
        names=names,
        made=made,
        made_json=msgspec.json.encode(made).decode() if isinstance(kind, Scripted) else "",
    )


@own_pages.get("/own/<slug>/<option>/<name>.toml")
def file(slug: str, option: str, name: str) -> Response:
    """The file of a board or deck, as the option of the command line takes it."""
    game, _, _ = _own(slug, option)
    text = app_state().own.shared_text(game, option, name)
    if text is None:
        abort(404)
    answer = Response(text, mimetype="application/toml")
    answer.headers["Content-Disposition"] = "attachment"
    return answer


@own_api.route(
    "POST", "/api/own/picture", takes="image/*", gives=OwnPicture, refusals=(403, 404, 409, 413, 503)
)
def keep_picture(photo: bytes) -> OwnPicture:
    """Keep a small picture for a card: a JPEG, PNG or WebP as the body. Only its pixels are kept."""
    photos = app_state().photos
    if photos is None:
        abort(404)
    return OwnPicture(app_state().own.keep_picture(photos.small(photo)))


@own_pages.get("/own/pictures/<name>.jpg")
def picture(name: str) -> Response:
    """A picture of a card. Its name comes from its pixels, so that it never changes."""
    jpeg = app_state().own.picture(name)
    if jpeg is None:
        abort(404)
    answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOR_GOOD
    return answer


def own_choices(game: AnyGame) -> dict[str, list[Choice]]:
    """What is kept for each option of a game; one that cannot be read is left out."""
    own, choices = app_state().own, dict[str, list[Choice]]()
    for option in game.editable:
        for name in own.names(game, option):
            with suppress(MendableError):
                value = msgspec.json.encode(own.value(game, option, name)).decode()
                choices.setdefault(option, []).append(Choice(value, name))
    return choices
