"""One short match of every game, from the page of a new game to its end by taps alone; another by keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games.registry import game
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.browser.bed import left, tap
from tests.browser.conftest import Phone, Site
from tests.browser.states import last_moves
from tests.conftest import BED

NARROW_BED = 'side = "A"\nbed = ["++++", "++++", "++++", "++++", "++++"]\n'
"""Five rows of four squares: after the cat's 1 and the dog's 7 nothing fits any more."""

CHASE = (
    "c@2,3 1 m1>0,2 crockery 3 c>0,2 1 m2>1,0 crockery 3 c>1,0"
    " 4 m4>1,3 crockery 3 c>1,3 2 m3>1,6 crockery 3 c>1,6"
)
"""Chop! Chop! in 21 moves: each mouse walks where the cat's next throw catches it."""

ANIMALS = ("Tantan", "Kashida", "Tofu", "Liangjin", "Bean", "Plum")
"""Three for each of two players."""


class Tapping:
    """A phone whose every tap that plays a move is followed until the page shows that move."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page, self.site, self.table = page, site, site.table

    def begin(self, slug: str, **options: str) -> None:
        """Begin a match on the page of a new game, with these choices of its form."""
        self.page.goto(self.site.url("/new"))
        self.page.locator(f".game:has([value={slug}])").tap()
        form = self.page.locator(f"form[data-game={slug}]")
        for name, label in options.items():
            choice = form.locator(f"[data-option={name}]")
            if not choice.is_visible():
                form.get_by_text("House rules").tap()
            choice.select_option(label=label)
        form.get_by_role("button", name="Start").tap()
        expect(self.page.locator(f"html[data-drawn][data-game={slug}]")).to_be_visible()
        assert (self.table.match.game.slug, self.table.match.moves) == (slug, ())

    def play(self, what: Locator) -> None:
        """Tap what plays a move, and wait until the page shows it."""
        with self.page.expect_response(lambda answered: answered.request.method == "POST"):
            what.tap()
        self.shows_it()

    def shows_it(self) -> None:
        """Wait until the page shows the newest moves."""
        expect(self.page.locator("#notation .moves li")).to_have_text(last_moves(self.page, self.table))

    def ends(self, said: str) -> None:
        """See that the match is over, and a rematch one tap away."""
        expect(self.page.locator("#ended h2")).to_contain_text(said)
        expect(self.page.locator("#rematch")).to_be_visible()
        assert self.table.snapshot.view().match.outcome


@pytest.fixture
def site(journal: Journal) -> Iterator[Site]:
    """A table at which nothing was played yet, without a camera."""
    made = Site(Table(journal, Match.begin(journal, BED, {})), None)
    made.begin()
    yield made
    made.close()


@pytest.fixture
def taps(phone: Phone, site: Site) -> Tapping:
    """A phone at that table."""
    return Tapping(phone("/watch"), site)


def test_a_race_of_cat_and_mouse(taps: Tapping) -> None:
    taps.begin("cat-and-mouse", past="from the square before, too")
    faces = taps.page.locator("#faces button")

    def throw(first: int, second: int) -> None:
        faces.nth(first - 1).tap()
        expect(faces.nth(first - 1)).to_have_attribute("aria-pressed", "true")
        if taps.table.match.game.turn(taps.table.match.state) is None:
            taps.play(faces.nth(5 + second))
            return
        faces.nth(5 + second).tap()
        taps.play(taps.page.locator("#go"))

    throw(6, 5)
    throw(1, 2)
    doubles = iter(range(1, 7))
    while not taps.table.match.game.outcome(taps.table.match.state):
        cat = taps.table.match.game.turn(taps.table.match.state) == "cat"
        double = next(doubles) if cat else 0
        throw(*((double, double) if cat else (1, 2)))
    taps.ends("wins")


def test_a_chase_of_chop_chop(taps: Tapping) -> None:
    taps.begin("chop-chop")
    rules = game("chop-chop")
    for written in CHASE.split():
        move = rules.parse(written)
        match type(move).__name__:
            case "ThrowDie":
                taps.play(taps.page.get_by_role("button", name=f"Threw {written}", exact=True))
            case "TurnSlab":
                taps.play(taps.page.locator("#choices button", has_text=written))
            case _:
                spot = taps.page.locator(f"#spots [data-key='{'ABCDEFG'[move.col]}{move.row + 1}']")  # type: ignore[attr-defined]
                if getattr(move, "piece", "cat") != "cat":
                    taps.page.locator("#choices button", has_text=move.piece[-1]).tap()  # type: ignore[attr-defined]
                spot.tap()
                taps.play(taps.page.locator("#go"))
    taps.ends("The cat wins!")


def test_a_kitten_that_explodes(taps: Tapping) -> None:
    taps.begin("exploding-kittens")
    taps.play(taps.page.locator("#other", has_text="Kitten!"))
    expect(taps.page.locator(".bubble")).to_contain_text("You drew an Exploding Kitten!")
    taps.play(taps.page.locator("#other", has_text="Explode"))
    taps.ends("Player 2")


def test_a_round_of_hide_and_seek(taps: Tapping) -> None:
    taps.begin("hide-and-seek")
    page = taps.page
    for name in ANIMALS:
        taps.play(page.locator("#deal-animals button", has_text=name))
    animal = page.locator("#players .animal")
    taps.play(animal.filter(has_text="Tantan"))
    page.locator("#tray-cards button", has_text="catch/hide").tap()
    page.locator("#tray-cards [title='grey catch/hide']").tap()
    taps.play(animal.filter(has_text="Tantan"))
    taps.play(page.locator("#go-on"))
    taps.play(animal.filter(has_text="Liangjin"))
    taps.play(page.locator("#go-on"))
    taps.play(page.get_by_role("button", name="End the match now"))
    taps.ends("wins")


def test_a_narrow_bed_of_ones_own(taps: Tapping, tmp_path: Path) -> None:
    bed = tmp_path / "Narrow.toml"
    bed.write_text(NARROW_BED, "utf-8")
    page = taps.page
    page.goto(taps.site.url(f"/own/{BED}/board"))
    page.get_by_label("Choose a file").set_input_files(bed)
    expect(page.locator("#toast")).to_contain_text("Saved.")
    taps.begin(BED, board="Narrow")
    for digit, col in ((1, 0.5), (7, 2.5)):
        left(page, digit).tap()
        tap(page, 2.5, col)
        taps.play(page.get_by_role("button", name="Lay it"))
    taps.ends("wins")


def test_a_new_game_is_chosen_begun_played_and_undone_by_keys_alone(taps: Tapping) -> None:
    page = taps.page
    page.goto(taps.site.url("/new"))
    page.locator("input[name=game]:checked").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("form[data-game=cat-and-mouse]")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("A")
    page.keyboard.type("Mei")
    page.keyboard.press("Enter")
    expect(page.locator("html[data-drawn][data-game=cat-and-mouse]")).to_be_visible()
    assert list(taps.table.snapshot.view().match.players.values()) == ["Mei"]
    page.locator("#faces button").first.focus()
    page.keyboard.press("Enter")
    page.locator("#faces > :last-child button").first.focus()
    with page.expect_response(lambda answered: answered.request.method == "POST"):
        page.keyboard.press("Enter")
    taps.shows_it()
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#notation .moves li")).to_have_count(0)
