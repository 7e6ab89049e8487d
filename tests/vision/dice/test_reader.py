"""Dice read from pictures that the project draws, so that the figures cannot rot, and from real photos."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.watching import Observation
from hardware.vision.dice import DiceReader
from hardware.vision.dice.classifier import COLOURS
from hardware.vision.dice.photo import turned
from hardware.vision.dice.table_view import TableView
from lab.dice.drawing import DrawnPicture, draw_picture

PHOTOS = Path(__file__).parents[4] / "shared" / "photos" / "dice"
EASY = {"edge_px": (26.0, 60.0), "tilt_deg": (0.0, 40.0), "odd_dice": 0.0}
"""Dice as a camera over a table sees them, none cocked or hidden."""


def drawn(seed: int, count: int) -> DrawnPicture:
    """A drawn throw of so many dice."""
    return draw_picture(seed, count=count, **EASY)  # type: ignore[arg-type]


def values(picture: DrawnPicture) -> tuple[int, ...]:
    """The values that lie there."""
    return tuple(sorted(die.value for die in picture.dice))


def tallied(reader: DiceReader, seeds: range, most: int) -> "Tally":
    """The figures over the throws of one to `most` dice drawn from these seeds that anybody could read."""
    tally = Tally()
    for seed in seeds:
        picture = drawn(seed, 1 + seed % most)
        if all(die.sure for die in picture.dice):
            tally.add(values(picture), reader.read_dice(picture.image))
    return tally


class Tally:
    """Counts of photos and dice: read right, asked about, silently wrong, made up."""

    def __init__(self) -> None:
        self.n: Counter[str] = Counter()

    def add(self, true: Iterable[int], reading: Observation) -> None:
        """Counts one photo."""
        want, got = Counter(true), Counter(reading.values)
        right = (want & got).total()
        exact = want == got
        self.n.update(
            photos=1,
            dice=want.total(),
            right=right,
            made_up=got.total() - right,
            exact=exact and not reading.unsure,
            wrong=not exact and not reading.unsure,
        )

    def share(self, what: str, of: str = "photos") -> float:
        """A count as a share of another."""
        return self.n[what] / self.n[of]


@pytest.mark.slow
def test_drawn_throws_of_one_or_two_dice_are_read(reader: DiceReader) -> None:
    tally = tallied(reader, range(100, 140), most=2)
    assert tally.n["photos"] > 30
    assert tally.share("exact") >= 0.72
    assert tally.share("right", "dice") >= 0.96
    assert tally.share("wrong") <= 0.06


def test_each_die_is_told_where_it_lies(reader: DiceReader) -> None:
    picture = drawn(101, 3)
    for die in reader.read_dice(picture.image).dice:
        x, y, width, height = die.box
        middle = np.array([x + width / 2, y + height / 2])
        nearest = min(picture.dice, key=lambda d: float(np.hypot(*(middle - d.centre_px))))
        assert np.hypot(*(middle - nearest.centre_px)) < nearest.edge_px * 0.2
        assert die.value == nearest.value
        assert die.colour in COLOURS
        assert 0 < die.confidence <= 1


@pytest.mark.parametrize("seed", [60014, 60064, 60124, 60133])
def test_rubbers_of_pencils_beads_and_buttons_are_no_dice(reader: DiceReader, seed: int) -> None:
    """Each of these was once read as a die that shows a one, and nobody was asked."""
    picture = draw_picture(
        seed,
        count=1 + seed % 6,
        edge_px=(26.0, 60.0),
        tilt_deg=(0.0, 45.0),
        odd_dice=0.0,
        variety=True,
        rounds=4,
    )
    assert reader.read_dice(picture.image).values == values(picture)


def test_an_empty_table_holds_no_dice(reader: DiceReader) -> None:
    rng = np.random.default_rng(0)
    table = cv2.GaussianBlur(rng.integers(60, 200, (480, 640, 3)).astype(np.uint8), (0, 0), 3)
    assert reader.read_dice(table) == Observation(dice=(), unsure=False)


def test_only_dice_in_the_tray_count(reader: DiceReader) -> None:
    picture = drawn(101, 3)
    die = picture.dice[0]
    x, y, reach = *die.centre_px, die.edge_px * 1.2
    tray = [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
    inside = reader.read_dice(picture.image, tray)
    assert die.value in inside.values
    assert len(inside.dice) < 3


def test_a_value_that_the_games_dice_do_not_have_is_unsure(reader: DiceReader) -> None:
    picture = drawn(101, 3)
    assert not reader.read_dice(picture.image).unsure
    lacking = [v for v in range(1, 7) if v != picture.dice[0].value]
    reading = reader.read_dice(picture.image, faces=lacking)
    assert reading.unsure
    assert reading.why == "dice"


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_camera_that_is_turned_reads_the_same_dice_where_they_lie(reader: DiceReader, turns: int) -> None:
    """Seen from the other side of the table, a die's side faces lie above its upper face."""
    image = draw_picture(3, count=3, edge_px=(40.0, 50.0), tilt_deg=(38.0, 42.0)).image
    upright = reader.read_dice(image)
    seen = np.ascontiguousarray(np.rot90(image, -turns))
    reading = reader.read_dice(seen, view=TableView(turns))
    boxes = [die.box for die in reading.dice]
    assert sorted(boxes) == sorted(turned(seen, turns).as_stored(die.box) for die in upright.dice)
    assert boxes == sorted(boxes), "from left to right"
    assert reading.values == upright.values


