"""The camera set up on a phone, step by step: on the virtual table, and with a camera that is told all."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from companion.commands.print_sheets import sheet_for_page
from companion.games.watching import Tile
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.accuracy import AccuracyNow, Count, Report, Task
from companion.service.camera_status import CameraState
from companion.service.running_table import running_table
from companion.service.setup.checks import EmptyCheck, LessonCheck, MarkerCheck, PictureCheck, TileCheck
from companion.service.setup.drift import Drift
from companion.service.table_settings import TableSettings
from companion.settings import SettingsFile
from companion.simulator.demo import VirtualPhone
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from conftest import PATIENCE_MS, close
from tests.browser.conftest import PHONE, Phone, Site, rest_slow, until
from tests.browser.reading import SPILLS, axe, left_of, unreadable
from tests.conftest import BED
from web.app import create_app
from web.server import Server

__all__ = ["axe"]

SQUARE = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))
SEEN = tuple(MarkerCheck(n, "seen", SQUARE) for n in range(4))
LOCATED = PictureCheck(
    64, 48, 1, 1, markers=SEEN, grid=(SQUARE[:2], SQUARE[2:], SQUARE[:2], SQUARE[2:]), fit_px=0.4
)
FAULTS_OF_THE_CAMERA = {
    "starting": "The camera is starting.",
    "unplugged": "The camera is not connected. Check its cable",
    "frozen": "The picture is frozen.",
    "black": "Is the lens covered",
    "overexposed": "Turn the lamp away.",
    "slow": "Only a few pictures come from the camera. Check its cable",
    "busy": "this machine has too much to do",
    "ended": "There are no more pictures.",
}
"""What keeps a camera from being used, and what the page says of it."""
FAULTS_OF_THE_PICTURE = {
    "dark": "The table is too dark: switch a lamp on or move it closer.",
    "bright": "Much of the picture is pure white: turn the lamp away from the table.",
    "blurred": "The picture is blurred: focus the lens or wipe it, and fix the camera firmly.",
}
"""What makes its pictures hard to read."""
FAULTS_OF_A_MARKER = {
    "covered": "Marker 2 is covered: take away what lies on it.",
    "outside": "Marker 2 is out of the picture: move the camera or the board.",
    "unseen": "Marker 2 is not seen: lay it flat, printed side up, where the camera sees it.",
}
"""How a marker may be lost."""
FAULTS_OF_A_LESSON = {
    "markers": "The board is not found: go back to the step before.",
    "moving": "Something is moving: wait until all is still.",
    "blurred": "The picture is blurred: focus the lens or wipe it.",
    "hand": "Something reaches over the edge of the board: take it away.",
    "tile": "Something seems to lie where the picture shows it: take it away.",
}
"""What keeps the camera from learning from a picture."""
MOST_TABS = 40
"""Presses of Tab from one thing on a page to any other."""
SLOWLY_MS = 60_000
"""A reading of the virtual table may wait for a machine with much else to do."""


@pytest.fixture(scope="module")
def virtual_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A virtual table as `companion run` puts it together; its address."""
    folder = tmp_path_factory.mktemp("virtual")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_HOME", str(folder))
        table = Table.open(Journal(folder / "journal.sqlite"), BED)
        camera = open_camera("virtual?speed=3&reach=1")
        assert isinstance(camera, VirtualCamera)
        camera.table.sit_down(VirtualPhone(table))
        settings = TableSettings(SettingsFile(), {})
        settings.took("camera", "virtual")
        running = running_table(table, camera, "virtual", None, settings, sheet_for_page)
        server = Server(create_app(running), "127.0.0.1", 0)
        server.start()
        running.start()
        yield f"http://127.0.0.1:{server.port}"
        for stop in (*running.stops, server.stop):
            stop()
        table.journal.close()


@pytest.fixture
def page(virtual_site: str, chromium: Browser) -> Iterator[Page]:
    """The camera's page of that table on a phone."""
    context = chromium.new_context(**PHONE)
    context.set_default_timeout(PATIENCE_MS)
    opened = context.new_page()
    opened.goto(f"{virtual_site}/camera")
    yield opened
    close(context)


def next_step(page: Page, step: str) -> None:
    """Go on from a step."""
    page.locator(f"#step-{step} [data-next-step]").tap()


