"""What the board tells of the table around it: which way is up, and what is white in this light."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.watching import Die
from hardware.arrays import Float64, Picture
from hardware.vision.board.scene import Scene, read_scene_as
from hardware.vision.dice.reader import DiceReader, read_tray
from hardware.vision.dice.table_view import table_view
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.lens import Lens

TRAYS = Path(__file__).parents[4] / "shared" / "photos" / "bed"
FOCAL_PX = 1100.0
LENS = Lens(1280, 960)
SCENE = Scene(
    rows=16,
    cols=12,
    markers_in_cells={
        number: ((x, y), (x + 2, y), (x + 2, y + 2), (x, y + 2))
        for number, (x, y) in enumerate([(-3.0, -3.0), (13.0, -3.0), (13.0, 17.0), (-3.0, 17.0)])
    },
    tray_in_cells_at_table_height=(-9.0, 5.0, -4.0, 11.0),
)


def camera(tilt_deg: float, from_deg: float) -> tuple[Float64, Float64, Float64]:
    """Its matrix, rotation and translation: it looks at the board's middle, turned about the upright axis."""
    spin = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(from_deg)]))[0]
    lean = cv2.Rodrigues(np.array([np.radians(tilt_deg), 0.0, 0.0]))[0]
    turn = lean @ spin
    shift = np.array([0.0, 0.0, 34.0]) - turn @ np.array([6.0, 8.0, 0.0])
    matrix = np.array([(FOCAL_PX, 0, LENS.middle[0]), (0, FOCAL_PX, LENS.middle[1]), (0, 0, 1)])
    return matrix, turn, shift


def seen_from(tilt_deg: float, from_deg: float) -> Homography:
    """How this camera sees the board's plane."""
    matrix, turn, shift = camera(tilt_deg, from_deg)
    return Homography(matrix @ np.column_stack([turn[:, :2], shift]), LENS)


@pytest.mark.parametrize("from_deg", [0, 30, 75, 90, 140, 180, 200, 270, 300])
@pytest.mark.parametrize("tilt_deg", [35, 50])
def test_a_die_in_the_tray_stands_upright_after_the_turns(tilt_deg: float, from_deg: float) -> None:
    """OpenCV projects the foot and the top of a stick in the tray; the board's depth goes down."""
    matrix, turn, shift = camera(tilt_deg, from_deg)
    stick = np.array([(-6.5, 8.0, 0.0), (-6.5, 8.0, -1.0)])
    foot, top = cv2.projectPoints(stick, cv2.Rodrigues(turn)[0], shift, matrix, None)[0].reshape(2, 2)
    turns = table_view(np.zeros((960, 1280, 3), np.uint8), SCENE, seen_from(tilt_deg, from_deg)).turns
    x, y = top - foot
    for _ in range(turns):
        x, y = y, -x
    assert -y >= 0.99 * abs(x)


@pytest.mark.parametrize("from_deg", [0, 90, 180])
def test_without_a_tray_the_middle_of_the_picture_counts(from_deg: float) -> None:
    """Whichever side of the board is near: near things at the foot need no turn, at the head two."""
    scene = msgspec.structs.replace(SCENE, tray_in_cells_at_table_height=None)
    views = [seen_from(tilt_deg, from_deg) for tilt_deg in (-40, 40)]
    assert [table_view(np.zeros((960, 1280, 3), np.uint8), scene, view).turns for view in views] == [0, 2]


def test_straight_below_the_camera_a_die_shows_no_side_and_is_not_turned() -> None:
    scene = msgspec.structs.replace(SCENE, tray_in_cells_at_table_height=None)
    assert table_view(np.zeros((960, 1280, 3), np.uint8), scene, seen_from(0, 120)).turns == 0


def lit(homography: Homography, lamp: tuple[float, float, float], white: float) -> Picture:
    """Markers, and dice of 30 px as bright as `white` paper, in this lamp's light, brighter to the right."""
    paint = np.full((960, 1280, 3), 0.3)
    for corners in expected_markers(SCENE, homography).values():
        middle = corners.mean(axis=0)
        cv2.fillConvexPoly(paint, np.round(corners).astype(np.int32), (0.02,) * 3)
        inner = np.round(middle + (corners - middle) * 0.6).astype(np.int32)
        cv2.fillConvexPoly(paint, inner, (0.85,) * 3)
    paint[500:530, 200:230] = 0.85 * white
    cv2.circle(paint, (215, 515), 4, (0.02,) * 3, -1)
    light = np.linspace(0.3, 0.8, 1280)[:, None] * lamp
    return np.asarray(np.clip(paint * light, 0, 1) ** (1 / 2.2) * 255, np.uint8)


