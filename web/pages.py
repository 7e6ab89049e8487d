"""The pages that people open: the game's dashboard, the camera, matches kept, how to join."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
import segno
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    send_from_directory,
)
from werkzeug.wrappers import Response as AnyResponse

from companion.games.choosing import chooser_of
from companion.games.registry import AnyGame, games
from companion.games.watching import ScoresPhotos, sees
from companion.messages import Messages
from companion.play.look_back import LookBack
from companion.play.match import FROM_PHOTO, Match
from companion.play.records import known_as
from companion.play.seats import ANIMALS, COLOURS
from web import hosts, permissions
from web.app_state import app_state
from web.forms import choosable, fields, with_own
from web.identity import phone
from web.kept import game_shown, look_at, speak_of
from web.language import language, messages_of_page
from web.matches import kept_matches, last_of_each_game, minutes_played, wanted_matches
from web.own_api import own_choices
from web.packing import file_at
from web.seats_api import invited
from web.settings_api import camera_name
from web.settings_port import SettingNow

pages = Blueprint("pages", __name__)


@pages.get("/")
def dashboard() -> str:
    """The page of the current game; the welcome for a phone that is not anybody yet."""
    return _welcome() if _is_nobody() else game_page()


class LuckSaid(NamedTuple):
    """A sentence on luck or choice in a match, and how it was reckoned; `move` is as in `LuckRemark`."""

    says: str
    why: str
    move: int


def game_page(
    *,
    charted: bool = False,
    judged: str = "",
    luck: tuple[LuckSaid, ...] = (),
    photos: tuple[int, ...] = (),
    pictured: bool = False,
    offline: bool = False,
    title: str = "",
) -> str:
    """The page of a game; a plain one for a game without its own.

    `charted`: its course has a chart. `judged`: what the table's player, who says what it thinks of it,
    expects of moves (`points` or a `chance`); empty where it says nothing. `luck`:
    what is said of luck and choice in it. `photos` are the numbers of those that were kept with its score.
    `pictured`: pictures of its moves are kept, or were. `offline`: a phone shows it while there is no
    connection to the table. `title` is what a kept match is called.
    """
    played = game_shown()
    return render_template(
        [f"games/{played.slug}/page.html", "plain.html"],
        game=played,
        page="game",
        charted=charted,
        judged=judged,
        luck=luck,
        kept_photos=photos,
        pictured=pictured,
        offline=offline,
        match_title=title,
    )


WATCHES = "watches"
"""The name of the cookie of a phone that chose to watch."""


@pages.get("/welcome")
def welcome() -> str:
    """Who plays what at this table, and how to join."""
    return _welcome()


@pages.get("/watch")
def watch() -> AnyResponse:
    """Show this phone the table, until its browser is closed: another evening begins with the welcome."""
    answer = redirect("/")
    answer.set_cookie(WATCHES, "yes", samesite="Lax")
    return answer


def _is_nobody() -> bool:
    """Whether this phone neither belongs to the table nor chose to watch it."""
    return not app_state().table.seats.knows(phone()) and WATCHES not in request.cookies


def _welcome() -> str:
    played = app_state().table.match.game
    return render_template(
        "welcome.html", game=played, page="welcome", table=_table_name(), colours=COLOURS, animals=ANIMALS
    )


def _table_name() -> str:
    """The table's name: the chosen one, else that by which the phone asked; empty for a mere address."""
    if app_state().table_name:
        return app_state().table_name
    name, _ = hosts.name_and_port(request.host)
    return "" if name in hosts.LOOPBACK or hosts.is_address(name) else name.partition(".")[0]


@pages.get("/camera")
def camera() -> str:
    """The live picture with the reading drawn on it, and the setup."""
    played = app_state().table.match.game
    # What is read beside a board or a tray is found from the empty one; cards are read without it.
    set_up = bool({"tiles", "pieces", "dice"}.intersection(sees(played)))
    match = app_state().now(phone()).match
    settings = app_state().settings
    by_name = {each.name: each for each in settings.now()} if settings else {}
    camera = by_name.get("camera")
    return render_template(
        "camera.html",
        game=played,
        page="camera",
        set_up=set_up,
        reads=sees(played),
        seats=match.seats,
        players=match.players,
        camera_choices=_camera_choices(camera) if camera else (),
        rotation=by_name["rotate"].value if by_name else "0",
    )


