"""Scoring a finished board from photos, on a telephone: from the camera to the match that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, Position, expect

from companion.games.watching import Dice, Die, Observation
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.photos.drafts import PhotoDrafts
from hardware.vision.board.corners import BoardCorners
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import SHIFTS, axe, jumps, unreadable
from tests.conftest import BED
from tests.service.photographed import CORNERS, Finds, Reads, picture

__all__ = ["axe"]


@pytest.fixture
def reads() -> Reads:
    """The reader of photos: four tiles, of which the first may be another."""
    made = Reads("c6@5,3 d9@0,0 c8@11,0 d7@11,5")
    made.doubtful, made.others = (0,), ("c9+2@5,3 d9@0,0 c8@11,0 d7@11,5",)
    return made


@pytest.fixture
def finds() -> Finds:
    """The finder of corners."""
    return Finds()


@pytest.fixture
def site(journal: Journal, reads: Reads, finds: Finds, tmp_path: Path) -> Iterator[Site]:
    """A table without a camera, at which photos can be scored."""
    made = Site(Table(journal, Match.begin(journal, BED, {})), None)
    photos = PhotoDrafts(reads=reads, finds=finds, folder=tmp_path / "photos")
    made.photos = photos
    made.begin()
    yield made
    made.close()
    photos.stop()


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A photo in the telephone."""
    path = tmp_path / "photo.jpg"
    cv2.imwrite(str(path), picture())
    return str(path)


def take(page: Page, *files: str) -> None:
    """Take photos, one after the other."""
    for n, each in enumerate(files, 1):
        page.locator("#take").set_input_files(each)
        expect(page.locator("#photos img")).to_have_count(n)


def on_to(page: Page, step: str) -> None:
    """The main button under the thumb, and the step to which it leads."""
    page.locator("#next").tap()
    expect(page.locator(f"#step-{step}")).to_be_visible()


def test_from_the_photo_to_the_score_in_the_matches(
    phone: Phone, site: Site, file: str, reads: Reads
) -> None:
    page = phone("/new")
    page.locator("#menu summary").tap()
    page.get_by_role("link", name="Score a photo").tap()
    assert page.locator("#take").get_attribute("capture") == "environment"
    take(page, file)
    on_to(page, "corners")
    on_to(page, "board")
    assert reads.corners == [None], "nobody dragged a corner that was found"
    # One may be another, and a 1 of either side would still fit on this bed.
    sheet = page.locator("#sheet")
    expect(sheet.locator("h2")).to_have_text("Is this the cat's 6?")
    expect(sheet).to_contain_text("3 of 4 are sure")
    expect(page.locator("#board-how")).to_contain_text("3 tiles are unsure")
    page.locator("#next").tap(force=True)
    expect(page.locator("#toast")).to_contain_text("Look at the marked tiles first")
    page.get_by_role("group", name="It may also be").get_by_role("button", name="cat 9").tap()
    expect(sheet.locator("h2")).to_have_text("Was a tile overlooked?")
    sheet.get_by_role("button", name="No, that is all").tap()
    expect(page.locator("#board-how")).to_contain_text("Tap a tile that is not right")
    page.locator("#next").tap()
    page.wait_for_url("**/history/*")
    expect(page.locator(".kept-line:visible")).to_contain_text("scored from a photo")
    expect(page.locator("#bed .tile")).to_have_count(4)
    expect(page.get_by_role("link", name="BG Stats")).to_be_visible()
    for moves in ("#look-said", "#look-chart", "#look-back > input", "#look-before"):
        expect(page.locator(moves)).to_be_hidden()
    expect(page.locator("#review")).to_have_count(0)
    kept = site.table.journal.match(2)
    assert kept is not None
    lying = Match(site.table.journal, kept).view().board.tiles
    assert [(tile.owner, tile.digit) for tile in lying] == [("cat", 9), ("dog", 9), ("cat", 8), ("dog", 7)]


def test_who_only_watches_may_score_a_photo(phone: Phone, file: str) -> None:
    host = phone("/join")
    host.get_by_role("button", name="Join", exact=True).tap()
    expect(host.locator("#seat")).to_have_text("Cat")
    page = phone("/score")
    take(page, file)
    on_to(page, "corners")
    on_to(page, "board")


def test_another_bed_is_read_again(phone: Phone, file: str, reads: Reads) -> None:
    """Chosen after its photo, and on the board that was read."""
    reads.doubtful = ()
    page = phone("/score")
    take(page, file)
    page.locator("[data-option=board]").select_option('"b"')
    on_to(page, "corners")
    on_to(page, "board")
    expect(page.locator("#board .pillow")).not_to_have_count(0)
    page.locator("[data-option=board]").select_option('"a"')
    expect(page.locator("#step-board")).to_be_visible()
    expect(page.locator("#board .pillow")).to_have_count(0)


