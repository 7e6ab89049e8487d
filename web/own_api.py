"""Boards of one's own: the page that draws them, the file of each, keeping and removing them."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, abort, render_template, request

from companion.errors import MendableError
from companion.games import data_files
from companion.games.data_files import Drawable
from companion.games.registry import AnyGame, games
from companion.play.own_files import is_name, rows_of
from web.app_state import app_state
from web.error_pages import refuse, say, sentence_of
from web.forms import Choice
from web.kept import speak_of
from web.openapi import Routes

own_api = Routes("own")
own_pages = Blueprint("own_pages", __name__)


class OwnBoard(msgspec.Struct, frozen=True):
    """A board to keep: its game and option, its name, and its rows of signs or the text of its file.

    `like` is the name of the kept board from which it was drawn; empty for none.
    """

    game: str
    option: str
    name: str
    rows: tuple[str, ...] = ()
    text: str = ""
    like: str = ""


class OwnName(msgspec.Struct, frozen=True):
    """A board that is kept, by its game, option and name."""

    game: str
    option: str
    name: str


class _Own(NamedTuple):
    game: AnyGame
    option: str
    drawable: Drawable


def _own(slug: str, option: str) -> _Own:
    """What can be drawn for an option of a game; else there is no such page."""
    game = games().get(slug)
    drawable = game.drawable.get(option) if game is not None else None
    return abort(404) if game is None or drawable is None else _Own(game, option, drawable)


@own_api.route("POST", "/api/own", takes=OwnBoard, gives=OwnName, refusals=(400, 403, 404))
def keep(board: OwnBoard) -> OwnName | Response:
    """Keep a board that was drawn, or a file that was made elsewhere, under a name."""
    game, option, drawable = _own(board.game, board.option)
    name = " ".join(board.name.split())
    if not is_name(name):
        return refuse("bad-name", say("web.own-bad-name"), 400)
    own = app_state().own
    try:
        before = own.text(game, option, board.like) or ""
        own.keep(game, option, name, board.text or drawable.write(name, board.rows, before))
    except MendableError as error:
        return refuse("not-an-option", sentence_of(error), 400)
    return OwnName(game.slug, option, name)


@own_api.route("POST", "/api/own/remove", takes=OwnName, gives=OwnName, refusals=(400, 403, 404))
def remove(named: OwnName) -> OwnName:
    """Remove a board; matches that were begun with it go on as they are."""
    game, option, _ = _own(named.game, named.option)
    if not app_state().own.remove(game, option, named.name):
        abort(404)
    return named


@own_pages.get("/own/<slug>/<option>")
def drawing(slug: str, option: str) -> str:
    """The page that draws a board for an option of a game: a new one, or one that is kept."""
    game, _, drawable = _own(slug, option)
    speak_of(game)
    own = app_state().own
    name = request.args.get("name", "")
    names = own.names(game, option)
    rows = _first(game, option, drawable)
    with suppress(MendableError):  # a file that somebody spoilt by hand
        rows = own.rows(game, option, name) if name in names else rows
    return render_template(
        "own.html",
        game=game,
        page="own",
        option=option,
        drawable=drawable,
        name=name if name in names else "",
        names=names,
        rows=rows,
    )


@own_pages.get("/own/<slug>/<option>/<name>.toml")
def file(slug: str, option: str, name: str) -> Response:
    """The file of a board, as the option of the command line takes it."""
    game, _, _ = _own(slug, option)
    text = app_state().own.text(game, option, name)
    if text is None:
        abort(404)
    answer = Response(text, mimetype="application/toml")
    answer.headers["Content-Disposition"] = "attachment"
    return answer


def own_choices(game: AnyGame) -> dict[str, list[Choice]]:
    """The boards that are kept for each option of a game; one that cannot be read is left out."""
    own, choices = app_state().own, dict[str, list[Choice]]()
    for option in game.drawable:
        for name in own.names(game, option):
            with suppress(MendableError):
                value = msgspec.json.encode(own.value(game, option, name)).decode()
                choices.setdefault(option, []).append(Choice(value, name))
    return choices


def _first(game: AnyGame, option: str, drawable: Drawable) -> tuple[str, ...]:
    """The drawing of the board that the option names by default."""
    default = str(getattr(game.options({}), option))
    return rows_of(drawable, data_files.find(default, drawable.folder, option).toml.text, default)
