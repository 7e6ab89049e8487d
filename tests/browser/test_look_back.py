"""Looking back at a match, and sharing its picture, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.games.registry import AnyGame
from companion.play.look_back import LookBack
from companion.players.worker import Judged, Review
from companion.service.photos.kept import KeptPictures
from tests.browser.bed import lay_it, tap
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import SHIFTS, axe, jumps, unreadable
from tests.browser.states import golden, play
from tests.conftest import BED, OPENING
from tests.running import replace_services

__all__ = ["axe"]

SLIDE = """moves => { const slider = document.querySelector('#look-back input');
  slider.value = moves; slider.dispatchEvent(new Event('input')); }"""


@pytest.fixture
def page(phone: Phone, site: Site) -> Page:
    """The page of a finished match that is looked back at."""
    head, moves = golden(BED)
    site.table.begin(BED, head["options"], head["seats"])
    play(site.table, moves)
    page = phone("/join", reduced_motion="reduce")
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url(f"/history/{site.table.match.record.id}"))
    return page


def test_the_slider_leads_through_the_match_and_every_moment_can_be_read(page: Page, axe: str) -> None:
    slider, tiles = page.locator("#look-back input[type=range]"), page.locator("#picture .tile")
    expect(page.locator("#look-chart .course")).to_have_count(4)
    assert jumps(page) == []
    last = int(slider.get_attribute("max") or 0)
    expect(page.locator("#look-said")).to_contain_text(f"Move {last} of {last}")
    assert unreadable(page, axe) == []
    page.evaluate(SLIDE, 3)
    expect(tiles).to_have_count(3)
    expect(page.locator("#ended")).to_have_count(0)
    page.locator("#look-before").tap()
    expect(tiles).to_have_count(2)
    expect(page.locator("#look-said")).to_contain_text(f"Move 2 of {last}")
    assert unreadable(page, axe) == []


class Judging:
    """A review that is ready."""

    def judges(self, game: AnyGame) -> bool:
        """Of the bed."""
        return game.slug == BED

    def review_of(self, match: LookBack) -> Review:
        """The second move was a mistake."""
        written = match.course().moves
        return Review(
            (
                Judged(1, "cat", written[0], 3.0, written[0], 3.0),
                Judged(2, "dog", written[1], -8.0, "d5@11,0", 1.0, settled=True),
            )
        )


def test_a_remark_of_the_review_leads_to_its_move(page: Page, site: Site) -> None:
    assert site.app
    replace_services(site.app, reviews=Judging())
    page.reload()
    expect(page.locator("#review-chart .course").first).to_be_visible()
    mistake = page.get_by_role("button", name="the dog's 5 at A12 was worth 9 points more")
    mistake.tap()
    expect(page.locator("#look-said")).to_contain_text("Move 2 of ")
    expect(page.locator("#picture .tile")).to_have_count(2)
    assert jumps(page) == []


def shared(page: Page, folder: Path) -> np.ndarray:
    """The picture that a phone without a share sheet saves."""
    with page.expect_download() as saving:
        page.locator("#share").tap()
    file = folder / saving.value.suggested_filename
    saving.value.save_as(file)
    picture = cv2.imread(str(file))
    assert picture is not None
    assert picture.shape == (1500, 1200, 3)
    return picture


def test_its_picture_is_saved_where_a_phone_has_no_share_sheet(page: Page, tmp_path: Path) -> None:
    board = shared(page, tmp_path)[400:1400, 300:900].reshape(-1, 3)
    assert (tmp_path / "match-2.png").exists()
    assert len(np.unique(board // 16, axis=0)) > 20, "the board is drawn in its own colours"


@pytest.mark.parametrize("slug", rest_slow("exploding-kittens", "hide-and-seek"))
def test_a_game_of_cards_draws_a_table_of_its_own_for_it(
    phone: Phone, site: Site, tmp_path: Path, slug: str
) -> None:
    head, moves = golden(slug)
    site.table.begin(slug, head["options"], head["seats"])
    play(site.table, moves)
    page = phone("/")
    expect(page.locator("#ended h2")).to_be_visible()
    table = shared(page, tmp_path)[350:1400, 80:1120].reshape(-1, 3)
    assert len(np.unique(table // 16, axis=0)) > 8


def test_a_move_is_put_right_on_the_board_itself(page: Page, site: Site, axe: str) -> None:
    """The second of four tiles was another one: it is laid again on the page of the match."""
    table = site.table
    table.begin(BED, {})
    table.begin(BED, {})
    kept = table.kept(table.match.record.id - 1)
    kept.play_all(OPENING, "phone")
    page.goto(site.url(f"/history/{kept.record.id}"))
    expect(page.locator("#look-chart .course").first).to_be_visible()
    page.evaluate(SLIDE, 2)
    expect(page.locator("#picture .tile")).to_have_count(2)
    page.locator(".change-kept summary").tap()
    page.locator("#correct").tap()
    expect(page.locator("#correcting")).to_contain_text("Make move 2 on this page")
    expect(page.locator("#picture .tile")).to_have_count(1)
    assert unreadable(page, axe) == []
    page.locator("#tray [data-key=dog2]").tap()
    tap(page, 14.5, 6)
    lay_it(page)
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Correct move 2?")
    assert len(kept.snapshot.seen(None)) == 4
    assert unreadable(page, axe) == []
    with page.expect_navigation():
        dialog.get_by_role("button", name="Correct it").tap()
    expect(page.locator("#look-said")).to_have_text("Move 4 of 4")
    corrected = table.kept(kept.record.id)
    assert corrected.game.notation(corrected.snapshot.seen(None)[1]).startswith("d2")


def test_the_picture_of_a_move_is_shown_while_the_slider_moves(
    page: Page, site: Site, tmp_path: Path, axe: str
) -> None:
    """The camera saw the first move only; the picture of the second one was torn by a power cut."""
    kept = KeptPictures(tmp_path / "pictures", free=lambda _: 10**12)
    kept.on = True
    record = site.table.match.record
    board = np.full((400, 300, 3), (180, 140, 90), np.uint8)
    kept.keep(record, 1, cv2.imencode(".jpg", board)[1].tobytes())
    kept.keep(record, 2, b"torn")
    assert site.app is not None
    replace_services(site.app, pictures=kept)
    page.reload()
    shown, says = page.locator("#move-picture img"), page.locator("#move-picture p[role=status]")
    expect(page.locator("#look-chart .course")).to_have_count(4)
    page.evaluate(SLIDE, 1)
    page.locator("#move-picture summary").tap()
    expect(shown).to_be_visible()
    expect(shown).to_have_js_property("naturalWidth", 300)
    assert unreadable(page, axe) == []
    page.evaluate(SLIDE, 2)
    expect(says).to_have_text("The picture of this move was lost.")
    page.evaluate(SLIDE, 3)
    expect(says).to_have_text("The camera kept no picture of this move.")
    expect(shown).to_be_hidden()
    assert unreadable(page, axe) == []
    page.locator("#move-picture button").tap()
    expect(page.locator("#move-picture")).to_have_count(0)
    assert kept.pictured(record) == (frozenset(), "deleted")


def test_a_match_in_which_nothing_is_counted_up_has_the_chart_of_its_chances(
    phone: Phone, site: Site, axe: str
) -> None:
    head, moves = golden("exploding-kittens")
    site.table.begin("exploding-kittens", head["options"], head["seats"])
    play(site.table, moves)
    page = phone("/join", reduced_motion="reduce")
    page.goto(site.url(f"/history/{site.table.match.record.id}"))
    chart = page.locator("#look-chart svg[role=img]")
    expect(chart.locator(".course")).to_have_count(1)
    expect(chart).to_have_attribute("aria-label", re.compile(r"Kitten 0 %$"))
    assert unreadable(page, axe) == []
