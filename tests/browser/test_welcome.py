"""The first thing a phone sees that is not anybody yet, and how it joins."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phone, Site
from tests.browser.reading import SHIFTS, SPILLS, axe, jumps, unreadable
from tests.conftest import OPENING

__all__ = ["axe"]

NOBODY = {"storage_state": {"cookies": [], "origins": []}}
"""A phone that was never here."""


def test_a_phone_joins_with_name_colour_and_seat_and_keeps_them(phone: Phone, site: Site) -> None:
    page = phone(**NOBODY)
    expect(page.locator("h2#played")).to_have_text("This Bed Is Mine")
    expect(page.locator("#stand")).to_have_text("Not begun yet")
    page.get_by_label("Your name").fill("Mei")
    page.get_by_label("green").check()
    page.get_by_label("owl").check()
    page.get_by_label("Dog").check()
    page.get_by_role("button", name="Join", exact=True).tap()
    page.wait_for_selector("#picture")
    expect(page.locator("#seat")).to_have_text("Mei")
    for name in (page.locator("#seat"), page.locator("#side-dog .name")):
        expect(name).to_have_attribute("data-colour", "green")
        expect(name).to_have_attribute("data-sign", "owl")
    drawn = page.locator("#seat").evaluate("chip => getComputedStyle(chip, '::before').maskImage")
    assert page.request.get(drawn.removeprefix('url("').removesuffix('")')).ok
    table = page.evaluate("() => fetch('/api/table').then(answer => answer.json())")
    assert (table["seat"], table["match"]["players"]) == ("dog", {"dog": "Mei"})
    assert (table["colours"], table["animals"]) == ({"dog": "green"}, {"dog": "owl"})
    body = {"game": "cat-and-mouse"}
    # The page loads again once the match has begun: the answer of this script is not waited for.
    page.evaluate(
        "body => { fetch('/api/matches', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify(body)}); }",
        body,
    )
    expect(page.locator("h1")).to_have_text("Cat and Mouse")
    expect(page.locator("#seat")).to_have_text("Mei")
    expect(page.locator("#player-mouse .name")).to_have_attribute("data-sign", "owl")
    page.goto(site.url("/welcome"))
    page.wait_for_url(site.url("/"))
    assert site.table.view().match.players == {"mouse": "Mei"}


def test_a_second_phone_asks_and_is_seated_once_it_is_let_in(phone: Phone, site: Site) -> None:
    host = phone(**NOBODY)
    host.get_by_role("button", name="Join", exact=True).tap()
    host.wait_for_selector("#picture")
    guest = phone(**NOBODY)
    expect(guest.locator("#join-how")).to_contain_text("one of them lets you in with a tap")
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_label("fox").check()
    guest.get_by_role("button", name="Join", exact=True).tap()
    expect(guest.locator("#join-how")).to_contain_text("with the number 1")
    expect(host.locator("#door")).to_contain_text("Bo asks to join (phone 1).")
    expect(host.locator("#door-said")).to_have_attribute("data-sign", "fox")
    host.get_by_role("button", name="Let in").tap()
    guest.wait_for_selector("#picture")
    expect(host.locator("#toast")).to_have_text("Bo has joined.")
    expect(host.locator("#door")).to_be_hidden()
    assert site.table.seats.taken() == ("cat", "dog")


def test_a_scanned_code_needs_no_asking(phone: Phone, site: Site) -> None:
    host = phone(**NOBODY)
    host.get_by_role("button", name="Join", exact=True).tap()
    host.wait_for_selector("#picture")
    host.goto(site.url("/join"))
    expect(host.locator("#seats .short-code")).to_have_count(1)
    expect(host.locator("#for-all")).to_be_hidden()
    rows = host.evaluate("() => fetch('/api/seats').then(answer => answer.json())")["seats"]
    guest = phone(f"/welcome#{rows[1]['link']}", **NOBODY)
    expect(guest.locator("#free")).to_be_hidden()
    guest.get_by_role("button", name="Join", exact=True).tap()
    guest.wait_for_selector("#picture")
    assert site.table.seats.taken() == ("cat", "dog")


def test_a_lost_seat_says_when_it_is_free(phone: Phone, site: Site) -> None:
    host = phone(**NOBODY)
    host.get_by_role("button", name="Join", exact=True).tap()
    host.wait_for_selector("#picture")
    row = phone("/join").locator("#seats li").first
    expect(row.locator(".state")).to_have_text(re.compile(r"^in use · free in \d+:\d\d if no phone answers$"))
    said = row.locator(".state").inner_text()
    expect(row.locator(".state")).not_to_have_text(said)  # it counts down


def test_who_watches_is_shown_the_table_from_then_on(phone: Phone, site: Site) -> None:
    page = phone(**NOBODY)
    page.get_by_role("link", name="Watch").tap()
    expect(page.locator("#picture")).to_be_visible()
    page.goto(site.url("/"))
    expect(page.locator("#picture")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "zh-TW", "ko-KR"])
def test_the_welcome_can_be_read_and_does_not_jump(phone: Phone, site: Site, axe: str, locale: str) -> None:
    site.table.play(OPENING[0], "phone")
    site.table.name_players({"cat": "Maximiliane Katharina von Hohenstein"}, "phone")
    page = phone("/join", **NOBODY, locale=locale, reduced_motion="reduce")
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url("/"))
    assert jumps(page) == []
    for width, height, scheme in ((390, 844, "dark"), (320, 568, "light"), (1280, 800, "light")):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert unreadable(page, axe) == []
        assert page.evaluate(SPILLS) == []


def test_the_phone_in_turn_looks_different_and_the_other_says_whose_move_it_records(
    phone: Phone, site: Site, axe: str
) -> None:
    cat = phone(**NOBODY)
    cat.get_by_label("Your name").fill("Mei")
    cat.get_by_role("button", name="Join", exact=True).tap()
    cat.wait_for_selector("html[data-own-turn]")
    expect(cat.locator("#whose")).to_have_text("Your turn")
    assert unreadable(cat, axe) == []
    dog = phone(**NOBODY, color_scheme="light")
    cat.goto(site.url("/join"))
    code = cat.locator("#seats .short-code").text_content() or ""
    cat.goto(site.url("/"))
    dog.get_by_text("I have a code").tap()
    dog.get_by_label("Seat code").fill(code)
    dog.get_by_role("button", name="Join", exact=True).tap()
    expect(dog.locator("#whose")).to_have_text("A tap now records Mei's move")
    dog.get_by_role("button", name="Place Mei 3").tap()
    expect(dog.locator("#sheet-title")).to_have_text("Lay 3 for Mei: tap where it goes")
    dog.get_by_role("button", name="Put back").tap()
    cat.get_by_role("button", name="Place Mei 3").tap()
    expect(cat.locator("#sheet-title")).to_have_text("Mei 3: tap where it goes")
    cat.get_by_role("button", name="Put back").tap()
    assert unreadable(dog, axe) == []
    site.table.play(OPENING[0], "phone")
    expect(dog.locator("#whose")).to_have_text("Your turn")
    expect(cat.locator("#whose")).to_have_text("A tap now records dog's move")
    assert cat.evaluate("() => document.documentElement.dataset.ownTurn") is None


@pytest.mark.parametrize(
    ("slug", "button", "says"),
    [
        ("exploding-kittens", "#draws .main", "Drew a cardfor Mei"),
        ("cat-and-mouse", "#dice-said", "Tap both dice · for Mei"),
    ],
)
def test_the_main_button_says_whose_move_it_records(
    phone: Phone, site: Site, slug: str, button: str, says: str
) -> None:
    site.table.begin(slug, {})
    first, second = site.table.match.seat_names[:2]
    site.table.name_players({first: "Mei"}, "phone")
    if slug == "cat-and-mouse":
        site.table.play({"move": "throw", "dice": [6, 5]}, "phone")
        site.table.play({"move": "throw", "dice": [1, 2]}, "phone")
    page = phone("/join")
    page.evaluate(
        "seat => fetch('/api/seats/take', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({seat})})",
        second,
    )
    page.goto(site.url("/"))
    expect(page.locator(button)).to_have_text(says)


class Robots:
    """A `Demo` that plays until it is left."""

    rehearses = False

    def __init__(self) -> None:
        self.plays = True

    def leave(self) -> None:
        self.plays = False


def test_a_demo_says_so_and_is_taken_over_with_a_tap(phone: Phone, site: Site, axe: str) -> None:
    site.stop()
    site.demo = Robots()
    site.begin()
    page = phone()
    expect(page.locator("#demo")).to_contain_text("Demo: the table plays by itself")
    page.set_viewport_size({"width": 320, "height": 568})
    assert unreadable(page, axe) == []
    page.get_by_role("button", name="Play it yourself").tap()
    expect(page.locator("#demo")).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("The match is yours")
    assert not site.demo.plays


def test_three_phones_join_the_third_by_keys_alone(phone: Phone, site: Site) -> None:
    site.table.begin("exploding-kittens", {}, 3)
    host = phone(**NOBODY)
    host.get_by_label("Your name").fill("Mei")
    host.get_by_label("bear").check()
    host.get_by_role("button", name="Join", exact=True).tap()
    host.wait_for_selector("#big")
    bo, ada = phone(**NOBODY), phone(**NOBODY)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Join", exact=True).tap()
    expect(host.locator("#door")).to_contain_text("Bo asks to join")
    host.get_by_role("button", name="Let in").tap()
    bo.wait_for_selector("#big")
    ada.get_by_label("Your name").focus()
    ada.keyboard.type("Ada")
    for key in ("Tab", "Space", "Tab", "ArrowRight", "Enter"):
        ada.keyboard.press(key)
    expect(host.locator("#door")).to_contain_text("Ada asks to join")
    host.locator("#door-in").focus()
    host.keyboard.press("Enter")
    ada.wait_for_selector("#big")
    expect(ada.locator("#players .who")).to_have_text(["Mei", "Bo", "Ada (you)"])
    expect(ada.locator("#players .who").first).to_have_attribute("data-sign", "bear")
    expect(ada.locator("#players .who").last).to_have_attribute("data-colour", "red")
    assert len(site.table.seats.taken()) == 3
