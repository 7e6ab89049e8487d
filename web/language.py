"""The asker's language, a page's messages in it, and how it writes dates and numbers."""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.games.registry import game
from companion.messages import LANGUAGES, SHARED_MESSAGES, Messages
from companion.play.records import local

COOKIE = "language"
COOKIE_AGE_S = 400 * 24 * 3600
"""The maximum that browsers allow."""
PAGE_MESSAGES = Path(__file__).with_name("messages.toml")


@cache
def messages_of_page(slug: str) -> Messages:
    """Shared messages, the pages' and those of the game `slug`, read once."""
    return messages_of_every_page() | Messages.from_files(game(slug).folder / "messages.toml")


@cache
def messages_of_every_page() -> Messages:
    """The messages of pages without those of a game: the list of matches needs those of all games at once."""
    return Messages.from_files(SHARED_MESSAGES, PAGE_MESSAGES)


def move_said(slug: str, move: Any) -> str:
    """A move in the asker's words within a sentence, else in the game's notation."""
    rules = game(slug)
    phrase = rules.retrospect.named(move)
    return rules.notation(move) if phrase is None else phrase.says(language())


def language() -> str:
    """The asker's language.

    That is this one page's (`?lang=ko`, as a television has no menu), else that of the menu's cookie, else
    the table's, else the first known in Accept-Language.
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
        # One Chinese serves all.
        primary = wanted.lower().replace("_", "-").split("-")[0]
        for known in LANGUAGES:
            if known.lower().split("-")[0] == primary:
                return known
    return "en"


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


WORDS = Messages.from_files(PAGE_MESSAGES)


def local_day(began: str) -> str:
    """The day of a journal's time: "23 November 2026"."""
    return _day(local(began))


def local_time(began: str) -> str:
    """The day with the time: "23 November 2026, 20:05"."""
    then = local(began)
    return WORDS.say("date.time", language(), day=_day(then), time=f"{then:%H:%M}")


def month_name(month: int) -> str:
    """The name of a month (1 to 12)."""
    return WORDS.say(f"date.month-{month}", language())


def _day(then: datetime) -> str:
    month = month_name(then.month)
    return WORDS.say("date.day", language(), year=then.year, month=month, day=then.day)


def percent(chance: float | str) -> str:
    """A chance (0 to 1, or a fraction "3/22") in percent: "9 %", "0.4 %", "99.6 %".

    Possible is never "0 %", and uncertain never "100 %".
    """
    share = float(Fraction(chance)) if isinstance(chance, str) else chance
    if share <= 0 or share >= 1:
        return "0 %" if share <= 0 else "100 %"
    of_hundred = 100 * share
    if of_hundred < 0.1 or of_hundred > 99.9:
        return "< 0.1 %" if of_hundred < 1 else "> 99.9 %"
    step = Decimal("0.1") if of_hundred < 1 or of_hundred > 99 else Decimal(1)
    rounded = Decimal(of_hundred).quantize(step, ROUND_HALF_UP)
    return f"{str(rounded).removesuffix('.0')} %"
