"""A throw is read once the dice have come to rest, once, and not again until they have moved."""

from collections.abc import Collection, Iterable

import numpy as np
import pytest

from companion.games.watching import Die, Observation
from hardware.vision.dice import DiceReader
from hardware.vision.dice.table_view import TableView
from hardware.vision.dice.throw_detector import ThrowDetector
from lab.dice.drawing import draw_picture


def die(value: int, x: int, y: int) -> Die:
    """A white die of 30 px."""
    return Die(value, "white", (x, y, 30, 30), 0.99)


def table(*dice: Die) -> Observation:
    """What lies on the table."""
    return Observation(dice=dice, unsure=False)


class Scripted:
    """Reads off what it was told: the picture's first px says which of the tables it shows."""

    def __init__(self, *tables: Observation) -> None:
        self.tables, self.looks = tables, 0
        self.view: TableView | None = None
        self.count: int | None = None

    def read_dice(
        self,
        picture: np.ndarray,
        box: object = None,
        *,
        faces: Collection[int] = (),
        view: TableView | None = None,
        count: int | None = None,
    ) -> Observation:
        self.looks += 1
        self.view, self.count = view, count
        return self.tables[int(picture[0, 0, 0])]


def shot(number: int) -> np.ndarray:
    """A picture that shows table `number`: a light square stands somewhere else in each."""
    picture = np.zeros((120, 160, 3), np.uint8)
    picture[20:50, 10 + 30 * number : 40 + 30 * number] = 200
    picture[0, 0] = number
    return picture


def throws(watch: ThrowDetector, numbers: Iterable[int]) -> list[tuple[int, ...]]:
    """The values of the throws told while these tables are seen, five pictures a second."""
    reported = (watch.detect_throw(shot(number), 0.2 * n) for n, number in enumerate(numbers))
    return [reading.values for reading in reported if reading is not None]


ONE, TWO = table(die(3, 10, 10), die(5, 80, 10)), table(die(3, 60, 70), die(5, 20, 60))


def test_dice_at_rest_are_told_once() -> None:
    assert throws(ThrowDetector(Scripted(ONE)), [0] * 20) == [(3, 5)]


def test_the_reader_learns_how_the_picture_shows_the_table() -> None:
    reader = Scripted(ONE)
    watch = ThrowDetector(reader)
    for n in range(8):
        watch.detect_throw(shot(0), 0.2 * n, TableView(turns=3))
    assert reader.view == TableView(turns=3)


def test_just_as_many_dice_are_looked_for_as_the_game_throws() -> None:
    reader = Scripted(ONE)
    throws(ThrowDetector(reader, count=2), [0] * 8)
    assert reader.count == 2


def test_dice_that_still_move_are_not_read() -> None:
    reported = Scripted(ONE, TWO)
    assert throws(ThrowDetector(reported), [0, 1] * 10) == []
    assert reported.looks == 0


def test_the_same_values_thrown_again_elsewhere_are_another_throw() -> None:
    assert throws(ThrowDetector(Scripted(ONE, TWO)), [0] * 8 + [1] * 8) == [(3, 5), (3, 5)]


def test_a_hand_that_passes_over_dice_left_lying_is_no_throw() -> None:
    hand = Observation(dice=(), unsure=True, why="dice")
    assert throws(ThrowDetector(Scripted(ONE, hand)), [0] * 8 + [1, 0] * 3 + [0] * 8) == [(3, 5)]


def test_dice_picked_up_and_put_down_on_the_same_spot_are_another_throw() -> None:
    assert throws(ThrowDetector(Scripted(ONE, table())), [0] * 8 + [1] * 8 + [0] * 8) == [(3, 5), (3, 5)]


def test_one_die_nudged_is_no_throw() -> None:
    nudged = table(die(3, 10, 10), die(5, 100, 30))
    assert throws(ThrowDetector(Scripted(ONE, nudged)), [0] * 8 + [1] * 8) == [(3, 5)]


def test_readings_that_differ_at_rest_are_unsure() -> None:
    class Wavering(Scripted):
        def read_dice(self, picture: np.ndarray, box: object = None, **_: object) -> Observation:
            self.looks += 1
            return table(die(1 + self.looks % 2, 10, 10))

    watch = ThrowDetector(Wavering())
    reported = [r for n in range(20) if (r := watch.detect_throw(shot(0), 0.2 * n))]
    assert [r.unsure for r in reported] == [True]


@pytest.mark.parametrize("count", [1, 3], ids=["one wanted", "three wanted"])
def test_another_number_of_dice_than_the_game_throws_is_unsure(count: int) -> None:
    watch = ThrowDetector(Scripted(ONE), count=count)
    reported = [r for n in range(10) if (r := watch.detect_throw(shot(0), 0.2 * n))]
    assert [(r.unsure, r.why) for r in reported] == [(True, "dice")]


def test_a_throw_asked_about_is_told_again_when_a_die_is_set_right() -> None:
    askew = Observation(dice=(die(3, 10, 10),), unsure=True, why="dice")
    assert throws(ThrowDetector(Scripted(askew, ONE)), [0] * 8 + [1] * 8) == [(3,), (3, 5)]


def test_a_lamp_that_brightens_everything_is_no_throw() -> None:
    reported = Scripted(ONE)
    watch = ThrowDetector(reported)
    readings = []
    for n in range(20):
        picture = shot(0)
        picture[1:] = np.minimum(picture[1:].astype(int) + 3 * n, 255)
        readings.append(watch.detect_throw(picture, 0.2 * n))
    assert sum(r is not None for r in readings) == 1


def test_drawn_dice_under_a_grainy_camera_are_told_once(reader: DiceReader) -> None:
    drawn = draw_picture(20, count=2, edge_px=(30, 40), tilt_deg=(5, 30))
    rng = np.random.default_rng(0)
    watch = ThrowDetector(reader, count=2)
    reported = []
    for n in range(12):
        grainy = np.clip(drawn.image + rng.normal(0, 4, drawn.image.shape), 0, 255).astype(np.uint8)
        reported.append(watch.detect_throw(grainy, 0.2 * n))
    assert [r.values for r in reported if r] == [tuple(sorted(d.value for d in drawn.dice))]


def test_dice_that_all_lie_elsewhere_by_as_much_were_not_thrown() -> None:
    """The camera was bumped: nobody throws the same values to the same places side by side."""
    bumped = table(*(die(each.value, each.box[0] + 14, each.box[1] - 9) for each in ONE.dice or ()))
    assert throws(ThrowDetector(Scripted(ONE, bumped)), [0] * 10 + [1] * 10) == [(3, 5)]
    assert throws(ThrowDetector(Scripted(ONE, TWO)), [0] * 10 + [1] * 10) == [(3, 5), (3, 5)]


def test_after_a_bump_that_was_noticed_a_die_of_the_same_value_was_not_thrown() -> None:
    watch = ThrowDetector(Scripted(table(die(3, 10, 10)), table(die(3, 70, 50)), table(die(4, 20, 60))))
    assert throws(watch, [0] * 10) == [(3,)]
    watch.camera_moved()
    assert throws(watch, [1] * 10) == []
    watch.camera_moved()
    assert throws(watch, [2] * 10) == [(4,)], "another value was thrown meanwhile"
    assert throws(watch, [0] * 10) == [(3,)], "a bump is forgotten after the next reading"
