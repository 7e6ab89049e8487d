"""The page in a real browser: a match by taps alone, to its end and into History."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.games.score_sheet import GAME
from companion.games.watching import Die, Observation
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from tests.browser.conftest import Phone, Site, phone
from tests.browser.test_by_taps import Tapping

__all__ = ["phone"]

SECRET = "a-secret-of-a-phone"


@pytest.fixture
def site(journal: Journal) -> Iterator[Site]:
    """A table with a sheet of two rounds for two, without a camera."""
    sheet = 'wins = "least"\nrounds = 2\n'
    made = Site(Table(journal, Match.begin(journal, GAME.slug, {"sheet": sheet}, 2)), None)
    made.begin()
    yield made
    made.close()


def write(taps: Tapping, points: str) -> None:
    """Tap points, then the button that writes them."""
    for sign in points:
        taps.page.locator("#keys").get_by_text("±" if sign == "-" else sign, exact=True).tap()
    taps.play(taps.page.locator("#go"))


@pytest.mark.browser
class TestInABrowser:
    """What a person sees and does."""

    def test_a_match_by_taps(self, phone: Phone, site: Site) -> None:
        taps = Tapping(phone("/watch"), site)
        page = taps.page
        bubble, totals = page.locator(".bubble span").first, page.locator("#table thead b")
        expect(bubble).to_have_text("Player 1 writes, round 1")
        page.locator("#keys").get_by_text("7", exact=True).tap()
        expect(bubble).to_have_text("Player 1 would have 7")
        taps.play(page.locator("#go", has_text="7 for Player 1"))
        write(taps, "-12")
        expect(totals).to_have_text(["7", "−12"])
        expect(bubble).to_have_text("Player 2 writes, round 2")
        # Points are put right, and somebody else gets the turn.
        page.get_by_role("button", name="7: Player 1, Round 1").tap()
        write(taps, "5")
        taps.play(page.locator("#table thead button", has_text="Player 1"))
        expect(bubble).to_have_text("Player 1 writes, round 2")
        # A throw: one die too many is taken back.
        page.locator("#other").tap()
        for face in (6, 5, 5):
            page.locator("#keys > button").nth(face - 1).tap()
        page.get_by_role("button", name="take back die 5").last.tap()
        taps.play(page.get_by_role("button", name="Throw 6 5"))
        expect(page.locator("#last")).to_have_text("Player 1 threw 11: chance 1/18")
        page.locator("#odds").tap()
        expect(page.locator("#sheet tbody td")).to_have_text(
            ["Player 1: 6 5 = 11", "1/18 (6 %)", "1/12 (8 %)", "1/18 (6 %)"]
        )
        page.locator("#sheet header button").tap()
        # Words on the round.
        page.locator("#round").tap()
        page.get_by_label("Words on this round").fill("so close")
        taps.play(page.get_by_role("button", name="Save"))
        expect(page.locator("#table .noted")).to_have_text("2")
        page.locator("#other").tap()
        write(taps, "3")
        write(taps, "20")
        # The fewest points win, stand first, and are in History.
        taps.ends("Player 1")
        expect(page.locator("#ended .places b")).to_have_text(["Player 1", "8", "Player 2", "8"])

    def test_dice_are_asked_about_and_the_answer_is_a_throw(self, phone: Phone, site: Site) -> None:
        page = phone("/watch")
        site.table.see(Observation(unsure=True, why="dice", dice=(Die(4, confidence=0.6), Die(2))))
        page.get_by_role("button", name="Throw 4 2").tap()
        expect(page.locator("#last")).to_have_text("Player 1 threw 6: chance 5/36")

    def test_a_sheet_of_ones_own_is_filled_in_and_played(
        self, phone: Phone, site: Site, tmp_path: Path
    ) -> None:
        page: Page = phone("/own/score-sheet/sheet")
        page.get_by_label("Name").fill("Our evening")
        page.get_by_label("Who writes").select_option(label="whoever scores")
        page.get_by_label("Rows").fill("a\nb")
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#toast")).to_contain_text('rows needs rounds: write entries = "rounds"')
        page.get_by_label("Who writes").select_option(label="everybody once a round")
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#toast")).to_contain_text("Saved.")
        taps = Tapping(page, site)
        taps.begin(GAME.slug, sheet="Our evening")
        expect(page.locator("#table tbody th")).to_have_text(["a", "b"])
        expect(page.locator("#go")).to_have_text("Tap a row")


def test_a_button_of_the_panel_gives_the_turn(site: Site) -> None:
    site.table.seats.take_seat("player-1", phone_of(SECRET))
    game = site.table.match.game
    site.table.play(game.pressed(site.table.match.state, "player-1"), "button")
    assert game.turn(site.table.match.state) == "player-2"
