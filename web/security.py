"""Refuses requests from other sites' pages, and limits what our pages may load.

There are no tokens: a browser names the origin of a request in `Sec-Fetch-Site`, an older one in `Origin`.
Programs send neither and pass. Requests for another machine's name are refused: any site can have its own
name point to this machine (DNS rebinding), and a browser then takes both for the same site.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Response, request

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods without changes (RFC 9110, section 9.2.1; TRACE is not served)."""

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
"""Headers of every answer. Scripts and styles load only from our own files."""

FOR_PAGES = frozenset({"X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy"})
"""Headers that mean nothing for a script, which has no window."""


def from_another_site() -> bool:
    """True for a possible change that another site's page asks for."""
    if request.method in SAFE_METHODS:
        return False
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host


def harden(answer: Response) -> Response:
    """Add the headers. A browser may store only our own files."""
    is_script = answer.mimetype == "text/javascript"
    for name, value in HEADERS.items():
        if not (is_script and name in FOR_PAGES):
            answer.headers.setdefault(name, value)
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    return answer


HOST = re.compile(r"(?:\[(?P<six>[^\[\]]+)\]|(?P<name>[^\[\]:]+))(?::(?P<port>\d{1,5}))?", re.ASCII)
"""A `Host` header: an address or a name, and the port. An IPv6 address is in brackets."""

HOME = "local"
"""The top-level domain of mDNS for a home network's machines: no site can have it."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names by which only the machine itself reaches it."""


def is_ours(host: str, names: Collection[str] = ()) -> bool:
    """True for a `Host` header that names this machine; `names` are further ones, in lower case.

    No site's name is an IP address. Only programs send an empty header.
    """
    if not host:
        return True
    parts = HOST.fullmatch(host)
    if parts is None:
        return False
    if parts["six"] or is_address(parts["name"]):
        return is_address(parts["six"] or parts["name"])
    name = parts["name"].lower().removesuffix(".")
    return name == "localhost" or name.endswith(f".{HOME}") or name in own_names() or name in names


def name_and_port(host: str) -> tuple[str, str]:
    """Split one of our `Host` headers; an IPv6 address keeps its brackets, a missing port is empty."""
    parts = HOST.fullmatch(host)
    if parts is None:
        return host, ""
    return f"[{parts['six']}]" if parts["six"] else parts["name"], parts["port"] or ""


def own_names() -> frozenset[str]:
    """This machine's host names in lower case, whole and without a domain."""
    name = socket.gethostname().lower()
    return frozenset({name, name.partition(".")[0]} - {""})


def is_address(text: str) -> bool:
    """True for a plain IP address, with or without the brackets of an IPv6 address."""
    try:
        ip_address(text.strip("[]"))
    except ValueError:
        return False
    return True
