"""The live stream: Server-Sent Events, one for each change, each with its id."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import Meta

from web.app_state import AppState, TableNow, app_state
from web.connections import CONNECTION
from web.error_pages import say
from web.identity import phone
from web.openapi import Refusal, Routes, Stream, as_json
from web.permissions import LOOK

HEARTBEAT_S = 10.0
"""The longest silence of a stream: a page notices by a `beat` that its connection died."""

STREAM_S = 3600.0
"""The length of a stream; then the page comes back with `Last-Event-ID`."""

RETRY = b"retry: 1000\n\n"
"""The first line of a stream: milliseconds until a browser opens a broken stream again."""

events = Routes("events")


class From(msgspec.Struct, frozen=True):
    """The place from which a stream goes on."""

    last: Annotated[str, Meta(description="The last event's id, as the header `Last-Event-ID`")] = ""


@events.route("GET", "/api/events", who=LOOK, gives=Stream("table", TableNow), asks=From, refusals=(503,))
def stream() -> Response:
    """Live events: `table` with what `/api/table` gives at each change, `beat` while nothing changes."""
    # A link's `?last=` does what the header does, for a page that opens the stream again by itself.
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    state, connection = app_state(), request.environ.get(CONNECTION)
    followed = LiveStream(state, last, phone())
    if connection is None:
        text = _guarded(state, followed)
    elif state.places.take_place(known=state.table.seats.knows(phone())):
        # The server sends the rest without a thread of its own.
        connection.follow(followed, state.places.leave)
        text = iter([RETRY])
    else:
        text = iter(())
    return Response(text, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def too_many() -> Response | None:
    """Refuse a stream with 503 when every place is taken."""
    state = app_state()
    if request.path != "/api/events" or state.places.are_free(known=state.table.seats.knows(phone())):
        return None
    state.count("streams-refused")
    answer = as_json(Refusal("too-many-phones", say("web.too-many-phones")), 503)
    answer.headers["Retry-After"] = "5"
    return answer


class LiveStream:
    """The stream of one phone, piece by piece, until it is time to come back or the app stops.

    Each event is the whole table, and older ones never follow newer ones. Fast changes may be left out: the
    newest always comes. The stream also ends once its phone loses its seat. One thread at a time uses it.
    """

    def __init__(self, state: AppState, last: str, phone: str = "") -> None:
        """`last` is the id of the last event that the phone has seen, or empty."""
        self.phone = phone
        self._state, self._last = state, last
        self._ends_s = time.monotonic() + STREAM_S
        self._sent_s = -inf
        self._sat = state.seat(phone) is not None

    def is_over(self) -> bool:
        """True at the end of the stream. The first event is sent in any case."""
        gone = self._sat and self._state.seat(self.phone) is None
        late = self._sent_s > -inf and time.monotonic() >= self._ends_s
        return gone or late or self._state.places.stopping.is_set()

    def text(self, *, beat: bool = True) -> bytes:
        """The due event, a beat only with `beat`; empty without one."""
        self._state.touch(self.phone)
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
        """Wait for a change, the next beat or the end."""
        due_s = min(self._sent_s + HEARTBEAT_S, self._ends_s) - time.monotonic()
        version = int(self._last.rpartition("-")[2])
        self._state.table.wait_for_change(version, max(0.0, due_s), self._state.seat(self.phone))


def _guarded(state: AppState, followed: LiveStream) -> Iterator[bytes]:
    with state.places.taking(known=state.table.seats.knows(followed.phone)) as free:
        if free:
            yield from lines(followed)


def lines(followed: LiveStream) -> Iterator[bytes]:
    """A stream's text, for a server with a thread for each stream."""
    yield RETRY
    while not followed.is_over():
        text = followed.text()
        if text:
            yield text
        followed.wait()
