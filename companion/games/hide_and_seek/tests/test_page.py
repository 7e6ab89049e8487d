"""The page: its words, and in a real browser what a person does on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from playwright.sync_api import expect

from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.animals import Note
from companion.games.hide_and_seek.cardset import COLOURS, Does, card_set
from companion.games.hide_and_seek.state import HideState
from companion.games.hide_and_seek.steps import Why
from companion.games.hide_and_seek.tests.table import ANIMALS, ONE, TWO, box
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from conftest import PATIENCE_MS, close
from tests.browser.reading import CONTROLS, left_of

SECRET = "a-secret-of-a-phone"

SMALL = """() => [...document.querySelectorAll('a, button, summary, select, input')]
  .filter(node => node.checkVisibility({visibilityProperty: true}) && node.getBoundingClientRect().width)
  .map(node => [node.outerHTML.slice(0, 90), node.type === 'checkbox'
    ? node.parentElement.getBoundingClientRect() : node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""


def test_every_word_made_of_parts_is_in_the_catalogue() -> None:
    words = messages_of_game(GAME.slug)
    keys = [f"note.{note}" for note in get_args(Note)]
    keys += [f"safe.{why or 'caught'}" for why in get_args(Why)]
    keys += [f"brawl.{why}" for why in ("catch", "takes", "wrong-colour", "nobody")]
    keys += [f"points.{what}" for what in ("animal", "food", "enemy", "enemy-food")]
    keys += [f"does.{does}" for does in get_args(Does)]
    keys += [f"{table}.{colour}" for table in ("name", "short") for colour in (*COLOURS, "rainbow")]
    keys += [f"outcome.{reason}" for reason in ("rounds", "ended", "none-free")]
    keys += [f"name.step-{phase}" for phase in ("animals", "open", "cards", "candy", "catch", "gear")]
    keys += [f"hide.set-{key}" for key in ("hand", "rounds_each", "animals_each", "reshuffle")]
    keys += [
        f"hide.{key}"
        for key in ("all-up", "to-brawl", "draw-up", "lay-no-more", "let-go", "gear", "species", "slows")
    ]
    assert not [key for key in keys if key not in words]


def test_the_cards_of_the_example_are_said_in_every_language() -> None:
    words = messages_of_game(GAME.slug)
    assert not [card for card in card_set("example").cards if f"name.{card}" not in words]


@pytest.fixture
def table(journal: Journal) -> Table:
    """A match of two with the tests' set, nothing done yet."""
    return Table(journal, Match.begin(journal, GAME.slug, {"cards": box()}, 2))


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    """A phone."""
    made = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    made.set_default_timeout(PATIENCE_MS)
    yield made
    close(made)


@pytest.fixture
def page(context: Any, address: str) -> Iterator[Any]:
    """The page on that phone; a fault in a script fails the test."""
    faults: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(f"{address}watch")
    yield opened
    assert not faults


def state(table: Table) -> HideState:
    """How the match stands."""
    now = table.match.state
    assert isinstance(now, HideState)
    return now


def play(table: Table, *moves: dict[str, Any]) -> None:
    """Moves made elsewhere."""
    for move in moves:
        table.play(move, "phone")


def deal(table: Table) -> None:
    """All have their animals."""
    for n, animal in enumerate(ANIMALS):
        play(table, {"move": "animal", "seat": (ONE, TWO)[n // 3], "animal": animal})


def turned(by: str, card: str, animal: str, **more: Any) -> dict[str, Any]:
    """A card turned up, as plain values."""
    return {"move": "turn-up", "by": by, "card": card, "on": animal, **more}


IN_ENGLISH = {"兩金": "Liangjin", "卡士達": "Kashida", "炭炭": "Tantan"}
"""What a page in English calls the animals that have Chinese names."""


SORTS = {"catch/hide": ("catch/hide",), "rocket": ("rocket", "cannonball")}
"""The sorts of cards that these tests tap, with a part of what their kinds are called."""


def animal(page: Any, name: str) -> Any:
    """An animal's button."""
    return page.locator("#players .animal", has_text=IN_ENGLISH.get(name, name))


def laid(page: Any, name: str, card: str) -> Any:
    """A card that lies on an animal."""
    return animal(page, name).locator(f"[title='{card}']")


def owner(page: Any, name: str) -> Any:
    """The head of whose animal it is."""
    return page.locator(".player", has_text=name).locator(".owner")


def kind(page: Any, name: str) -> Any:
    """The button of a kind of card in the tray, behind that of its sort."""
    sort = next((sort for sort, words in SORTS.items() if any(word in name for word in words)), name)
    page.locator("#tray-cards button:enabled", has_text=sort).tap()
    return page.locator(f"#tray-cards [title='{name}']")


@pytest.mark.browser
class TestInABrowser:
    """What a person sees and does."""

    def test_animals_are_dealt_by_taps_and_a_round_is_played(self, page: Any, table: Table) -> None:
        names = [IN_ENGLISH.get(each, each) for each in ANIMALS]
        for name in names[:-1]:
            page.locator("#deal-animals button", has_text=name).tap()
            page.locator("#deal-animals button:disabled", has_text=name).locator(".dealt").wait_for()
        page.locator("#deal-animals button", has_text=names[-1]).tap()
        page.get_by_text("tap the animal that seeks").wait_for()
        animal(page, "Max").tap()
        page.get_by_text("Player 2 turns up a card: tap it").wait_for()
        kind(page, "grey catch/hide").tap()
        expect(animal(page, "Max")).to_contain_text("catches with grey")
        expect(animal(page, "Max").locator(".speeds")).to_have_text("7→8")
        animal(page, "Max").tap()
        expect(animal(page, "Max").locator(".speeds")).to_have_text("7→8")
        laid(page, "Max", "grey catch/hide +1").wait_for()
        verdict = "can be caught: grey"
        expect(animal(page, "兩金").locator(".verdict")).to_have_text(verdict)
        expect(animal(page, "Ivy").locator(".verdict")).to_have_text("safe: another colour")
        page.locator("#go-on").tap()
        page.get_by_text("The seeker can catch: tap an animal").wait_for()
        animal(page, "兩金").tap()
        page.locator(".gone").get_by_text("caught: Liangjin").wait_for()
        assert [each.animal for each in state(table).caught] == ["兩金"]
        page.locator("#go-on").tap()
        page.get_by_text("Player 1: tap the animal that seeks").wait_for()

    def test_a_round_begins_with_the_cards_of_the_first_in_its_order(self, page: Any, table: Table) -> None:
        deal(table)
        animal(page, "Max").tap()
        page.get_by_text("Player 2 turns up a card: tap it").wait_for()
        page.locator("#go-on").tap()
        page.get_by_text("The seeker can catch: tap an animal").wait_for()
        page.locator("#go-on").tap()
        page.get_by_text("Player 1: tap the animal that seeks").wait_for()
        animal(page, "Ivy").tap()
        page.get_by_text("Player 1 turns up a card: tap it").wait_for()

    def test_why_an_animal_is_safe_is_one_tap_away(self, page: Any, table: Table) -> None:
        deal(table)
        play(table, {"move": "seek", "animal": "卡士達"}, turned(ONE, "hide-grey", "炭炭"))
        animal(page, "炭炭").get_by_text("safe: just as fast").wait_for()
        owner(page, "Tantan").tap()
        page.locator("#sheet").get_by_text("On its own").first.wait_for()
        expect(page.locator("#sheet")).to_contain_text("not its colour: speed only")

    def test_a_rocket_may_be_said_otherwise_and_a_rainbow_named(self, page: Any, table: Table) -> None:
        deal(table)
        play(table, {"move": "seek", "animal": "Max"})
        kind(page, "dog rocket fist").tap()
        page.locator("#tray-ways").get_by_role("button", name="slower", exact=True).tap()
        animal(page, "Max").tap()
        laid(page, "Max", "dog rocket fist −3").wait_for()
        kind(page, "rainbow catch/hide").tap()
        page.locator("#tray-ways").get_by_role("button", name="yellow").tap()
        animal(page, "Max").tap()
        animal(page, "Max").get_by_text("seeks: brown / yellow").wait_for()
        assert [each.faster for each in state(table).lying] == [False, None]

    def test_a_wrong_tap_is_undone_by_one(self, page: Any, table: Table) -> None:
        deal(table)
        play(table, {"move": "seek", "animal": "Max"})
        kind(page, "food").tap()
        animal(page, "Ivy").tap()
        laid(page, "Ivy", "food −1").wait_for()
        page.locator("#undo").tap()
        laid(page, "Ivy", "food −1").wait_for(state="detached")
        assert state(table).lying == ()

    def test_the_enemy_and_its_brawl(self, page: Any, table: Table) -> None:
        deal(table)
        page.get_by_role("button", name="Play magician").tap()
        page.locator("#sheet").get_by_role("button", name="Player 1").tap()
        page.locator("#enemy").get_by_text("played by Player 1").wait_for()
        animal(page, "Max").tap()
        page.locator("#go-on", has_text="All cards are up").tap()
        page.locator("#go-on", has_text="On to the brawl").tap()
        kind(page, "rainbow catch/hide").tap()
        page.locator("#enemy .animal").tap()
        page.locator("#sheet").get_by_role("button", name="grey").tap()
        page.locator("#enemy").get_by_text("7 against 11").wait_for()
        page.locator("#go-on", has_text="All cards are up").tap()
        page.locator("#tray").get_by_role("button", name="the enemy takes Rex").tap()
        page.locator(".gone").get_by_text("caught: Rex").wait_for()

    def test_in_a_tie_whoever_lets_the_enemy_go_hands_on(self, page: Any, table: Table) -> None:
        deal(table)
        play(table, {"move": "enemy", "by": ONE, "card": "magician"}, {"move": "seek", "animal": "卡士達"})
        play(table, {"move": "go-on"}, {"move": "go-on"})
        play(
            table,
            turned(ONE, "rocket-fist", "炭炭"),
            turned(ONE, "food", "炭炭"),
            turned(ONE, "food", "enemy"),
        )
        play(table, turned(TWO, "cannonball", "卡士達"), turned(TWO, "big-food", "卡士達"), {"move": "go-on"})
        page.locator("#go-on", has_text="Player 2 lets the enemy go").tap()
        page.locator("#go-on", has_text="Player 1 lets the enemy go").wait_for()
        page.locator("#tray").get_by_role("button", name="Tantan catches the enemy").tap()
        page.locator("#enemy").wait_for(state="hidden")
        assert state(table).enemies_caught[0].by == ONE

    def test_candy_and_gear_ask_their_owner(self, page: Any, table: Table) -> None:
        deal(table)
        play(
            table,
            {"move": "seek", "animal": "Max"},
            turned(TWO, "food", "Ivy"),
            turned(TWO, "big-food", "Ivy"),
            turned(TWO, "gale-suit-grey", "Ivy"),
            turned(ONE, "gale-suit-yellow", "Ivy"),
            turned(ONE, "candy", "Ivy"),
            {"move": "go-on"},
        )
        page.get_by_text("Player 1 chooses what the candy on Ivy removes").wait_for()
        page.locator("#tray-choices").get_by_role("button", name="big food").tap()
        page.locator("#go-on", has_text="Draw cards").tap()
        page.get_by_text("Player 1 chooses which gale suit Ivy loses").wait_for()
        page.locator("#tray-choices").get_by_role("button", name="grey gale suit").tap()
        page.get_by_text("Player 1: tap the animal that seeks").wait_for()

    def test_points_and_odds_have_their_why(self, page: Any, table: Table) -> None:
        deal(table)
        page.get_by_role("button", name="9 points").tap()
        expect(page.locator("#sheet")).to_contain_text("Ivy got away")
        page.locator("#left summary").tap()
        row = page.locator("#kinds tr", has_text="grey catch/hide")
        expect(row).to_contain_text("9/153")
        page.get_by_text("153 cards unseen, 141 in the deck and 12 in hands").wait_for()

    def test_ones_own_hand_stays_on_ones_own_phone(self, page: Any, table: Table, address: str) -> None:
        deal(table)
        table.seats.take_seat(ONE, phone_of(SECRET))
        other = page.context.browser.new_context()
        other.add_cookies([{"name": "seat", "value": SECRET, "url": address}])
        own = other.new_page()
        own.goto(address)
        own.locator("#mine-tell summary").click()
        for _ in range(6):
            own.locator("#mine-kinds [title=candy], #mine-kinds [title='loquat candy']").click()
        own.get_by_role("button", name="That is my hand").click()
        own.get_by_text("My hand, on this phone only: 6 cards, 0 not entered yet").wait_for()
        own.locator("#left summary").click()
        expect(own.locator("#kinds tr", has_text="loquat candy")).to_contain_text("3/147")
        page.locator("#left summary").tap()
        expect(page.locator("#kinds tr", has_text="loquat candy")).to_contain_text("9/153")
        expect(page.locator("#mine")).to_be_hidden()
        other.close()

    def test_a_set_is_made_card_by_card_and_played_with(self, page: Any, table: Table, address: str) -> None:
        page.get_by_role("link", name="Enter your own set").tap()
        page.get_by_label("Its name").fill("At home")
        entry = page.locator("#entry")
        page.locator(".entries button").first.tap()
        entry.get_by_label("Name").fill("Zorro")
        entry.get_by_label("Speed").fill("11")
        assert page.evaluate(SMALL) == []
        entry.get_by_role("button", name="Done").tap()
        page.locator(".entries button", has_text="Zorro").wait_for()
        page.locator(".entries button", has_text="magician").tap()
        entry.get_by_label("How many").fill("2")
        entry.get_by_role("button", name="Done").tap()
        page.get_by_role("button", name="Add an animal").tap()
        entry.get_by_label("Name").fill("Zorro")
        entry.get_by_role("button", name="Done").tap()
        entry.locator("#toast", has_text="Zorro is there twice").wait_for()
        entry.get_by_label("Name").fill("Moss")
        entry.get_by_role("button", name="Done").tap()
        entry.locator("#toast", has_text="Moss needs one or two colours").wait_for()
        entry.get_by_role("button", name="Close").tap()
        page.get_by_role("button", name="Save", exact=True).tap()
        page.locator("#toast", has_text="Saved").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        made = card_set(page.request.get(f"{address}own/hide-and-seek/cards/At%20home.toml").text())
        assert (made.animals["Zorro"].speed, made.cards["magician"].count) == (11, 2)
        was = card_set("example")
        untouched = [name for name in was.cards if name != "magician"]
        assert [made.cards[name] for name in untouched] == [was.cards[name] for name in untouched]

    def test_a_set_used_before_is_taken_again(self, page: Any, table: Table, address: str) -> None:
        ours = box().replace('name = "', 'name = "Ours, ', 1)
        table.begin(GAME.slug, {"cards": ours})
        table.begin(GAME.slug, {})
        page.goto(address)
        page.get_by_text("An example set, made up").first.wait_for()
        page.locator("#used-before").get_by_role("button", name="Ours, ").tap()
        page.get_by_text("Set: Ours, ").wait_for()
        assert state(table).set == card_set(ours)

    def test_nothing_is_wider_than_a_phone_or_too_small_for_a_thumb(self, page: Any, table: Table) -> None:
        def check() -> None:
            assert page.evaluate("document.documentElement.scrollWidth") == 390
            assert left_of(page, SMALL) == []

        page.locator("#deal-animals button").first.wait_for()
        check()
        deal(table)
        page.locator("#tray").wait_for()
        check()
        play(table, {"move": "enemy", "by": ONE, "card": "magician"}, {"move": "seek", "animal": "Max"})
        kind(page, "rainbow catch/hide").tap()
        page.locator("#tray-ways button").first.wait_for()
        page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true; })")
        check()

    def test_news_do_not_close_what_is_read(self, page: Any, table: Table) -> None:
        deal(table)
        play(table, {"move": "seek", "animal": "Max"})
        owner(page, "Ivy").tap()
        play(table, turned(ONE, "food", "Ivy"))
        page.locator("#sheet").get_by_text("food eaten").wait_for()

    def test_the_tray_keeps_its_height_and_a_screen_has_few_controls(self, page: Any, table: Table) -> None:
        deal(table)
        heights = set()

        def look() -> None:
            page.locator("#tray button").first.wait_for()
            heights.add(page.locator("#tray").bounding_box()["height"])

        look()
        play(table, {"move": "enemy", "by": ONE, "card": "magician"}, {"move": "seek", "animal": "Max"})
        page.locator("#tray-cards button", has_text="catch/hide").wait_for()
        look()
        assert page.evaluate(CONTROLS) <= 16
        kind(page, "rainbow catch/hide").tap()
        page.locator("#tray-ways").get_by_role("button", name="yellow").wait_for()
        look()
        page.locator("#tray-cards [title='rainbow catch/hide']").tap()
        page.get_by_role("button", name="Other cards").tap()
        page.get_by_role("button", name="On to Player 1").tap()
        page.get_by_text("Player 1 turns up a card").wait_for()
        look()
        play(table, {"move": "go-on"})
        page.locator("#go-on", has_text="On to the brawl").wait_for()
        look()
        assert len(heights) == 1