class TestCorners:
    @pytest.fixture
    def finds(self) -> Finds:
        """No corner is found: there is a guess to start from."""
        made = Finds()
        made.at = BoardCorners(CORNERS, "guess", certain=False)
        return made

    @pytest.fixture
    def page(self, phone: Phone, file: str) -> Page:
        """The corners of a photo."""
        page = phone("/score")
        take(page, file)
        on_to(page, "corners")
        return page

    def test_a_corner_is_dragged_under_a_magnifier(self, page: Page, reads: Reads) -> None:
        lens = page.locator(".lens")
        expect(lens).to_be_hidden()
        box = page.get_by_role("button", name="Top left corner").bounding_box()
        stage = page.locator("#stage").bounding_box()
        assert box
        assert stage
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x + 5, y + 5)
        page.mouse.down()
        page.mouse.move(x + 5 + 20, y + 5 + 10, steps=3)
        expect(lens).to_be_visible()
        page.mouse.up()
        expect(lens).to_be_hidden()
        on_to(page, "board")
        px = 800 / stage["width"]
        assert reads.corners[0][0] == pytest.approx((100 + 20 * px, 60 + 10 * px), abs=1.5)

    def test_arrow_keys_move_a_corner_by_a_pixel(self, page: Page, reads: Reads) -> None:
        page.get_by_role("button", name="Bottom right corner").focus()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Shift+ArrowUp")
        expect(page.locator(".lens")).to_be_visible()
        expect(page.get_by_role("button", name="Bottom right corner: 699 across, 850 down")).to_be_visible()
        on_to(page, "board")
        assert reads.corners[0][2] == (699.0, 850.0)

    def test_where_no_board_is_found_nothing_is_read_until_a_person_shows_it(
        self, page: Page, reads: Reads
    ) -> None:
        expect(page.locator("#corners-how")).to_contain_text("No board was found in this photo")
        page.locator("#next").tap(force=True)
        expect(page.locator("#toast")).to_contain_text("Drag the points to the board's corners first")
        assert reads.corners == []
        page.get_by_role("button", name="Top left corner").focus()
        page.keyboard.press("ArrowLeft")
        on_to(page, "board")
        assert reads.corners[0][0] == (CORNERS[0][0] - 1, CORNERS[0][1])

    def test_a_board_that_lies_upside_down_is_turned(self, page: Page, reads: Reads) -> None:
        for _ in range(2):
            page.locator("#turn").tap()
        on_to(page, "board")
        assert reads.corners == [(*CORNERS[2:], *CORNERS[:2])]


def tap_tile(page: Page, number: str) -> None:
    """Tap a tile on the photo, once all of them lie still."""
    page.locator(".bed").evaluate(
        "bed => Promise.allSettled(bed.getAnimations({subtree: true}).map((each) => each.finished))"
    )
    photo, tile = page.locator(".bed").bounding_box(), page.locator(".bed .tile .digit", has_text=number)
    at = tile.bounding_box()
    assert photo and at
    middle = {"x": at["x"] + at["width"] / 2 - photo["x"], "y": at["y"] + at["height"] / 2 - photo["y"]}
    page.locator(".bed").tap(position=Position(**middle))


def test_whose_the_tiles_are_takes_a_tap_on_the_photo_and_a_yes(
    phone: Phone, reads: Reads, file: str
) -> None:
    reads.doubtful, reads.coats = (), ((0, 2), (1, 3))
    page = phone("/score")
    take(page, file)
    on_to(page, "corners")
    on_to(page, "board")
    sheet, cats = page.locator("#sheet"), page.locator(".bed .tile.cat .digit")
    expect(sheet.locator("h2")).to_have_text("Tap a tile of the cat's.")
    tap_tile(page, "9")
    expect(cats).to_have_text(["9", "7"])
    expect(sheet.locator("h2")).to_contain_text("Tap any that are not")
    tap_tile(page, "6")
    expect(cats).to_have_text(["6", "9", "7"])
    sheet.get_by_role("button", name="That's right").tap()
    expect(sheet.locator("h2")).to_have_text("Was a tile overlooked?")
    expect(page.locator(".final .cat .total")).not_to_have_text("–")


def test_nobody_is_asked_what_the_score_does_not_hang_on(phone: Phone, reads: Reads, file: str) -> None:
    """The dog's tiles count less than the cat's, a 6 or a 9; its number is not shown then."""
    reads.lying, reads.others = "d6@5,3 c9@0,0 c8@11,0 c7@11,5", ("d9+2@5,3 c9@0,0 c8@11,0 c7@11,5",)
    page = phone("/score")
    take(page, file)
    on_to(page, "corners")
    on_to(page, "board")
    expect(page.locator("#sheet h2")).to_have_text("Was a tile overlooked?")
    expect(page.locator(".bed .tile.dog .digit")).to_be_hidden()


