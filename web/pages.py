"""The pages: the game's dashboard, the camera, kept matches, joining."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import segno
from flask import Response, abort, redirect, render_template, request, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from companion.games.players import levels_of, player_of
from companion.games.registry import AnyGame, game, games, hides
from companion.games.watching import ScoresPhotos, sees
from companion.messages import Messages, capital, seat_label
from companion.play.look_back import LookBack
from companion.play.match import FROM_PHOTO, Match
from companion.play.records import known_as
from companion.play.seats import ANIMALS
from companion.service.address import own_address
from companion.service.table_settings import SettingNow
from web import permissions, security
from web.app_state import app_state, or_404, running
from web.forms import choosable, fields, with_own
from web.identity import game_shown, look_at, phone, speak_of
from web.language import PAGE_MESSAGES, language, messages_of_page
from web.matches import kept_matches, last_of_each_game, minutes_played, wanted_matches
from web.openapi import Routes
from web.own_api import own_choices
from web.packing import file_at, send_static, small_drawing
from web.permissions import FILES, LOOK, SIT
from web.records_pages import house
from web.seats_api import invited
from web.settings_api import camera_name

pages = Routes("pages")


@pages.page("/", who=LOOK)
def dashboard() -> str:
    """The page of the current game; a new phone joins it, or begins one where nobody plays."""
    if running().table.seats.knows(phone()) or WATCHES in request.cookies or running().in_demo:
        return game_page()
    table = running().table
    match = table.snapshot.view().match
    plays = table.seats.seating.taken or match.players or (match.moves and match.outcome is None)
    return _join() if plays else _start()


class LuckSaid(NamedTuple):
    """A sentence on luck or choice in a match, and its reckoning; `move` is as in `LuckRemark`."""

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

    `charted`: its course has a chart. `judged`: the player's unit of expectation (`points` or `chance`),
    empty without reviews. `luck`: remarks on luck and choice in it. `photos` are the numbers of photos kept
    with its score. `pictured`: pictures of its moves are kept, or were. `offline`: a phone shows it without a
    connection to the table. `title` is the kept match's.
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

MOST_NAMES = 12
"""Names that are offered for a seat."""


@pages.page("/watch", who=LOOK)
def watch() -> AnyResponse:
    """Show this phone the table until its browser is closed; another evening begins with joining."""
    answer = redirect("/")
    answer.set_cookie(WATCHES, "yes", samesite="Lax")
    return answer


def _join() -> str:
    played = running().table.match.game
    return render_template("join.html", game=played, page="join", table=_table_name())


def _table_name() -> str:
    """The table's name: the chosen one, else the host name in the request; empty for an address."""
    if running().settings.text("table_name"):
        return running().settings.text("table_name")
    name, _ = security.name_and_port(request.host)
    return "" if name in security.LOOPBACK or security.is_address(name) else name.partition(".")[0]


@pages.page("/camera", who=LOOK)
def camera() -> str:
    """The live picture with the reading on it, and the setup."""
    played = running().table.match.game
    # What is read beside a board or a tray is found from the empty one; cards are read without it.
    set_up = bool({"tiles", "pieces", "dice"}.intersection(sees(played)))
    match = app_state().table_now(phone()).match
    settings = running().settings
    by_name = {setting.name: setting for setting in settings.listed()} if settings else {}
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
    """A camera to choose."""

    value: str
    label: str
    chosen: bool


def _camera_choices(camera: SettingNow) -> list[CameraChoice]:
    return [CameraChoice(value, camera_name(value), value == camera.value) for value in camera.choices]


@pages.page("/sheets/<name>.pdf", who=LOOK)
def sheet(name: str) -> Response:
    """A sheet to print, in the asker's language."""
    return Response(or_404(running().sheet(name, language())), mimetype="application/pdf")


@pages.page("/history", who=LOOK)
def history() -> str:
    """Kept matches."""
    return _history(None)


@pages.page("/history/before/<int:number>", who=LOOK)
def older_history(number: int) -> str:
    """Matches before match `number`."""
    return _history(number)


