"""What holds for every page: connection, languages, sizes, access."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.games.watching import Observation, Tile
from companion.play.journal import JournalError
from companion.service.camera_status import CameraState
from tests.browser.bed import laid, play_on, tap
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import SHIFTS, SPILLS, TALL, axe, jumps, left_of, unreadable
from tests.conftest import OPENING, lay

PAGES = [
    "/",
    "/seats",
    "/new",
    "/rules/this-bed-is-mine",
    "/own/this-bed-is-mine/board",
    "/own/exploding-kittens/deck",
    "/own/hide-and-seek/cards",
    "/own/score-sheet/sheet",
    "/camera",
    "/history",
    "/history/2",
    "/join",
    "/nothing-here",
]
SIZES = ((320, 568), (390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080))

UNFOLD = "() => document.querySelectorAll('main details').forEach(folded => { folded.open = true; })"

__all__ = ["axe"]


def test_a_lost_connection_is_shown_and_mends_itself(phone: Phone, site: Site) -> None:
    page = phone()
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#tray button")).to_have_count(10)
    site.stop()
    expect(page.locator("#lost")).to_be_visible()
    site.table.play(OPENING[0], "camera")
    site.begin()
    expect(page.locator("#lost")).to_be_hidden()
    expect(laid(page, "cat", 1)).to_be_visible()


def test_a_phone_for_which_there_is_no_stream_looks_now_and_then(
    phone: Phone, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.app.MOST_STREAMS", 0)
    site.stop()
    site.begin()
    page = phone()
    site.table.play(OPENING[0], "camera")
    expect(laid(page, "cat", 1)).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()


def test_that_nothing_can_be_kept_is_said_until_it_can(phone: Phone, site: Site) -> None:
    page = phone()
    expect(page.locator("#not-kept")).to_be_hidden()
    site.table.journal._connection.execute("PRAGMA query_only = ON")
    cat = Tile("cat", 1, 0, 5, 3)
    with pytest.raises(JournalError):
        site.table.see(Observation(tiles=(cat,)))
    expect(page.locator("#not-kept")).to_contain_text("Free some space")
    expect(page.get_by_text("could not be saved")).to_be_visible()
    site.table.journal._connection.execute("PRAGMA query_only = OFF")
    site.table.see(Observation(tiles=(cat,)))
    expect(page.locator("#not-kept")).to_be_hidden()
    expect(laid(page, "cat", 1)).to_be_visible()


def test_a_tap_while_the_companion_is_away_is_said_not_to_have_counted(phone: Phone, site: Site) -> None:
    site.table.play(OPENING[0], "camera")
    page = phone()
    expect(laid(page, "cat", 1)).to_be_visible()
    site.stop()
    page.locator("#undo").tap()
    expect(page.locator("#toast")).to_contain_text("No answer from the table")
    site.begin()


def test_a_stream_that_ends_by_itself_is_opened_again_unseen(
    phone: Phone, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.events.STREAM_S", 0.3)
    page = phone()
    with page.expect_request("**/api/events*"), page.expect_request("**/api/events*"):
        pass
    site.table.play(OPENING[0], "camera")
    expect(laid(page, "cat", 1)).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()


def test_the_menu_leads_everywhere_and_sets_the_language(phone: Phone) -> None:
    page = phone()
    for name, path in (
        ("New game", "new"),
        ("Rules", "rules/this-bed-is-mine"),
        ("History", "history"),
        ("Set-up", "settings"),
        ("Join", "join"),
        ("Table", ""),
    ):
        page.locator("#menu summary").tap()
        page.locator("#menu").get_by_role("link", name=name).tap()
        # The camera's page adds the step that is open to its address.
        page.wait_for_url(re.compile(f":[0-9]+/{path}(#.*)?$"))
    page.locator("#menu summary").tap()
    page.get_by_role("link", name="한국어").tap()
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator("#undo")).to_have_text("되돌리기")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ko")


@pytest.mark.parametrize(
    ("locale", "heading"),
    rest_slow(("ko-KR", "이 침대는 내 거야"), ("zh-TW", "放開那個窩"), ("fr-FR", "This Bed Is Mine")),
)
def test_the_browsers_language_is_spoken(phone: Phone, locale: str, heading: str) -> None:
    expect(phone(locale=locale).locator("h1")).to_have_text(heading)


@pytest.mark.parametrize(
    ("locale", "loaded_at"),
    rest_slow(("zh-TW", (320, 568)), ("en-GB", (390, 844)), ("ko-KR", (1280, 800))),
)
def test_every_page_can_be_read_and_pressed_and_does_not_jump(
    phone: Phone, site: Site, axe: str, locale: str, loaded_at: tuple[int, int]
) -> None:
    play_on(site.table, 5)
    site.table.begin("cat-and-mouse", {})
    site.table.play({"move": "throw", "dice": [6, 5]}, "phone")
    site.table.resume(1)
    page = phone("/join", locale=locale, reduced_motion="reduce")
    page.add_init_script(f"({SHIFTS})()")
    for path in PAGES:
        page.set_viewport_size({"width": loaded_at[0], "height": loaded_at[1]})
        page.goto(site.url(path))
        assert jumps(page) == [], path
        page.set_viewport_size({"width": 390, "height": 844})
        page.evaluate(UNFOLD)
        assert unreadable(page, axe) == [], path
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert left_of(page, SPILLS) == [], (path, width)
            assert left_of(page, TALL) == [], (path, width)


def test_who_wants_no_motion_gets_none(phone: Phone, site: Site) -> None:
    page = phone(reduced_motion="reduce")
    play_on(site.table, 1)
    expect(page.locator("#picture .tile")).to_have_count(1)
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_nothing_is_loaded_from_elsewhere(phone: Phone, site: Site) -> None:
    asked: list[str] = []
    page = phone()
    page.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        page.goto(site.url(path))
    assert asked
    assert all(each.startswith((site.url(""), "blob:", "data:")) for each in asked)


class TestCamera:
    """The camera's page."""

    @pytest.fixture(autouse=True)
    def a_real_picture(self, site: Site, phone: Phone) -> None:
        """A picture that a browser can show: drawn by the browser itself."""
        drawn = phone("/join").evaluate(
            "async () => { const c = new OffscreenCanvas(64, 48); c.getContext('2d').fillRect(0, 0, 9, 9);"
            " const b = await c.convertToBlob({type: 'image/jpeg'});"
            " return [...new Uint8Array(await b.arrayBuffer())] }"
        )
        site.camera.shown = bytes(drawn)  # type: ignore[union-attr]

    def test_the_picture_is_live_with_what_was_read_on_it(self, phone: Phone) -> None:
        page = phone("/camera")
        expect(page.locator("#picture")).to_be_visible()
        expect(page.locator("#overlay .grid-line")).to_have_count(1)
        expect(page.locator("#overlay .read-name")).to_have_text("1")
        expect(page.locator("#read title")).to_have_text("Cat 1 · 90 %")
        with page.expect_response("**/api/camera/picture"):
            pass

    def test_what_keeps_the_board_from_being_found_is_said(self, phone: Phone, site: Site) -> None:
        site.camera.status = CameraState("ok", needs="markers")  # type: ignore[union-attr]
        site.table.notify()
        page = phone("/camera")
        expect(page.locator("#camera-said")).to_have_text("Check markers")
        expect(page.locator("#eye-line")).to_contain_text("they must be this board's own print")

    def test_without_pictures_the_page_says_why(self, phone: Phone, site: Site) -> None:
        site.camera.shown = None  # type: ignore[union-attr]
        site.camera.status = CameraState("unplugged")  # type: ignore[union-attr]
        site.table.notify()
        page = phone("/camera")
        expect(page.locator("#nothing")).to_have_text("Not connected")
        expect(page.locator("#eye-line")).to_contain_text("Check its cable")
        expect(page.locator("#picture")).to_be_hidden()


