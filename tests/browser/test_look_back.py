"""Looking back at a match, and sharing its picture, in a real browser."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone, Site
from tests.browser.reading import SHIFTS, axe, jumps, unreadable
from tests.browser.states import golden, play
from tests.conftest import BED

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
    slider, tiles = page.locator("#look-back input"), page.locator("#picture .tile")
    expect(page.locator("#look-chart .course")).to_have_count(4)
    assert jumps(page) == []
    last = int(slider.get_attribute("max") or 0)
    expect(page.locator("#look-said")).to_contain_text(f"Move {last} of {last}: ")
    assert unreadable(page, axe) == []
    page.evaluate(SLIDE, 3)
    expect(tiles).to_have_count(3)
    expect(page.locator("#ended")).to_be_hidden()
    page.locator("#look-before").tap()
    expect(tiles).to_have_count(2)
    expect(page.locator("#look-said")).to_contain_text(f"Move 2 of {last}: ")
    assert unreadable(page, axe) == []


def test_its_picture_is_saved_where_a_phone_has_no_share_sheet(page: Page, tmp_path: Path) -> None:
    with page.expect_download() as saving:
        page.locator("#share").tap()
    assert saving.value.suggested_filename == "match-2.png"
    saving.value.save_as(tmp_path / "match.png")
    picture = cv2.imread(str(tmp_path / "match.png"))
    assert picture is not None
    assert picture.shape == (1500, 1200, 3)
    board = picture[400:1400, 300:900].reshape(-1, 3)
    assert len(np.unique(board // 16, axis=0)) > 20, "the board is drawn in its own colours"
