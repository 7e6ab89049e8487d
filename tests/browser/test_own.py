"""A board and a deck of one's own, made on a phone by finger and by keys alone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Phone, Site
from tests.browser.reading import SPILLS, axe, left_of, unreadable

__all__ = ["axe"]


def test_a_bed_is_drawn_saved_and_played_on(phone: Phone, site: Site, axe: str) -> None:
    page = phone("/new")
    form = page.locator("form[data-game=this-bed-is-mine]")
    form.locator("summary").tap()
    form.get_by_role("link", name="Draw a board of your own").tap()
    page.get_by_label("Its name").fill("Mei's bed")
    page.get_by_label("Rows").fill("10")
    page.get_by_label("Columns").fill("8")
    page.get_by_label("Columns").press("Tab")
    squares = page.locator("#grid .square")
    expect(squares).to_have_count(80)
    page.get_by_label("pillow 1").check()
    squares.nth(0).tap()
    expect(squares.nth(0)).to_have_attribute("data-is", "pillow")
    page.get_by_label("ball of yarn").press("Space")
    page.locator("#grid").focus()
    for key in ("ArrowDown",) * 5 + ("ArrowRight",) * 5 + ("Enter",):
        page.keyboard.press(key)
    expect(squares.nth(45)).to_have_attribute("data-is", "zone yarn")
    expect(page.locator("#grid-said")).to_have_text("F6: zone of the first tile, ball of yarn")
    assert unreadable(page, axe) == []
    page.set_viewport_size({"width": 320, "height": 568})
    assert left_of(page, SPILLS) == []
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator("#toast")).to_contain_text("Saved.")
    assert unreadable(page, axe) == []
    page.get_by_role("link", name="New game").tap()
    form.locator("summary").tap()
    form.get_by_label("Bed").select_option(label="Mei's bed")
    form.get_by_role("button", name="Start").tap()
    expect(page.locator("#picture .pillow")).to_have_count(1)
    expect(page.locator("#picture .toy")).to_have_count(1)


def test_a_file_is_taken_or_refused_in_the_games_own_words(phone: Phone, tmp_path: Path) -> None:
    bed = tmp_path / "Theirs.toml"
    bed.write_text('side = "A"\nbed = ["..", "."]\n', "utf-8")
    page = phone("/own/this-bed-is-mine/board")
    page.get_by_label("Choose a file").set_input_files(bed)
    expect(page.locator("#toast")).to_contain_text("row 2 of “bed” has 1 square, but row 1 has 2")
    bed.write_text('side = "A"\nbed = ["++++", "++++", "++++", "++++", "++++"]\n', "utf-8")
    page.get_by_label("Choose a file").set_input_files(bed)
    expect(page.locator("#toast")).to_contain_text("Saved.")
    page.get_by_role("button", name="Remove: Theirs").tap()
    expect(page.locator("#toast")).to_have_text("Removed.")
    expect(page.locator(".kept")).to_have_count(0)


def test_a_deck_is_put_together_saved_and_dealt(phone: Phone, axe: str) -> None:
    page = phone("/new", viewport={"width": 320, "height": 568})
    page.locator(".game:has([value=exploding-kittens])").tap()
    form = page.locator("form[data-game=exploding-kittens]")
    form.locator("summary").tap()
    form.get_by_role("link", name="Put together a deck of your own").tap()
    page.get_by_label("Its name").fill("Kids")
    more = page.get_by_role("button", name="One more: Skip")
    more.tap()
    more.press("Enter")
    expect(page.get_by_role("spinbutton", name="Skip")).to_have_value("5")
    expect(page.locator("output")).to_have_text("44")
    expect(page.get_by_role("button", name="One fewer: Exploding Kitten")).to_be_disabled()
    assert unreadable(page, axe) == []
    assert left_of(page, SPILLS) == []
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator("#toast")).to_contain_text("Saved.")
    page.get_by_role("link", name="New game").tap()
    page.locator(".game:has([value=exploding-kittens])").tap()
    form.locator("summary").tap()
    form.get_by_label("Cards").select_option(label="Kids")
    form.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("button", name="Skip").first).to_be_visible()
