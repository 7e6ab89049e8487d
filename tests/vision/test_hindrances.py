"""What speaks against a picture as that of the empty board, before anything is known of the board."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.arrays import Picture
from hardware.vision.board.board_view import BoardView
from hardware.vision.board.scene import read_scene
from hardware.vision.register.sharpness import is_blurred
from tests.vision import drawn, kitchen
from tests.vision.test_photos import PHOTOS

BEDS = sorted((PHOTOS / "bed").glob("*-*"))


def hand_over(picture: Picture) -> Picture:
    """The picture with an arm that reaches in from below."""
    arm = picture.copy()
    cv2.line(arm, (600, 960), (620, 600), (120, 150, 205), 70)
    return arm


def blurred(picture: Picture, px: float) -> Picture:
    """The picture out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), px), np.uint8)


@pytest.mark.parametrize("scene", [drawn.SCENE, kitchen.SCENE], ids=["bed", "kitchen"])
def test_an_empty_board_is_taken_a_hand_and_a_blur_are_not(scene: object) -> None:
    picture = drawn.picture(()) if scene is drawn.SCENE else kitchen.kitchen()
    view = BoardView(scene)  # type: ignore[arg-type]
    assert view.hindrance(picture, None) == ""
    assert view.hindrance(hand_over(picture), None) == "hand"
    assert view.hindrance(blurred(picture, 5 if scene is drawn.SCENE else 9), None) == "blurred"


@pytest.mark.parametrize("light", [{"noise": 12}, {"slope": 0.5}, {"gain": 0.5}, {"warm": 0.3}], ids=str)
def test_light_and_noise_hinder_nothing(light: dict[str, float]) -> None:
    assert BoardView(kitchen.SCENE).hindrance(kitchen.kitchen(**light), None) == ""  # type: ignore[arg-type]


def test_a_frame_on_grained_wood_hinders_nothing_by_itself() -> None:
    picture = kitchen.kitchen()
    rows = np.arange(picture.shape[0])
    grain = (24 * np.sin(rows / 9) + 12 * np.sin(rows / 2.3)).astype(np.int16)
    wooden = np.clip(picture + grain[:, None, None], 0, 255).astype(np.uint8)
    corners = kitchen.corners_px()
    assert BoardView(kitchen.SCENE).hindrance(wooden, corners) == ""
    assert BoardView(kitchen.SCENE).hindrance(hand_over(wooden), corners) == "hand"


@pytest.mark.slow
@pytest.mark.skipif(not BEDS, reason="no ../shared/photos here")
@pytest.mark.parametrize("folder", BEDS, ids=lambda folder: folder.name)
def test_rendered_beds_are_taken_empty_and_never_under_a_hand(folder: Path) -> None:
    scene = read_scene(folder)
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    under_hands = [line["image"] for line in lines if line.get("hand")]
    wanted = {"00.jpg": "", **dict.fromkeys(under_hands, "hand")}
    seen = {
        name: BoardView(scene).hindrance(cv2.imread(str(folder / name), cv2.IMREAD_COLOR), None)  # type: ignore[arg-type]
        for name in wanted
    }
    assert seen == wanted


@pytest.mark.parametrize(
    ("width", "square_px", "blurs"),
    [
        pytest.param(0.06, 60, True, id="wide in squares and in px"),
        pytest.param(0.06, 20, False, id="sharp, in a small picture"),
        pytest.param(0.03, 100, False, id="sharp, in a large one"),
    ],
)
def test_an_edge_is_soft_when_it_is_wide_in_squares_and_in_px(
    width: float, square_px: float, *, blurs: bool
) -> None:
    assert is_blurred([width, width, 0.01], square_px) == blurs
