"""The hall's pages: all tables, an evening and its referee, a big screen that turns through the boards.

Everybody on the house's network may look. Who types the PIN is a referee, on that device.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

import msgspec
from flask import Flask, Response, abort, current_app, redirect, render_template, request, send_from_directory
from msgspec import Meta
from werkzeug.wrappers import Response as AnyResponse

from companion import __version__, machine
from companion.errors import CompanionError
from companion.errors.causes import NOT_JSON, cause_of
from companion.games.registry import game, games
from companion.hall.evening import WORDS, EveningError
from companion.hall.hall import Hall
from companion.hall.payloads import Name, Plan
from companion.hall.streams import HallStream, News, TableStream
from companion.hall.tables import TableSeen
from companion.hall.view import HallShown, shown, tables_in_order
from companion.messages import LANGUAGES, Messages
from web import hosts, security
from web.connections import CONNECTION
from web.events import RETRY
from web.figures import CONTENT_TYPE, Figure, as_text
from web.guesses import Guesses, TooManyGuesses
from web.invites import short_code
from web.language import choose_language, language, messages_of_page, say_language
from web.packing import STATIC, file_at, pack, packing, words_address
from web.pages import capital

HERE = Path(__file__).parent
"""The folder of the hall's templates, scripts and styles."""

SCRIPTS = frozenset({"hall.js", "hall.css", "board.js", "board.css"})
"""Files of that folder that a browser may load."""

COOKIE = "referee"
"""The cookie of a device whose person has typed the PIN."""

SAID_BY_THE_PAGE = ("page.", "kind.", "table.", "state.")
"""The beginnings of the keys of words that scripts say."""

MOST_BODY_BYTES = 16_384
"""The longest body of a request."""


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
    """The answer to a table that calls the referee, by its name on the broker; without `comes`, its end."""

    table: str
    comes: bool = True


class HallState:
    """One hall's app: what the server and every request need."""

    def __init__(self, hall: Hall, names: frozenset[str] = frozenset()) -> None:
        self.hall, self.names = hall, names
        self.table = News(hall)
        """What wakes the live streams; the server knows it by this name."""
        self.pin = short_code()
        self.secret = secrets.token_urlsafe(16)
        self.guesses = Guesses()
        self.lock = Lock()
        self.language = ""
        self.stopped = False
        self.streams = 0

    def stop(self) -> None:
        """End every live stream now."""
        self.stopped = True
        self.hall.notify()


def create_app(hall: Hall, names: frozenset[str] = frozenset()) -> Flask:
    """The pages of a hall; `names` are further names by which browsers may ask for it, in lower case."""
    app = Flask(__name__, static_folder=str(STATIC), template_folder=str(HERE))
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY_BYTES
    app.extensions["companion"] = HallState(hall, names)
    app.jinja_options = {**app.jinja_options, "trim_blocks": True, "lstrip_blocks": True}
    app.context_processor(_words)
    app.before_request(_before)
    app.after_request(_after)
    app.register_blueprint(packing)
    for path, answer in PAGES.items():
        app.add_url_rule(path, view_func=answer)
    for path, (kind, do) in ACTIONS.items():
        app.add_url_rule(path, path, view_func=_action(kind, do), methods=["POST"])
    app.register_error_handler(CompanionError, _refusal)
    return app


def state() -> HallState:
    """The hall of this request."""
    of_app: HallState = current_app.extensions["companion"]
    return of_app


def is_referee() -> bool:
    """Whether the asker's device has shown the PIN."""
    return hmac.compare_digest(request.cookies.get(COOKIE, ""), state().secret)


# -- pages ------------------------------------------------------------------------------------------------


def hall_page() -> str:
    """All tables, and the evening."""
    return render_template("hall.html", now=_json(shown(state().hall)), referee=is_referee(), games=games())


