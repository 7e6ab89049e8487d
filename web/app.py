"""The Flask app: pages, API and live stream of one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, abort, request
from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader
from markupsafe import Markup

from companion import MOST_PHOTO_BYTES
from companion.errors import MendableError, PhotoError
from companion.games.registry import game, games, hides
from companion.games.watching import SeesDice
from companion.messages import LANGUAGES
from companion.play.table import Table
from web import dates, error_pages, hosts, pages, permissions, security
from web.app_state import AppState, app_state
from web.bodies import NO_ROOM, most_bytes, takes_a_photo
from web.camera_port import CameraPort
from web.connections import CONNECTION
from web.demo_port import Demo
from web.events import too_many
from web.home_screen import home_screen
from web.identity import phone
from web.kept import game_shown, kept_match, now_shown
from web.language import choose_language, language, messages_of_page, say_language
from web.match_pages import match_pages
from web.numbers import percent
from web.offline import offline_pages
from web.own_api import own_pages
from web.packing import (
    caching_of_static,
    icon_address,
    pack,
    packing,
    prepare,
    words_address,
    words_of,
)
from web.panel_port import Panel
from web.photo_port import PhotoPort
from web.routes import EVERY_ROUTE
from web.settings_port import SettingsPort

TEMPLATES = Path(__file__).with_name("templates")
"""The folder with the pages' own templates; each game's template is in the game's folder."""

MOST_STREAMS = 200
"""The maximum number of live streams at once."""


def create_app(
    table: Table,
    camera: CameraPort | None,
    panel: Panel | None = None,
    *,
    names: Iterable[str] = (),
    kitchen: bool = False,
    set_back_min: Callable[[], int] = lambda: 0,
    demo: Demo | None = None,
    settings: SettingsPort | None = None,
    sheet: Callable[[str, str], bytes | None] | None = None,
    photos: PhotoPort | None = None,
) -> Flask:
    """The app of `table`; `camera` and `panel` are None without one.

    `names` are further names by which phones may ask for it (`hosts` has those that are known anyway). At a
    `kitchen` table everyone may always do everything. `set_back_min` says by how many minutes the machine's
    clock was set back lately. `demo` is the table at which virtual people play. `sheet` gives the PDF of a
    sheet to print, by its name and language. `photos` reads photos.
    """
    app = Flask(__name__)
    # The longest of all; `_before` holds each request to the limit of its own path.
    app.config["MAX_CONTENT_LENGTH"] = MOST_PHOTO_BYTES
    known = frozenset(name.lower().removesuffix(".") for name in names)
    app.extensions["companion"] = AppState(
        table,
        camera,
        MOST_STREAMS,
        panel,
        known,
        kitchen,
        set_back_min,
        demo,
        settings=settings,
        sheet=sheet,
        photos=photos,
    )
    _set_up_templates(app)
    app.before_request(_before)
    app.after_request(_after)
    _add_routes(app)
    return app


def _set_up_templates(app: Flask) -> None:
    """Where templates are found, and the values and filters that each of them may use."""
    app.jinja_options = {**app.jinja_options, "trim_blocks": True, "lstrip_blocks": True}
    app.jinja_loader = ChoiceLoader([FileSystemLoader(TEMPLATES), FunctionLoader(_game_template)])
    app.context_processor(_page_words)
    for each in (dates.local_day, dates.local_time, dates.month_name, pages.capital, percent):
        app.add_template_filter(each)


def _add_routes(app: Flask) -> None:
    """The API's routes, the pages, and the answers to what goes wrong."""
    for each in EVERY_ROUTE:
        app.register_blueprint(each.blueprint)
    for blueprint in (pages.pages, match_pages, own_pages, home_screen, offline_pages, packing):
        app.register_blueprint(blueprint)
    error_pages.register(app)