class CameraChoice(msgspec.Struct, frozen=True):
    """A camera to choose on the page."""

    value: str
    label: str
    chosen: bool


def _camera_choices(camera: SettingNow) -> list[CameraChoice]:
    """The cameras that are there, as the page names them."""
    return [CameraChoice(value, camera_name(value), value == camera.value) for value in camera.choices]


@pages.get("/sheets/<name>.pdf")
def sheet(name: str) -> Response:
    """A sheet to print, in the asker's language."""
    give = app_state().sheet
    pdf = None if give is None else give(name, language())
    if pdf is None:
        abort(404)
    return Response(pdf, mimetype="application/pdf")


@pages.get("/history")
def history() -> str:
    """The matches kept here."""
    return _history(None)


@pages.get("/history/before/<int:number>")
def older_history(number: int) -> str:
    """Matches that are older than match `number`."""
    return _history(number)


@pages.get("/history/<int:number>")
def kept_match(number: int) -> str | AnyResponse:
    """A kept match as it was left, to be looked at: the table stays as it is.

    The match on the table is looked back at once it is over.
    """
    table = app_state().table
    played = table.snapshot.match
    if number == played.record.id and played.outcome is None:
        return redirect("/")
    record = table.journal.match(number)
    if record is None:
        abort(404)
    match = Match(table.journal, record)
    shown = match.view()
    look_at(shown)
    state, title = app_state(), table.journal.titles().get(number, "")
    may_see = state.photos is not None and state.may(phone(), permissions.SCORE)
    photos = state.photos.kept(record) if state.photos is not None and may_see else ()
    may_see = state.pictures is not None and state.may(phone(), permissions.SEE)
    pictured = state.pictures is not None and may_see and any(state.pictures.of(record))
    played_here = match.outcome is not None and shown.by != FROM_PHOTO
    judges = state.reviews is not None and played_here and state.reviews.judges(match.game)
    judged = chooser_of(match.game.slug).expects if judges else ""
    luck = () if match.outcome is None else tuple(luck_said(state.look_backs.of(record)))
    charted = bool(match.game.progress(match.state) or match.game.trend)
    return game_page(charted=charted, judged=judged, luck=luck, photos=photos, pictured=pictured, title=title)


def luck_said(back: LookBack) -> Iterator[LuckSaid]:
    """What a finished match shows of luck and choice, in the asker's language."""
    game, tongue = back.record.game, language()
    words = messages_of_page(game)
    for each in back.luck_remarks():
        name = seat_label(game, back.players, each.seat, tongue) if each.seat else ""
        facts = {"name": name, **each.facts}
        why = "" if each.move else words.say(f"luck-why.{each.reason}", tongue, **facts)
        yield LuckSaid(capital(words.say(f"luck.{each.reason}", tongue, **facts)), why, each.move)


def _names_of_players() -> list[str]:
    """Everybody who has a name in a match kept here, once, however it was typed."""
    names: dict[str, str] = {}
    for _, summary in app_state().table.journal.summaries():
        for name in summary.players.values() if summary else ():
            names.setdefault(known_as(name), " ".join(name.split()))
    return sorted(filter(None, names.values()), key=str.casefold)


def _history(before: int | None) -> str:
    every, wanted = games(), wanted_matches()
    return render_template(
        "history.html",
        game=app_state().table.match.game,
        page="history",
        games=every,
        game_words={slug: messages_of_page(slug) for slug in every},
        kept=kept_matches(before, wanted),
        wanted=wanted,
        names=_names_of_players(),
        removed=app_state().table.journal.removed(),
        older=before is not None,
        current=app_state().now(phone()).match,
    )


@pages.get("/new")
def new_game() -> str:
    """The games to choose from, and a form for each."""
    every, last = games(), last_of_each_game()
    words = {slug: messages_of_page(slug) for slug in every}
    forms = {
        slug: choosable(
            with_own(fields(each, words[slug], language()), own_choices(each)),
            last[slug].options if slug in last else {},
        )
        for slug, each in every.items()
    }
    return render_template(
        "new.html",
        game=app_state().table.match.game,
        page="new",
        games=every,
        forms=forms,
        game_words=words,
        seats=_seats_of_games(),
        reads={
            slug: " · ".join(words[slug].say(f"web.reads-{what}", language()) for what in sorted(sees(each)))
            for slug, each in every.items()
        },
        last=last,
        minutes_here={} if app_state().demo is not None else minutes_played(app_state().table.journal),
    )


