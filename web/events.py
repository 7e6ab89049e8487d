"""The live stream: Server-Sent Events, one a change, each with its id."""

from __future__ import annotations

import time
from collections.abc import Iterator

from flask import Response, request

from web.app_state import AppState, app_state
from web.error_pages import say
from web.identity import phone
from web.openapi import Refusal, Routes, as_json

HEARTBEAT_S = 10.0
"""A stream says at least `beat` this often, so that a page notices a connection that died silently."""

STREAM_S = 300.0
"""A stream ends after this and the page comes back with `Last-Event-ID`: no dead phone keeps a thread."""

RETRY_MS = 1000

events = Routes("events")


@events.route("GET", "/api/events", gives="text/event-stream", refusals=(503,))
def stream() -> Response:
    """Live events: `table` with what `/api/table` gives at each change, `beat` while nothing changes."""
    # A link's `?last=` does what the header does, for a page that opens the stream again by itself.
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    return Response(
        _guarded(app_state(), last, phone()),
        mimetype="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


def too_many() -> Response | None:
    """Before a stream begins: 503 when as many phones listen as there are threads for."""
    if request.path != "/api/events" or app_state().has_place(phone()):
        return None
    app_state().count("streams-refused")
    answer = as_json(Refusal("too-many-phones", say("web.too-many-phones")), 503)
    answer.headers["Retry-After"] = "5"
    return answer


def _guarded(state: AppState, last: str, phone: str) -> Iterator[bytes]:
    with state.a_stream(phone) as free:
        if free:
            yield from lines(state, last, phone)


def lines(state: AppState, last: str, phone: str = "") -> Iterator[bytes]:
    """The stream's text until it is time to come back, the app stops, or nobody reads any more.

    It ends, too, as soon as the phone that asked no longer sits where it sat.
    """
    ends = time.monotonic() + STREAM_S
    sat = state.seat(phone) is not None
    yield b"retry: %d\n\n" % RETRY_MS
    while not state.stopping.is_set() and time.monotonic() < ends:
        seat = state.seat(phone)
        if sat and seat is None:
            return
        state.hear(phone)
        name, body = state.encoded(phone)
        if name != last:
            yield b"event: table\nid: %s\ndata: %s\n\n" % (name.encode(), body)
            last = name
        else:
            yield b"event: beat\ndata: {}\n\n"
        version = int(last.rpartition("-")[2])
        state.table.wait_for_change(version, min(HEARTBEAT_S, max(0.0, ends - time.monotonic())), seat)
