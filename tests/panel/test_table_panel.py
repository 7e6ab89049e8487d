"""The panel at the table: each test is a thing that people do with buttons, and what lamps say to it."""

from __future__ import annotations

from tests.conftest import OPENING
from tests.panel.conftest import CAT_BUTTON, CAT_LAMP, DOG_BUTTON, DOG_LAMP, FULL, At


def test_the_lamp_of_the_seat_in_turn_burns(at: At) -> None:
    assert (at.lamp(CAT_LAMP), at.lamp(DOG_LAMP)) == (FULL, 0)
    at.table.play(OPENING[0], "phone")
    at.wait(0.1)
    assert (at.lamp(CAT_LAMP), at.lamp(DOG_LAMP)) == (0, FULL)


def test_a_press_says_that_the_turn_is_done_and_the_camera_is_waited_for(at: At) -> None:
    at.press(CAT_BUTTON)
    assert at.pattern("cat") == "waiting"
    at.table.play(OPENING[0], "camera")
    at.wait(0.1)
    assert (at.pattern("cat"), at.pattern("dog")) == ("off", "your-turn")
    assert at.table.match.n == 1


def test_a_press_out_of_turn_gets_a_no_and_changes_nothing(at: At) -> None:
    at.press(DOG_BUTTON)
    assert at.pattern("dog") == "no"
    assert at.seat("dog").why == "panel.not-your-turn"
    at.wait(1)
    assert (at.pattern("cat"), at.pattern("dog")) == ("your-turn", "off")
    assert at.table.match.n == 0
    assert not at.panel.now().begun


def test_holding_takes_the_last_move_back(at: At) -> None:
    at.table.play(OPENING[0], "phone")
    at.wait(0.1)
    at.down(CAT_BUTTON)
    at.wait(0.7)
    assert at.pattern("cat") == "undoing"
    assert len(at.table.match.moves) == 1
    at.wait(0.9)
    assert len(at.table.match.moves) == 0
    assert at.table.view().match.by == "button"
    at.up(CAT_BUTTON)
    at.wait(0.1)
    assert at.pattern("cat") == "your-turn"
