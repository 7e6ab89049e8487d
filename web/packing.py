"""What a page loads, made small: one script, one file of words, styles inside the page, all of it compressed.

Pages are written plainly, with a `<script type="module">` for each module that they begin with and a
`<link rel="stylesheet">` for each style. What is sent holds the styles themselves, so that the first picture
waits for one answer alone, and one script. Addresses hold a hash of what they give: a browser keeps that for
good, and an update of the companion shows at once. A file is read once, so whoever changes one starts again.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import logging
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, abort, request

from companion.errors import MendableError
from companion.games.registry import game
from companion.messages import LANGUAGES
from web.language import messages_of_page
from web.scripts import joined, small_style
from web.security import HEADERS

log = logging.getLogger(__name__)

packing = Blueprint("packing", __name__)

STATIC = Path(__file__).with_name("static")

OWN_FILES = re.compile(r"page[a-z0-9_]*\.(js|css|svg)")
"""Names of the files in a game's folder that a browser may load."""

FOR_GOOD = "public, max-age=31536000, immutable"
"""`Cache-Control` of what never changes under its address."""

LEAST_BYTES = 400
"""Pages shorter than this in bytes gain nothing from compression."""

SCRIPT = re.compile(r'[ \t]*<script type="module" src="([^"?]+)"></script>\n?')
STYLE = re.compile(r'[ \t]*<link rel="stylesheet" href="([^"?]+)">\n?')

MOST_MODULES = 8
"""Modules that a page may begin with."""

SAID_BY_THE_SERVER = (
    *("option.", "option-help.", "choice.", "cause.", "value.", "player-of.", "web.http-", "notation."),
    *("fault.", "lot.", "deck.", "data.", "file-fault.", "own-fault."),
    *("look.photo", "look.picture", "look.luck", "luck.", "luck-why."),
    *("short-rules.", "date.", "decided.", "end.", "web.sounds", "web.referee", "kept."),
    *("own.", "web.one-", "table-fault.", "journal-fault."),
    *("advice.", "review.", "web.opponent-", "web.deal-", "web.level-", "web.hint-", "web.hints-"),
    "web.worth-",
    *("help.", "draw.", "web.what-is", "setting-fault.", "web.page-", "web.which-game"),
    *(
        "broker-fault.",
        "narrated.",
        "command-fault.",
        "home.",
        "web.bar",
        "web.language",
        "web.move-as-json",
        "web.new-match",
    ),
    *("web.older", "web.resume", "web.who-plays", "web.who-sits"),
    *("web.lot-needs-names", "web.seat-code-typed", "web.now-played", "web.put-aside-back"),
    *("web.own-draw", "web.own-kept", "web.own-name", "web.own-bad-name", "web.own-how", "web.own-rows"),
    *("web.own-cols", "web.own-grid", "web.own-upload", "web.own-choose-file", "web.own-file-how"),
    *("web.foreign-host", "web.another-site", "web.not-the-host", "web.not-at-the-table", "web.wrong-pin"),
    *("web.not-yours-to-hand-over", "web.bad-body", "web.no-path", "web.notation-json", "web.no-camera"),
    "web.add-camera",
    *("web.nobody-asks", "web.too-many-", "web.no-such-code", "web.seat-not-free", "web.nobody-sits-there"),
    *(
        "web.players-see",
        "web.type-pin",
        "web.be-host",
        "web.all-open",
        "web.codes-elsewhere",
        "web.join-look",
        "web.join-how",
        "web.join-code",
    ),
    *(
        "web.panel-how",
        "web.lost",
        "web.not-kept",
        "web.needs-scripts",
        "web.kept-match",
        "web.kept-photo",
        "web.begin-keeps",
        "web.save-file",
        "web.from-photo",
        "offline.none",
        "offline.again",
        "web.throw-photo",
        "web.whole-",
        "display.join",
        "display.board",
        "display.last-played",
        "look.back",
        "look.before",
        "look.after",
        "look.save",
        "look.moves",
        "look.photo",
        "display.records",
        "web.share",
        "players.",
    ),
    *(
        "web.demo-name",
        "web.demo-end",
        "web.your-",
        "web.colour-",
        "web.animal-",
        "web.have-code",
        "web.house-rules",
    ),
    *(
        "web.who-plays-here",
        "web.watch",
        "web.players-of",
        "web.minutes-",
        "web.camera-reads",
        "web.rules-in-short",
        "web.reads-",
    ),
)
"""The beginnings of keys that no script says: their sentences stand in a page, or in an answer."""


