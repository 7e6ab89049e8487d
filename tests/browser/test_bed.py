"""This Bed Is Mine on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from companion.games.watching import Alternative, Observation, Tile
from companion.play.table import Table
from companion.service.camera_status import CameraState
from tests.browser.bed import laid, lay_it, left, now, play_on, sees, tap
from tests.browser.conftest import Phone, Site, until
from tests.browser.states import golden, play, settled
from tests.conftest import BED, OPENING, lay

FIRST_ZONE = "The cat's first tile must lie completely inside the marked zone."

KEPT = "#picture .tile, .side, #tray"
"""What an update must not draw again."""

PLACES = """() => ["bed", "side-cat", "tray", "undo"]
  .map(id => JSON.stringify(document.getElementById(id).getBoundingClientRect()))"""


@pytest.fixture
def table(site: Site) -> Table:
    """The table that is served."""
    return site.table


class TestByHand:
    """Any tile is set, moved, turned or taken off in two taps."""

    def test_a_tile_is_laid_in_two_taps_and_every_phone_sees_it(self, phone: Phone, table: Table) -> None:
        mine, other = phone(), phone()
        expect(mine.locator("#status")).to_have_text("cat to play: one of 1 2 3 4, inside the frame")
        left(mine, 1).tap()
        tap(mine, 7.5, 4.5)
        lay_it(mine)
        for page in (mine, other):
            expect(laid(page, "cat", 1)).to_be_visible()
            expect(page.locator("#status")).to_have_text("dog to play")
            expect(page.locator("#side-dog")).to_have_class(re.compile("to-play"))
        assert [(t.row, t.col) for t in table.snapshot.view().match.board.tiles] == [(5, 4)]

    def test_a_pointer_sees_where_the_tile_would_lie(self, phone: Phone, table: Table) -> None:
        page = phone(has_touch=False, is_mobile=False)
        left(page, 1).click()
        x, y = page.evaluate("() => {const b = document.getElementById('picture').getBoundingClientRect();"
                             " return [b.x + b.width / 2, b.y + b.height / 2]}")  # fmt: skip
        page.mouse.move(x, y)
        page.mouse.down()
        expect(page.locator(".ghost-shape")).to_have_class(re.compile(r"\bfree"))
        assert table.match.n == 0
        page.mouse.up()
        lay_it(page)
        expect(laid(page, "cat", 1)).to_be_visible()

    def test_a_tile_is_a_ghost_until_it_is_laid(self, phone: Phone, table: Table) -> None:
        page = phone()
        left(page, 1).tap()
        tap(page, 7.5, 4.5)
        ghost = page.locator(".ghost-shape")
        expect(ghost).to_have_class(re.compile(r"\bfree"))
        drawn = [ghost.get_attribute("d")]
        for change in (
            lambda: tap(page, 8.5, 5.5),
            lambda: page.get_by_role("button", name="Turn").tap(),
            lambda: tap(page, 7.5, 5.5),
        ):
            change()
            expect(ghost).not_to_have_attribute("d", drawn[-1] or "")
            drawn.append(ghost.get_attribute("d"))
        assert table.match.n == 0
        with page.expect_response(lambda answered: answered.request.method == "POST"):
            tap(page, 7.5, 5.5)
        expect(laid(page, "cat", 1)).to_be_visible()
        assert table.snapshot.view().match.board.tiles[0].turns == 1

    def test_a_misread_number_is_put_right_in_place(self, phone: Phone, table: Table) -> None:
        for move in OPENING:
            table.play(move, "camera")
        page = phone()
        tap(page, 7.5, 3.5)
        page.get_by_role("button", name="Other number").tap()
        page.locator("#sheet .numbers button", has_text="3").tap()
        expect(laid(page, "cat", 3)).to_be_visible()
        expect(laid(page, "cat", 1)).to_have_count(0)
        tiles = table.snapshot.view().match.board.tiles
        assert [(tile.owner, tile.digit) for tile in tiles] == [
            ("cat", 3), ("dog", 1), ("cat", 2), ("dog", 7)
        ]  # fmt: skip

    def test_a_tile_can_be_turned_before_it_is_laid(self, phone: Phone, table: Table) -> None:
        page = phone()
        left(page, 1).tap()
        page.get_by_role("button", name="Turn").tap()
        tap(page, 7.5, 6)
        lay_it(page)
        expect(laid(page, "cat", 1)).to_be_visible()
        assert table.snapshot.view().match.board.tiles[0].turns == 1

    def test_a_forbidden_place_is_refused_before_the_tap(self, phone: Phone, table: Table) -> None:
        page = phone()
        button = page.locator("#lay")
        expect(button).to_have_text("Pick a tile")
        left(page, 2).tap()
        tap(page, 2, 1.5)
        expect(page.locator("#status")).to_have_text(FIRST_ZONE)
        expect(page.locator(".clash")).to_have_attribute("d", re.compile("^M"))
        expect(button).to_have_text("Not here")
        expect(button).to_have_attribute("aria-disabled", "true")
        button.tap(force=True)
        tap(page, 7.5, 5.5)
        expect(button).to_have_text("Lay it")
        expect(page.locator(".clash")).to_have_attribute("d", "")
        left(page, 2).tap()
        expect(button).to_have_text("Pick a tile")
        assert table.match.n == 0

    def test_the_last_row_is_in_sight_under_a_ghost(self, phone: Phone, table: Table) -> None:
        page = phone()
        left(page, 1).tap()
        tap(page, 14.5, 6.5)
        expect(page.locator("#lay")).to_have_text("Not here")
        ghost, tray = page.locator(".ghost-shape").bounding_box(), page.locator("#tray").bounding_box()
        assert ghost
        assert tray
        assert ghost["y"] + ghost["height"] <= tray["y"]

    def test_a_pass_shows_where_a_tile_fits_and_then_stands(self, phone: Phone, table: Table) -> None:
        page = phone()
        page.locator("#pass").tap()
        expect(page.locator("#sheet")).to_contain_text("A tile still fits: the 1, as drawn on the bed.")
        expect(page.locator(".ghost-shape")).to_have_class(re.compile(r"\bfree"))
        page.get_by_role("button", name="Pass all the same").tap()
        expect(page.locator("#status")).to_have_text("dog to play; cat is skipped and stays out")
        assert table.snapshot.view().match.board.skipped.cat

    def test_a_laid_tile_is_moved_in_two_taps(self, phone: Phone, table: Table) -> None:
        for move in OPENING[:2]:
            table.play(move, "camera")
        page = phone()
        tap(page, 2.5, 0.5)
        tap(page, 13.5, 10.5)
        lay_it(page)
        expect(laid(page, "dog", 1)).to_be_visible()
        page.wait_for_function("() => !document.getElementById('bed').classList.contains('placing')")
        assert (
            table.snapshot.view().match.board.tiles[1].row,
            table.snapshot.view().match.board.tiles[1].col,
        ) == (11, 10)

    def test_a_laid_tile_is_turned_in_two_taps(self, phone: Phone, table: Table) -> None:
        table.play(OPENING[0], "camera")
        page = phone()
        tap(page, 7.5, 3.5)
        page.get_by_role("button", name="Turn").tap()
        expect(page.locator("#undo")).not_to_have_attribute("aria-disabled", "true")
        expect(laid(page, "cat", 1).locator("> g").first).to_have_attribute(
            "transform", re.compile("0 1 -1 0")
        )
        assert table.snapshot.view().match.board.tiles[0].turns == 1

    def test_a_laid_tile_is_taken_off_in_two_taps(self, phone: Phone, table: Table) -> None:
        table.play(OPENING[0], "camera")
        page = phone()
        tap(page, 7.5, 3.5)
        page.get_by_role("button", name="Take off").tap()
        expect(laid(page, "cat", 1)).to_have_count(0)
        expect(page.locator("#lay")).to_have_text("Pick a tile")

    def test_a_tile_in_hand_is_put_down_by_a_tap_on_itself(self, phone: Phone, table: Table) -> None:
        table.play(OPENING[0], "camera")
        page = phone()
        tap(page, 7.5, 3.5)
        expect(page.locator("#lay")).to_have_text("Take off")
        tap(page, 7.5, 3.5)
        expect(page.locator("#lay")).to_have_text("Pick a tile")
        assert table.match.n == 1

    def test_undo_is_under_the_thumb_and_held_down_it_opens_the_moves_with_redo(
        self, phone: Phone, table: Table
    ) -> None:
        table.play(OPENING[0], "camera")
        page = phone()
        box = page.locator("#undo").bounding_box()
        assert box
        assert box["y"] > 844 * 0.8
        page.locator("#undo").tap()
        expect(laid(page, "cat", 1)).to_have_count(0)
        page.locator("#undo").tap(force=True)
        expect(page.locator("#toast")).to_have_text(re.compile("nothing to undo"))
        held = page.wait_for_function("() => document.documentElement.dataset.later !== undefined")
        assert held
        page.locator("#undo").dispatch_event("contextmenu")
        page.locator("#redo").tap()
        expect(laid(page, "cat", 1)).to_be_visible()

    def test_it_can_all_be_done_by_keyboard(self, phone: Phone, table: Table) -> None:
        page = phone(has_touch=False, is_mobile=False)
        left(page, 1).focus()
        page.keyboard.press("Enter")
        page.locator("#bed").focus()
        page.keyboard.press("ArrowUp")
        expect(page.locator(".ghost-shape")).to_have_class(re.compile(r"\bfree"))
        page.keyboard.press("r")
        page.keyboard.press("Enter")
        expect(laid(page, "cat", 1)).to_be_visible()
        assert table.snapshot.view().match.board.tiles[0].turns == 1
        page.locator("#side-cat").press("Enter")
        page.get_by_role("button", name="cat 1", exact=True).press("Enter")
        page.get_by_role("button", name="Take off").press("Enter")
        expect(laid(page, "cat", 1)).to_have_count(0)

    def test_what_another_phone_does_puts_the_tile_out_of_hand(self, phone: Phone, table: Table) -> None:
        page = phone()
        left(page, 1).tap()
        expect(page.locator("#lay")).to_have_text("Tap the bed")
        table.play(OPENING[0], "camera")
        expect(page.locator("#lay")).to_have_text("Pick a tile")

    def test_points_are_silent_until_the_board_says_something(self, phone: Phone, table: Table) -> None:
        page = phone()
        silent = set()
        while not table.snapshot.view().match.outcome:
            board = table.snapshot.view().match.board
            owned = [region.size for region in board.regions if region.owner]
            expect(page.locator("#picture .tile")).to_have_count(len(board.tiles))
            tells = bool(owned) and max(owned) * 3 <= board.rows * board.cols
            for owner in ("cat", "dog"):
                points = getattr(board.points, owner).total
                expect(page.locator(f"#side-{owner} .total")).to_have_text(str(points) if tells else "")
            silent.add(tells)
            play_on(table, 1)
        assert silent == {True, False}
        expect(page.locator("#side-cat .total")).not_to_be_empty()


class TestWhatIsShown:
    """Numbers with their why, and a picture that never flickers."""

    @pytest.fixture
    def options(self) -> dict[str, object]:
        return {"board": "b"}

    @pytest.fixture(autouse=True)
    def some_moves(self, table: Table) -> None:
        play_on(table, 7)

    def test_a_tap_on_a_region_shows_its_sums_tile_by_tile(self, phone: Phone, table: Table) -> None:
        region = max(table.snapshot.view().match.board.regions, key=lambda each: each.points)
        page = phone()
        row, col = region.marker
        tap(page, row + 0.5, col + 0.5)
        sheet = page.locator("#sheet")
        expect(sheet).to_contain_text(f"Region of {region.size} squares")
        expect(sheet).to_contain_text(f"{region.points} points")
        for owner, total in (("cat", region.sums.cat), ("dog", region.sums.dog)):
            line = sheet.locator(f".sum.{owner}")
            digits = [tile.digit for tile in region.tiles if tile.owner == owner]
            assert sum(digits) == total
            expect(line.locator(".equals")).to_have_text(f"= {total}")
            expect(line.locator(".one")).to_have_text([str(digit) for digit in digits])
        expect(page.locator(".choice")).to_have_count(1)

    def test_a_tap_on_a_number_shows_its_why(self, phone: Phone, table: Table) -> None:
        points = table.snapshot.view().match.board.points.cat
        page = phone()
        page.locator("#side-cat").tap()
        expect(page.locator("#sheet .list")).to_be_visible()
        rows = page.locator("#sheet .list .end").all_inner_texts()
        assert sum(int(row) for row in rows if row) == points.regions
        page.locator("#sheet .list button").first.tap()
        expect(page.locator("#sheet .sums")).to_be_visible()

    def test_each_region_is_tinted_by_who_would_own_it(self, phone: Phone, table: Table) -> None:
        page = phone()
        for owner in ("cat", "dog"):
            owned = [each for each in table.snapshot.view().match.board.regions if each.owner == owner]
            expect(page.locator(f"#picture .own.{owner}")).to_have_count(len(owned))
            expect(page.locator(f"#picture .labels .head.{owner}")).to_have_count(len(owned))

    def test_an_update_changes_the_picture_in_place(self, phone: Phone, table: Table) -> None:
        page = phone()
        page.evaluate("all => document.querySelectorAll(all).forEach(node => node.kept = true)", KEPT)
        tiles = page.locator("#picture .tile").count()
        play_on(table, 1)
        expect(page.locator("#picture .tile")).to_have_count(tiles + 1)
        kept = page.evaluate("all => [...document.querySelectorAll(all)].filter(n => n.kept).length", KEPT)
        assert kept == tiles + 3

    def test_nothing_jumps_while_a_game_is_played(self, phone: Phone, table: Table) -> None:
        page = phone()
        before = page.evaluate(PLACES)
        play_on(table, 1)
        expect(page.locator("#picture .tile")).to_have_count(8)
        table.see(Observation(unsure=True, why="hand"))
        expect(page.locator("#status")).to_have_text("A hand is over the bed")
        assert page.evaluate(PLACES) == before

    def test_pillows_toys_and_frame_are_drawn(self, phone: Phone) -> None:
        page = phone()
        expect(page.locator("#picture .pillow")).to_have_count(3)
        expect(page.locator("#picture .toy")).to_have_count(24)
        expect(page.locator("#picture .frame")).to_have_count(1)

    def test_tiles_left_are_counted_on_both_sides(self, phone: Phone, table: Table) -> None:
        page = phone()
        for owner in ("cat", "dog"):
            there = len(getattr(table.snapshot.view().match.board.left, owner))
            expect(page.locator(f"#side-{owner} .state")).to_have_text(f"{there} tiles left")
        shown = page.locator("#tray").get_attribute("aria-label")
        page.get_by_role("button", name="Show the other side's tiles").tap()
        expect(page.locator("#tray")).not_to_have_attribute("aria-label", shown or "")

    def test_a_players_sheet_holds_their_regions_and_tiles(self, phone: Phone, table: Table) -> None:
        page = phone()
        page.locator("#side-dog").tap()
        board = table.snapshot.view().match.board
        own = [each for each in (*board.regions, *board.tiles) if each.owner == "dog"]
        rows = page.locator("#sheet .list button:not(:has-text('Read the whole bed'))")
        expect(rows).to_have_count(len(own))
        page.keyboard.press("Escape")
        expect(page.locator("#sheet")).to_be_hidden()
        expect(page.locator("#side-dog")).to_be_focused()

    def test_who_is_skipped_is_said(self, phone: Phone, table: Table) -> None:
        page = phone()
        while not any(
            (table.snapshot.view().match.board.skipped.cat, table.snapshot.view().match.board.skipped.dog)
        ):
            play_on(table, 1)
        board = table.snapshot.view().match.board
        if not board.over:
            out = "cat" if board.skipped.cat else "dog"
            expect(page.locator(f"#side-{out} .state")).to_have_text("skipped")
            expect(page.locator("#status")).to_contain_text("is skipped and stays out")

    def test_names_of_people_take_the_sides_place(self, phone: Phone, table: Table) -> None:
        page = phone()
        table.name_players({"cat": "Mei-Ling with a very long name indeed", "dog": "Bo"}, "phone")
        expect(page.locator("#side-dog .name")).to_have_text("Bo")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390
        table.name_players({"cat": "Mei-Ling"}, "phone")
        expect(page.locator("#side-cat .name")).to_have_text("Mei-Ling")
        whole = "name => name.scrollWidth <= name.clientWidth"
        assert page.locator("#side-cat .name").evaluate(whole), "it is their turn, and the name stays whole"


class TestTheCameraAsks:
    """One tap answers; nothing is played before."""

    CLOSE = (Tile("cat", 1, 0, 5, 3), Tile("cat", 1, 0, 5, 4), Tile("cat", 1, 0, 5, 5))

    def doubt(self, table: Table) -> None:
        """The camera is not sure which of three it is."""
        boards = tuple(
            Alternative((tile,), sure) for tile, sure in zip(self.CLOSE, (0.6, 0.3, 0.1), strict=True)
        )
        table.see(Observation(unsure=True, why="not-told-apart", tiles=boards[0].tiles, alternatives=boards))

    def test_a_question_is_answered_with_one_tap(self, phone: Phone, table: Table) -> None:
        page = phone()
        self.doubt(table)
        sheet = page.locator("#sheet")
        expect(sheet).to_contain_text("These look alike")
        answers = sheet.locator(".answers button")
        expect(answers).to_have_count(3)
        expect(answers.first).to_contain_text("60 %")
        expect(answers.first.locator(".tile.told")).to_have_count(1)
        answers.nth(1).tap()
        expect(laid(page, "cat", 1)).to_be_visible()
        expect(sheet).to_be_hidden()
        assert table.snapshot.view().match.board.tiles[0].col == 4

    def test_every_answer_says_what_it_means(self, phone: Phone, table: Table) -> None:
        page = phone()
        play_on(table, 5)
        expect(page.locator("#picture .tile")).to_have_count(5)
        table.see(Observation(tiles=()))
        answers = page.locator("#sheet .answers button")
        expect(answers.first).to_contain_text("taken off, 3 more")
        expect(answers.last).to_contain_text("all as before")

    def test_a_question_answered_elsewhere_goes_away(self, phone: Phone, table: Table) -> None:
        page = phone()
        self.doubt(table)
        expect(page.locator("#sheet .answers")).to_be_visible()
        table.answer(1, 0, "phone")
        expect(page.locator("#sheet")).to_be_hidden()

    def test_a_question_can_be_put_aside_and_taken_up_again(self, phone: Phone, table: Table) -> None:
        page = phone()
        self.doubt(table)
        page.get_by_role("button", name="place it by hand").tap()
        expect(page.locator("#sheet")).to_be_hidden()
        page.get_by_role("button", name="The camera has a question").tap()
        expect(page.locator("#sheet .answers")).to_be_visible()

    def test_a_broken_rule_is_said_in_big_until_it_is_put_right(self, phone: Phone, table: Table) -> None:
        page = phone()
        sees(table, Tile("cat", 1, 0, 0, 0))
        sentence = page.locator("#sheet .said-large")
        expect(sentence).to_have_text(FIRST_ZONE)
        assert float(sentence.evaluate("node => getComputedStyle(node).fontSize").removesuffix("px")) >= 20
        sees(table)
        expect(page.locator("#sheet")).to_be_hidden()

    def test_what_is_seen_surely_is_played_by_itself(self, phone: Phone, table: Table) -> None:
        page = phone()
        sees(table, Tile("cat", 1, 0, 5, 3))
        expect(laid(page, "cat", 1)).to_be_visible()
        assert len(now(table)) == 1

    def test_the_cameras_status_is_said_at_once(self, phone: Phone, site: Site) -> None:
        page = phone()
        expect(page.locator("#camera")).to_have_attribute("data-kind", "ok")
        for kind in ("unplugged", "frozen", "black", "overexposed", "starting", "ended"):
            site.camera.status = CameraState(kind)  # type: ignore[union-attr, arg-type]
            site.table.notify()
            expect(page.locator("#camera")).to_have_attribute("data-kind", kind)


class TestTheEnd:
    """The final score, and all there is to lay out, step by step."""

    @pytest.fixture
    def options(self) -> dict[str, object]:
        return {"board": "b"}

    def test_the_end_is_laid_out_step_by_step(self, phone: Phone, table: Table) -> None:
        page = phone()
        play_on(table)
        board = table.snapshot.view().match.board
        for owner in ("cat", "dog"):
            score = page.locator(f"#ended .end-score b[data-kind={owner}]")
            expect(score).to_have_text(str(getattr(board.points, owner).total))
        expect(page.locator("#ended > img")).to_be_visible()
        page.locator("#ended .end-more").tap()
        title, rows = page.locator("#sheet h2"), page.locator("#sheet .steps li")
        for n, step in enumerate(board.layout):
            expect(title).to_have_text(f"Lay out: {n} of {len(board.layout)} done")
            row = rows.nth(n)
            expect(row.locator("[data-open]")).to_be_in_viewport()
            if type(step).__name__ == "LayMarker":
                expect(page.locator(".spot.shown")).to_be_in_viewport()
                expect(page.locator(".choice")).to_have_count(1)
            if type(step).__name__ == "HandOutChips":
                coins = row.locator(".coin").all_inner_texts()
                assert sum(map(int, coins)) + step.short == step.points
            row.locator("label").tap()
        expect(title).to_have_text(f"Lay out: {len(board.layout)} of {len(board.layout)} done")
        page.reload()
        page.locator("#ended .end-more").tap()
        expect(title).to_have_text(f"Lay out: {len(board.layout)} of {len(board.layout)} done")
        rows.first.locator("label").tap()
        expect(rows.first.locator("[data-open]")).to_be_in_viewport()
        expect(page.locator("#ended")).to_be_hidden()
        page.locator("#sheet header button").tap()
        expect(page.locator("#ended h2")).to_be_visible()

    def test_an_undo_takes_the_end_back(self, phone: Phone, table: Table) -> None:
        play_on(table)
        page = phone()
        expect(page.locator("#ended h2")).to_be_visible()
        page.locator("#undo").tap()
        expect(page.locator("#ended")).to_be_hidden()
        expect(page.locator("#tray button")).to_have_count(10)


class TestOtherBeds:
    """Any size, any shape of tiles."""

    @pytest.fixture(params=["square-14", "square-20", "square-64"])
    def options(self, request: pytest.FixtureRequest) -> dict[str, object]:
        return {"board": request.param, "tiles": "squares"}

    def test_the_whole_bed_is_in_sight_and_can_be_played_on(self, phone: Phone, table: Table) -> None:
        page = phone()
        zone = table.snapshot.view().match.board.zone
        left(page, 1).tap()
        tap(page, zone[0][0] + 0.5, zone[0][1] + 0.5)
        lay_it(page)
        expect(laid(page, "cat", 1)).to_be_visible()
        assert table.snapshot.view().match.board.tiles[0].cells == (zone[0],)
        box = page.locator("#picture").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_without_a_camera_everything_works(phone: Phone, site: Site) -> None:
    site.stop()
    site.camera = None
    site.begin()
    page = phone()
    expect(page.locator("#camera")).to_have_text("No camera")
    left(page, 1).tap()
    tap(page, 7.5, 4.5)
    lay_it(page)
    expect(laid(page, "cat", 1)).to_be_visible()


def test_a_tap_on_what_is_out_of_date_says_so(phone: Phone, table: Table) -> None:
    page = phone()
    page.route("**/api/events*", lambda route: route.abort())
    page.reload()
    expect(page.locator("#tray button")).to_have_count(10)
    table.play(OPENING[0], "camera")
    left(page, 2).tap()
    tap(page, 7.5, 5.5)
    lay_it(page)
    expect(page.locator("#toast")).to_have_text(re.compile("has changed meanwhile"))
    table.play(lay("dog", 1, 0, 0), "camera")
    assert len(now(table)) == 2


def test_a_refusal_stands_where_the_sentence_is_until_the_next_state(phone: Phone, table: Table) -> None:
    page = phone()
    page.locator("#undo").dispatch_event("click")
    refused = page.locator("#toast[data-kind=refusal].shown")
    expect(refused).to_contain_text("There is nothing to undo")
    sentence, said = page.locator("#status").bounding_box(), refused.bounding_box()
    assert sentence
    assert said
    assert (said["x"], said["y"], said["width"]) == (sentence["x"], sentence["y"], sentence["width"])
    expect(page.locator("#status")).to_be_visible()
    page.evaluate("() => { performance.now = () => 1e9; }")  # it has been read by then
    table.play(OPENING[0], "camera")
    expect(refused).to_be_hidden()


def test_an_end_taken_back_while_it_is_drawn_leaves_the_page_where_it_is(phone: Phone, table: Table) -> None:
    head, moves = golden(BED)
    table.begin(BED, head["options"], head["seats"])
    rest = iter(moves)
    while not table.snapshot.view().match.outcome:
        move = next(rest)
        play(table, [move])
    table.undo("phone")
    page = phone(viewport={"width": 390, "height": 480})
    settled(page, table)
    asked: list[Route] = []
    page.route("**/ending*", lambda route: asked.append(route))
    play(table, [move])
    until(page, lambda: bool(asked))
    table.undo("phone")
    expect(page.locator("#lay")).to_be_visible()
    page.evaluate("() => scrollTo(0, 100)")
    with page.expect_response("**/ending*"):
        asked[0].continue_()
    frames = "async () => { for (let n = 0; n < 20; n++) await new Promise(requestAnimationFrame); }"
    page.evaluate(frames)
    assert page.evaluate("() => scrollY") == 100
    expect(page.locator("#ended")).to_be_hidden()
