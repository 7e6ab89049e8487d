"""Who may change the table from a browser, and what a page may load.

No tokens: a browser says where a request comes from (`Sec-Fetch-Site`, and `Origin` where it is
older); a request from another site is refused. Programs send neither and pass.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, request

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer. Scripts and styles come from files of ours alone, never from within a page."""


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
    """Put the headers on; what is not a file of ours is never kept by a browser."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    return answer