WORDS_OF_A_PAGE = {
    "own": ("web.own-removed", "web.own-saved"),
    "join": (
        *(
            "web.this-phone",
            "web.looks-on",
            "web.take-one",
            "web.sit-",
            "web.leave-seat",
            "web.leave-screen",
            "web.screen",
            "web.make-screen",
        ),
        *("web.seat-free-in", "web.show-code", "web.seat-qr", "web.throw-out", "web.role-", "web.host-pin"),
        *("web.ask-in", "web.asked-in", "web.let-in", "web.remove-guests", "web.hand-over", "web.kept-back"),
        "web.wait-for-seats",
    ),
    "welcome": ("web.join-asks", "web.all-taken", "web.not-begun", "web.asked-in"),
    "panel": ("web.panel-",),
    "camera": ("web.corner-", "setup."),
    "settings": ("settings.",),
    "display": ("display.",),
    "kept": ("look.", "offline.at"),
    "accuracy": ("accuracy.",),
    "score": ("web.corner-", "web.photo-", "photo.", "photo-fault."),
}
"""The beginnings of keys that only the scripts of these pages say: no other page loads them."""


class Packed:
    """A text to send: as it is, compressed, and a hash of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.encode()
        self.zipped = gzip.compress(self.plain, 9, mtime=0)
        self.digest = hashlib.sha256(self.plain).digest()

    @property
    def name(self) -> str:
        """The part of an address that changes with the text."""
        return self.digest.hex()[:12]

    def answer(self, name: str) -> Response:
        """The text as a script; kept for good where it was asked for by its own `name`."""
        answer = Response(self.zipped if _takes_gzip() else self.plain, mimetype="text/javascript")
        if _takes_gzip():
            answer.content_encoding = "gzip"
        answer.headers["Cache-Control"] = FOR_GOOD if name == self.name else "no-cache"
        # The page's own policy holds for its scripts; this one is for whoever opens the file itself.
        answer.headers["Content-Security-Policy"] = "default-src 'none'"
        answer.vary.add("Accept-Encoding")
        return answer


@packing.get("/packed/<name>.js")
def script(name: str) -> Response:
    """The one script that stands for the modules in `of`."""
    packed = _script(tuple(request.args.get("of", "").split(",")[:MOST_MODULES]))
    return abort(404) if packed is None else packed.answer(name)


@packing.get("/packed/<slug>/<language>/<name>.js")
def words(slug: str, language: str, name: str) -> Response:
    """What scripts say on the pages of the game `slug`."""
    try:
        game(slug)
    except MendableError:
        abort(404)
    if language not in LANGUAGES:
        abort(404)
    return words_of(slug, language, request.args.get("page", "")).answer(name)


def words_address(slug: str, language: str, page: str) -> str:
    """Where `words` gives the words of a game on the page of that name."""
    name = words_of(slug, language, page).name
    return f"/packed/{slug}/{language}/{name}.js{f'?page={page}' if page in WORDS_OF_A_PAGE else ''}"


def words_of(slug: str, language: str, page: str = "") -> Packed:
    """What scripts say on the pages of a game, in one language; some pages have more to say."""
    return _words_of(slug, language, page if page in WORDS_OF_A_PAGE else "")


@lru_cache(maxsize=64)
def _words_of(slug: str, language: str, page: str) -> Packed:
    own = WORDS_OF_A_PAGE.get(page, ())
    others = {each for words in WORDS_OF_A_PAGE.values() for each in words if each not in own}
    unsaid = (*SAID_BY_THE_SERVER, *others)
    every = messages_of_page(slug).table(language)
    spoken = {key: text for key, text in every.items() if not key.startswith(unsaid)}
    return Packed(f"globalThis.words = {msgspec.json.encode(spoken).decode()};\n")


@lru_cache(maxsize=8)
def _static_name(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def icon_address() -> str:
    """Where the icon is, with a hash of it."""
    return f"/static/icon.svg?v={_static_name('icon.svg')}"


def caching_of_static(name: str) -> str:
    """`Cache-Control` of the file of that name: for good where it was asked for by its hash, else by ETag."""
    version = request.args.get("v")
    return FOR_GOOD if version and version == _static_name(name) else "no-cache"


def prepare(html: str) -> None:
    """Make what a page loads beforehand, so that its first view does not wait for that."""
    _script(tuple(SCRIPT.findall(html)))
    _style(tuple(STYLE.findall(html)))


def pack(page: Response) -> Response:
    """A page with its scripts joined, its styles inside, and compressed where the browser takes that."""
    html = page.get_data(as_text=True)
    scripts, styles = SCRIPT.findall(html), STYLE.findall(html)
    script, style = _script(tuple(scripts)), _style(tuple(styles))
    if scripts and script is not None:
        address = f"/packed/{script.name}.js?of={quote(','.join(scripts), safe='/,')}"
        html = _one(SCRIPT, html, f'<script type="module" src="{address}"></script>\n')
    if styles and style is not None:
        html = _one(STYLE, html, f"<style>{style.text}</style>\n")
        digest = base64.b64encode(style.digest).decode()
        policy = HEADERS["Content-Security-Policy"]
        allowed = f"style-src 'self' 'sha256-{digest}'"
        page.headers["Content-Security-Policy"] = policy.replace("style-src 'self'", allowed)
    page.set_data(html)
    return compressed(page)


def _one(each: re.Pattern[str], html: str, instead: str) -> str:
    """The page with `instead` in the place of the first of them, and without the others."""
    html = each.sub(lambda _: instead, html, count=1)
    head, _, tail = html.partition(instead)
    return head + instead + each.sub("", tail)


def compressed(answer: Response) -> Response:
    """The answer, compressed where that saves something and the browser takes it."""
    answer.vary.add("Accept-Encoding")
    plain = answer.get_data()
    if len(plain) >= LEAST_BYTES and _takes_gzip():
        answer.set_data(gzip.compress(plain, 6, mtime=0))
        answer.content_encoding = "gzip"
    return answer


def _takes_gzip() -> bool:
    return request.accept_encodings.quality("gzip") > 0


def _script(addresses: tuple[str, ...]) -> Packed | None:
    """Modules as one script; None where one of them is not there, or cannot be joined with others."""
    paths = _paths(addresses)
    try:
        return None if paths is None else _joined(paths)
    except ValueError as error:
        log.warning("A page's scripts are sent one by one: %s", error)
        return None


def _style(addresses: tuple[str, ...]) -> Packed | None:
    """Styles as one; None where one of them is not there."""
    paths = _paths(addresses)
    return None if paths is None else _together(paths)


Paths = tuple[tuple[str, Path], ...]
"""Addresses, each with its file."""


@lru_cache(maxsize=64)
def _joined(paths: Paths) -> Packed:
    beginnings = dict(paths)

    def read(address: str) -> str:
        path = beginnings.get(address) or file_at(address)
        if path is None:
            raise ValueError(f"There is no script {address}.")
        return path.read_text("utf-8")

    return Packed(joined(tuple(beginnings), read))


@lru_cache(maxsize=64)
def _together(paths: Paths) -> Packed:
    return Packed("".join(small_style(path.read_text("utf-8")) for _, path in paths))


def _paths(addresses: tuple[str, ...]) -> Paths | None:
    files = [(address, file_at(address)) for address in addresses]
    there = tuple((address, path) for address, path in files if path is not None)
    return there if len(there) == len(files) else None


def file_at(address: str) -> Path | None:
    """The file of a page at `/static/<name>` or `/games/<slug>/<name>`; None where there is none."""
    kind, *parts = address.removeprefix("/").split("/")
    path = None
    if kind == "static" and len(parts) == 1 and re.fullmatch(r"\w+\.(js|css|svg)", parts[0]):
        path = STATIC / parts[0]
    elif kind == "games" and len(parts) == 2 and OWN_FILES.fullmatch(parts[1]):
        try:
            path = game(parts[0]).folder / parts[1]
        except MendableError:
            return None
    return path if path is not None and path.is_file() else None
