"""Refuses requests that other sites' pages send, and limits what our pages may load.

There are no tokens: a browser names the origin of a request in `Sec-Fetch-Site`, an older one in `Origin`.
Programs send neither and pass.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, request

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, section 9.2.1; TRACE is not served)."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' blob: data:; media-src 'self'; connect-src 'self'; manifest-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Headers of every answer. Scripts and styles load from our own files only, never from within a page."""

FOR_PAGES = frozenset({"X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy"})
"""Of them, those that say nothing about a script: no browser shows one in a window of its own."""


def from_another_site() -> bool:
    """Whether a request that may change something was sent by a page of another site."""
    if request.method in SAFE_METHODS:
        return False
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host


def harden(answer: Response) -> Response:
    """Add the headers. A browser may store our own files, and no other answer."""
    is_script = answer.mimetype == "text/javascript"
    for name, value in HEADERS.items():
        if not (is_script and name in FOR_PAGES):
            answer.headers.setdefault(name, value)
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    return answer