def big_page() -> AnyResponse:
    """The big screen: the board after the one that it showed, and after the last the standings."""
    tables = [each.name for each in tables_in_order(state().hall) if each.is_online and each.state]
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
    styles = [f"/games/{rules.slug}/{each}" for each in ("page.css", "page_display.css")]
    script = f"/games/{rules.slug}/page_display.js"
    return render_template(
        template,
        game=rules,
        table=table,
        now=_json(state().table.table_now(table)),
        idle=match.id if match.outcome or not match.moves else "",
        own_styles=[each for each in styles if file_at(each)],
        own_script=script if file_at(script) else "/static/display_plain.js",
        words_address=words_address(rules.slug, language(), "display"),
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
    for slug, each in games().items():
        said[f"game.{slug}"] = each.names.get(tag, each.names["en"])
        own = messages_of_page(slug).table(tag)
        said |= {f"seat.{slug}.{key[5:]}": text for key, text in own.items() if key.startswith("name.")}
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
    now = state().table.table_now(_table(name))
    return Response(msgspec.json.encode(now), mimetype="application/json")


def hall_events() -> Response:
    """Live events: `hall` with all that the page shows, `beat` while nothing changes."""
    return _stream(HallStream(state()))


def table_events(name: str) -> Response:
    """Live events of one table, as its own pages get them."""
    return _stream(TableStream(state(), _table(name).name, request.args.get("last", "")))


def metrics() -> Response:
    """Figures for Prometheus."""
    hall = state().hall
    # A copy, because another thread may add a table meanwhile.
    tables = list(hall.tables.values())
    online = sum(each.is_online for each in tables)
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
        Figure("hall_calls", "gauge", "Tables that the referee calls", sum(map(_is_called, tables))),
        Figure("hall_waiting_tables", "gauge", "Tables that wait for the referee", sum(map(_waits, tables))),
        Figure("phones", "gauge", "Browsers that listen now", state().streams),
    )
    return Response(as_text(figures), content_type=CONTENT_TYPE)


def _is_called(table: TableSeen) -> bool:
    return table.state is not None and table.state.called


def _waits(table: TableSeen) -> bool:
    return table.state is not None and table.state.referee == "called"


def health() -> Response:
    """Whether the broker answers: 200, or 503."""
    connected = state().hall.connected
    return Response(
        msgspec.json.encode({"ok": connected}), 200 if connected else 503, mimetype="application/json"
    )


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
"""What everybody may look at."""


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
    "/api/players": (NewPlayer, lambda hall, new: hall.add(new.name.strip())),
    "/api/players/leave": (PlayerGone, lambda hall, gone: hall.leave(gone.player)),
    "/api/rounds": (dict[str, Any], lambda hall, _: hall.next_round()),
    "/api/results": (Correction, lambda hall, result: hall.correct(result.pairing, result.ranks)),
    "/api/tables/move": (Move, lambda hall, move: hall.move(move.pairing, move.table)),
    "/api/referee/comes": (AnswerToCall, lambda hall, to: hall.answer_call(to.table, comes=to.comes)),
    "/api/calls": (CallOf, lambda hall, of: hall.call(of.table, on=of.on)),
}
"""What a request does, by its path; all but the first for the referee alone."""


def _action(kind: Any, do: Callable[[Hall, Any], None]) -> Callable[[], Response]:
    def answer() -> Response:
        if do is not _be_referee and not is_referee():
            raise EveningError("not-the-referee")
        given: object = None
        try:
            given = msgspec.json.decode(request.get_data() or b"{}")
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
    if not hosts.is_ours(host, state().names):
        return Response(_say("fault.foreign-host", host=host[:80]) + "\n", 421, mimetype="text/plain")
    if security.from_another_site():
        return _refusal(EveningError("another-site"), 403)
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


def _refusal(error: CompanionError, status: int = 409) -> Response:
    rule = error.fault if isinstance(error, EveningError) else "not-now"
    says = error.says(language()) if isinstance(error, EveningError) else str(error)
    if rule in ("not-the-referee", "wrong-pin", "too-many-guesses"):
        status = 403
    return Response(msgspec.json.encode({"rule": rule, "says": says}), status, mimetype="application/json")


def _words() -> dict[str, Any]:
    return {
        "t": _say,
        "language": language(),
        "languages": LANGUAGES,
        "capital": capital,
    }


def _say(key: str, **facts: str | int) -> str:
    words: Messages = WORDS
    return words.say(key, language(), **facts)


def _table(name: str) -> TableSeen:
    table = state().hall.tables.get(name)
    return abort(404) if table is None or table.state is None else table


def _json(value: HallShown | Any) -> str:
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
