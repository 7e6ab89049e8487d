"""Identifies the asker by a seat's secret: in a cookie that no script reads, or in a program's header."""

from __future__ import annotations

from flask import Response, request

from companion.play.seats import phone_of

COOKIE = "seat"
"""The name of the cookie with the secret."""
COOKIE_AGE_S = 400 * 24 * 3600
"""Seconds for which a browser keeps the cookie, the maximum that browsers allow."""
BEARER = "Bearer "
"""The beginning of a program's Authorization header."""


SEATLESS = "none"
"""The value of `?seat=` of a request that wants what lies open alone, wherever its device sits."""


def phone() -> str:
    """The asker's id, made from its secret (`seats.phone_of`); empty without a secret.

    A header takes precedence over a cookie, because nobody sends a header by accident. The big screen is
    nobody, and so is whoever asks as nobody: a laptop that shows the table may also be a player's phone.
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
