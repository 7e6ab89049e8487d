"""`/metrics`: the companion's figures in Prometheus' text format."""

from __future__ import annotations

import resource
from collections.abc import Iterator

from flask import Response

from companion import __version__
from web.app_state import AppState, app_state
from web.openapi import Routes

metrics = Routes("metrics")

Figure = tuple[str, str, str, dict[str, str], float]
"""Name, type, help, labels, value."""


@metrics.route("GET", "/metrics", gives="text/plain; version=0.0.4")
def text() -> Response:
    """Figures for Prometheus."""
    return Response("".join(_lines(app_state())), content_type="text/plain; version=0.0.4; charset=utf-8")


def _lines(state: AppState) -> Iterator[str]:
    described = set()
    for name, kind, help_, labels, value in _figures(state):
        if name not in described:
            described.add(name)
            yield f"# HELP companion_{name} {help_}\n# TYPE companion_{name} {kind}\n"
        inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        yield (
            f"companion_{name}{{{inside}}} {float(value)!r}\n"
            if inside
            else f"companion_{name} {float(value)!r}\n"
        )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _figures(state: AppState) -> Iterator[Figure]:
    match, tally = state.table.match, state.tally
    yield "info", "gauge", "The version that runs", {"version": __version__}, 1
    yield "start_time_seconds", "gauge", "When it began (Unix time)", {}, state.began_s
    yield "memory_most_bytes", "gauge", "Most memory held so far", {}, _most_memory_bytes()
    yield "table_changes_total", "counter", "Changes sent to pages", {}, state.table.version
    yield "match", "gauge", "The match being played", {"game": match.game.slug}, match.record.id
    yield "match_moves", "gauge", "Moves that stand in it", {}, len(match.seen(None))
    yield "match_over", "gauge", "Whether it is over", {}, match.outcome is not None
    yield "moves_tapped_total", "counter", "Moves played from phones", {}, tally["moves"]
    yield "sightings_answered_total", "counter", "Sightings that a person answered", {}, tally["answers"]
    for status in (400, 403, 404, 409, 421, 429, 503):
        labels = {"status": str(status)}
        help_ = "Requests refused; those of seats only where a game hides nothing"
        yield "refusals_total", "counter", help_, labels, tally[f"refused:{status}"]
    yield "streams", "gauge", "Phones that listen now", {}, state.streams
    yield "streams_refused_total", "counter", "Phones too many", {}, tally["streams-refused"]
    yield "journal_ok", "gauge", "Whether the journal took the last change", {}, not match.journal.fault
    camera = state.camera_status()
    yield (
        "camera_ok",
        "gauge",
        "Whether the camera gives pictures",
        {},
        bool(camera and camera.kind in ("ok", "slow")),
    )
    yield "camera_fps", "gauge", "Pictures read a second", {}, camera.fps if camera else 0.0


def _most_memory_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