class TestMatches:
    """Matches kept, and a new one."""

    def test_a_new_match_is_begun_with_options_and_names(self, phone: Phone, site: Site) -> None:
        site.table.play(OPENING[0], "camera")
        page = phone("/new")
        form = page.locator("form[data-game=this-bed-is-mine]")
        form.locator("[data-seat=cat]").select_option("name:")
        form.get_by_role("textbox", name="Name", exact=True).fill("Mei")
        form.get_by_text("House rules").tap()
        form.get_by_label("Bed").select_option(label="Side B, dream: pillows and toys")
        form.get_by_label("Chips of 10").fill("2")
        form.get_by_role("button", name="Start").tap()
        page.get_by_role("button", name="Put it aside").tap()
        page.wait_for_url(site.url("/"))
        expect(page.locator("#picture .pillow")).to_have_count(3)
        expect(page.locator("#side-cat .name")).to_have_text("Mei")
        assert site.table.snapshot.view().match.options["chips_10"] == 2

    def test_a_number_that_is_none_is_said(self, phone: Phone, site: Site) -> None:
        page = phone("/new")
        form = page.locator("form[data-game=this-bed-is-mine]")
        form.get_by_text("House rules").tap()
        form.get_by_label("Chips of 10").fill("")
        form.get_by_role("button", name="Start").tap()
        expect(page.locator("#toast")).to_contain_text("Chips of 10")
        assert site.table.snapshot.view().match.id == 1

    def test_a_kept_match_is_looked_at_and_the_table_stays(self, phone: Phone, site: Site) -> None:
        site.table.begin("cat-and-mouse", {})
        site.table.play({"move": "throw", "dice": [6, 5]}, "phone")
        site.table.begin("this-bed-is-mine", {})
        page = phone("/history")
        page.locator(".match", has_text="Cat and Mouse").tap()
        expect(page.locator("h1")).to_have_text("Cat and Mouse")
        expect(page.locator(".kept-line:visible")).to_contain_text("Replay")
        expect(page.locator("#notation .moves")).to_have_text(re.compile("6-5"))
        expect(page.locator("#dice")).to_be_hidden()
        site.table.play(OPENING[0], "camera")
        expect(page.locator("#status"), "what is played on the table is no news here").to_be_visible()
        page.get_by_role("button", name="Resume").tap()
        page.get_by_role("button", name="Cancel").tap()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert site.table.match.game.slug == "this-bed-is-mine"

    def test_going_on_with_another_match_asks_says_so_and_can_be_taken_back(
        self, phone: Phone, site: Site
    ) -> None:
        site.table.begin("cat-and-mouse", {})
        site.table.play({"move": "throw", "dice": [6, 5]}, "phone")
        site.table.begin("this-bed-is-mine", {})
        site.table.play(OPENING[0], "camera")
        other, page = phone(), phone("/history")
        page.get_by_role("button", name="Resume").tap()
        expect(page.get_by_role("dialog")).to_contain_text("still being played: 1 move so far")
        page.get_by_role("button", name="Put it aside").tap()
        page.wait_for_url(site.url("/"))
        for each in (page, other):
            expect(each.locator("h1")).to_have_text("Cat and Mouse")
            expect(each.locator("#aside")).to_contain_text("The one before was put aside after 1 move.")
        page.locator("#aside").get_by_role("button", name="Close").tap()
        expect(page.locator("#aside")).to_be_hidden()
        other.get_by_role("button", name="Go back to it").tap()
        for each in (page, other):
            expect(laid(each, "cat", 1)).to_be_visible()

    def test_names_can_be_given_later(self, phone: Phone, site: Site) -> None:
        page = phone("/history")
        page.get_by_text("Players' names", exact=True).tap()
        page.get_by_label("Dog", exact=True).fill("Bo")
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#toast")).to_have_text("Done.")
        assert site.table.snapshot.view().match.players == {"dog": "Bo"}


