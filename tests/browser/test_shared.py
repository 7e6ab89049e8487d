"""What the pages of every game share: numbers, and the names of seats."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Phone, Site
from tests.web.chances import WRITTEN

pytestmark = pytest.mark.browser

PERCENT = "(chances) => import('/static/numbers.js').then(({percent}) => chances.map(percent))"
NAMES = """async (seat) => {
  const { take } = await import('/static/live.js');
  const { seatName, seatLabel } = await import('/static/names.js');
  take(JSON.parse(document.getElementById('now').textContent));
  return [seatName(seat), seatLabel(seat)];
}"""
NAME = "(thing) => import('/static/names.js').then(({nameOf}) => nameOf(thing))"


def test_a_chance_is_written_as_the_templates_write_it(phone: Phone) -> None:
    page = phone()
    assert page.evaluate(PERCENT, [chance for chance, _ in WRITTEN]) == [written for _, written in WRITTEN]


def test_a_seat_without_a_player_has_its_own_name(phone: Phone) -> None:
    page = phone(locale="en-GB")
    page.wait_for_selector("#sheet", state="attached")
    name, label = page.evaluate(NAMES, "dog")
    assert [name, label] == ["dog", "Dog"]


def test_a_player_is_called_as_they_wrote_their_name(phone: Phone, site: Site) -> None:
    site.table.name_players({"dog": "anna"}, "test")
    page = phone()
    assert page.evaluate(NAMES, "dog") == ["anna", "anna"]


def test_a_thing_without_a_name_is_called_as_it_is(phone: Phone) -> None:
    assert phone().evaluate(NAME, "red-claw-of-mine") == "red-claw-of-mine"