def rehearse(page: Page, name: str) -> None:
    """Let something happen on the virtual table, and wait until the camera has looked again."""
    with page.expect_response(lambda answered: answered.request.method == "POST"):
        page.get_by_role("button", name=name).tap()
    for _ in range(2):
        with page.expect_response("**/api/camera/picture*"):
            pass


def press(page: Page, what: str) -> None:
    """Go to something with the Tab key, from where the focus is, and press Enter."""
    wanted = page.locator(what).first
    expect(wanted).to_be_enabled()
    for _ in range(MOST_TABS):
        if wanted.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(wanted).to_be_focused()
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_the_whole_set_up_is_tried_on_the_virtual_table_with_its_faults(page: Page, axe: str) -> None:
    page.get_by_role("button", name="Try the set-up").tap()
    expect(page.locator("#advice")).to_have_text("The picture is bright and sharp.")
    next_step(page, "camera")
    expect(page.locator("#marker-checks li[data-kind=good]")).to_have_count(4)
    page.get_by_text("Faults to try").tap()
    cup = page.get_by_role("button", name="Cup on marker 0")
    cup.tap()
    expect(page.locator("#marker-checks")).to_contain_text("Marker 0 is covered")
    cup.tap()
    expect(page.locator("#marker-checks li[data-kind=good]")).to_have_count(4)
    rehearse(page, "A hand on the board")
    checks_empty = page.url.replace("/camera", "/api/camera/check/empty")
    until(page, lambda: page.request.get(checks_empty).json().get("hindrance") == "hand")
    next_step(page, "markers")
    expect(page.locator("#empty-said")).to_have_text(
        "Something reaches over the edge of the board: take it away.", timeout=SLOWLY_MS
    )
    rehearse(page, "Leave a tile")
    rehearse(page, "A hand on the board")
    expect(page.locator("#empty-said")).to_contain_text("Something seems to lie", timeout=SLOWLY_MS)
    expect(page.locator("#overlay .thing")).to_have_count(1)
    page.get_by_role("button", name="Clear").tap()
    expect(page.locator("#empty-said")).to_have_text("The empty board is known.", timeout=SLOWLY_MS)
    next_step(page, "empty")
    page.get_by_role("button", name="Cat 7–9").tap()
    expect(page.locator("#tiles-said")).to_have_text("Still to lay: 7, 8, 9", timeout=SLOWLY_MS)
    page.get_by_role("button", name="One askew").tap()
    expect(page.locator("#tiles-said")).to_have_text("Not on their outlines: 9", timeout=SLOWLY_MS)
    assert unreadable(page, axe) == []
    page.get_by_role("button", name="Lay them").tap()
    expect(page.get_by_role("button", name="✓ Cat 7–9")).to_be_visible(timeout=SLOWLY_MS)
    page.get_by_text("What was learnt").tap()
    expect(page.locator("#learnt-tiles button")).to_have_text(["Cat 7", "Cat 8", "Cat 9"])
    page.get_by_role("button", name="Cat 8").tap()
    page.get_by_role("button", name="Lay them").tap()
    expect(page.locator("#toast")).to_have_text("✓ Cat 8", timeout=SLOWLY_MS)
    page.reload()
    expect(page.locator("#step-empty[data-done]")).to_be_visible()
    expect(page.locator("#step-tiles[open]")).to_be_visible()
    page.get_by_role("button", name="Back to the demo").tap()
    expect(page.get_by_role("button", name="Try the set-up")).to_be_visible()


def test_without_wires_the_page_s_lamps_are_tried_one_by_one(page: Page) -> None:
    page.locator("#step-panel summary").tap()
    page.get_by_role("button", name="Try them").tap()
    expect(page.locator("#panel-said")).to_contain_text("Lamp 1 is lit")
    page.get_by_role("button", name="2 · Dog").tap()
    expect(page.locator("#panel-said")).to_contain_text("Button 2 was pressed, not that of the lamp")
    page.get_by_role("button", name="1 · Cat").tap()
    expect(page.locator("#panel-said")).to_have_text("Every button has answered.")
    expect(page.locator("#step-panel[data-done]")).to_be_visible()