@pages.get("/score")
def score() -> str:
    """A finished board scored from photos: of the table's game, or else of the first that can be."""
    can = {slug: each for slug, each in games().items() if isinstance(each, ScoresPhotos)}
    played = app_state().table.match.game
    scored = can.get(played.slug) or next(iter(can.values()), None)
    scores = scored is not None and app_state().photos is not None
    shown: AnyGame = scored if scored is not None else played
    speak_of(shown)
    last = last_of_each_game().get(shown.slug)
    made = choosable(fields(shown, messages_of_page(shown.slug), language()), last.options if last else {})
    seats = shown.seat_names(shown.start(shown.options({}), min(shown.seat_counts)))
    return render_template("score.html", game=shown, page="score", scores=scores, fields=made, seats=seats)


@pages.get("/rules/<slug>")
def rules(slug: str) -> str:
    """The rules of a game in short."""
    played = games().get(slug)
    words = messages_of_page(slug) if played is not None else Messages({})
    lines = [words.say(key, language()) for key, _ in words if key.startswith("short-rules.")]
    if not lines:
        abort(404)
    values = played.drawn_values() if played is not None else {}
    return render_template("rules.html", game=played, page="rules", lines=lines, values=values)


def _seats_of_games() -> dict[str, dict[str, list[int]]]:
    """The seats of every game by name, each with the numbers of players at which it exists."""
    seats_by_game: dict[str, dict[str, list[int]]] = {}
    for slug, each in games().items():
        seats = seats_by_game.setdefault(slug, {})
        for count in each.seat_counts:
            for seat in each.seat_names(each.start(each.options({}), count)):
                seats.setdefault(seat, []).append(count)
    return seats_by_game


@pages.get("/join")
def join() -> str:
    """The address as a QR code, for the next phone."""
    address = join_address()
    return render_template("join.html", game=app_state().table.match.game, page="join", address=address)


@pages.get("/join.svg")
def join_code() -> Response:
    """The QR code itself."""
    return _drawn(join_address())


@pages.get("/join/<int:place>.svg")
def seat_code(place: int) -> Response:
    """The QR code of a free seat (the first is number 0), for who may see it."""
    link = invited(place)
    if link is None:
        abort(404)
    # Behind `#`: a browser sends that to nobody, so that it stands in no log.
    return _drawn(f"{join_address()}welcome#{link}")


def _drawn(address: str) -> Response:
    drawn = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(drawn, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


def join_address() -> str:
    """An address that other phones reach: that of this request, unless it is a loopback address.

    A name that is not this table's never comes so far: `hosts` refuses it.
    """
    name, port = hosts.name_and_port(request.host)
    if name in hosts.LOOPBACK or "Host" not in request.headers:
        name = own_address() or name
    return f"{request.scheme}://{name}{f':{port}' if port else ''}/"


def own_address() -> str | None:
    """This machine's address in the local network; None if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            # Connecting a datagram socket only chooses a route: nothing is sent.
            asking.connect(("10.255.255.255", 9))
        except OSError:
            return None
        address: str = asking.getsockname()[0]
        return None if address.startswith("0.") else address


@pages.get("/games/<slug>/<name>")
def own_file(slug: str, name: str) -> AnyResponse:
    """A script, style or picture of a game's page."""
    path = file_at(f"/games/{slug}/{name}")
    if path is None:
        abort(404)
    answer = send_from_directory(path.parent, name)
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@pages.get("/favicon.ico")
def favicon() -> AnyResponse:
    """The icon, for browsers that ask without reading the page."""
    return send_from_directory(str(current_app.static_folder), "icon.svg")


def capital(text: str) -> str:
    """The text with its first letter as a capital, where its script has capitals."""
    return text[:1].upper() + text[1:]


def seat_label(game: str, players: Mapping[str, str], seat: str, language: str) -> str:
    """Who sits on a seat of a game: the player's own name, else the seat's, which begins with a capital."""
    return players.get(seat) or capital(messages_of_page(game).say(f"name.{seat}", language))
