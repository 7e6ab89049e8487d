"""The Flask app: pages, API and live stream of one table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, abort, request
from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader
from markupsafe import Markup

from companion import MOST_PHOTO_BYTES
from companion.broker.service import BrokerService
from companion.errors import PhotoError, UserError
from companion.games.registry import game, games, hides
from companion.games.watching import SeesDice
from companion.messages import LANGUAGES, capital
from companion.service.running_table import RunningTable
from web import error_pages, permissions, security
from web.app_state import AppState, app_state
from web.ask_api import ask_api
from web.camera_api import camera_api
from web.connections import CONNECTION, NO_ROOM, most_bytes, takes_a_photo
from web.events import events, too_many
from web.identity import game_shown, kept_match, now_shown, phone
from web.language import (
    choose_language,
    language,
    local_day,
    local_time,
    messages_of_page,
    month_name,
    percent,
    say_language,
)
from web.look_back_api import look_back_api
from web.match_api import match_api
from web.matches import matches_api
from web.metrics import metrics
from web.openapi import Routes, describe, overview
from web.opponent_api import opponent_api
from web.own_api import own_api, own_pages
from web.packing import icon_address, pack, packing, prepare, words_address
from web.pages import pages
from web.panel_api import panel_api
from web.permissions import FILES
from web.photos_api import photos_api
from web.records_pages import records_pages
from web.seats_api import seats_api
from web.settings_api import settings_api
from web.streams import Places

description = Routes("description")

EVERY_ROUTE = (
    pages,
    own_pages,
    packing,
    match_api,
    ask_api,
    matches_api,
    camera_api,
    seats_api,
    panel_api,
    settings_api,
    photos_api,
    records_pages,
    own_api,
    opponent_api,
    look_back_api,
    events,
    metrics,
    description,
)


@description.route("GET", "/api/openapi.json", who=FILES, gives=dict[str, Any])
def openapi() -> dict[str, Any]:
    """This description."""
    return describe(DESCRIBED, request.host_url.rstrip("/"))


@description.page("/api", who=FILES)
def api() -> Response:
    """Recipes for programs, and every route."""
    return overview(DESCRIBED)


DESCRIBED = [route for routes in EVERY_ROUTE for route in routes.described]

WHO = {f"{route.method} {route.path}": route.who for routes in EVERY_ROUTE for route in routes.every}

TEMPLATES = Path(__file__).with_name("templates")
"""The pages' own templates; each game's template is in the game's folder."""

MOST_STREAMS = 200


def create_app(
    running: RunningTable, broker: BrokerService | None = None, names: Iterable[str] = ()
) -> Flask:
    """The pages of a running table, which is published on `broker`.

    `names` are further names by which phones may ask for it (`security.is_ours` knows the usual ones).
    """
    app = Flask(__name__, static_folder=None)
    # The longest of all; `_before` holds each request to the limit of its own path.
    app.config["MAX_CONTENT_LENGTH"] = MOST_PHOTO_BYTES
    known = frozenset(name.lower().removesuffix(".") for name in names)
    app.extensions["companion"] = AppState(running, Places(MOST_STREAMS), broker, known)
    _set_up_templates(app)
    app.before_request(_before)
    app.after_request(_after)
    for routes in EVERY_ROUTE:
        app.register_blueprint(routes.blueprint)
    error_pages.register(app)
    return app


def _set_up_templates(app: Flask) -> None:
    app.jinja_options = {**app.jinja_options, "trim_blocks": True, "lstrip_blocks": True}
    app.jinja_loader = ChoiceLoader([FileSystemLoader(TEMPLATES), FunctionLoader(_game_template)])
    app.context_processor(_page_words)
    for filter_ in (local_day, local_time, month_name, capital, percent):
        app.add_template_filter(filter_)


CONDITION = re.compile(r"\{% if (?:(?!\{% if ).)*?\{% endif %\}", re.DOTALL)
"""An optional part of a template, without others inside."""


def load_pages(app: Flask) -> None:
    """Load everything that the first view of a page needs: games, messages and templates.

    On a Pi this takes seconds, so it runs in a background thread.
    """
    frame = (TEMPLATES / "base.html").read_text("utf-8")
    while CONDITION.search(frame):
        frame = CONDITION.sub("", frame)
    for slug in games():
        messages_of_page(slug)
        page = _game_template(f"games/{slug}/page.html")
        if page is not None:
            app.jinja_env.get_template(f"games/{slug}/page.html")
            prepare(slug, frame + page)
    for path in TEMPLATES.glob("*.html"):
        app.jinja_env.get_template(path.name)


