"""Shrinks a page's files: one script, one file of words, styles inside the page, all compressed.

Pages are written plainly, with a `<script type="module">` and a `<link rel="stylesheet">` for each of their
first modules and styles. The sent page holds the styles themselves, for a quick first picture, and one
script. Addresses hold a hash of their content: a browser keeps that for good, and an update of the companion
shows at once. A file is read once, so start again after changing one.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import logging
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import msgspec
from flask import Response, abort, request, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import UserError
from companion.games.registry import game
from companion.messages import LANGUAGES
from web.language import messages_of_page
from web.openapi import Routes
from web.permissions import FILES
from web.scripts import joined, keys_said, loaded, small, small_style
from web.security import HEADERS

log = logging.getLogger(__name__)

packing = Routes("packing")

STATIC = Path(__file__).with_name("static")

OWN_FILES = re.compile(r"page[a-z0-9_]*\.(js|css|svg)")

FOR_GOOD = "public, max-age=31536000, immutable"
"""`Cache-Control` for content that never changes under its address."""

LEAST_BYTES = 400
"""Shorter pages gain nothing from compression."""

SCRIPT = re.compile(r'[ \t]*<script type="module" src="([^"?]+)"></script>\n?')
STYLE = re.compile(r'[ \t]*<link rel="stylesheet" href="([^"?]+)">\n?')

MOST_MODULES = 8

WORDS = re.compile(r'src="/packed/([\w-]+)/([\w-]+)/words\.js"')


class Packed:
    """A text to send, plain and compressed, with its hash."""

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
        """The text as a script; kept for good at its own `name`."""
        answer = Response(self.zipped if _takes_gzip() else self.plain, mimetype="text/javascript")
        if _takes_gzip():
            answer.content_encoding = "gzip"
        answer.headers["Cache-Control"] = FOR_GOOD if name == self.name else "no-cache"
        # The page's own policy holds for its scripts; this one is for whoever opens the file itself.
        answer.headers["Content-Security-Policy"] = "default-src 'none'"
        answer.vary.add("Accept-Encoding")
        return answer


@packing.page("/packed/<name>.js", who=FILES)
def script(name: str) -> Response:
    """The modules in `of` as one script."""
    packed = _script(_modules())
    return abort(404) if packed is None else packed.answer(name)


@packing.page("/packed/<slug>/<language>/<name>.js", who=FILES)
def words(slug: str, language: str, name: str) -> Response:
    """The words of a page's scripts, on the pages of the game `slug`."""
    try:
        game(slug)
    except UserError:
        abort(404)
    if language not in LANGUAGES:
        abort(404)
    return words_of(slug, language, _modules()).answer(name)


def words_address(slug: str, language: str) -> str:
    """A placeholder for the words' address; `pack` replaces it."""
    return f"/packed/{slug}/{language}/words.js"


@lru_cache(maxsize=64)
def words_of(slug: str, language: str, modules: tuple[str, ...]) -> Packed:
    """The words of these modules, and of those they load later, on the pages of a game."""
    says = keys_said("\n".join(_texts(slug, modules)))
    spoken = {key: text for key, text in messages_of_page(slug).table(language).items() if says(key)}
    return Packed(f"globalThis.words = {msgspec.json.encode(spoken).decode()};\n")


def _texts(slug: str, modules: tuple[str, ...]) -> Iterator[str]:
    """The texts of modules, of their imports, and of those they load while they run."""
    left, seen = list(modules), set(modules)
    while left:
        address = left.pop()
        path = file_at(address)
        if path is None:
            continue
        text = small(path.read_text("utf-8"))
        yield text
        new = [module for module in loaded(text, address, slug) if module not in seen]
        seen.update(new)
        left += new


def _modules() -> tuple[str, ...]:
    return tuple(request.args.get("of", "").split(",")[:MOST_MODULES])


