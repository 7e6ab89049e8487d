"""Matches with the table's own cards, by taps: Exploding Kittens to its end, a round of Hide and Seek."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from companion.games.chance import Chance, key_of
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import FUTURE, KITTEN
from companion.games.exploding_kittens.player.dealer import KittensDealer
from companion.games.hide_and_seek import GAME as HIDE
from companion.games.hide_and_seek.player import HideDealer
from companion.games.players import Choice, levels_of
from companion.players import table_players, worker
from tests.browser.conftest import Phone, Site, computer_at

pytestmark = pytest.mark.browser

MOST_TAPS = 150
"""Taps after which a match that is not over has gone wrong."""


def kitten_on_top(seed: int) -> bool:
    """Whether a seed deals the first seat a look into the future, and lays a kitten on top."""
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 2), Chance(key_of(seed)))
    return dealer.deck[-1] == KITTEN and FUTURE in dealer.hands["first"]


def first_hides(seed: int) -> bool:
    """Whether the first seat seeks first in Hide and Seek, and holds a card to catch with."""
    state, dealer = HIDE.start(HIDE.options({}), 2), HideDealer()
    dealer.begin(state, Chance(key_of(seed)))
    while (move := dealer.chance(state)) is not None:
        state = HIDE.play(state, move)
    first = state.seats[0]
    return state.order[0] == first and any(card.startswith("hide-") for card in dealer.hands[first])


@pytest.fixture
def seed_is() -> Callable[[int], bool]:
    """What the deal has to be like."""
    return kitten_on_top


def at_once(task: worker.Choose, goes_on: Callable[[], bool]) -> Choice:
    """The weakest level's choice, in this process."""
    weakest = levels_of(task.game)[0]
    return worker.choose(worker.Choose(task.game, task.state, task.seat, weakest, 1, answers=task.answers))


@pytest.fixture
def dealing_site(
    site: Site, monkeypatch: pytest.MonkeyPatch, seed_is: Callable[[int], bool]
) -> Iterator[Site]:
    """A table that can deal, and whose player thinks quickly."""
    monkeypatch.setattr(table_players, "chosen", at_once)
    key = key_of(next(filter(seed_is, range(10_000))))
    monkeypatch.setattr("companion.play.dealt.token_bytes", lambda size: key)
    with computer_at(site):
        yield site


THEIR_TURNS_MS = 60_000
"""The longest that the table's own turns may take on a busy machine; it is never waited for."""

UNDER_THE_FINGER_MS = 3_000
"""After this, the page is looked at again for what to tap."""

MINE = ":is(#go:not([aria-disabled]), #hand .place):not([data-tapped])"
"""What a person can tap to go on, and has not tapped yet: the page draws other buttons then."""

MARK = f"""() => {{
  const marked = value => document.querySelectorAll({MINE.split(":not([data-tapped])")[0]!r})
    .forEach(button => value ? button.setAttribute('data-tapped', 1) : button.removeAttribute('data-tapped'));
  addEventListener('click', () => marked(true), true);
  const seen = {{subtree: true, childList: true, characterData: true,
    attributeFilter: ['aria-disabled', 'disabled']}};
  new MutationObserver(() => marked(false)).observe(document.body, seen);
}}"""
"""Marks at each tap what could be tapped, until the page shows something else."""


def go_on(page: Page) -> None:
    """Tap what goes on with the match, unless it goes away under the finger: the time for a nope is up."""
    with suppress(Error):
        page.locator(MINE).first.tap(timeout=UNDER_THE_FINGER_MS)


def deal(page: Page, slug: str) -> None:
    """Let the table deal for one person and the computer."""
    page.locator(f".game:has([value={slug}])").tap()
    page.get_by_role("button", name="Start", exact=True).tap()


def test_a_dealt_match_is_played_to_its_end_by_taps(phone: Phone, dealing_site: Site) -> None:
    page = phone("/new")
    deal(page, "exploding-kittens")
    expect(page.locator("#go")).to_have_text("Draw a card")
    page.evaluate(MARK)
    for kind in (FUTURE, "defuse"):
        expect(page.locator(f"#hand [data-card={kind}]").first).to_be_attached()
    expect(page.locator("#players li").nth(1)).to_contain_text("computer")
    expect(page.locator("#undo")).to_be_hidden()
    with page.expect_response(lambda answered: answered.request.method == "POST"):
        page.locator(f"#hand [data-card={FUTURE}]").tap()
        page.locator("#go", has_text="Play See the Future").tap()
    expect(page.locator("#noted")).to_contain_text("Exploding Kitten")
    go_on(page)
    expect(page.locator("#moment")).to_contain_text("You drew an Exploding Kitten!")
    expect(page.locator("#go")).to_have_text("Defuse it")
    over = page.locator("#ended h2")
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
    page = phone("/new")
    deal(page, "exploding-kittens")
    expect(page.locator("#go")).to_be_visible()
    page.goto(dealing_site.url("/new"))
    deal(page, "hide-and-seek")
    page.get_by_role("button", name="Put it aside").tap()
    expect(page.locator("#tray-cards .kind").first).to_be_visible()
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.parametrize("seed_is", [first_hides])
def test_cards_are_laid_face_down_by_taps_and_turned_up_together(phone: Phone, dealing_site: Site) -> None:
    page = phone("/new")
    deal(page, "hide-and-seek")
    said, own = page.locator("#tray-said"), page.locator("#tray-cards .kind")
    expect(said).to_have_text("Tap a card: up to three, face down (0 laid)")
    expect(own).to_have_count(6)
    for hidden in ("#mine", "#tray-ways", "#end"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#players .player").nth(1)).to_contain_text("computer")
    page.locator("#tray-cards .kind.hide").first.tap()
    page.locator("#players .animal.target").first.tap()
    expect(said).to_contain_text("(1 laid)")
    expect(own).to_have_count(5)
    expect(page.locator("#players .chip-card")).to_have_count(1)
    assert not dealing_site.table.match.state.lying, "others do not see it yet"
    page.locator("#go-on").tap()
    expect(page.locator("#go-on")).to_have_text("Draw cards", timeout=THEIR_TURNS_MS)
    assert dealing_site.table.match.state.lying
    page.locator("#go-on").tap()
    expect(page.locator("#round")).to_contain_text("Round 2")
    expect(own).to_have_count(6)
    expect(said).to_have_text("Tap a card: up to three, face down (0 laid)", timeout=THEIR_TURNS_MS)
