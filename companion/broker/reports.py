"""What a table reports of itself: its state as a spectator's page shows it, and how its machine is."""

from __future__ import annotations

from typing import Any

import msgspec

from companion import __version__, machine
from companion.broker.payloads import EndedMatch, PublishedHealth, PublishedResults, PublishedState
from companion.play.journal import utc_now
from companion.play.snapshot import MatchView
from web.app_state import AppState

MOST_RESULTS = 20
"""The newest matches whose ends are published: more than a table plays in an evening."""


class Shown(msgspec.Struct, frozen=True):
    """What the broker takes of all that a spectator's page is sent."""

    match: MatchView
    sitting: tuple[str, ...]
    sighting: Any = None


def state_of(app: AppState, table: str) -> PublishedState:
    """The state of `table`, made of what a spectator's page is sent, so that it holds nothing more."""
    shown = msgspec.json.decode(app.encoded("")[1], type=Shown)
    match = app.table.snapshot.match
    return PublishedState(
        table=table,
        name=app.table_name,
        at=utc_now(),
        match=shown.match,
        points=match.game.progress(match.game.hide(match.state, None)),
        seated=shown.sitting,
        paused=app.panel is not None and app.panel.now().paused,
        asks=shown.sighting is not None and shown.sighting.get("verdict") == "ask",
        called=app.called,
        referee=app.referee,
    )


def results_of(app: AppState, table: str) -> PublishedResults:
    """How the newest matches of `table` ended, as its journal has it. Raises `JournalError`."""
    newest = app.table.journal.summaries(MOST_RESULTS)
    ended = [
        EndedMatch(record.id, record.game, record.began, summary.players, summary.outcome)
        for record, summary in newest
        if summary is not None and summary.outcome is not None
    ]
    return PublishedResults(
        table, min((record.id for record, _ in newest), default=0), tuple(reversed(ended))
    )


def health_of(app: AppState, table: str, unsent: int) -> PublishedHealth:
    """How the machine of `table` is, while the broker lacks `unsent` entries."""
    camera, disk = app.camera_status(), machine.disk(app.table.journal.path.parent)
    return PublishedHealth(
        table=table,
        at=utc_now(),
        version=__version__,
        camera=camera.kind if camera else "none",
        camera_ok=camera is not None and camera.kind in ("ok", "slow"),
        camera_fps=camera.fps if camera else 0.0,
        phones=app.streams,
        journal_ok=not app.table.journal.fault,
        unsent=unsent,
        disk_free_bytes=None if disk is None else disk.free_bytes,
        memory_peak_bytes=machine.peak_memory_bytes(),
        temperature_c=machine.temperature_c(),
    )
