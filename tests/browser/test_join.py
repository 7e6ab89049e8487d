"""The first thing a phone sees that is not anybody yet, and how it joins."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone, Site, computer_at, rest_slow, until
from tests.browser.reading import SHIFTS, axe, jumps, unreadable, unreadable_at_some_size
from tests.conftest import OPENING

__all__ = ["axe"]

NOBODY = {"storage_state": {"cookies": [], "origins": []}}
"""A phone that was never here."""


def sits_first(phone: Phone, name: str = "", picture: str = "#picture") -> Page:
    """A phone at the first seat of the table."""
    page = phone("/join", **NOBODY)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).tap()
    page.wait_for_selector(picture)
    return page


def asks(phone: Phone, name: str) -> Page:
    """A phone that asks to be let in."""
    page = phone(**NOBODY)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).tap()
    expect(page.locator("#waiting-how")).to_contain_text("This phone is number 1.")
    return page


def test_a_phone_joins_with_a_name_and_a_seat_and_chooses_its_animal_afterwards(
    phone: Phone, site: Site
) -> None:
    page = phone("/join", **NOBODY)
    expect(page.get_by_role("heading", name="Join This Bed Is Mine")).to_be_visible()
    page.get_by_label("Your name").fill("Mei")
    page.locator(".place[data-seat=dog]").tap()
    page.get_by_role("button", name="Join", exact=True).tap()
    page.wait_for_selector("#picture")
    page.locator("#seat").tap()
    with page.expect_response("**/api/seats/me"):
        page.locator("label:has([value=owl])").tap()
    page.goto(site.url("/"))
    expect(page.locator("#seat")).to_have_text("Mei")
    for name in (page.locator("#seat"), page.locator("#side-dog .name")):
        expect(name).to_have_attribute("data-colour", "violet")
        expect(name).to_have_attribute("data-sign", "owl")
    drawn = page.locator("#seat").evaluate("chip => getComputedStyle(chip, '::before').maskImage")
    assert page.request.get(drawn.removeprefix('url("').removesuffix('")')).ok
    table = page.evaluate("() => fetch('/api/table').then(answer => answer.json())")
    assert (table["seat"], table["match"]["players"]) == ("dog", {"dog": "Mei"})
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
    page.goto(site.url("/join"))
    page.wait_for_url(site.url("/seats"))
    assert site.table.snapshot.view().match.players == {"mouse": "Mei"}


def test_a_second_phone_asks_and_is_seated_once_it_is_let_in(phone: Phone, site: Site, axe: str) -> None:
    host = sits_first(phone)
    guest = asks(phone, "Bo")
    expect(guest.get_by_role("heading", name="Waiting to be let in…")).to_be_visible()
    assert unreadable(guest, axe) == []
    expect(host.locator("#door")).to_contain_text("Bo asks to join (phone 1).")
    host.get_by_role("button", name="Let in").tap()
    guest.wait_for_selector("#picture")
    expect(host.locator("#toast")).to_have_text("Bo has joined.")
    expect(host.locator("#door")).to_be_hidden()
    assert site.table.seats.seating.taken == ("cat", "dog")


def test_who_is_let_in_at_once_sits_down(phone: Phone, site: Site) -> None:
    host = sits_first(phone)
    guest, asked = phone(**NOBODY), []
    guest.route("**/api/seats/ask", lambda route: asked.append((route, route.fetch())))
    guest.get_by_role("button", name="Join", exact=True).tap()
    host.get_by_role("button", name="Let in").tap()
    expect(host.locator("#door")).to_be_hidden()
    until(guest, lambda: bool(asked))
    route, answer = asked[0]
    route.fulfill(response=answer)
    guest.wait_for_selector("#picture")
    expect(guest.locator("#seat")).to_have_text("Dog")
    assert site.table.seats.seating.taken == ("cat", "dog")


def test_a_phone_that_asks_can_be_told_not_now_and_can_go_back_itself(phone: Phone, site: Site) -> None:
    host = sits_first(phone)
    guest = asks(phone, "Bo")
    host.get_by_role("button", name="Not now").tap()
    expect(guest.locator("#toast")).to_contain_text("Nobody let this phone in.")
    guest.get_by_role("button", name="Join", exact=True).tap()
    expect(host.locator("#door")).to_contain_text("Bo asks to join")
    guest.get_by_role("button", name="Don’t join").tap()
    expect(host.locator("#door")).to_be_hidden()
    expect(guest.locator("#places")).to_be_visible()
    assert site.table.seats.seating.taken == ("cat",)


def test_a_scanned_code_needs_no_asking(phone: Phone, site: Site) -> None:
    host = sits_first(phone)
    host.goto(site.url("/seats"))
    expect(host.locator("#seats .short-code")).to_have_count(1)
    expect(host.locator("#for-all")).to_be_hidden()
    rows = host.evaluate("() => fetch('/api/seats').then(answer => answer.json())")["seats"]
    guest = phone(f"/join#{rows[1]['link']}", **NOBODY)
    expect(guest.locator("#places")).to_be_hidden()
    guest.get_by_role("button", name="Join", exact=True).tap()
    guest.wait_for_selector("#picture")
    assert site.table.seats.seating.taken == ("cat", "dog")


def test_a_lost_seat_says_when_it_is_free(phone: Phone, site: Site) -> None:
    sits_first(phone)
    row = phone("/seats").locator("#seats li").first
    expect(row.locator(".state")).to_have_text(re.compile(r"^in use · free in \d+:\d\d if no phone answers$"))
    said = row.locator(".state").inner_text()
    expect(row.locator(".state")).not_to_have_text(said)  # it counts down


def test_who_watches_is_shown_the_table_from_then_on(phone: Phone, site: Site) -> None:
    page = phone("/join", **NOBODY)
    page.get_by_role("link", name="Just watch").tap()
    expect(page.locator("#picture")).to_be_visible()
    page.goto(site.url("/"))
    expect(page.locator("#picture")).to_be_visible()


@pytest.mark.parametrize("locale", rest_slow("zh-TW", "en-GB", "ko-KR"))
def test_joining_can_be_read_and_does_not_jump(phone: Phone, site: Site, axe: str, locale: str) -> None:
    site.table.play(OPENING[0], "phone")
    site.table.name_players({"cat": "Maximiliane Katharina von Hohenstein"}, "phone")
    page = phone("/rules/this-bed-is-mine", **NOBODY, locale=locale, reduced_motion="reduce")
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url("/"))
    assert jumps(page) == []
    assert unreadable_at_some_size(page, axe) == []


def test_the_phone_in_turn_looks_different_and_the_other_says_for_whom_it_plays(
    phone: Phone, site: Site, axe: str
) -> None:
    cat = sits_first(phone, "Mei")
    cat.wait_for_selector("#status[data-kind=you]")
    assert unreadable(cat, axe) == []
    dog = phone(**NOBODY, color_scheme="light")
    cat.goto(site.url("/seats"))
    code = cat.locator("#seats .short-code").text_content() or ""
    cat.goto(site.url("/"))
    dog.get_by_text("I have a code").tap()
    dog.get_by_label("Seat code").fill(code)
    dog.get_by_role("button", name="Join", exact=True).tap()
    dog.wait_for_selector("#status[data-kind=turn]")
    dog.get_by_role("button", name="Place Mei 3").tap()
    expect(dog.locator("#status")).to_have_text("Lay 3 for Mei: tap where it goes")
    dog.get_by_role("button", name="Place Mei 3").tap()
    cat.get_by_role("button", name="Place Mei 3").tap()
    expect(cat.locator("#status")).to_have_text("Mei 3: tap where it goes")
    cat.get_by_role("button", name="Place Mei 3").tap()
    assert unreadable(dog, axe) == []
    site.table.play(OPENING[0], "phone")
    dog.wait_for_selector("#status[data-kind=you]")
    cat.wait_for_selector("#status[data-kind=turn]")


def test_another_game_says_whom_one_plays_there_at_its_top(phone: Phone, site: Site) -> None:
    cat = sits_first(phone, "Mei")
    site.table.begin("cat-and-mouse", {})
    said = cat.locator("#toast.in-place[data-kind=you]")
    expect(said).to_have_text("You now play as Cat")
    assert cat.evaluate("() => scrollY") == 0
    cat.locator("h1").tap()
    expect(said).to_be_hidden()


def test_a_seat_that_the_computer_plays_says_so(phone: Phone, site: Site) -> None:
    page = phone()
    with computer_at(site):
        page.request.post(site.url("/api/opponent"), data={"seat": "dog", "level": "beginner"})
        expect(page.locator("#side-dog .state")).to_contain_text("computer")
        expect(page.locator("#side-cat .state")).not_to_contain_text("computer")


@pytest.mark.parametrize(
    ("slug", "button", "says"),
    [
        ("exploding-kittens", "#go", "Mei drew a card"),
        ("cat-and-mouse", "#go", "Tap Mei's dice"),
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
    page = phone("/rules/this-bed-is-mine")
    page.goto("about:blank")
    # Asked from outside: a page loads again as soon as it hears of its seat.
    assert page.request.post(site.url("/api/seats/take"), data={"seat": second}).ok
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
    expect(page.locator("#demo")).to_contain_text("Demo: the computer plays by itself")
    expect(page.locator(":is(.bar, #tray, #demo) button:visible")).to_have_text(["Start your own game"])
    page.set_viewport_size({"width": 320, "height": 568})
    assert unreadable(page, axe) == []
    page.get_by_role("button", name="Start your own game").tap()
    page.wait_for_url("**/new")
    expect(page.locator("#demo")).to_have_count(0)
    assert not site.demo.plays


def test_three_phones_join_the_third_by_keys_alone(phone: Phone, site: Site) -> None:
    site.table.begin("exploding-kittens", {}, 3)
    host = sits_first(phone, "Mei", "#hand")
    bo, ada = asks(phone, "Bo"), phone(**NOBODY)
    expect(host.locator("#door")).to_contain_text("Bo asks to join")
    host.get_by_role("button", name="Let in").tap()
    bo.wait_for_selector("#hand")
    # What Ada may still choose is drawn again with each phone that joins.
    expect(ada.locator(".place input:enabled")).to_have_count(1)
    ada.get_by_label("Your name").focus()
    ada.keyboard.type("Ada")
    ada.keyboard.press("Enter")
    expect(host.locator("#door")).to_contain_text("Ada asks to join")
    host.locator("#door-in").focus()
    host.keyboard.press("Enter")
    ada.wait_for_selector("#hand")
    expect(ada.locator("#players .name")).to_have_text(["Mei", "Bo", "Ada"])
    assert len(site.table.seats.seating.taken) == 3