def test_a_tile_is_turned_moved_given_to_the_other_side_taken_off_and_laid(phone: Phone, file: str) -> None:
    page = phone("/score")
    take(page, file)
    on_to(page, "corners")
    on_to(page, "board")
    page.locator("#sheet").get_by_role("button", name="That's right").tap()
    page.locator("#sheet").get_by_role("button", name="No, that is all").tap()
    page.locator("#board summary").tap()
    tray = page.get_by_role("group", name="All tiles")
    tray.get_by_role("button", name="the dog's, on the bed").filter(has_text="7").tap()
    sheet = page.locator("#sheet")
    lies = page.locator(".bed .tile.dog").last.locator("g").first
    for button in ("Turn", "Right"):
        before = lies.get_attribute("transform") or ""
        sheet.get_by_role("button", name=button, exact=True).tap()
        expect(lies).not_to_have_attribute("transform", before)
    sheet.get_by_role("button", name="The other side's").tap()
    expect(sheet.locator("h2")).to_have_text("cat 7")
    sheet.get_by_role("button", name="Take off").tap()
    expect(sheet).to_be_hidden()
    expect(page.locator(".bed .tile")).to_have_count(3)
    tray.get_by_role("button", name="the cat's, not on the bed").filter(has_text="1").tap()
    expect(page.locator(".bed .tile")).to_have_count(4)
    expect(sheet.locator("h2")).to_have_text("Is this the cat's 1?")


def test_what_a_file_is_refused_for_is_said_and_nothing_stays(phone: Phone, tmp_path: Path) -> None:
    text = tmp_path / "letter.jpg"
    text.write_text("Dear board")
    page = phone("/score")
    page.locator("#choose").set_input_files(str(text))
    expect(page.locator("#toast")).to_contain_text("not a picture")
    expect(page.locator("#photos img")).to_have_count(0)
    page.locator("#next").tap(force=True)
    expect(page.locator("#toast")).to_contain_text("Take or choose a photo first")


def test_a_page_that_the_camera_ended_goes_on_with_its_photos(phone: Phone, file: str) -> None:
    page = phone("/score")
    take(page, file)
    page.reload()
    expect(page.locator("#photos img")).to_have_count(1)
    page.get_by_role("button", name="Remove this photo").tap()
    expect(page.locator("#photos img")).to_have_count(0)


class Dices(PhotoDrafts):
    """Sees a three and a five in every photo."""

    def throw(self, dice: Dice, photo: bytes, source: str = "") -> Observation:
        return Observation(dice=(Die(3, confidence=0.99), Die(5, confidence=0.99)))


def test_where_no_camera_sees_the_dice_a_photo_of_them_is_a_throw(
    phone: Phone, site: Site, file: str, axe: str
) -> None:
    site.stop()
    site.table.begin("cat-and-mouse", {})
    site.photos = Dices()
    site.begin()
    page = phone("/")
    page.get_by_label("Photo of the throw").set_input_files(file)
    expect(page.locator("#notation .moves")).to_have_text("3-5")
    assert unreadable(page, axe) == []
    page.set_viewport_size({"width": 320, "height": 568})
    assert unreadable(page, axe) == []


@pytest.mark.parametrize(
    ("language", "size"),
    rest_slow(("ko", (320, 568)), ("en-GB", (320, 568)), ("zh-TW", (390, 844)), ("en-GB", (1280, 800))),
    ids=str,
)
def test_every_step_reads_well_at_every_size(
    phone: Phone, reads: Reads, file: str, axe: str, language: str, size: tuple[int, int]
) -> None:
    reads.coats = ((1, 3), (0, 2))
    page = phone("/score", viewport={"width": size[0], "height": size[1]}, locale=language)
    page.add_init_script(f"({SHIFTS})()")
    page.reload()
    take(page, file)
    check(page, axe)
    on_to(page, "corners")
    check(page, axe)
    on_to(page, "board")
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    check(page, axe)
    page.locator(".bed .tile .digit", has_text="8").tap(force=True)
    expect(page.locator(".bed .tile.cat")).to_have_count(2)
    check(page, axe)
    score, bed = page.locator(".final").bounding_box(), page.locator(".bed").bounding_box()
    assert score
    assert bed
    assert score["y"] + score["height"] <= bed["y"], "the score stands above the bed"
    sheet.locator("button.main").tap()
    expect(sheet.locator(".crop")).to_be_visible()
    check(page, axe)


def check(page: Page, axe: str) -> None:
    """All of it can be read and pressed, and nothing has jumped."""
    assert unreadable(page, axe) == []
    assert jumps(page) == []


def test_a_card_gets_its_picture_from_the_phones_camera(phone: Phone, file: str) -> None:
    page = phone("/own/hide-and-seek/cards")
    page.get_by_label("Its name").fill("Ours")
    page.locator(".entries button").first.tap()
    picture = page.get_by_label("Take a picture of it")
    expect(picture).to_have_attribute("capture", "environment")
    picture.set_input_files(file)
    expect(page.locator("#entry img")).to_have_js_property("naturalWidth", 240)
    page.get_by_role("button", name="Done").tap()
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator("#toast")).to_contain_text("Saved.")
    expect(page.locator(".entries img")).to_have_js_property("naturalWidth", 240)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a file: Ours").tap()
    page.get_by_label("Choose a file").set_input_files(saved.value.path())
    expect(page.locator(".kept li")).to_have_count(2)
    expect(page.locator(".entries img")).to_have_js_property("naturalWidth", 240)
