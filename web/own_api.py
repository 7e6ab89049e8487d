"""Boards and decks of one's own: their pages and files, keeping and removing them."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import msgspec
from flask import Response, abort, render_template, request

from companion.errors import InvalidMove, MoveError, UserError
from companion.games import data_files
from companion.games.data_files import Countable, Drawable, Editable, Scripted
from companion.games.registry import AnyGame, game, games
from companion.messages import Phrase, plain_name
from companion.play.own_files import data_file, is_name
from web.app_state import app_state, or_404, running
from web.error_pages import refuse, say, sentence_of
from web.forms import Choice
from web.identity import speak_of
from web.openapi import Routes
from web.packing import FOR_GOOD
from web.permissions import LOOK, OWN

own_api = Routes("own")
own_pages = Routes("own_pages")

TEMPLATES: dict[type, str] = {
    Drawable: "own_board.html",
    Countable: "own_numbers.html",
    Scripted: "own_scripted.html",
}


class OwnBoard(msgspec.Struct, frozen=True):
    """A board or deck to keep, by its game, option and name.

    Its content is its rows of signs, its numbers by key, or the text of its file. `like` is the name of the
    kept board from which it was drawn, or empty.
    """

    game: str
    option: str
    name: str
    rows: tuple[str, ...] = ()
    numbers: dict[str, int] = {}
    text: str = ""
    like: str = ""


class OwnName(msgspec.Struct, frozen=True):
    """A kept board, by its game, option and name."""

    game: str
    option: str
    name: str


class OwnPicture(msgspec.Struct, frozen=True):
    """The name of a kept picture."""

    picture: str


class _Own(NamedTuple):
    game: AnyGame
    option: str
    kind: Editable


def _own(slug: str, option: str) -> _Own:
    """The kind of board for an option of a game; 404 without one."""
    rules = games().get(slug)
    kind = rules.about.editable.get(option) if rules is not None else None
    return abort(404) if rules is None or kind is None else _Own(rules, option, kind)


def _own_of_body(slug: str, option: str) -> _Own:
    """The kind of board that a body names. Raises `TableError`, `InvalidMove`."""
    kinds = game(slug).about.editable
    if option not in kinds:
        fault = Phrase("cause.no-such-field", {"field": option, "choices": ", ".join(kinds)})
        raise InvalidMove(slug, "not-an-option", fault=fault)
    return _own(slug, option)


@own_api.route("POST", "/api/own", who=OWN, takes=OwnBoard, gives=OwnName)
def keep(board: OwnBoard) -> OwnName | Response:
    """Keep a board or deck under a name; it was made on the page, or as a file elsewhere."""
    made = _own_of_body(board.game, board.option)
    rules, option, _ = made
    name = plain_name(board.name, len(board.name))
    if not is_name(name):
        return refuse("bad-name", say("web.own-bad-name"), 400)
    files = app_state().own
    try:
        text = board.text or _text(made, board, name)
        files.check(rules, option, name, text)
        files.keep(rules, option, name, text)
    except (UserError, MoveError) as error:
        return refuse("not-an-option", sentence_of(error), 400)
    return OwnName(rules.slug, option, name)


def _text(made: _Own, board: OwnBoard, name: str) -> str:
    if isinstance(made.kind, Scripted):
        return board.text
    if isinstance(made.kind, Countable):
        return made.kind.write(board.numbers)
    before = app_state().own.text(made.game, made.option, board.like) or ""
    return made.kind.write(name, board.rows, before)


@own_api.route("POST", "/api/own/remove", who=OWN, takes=OwnName, gives=OwnName, refusals=(404,))
def remove(named: OwnName) -> OwnName:
    """Remove a board; matches begun with it go on."""
    rules, option, _ = _own_of_body(named.game, named.option)
    if not app_state().own.remove(rules, option, named.name):
        abort(404)
    return named


@own_pages.page("/own/<slug>/<option>", who=LOOK)
def editor(slug: str, option: str) -> str:
    """The page that makes a board or deck for an option of a game, or edits a kept one."""
    rules, _, kind = _own(slug, option)
    speak_of(rules)
    files = app_state().own
    name = request.args.get("name", "")
    names = files.names(rules, option)
    default = str(getattr(rules.options({}), option))
    made = kind.contents(data_files.find(default, kind.folder, option))
    with suppress(UserError):  # a file that somebody spoilt by hand
        if name in names:
            made = kind.contents(data_file(files.text(rules, option, name) or "", name))
    return render_template(
        TEMPLATES[type(kind)],
        game=rules,
        page="own",
        option=option,
        kind=kind,
        name=name if name in names else "",
        names=names,
        made=made,
        made_json=msgspec.json.encode(made).decode() if isinstance(kind, Scripted) else "",
    )


@own_pages.page("/own/<slug>/<option>/<name>.toml", who=LOOK)
def file(slug: str, option: str, name: str) -> Response:
    """The file of a board or deck, for the command line's option."""
    rules, _, _ = _own(slug, option)
    answer = Response(or_404(app_state().own.shared_text(rules, option, name)), mimetype="application/toml")
    answer.headers["Content-Disposition"] = "attachment"
    return answer


@own_api.route(
    "POST", "/api/own/picture", who=OWN, takes="image/*", gives=OwnPicture, refusals=(404, 409, 413, 503)
)
def keep_picture(photo: bytes) -> OwnPicture:
    """Keep a small picture for a card: a JPEG, PNG or WebP as the body. Only its pixels are kept."""
    photos = or_404(running().photos)
    return OwnPicture(app_state().own.keep_picture(photos.small(photo, request.remote_addr or "")))


@own_pages.page("/own/pictures/<name>.jpg", who=LOOK)
def picture(name: str) -> Response:
    """A card's picture. Its name comes from its pixels, so it never changes."""
    answer = Response(or_404(app_state().own.picture(name)), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOR_GOOD
    return answer


def own_choices(game: AnyGame) -> dict[str, list[Choice]]:
    """Kept boards for each option of a game, except unreadable ones."""
    files, choices = app_state().own, dict[str, list[Choice]]()
    for option in game.about.editable:
        for name in files.names(game, option):
            with suppress(UserError):
                value = msgspec.json.encode(files.value(game, option, name)).decode()
                choices.setdefault(option, []).append(Choice(value, name))
    return choices