@pages.page("/history/<int:number>", who=LOOK)
def kept_match(number: int) -> str | AnyResponse:
    """A kept match to look at: the table stays as it is.

    The match on the table can be looked back at once it is over.
    """
    table = running().table
    played = table.snapshot.match
    if number == played.record.id and played.outcome is None:
        return redirect("/")
    record = or_404(table.journal.match(number))
    match = Match(table.journal, record)
    shown = match.view()
    look_at(shown)
    state, title = app_state(), table.journal.titles().get(number, "")
    may_see = state.running.photos is not None and state.may(phone(), permissions.KEPT_PHOTOS)
    photos = state.running.photos.kept.numbers(record) if state.running.photos is not None and may_see else ()
    may_see = state.running.pictures is not None and state.may(phone(), permissions.SEE)
    pictured = state.running.pictures is not None and may_see and any(state.running.pictures.pictured(record))
    was_played_out = match.outcome is not None and not match.outcome.early
    played_here = was_played_out and shown.by != FROM_PHOTO
    judges = state.running.reviews is not None and played_here and state.running.reviews.judges(match.game)
    judged = player_of(match.game.slug).expects if judges else ""
    luck = () if not was_played_out else tuple(luck_said(state.look_backs.replayed(record)))
    retrospect = match.game.retrospect
    charted = shown.by != FROM_PHOTO and bool(retrospect.progress(match.state) or retrospect.trend)
    return game_page(charted=charted, judged=judged, luck=luck, photos=photos, pictured=pictured, title=title)


def luck_said(back: LookBack) -> Iterator[LuckSaid]:
    """Sentences on luck and choice in a finished match, in the asker's language."""
    game, tongue = back.record.game, language()
    words = messages_of_page(game)
    for remark in back.luck_remarks():
        name = seat_label(game, back.players, remark.seat, tongue) if remark.seat else ""
        facts = {"name": name, **remark.facts}
        why = "" if remark.move else words.say(f"luck-why.{remark.reason}", tongue, **facts)
        yield LuckSaid(capital(words.say(f"luck.{remark.reason}", tongue, **facts)), why, remark.move)


def _names_of_players() -> list[str]:
    """Each player of a kept match once, however the name was typed."""
    names: dict[str, str] = {}
    for _, summary in running().table.journal.summaries():
        for name in summary.players.values() if summary else ():
            names.setdefault(known_as(name), " ".join(name.split()))
    return sorted(filter(None, names.values()), key=str.casefold)


def _history(before: int | None) -> str:
    every, wanted = games(), wanted_matches()
    return render_template(
        "history.html",
        game=running().table.match.game,
        page="history",
        games=every,
        game_words={slug: messages_of_page(slug) for slug in every},
        kept=kept_matches(before, wanted),
        wanted=wanted,
        names=_names_of_players(),
        removed=running().table.journal.removed(),
        older=before is not None,
        current=app_state().table_now(phone()).match,
    )


@pages.page("/new", who=LOOK)
def new_game() -> str:
    """The one way to a match: the game, who plays, start."""
    return _start()


def _start() -> str:
    played = running().table.match.game
    every, last = {played.slug: played, **games()}, last_of_each_game()
    words = {slug: messages_of_page(slug) for slug in every}
    forms = {
        slug: choosable(
            with_own(fields(game, words[slug], language()), own_choices(game)),
            last[slug].options if slug in last else {},
        )
        for slug, game in every.items()
    }
    with_computer = running().opponent is not None
    return render_template(
        "start.html",
        game=played,
        page="start",
        table=_table_name(),
        games=every,
        forms=forms,
        game_words=words,
        seats=_seats_of_games(),
        levels={slug: levels_of(slug) if with_computer else () for slug in every},
        deals={slug: with_computer and player_of(slug).deals_to_people for slug in every},
        secret={slug: hides(game) for slug, game in every.items()},
        last=last,
        names=_names_of_players()[:MOST_NAMES],
        minutes_here={} if running().demo is not None else minutes_played(running().table.journal),
    )


@pages.page("/score", who=LOOK)
def score() -> str:
    """A finished board scored from photos: of the table's game, or of the first possible one."""
    can = {slug: game for slug, game in games().items() if isinstance(game, ScoresPhotos)}
    played = running().table.match.game
    scored = can.get(played.slug) or next(iter(can.values()), None)
    scores = scored is not None and running().photos is not None
    shown: AnyGame = scored if scored is not None else played
    speak_of(shown)
    last = last_of_each_game().get(shown.slug)
    made = choosable(fields(shown, messages_of_page(shown.slug), language()), last.options if last else {})
    seats = shown.seat_names(shown.start(shown.options({}), min(shown.seat_counts)))
    return render_template("score.html", game=shown, page="score", scores=scores, fields=made, seats=seats)


@pages.page("/rules/<slug>", who=LOOK)
def rules(slug: str) -> str:
    """A game's short rules."""
    played = games().get(slug)
    words = messages_of_page(slug) if played is not None else Messages({})
    lines = [words.say(key, language()) for key, _ in words if key.startswith("short-rules.")]
    if not lines:
        abort(404)
    values = played.about.drawn_values() if played is not None else {}
    return render_template("rules.html", game=played, page="rules", lines=lines, values=values)


