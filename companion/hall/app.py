"""The hall's pages: all tables, an evening and its referee, a big screen that turns through the boards.

Everybody on the house's network may look. Who types the PIN is a referee, on that device.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from flask import Flask, Response, abort, current_app, redirect, render_template, request, send_from_directory
from msgspec import Meta
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from companion import __version__, machine
from companion.errors import CompanionError
from companion.errors.causes import NOT_JSON, cause_of
from companion.games.registry import game, games
from companion.hall.evening import WORDS, EveningError
from companion.hall.hall import Hall, TableSeen
from companion.hall.payloads import Name, Plan
from companion.hall.view import HallShown, HallState, HallStream, TableStream, shown, tables_in_order
from companion.messages import LANGUAGES, capital, plain_name
from web import security
from web.app_state import TableNow
from web.connections import CONNECTION
from web.error_pages import sentence_of, sentence_of_http
from web.events import RETRY
from web.joining import TooManyGuesses
from web.language import choose_language, language, messages_of_page, say_language
from web.metrics import CONTENT_TYPE, Figure, as_text
from web.openapi import Nothing, Refusal, Route, Spoken, Stream, as_json, describe, overview
from web.packing import file_at, pack, packing, words_address
from web.permissions import LOOK

HERE = Path(__file__).parent

SCRIPTS = frozenset({"hall.js", "hall.css", "board.js", "board.css"})
"""Files beside this one that a browser may load."""

COOKIE = "referee"
"""The cookie of a device whose person has typed the PIN."""

SAID_BY_THE_PAGE = ("page.", "kind.", "table.", "state.")
"""The prefixes of the keys of words that scripts say."""

MOST_BODY_BYTES = 16_384

STATUS_OF = {
    "bad-body": 400,
    "no-such-match": 400,
    "no-such-player": 400,
    "not-the-referee": 403,
    "wrong-pin": 403,
    "too-many-guesses": 429,
    "no-broker": 503,
}
"""The status of a fault; others are a conflict."""


class PinTyped(msgspec.Struct, frozen=True):
    """The PIN that somebody typed."""

    pin: str


class NewPlayer(msgspec.Struct, frozen=True):
    """A player who comes."""

    name: Name


class PlayerGone(msgspec.Struct, frozen=True):
    """A player who goes home, by id."""

    player: str


class Correction(msgspec.Struct, frozen=True):
    """A result as the referee writes it: the rank of each player, 1 for the first; equal ranks share."""

    pairing: str
    ranks: dict[str, Annotated[int, Meta(ge=1, le=6)]]


class Move(msgspec.Struct, frozen=True):
    """A match that goes to another table."""

    pairing: str
    table: str


class CallOf(msgspec.Struct, frozen=True):
    """A call for a table, by its name on the broker; with `on` false, the end of it."""

    table: str
    on: bool = True


class AnswerToCall(msgspec.Struct, frozen=True):
    """The answer to a table that calls the referee, by its name on the broker; without `comes`, the end."""

    table: str
    comes: bool = True


def create_app(hall: Hall, names: frozenset[str] = frozenset()) -> Flask:
    """The pages of a hall; `names` are further names by which browsers may ask for it, in lower case."""
    app = Flask(__name__, static_folder=None, template_folder=str(HERE))
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY_BYTES
    app.extensions["companion"] = HallState(hall, names)
    app.jinja_options = {**app.jinja_options, "trim_blocks": True, "lstrip_blocks": True}
    app.context_processor(_words)
    app.before_request(_before)
    app.after_request(_after)
    app.register_blueprint(packing.blueprint)
    for path, answer in PAGES.items():
        app.add_url_rule(path, view_func=answer)
    for path, (kind, do) in ACTIONS.items():
        app.add_url_rule(path, path, view_func=_action(kind, do), methods=["POST"])
    app.register_error_handler(CompanionError, _refusal)
    app.register_error_handler(HTTPException, _refusal_of_http)
    return app


def state() -> HallState:
    """The hall of this request."""
    of_app: HallState = current_app.extensions["companion"]
    return of_app


def is_referee() -> bool:
    """True if the asker's device has shown the PIN."""
    cookie = request.cookies.get(COOKIE, "").encode(errors="replace")
    return hmac.compare_digest(cookie, state().secret.encode())


