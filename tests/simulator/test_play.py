"""The virtual table plays by itself, with faults switched on and off."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.games import registry
from companion.games.watching import Tile
from companion.simulator.acting import Pace, acted, lessons, thrown
from companion.simulator.draw import Light, Table, painter
from companion.simulator.faults import Fault, Faults
from companion.simulator.people import Memory, _worth
from companion.simulator.sources import virtual_camera
from companion.simulator.table import FPS, SLOW_S, VirtualCamera, VirtualTable
from companion.simulator.table_scene import TableScene, tiles_of
from hardware.camera.frame import CameraError, CameraGone, Frame
from hardware.light import Exposure, levels_of
from tests.camera.conftest import Clock
from tests.simulator.test_draw import markers_in

QUICK = "still=1&reach=1&empty=1&teach=1&end=2"
BED = registry.game("this-bed-is-mine")


def lay(owner: str, digit: int, turns: int, row: int, col: int) -> dict[str, Any]:
    """A tile laid."""
    return {"move": "lay", "owner": owner, "digit": digit, "turns": turns, "row": row, "col": col}


GAME = [lay("cat", 4, 1, 6, 3), lay("dog", 8, 0, 0, 0), lay("cat", 9, 2, 11, 9)]


@pytest.fixture
def camera(clock: Clock) -> VirtualCamera:
    """A virtual table that plays quickly."""
    return virtual_camera(f"virtual?{QUICK}", clock=clock, sleep=clock.sleep)


def tables(moves: Iterable[dict[str, Any]], board: TableScene) -> list[Table]:
    """What is on the table after each move of This Bed Is Mine."""
    state, after = BED.start(BED.options({}), 2), []
    for move in moves:
        state = BED.play(state, BED.move(move))
        after.append(Table(tiles_of(BED, state, board)))
    return after


def role(frame: Frame | None) -> str:
    """The role that a frame's note gives it."""
    assert frame is not None
    assert frame.note is not None
    return frame.note.role