def _game_template(name: str) -> str | None:
    """A template from a game's own folder: `games/<slug>/page.html`, or one of its drawings."""
    parts = name.split("/")
    if (
        len(parts) != 3
        or parts[0] != "games"
        or parts[2] not in ("page.html", "page_cover.svg", "page_rules.svg")
    ):
        return None
    try:
        page = game(parts[1]).folder / parts[2]
    except UserError:
        return None
    return page.read_text("utf-8") if page.is_file() else None


def _page_words() -> dict[str, Any]:
    slug, state = game_shown().slug, app_state()
    running = state.running
    words, tongue = messages_of_page(slug), language()

    def say(key: str, **facts: str | int) -> str:
        return words.say(key, tongue, **facts)

    def name(seat: str, of: str = slug) -> str:
        its_words = messages_of_page(of)
        named = f"name.{seat}"
        return capital(its_words.say(named, tongue) if named in its_words else seat)

    def name_field(seat: str, of: str) -> str:
        """The label of the field for a player's name: the game's own words, or the seat's name."""
        its_words, key = messages_of_page(of), f"player-of.{seat}"
        return its_words.say(key, tongue) if key in its_words else say("web.who-plays", seat=name(seat, of))

    return {
        "t": say,
        "seat_name": name,
        "name_field": name_field,
        "language": tongue,
        "languages": LANGUAGES,
        "words": words,
        "words_address": words_address(slug, tongue),
        "icon_address": icon_address(),
        "now": now_shown,
        "rules_address": f"/rules/{slug}" if "short-rules.1" in words else "",
        "kept_match": kept_match(),
        "on_table": running.table.snapshot.match.record.id,
        "game_hides": hides(game_shown()),
        "camera_there": running.camera is not None,
        "may": lambda line: state.may(phone(), getattr(permissions, line)),
        "demo_there": running.demo is not None,
        "demo_plays": running.in_demo,
        "seated": state.table.seats.seating.seat_of(phone()) is not None,
        "photos_there": running.photos is not None,
        "throws_photos": _throws_photos(),
        "panel_there": running.panel is not None,
        "referee_there": state.broker is not None and state.broker.state != "off",
        "opponent": running.opponent,
        "now_json": _now_json,
    }


def _throws_photos() -> bool:
    """True where this page takes a photo of the dice, for want of a camera."""
    state = app_state()
    sees_dice = isinstance(game_shown(), SeesDice)
    return (
        sees_dice
        and state.running.photos is not None
        and state.running.camera is None
        and state.may(phone(), permissions.KEPT_PHOTOS)
    )


def _now_json() -> Markup:
    """The current table for a page's `<script>`; without any `<`, it cannot end the script."""
    shown = app_state().encoded(phone())[1] if kept_match() is None else msgspec.json.encode(now_shown())
    return Markup(shown.decode().replace("<", "\\u003c"))


def _before() -> Any:
    if not security.is_ours(request.headers.get("Host", ""), app_state().names):
        return error_pages.foreign_host()
    if security.from_another_site():
        return error_pages.refuse("another-site", error_pages.say("web.another-site"), 403)
    state, asker = app_state(), phone()
    state.touch(asker)
    if CONNECTION in request.environ and state.table.seats.knows(asker):
        request.environ[CONNECTION].known = True
    if request.environ.get(NO_ROOM):
        raise PhotoError("busy")
    if (request.content_length or 0) > most_bytes(request.path):
        if takes_a_photo(request.path):
            raise PhotoError("too-large", megabytes=MOST_PHOTO_BYTES // 1_000_000)
        abort(413)
    if request.url_rule is not None and request.method != "OPTIONS":
        method = "GET" if request.method == "HEAD" else request.method
        line = WHO.get(f"{method} {request.url_rule.rule}")
        if line is None or not state.may(asker, line):
            return error_pages.not_allowed(line)
    return too_many() or choose_language()


def _after(answer: Response) -> Response:
    if answer.mimetype == "text/html":
        answer = pack(say_language(answer))
    return security.harden(answer)
