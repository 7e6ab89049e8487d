"""A table's reports: its state as a spectator's page shows it, the ends of matches, its machine."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from companion import __version__, machine
from companion.broker.payloads import (
    EndedMatch,
    PublishedHealth,
    PublishedLamp,
    PublishedLamps,
    PublishedResults,
    PublishedState,
)
from companion.play.journal import Journal, utc_now
from companion.play.snapshot import MatchSnapshot, MatchView
from companion.service.camera_status import GIVES_PICTURES
from companion.service.running_table import RunningTable
from hardware.panel.patterns import PATTERNS

MOST_RESULTS = 20
"""The newest matches whose ends are published: more than a table plays in an evening."""


class Pages(Protocol):
    """The served pages, as the broker asks them: `web.settings_api.TablePages` of a running table."""

    def open_view(self) -> bytes:
        """The JSON that a spectator's page is sent now."""

    def address(self) -> str:
        """The address of the pages for other devices; empty if nobody knows it."""

    def listeners(self) -> int:
        """The number of phones that listen now."""

    def ask_as_host(self, path: str, body: dict[str, Any]) -> tuple[str, str] | None:
        """Send a request as the host; the rule and the sentence of its refusal, or None if it was done."""


class Shown(msgspec.Struct, frozen=True):
    """The part of a spectator's page that the broker gets."""

    match: MatchView
    sitting: tuple[str, ...]
    sighting: Any = None


def points_of(match: MatchSnapshot) -> dict[str, int]:
    """Each seat's points, as far as everybody may know them."""
    return match.game.retrospect.progress(match.game.hide(match.state, None))


def state_of(running: RunningTable, pages: Pages, table: str) -> PublishedState:
    """The state of `table`, made of what a spectator's page is sent, so that it holds nothing more."""
    shown = msgspec.json.decode(pages.open_view(), type=Shown)
    match = running.table.snapshot.match
    return PublishedState(
        table=table,
        name=running.settings.text("table_name"),
        at=utc_now(),
        match=shown.match,
        points=points_of(match),
        seated=shown.sitting,
        paused=running.is_paused,
        asks=shown.sighting is not None and shown.sighting.get("verdict") == "ask",
        called=running.announcements.called,
        referee=running.announcements.referee,
    )


def lamps_of(running: RunningTable, table: str) -> PublishedLamps:
    """The lamps of `table`, as far as another lamp can follow them."""
    panel = running.panel
    seats = () if panel is None else panel.status().seats
    lamps = {seat.seat: PATTERNS[seat.pattern] for seat in seats}
    return PublishedLamps(
        table,
        running.table.snapshot.match.record.id,
        {
            seat: PublishedLamp(
                lamp.name,
                on=max(level for _, level in lamp.points) > 0,
                blinks=not lamp.is_steady,
                warns=lamp.warns,
            )
            for seat, lamp in lamps.items()
        },
    )


def results_of(journal: Journal, table: str) -> PublishedResults:
    """The ends of the newest matches of `table`, from its journal. Raises `JournalError`."""
    newest = journal.summaries(MOST_RESULTS)
    ended = [
        EndedMatch(record.id, record.game, record.began, summary.players, summary.outcome)
        for record, summary in newest
        if summary is not None and summary.outcome is not None
    ]
    return PublishedResults(
        table, min((record.id for record, _ in newest), default=0), tuple(reversed(ended))
    )


def health_of(running: RunningTable, pages: Pages, table: str, unsent: int) -> PublishedHealth:
    """The state of the machine of `table`, while the broker lacks `unsent` entries."""
    camera, disk = running.camera_state(), machine.disk(running.table.journal.path.parent)
    return PublishedHealth(
        table=table,
        at=utc_now(),
        version=__version__,
        camera=camera.kind if camera else "none",
        camera_ok=camera is not None and camera.kind in GIVES_PICTURES,
        camera_fps=camera.fps if camera else 0.0,
        phones=pages.listeners(),
        journal_ok=not running.table.journal.fault,
        unsent=unsent,
        disk_free_bytes=None if disk is None else disk.free_bytes,
        memory_peak_bytes=machine.peak_memory_bytes(),
        temperature_c=machine.temperature_c(),
    )
