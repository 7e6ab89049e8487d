"""The page: its words, its scripts and, in a real browser, what a person does on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games.exploding_kittens import GAME, cards
from companion.games.exploding_kittens.cards import ACTIONS
from companion.games.watching import Card, Observation
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from conftest import close


def test_every_word_made_of_parts_is_in_the_catalogue() -> None:
    words = messages_of_game(GAME.slug)
    kinds = cards.deck(cards.TRAVEL).cards
    keys = [f"name.{kind}" for kind in kinds] + [f"boom.short-{kind}" for kind in kinds]
    done = ("draw", "kitten", "defuse", "explode", "play", "pair", "three")
    keys += [f"boom.did-{what}" for what in done]
    keys += [f"boom.why-{card}" for card in ACTIONS]
    keys += [f"boom.tell-{what}" for what in ("drew", "took", "hid", "saw", "hand")]
    keys += [f"boom.noted-{what}" for what in ("drew", "took", "hid", "saw")]
    facts = ("dealt", "shuffled", "drawn", "out", "hid", "saw", "anywhere", "near-the-top")
    keys += [f"fact.{name}" for name in facts]
    assert not [key for key in keys if key not in words]


SECRET = "a-secret-of-a-phone"


@pytest.fixture
def table(journal: Journal) -> Table:
    """A match of three, its first card played."""
    table = Table(journal, Match.begin(journal, GAME.slug, {}, 3))
    table.play({"move": "play", "card": "attack"}, "phone")
    return table


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Any]:
    """The page on a phone; a fault in a script fails the test."""
    faults: list[str] = []
    opened = chromium.new_page(viewport={"width": 390, "height": 844}, locale="en")
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(f"{address}watch")
    opened.wait_for_selector("#draws button")
    yield opened
    close(opened.context)
    assert not faults


def last(table: Table) -> tuple[str, str]:
    """What was done last, and by whom."""
    action = table.match.state.record[-1]  # type: ignore[attr-defined]
    return action.what, action.seat


@pytest.mark.browser
class TestInABrowser:
    """What a person sees and does."""

    @pytest.mark.parametrize("width", [320, 390])
    def test_four_chances_beside_each_other_stay_apart(self, page: Any, width: int) -> None:
        page.set_viewport_size({"width": width, "height": 700})
        page.evaluate(
            "document.querySelectorAll('.figure b').forEach((node) => (node.textContent = '17.6 %'))"
        )
        spare = page.evaluate(
            """() => [...document.querySelectorAll('.figure')].map((node) =>
              node.clientWidth - node.firstElementChild.getBoundingClientRect().width)"""
        )
        assert len(spare) == 4
        assert min(spare) > 0

    def test_one_tap_is_a_draw(self, page: Any, table: Table) -> None:
        page.click("#draws button:nth-child(1)")
        page.get_by_text("Player 2 drew a card").wait_for()
        assert last(table) == ("draw", "second")

    def test_one_tap_is_a_card_played(self, page: Any, table: Table) -> None:
        page.click("#plays button[aria-label='Skip']")
        page.get_by_text("Player 2: Skip").wait_for()
        assert last(table) == ("play", "second")

    def test_one_tap_is_a_nope_on_the_last_card(self, page: Any, table: Table) -> None:
        page.click(".nopes button:nth-child(3)")
        page.get_by_text("Player 1 to play").wait_for()
        assert table.match.state.record[-1].nopes == ("third",)  # type: ignore[attr-defined]

    def test_one_tap_takes_a_wrong_tap_back(self, page: Any, table: Table) -> None:
        page.click("#draws button:nth-child(1)")
        page.get_by_text("Player 2 drew a card").wait_for()
        page.click("#undo")
        page.get_by_text("Player 1: Attack").wait_for()
        assert last(table) == ("play", "first")

    def test_a_kitten_is_defused_with_one_tap_more(self, page: Any, table: Table) -> None:
        page.click("#draws button:nth-child(2)")
        page.get_by_text("Player 2 has drawn a kitten!").wait_for()
        page.click("#draws button:nth-child(1)")
        page.get_by_text("Player 2 defused the kitten").wait_for()
        assert last(table) == ("defuse", "second")

    def test_a_card_seen_on_the_pile_is_played_without_a_tap(self, page: Any, table: Table) -> None:
        table.see(Observation(cards=(Card("skip", 0.95),)))
        page.get_by_text("Player 2: Skip").wait_for()
        assert last(table) == ("play", "second")

    def test_whose_nope_lies_there_is_answered_with_one_tap(self, page: Any, table: Table) -> None:
        table.see(Observation(cards=(Card("nope", 0.95),)))
        page.get_by_text("A Nope is on the table. Who played it?").wait_for()
        page.click("#sheet .answers button >> nth=2")
        page.wait_for_selector("#sheet", state="hidden")
        assert table.match.state.record[-1].nopes == ("third",)  # type: ignore[attr-defined]

    def test_a_card_that_cannot_be_played_is_said(self, page: Any, table: Table) -> None:
        table.see(Observation(cards=(Card("defuse", 0.95),)))
        page.get_by_text("That card can't be played now").wait_for()
        expect(page.locator("#sheet")).to_contain_text("Player 2 has drawn no kitten")
        page.click("#sheet header button")
        page.wait_for_selector("#sheet", state="hidden")
        assert last(table) == ("play", "first")

    def test_two_alike_are_three_taps(self, page: Any, table: Table) -> None:
        page.click("#plays button:nth-child(5)")
        page.click("#sheet .alike >> nth=2 >> button >> nth=0")
        page.click("#sheet .choices button >> nth=0")
        page.get_by_text("on Player 1").wait_for()
        assert last(table) == ("pair", "second")

    def test_a_chance_tells_its_why(self, page: Any) -> None:
        page.click("#big button:nth-child(1)")
        expect(page.locator("#sheet .answer")).to_have_text("2/23 ≈ 9 %")
        expect(page.locator("#sheet")).to_contain_text("every way the cards can lie is counted")
        page.keyboard.press("Escape")
        page.wait_for_selector("#sheet", state="hidden")

    def test_a_players_hand_tells_what_asking_and_picking_bring(self, page: Any) -> None:
        """Of six cards one is a defuse, and two of the 35 from which the other five come: (1 + 2/7) / 6."""
        page.click("#players li:nth-child(3) .ahead-of >> nth=0")
        for said in (
            "Surely there: Defuse × 1",
            "Has at least one (three alike ask for it)",
            "3/14 ≈ 21 %",
            "A played card tells of its player's hand only that it was in it.",
        ):
            expect(page.locator("#sheet")).to_contain_text(said)

    def test_a_named_card_is_chosen_by_its_chance(self, page: Any) -> None:
        page.click("#plays button:nth-child(5)")
        page.get_by_text("What Player 1 may hold").wait_for()
        page.click("#sheet .alike >> nth=2 >> button >> nth=1")
        page.click("#sheet .choices button >> nth=0")
        expect(page.locator("#sheet .choices button").first).to_have_text(re.compile(r"Defuse\s*100\s*%"))

    def test_a_wrong_hand_is_asked_for_with_what_can_still_be_there(
        self, chromium: Any, address: str, table: Table
    ) -> None:
        cards = ["defuse", "attack", "future", "nope", "nope", "cat-a"]
        table.play({"move": "hand", "seat": "second", "cards": cards}, "phone", seat="second")
        table.play({"move": "play", "card": "skip"}, "phone")
        table.seats.take_seat("second", phone_of(SECRET))
        context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en")
        context.add_cookies([{"name": "seat", "value": SECRET, "url": address}])
        page = context.new_page()
        page.goto(address)
        page.get_by_text("Your next card: 9 % a kitten. You have a Defuse, so you survive.").wait_for()
        page.get_by_text("the hand you entered can't be right").wait_for()
        page.click("#tell button")
        page.get_by_text("That is my hand (6 of 5)").wait_for()
        page.click("#sheet button[aria-label='One fewer: Cat A']")
        page.get_by_text("That is my hand (5 of 5)").click()
        page.wait_for_selector("#tell", state="hidden")
        assert table.match.state.notes[-1].cards == ("attack", "defuse", "future", "nope", "nope")  # type: ignore[attr-defined]
        context.close()

    def test_who_has_no_seat_is_shown_no_hand(self, page: Any) -> None:
        assert page.is_hidden("#mine")
        assert page.is_hidden("#tell")

    def test_a_phone_shows_what_its_own_seat_drew_and_saw(
        self, chromium: Any, address: str, table: Table
    ) -> None:
        for move in ("draw", "draw", "draw", "draw"):
            table.play({"move": move}, "phone")
        table.play({"move": "drew", "seat": "second", "card": "nope"}, "phone", seat="second")
        table.seats.take_seat("second", phone_of(SECRET))
        context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en")
        context.add_cookies([{"name": "seat", "value": SECRET, "url": address}])
        page = context.new_page()
        page.goto(address)
        page.get_by_text("You drew: Nope").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        context.close()
        looking_on = chromium.new_page(locale="en")
        looking_on.goto(f"{address}watch")
        looking_on.wait_for_selector("#draws button")
        assert looking_on.locator("#noted li").count() == 0
        looking_on.close()