def test_the_sheets_to_print_are_a_tap_away(page: Page, virtual_site: str) -> None:
    page.locator("#step-markers summary").tap()
    for name in ("Markers (PDF)", "Mat with markers (PDF)"):
        address = page.get_by_role("link", name=name, exact=True).get_attribute("href")
        answer = page.request.get(f"{virtual_site}{address}")
        assert (answer.headers["content-type"], answer.body()[:5]) == ("application/pdf", b"%PDF-")
    assert page.request.get(f"{virtual_site}/sheets/anything.pdf").status == 404


def test_a_setting_is_kept_as_soon_as_it_is_changed(page: Page, virtual_site: str, axe: str) -> None:
    for tag, width in (("zh-Hant", 320), ("ko", 1280), ("en", 390)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{virtual_site}/settings?lang={tag}")
        assert unreadable(page, axe) == [], tag
    expect(page.get_by_label("Camera", exact=True)).to_contain_text("None: a drawn table (demo)")
    name = page.get_by_label("Name of the table", exact=True)
    name.fill("Kitchen")
    name.press("Tab")
    expect(page.locator("#toast")).to_have_text("Saved.")
    page.get_by_text("Buttons and lamps", exact=True).tap()
    page.get_by_label("Wiring of the buttons and lamps").select_option("standard")
    expect(page.locator("#toast")).to_have_text("Saved: it takes effect at the next start.")
    expect(page.locator("[data-setting=panel] .waits")).to_be_visible()
    minutes = page.get_by_label("Time for each player, in minutes")
    minutes.fill("-3")
    minutes.press("Tab")
    expect(page.locator("#toast")).to_contain_text("please enter a value that fits")
    page.goto(f"{virtual_site}/new")
    expect(page.locator("h1")).to_have_text("Kitchen")


def test_the_picture_fills_the_screen_and_is_zoomed_by_keys_alone(page: Page) -> None:
    expect(page.locator("#overlay .grid-line").first).to_be_attached()
    page.locator("#full").press("Enter")
    page.wait_for_function(
        "() => { const {width, height} = document.getElementById('eye').getBoundingClientRect();"
        " return width === 390 && height === 844; }"
    )
    page.locator("#zoom-in").press("Enter")
    page.locator("#view").press("ArrowRight")
    page.wait_for_function("() => document.getElementById('view').scrollLeft > 0")
    page.keyboard.press("Escape")
    expect(page.locator("#eye.full")).to_have_count(0)


class TestTold:
    """What the page makes of what the camera says."""

    @pytest.fixture(autouse=True)
    def set_up(self, site: Site) -> None:
        """The board is found; it was not shown yet."""
        site.camera.checked = LOCATED  # type: ignore[union-attr]

    def test_the_first_step_that_is_not_done_is_open_and_each_is_ticked_that_is(self, phone: Phone) -> None:
        page = phone("/camera")
        expect(page.locator("#step-empty[open]")).to_be_visible()
        for step in ("language", "camera", "markers"):
            expect(page.locator(f"#step-{step}[data-done]")).to_be_visible()
        expect(page).to_have_url(re.compile("#step-empty$"))

    def test_the_empty_board_is_taken_by_itself_once(self, phone: Phone, site: Site) -> None:
        page = phone("/camera")
        expect(page.locator("#empty-said")).to_have_text("Something is moving: wait until all is still.")
        site.camera.emptiness = EmptyCheck()  # type: ignore[union-attr]
        expect(page.locator("#empty-said")).to_have_text("The empty board is known.")
        assert site.camera.asked == [("empty",)]  # type: ignore[union-attr]
        with page.expect_response(lambda answered: answered.request.method == "POST"):
            page.get_by_role("button", name="Take it again").tap()
        expect(page.locator("#toast")).to_have_text("The empty board is known.")
        for _ in range(2):
            with page.expect_response("**/api/camera/check"):
                pass
        assert site.camera.asked == [("empty",), ("empty",)]  # type: ignore[union-attr]

    def test_what_is_printed_on_the_board_is_said_to_be_that(self, phone: Phone, site: Site) -> None:
        site.camera.emptiness = EmptyCheck("tile", (SQUARE,))  # type: ignore[union-attr]
        page = phone("/camera")
        page.get_by_role("button", name="That is printed on the board").tap()
        expect(page.locator("#empty-said")).to_have_text("The empty board is known.")
        assert site.camera.asked == [("empty", "sure")]  # type: ignore[union-attr]

    def test_a_lesson_is_learnt_once_all_its_tiles_lie_right(self, phone: Phone, site: Site) -> None:
        camera = site.camera
        camera.checked = replace(LOCATED, empty_shown=True)  # type: ignore[union-attr]
        tiles = (TileCheck(3, "right", SQUARE), TileCheck(7, "beside", SQUARE))
        camera.lying = LessonCheck("", tiles)  # type: ignore[union-attr]
        page = phone("/camera")
        page.get_by_role("button", name="Dog 3 7").tap()
        expect(page.locator("#tiles-said")).to_have_text("Not on their outlines: 7")
        camera.lying = LessonCheck("", (tiles[0], TileCheck(7, "right", SQUARE)))  # type: ignore[union-attr]
        expect(page.locator("#toast")).to_have_text("✓ Dog 3 7")
        assert camera.asked == [("teach", "dog", (3, 7))]  # type: ignore[union-attr]

    def test_tiles_that_the_camera_cannot_tell_from_the_board_are_learnt_by_a_tap(
        self, phone: Phone, site: Site
    ) -> None:
        site.camera.checked = replace(LOCATED, empty_shown=True)  # type: ignore[union-attr]
        site.camera.lying = LessonCheck("", (TileCheck(1, "missing", SQUARE),))  # type: ignore[union-attr]
        page = phone("/camera")
        page.get_by_role("button", name="Cat 1–2").tap()
        expect(page.locator("#step-tiles [data-next-step]")).to_have_text("Skip")
        page.get_by_role("button", name="Learn them anyway").tap()
        expect(page.locator("#toast")).to_have_text("✓ Cat 1–2")

    def test_each_fault_of_the_camera_is_said_at_its_step(self, phone: Phone, site: Site) -> None:
        page = phone("/camera#step-camera")
        advice, step = page.locator("#advice"), page.locator("#step-camera[data-done]")
        expect(step).to_be_visible()
        for kind, said in FAULTS_OF_THE_CAMERA.items():
            site.camera.status = CameraState(kind)  # type: ignore[union-attr, arg-type]
            site.table.notify()
            expect(advice).to_contain_text(said)
            expect(step).to_have_count(0)
        site.camera.status = CameraState("ok")  # type: ignore[union-attr]
        site.table.notify()
        for fault, said in FAULTS_OF_THE_PICTURE.items():
            site.camera.checked = replace(LOCATED, advice=(fault,))  # type: ignore[union-attr, arg-type]
            expect(advice).to_have_text(said)
            expect(step).to_have_count(0)
        site.camera.checked = LOCATED  # type: ignore[union-attr]
        expect(advice).to_have_text("The picture is bright and sharp.")
        expect(step).to_be_visible()

    def test_each_fault_of_the_markers_is_said_with_the_markers_number(
        self, phone: Phone, site: Site
    ) -> None:
        page = phone("/camera#step-markers")
        for state, said in FAULTS_OF_A_MARKER.items():
            marker = MarkerCheck(2, state)  # type: ignore[arg-type]
            checked = replace(LOCATED, markers=(*SEEN[:2], marker, SEEN[3]), grid=(), fit_px=None)
            site.camera.checked = checked  # type: ignore[union-attr]
            expect(page.locator("#marker-checks li[data-kind=wait]")).to_have_text(said)
            expect(page.locator("#fit")).to_have_text("The board is not found yet.")
            expect(page.locator("#step-markers[data-done]")).to_have_count(0)
        site.camera.checked = replace(LOCATED, fit_px=7.3)  # type: ignore[union-attr]
        expect(page.locator("#fit")).to_have_text(
            "The grid is 7.3 px off: lay the markers flat, each at its own corner."
        )
        site.camera.checked = LOCATED  # type: ignore[union-attr]
        expect(page.locator("#marker-checks li[data-kind=good]")).to_have_count(4)
        expect(page.locator("#step-markers[data-done]")).to_be_visible()

    def test_each_fault_keeps_the_empty_board_and_the_tiles_from_being_taken(
        self, phone: Phone, site: Site
    ) -> None:
        camera = site.camera
        page = phone("/camera#step-empty")
        for fault, said in FAULTS_OF_A_LESSON.items():
            camera.emptiness = EmptyCheck(fault)  # type: ignore[union-attr, arg-type]
            expect(page.locator("#empty-said")).to_have_text(said)
        camera.checked = replace(LOCATED, empty_shown=True)  # type: ignore[union-attr]
        page.goto(site.url("/camera#step-tiles"))
        page.reload()
        page.get_by_role("button", name="Cat 1–2").tap()
        for fault, said in FAULTS_OF_A_LESSON.items():
            camera.lying = LessonCheck(fault)  # type: ignore[union-attr, arg-type]
            expect(page.locator("#tiles-said")).to_have_text(said)
        tiles = (TileCheck(1, "right", SQUARE), TileCheck(2, "right", SQUARE))
        camera.lying = LessonCheck("", tiles, (SQUARE,))  # type: ignore[union-attr]
        expect(page.locator("#tiles-said")).to_have_text("Something else lies on the board: take it away.")
        assert camera.asked == [], "nothing was taken"  # type: ignore[union-attr]

    @pytest.mark.parametrize("locale", rest_slow("ko-KR", "zh-TW"))
    def test_every_step_can_be_read_on_a_small_phone(
        self, phone: Phone, site: Site, axe: str, locale: str
    ) -> None:
        markers = (MarkerCheck(0, "covered"), MarkerCheck(1, "outside"), MarkerCheck(2, "unseen"))
        checked = replace(LOCATED, markers=markers, advice=("dark", "blurred"), by_hand=True)
        site.camera.checked = checked  # type: ignore[union-attr]
        page = phone("/camera", locale=locale, viewport={"width": 320, "height": 568})
        for step in page.locator("#steps > details").all():
            if not step.get_attribute("open"):
                step.evaluate("step => { step.open = true; }")
            assert unreadable(page, axe) == [], step.get_attribute("id")
        page.set_viewport_size({"width": 1280, "height": 800})
        assert left_of(page, SPILLS) == []

    def test_corners_are_dragged_where_there_are_no_markers(self, phone: Phone, site: Site) -> None:
        site.camera.checked = replace(LOCATED, grid=(), markers=(), fit_px=None)  # type: ignore[union-attr]
        page = phone("/camera#step-markers")
        expect(page.locator("#fit")).to_have_text("The board is not found yet.")
        page.get_by_role("button", name="No markers: set the corners").tap()
        page.get_by_role("button", name="Top left corner").press("ArrowRight")
        page.get_by_role("button", name="Use these corners").tap()
        expect(page.locator("#toast")).to_have_text("Done.")
        ((what, corners),) = site.camera.asked  # type: ignore[union-attr]
        assert what == "corners"
        flat = [each for corner in corners for each in corner]  # type: ignore[attr-defined]
        assert flat == pytest.approx([13.8, 9.6, 51.2, 9.6, 51.2, 38.4, 12.8, 38.4], abs=0.1)

    def test_all_is_forgotten_after_a_second_tap(self, phone: Phone, site: Site) -> None:
        page = phone("/camera")
        page.get_by_role("button", name="Forget all and start over").tap()
        assert site.camera.asked == []  # type: ignore[union-attr]
        page.get_by_role("button", name="Tap again to forget all").tap()
        expect(page.locator("#toast")).to_contain_text("knows nothing now")
        assert site.camera.asked == [("forget",)]  # type: ignore[union-attr]

    def test_the_whole_wizard_is_walked_by_keys_alone(self, phone: Phone, site: Site) -> None:
        camera = site.camera
        camera.emptiness = EmptyCheck()  # type: ignore[union-attr]
        camera.lying = LessonCheck("", (TileCheck(1, "missing", SQUARE),))  # type: ignore[union-attr]
        page = phone("/camera#step-language")
        for step in ("language", "camera", "markers"):
            expect(page.locator(f"#step-{step}[open]")).to_be_visible()
            press(page, f"#step-{step} [data-next-step]")
        expect(page.locator("#step-empty summary")).to_be_focused()
        expect(page.locator("#empty-said")).to_have_text("The empty board is known.")
        press(page, "#step-empty [data-next-step]")
        press(page, "#lessons button")
        expect(page.locator("#tiles-said")).to_have_text("Still to lay: 1")
        press(page, "#teach")
        expect(page.locator("#toast")).to_have_text("✓ Cat 1–2")
        press(page, "#step-tiles [data-next-step]")
        page.locator("#step-players [data-seat=cat]").focus()
        page.keyboard.type("Mei")
        page.keyboard.press("Tab")
        page.keyboard.type("Bo")
        page.keyboard.press("Enter")
        expect(page.locator("#step-players[data-done]")).to_be_visible()
        assert camera.asked == [("empty",), ("teach", "cat", (1, 2))]  # type: ignore[union-attr]

    def test_the_players_are_named_as_the_last_step(self, phone: Phone, site: Site) -> None:
        page = phone("/camera#step-players")
        for seat, name in (("cat", "Mei"), ("dog", "Bo")):
            page.locator(f"[data-seat={seat}]").fill(name)
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#step-players[data-done]")).to_be_visible()
        assert site.table.snapshot.view().match.players == {"cat": "Mei", "dog": "Bo"}

    def test_what_has_changed_since_is_said_on_every_page_until_it_is_read(
        self, phone: Phone, site: Site
    ) -> None:
        page = phone("/")
        for drift, said in (
            (Drift("dark", 0, 1), "switch a lamp on"),
            (Drift("bright", 0, 2), "the lamp"),
            (Drift("moved", 0, 3), "has moved"),
            (Drift("marker", 2, 4), "Marker 2 is not seen any more"),
        ):
            site.camera.status = CameraState("ok", drift=drift)  # type: ignore[union-attr]
            site.table.notify()
            expect(page.locator("#notices")).to_contain_text(said)
        page.locator("#notices").get_by_role("button", name="Close").tap()
        expect(page.locator("#notices p")).to_have_count(0)


class TestAccuracy:
    """The guided accuracy test on its page."""

    @pytest.fixture
    def page(self, phone: Phone, site: Site) -> Page:
        """The page after one test that went well."""
        before = Report("2026-01-01T20:00:00+00:00", "usb:0", 120, Count(19, 1, 0), Count(10, 0, 0))
        site.camera.kept_reports = (before,)  # type: ignore[union-attr]
        site.camera.shown = None  # type: ignore[union-attr]
        return phone("/accuracy")

    def ask(self, site: Site, now: AccuracyNow) -> None:
        """Let the camera ask this."""
        site.camera.tested = now  # type: ignore[union-attr]

    def test_what_is_asked_is_shown_and_a_doubt_is_put_to_the_person(
        self, page: Page, site: Site, axe: str
    ) -> None:
        expect(page.locator("#reports li")).to_contain_text("Tiles: 19 right, 1 asked, 0 wrong")
        page.get_by_role("button", name="Once more").tap()
        expect(page.locator("#asked")).to_have_text("Throw two dice beside the board.")
        task = Task("lay", 3, Tile("cat", 4, 0, 1, 1), outline=SQUARE)
        self.ask(site, AccuracyNow("read", task, 3, 30))
        expect(page.locator("#asked")).to_have_text("Lay the tile: Cat 4")
        expect(page.locator("#progress")).to_have_text("4 of 30")
        expect(page.locator("#overlay .place")).to_have_count(1)
        assert unreadable(page, axe) == []
        self.ask(site, AccuracyNow("check", task, 3, 30, "cat 9", "wrong"))
        expect(page.locator("#asked")).to_contain_text("The camera read: cat 9.")
        with page.expect_response(lambda answered: answered.request.method == "POST"):
            page.get_by_role("button", name="No").tap()
        assert ("answer", False) in site.camera.asked  # type: ignore[union-attr]

    def test_the_figures_are_compared_with_the_last_time_and_exported(self, page: Page, site: Site) -> None:
        worse = Report("2026-01-02T20:00:00+00:00", "usb:0", 60, Count(17, 2, 1), Count(10, 0, 0))
        site.camera.kept_reports = (worse, *site.camera.kept_reports)  # type: ignore[union-attr]
        self.ask(site, AccuracyNow("done", None, 30, 30, report=worse))
        expect(page.locator("#compared")).to_have_text("Worse than last time")
        expect(page.locator("#reports li")).to_have_count(2)
        for name in ("JSON", "CSV"):
            address = page.get_by_role("link", name=name).get_attribute("href")
            assert page.request.get(site.url(str(address))).ok

    @pytest.mark.parametrize("locale", rest_slow("ko-KR", "zh-TW"))
    def test_it_can_be_read_on_a_small_phone(self, phone: Phone, axe: str, locale: str) -> None:
        page = phone("/accuracy", locale=locale, viewport={"width": 320, "height": 568})
        expect(page.locator("#asked")).not_to_be_empty()
        assert unreadable(page, axe) == []