def test_a_game_without_a_page_of_its_own_can_be_played_all_the_same(
    phone: Phone, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = site.table.match.game
    (tmp_path / "messages.toml").write_bytes((game.folder / "messages.toml").read_bytes())
    monkeypatch.setattr(type(game), "folder", tmp_path)
    page = phone()
    expect(page.locator("#turn")).to_have_text("Cat to play")
    page.get_by_label("A move, as JSON").fill('{"move": "fly"}')
    page.get_by_role("button", name="Play").tap()
    expect(page.locator("#toast")).to_contain_text("not a move")
    page.get_by_label("A move, as JSON").fill(json.dumps(OPENING[0]))
    page.get_by_role("button", name="Play").tap()
    expect(page.locator("#turn")).to_have_text("Dog to play")


def test_a_region_behind_the_sheet_is_scrolled_into_sight(phone: Phone, site: Site) -> None:
    for move in (*OPENING, lay("cat", 6, 11, 9)):
        site.table.play(move, "camera")
    page = phone()
    tap(page, 15.5, 5.5)
    expect(page.locator("#sheet")).to_be_visible()
    page.wait_for_function(
        """() => document.querySelector(".choice").getBoundingClientRect().bottom
           <= document.getElementById("sheet").getBoundingClientRect().top + 4"""
    )