def with_hand(picture: DrawnPicture, number: int) -> np.ndarray:
    """A drawn throw with a hand (a broad finger of skin's colour) over half of one die."""
    image, die = picture.image.copy(), picture.dice[number]
    x, y = (round(each) for each in die.centre_px)
    width = round(die.edge_px)
    cv2.line(image, (x + width // 3, y), (x + 10 * width, y + 6 * width), (150, 175, 215), width)
    return image


@pytest.mark.parametrize("seed", range(100, 112))
def test_dice_under_a_hand_are_asked_about_or_left_out_never_misread(reader: DiceReader, seed: int) -> None:
    picture = drawn(seed, 2)
    reading = reader.read_dice(with_hand(picture, 0))
    assert reading.unsure or Counter(reading.values) <= Counter(values(picture))


@pytest.mark.parametrize("size", [(1, 1), (16, 3), (40, 40)])
def test_a_picture_too_small_for_dice_makes_up_none(reader: DiceReader, size: tuple[int, int]) -> None:
    assert reader.read_dice(np.full((*size, 3), 90, np.uint8)).dice == ()


@pytest.mark.slow
def test_drawn_pictures_of_one_to_fifteen_dice_hold_their_figures(reader: DiceReader) -> None:
    tally = tallied(reader, range(200, 500), most=15)
    assert tally.n["photos"] > 100
    assert tally.share("exact") >= 0.53
    assert tally.share("right", "dice") >= 0.96
    assert tally.share("made_up") <= 0.25
    assert tally.share("wrong") <= 0.08


@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.exists(), reason="the labelled photos are missing: ../shared/photos/dice")
def test_real_photos_hold_their_figures(reader: DiceReader) -> None:
    """The weights were trained on these photos: this only keeps what was reached from rotting."""
    every, few, many = Tally(), Tally(), Tally()
    for line in (PHOTOS / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        photo = cv2.imread(str(PHOTOS / truth["image"]))
        assert photo is not None
        reading = reader.read_dice(np.asarray(photo, np.uint8))
        for tally in (
            every,
            *([few] if len(truth["pips"]) <= 2 else [many] if len(truth["pips"]) > 15 else []),
        ):
            tally.add(truth["pips"], reading)
    assert every.share("exact") >= 0.94
    assert every.share("right", "dice") >= 0.99
    assert every.share("made_up") <= 0.04
    assert few.share("exact") >= 0.97
    assert few.share("wrong") <= 0.01
    assert (every.n["wrong"] - many.n["wrong"]) / (every.n["photos"] - many.n["photos"]) <= 0.01
