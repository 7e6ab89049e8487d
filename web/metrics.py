"""`/metrics`: the companion's figures for Prometheus.

Anybody on the house's network may read them, as they may look at the table: they count open changes, and
never what a seat did in private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from flask import Response

from companion import __version__, machine
from companion.games.watching import Verdict
from companion.service.camera_status import GIVES_PICTURES, Histogram
from web.app_state import AppState, app_state
from web.openapi import Routes
from web.permissions import FILES

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

PREFIX = "table_companion_"


class Figure(NamedTuple):
    """One value: its name without `PREFIX`, its kind, its help and its labels."""

    name: str
    kind: Literal["gauge", "counter", "histogram"]
    says: str
    value: float | Histogram
    labels: Mapping[str, str] = {}


def as_text(figures: Iterable[Figure]) -> str:
    """All figures as text, grouped by name."""
    return "".join(_lines(figures))


def _lines(figures: Iterable[Figure]) -> Iterator[str]:
    described = set()
    for name, kind, says, value, labels in figures:
        if name not in described:
            described.add(name)
            yield f"# HELP {PREFIX}{name} {says}\n# TYPE {PREFIX}{name} {kind}\n"
        samples = value.samples() if isinstance(value, Histogram) else [("", {}, value)]
        for end, more, number in samples:
            inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in {**labels, **more}.items())
            yield f"{PREFIX}{name}{end}{f'{{{inside}}}' if inside else ''} {float(number)!r}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


metrics = Routes("metrics")


@metrics.route("GET", "/metrics", who=FILES, gives="text/plain; version=0.0.4")
def text() -> Response:
    """Figures for Prometheus."""
    return Response(as_text(_figures(app_state())), content_type=CONTENT_TYPE)


def _figures(state: AppState) -> Iterator[Figure]:
    yield Figure("build_info", "gauge", "The version that runs", 1, {"version": __version__})
    yield Figure("start_time_seconds", "gauge", "When it began (Unix time)", state.began_s)
    yield from _of_machine(state)
    yield from _of_match(state)
    yield from _of_phones(state)
    yield from _of_camera(state)
    unsent = 0 if state.broker is None else state.broker.unsent()
    if unsent is not None:
        yield Figure("broker_queue", "gauge", "Entries that the broker has not confirmed yet", unsent)


def _of_machine(state: AppState) -> Iterator[Figure]:
    says = "The most memory that the companion has used"
    yield Figure("memory_peak_bytes", "gauge", says, machine.peak_memory_bytes())
    disk, temperature_c = machine.disk(state.table.journal.path.parent), machine.temperature_c()
    if disk is not None:
        yield Figure("disk_free_bytes", "gauge", "Free space where matches are kept", disk.free_bytes)
        yield Figure("disk_size_bytes", "gauge", "Size of the disk where matches are kept", disk.size_bytes)
    if temperature_c is not None:
        yield Figure("temperature_celsius", "gauge", "Temperature of the processor", temperature_c)


def _of_match(state: AppState) -> Iterator[Figure]:
    table, match = state.table, state.table.match
    labels = {"game": match.game.slug}
    yield Figure("match_number", "gauge", "The match on the table, by its number", match.record.id, labels)
    yield Figure("match_moves", "gauge", "Moves of the match that stand", len(match.snapshot.seen(None)))
    yield Figure("match_over", "gauge", "Whether the match is over", match.outcome is not None)
    yield Figure("changes_total", "counter", "Changes sent to pages", table.snapshot.version)
    for source, count in sorted(table.entries_by_source.items()):
        says = "Entries of the journal that all may see, by who made them"
        yield Figure("entries_total", "counter", says, count, {"source": source})
    yield Figure("moves_tapped_total", "counter", "Moves played from phones", state.tally["moves"])
    says = "Sightings that a person answered"
    yield Figure("sightings_answered_total", "counter", says, state.tally["answers"])
    yield Figure("journal_ok", "gauge", "Whether the journal took the last change", not match.journal.fault)


def _of_phones(state: AppState) -> Iterator[Figure]:
    for status in (400, 403, 404, 409, 421, 429, 503):
        says = "Requests refused; those of seats only where a game hides nothing"
        count = state.tally[f"refused:{status}"]
        yield Figure("refusals_total", "counter", says, count, {"status": str(status)})
    yield Figure("phones", "gauge", "Phones that listen now", state.places.taken)
    yield Figure("phones_refused_total", "counter", "Phones too many", state.tally["streams-refused"])


def _of_camera(state: AppState) -> Iterator[Figure]:
    camera = state.running.camera_state()
    is_ok = camera is not None and camera.kind in GIVES_PICTURES
    yield Figure("camera_ok", "gauge", "Whether the camera gives pictures", is_ok)
    says = "Pictures read a second, over the last seconds"
    yield Figure("camera_frames_per_second", "gauge", says, camera.fps if camera else 0.0)
    readings = state.running.readings()
    yield Figure("pictures_read_total", "counter", "Pictures read", readings.pictures)
    for outcome in Verdict:
        says = "Readings that the table judged, by what it did with them"
        yield Figure("readings_total", "counter", says, readings.outcomes[outcome], {"outcome": outcome})
    for stage, spread in readings.stages.items():
        says = "Time of each stage of reading the board"
        yield Figure("reading_stage_seconds", "histogram", says, spread, {"stage": stage})