@pytest.mark.parametrize("lamp", [(1, 1, 1), (0.6, 0.9, 1.2), (1.3, 1, 0.7)], ids=["white", "warm", "cold"])
@pytest.mark.parametrize(("brightness", "colour"), [(1.0, "white"), (0.55, "grey"), (0.08, "black")])
@pytest.mark.parametrize("taken_for", ["white", "grey", "black", "other"])
def test_white_grey_and_black_are_named_by_the_markers_white(
    lamp: tuple[float, float, float], brightness: float, colour: str, taken_for: str
) -> None:
    picture = lit(seen_from(20, 0), lamp, brightness)
    view = table_view(picture, SCENE, seen_from(20, 0))
    assert view.named(picture, Die(1, taken_for, (200, 500, 30, 30))).colour == colour


@pytest.mark.parametrize(("taken_for", "colour"), [("black", "black"), ("white", "grey"), ("grey", "grey")])
def test_a_dark_grey_die_may_be_a_glossy_black_one(taken_for: str, colour: str) -> None:
    picture = lit(seen_from(20, 0), (1, 1, 1), 0.24)
    view = table_view(picture, SCENE, seen_from(20, 0))
    assert view.named(picture, Die(1, taken_for, (200, 500, 30, 30))).colour == colour


def test_the_white_of_a_sleeve_over_a_marker_does_not_count() -> None:
    homography = seen_from(20, 0)
    picture = lit(homography, (1, 1, 1), 0.55)
    corners = expected_markers(SCENE, homography)[0]
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (60, 60, 90))
    cv2.circle(picture, np.round(corners[0]).astype(int).tolist(), 60, (255, 250, 245), -1)
    view = table_view(picture, SCENE, homography)
    assert view.white is not None
    assert view.named(picture, Die(1, "white", (200, 500, 30, 30))).colour == "grey"


def test_a_coloured_die_keeps_its_colour() -> None:
    picture = lit(seen_from(20, 0), (1, 1, 1), 0.5)
    view = table_view(picture, SCENE, seen_from(20, 0))
    assert view.named(picture, Die(1, "blue", (200, 500, 30, 30))).colour == "blue"
    picture[500:530, 200:230] = (120, 20, 90)
    assert view.named(picture, Die(1, "other", (200, 500, 30, 30))).colour == "other"


def test_without_markers_in_sight_the_colour_stays() -> None:
    plain = np.full((960, 1280, 3), 90, np.uint8)
    view = table_view(plain, SCENE, seen_from(20, 0))
    assert view.white is None
    assert view.named(plain, Die(1, "white", (200, 500, 30, 30))).colour == "white"


@pytest.mark.slow
@pytest.mark.skipif(not TRAYS.exists(), reason="the rendered beds are missing: ../shared/photos/bed")
@pytest.mark.parametrize("folder", ["dice-1", "dice-2"])
def test_rendered_trays_hold_their_figures(reader: DiceReader, folder: str) -> None:
    """Camera and lamp differ from one folder to the other; the homography is that of the true markers."""
    scene = read_scene_as(TRAYS / folder, Scene)
    lines = [json.loads(line) for line in (TRAYS / folder / "truth.jsonl").read_text().splitlines()]
    views = [{int(n): np.array(px) for n, px in line["marker_corners"].items()} for line in lines]
    lens = lens_from_markers(scene, (1280, 960), views[:1])
    dice = colours = 0
    for line, markers in zip(lines, views, strict=True):
        picture = np.asarray(cv2.imread(str(TRAYS / folder / line["image"])), np.uint8)
        reading = read_tray(reader, picture, scene, homography_from_markers(scene, markers, lens))
        assert (reading.unsure, reading.values) == (False, tuple(sorted(d["value"] for d in line["dice"])))
        lying = Counter((die["value"], die["colour"]) for die in line["dice"])
        dice += lying.total()
        colours += (lying & Counter((die.value, die.colour) for die in reading.dice or ())).total()
    assert dice == 24
    assert colours >= 23
