"""From the first tap to the first own move: one way to a match, for each game, with one phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games.players import levels_of
from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.browser.bed import left, tap
from tests.browser.conftest import Phone, Site, computer_at, rest_slow
from tests.browser.reading import CONTROLS, SHIFTS, axe, jumps, unreadable_at_some_size
from tests.browser.test_join import NOBODY
from tests.conftest import BED

__all__ = ["axe"]

MOST_TAPS = 4
MOST_CONTROLS = 6


@pytest.fixture
def site(journal: Journal) -> Iterator[Site]:
    """A table at which nothing was played yet, with the computer as a player and without a camera."""
    made = Site(Table(journal, Match.begin(journal, BED, {})), None)
    made.begin()
    with computer_at(made):
        yield made
    made.close()


class Finger:
    """Counts what a person taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, what: str | Locator) -> None:
        """One tap."""
        (self.page.locator(what).first if isinstance(what, str) else what).tap()
        self.taps += 1


def lay_a_tile(finger: Finger) -> None:
    """Bed: a tile, its place, the button."""
    finger.tap(left(finger.page, 1))
    tap(finger.page, 8.5, 5.5)
    finger.taps += 1
    finger.tap(finger.page.get_by_role("button", name="Lay it"))


def throw_two_dice(finger: Finger) -> None:
    """Cat and Mouse: both dice."""
    finger.tap("#faces > :first-child button:nth-child(6)")
    finger.tap("#faces > :last-child button:nth-child(5)")


FIRST_MOVES: dict[str, Callable[[Finger], None]] = {
    BED: lay_a_tile,
    "cat-and-mouse": throw_two_dice,
    "chop-chop": lambda finger: finger.tap("#choices.throw button"),
    "exploding-kittens": lambda finger: finger.tap("#go"),
    "hide-and-seek": lambda finger: (
        finger.tap("#tray-cards .kind:not(:disabled, .enemy)"),
        finger.tap("#players .animal.target"),
    )[0],
    "score-sheet": lambda finger: (finger.tap("#keys button"), finger.tap("#go"))[0],
}


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_stranger_makes_a_move_after_four_taps_at_most(phone: Phone, site: Site, slug: str) -> None:
    page = phone(**NOBODY)
    finger = Finger(page)
    if slug != site.table.match.game.slug:
        finger.tap(f".game:has([value={slug}])")
    finger.tap(page.get_by_role("button", name="Start", exact=True))
    page.wait_for_selector(f"html[data-drawn][data-page=game][data-game={slug}]")
    table = page.evaluate("() => fetch('/api/table').then(answer => answer.json())")
    assert table["seat"] == table["match"]["seats"][0]
    assert not levels_of(slug) or (table["dealt"] or table["opponent"]) is not None, "the computer plays"
    with page.expect_response(lambda answered: answered.url.endswith("/api/moves")) as answered:
        FIRST_MOVES[slug](finger)
    assert answered.value.ok, answered.value.text()
    assert finger.taps <= MOST_TAPS, finger.taps


def test_what_was_played_last_is_offered_first_with_its_names_and_starts_with_a_tap(
    phone: Phone, site: Site
) -> None:
    page = phone(**NOBODY)
    page.locator(".game:has([value=chop-chop])").tap()
    form = page.locator("form[data-game=chop-chop]")
    form.locator("label:has([name=seats][value='3'])").tap()
    form.locator("[data-seat=mice-1]").select_option("name:")
    form.locator("input:visible:not([type])").fill("Ada")
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_selector("html[data-page=game][data-game=chop-chop]")
    assert site.table.snapshot.view().match.players == {"mice-1": "Ada"}
    page.goto(site.url("/new"))
    expect(page.locator(".game").first.locator("input")).to_be_checked()
    expect(page.locator("form[data-game=chop-chop] li:visible")).to_have_count(3)
    expect(page.locator("form:visible [data-seat=mice-1]")).to_have_value("name:Ada")
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_selector("html[data-page=game]")
    assert site.table.snapshot.view().match.players == {"mice-1": "Ada"}


def test_cards_are_our_own_or_dealt_with_the_computer(phone: Phone, site: Site) -> None:
    site.table.begin("exploding-kittens", {})
    page = phone("/new", **NOBODY)
    second = page.locator("form:visible select").nth(1)
    expect(second).to_have_value("level:beginner")
    page.locator("form:visible label:has([name=dealt][value=''])").tap()
    expect(second).to_have_value("")
    page.locator("form:visible label:has([name=dealt][value=yes])").tap()
    expect(second).to_have_value("level:beginner")
    second.select_option("")
    expect(page.locator("form:visible [name=dealt][value='']")).to_be_checked()
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_selector("html[data-page=game]")
    assert site.table.snapshot.dealt is None


@pytest.mark.parametrize("locale", rest_slow("zh-TW", "en-GB", "ko-KR"))
def test_the_start_can_be_read_and_does_not_jump(phone: Phone, site: Site, axe: str, locale: str) -> None:
    site.table.begin("hide-and-seek", {}, 6)
    site.table.name_players({"player-1": "Maximiliane Katharina von Hohenstein"}, "phone")
    site.table.begin(BED, {})
    page = phone("/", **NOBODY, locale=locale, reduced_motion="reduce")
    assert page.evaluate(CONTROLS) <= MOST_CONTROLS
    page.goto(site.url("/rules/this-bed-is-mine"))
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url("/new"))
    page.locator(".game:has([value=hide-and-seek])").tap()
    expect(page.locator("form:visible li:visible")).to_have_count(6)
    assert jumps(page) == []
    assert unreadable_at_some_size(page, axe) == []
