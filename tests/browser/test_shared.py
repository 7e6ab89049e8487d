"""What the pages of every game share: numbers, and the names of seats."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phone, Site
from tests.conftest import OPENING
from tests.web.chances import WRITTEN

pytestmark = pytest.mark.browser

PERCENT = "(chances) => import('/static/numbers.js').then(({percent}) => chances.map(percent))"
NAMES = """async (seat) => {
  const { take } = await import('/static/live.js');
  const { seatName, seatLabel } = await import('/static/names.js');
  take(JSON.parse(document.getElementById('now').textContent));
  return [seatName(seat), seatLabel(seat)];
}"""
SAID = "(what) => import('/static/messages.js').then(({sayWhole}) => sayWhole(...what))"
SPOKEN = "(what) => import('/static/messages.js').then(({nameFor}) => nameFor(...what))"
SENT = """(taps) => import('/static/act.js').then(({send}) =>
  Promise.all(taps.map((tap) => send(`/api/${tap}`).then(Boolean))))"""
NAME = "(thing) => import('/static/names.js').then(({nameOf}) => nameOf(thing))"


def test_numbers_and_names_are_written_as_everywhere(phone: Phone, site: Site) -> None:
    page = phone(locale="en-GB")
    written = page.evaluate(PERCENT, [chance for chance, _ in WRITTEN])
    assert written == [percent for _, percent in WRITTEN], "as the templates write them"
    assert page.evaluate(NAMES, "dog") == ["dog", "Dog"], "a seat without a player has its own name"
    assert page.evaluate(NAME, "red-claw-of-mine") == "red-claw-of-mine"
    site.table.name_players({"dog": "anna"}, "test")
    page.reload()
    assert page.evaluate(NAMES, "dog") == ["anna", "anna"], "a player is called as they wrote their name"


def test_a_person_reads_no_braces_and_says_what_they_see(phone: Phone) -> None:
    page = phone(locale="en-GB")
    moved = "The cat's 1 seems to have moved. Has it?"
    for key, facts, says in (
        ("why.tile-moved", {"owner": "cat", "digit": 1}, moved),
        ("why.tile-moved", {"owner": "cat"}, "not sure"),
        ("why.nothing-known", {}, "not sure"),
    ):
        assert page.evaluate(SAID, [key, facts, "not sure"]) == says
    for seen, name, spoken in (
        ("2", "2 players", "2 players"),
        ("9 points", "9points: what for", "9points: what for"),
        ("top", "place 1 from the top", "top: place 1 from the top"),
        ("", "Menu", "Menu"),
    ):
        assert page.evaluate(SPOKEN, [seen, name]) == spoken


def test_what_is_tapped_while_an_answer_is_under_way_waits_and_the_same_twice_is_once(
    phone: Phone, site: Site
) -> None:
    site.table.play(OPENING[0], "phone")
    assert phone("/rules/this-bed-is-mine").evaluate(SENT, ["undo", "redo", "redo"]) == [True, True, False]
    assert len(site.table.match.moves) == 1


def test_a_match_is_stopped_by_a_tap_in_the_menu(phone: Phone, site: Site) -> None:
    site.table.play(OPENING[0], "phone")
    page, other = phone(), phone()
    page.locator("#menu summary").tap()
    page.locator("#stop").tap()
    page.get_by_role("dialog").get_by_role("button", name="Stop the match here").tap()
    for stopped in (page, other):
        expect(stopped.locator("#ended")).to_contain_text("Nobody wins.")
    outcome = site.table.snapshot.view().match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("stopped", ())
    page.locator("#undo").tap()
    expect(page.locator("#ended")).to_be_hidden()
    expect(page.locator("#tray")).to_be_visible()