def load_pages(app: Flask) -> None:
    """Load what the first view of a page would wait for: every game, its messages and all templates.

    On a Pi this takes seconds, so the companion does it in a background thread once it serves.
    """
    frame = (TEMPLATES / "base.html").read_text("utf-8")
    for slug in games():
        messages_of_page(slug)
        for tongue in LANGUAGES:
            words_of(slug, tongue)
        page = _game_template(f"games/{slug}/page.html")
        if page is not None:
            app.jinja_env.get_template(f"games/{slug}/page.html")
            prepare(frame + page)
    for path in TEMPLATES.glob("*.html"):
        app.jinja_env.get_template(path.name)
        prepare(frame + path.read_text("utf-8"))


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
    except MendableError:
        return None
    return page.read_text("utf-8") if page.is_file() else None


def _page_words() -> dict[str, Any]:
    slug = game_shown().slug
    words, tongue = messages_of_page(slug), language()

    def say(key: str, **facts: str | int) -> str:
        return words.say(key, tongue, **facts)

    def name(seat: str, of: str = slug) -> str:
        its_words = messages_of_page(of)
        named = f"name.{seat}"
        return pages.capital(its_words.say(named, tongue) if named in its_words else seat)

    def name_field(seat: str, of: str) -> str:
        """The label of the field for a player's name: the game's own words, or the seat's name."""
        its_words, own = messages_of_page(of), f"player-of.{seat}"
        return its_words.say(own, tongue) if own in its_words else say("web.who-plays", seat=name(seat, of))

    return {
        "t": say,
        "seat_name": name,
        "name_field": name_field,
        "language": tongue,
        "languages": LANGUAGES,
        "words": words,
        "words_address": partial(words_address, slug, tongue),
        "icon_address": icon_address(),
        "now": now_shown,
        "rules_address": f"/rules/{slug}" if "short-rules.1" in words else "",
        "kept_match": kept_match(),
        "on_table": app_state().table.snapshot.match.record.id,
        "game_hides": hides(game_shown()),
        "camera_there": app_state().camera is not None,
        "may": lambda line: app_state().may(phone(), getattr(permissions, line)),
        "demo_there": app_state().demo is not None,
        "settings_there": app_state().settings is not None,
        "demo_plays": (demo := app_state().demo) is not None and demo.plays,
        "seated": app_state().seat(phone()) is not None,
        "photos_there": app_state().photos is not None,
        "throws_photos": _throws_photos(),
        "panel_there": app_state().panel is not None,
        "referee_there": (broker := app_state().broker) is not None and broker.state != "off",
        "opponent_there": app_state().opponent is not None,
        "now_json": _now_json,
    }


def _throws_photos() -> bool:
    """Whether a photo of the dice is taken on this page: no camera sees them."""
    state = app_state()
    sees_dice = isinstance(game_shown(), SeesDice)
    return (
        sees_dice
        and state.photos is not None
        and state.camera is None
        and state.may(phone(), permissions.SCORE)
    )


def _now_json() -> Markup:
    """The current table for a page's `<script>`, without any `<`, so that it cannot end the script."""
    now = app_state().encoded(phone())[1] if kept_match() is None else msgspec.json.encode(now_shown())
    return Markup(now.decode().replace("<", "\\u003c"))


def _before() -> Any:
    if not hosts.is_ours(request.headers.get("Host", ""), app_state().names):
        return error_pages.foreign_host()
    if security.from_another_site():
        return error_pages.refuse("another-site", error_pages.say("web.another-site"), 403)
    state, asker = app_state(), phone()
    state.hear(asker)
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
        line = permissions.LINE_OF.get(f"{method} {request.url_rule.rule}")
        if line is None or not state.may(asker, line):
            return error_pages.not_allowed(line)
    return too_many() or choose_language()


def _after(answer: Response) -> Response:
    if request.endpoint == "static":
        answer.headers["Cache-Control"] = caching_of_static((request.view_args or {}).get("filename", ""))
    elif answer.mimetype == "text/html":
        answer = pack(say_language(answer))
    return security.harden(answer)
