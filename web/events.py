"""The live stream: Server-Sent Events, one a change, each with its id."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf

from flask import Response, request

from web.app_state import AppState, app_state
from web.connections import CONNECTION
from web.error_pages import say
from web.identity import phone
from web.openapi import Refusal, Routes, as_json

HEARTBEAT_S = 10.0
"""A stream says at least `beat` this often, so that a page notices a connection that died silently."""

STREAM_S = 3600.0
"""A stream ends after this and the page comes back with `Last-Event-ID`. A dead one goes long before."""

RETRY = b"retry: 1000\n\n"
"""The first line of a stream: after how many milliseconds a browser opens one again that broke off."""

events = Routes("events")


@events.route("GET", "/api/events", gives="text/event-stream", refusals=(503,))
def stream() -> Response:
    """Live events: `table` with what `/api/table` gives at each change, `beat` while nothing changes."""
    # A link's `?last=` does what the header does, for a page that opens the stream again by itself.
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    state, connection = app_state(), request.environ.get(CONNECTION)
    followed = LiveStream(state, last, phone())
    if connection is None:
        text = _guarded(state, followed)
    elif state.take_place(phone()):
        # The server sends the rest without a thread of its own.
        connection.follow(followed, state.leave_place)
        text = iter([RETRY])
    else:
        text = iter(())
    return Response(text, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def too_many() -> Response | None:
    """Before a stream begins: 503 when as many phones listen as there are places."""
    if request.path != "/api/events" or app_state().has_place(phone()):
        return None
    app_state().count("streams-refused")
    answer = as_json(Refusal("too-many-phones", say("web.too-many-phones")), 503)
    answer.headers["Retry-After"] = "5"
    return answer


class LiveStream:
    """What one phone is sent, piece by piece, until it is time to come back or the app stops.

    Each event is the whole table, and none comes after a newer one. Where changes come faster than they are
    sent, those in between are left out: the newest always comes. It ends, too, as soon as the phone that
    asked no longer sits where it sat. One thread at a time uses it.
    """

    def __init__(self, state: AppState, last: str, phone: str = "") -> None:
        """`last` is the id of the event that the phone has seen last, if it has."""
        self.phone = phone
        self._state, self._last = state, last
        self._ends_s = time.monotonic() + STREAM_S
        self._sent_s = -inf
        self._sat = state.seat(phone) is not None

    def is_over(self) -> bool:
        """Whether nothing more is to be sent. What is due at the beginning is sent in any case."""
        gone = self._sat and self._state.seat(self.phone) is None
        late = self._sent_s > -inf and time.monotonic() >= self._ends_s
        return gone or late or self._state.stopping.is_set()

    def text(self, *, beat: bool = True) -> bytes:
        """The event that is due now, a beat only with `beat`; empty if none is."""
        self._state.hear(self.phone)
        name, body = self._state.encoded(self.phone)
        now_s = time.monotonic()
        if name != self._last:
            self._last, self._sent_s = name, now_s
            return b"event: table\nid: %s\ndata: %s\n\n" % (name.encode(), body)
        if beat and now_s - self._sent_s >= HEARTBEAT_S:
            self._sent_s = now_s
            return b"event: beat\ndata: {}\n\n"
        return b""

    def wait(self) -> None:
        """Wait for a change, for the next beat or for the end."""
        due_s = min(self._sent_s + HEARTBEAT_S, self._ends_s) - time.monotonic()
        version = int(self._last.rpartition("-")[2])
        self._state.table.wait_for_change(version, max(0.0, due_s), self._state.seat(self.phone))


def _guarded(state: AppState, followed: LiveStream) -> Iterator[bytes]:
    with state.a_stream(followed.phone) as free:
        if free:
            yield from lines(followed)


def lines(followed: LiveStream) -> Iterator[bytes]:
    """A stream's text for a server that gives each stream a thread."""
    yield RETRY
    while not followed.is_over():
        text = followed.text()
        if text:
            yield text
        followed.wait()
