"""Matches with the table's own cards, by taps: Exploding Kittens to its end, a round of Hide and Seek."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games.choosing import Choice, Lots
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import FUTURE, KITTEN
from companion.games.exploding_kittens.opponent.dealer import KittensDealer
from companion.games.hide_and_seek import GAME as HIDE
from companion.games.hide_and_seek.opponent.dealer import HideDealer
from companion.opponents import think
from companion.service import dealing
from companion.service.dealing import TableDealer
from companion.service.opponent import TableOpponent
from tests.browser.conftest import Phone, Site

pytestmark = pytest.mark.browser

MOST_TAPS = 150
"""Taps after which a match that is not over has gone wrong."""


def kitten_on_top(seed: int) -> bool:
    """Whether a seed deals the first seat a look into the future, and lays a kitten on top."""
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 2), Lots(seed))
    return dealer.deck[-1] == KITTEN and FUTURE in dealer.hands["first"]


def first_hides(seed: int) -> bool:
    """Whether the first seat seeks first in Hide and Seek, and holds a card to catch with."""
    state, dealer = HIDE.start(HIDE.options({}), 2), HideDealer()
    dealer.begin(state, Lots(seed))
    while (move := dealer.chance(state)) is not None:
        state = HIDE.play(state, move)
    first = state.seats[0]
    return state.order[0] == first and any(card.startswith("hide-") for card in dealer.hands[first])


@pytest.fixture
def seed_is() -> Callable[[int], bool]:
    """What the deal has to be like."""
    return kitten_on_top


def at_once(task: think.Task, goes_on: Callable[[], bool]) -> Choice:
    """What a beginner chooses, in this process."""
    return think.choose(think.Task(task.game, task.state, task.seat, "beginner", 1, answers=task.answers))


@pytest.fixture
def dealing_site(
    site: Site, monkeypatch: pytest.MonkeyPatch, seed_is: Callable[[int], bool]
) -> Iterator[Site]:
    """A table that can deal, and whose player thinks quickly."""
    monkeypatch.setattr(dealing, "chosen", at_once)
    monkeypatch.setattr("secrets.randbits", lambda bits: next(filter(seed_is, range(10_000))))
    assert site.app
    site.app.extensions["companion"].opponent = TableOpponent(site.table, lambda: True)
    dealer = TableDealer(site.table, answer_s=0.2)
    dealer.start()
    yield site
    dealer.stop()


THEIR_TURNS_MS = 60_000
"""The longest that the table's own turns may take on a busy machine; it is never waited for."""

MINE = ":is(#draws button, #tell .places button):not([data-tapped])"
"""What a person can tap to go on, and has not tapped yet: the page draws other buttons then."""


def go_on(page: Page) -> None:
    """Tap what goes on with the match, and wait for the table's answer."""
    page.locator(MINE).first.wait_for()
    # Marked before the tap: what the answer draws is new, and what was tapped is not tapped again.
    page.locator(MINE).evaluate_all("all => all.forEach((button) => { button.dataset.tapped = '1'; })")
    with page.expect_response(lambda answered: answered.request.method == "POST"):
        page.locator("[data-tapped]").first.tap()


def deal(page: Page, name: str) -> None:
    """Let the table deal for one person and one seat of its own."""
    form = page.get_by_role("form", name=name)
    form.get_by_label("Players of the table").select_option("1")
    form.get_by_role("button", name="Deal the cards").tap()


def hand(page: Page) -> list[str]:
    """The kinds of cards in the hand that the page shows."""
    kinds: list[Any] = page.locator("#hand [data-card]").evaluate_all(
        "cards => cards.map((card) => card.dataset.card)"
    )
    return kinds


def test_a_dealt_match_is_played_to_its_end_by_taps(phone: Phone, dealing_site: Site) -> None:
    page = phone("/opponent")
    deal(page, "Exploding Kittens")
    expect(page.locator("#draws button")).to_have_text(["Draw a card"])
    assert FUTURE in hand(page)
    assert "defuse" in hand(page)
    expect(page.locator("#players li").nth(1)).to_contain_text("(the table)")
    for step in ("#undo", "#redo"):
        expect(page.locator(step)).to_be_hidden()
    assert page.locator(".bar").evaluate("bar => bar.offsetHeight") < 60, "whose turn it is takes one line"
    with page.expect_response(lambda answered: answered.request.method == "POST"):
        page.locator("#plays").get_by_role("button", name="See the Future").tap()
    expect(page.locator("#noted")).to_contain_text("Exploding Kitten")
    go_on(page)
    expect(page.locator("#draws button")).to_have_text(["Play the defuse"])
    over = page.locator("#ending h2")
    for _ in range(MOST_TAPS):
        expect(over.or_(page.locator(MINE)).first).to_be_visible(timeout=THEIR_TURNS_MS)
        if over.count():
            break
        go_on(page)
    expect(over).to_contain_text("wins!")
    assert dealing_site.table.match.outcome is not None


def test_who_deals_again_sits_in_the_new_match_without_a_word_of_the_old_seat(
    phone: Phone, dealing_site: Site
) -> None:
    page = phone("/opponent")
    deal(page, "Exploding Kittens")
    expect(page.locator("#draws button")).to_be_visible()
    page.goto(dealing_site.url("/opponent"))
    deal(page, "Hide and Seek")
    expect(page.locator("#mine-cards .kind").first).to_be_visible()
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.parametrize("seed_is", [first_hides])
def test_cards_are_laid_face_down_by_taps_and_turned_up_together(phone: Phone, dealing_site: Site) -> None:
    page = phone("/opponent")
    deal(page, "Hide and Seek")
    said, own = page.locator("#tray-said"), page.locator("#mine-cards .kind")
    expect(said).to_have_text("Lay up to three cards face down: tap one (0 laid)")
    expect(own).to_have_count(6)
    for hidden in ("#mine-tell", "#tray-seats", "#end"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#players .player").nth(1)).to_contain_text("the table")
    page.locator("#tray-cards .kind.hide").first.tap()
    page.locator("#players .animal.target").first.tap()
    expect(said).to_contain_text("(1 laid)")
    expect(own).to_have_count(5)
    expect(page.locator("#players .chip-card")).to_have_count(1)
    assert not dealing_site.table.match.state.lying, "others do not see it yet"
    page.locator("#go-on").tap()
    expect(page.locator("#go-on")).to_have_text("Draw up", timeout=THEIR_TURNS_MS)
    assert dealing_site.table.match.state.lying
    page.locator("#go-on").tap()
    expect(page.locator("#status")).to_contain_text("Round 2")
    expect(own).to_have_count(6)
    expect(said).to_have_text("Lay up to three cards face down: tap one (0 laid)", timeout=THEIR_TURNS_MS)