# -- pages ------------------------------------------------------------------------------------------------


def hall_page() -> str:
    """All tables, and the evening."""
    return render_template("hall.html", now=_json(shown(state().hall)), referee=is_referee(), games=games())


def big_page() -> AnyResponse:
    """The big screen: the board after the one that it showed, and after the last the standings."""
    tables = [table.name for table in tables_in_order(state().hall) if table.is_online and table.state]
    after = request.args.get("after", "")
    later = tables[tables.index(after) + 1 :] if after in tables else tables
    lang = request.args.get("lang", "")
    if later:
        return redirect(f"/boards/{later[0]}?turns&lang={lang}")
    return redirect(f"/standings?turns&lang={lang}")


def standings_page() -> str:
    """The standings, large."""
    return render_template("hall.html", now=_json(shown(state().hall)), referee=False, games={}, big=True)


def board_page(name: str) -> str:
    """The board of a table, as its own big screen shows it."""
    return _board("board.html", name)


def card_page(name: str) -> str:
    """The board of a table alone, for its card on the hall's page."""
    return _board("card.html", name)


def _board(template: str, name: str) -> str:
    table = _table(name)
    assert table.state is not None
    match = table.state.match
    rules = game(match.game)
    styles = [f"/games/{rules.slug}/{stylesheet}" for stylesheet in ("page.css", "page_display.css")]
    script = f"/games/{rules.slug}/page_display.js"
    return render_template(
        template,
        game=rules,
        table=table,
        now=_json(state().table.table_now(table)),
        idle=match.id if match.outcome or not match.moves else "",
        own_styles=[stylesheet for stylesheet in styles if file_at(stylesheet)],
        own_script=script if file_at(script) else "/static/display_plain.js",
        words_address=words_address(rules.slug, language()),
        turns="turns" in request.args,
    )


def words_script(tag: str) -> Response:
    """The words of the hall's page."""
    if tag not in LANGUAGES:
        abort(404)
    return Response(
        f"globalThis.words = {msgspec.json.encode(page_words(tag)).decode()};", mimetype="text/javascript"
    )


@cache
def page_words(tag: str) -> dict[str, str]:
    """Every word of the hall's page, and the names of all games and of their seats."""
    said = {key: text for key, text in WORDS.table(tag).items() if key.startswith(SAID_BY_THE_PAGE)}
    for slug, rules in games().items():
        said[f"game.{slug}"] = rules.names.get(tag, rules.names["en"])
        texts = messages_of_page(slug).table(tag)
        said |= {f"seat.{slug}.{key[5:]}": text for key, text in texts.items() if key.startswith("name.")}
    return said


def own_file(name: str) -> AnyResponse:
    """A script or style of the hall."""
    return send_from_directory(HERE, name) if name in SCRIPTS else abort(404)


def game_file(slug: str, name: str) -> AnyResponse:
    """A script, style or picture of a game, for its board."""
    path = file_at(f"/games/{slug}/{name}")
    return abort(404) if path is None else send_from_directory(path.parent, name)


# -- what programs ask ------------------------------------------------------------------------------------


def hall_now() -> Response:
    """All that the page shows, as JSON."""
    return Response(msgspec.json.encode(shown(state().hall)), mimetype="application/json")


def table_now(name: str) -> Response:
    """A table as its own pages are sent it, as JSON."""
    table = state().table.table_now(_table(name))
    return Response(msgspec.json.encode(table), mimetype="application/json")


def hall_events() -> Response:
    """Live events: `hall` with all that the page shows, `beat` while nothing changes."""
    return _stream(HallStream(state()))


def table_events(name: str) -> Response:
    """Live events of one table, as its own pages get them."""
    return _stream(TableStream(state(), _table(name).name, request.args.get("last", "")))


