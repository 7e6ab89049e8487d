"""A running table: the table and its services as one value, built once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.games.game import Stop
from companion.paths import damaged_in, missing_in
from companion.play.table import Table
from companion.players.reviews import Reviews
from companion.players.table_players import TablePlayers
from companion.service.announcements import Announcements, Notice
from companion.service.camera_status import CameraState, Readings
from companion.service.camera_switch import CameraSwitch, is_real, shown_file
from companion.service.panel import TablePanel
from companion.service.photos.drafts import PHOTOS, PhotoDrafts
from companion.service.photos.kept import KeptPictures
from companion.service.table_settings import TableSettings
from companion.service.turn_clock import rules_of
from companion.service.vision_loop import VisionLoop
from companion.service.wall_clock import WallClock
from companion.settings import Value
from companion.simulator.demo import SOURCE, VirtualDemo
from companion.simulator.table import VirtualCamera
from hardware.camera.frame import Camera
from hardware.panel.wires import Wires

log = logging.getLogger(__name__)

REAL_JOURNAL = "journal"

MOST_DAMAGED = 3
"""The most damaged files that a page names, the newest."""


@dataclass(frozen=True)
class RunningTable:
    """A table and its services, some of them optional.

    `demo` is the virtual table with virtual people. `sheet` gives the PDF of a sheet to print, by its name
    and language; None for an unknown name.
    """

    table: Table
    settings: TableSettings
    announcements: Announcements
    clock: WallClock
    cameras: CameraSwitch | None = None
    demo: VirtualDemo | None = None
    panel: TablePanel | None = None
    opponent: TablePlayers | None = None
    reviews: Reviews | None = None
    pictures: KeptPictures | None = None
    photos: PhotoDrafts | None = None
    sheet: Callable[[str, str], bytes | None] = lambda name, language: None

    @property
    def camera(self) -> VisionLoop | None:
        """The vision loop of the camera in use, or None."""
        return None if self.cameras is None else self.cameras.loop

    @property
    def is_paused(self) -> bool:
        """True while the clocks stand still."""
        return self.panel is not None and self.panel.status().paused

    def camera_state(self) -> CameraState | None:
        """The camera's state; None without a camera.

        A failure is logged and breaks no page, because the game can go on by taps.
        """
        camera = self.camera
        if camera is None:
            return None
        try:
            return camera.state()
        except Exception:
            log.exception("The camera's state cannot be read.")
            return CameraState("none")

    def readings(self) -> Readings:
        """The camera's counts; zeros without a camera."""
        return Readings() if self.camera is None else self.camera.readings()

    def notices(self) -> Iterator[Notice]:
        """An open table, announcements, changes at the table, a clock set back, and unusable files."""
        if self.settings.value("open"):
            yield Notice("open")
        yield from self.announcements.notices()
        yield from self._hands_seen()
        camera = self.camera_state()
        if camera is not None and camera.drift.what:
            drift = camera.drift
            yield Notice(f"camera-{drift.what}", {"marker": drift.marker, "since": drift.since})
        if minutes := self.clock.set_back_min():
            yield Notice("clock", {"minutes": minutes})
        match = self.table.snapshot.match
        if match.cut:
            yield Notice("match", {"match": match.record.id})
        if self.table.unopened is not None:
            yield Notice("match", {"match": self.table.unopened})
        if self.table.undealt is not None:
            yield Notice("undealt", {"match": self.table.undealt})
        folder = self.table.journal.path.parent
        for name in missing_in(folder)[:1]:
            yield Notice("gone", {"file": name})
        for name in damaged_in(folder)[:MOST_DAMAGED]:
            yield Notice("file", {"file": name})

    def _hands_seen(self) -> Iterator[Notice]:
        """The dealt hands that a phone has seen which does not sit there."""
        table = self.table.snapshot
        match = table.match.record.id
        for place in () if table.dealt is None else self.table.seats.at(match).places:
            if place.others:
                yield Notice("hand-seen", {"seat": place.seat, "phones": place.others, "match": match})

    @property
    def in_demo(self) -> bool:
        """True while virtual people play by themselves."""
        return self.demo is not None and self.demo.plays

    def end_demo(self) -> None:
        """Let the virtual people leave, before a person's match; theirs is stopped, and counts for nobody."""
        if self.demo is None or not self.demo.plays:
            return
        self.demo.leave()
        with self.table.locked() as match:
            if match.moves and match.outcome is None:
                self.table.play(Stop(), SOURCE)

    def start(self) -> None:
        """Start the services with threads."""
        for service in (self.cameras, self.panel, self.clock, self.opponent, self.reviews):
            if service is not None:
                service.start()

    @property
    def stops(self) -> tuple[Callable[[], object], ...]:
        """The services' stop functions, to call side by side."""
        threads = (self.cameras, self.panel, self.clock, self.opponent, self.reviews, self.photos)
        return tuple(service.stop for service in threads if service is not None)


def running_table(
    table: Table,
    camera: Camera | None,
    source: str,
    wires: Wires | None,
    settings: TableSettings,
    sheet: Callable[[str, str], bytes | None],
) -> RunningTable:
    """Build the table with its services, and delete data of matches that are gone for good."""
    journal = table.journal
    pictures = KeptPictures(journal.path.with_suffix(".pictures"))
    # The virtual table and folders of pictures have journals of their own.
    is_own = journal.path.stem == REAL_JOURNAL
    photos_in = journal.path.with_name(PHOTOS) if is_own else journal.path.with_suffix(".photos")
    photos = PhotoDrafts(folder=photos_in, shown=shown_file())
    reviews = Reviews(journal.path.with_suffix(".reviews"), table)
    for kept in (pictures, photos.kept, reviews):
        kept.forget_others(journal.every_match())
    cameras = CameraSwitch(
        table, source, camera, pictures=pictures, rotate=int(settings.value("rotate") or 0)
    )
    opponent = TablePlayers(
        table,
        lambda: cameras.loop is None or not is_real(cameras.source),
        journal.path.with_suffix(".opponent.json"),
    )
    announcements = Announcements(table.notify)
    panel = TablePanel(
        table,
        wires,
        kept=journal.path.with_suffix(".clocks.json"),
        camera_well=cameras.is_well,
        shows_for=opponent.shows_for,
        on_other=announcements.press,
    )
    _follow(settings, cameras, panel, pictures)
    return RunningTable(
        table,
        settings,
        announcements,
        WallClock(table.notify),
        cameras,
        VirtualDemo(camera.table) if isinstance(camera, VirtualCamera) else None,
        panel,
        opponent,
        reviews,
        pictures,
        photos,
        sheet,
    )


def _follow(
    settings: TableSettings, cameras: CameraSwitch, panel: TablePanel, pictures: KeptPictures
) -> None:
    """Apply each setting and its changes at once; the others are read where needed."""

    def keep_pictures(on: Value) -> None:
        pictures.on = bool(on)

    settings.offer("camera", cameras.choices)
    settings.when_changed(lambda chosen: cameras.choose(str(chosen)), "camera")
    settings.when_changed(lambda degrees: cameras.turn(int(degrees or 0)), "rotate")
    settings.follow(
        lambda *chosen: panel.set_clock(rules_of(*chosen)), "clock", "time_limit", "time_added", "time_out"
    )
    settings.follow(lambda on: panel.let_beep(on=bool(on)), "sound")
    settings.follow(keep_pictures, "move_pictures")
