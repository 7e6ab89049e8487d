"""The guided accuracy test on the virtual table: it lays what is asked, and what is read is counted."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import pytest

from companion.errors import TableError
from companion.games.watching import Observation, Tile
from companion.service.accuracy import (
    DOUBTS,
    MOST_AT_ONCE,
    MOST_KEPT,
    PLACEMENTS,
    THROWS,
    AccuracyTest,
    AccuracyTests,
    Count,
    Report,
    as_csv,
    placements,
)
from companion.simulator.demo import VirtualDemo, VirtualPhone
from companion.simulator.sources import virtual_camera
from hardware.vision.board.scene import Scene
from tests.conftest import BED
from tests.service.stepped import Evening

SCENE: Scene = virtual_camera("virtual").table.scene
OWNERS = ("cat", "dog")


class Evenings(Evening):
    """A virtual table whose tiles are known, with a test on it."""

    def __init__(self) -> None:
        super().__init__(BED)
        self.camera.table.sit_down(VirtualPhone(self.table))
        self.until(lambda: sum(map(len, self.loop.state().taught.values())) == 18, 60)
        self.demo = VirtualDemo(self.camera.table)
        self.loop.begin_accuracy()

    def go_on(self) -> None:
        """Do what is asked, let time go by, and say of each throw that it was read right."""
        now = self.loop.accuracy.progress()
        self.demo.follow(now.task)
        self.step()
        if now.phase == "check":
            self.loop.accuracy.answer(right=True)


def test_before_the_tiles_are_known_there_is_nothing_to_test() -> None:
    evening = Evening(BED)
    with pytest.raises(TableError, match="all tiles") as refused:
        evening.loop.begin_accuracy()
    assert refused.value.says("zh-Hant") == "請先到相機頁面，讓相機看過空的版圖和所有板塊。"


@pytest.mark.slow
def test_twenty_tiles_and_ten_throws_are_counted_and_the_match_stays_as_it_was() -> None:
    at = Evenings()
    before = at.table.match.n
    for _ in range(4000):
        at.go_on()
        if at.loop.accuracy.progress().phase == "done":
            break
    (report,) = at.loop.accuracy.reports()
    assert sum(report.lay.all) == PLACEMENTS
    assert sum(report.throw.all) == THROWS
    assert (report.lay.wrong, report.throw.wrong) == (0, 0)
    assert report.lay.exact >= PLACEMENTS - 2
    assert report.light > 0
    assert at.table.match.n == before


def test_the_first_tiles_are_laid_and_counted_by_themselves() -> None:
    at = Evenings()
    at.until(lambda: (at.go_on(), at.loop.accuracy.progress().number)[1] >= 2, 60)
    now = at.loop.accuracy.progress()
    assert now.report is not None
    assert now.report.lay == Count(exact=2)
    assert not at.loop.state().unsure, "what the game read before the test is not said any more"
    at.loop.accuracy.end()
    assert at.loop.accuracy.progress().phase == "idle"
    assert at.loop.accuracy.reports() == (), "a test that was not finished is not kept"


def test_what_is_asked_fits_on_the_board_and_never_lies_there_already() -> None:
    cleared = 0
    laid = 0
    for each in placements(SCENE, OWNERS, seed=3):
        if each.tile is None:
            cleared += 1
            continue
        laid += 1
        assert len(each.lying) < MOST_AT_ONCE
        under = {cell for tile in each.lying for cell in tile.cells}
        assert under.isdisjoint(each.tile.cells)
        assert SCENE.cells_of(each.tile) == each.tile.cells
        assert (each.tile.owner, each.tile.kind) not in {(tile.owner, tile.kind) for tile in each.lying}
    assert laid == PLACEMENTS
    assert cleared == 2, "before the first, and when ten lie there"


class TestJudging:
    """What a reading counts as; the reader itself is tested with the vision."""

    @pytest.fixture
    def at(self, monkeypatch: pytest.MonkeyPatch) -> AccuracyTest:
        """A test at its first tile."""

        class Reader:
            homography = None
            believed: tuple[Tile, ...] | None = None

            @classmethod
            def restore(cls, *given: object) -> Reader:
                return cls()

            def believe(self, tiles: tuple[Tile, ...]) -> None:
                self.believed = tiles

        monkeypatch.setattr("companion.service.accuracy.TileReader", Reader)
        began = "2026-01-01T20:00:00+00:00"
        test = AccuracyTest(SCENE, OWNERS, b"", seed=1, began=began, source="usb:0")
        self.sees(test)  # the board is clear
        return test

    @staticmethod
    def sees(at: AccuracyTest, *tiles: Tile, unsure: bool = False, why: str = "") -> str:
        """The same reading twice, as a steady one; the phase then."""
        assert at._task is not None
        for _ in range(2 + DOUBTS):
            if at.progress().phase == "read":
                at._judge(Observation(unsure, why, tiles), at._task)
        return at.progress().phase

    def asked(self, at: AccuracyTest) -> Tile:
        """The tile to lay."""
        task = at.progress().task
        assert task is not None
        assert task.tile is not None
        return task.tile

    def test_a_tile_that_is_read_as_it_was_asked_is_exact(self, at: AccuracyTest) -> None:
        assert self.sees(at) == "read", "nothing was laid yet"
        assert self.sees(at, unsure=True, why="hand") == "read", "a hand is waited out"
        laid = self.asked(at)
        self.sees(at, laid)
        assert at.report.lay == Count(exact=1)
        assert at.progress().outcome is None
        assert at.reader.believed == (laid,), "the reader goes on from what lies there"

    def test_another_one_is_wrong_if_the_person_has_laid_what_was_asked(self, at: AccuracyTest) -> None:
        tile = self.asked(at)
        other = Tile(tile.owner, 1 if tile.kind != 1 else 2, 0, 0, 0)
        assert self.sees(at, other) == "check"
        assert at.progress().outcome == "wrong"
        at.answer(right=False)
        assert at.report.lay == Count(), "it was laid otherwise: it is laid once more"
        assert self.sees(at, other) == "check"
        at.answer(right=True)
        assert at.report.lay == Count(wrong=1)

    def test_a_reading_that_is_not_sure_would_be_asked_about(self, at: AccuracyTest) -> None:
        assert self.sees(at, self.asked(at), unsure=True, why="not-told-apart") == "check"
        at.answer(right=True)
        assert at.report.lay == Count(asked=1)


def test_the_newest_figures_are_kept_and_written_as_a_table(tmp_path: Path) -> None:
    file = AccuracyTests(tmp_path / "accuracy.json", Lock())
    for number in range(MOST_KEPT + 1):
        file.keep(
            Report(f"2026-01-01T20:00:{number:02}+00:00", "usb:0", 120, Count(19, 1, 0), Count(10, 0, 0))
        )
    again = AccuracyTests(tmp_path / "accuracy.json", Lock()).reports()
    assert len(again) == MOST_KEPT
    head, first, *_ = as_csv(again).splitlines()
    assert head.startswith("began,camera,light,tiles_exact")
    assert first == f"2026-01-01T20:00:{MOST_KEPT}+00:00,usb:0,120,19,1,0,10,0,0"
