"""The asker's language, and a page's messages in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.games.narrated import Narrated
from companion.games.registry import game
from companion.messages import LANGUAGES, SHARED_MESSAGES, Messages

COOKIE = "language"
"""Name of the cookie that holds the chosen language."""
COOKIE_AGE_S = 400 * 24 * 3600
"""Seconds for which a browser keeps the choice: the most that browsers allow."""
PAGE_MESSAGES = Path(__file__).with_name("messages.toml")
"""The messages of all pages."""


@cache
def messages_of_page(slug: str) -> Messages:
    """The shared messages, those of the pages and those of the game `slug`, read once."""
    return _messages_of_every_page() | Messages.read(game(slug).folder / "messages.toml")


@cache
def _messages_of_every_page() -> Messages:
    # Apart from those of a game: the list of matches needs the messages of all games at once.
    return Messages.read(SHARED_MESSAGES, PAGE_MESSAGES)


def move_said(slug: str, move: Any) -> str:
    """A move as the asker calls it within a sentence, else in the game's notation."""
    rules = game(slug)
    phrase = rules.named(move) if isinstance(rules, Narrated) else None
    return rules.notation(move) if phrase is None else phrase.says(language())


def language() -> str:
    """The asker's language.

    It is that of this one page (`?lang=ko`, as a television has no menu), else the cookie that the menu sets,
    else the table's language, else the first known in Accept-Language.
    """
    asked = request.args.get("lang", "")
    if asked in LANGUAGES:
        return asked
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    of_the_table: str = current_app.extensions["companion"].language
    if of_the_table:
        return of_the_table
    for wanted in request.accept_languages.values():
        known = _known(wanted)
        if known:
            return known
    return "en"


def _known(wanted: str) -> str | None:
    """The language of ours for a reader of `wanted`: any Chinese gets the one Chinese there is."""
    primary = wanted.lower().replace("_", "-").split("-")[0]
    return next((tag for tag in LANGUAGES if tag.lower().split("-")[0] == primary), None)


def choose_language() -> AnyResponse | None:
    """Answer `?language=ko` on any page: store the choice and show the page again."""
    chosen = request.args.get("language", "")
    if request.method != "GET" or chosen not in LANGUAGES:
        return None
    # Not `request.path` as it came: a path of two slashes would lead to another host.
    answer = redirect("/" + request.path.lstrip("/"))
    answer.set_cookie(COOKIE, chosen, max_age=COOKIE_AGE_S, samesite="Lax")
    return answer


def say_language(answer: Response) -> Response:
    """Tell caches that the answer depends on the reader's language."""
    answer.vary.update(("Accept-Language", "Cookie"))
    answer.content_language.add(g.get("language") or language())
    return answer