def metrics() -> Response:
    """The hall's figures for Prometheus."""
    hall = state().hall
    # A copy, because another thread may add a table.
    tables = list(hall.tables.values())
    online = sum(table.is_online for table in tables)
    states = [table.state for table in tables if table.state is not None]
    waiting = sum(shown.referee == "called" for shown in states)
    figures = (
        Figure("build_info", "gauge", "The version that runs", 1, {"version": __version__}),
        Figure(
            "memory_peak_bytes",
            "gauge",
            "The most memory that the hall has used",
            machine.peak_memory_bytes(),
        ),
        Figure("hall_connected", "gauge", "Whether the broker answers", hall.connected),
        Figure("hall_tables", "gauge", "Tables that are there", online),
        Figure(
            "hall_messages_total", "counter", "Messages of the broker that changed something", hall.version
        ),
        Figure("hall_open_matches", "gauge", "Matches without a result", len(hall.evening.open_pairings)),
        Figure("hall_calls", "gauge", "Tables that the referee calls", sum(shown.called for shown in states)),
        Figure("hall_waiting_tables", "gauge", "Tables that wait for the referee", waiting),
        Figure("phones", "gauge", "Browsers that listen now", state().streams),
    )
    return Response(as_text(figures), content_type=CONTENT_TYPE)


def health() -> Response:
    """200 while the broker answers, else 503 and the reason."""
    if state().hall.connected:
        return as_json({"ok": True, "says": ""})
    away = EveningError("no-broker")
    return as_json({"ok": False, "says": away.says(language()), "rule": away.fault}, 503)


PAGES: dict[str, Callable[..., Any]] = {
    "/": hall_page,
    "/big": big_page,
    "/standings": standings_page,
    "/boards/<name>": board_page,
    "/cards/<name>": card_page,
    "/words/<tag>.js": words_script,
    "/hall/<name>": own_file,
    "/games/<slug>/<name>": game_file,
    "/api/hall": hall_now,
    "/api/tables/<name>": table_now,
    "/api/events": hall_events,
    "/api/tables/<name>/events": table_events,
    "/metrics": metrics,
    "/health": health,
}


# -- what the referee does --------------------------------------------------------------------------------


def _be_referee(hall: Hall, typed: PinTyped) -> None:
    address = request.remote_addr or ""
    with state().lock:
        try:
            state().guesses.check(address)
        except TooManyGuesses as error:
            raise EveningError("too-many-guesses", seconds=int(error.wait_s) + 1) from error
        if not hmac.compare_digest(typed.pin.replace(" ", "").encode(), state().pin.encode()):
            state().guesses.wrong(address)
            raise EveningError("wrong-pin")


ACTIONS: dict[str, tuple[Any, Callable[[Hall, Any], None]]] = {
    "/api/referee": (PinTyped, _be_referee),
    "/api/plan": (Plan, lambda hall, plan: hall.plan(plan)),
    "/api/players": (NewPlayer, lambda hall, new: hall.add(new.name)),
    "/api/players/leave": (PlayerGone, lambda hall, gone: hall.leave(gone.player)),
    "/api/rounds": (Nothing, lambda hall, _: hall.next_round()),
    "/api/results": (Correction, lambda hall, result: hall.correct(result.pairing, result.ranks)),
    "/api/tables/move": (Move, lambda hall, move: hall.move(move.pairing, move.table)),
    "/api/referee/comes": (AnswerToCall, lambda hall, to: hall.answer_call(to.table, comes=to.comes)),
    "/api/calls": (CallOf, lambda hall, of: hall.call(of.table, on=of.on)),
}
"""The action of each path; all but the first for the referee alone."""


DONE = dict[str, bool]
HEALTH = dict[str, Any]
GIVEN: dict[str, Any] = {
    "/api/hall": HallShown,
    "/api/tables/<name>": TableNow,
    "/api/events": Stream("hall", HallShown),
    "/api/tables/<name>/events": Stream("table", TableNow),
    "/metrics": "text/plain; version=0.0.4",
    "/health": HEALTH,
}
"""What programs are given, by path."""

MAY_REFUSE = {"/api/tables/<name>": (404,), "/api/tables/<name>/events": (404,), "/health": (503,)}

SECRETS = {
    "referee": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by /api/referee"}
}


def described() -> list[Route]:
    """The routes in the description of the hall's API."""
    looks = [
        Route("hall", "GET", path, LOOK, PAGES[path].__doc__ or "", None, gives, MAY_REFUSE.get(path, ()))
        for path, gives in GIVEN.items()
    ]
    acts = [
        Route(
            "referee",
            "POST",
            path,
            LOOK,
            (kind.__doc__ or "").partition("\n")[0],
            kind,
            DONE,
            (400, 403, *((429,) if path == "/api/referee" else (409, 503))),
        )
        for path, (kind, _) in ACTIONS.items()
    ]
    return looks + acts


