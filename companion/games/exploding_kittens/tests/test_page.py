"""The page: its words, its scripts and, in a real browser, what a person does on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games.exploding_kittens import GAME, cards
from companion.games.watching import Card, Observation
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from conftest import close
from tests.browser.reading import CONTROLS


def test_every_word_made_of_parts_is_in_the_catalogue() -> None:
    words = messages_of_game(GAME.slug)
    kinds = cards.deck(cards.TRAVEL).cards
    keys = [f"name.{kind}" for kind in kinds]
    keys += [f"boom.short-{kind}" for kind in (*kinds, "alike", "hidden")]
    done = ("draw", "kitten", "defuse", "explode", "play", "pair", "three")
    keys += [f"boom.did-{what}" for what in done]
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
    opened.wait_for_selector("#hand button")
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

    def test_the_main_button_draws_and_says_who(self, page: Any, table: Table) -> None:
        page.get_by_role("button", name="Player 2 drew a card").click()
        expect(page.locator("#last")).to_have_text("Player 2 drew a card")
        expect(page.locator("#pile"), "what was played last still lies there").to_have_text("Attack")
        assert last(table) == ("draw", "second")
        assert page.evaluate(CONTROLS) <= 16

    def test_a_card_rises_and_is_played_by_the_main_button(self, page: Any, table: Table) -> None:
        page.click("[data-card=skip]")
        expect(page.locator("[data-card=skip]")).to_have_attribute("aria-pressed", "true")
        assert last(table) == ("play", "first")
        page.locator("#go", has_text="Player 2 played Skip").click()
        expect(page.locator("#last")).to_have_text("Player 2 played Skip")
        assert last(table) == ("play", "second")

    def test_a_card_tapped_again_is_put_back(self, page: Any) -> None:
        page.click("[data-card=skip]")
        page.click("[data-card=skip]")
        expect(page.locator("#go")).to_have_text("Player 2 drew a card")

    def test_whose_nope_it_is_is_asked_where_it_may_be_several(self, page: Any, table: Table) -> None:
        page.click("[data-card=nope]")
        page.locator("#go", has_text="Play Nope").click()
        page.locator("#sheet").get_by_role("button", name="Player 3").click()
        page.get_by_text("Player 1 is playing").wait_for()
        assert table.match.state.record[-1].nopes == ("third",)  # type: ignore[attr-defined]

    def test_one_tap_takes_a_wrong_tap_back(self, page: Any, table: Table) -> None:
        page.click("#go")
        expect(page.locator("#last")).to_have_text("Player 2 drew a card")
        page.click("#undo")
        expect(page.locator("#last")).to_have_text("Player 1 played Attack")
        assert last(table) == ("play", "first")

    def test_a_kitten_fills_the_screen_a_moment_and_is_defused(self, page: Any, table: Table) -> None:
        page.click("#other")
        expect(page.locator("#moment")).to_contain_text("Player 2 drew an Exploding Kitten!")
        page.locator("#go", has_text="Defused").click()
        expect(page.locator("#last")).to_have_text("Player 2 defused the kitten and hid it")
        expect(page.locator("#moment")).to_be_hidden()
        assert last(table) == ("defuse", "second")

    def test_a_card_seen_on_the_pile_is_played_without_a_tap(self, page: Any, table: Table) -> None:
        table.see(Observation(cards=(Card("skip", 0.95),)))
        expect(page.locator("#last")).to_have_text("Player 2 played Skip")
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
        expect(page.locator("#sheet")).to_contain_text("Player 2 has not drawn a kitten")
        page.click("#sheet header button")
        page.wait_for_selector("#sheet", state="hidden")
        assert last(table) == ("play", "first")

    def test_two_alike_are_chosen_with_whom_they_hit(self, page: Any, table: Table) -> None:
        page.click("[data-card=alike]")
        page.click("#sheet .alike >> nth=2 >> button >> nth=0")
        page.click("#sheet .choices button >> nth=0")
        page.get_by_text("on Player 1").wait_for()
        assert last(table) == ("pair", "second")

    def test_the_odds_are_a_tap_away_until_the_next_card(self, page: Any, table: Table) -> None:
        page.click("#odds")
        sheet = page.locator("#sheet")
        expect(sheet.locator(".answer")).to_contain_text("9 % the next card is a kitten.")
        expect(sheet).to_contain_text("2/23 ≈ 9 %")
        expect(sheet).to_contain_text("every way the cards can lie is counted")
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        page.click("#odds")
        table.play({"move": "draw"}, "phone")
        expect(sheet).to_be_hidden()

    def test_a_players_hand_tells_what_asking_and_picking_bring(self, page: Any) -> None:
        """Of six cards one is a defuse, and two of the 35 from which the other five come: (1 + 2/7) / 6."""
        page.click("#odds")
        page.locator("#sheet summary", has_text="Player 3").click()
        held = page.locator("#sheet details", has_text="Player 3")
        for said in ("Defuse 100 %", "× 1", "3/14 ≈ 21 %"):
            expect(held).to_contain_text(said)
        expect(page.locator("#sheet")).to_contain_text("only that it was in it")

    def test_a_named_card_is_chosen_by_its_chance(self, page: Any) -> None:
        page.click("[data-card=alike]")
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
        page.get_by_text("Your turn: play cards, then draw.").wait_for()
        page.locator("#tell", has_text="the hand you entered can't be right").click()
        page.get_by_text("That is my hand (6 of 5)").wait_for()
        page.click("#sheet button[aria-label='One fewer: Cat A']")
        page.get_by_text("That is my hand (5 of 5)").click()
        page.wait_for_selector("#tell", state="hidden")
        assert table.match.state.notes[-1].cards == ("attack", "defuse", "future", "nope", "nope")  # type: ignore[attr-defined]
        context.close()

    def test_who_has_no_seat_is_shown_no_hand(self, page: Any) -> None:
        assert page.is_hidden("#tell")
        assert page.locator("[data-card=defuse]").count() == 0

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
        looking_on.wait_for_selector("#hand button")
        assert looking_on.locator("#noted li").count() == 0
        looking_on.close()
