"""Who asks: the phone that holds a seat's secret, in a cookie that no script reads, or a program's header."""

from __future__ import annotations

from flask import Response, request

from companion.play.seats import phone_of

COOKIE = "seat"
COOKIE_AGE_S = 400 * 24 * 3600
BEARER = "Bearer "


def phone() -> str:
    """What the asker's secret makes it known by (`seats.phone_of`); empty without one.

    A header counts more than a cookie: who sends one means it.
    """
    told = request.headers.get("Authorization", "")
    if told.startswith(BEARER):
        return phone_of(told.removeprefix(BEARER).strip())
    return phone_of(request.cookies.get(COOKIE, ""))


def give(answer: Response, secret: str) -> Response:
    """Let the asker's browser keep a secret."""
    answer.set_cookie(COOKIE, secret, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
    return answer


def take_away(answer: Response) -> Response:
    """Let the asker's browser forget its secret."""
    answer.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return answer