def openapi() -> Response:
    """The description of the hall's API."""
    title, server = "A hall of Table Companion", request.host_url.rstrip("/")
    return as_json(describe(described(), server, title, SECRETS, Spoken))


PAGES |= {"/api": lambda: overview(described()), "/api/openapi.json": openapi}


def _action(kind: Any, do: Callable[[Hall, Any], None]) -> Callable[[], Response]:
    def answer() -> Response:
        if do is not _be_referee and not is_referee():
            raise EveningError("not-the-referee")
        given: object = None
        try:
            given = msgspec.json.decode(request.get_data() or b"{}")
            if isinstance(given, dict) and isinstance(given.get("name"), str):
                given["name"] = plain_name(given["name"], len(given["name"]))
            body = msgspec.convert(given, kind)
        except NOT_JSON as error:
            raise EveningError("bad-body", cause=cause_of(error, kind, given)) from error
        do(state().hall, body)
        done = Response(b'{"ok":true}', mimetype="application/json")
        if do is _be_referee:
            done.set_cookie(COOKIE, state().secret, httponly=True, samesite="Lax")
        return done

    return answer


# -- every request ----------------------------------------------------------------------------------------


def _before() -> Any:
    host = request.headers.get("Host", "")
    if not security.is_ours(host, state().names):
        return _refuse("foreign-host", _say("fault.foreign-host", host=host[:80]), 421)
    if security.from_another_site():
        return _refuse("another-site", _say("fault.another-site"), 403)
    return choose_language()


def _after(answer: Response) -> Response:
    if answer.mimetype == "text/html":
        answer = pack(say_language(answer))
    return _framed(security.harden(answer))


def _framed(answer: Response) -> Response:
    """The hall's page may hold its own cards in frames; nobody else's page may."""
    policy = answer.headers["Content-Security-Policy"]
    if request.endpoint == hall_page.__name__:
        answer.headers["Content-Security-Policy"] = f"{policy}; frame-src 'self'"
    elif request.endpoint == card_page.__name__:
        answer.headers["Content-Security-Policy"] = policy.replace("ancestors 'none'", "ancestors 'self'")
        answer.headers["X-Frame-Options"] = "SAMEORIGIN"
    return answer


def _refuse(rule: str, says: str, status: int) -> Response:
    """Refuse a request: JSON for the API, a sentence for a person."""
    if request.path.startswith("/api/") or request.method != "GET":
        return as_json(Refusal(rule, says), status)
    return Response(f"{says}\n", status, mimetype="text/plain")


def _refusal(error: CompanionError) -> Response:
    if not isinstance(error, EveningError):
        # A plan's game or options.
        return _refuse("not-an-option", sentence_of(error), 400)
    answer = _refuse(error.fault, error.says(language()), STATUS_OF.get(error.fault, 409))
    if answer.status_code == 429:
        answer.headers["Retry-After"] = str(error.facts["seconds"])
    return answer


def _refusal_of_http(error: HTTPException) -> Response | HTTPException:
    code = error.code or 500
    return error if code < 400 else _refuse(f"http-{code}", sentence_of_http(code), code)


def _words() -> dict[str, Any]:
    return {"t": _say, "language": language(), "languages": LANGUAGES, "capital": capital}


def _say(key: str, **facts: str | int) -> str:
    return WORDS.say(key, language(), **facts)


def _table(name: str) -> TableSeen:
    table = state().hall.tables.get(name)
    return abort(404) if table is None or table.state is None else table


def _json(value: Any) -> str:
    """A value for a page's `<script>`, without any `<`, so that it cannot end the script."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _stream(followed: HallStream) -> Response:
    connection = request.environ.get(CONNECTION)
    if connection is None:
        return Response(followed.text(), mimetype="text/event-stream")
    of_app = state()
    of_app.streams += 1

    def ended() -> None:
        of_app.streams -= 1

    connection.follow(followed, ended)
    # An iterator: a text of known length would end the connection with it.
    return Response(iter([RETRY]), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