def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the drawing out where only what is played counts."""
    blank = np.zeros((4, 4, 3), np.uint8)
    monkeypatch.setattr("companion.simulator.draw.Painter.paint", lambda *_: blank)


def until_empty_again(camera: VirtualCamera) -> list[Table]:
    """What was on the table in each picture of the first whole game, without those that teach."""
    seen: list[Table] = []
    while role(frame := camera.read_frame()) != "empty" or not any(table.tiles for table in seen):
        if role(frame) != "teach":
            seen.append(camera.table.now)
    return seen


def test_it_begins_with_the_empty_bed_then_shows_the_tiles_then_plays(
    camera: VirtualCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pictures(monkeypatch)
    roles = [role(camera.read_frame()) for _ in range(12)]
    assert [(name, len(list(group))) for name, group in groupby(roles)] == [
        ("empty", 1),
        ("teach", 4),
        ("watch", 7),
    ]


def test_each_lesson_tells_the_tiles_that_lie_there_and_all_are_shown_once(
    camera: VirtualCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pictures(monkeypatch)
    camera.read_frame()
    shown = []
    for _ in range(4):
        frame = camera.read_frame()
        assert frame is not None and frame.note is not None
        assert frame.note.tiles == camera.table.now.tiles
        squares = [square for tile in frame.note.tiles for square in tile.cells]
        assert len(set(squares)) == len(squares)
        shown += [(tile.owner, tile.kind) for tile in frame.note.tiles]
    assert sorted(shown) == [(owner, digit) for owner in ("cat", "dog") for digit in range(1, 10)]


def test_lessons_keep_off_pillows_and_apart(dream_bed: TableScene) -> None:
    for line in lessons(dream_bed):
        for tile in line.tiles:
            assert not any(dream_bed.blocked_mask[square] for square in tile.cells)
            near = {
                (r + down, c + across) for r, c in tile.cells for down in (-1, 0, 1) for across in (-1, 0, 1)
            }
            assert not any(near & set(other.cells) for other in line.tiles if other is not tile)


def test_a_bed_too_small_for_a_tile_has_no_lesson_of_it() -> None:
    assert list(lessons(TableScene(rows=2, cols=2, tile_shapes={1: ("#",) * 5}, owners=("red",)))) == []


@pytest.mark.parametrize("board", ["a", "b"])
def test_by_itself_it_plays_a_whole_legal_game(
    board: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pictures(monkeypatch)
    camera = virtual_camera(f"virtual?board={board}&{QUICK}", clock=clock, sleep=clock.sleep)
    last = until_empty_again(camera)[-1]
    state = BED.start(BED.options({"board": board}), 2)
    for tile in last.tiles:
        state = BED.play(state, BED.move(lay(tile.owner, tile.kind, tile.turns, tile.row, tile.col)))
    assert BED.outcome(state) is not None
    assert len(last.tiles) >= 10


def test_between_two_still_pictures_a_hand_lays_one_tile(
    camera: VirtualCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pictures(monkeypatch)
    seen = [table for table in until_empty_again(camera) if not table.markers]
    for before, after in pairwise(seen):
        if len(after.tiles) > len(before.tiles):
            assert before.hand is not None
            assert before.hand.holds == after.tiles[-1]
            assert after.hand is not None
            assert after.hand.holds is None
            assert after.hand.owner == after.tiles[-1].owner


def test_at_the_end_paw_markers_lie_in_the_regions_and_the_next_game_begins(
    camera: VirtualCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pictures(monkeypatch)
    seen = until_empty_again(camera)
    end = [table for table in seen if table.markers]
    assert len(end) == 2
    covered = {square for tile in end[-1].tiles for square in tile.cells}
    assert not covered & {(marker.row, marker.col) for marker in end[-1].markers}
    assert camera.table.now == Table()
    second = until_empty_again(camera)[-1]
    assert second.tiles != end[-1].tiles


def test_the_same_seed_plays_the_same_and_another_another(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pictures(monkeypatch)

    def played(seed: int) -> Table:
        camera = virtual_camera(f"virtual?seed={seed}&{QUICK}", clock=clock, sleep=clock.sleep)
        return until_empty_again(camera)[-1]

    assert played(3) == played(3)
    assert played(3) != played(4)


def test_the_same_seed_gives_the_same_pictures(clock: Clock) -> None:
    first, second = (virtual_camera(f"virtual?{QUICK}", clock=clock, sleep=clock.sleep) for _ in range(2))
    for _ in range(8):
        one, other = first.read_frame(), second.read_frame()
        assert one is not None and other is not None
        assert np.array_equal(one.picture, other.picture)


def test_pictures_come_at_their_pace_and_faster_with_speed(clock: Clock) -> None:
    for speed in (1, 4):
        camera = virtual_camera(f"virtual?speed={speed}", clock=clock, sleep=clock.sleep)
        at = [frame.at_s for _ in range(4) if (frame := camera.read_frame())]
        assert np.diff(at) == pytest.approx([1 / (FPS * speed)] * 3)


def test_a_tile_taken_back_leaves_in_a_hand(bed: TableScene) -> None:
    [before], after = tables(GAME[:1], bed), Table()
    way = list(acted(before, after, bed, Pace(reach=3)))
    holding = [table.hand.holds for table in way if table.hand]
    assert holding == [None] * 3 + [before.tiles[0]] * 3
    assert all(not table.tiles for table in way[3:])


def test_dice_are_thrown_by_a_hand_and_stay(bed: TableScene) -> None:
    way = acted(Table(), Table(dice=thrown([3, 5], bed)), bed, Pace(reach=4))
    shown = [(len(table.dice), table.hand is not None) for table in way]
    assert shown == [(0, True)] * 2 + [(2, True)] * 2


def test_dice_may_tell_their_colours(bed: TableScene) -> None:
    dice = thrown([{"value": 2, "colour": "grey"}, {"value": 3, "colour": "blue"}], bed)
    assert [(die.value, die.colour) for die in dice] == [(2, "grey"), (3, "blue")]


def test_anything_may_be_put_on_the_table(camera: VirtualCamera, bed: TableScene) -> None:
    camera.read_frame()
    table = Table(dice=thrown([6, 6], bed))
    camera.table.show(table)
    assert role(camera.read_frame()) == "watch"
    assert camera.table.now == table
    camera.table.show(None)
    assert role(camera.read_frame()) == "teach"


def test_a_table_without_players_stays_empty(bed: TableScene) -> None:
    table = VirtualTable(msgspec.to_builtins(bed, str_keys=True))
    assert table.scene == bed
    for _ in range(3):
        assert table.take_picture()[1].table == Table()


def test_unplugged_it_gives_nothing_and_afterwards_goes_on_where_it_was(camera: VirtualCamera) -> None:
    camera.open()
    camera.read_frame()
    camera.faults.add("unplugged")
    with pytest.raises(CameraGone, match="unplugged"):
        camera.read_frame()
    again = camera.replacement()
    with pytest.raises(CameraGone):
        again.open()
    camera.faults.discard("unplugged")
    again.open()
    assert role(again.read_frame()) == "teach", "the empty bed is not shown again"
    again.close()


def test_frozen_it_gives_the_same_picture_and_nothing_is_missed(camera: VirtualCamera) -> None:
    first = camera.read_frame()
    camera.faults.add("frozen")
    second = camera.read_frame()
    assert first is not None and second is not None
    assert np.array_equal(first.picture, second.picture)
    assert role(second) == "watch", "the note belongs to another picture"
    camera.faults.clear()
    assert role(camera.read_frame()) == "teach"


@pytest.mark.parametrize(
    ("fault", "light"), [("black", Exposure.BLACK), ("overexposed", Exposure.OVEREXPOSED)]
)
def test_too_little_and_too_much_light(camera: VirtualCamera, fault: str, light: Exposure) -> None:
    camera.faults.add(fault)
    for _ in range(3):
        frame = camera.read_frame()
        assert frame is not None
        assert levels_of(frame.picture).exposure is light
        assert role(frame) == "watch"
    camera.faults.clear()
    frame = camera.read_frame()
    assert frame is not None
    assert levels_of(frame.picture).exposure is Exposure.FINE
    assert role(frame) == "empty", "what was hidden is shown again"


def test_a_hand_that_stays_lies_over_the_bed_and_the_players_wait(camera: VirtualCamera) -> None:
    before = camera.read_frame()
    camera.faults.add("hand-stays")
    during = [camera.read_frame() for _ in range(2)]
    assert before is not None and during[1] is not None
    x, y = camera.table.view.project(np.array([(5.4, 8.5, 1.0)]))[0].astype(int)
    middle = (slice(y - 20, y + 20), slice(x - 20, x + 20))
    assert np.abs(before.picture[middle].astype(int) - during[1].picture[middle]).mean() > 20
    camera.faults.clear()
    assert role(camera.read_frame()) == "teach"


def test_blurred_no_marker_is_found(camera: VirtualCamera) -> None:
    camera.faults.add("blurred")
    frame = camera.read_frame()
    assert frame is not None
    assert markers_in(frame.picture) == {}


def test_a_covered_marker_leaves_three(camera: VirtualCamera) -> None:
    camera.faults.add("marker-covered")
    frame = camera.read_frame()
    assert frame is not None
    assert sorted(markers_in(frame.picture)) == [1, 2, 3]


def test_bumped_it_looks_elsewhere_and_stays_there(camera: VirtualCamera) -> None:
    before = camera.read_frame()
    camera.faults.add("bumped")
    after, later = camera.read_frame(), camera.read_frame()
    assert before is not None and after is not None and later is not None
    corners = [markers_in(frame.picture) for frame in (before, after, later)]
    assert sorted(corners[1]) == [0, 1, 2, 3]
    assert np.abs(corners[1][0] - corners[0][0]).max() > 15
    assert np.abs(corners[2][0] - corners[1][0]).max() < 2


def test_slow_there_is_a_picture_now_and_then(camera: VirtualCamera) -> None:
    camera.faults.add("slow")
    at = [frame.at_s for _ in range(3) if (frame := camera.read_frame())]
    assert np.diff(at) == pytest.approx([SLOW_S] * 2)


def test_faults_may_be_told_with_the_source() -> None:
    camera = virtual_camera("virtual:slow,bumped?board=b")
    assert list(camera.faults) == [Fault.BUMPED, Fault.SLOW]
    assert "slow" in camera.faults
    assert len(camera.faults) == 2


def test_a_fault_that_is_none_is_named() -> None:
    faults = Faults()
    for change in (faults.add, faults.discard):
        with pytest.raises(CameraError, match="There is no fault 'rain'"):
            change("rain")


def test_the_light_drifts_but_slowly(camera: VirtualCamera) -> None:
    light = []
    for number in range(0, 400, 20):
        camera.table._taken = number
        light.append(camera.table._light())
    gains = [each.gain for each in light]
    assert 0.01 < max(gains) - 1 < 0.05
    assert max(abs(a - b) for a, b in pairwise(gains)) < 0.01


def test_what_was_drawn_before_does_not_show(bed: TableScene) -> None:
    """A painter keeps what it drew: a tile taken off must not stay, whatever the order."""
    first, _, last = tables(GAME, bed)
    end = [first, last, first]
    one = painter(bed, virtual_camera("virtual").table.view)
    after_all = [one.paint(table, Light()) for table in end]
    assert np.array_equal(after_all[0], after_all[-1])
    assert not np.array_equal(after_all[0], after_all[1])


def test_a_game_goes_on_where_it_was_left(clock: Clock) -> None:
    camera = virtual_camera(f"virtual?{QUICK}", clock=clock, sleep=clock.sleep)
    memory = Memory(BED, BED.options({}), 2)
    for move in GAME[:2]:
        memory.did(BED.move(move))
    camera.table.sit_down(memory)
    camera.open()
    watched = []
    while len(watched) < 12:
        frame = camera.read_frame()
        assert frame is not None
        if frame.note is not None and frame.note.role == "watch":
            watched.append(camera.table.now)
    assert [(tile.owner, tile.kind) for tile in watched[0].tiles] == [("cat", 4), ("dog", 8)]
    assert all(len(table.tiles) >= 2 for table in watched)
    assert watched[-1].tiles[2].owner == "cat"


def test_once_the_people_have_left_the_table_shows_what_others_tap(clock: Clock) -> None:
    camera = virtual_camera(f"virtual?{QUICK}", clock=clock, sleep=clock.sleep)
    memory = Memory(BED, BED.options({}), 2)
    camera.table.sit_down(memory)
    camera.open()
    assert camera.table.plays
    camera.table.leave()
    for _ in range(12):
        camera.read_frame()
    assert not camera.table.plays
    assert camera.table.now.tiles == ()
    memory.did(BED.move(GAME[0]))
    for _ in range(12):
        camera.read_frame()
    assert [(tile.owner, tile.kind) for tile in camera.table.now.tiles] == [("cat", 4)]


def test_a_placement_is_worth_as_much_as_its_mirror_image() -> None:
    taken = np.zeros((7, 9), dtype=bool)
    taken[:, 0] = taken[:, -1] = taken[0] = taken[-1] = True
    taken[3, 4] = True
    snug = Tile("cat", "bar", 0, 1, 1, cells=((1, 1), (1, 2)))
    mirrored = Tile("cat", "bar", 0, 1, 4, cells=((1, 4), (1, 5)))
    assert _worth(snug, taken) == _worth(mirrored, taken)