@lru_cache(maxsize=8)
def _static_name(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def icon_address() -> str:
    """The icon's address, with a hash."""
    return f"/static/icon.svg?v={_static_name('icon.svg')}"


def send_static(name: str) -> AnyResponse:
    """Answer with a static file."""
    return send_from_directory(STATIC, name)


@packing.page("/static/<path:filename>", who=FILES)
def static_file(filename: str) -> AnyResponse:
    """A file of the pages; a browser keeps it for good under its hash."""
    answer = send_static(filename)
    version = request.args.get("v")
    kept = version and version == _static_name(filename)
    answer.headers["Cache-Control"] = FOR_GOOD if kept else "no-cache"
    return small_drawing(answer)


def prepare(slug: str, html: str) -> None:
    """Make the files of a game's page before its first view."""
    scripts = tuple(SCRIPT.findall(html))
    _script(scripts)
    _style(tuple(STYLE.findall(html)))
    for language in LANGUAGES:
        words_of(slug, language, scripts)


def pack(page: Response) -> Response:
    """Join a page's scripts, put its styles inside, and compress it where the browser takes that."""
    html = page.get_data(as_text=True)
    scripts, styles = SCRIPT.findall(html), STYLE.findall(html)
    script, style = _script(tuple(scripts)), _style(tuple(styles))
    of = quote(",".join(scripts), safe="/,")
    html = WORDS.sub(lambda place: _words_there(place, tuple(scripts), of), html)
    if scripts and script is not None:
        address = f"/packed/{script.name}.js?of={of}"
        html = _one(SCRIPT, html, f'<script type="module" src="{address}"></script>\n')
    if styles and style is not None:
        html = _one(STYLE, html, f"<style>{style.text}</style>\n")
        digest = base64.b64encode(style.digest).decode()
        policy = HEADERS["Content-Security-Policy"]
        allowed = f"style-src 'self' 'sha256-{digest}'"
        page.headers["Content-Security-Policy"] = policy.replace("style-src 'self'", allowed)
    page.set_data(html)
    compress(page)
    return page


def _words_there(place: re.Match[str], scripts: tuple[str, ...], of: str) -> str:
    slug, language = place.groups()
    return f'src="/packed/{slug}/{language}/{words_of(slug, language, scripts).name}.js?of={of}"'


def _one(pattern: re.Pattern[str], html: str, instead: str) -> str:
    """Put `instead` in the place of the first match, and remove the others."""
    html = pattern.sub(lambda _: instead, html, count=1)
    head, _, tail = html.partition(instead)
    return head + instead + pattern.sub("", tail)


def small_drawing(answer: AnyResponse) -> AnyResponse:
    """A file as it is sent: compressed if it is a whole drawing."""
    if answer.mimetype == "image/svg+xml" and answer.status_code == 200:
        answer.direct_passthrough = False
        compress(answer)
    return answer


def compress(answer: AnyResponse) -> None:
    """Compress the answer where that saves something and the browser takes it."""
    answer.vary.add("Accept-Encoding")
    plain = answer.get_data()
    if len(plain) >= LEAST_BYTES and _takes_gzip():
        answer.set_data(gzip.compress(plain, 6, mtime=0))
        answer.content_encoding = "gzip"


def _takes_gzip() -> bool:
    return request.accept_encodings.quality("gzip") > 0


def _script(addresses: tuple[str, ...]) -> Packed | None:
    """Modules as one script; None if one is missing, or cannot be joined with others."""
    paths = _paths(addresses)
    try:
        return None if paths is None else _joined(paths)
    except ValueError as error:
        log.warning("A page's scripts are sent one by one: %s", error)
        return None


def _style(addresses: tuple[str, ...]) -> Packed | None:
    paths = _paths(addresses)
    return None if paths is None else _together(paths)


Paths = tuple[tuple[str, Path], ...]


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
    """The page's file at `/static/<name>` or `/games/<slug>/<name>`; None without one."""
    kind, *parts = address.removeprefix("/").split("/")
    path = None
    if kind == "static" and len(parts) == 1 and re.fullmatch(r"\w+\.(js|css|svg)", parts[0]):
        path = STATIC / parts[0]
    elif kind == "games" and len(parts) == 2 and OWN_FILES.fullmatch(parts[1]):
        try:
            path = game(parts[0]).folder / parts[1]
        except UserError:
            return None
    return path if path is not None and path.is_file() else None
