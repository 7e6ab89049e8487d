"""Identifies the asker by a seat's secret, and the match that the page shows.

A secret comes in a cookie that no script reads, or in a program's header.
"""

from __future__ import annotations

from flask import Response, g, request

from companion.games.registry import AnyGame, game
from companion.play.seats import phone_of
from companion.play.snapshot import MatchView
from web.app_state import TableNow, app_state, running

COOKIE = "seat"
COOKIE_AGE_S = 400 * 24 * 3600
"""The maximum that browsers allow."""
BEARER = "Bearer "

SEATLESS = "none"
"""The value of `?seat=` that asks for the open table, wherever the device sits."""


def phone() -> str:
    """The asker's id, made from its secret (`seats.phone_of`); empty without a secret.

    A header takes precedence over a cookie, because nobody sends a header by accident. The big screen has no
    seat, even on a player's device.
    """
    if request.path == "/display" or request.args.get("seat") == SEATLESS:
        return ""
    header = request.headers.get("Authorization", "")
    if header.startswith(BEARER):
        return phone_of(header.removeprefix(BEARER).strip())
    return phone_of(request.cookies.get(COOKIE, ""))


def give(answer: Response, secret: str) -> Response:
    """Store a secret in the asker's browser."""
    answer.set_cookie(COOKIE, secret, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
    return answer


def take_away(answer: Response) -> Response:
    """Delete the secret from the asker's browser."""
    answer.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return answer


def look_at(match: MatchView) -> None:
    """Show `match` on this page, in place of the one on the table."""
    g.kept_match = match


def kept_match() -> MatchView | None:
    """The kept match on this page; None on a page of the table."""
    match: MatchView | None = g.get("kept_match")
    return match


def speak_of(shown: AnyGame) -> None:
    """Make this page about a game, whatever is played at the table."""
    g.game_spoken_of = shown


def game_shown() -> AnyGame:
    """The page's game: set by `speak_of`, or that of its match."""
    other: AnyGame | None = g.get("game_spoken_of")
    if other is not None:
        return other
    match = kept_match()
    return running().table.match.game if match is None else game(match.game)


def now_shown() -> TableNow:
    """The table as this page shows it, or a kept match, which has no phones."""
    match = kept_match()
    if match is None:
        return app_state().table_now(phone())
    notices = tuple(notice for notice in running().notices() if notice.key == "open")
    return TableNow(f"kept-{match.n}", match, None, None, seat=None, sitting=(), notices=notices)