def _seats_of_games() -> dict[str, dict[str, list[int]]]:
    seats_by_game: dict[str, dict[str, list[int]]] = {}
    for slug, rules in games().items():
        seats = seats_by_game.setdefault(slug, {})
        for count in rules.seat_counts:
            for seat in rules.seat_names(rules.start(rules.options({}), count)):
                seats.setdefault(seat, []).append(count)
    return seats_by_game


@pages.page("/join", who=SIT)
def join() -> str | AnyResponse:
    """A name and a seat; for a phone that has one, who sits where."""
    seats = running().table.seats
    has_place = seats.seating.seat_of(phone()) or phone() in seats.phones.screens
    return redirect("/seats") if has_place else _join()


@pages.page("/seats", who=SIT)
def seats() -> str:
    """Who sits where, with the address as a QR code for the next phone."""
    address, played = join_address(), running().table.match.game
    opponent = running().opponent
    levels = opponent.levels() if opponent is not None else ()
    return render_template(
        "seats.html", game=played, page="seats", address=address, animals=ANIMALS, levels=levels
    )


@pages.page("/join.svg", who=SIT)
def join_code() -> Response:
    """The QR code itself."""
    return _drawn(join_address())


@pages.page("/join/<int:place>.svg", who=SIT)
def seat_code(place: int) -> Response:
    """The QR code of a free seat (the first is number 0), for phones that may see it."""
    # Behind `#`: a browser sends that to nobody, so that it stands in no log.
    return _drawn(f"{join_address()}join#{or_404(invited(place))}")


def _drawn(address: str) -> Response:
    drawn = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(drawn, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


def join_address() -> str:
    """An address for other phones: that of this request, unless it is a loopback address.

    Names of other machines never come so far: `security.is_ours` refuses them.
    """
    name, port = security.name_and_port(request.host)
    if name in security.LOOPBACK or "Host" not in request.headers:
        name = own_address() or name
    return f"{request.scheme}://{name}{f':{port}' if port else ''}/"


@pages.page("/games/<slug>/<name>", who=FILES)
def own_file(slug: str, name: str) -> AnyResponse:
    """A script, style or picture of a game's page."""
    path = or_404(file_at(f"/games/{slug}/{name}"))
    answer = send_from_directory(path.parent, name)
    answer.headers["Cache-Control"] = "no-cache"
    return small_drawing(answer)


@pages.page("/favicon.ico", who=FILES)
def favicon() -> AnyResponse:
    """The icon, for browsers that ask without reading the page."""
    return send_static("icon.svg")


GROUND = "#101816"
"""The ground of dark pages (`--ground` in base.css), shown while the first page loads."""

ICONS = (
    ("icon-192.png", 192, "any"),
    ("icon-512.png", 512, "any"),
    ("icon-maskable-512.png", 512, "maskable"),
)
"""The icons' files, px and purposes; a maskable one can be cut into a circle."""


@pages.page("/app.webmanifest", who=FILES)
def manifest() -> Response:
    """The manifest, in the page's language."""
    words = Messages.from_files(PAGE_MESSAGES)
    name = running().settings.text("table_name") or words.say("web.name", language())
    icons = [
        {"src": f"/static/{file}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    described = {
        "id": "/",
        "name": name,
        "short_name": name,
        "lang": language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return Response(msgspec.json.encode(described), mimetype="application/manifest+json")


@pages.page("/apple-touch-icon.png", who=FILES)
def touch_icon() -> AnyResponse:
    """The icon for an iPhone's home screen."""
    return send_static("icon-180.png")


@pages.page("/service-worker.js", who=FILES)
def service_worker() -> AnyResponse:
    """The service worker, at the root because it answers for every page."""
    answer = send_static("service_worker.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@pages.page("/offline", who=LOOK)
def offline() -> str:
    """The open table, for a phone without a connection: it shows no seat's hand."""
    look_at(running().table.snapshot.match.view())
    return game_page(offline=True)


@pages.page("/display", who=LOOK)
def display() -> str:
    """The open table for a television, whoever sits at the asking device."""
    match = app_state().table_now(phone()).match
    played = game(match.game)
    idle = bool(match.outcome) or not match.moves
    [script] = _own(played, "page_display.js")
    return render_template(
        "display.html",
        game=played,
        games=games(),
        idle=match.id if idle else "",
        house=house() if idle else None,
        page="display",
        address=join_address(),
        own_styles=[name for name in _own(played, "page.css", "page_display.css") if file_at(name)],
        own_script=script if file_at(script) else "/static/display_plain.js",
    )


def _own(played: AnyGame, *names: str) -> list[str]:
    return [f"/games/{played.slug}/{name}" for name in names]
