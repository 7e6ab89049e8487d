"""A camera's state, by what comes and when."""

from __future__ import annotations

import pytest

from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.camera.health import Condition, Health, Timeouts
from tests.camera.conftest import noisy, plain

TIMEOUTS = Timeouts()


def fed(
    health: Health, pictures: list[Picture], begin_s: float, every_s: float = 0.2, name: str = ""
) -> float:
    """Show the health pictures at a pace; returns when the last one came."""
    at = begin_s
    for number, picture in enumerate(pictures):
        at = begin_s + number * every_s
        health.frame_came(Frame(picture, at, name), at)
    return at


@pytest.fixture
def health() -> Health:
    """A camera that has been well for a second, until 101.0 s."""
    health = Health(100.0)
    assert health.state.condition is Condition.STARTING
    fed(health, [noisy(n) for n in range(6)], 100.0)
    assert health.state.condition is Condition.OK
    return health


def test_a_camera_is_starting_until_its_first_picture() -> None:
    health = Health(5.0)
    health.opening(5.0)
    assert not health.tick(8.0)
    assert (health.state.condition, health.state.since_s) == (Condition.STARTING, 5.0)


def test_silence_is_noticed_within_two_seconds(health: Health) -> None:
    assert not health.tick(102.5)
    assert health.tick(102.7)
    assert health.state.condition is Condition.UNPLUGGED
    assert "cable" in health.state.says
    assert TIMEOUTS.silence_s + TIMEOUTS.tick_s < 2


def test_few_pictures_are_slow_and_still_read(health: Health) -> None:
    assert health.frame_came(Frame(noisy(7), 102.2), 102.2)
    assert health.state.condition is Condition.SLOW
    assert "cable" in health.state.says
    fed(health, [noisy(n) for n in range(8)], 102.4)
    assert health.state.condition is Condition.OK


def test_the_pictures_of_a_folder_may_come_as_they_like() -> None:
    health = Health(100.0)
    fed(health, [noisy(1), noisy(2), noisy(3)], 100.0, every_s=1.5, name="a.jpg")
    assert health.state.condition is Condition.OK


def test_a_camera_that_never_gives_a_picture_is_given_up() -> None:
    health = Health(0.0)
    health.opening(0.0)
    assert not health.tick(TIMEOUTS.start_s)
    assert not health.tick(TIMEOUTS.open_s)
    health.opened(TIMEOUTS.open_s)
    assert not health.tick(TIMEOUTS.open_s + TIMEOUTS.start_s)
    assert health.tick(TIMEOUTS.open_s + TIMEOUTS.start_s + 0.1)


def test_a_camera_that_hangs_while_it_is_opened_is_given_up() -> None:
    health = Health(0.0)
    health.opening(0.0)
    assert health.tick(TIMEOUTS.open_s + 0.1)


def test_a_small_picture_tells_what_the_newest_moment_is_like(health: Health) -> None:
    old = noisy(1)
    for n in range(20):
        at = 101.2 + n * 0.2
        frame = Frame(old, at, small=noisy(n)[..., 0])
        assert health.frame_came(frame, at), "the same picture, yet not frozen"
    for n in range(8):
        health.frame_came(Frame(old, 106 + n * 0.2, small=plain(3)[..., 0]), 106 + n * 0.2)
    assert health.state.condition is Condition.BLACK


def test_an_error_is_reported_at_once_with_its_sentence(health: Health) -> None:
    health.failed("Plug it in.", 101.3)
    assert health.state == health.state.__class__(Condition.UNPLUGGED, 101.3, "Plug it in.")


def test_a_camera_that_rests_before_it_is_tried_again_is_not_given_up(health: Health) -> None:
    health.failed("Plug it in.", 101.3)
    health.paused()
    assert not health.tick(120.0)
    health.opening(120.0)
    assert not health.tick(121.0)
    assert health.state.condition is Condition.UNPLUGGED


def test_a_camera_that_hangs_after_an_error_is_given_up(health: Health) -> None:
    health.failed("Plug it in.", 101.3)
    assert not health.tick(102.8)
    assert health.tick(103.0)


def test_it_is_well_again_with_the_first_picture(health: Health) -> None:
    health.failed("Plug it in.", 101.3)
    health.opening(104.0)
    fed(health, [noisy(50)], 104.5)
    assert (health.state.condition, health.state.since_s) == (Condition.OK, 104.5)


def test_another_sentence_keeps_the_states_beginning(health: Health) -> None:
    health.failed("Plug it in.", 101.3)
    health.failed("Close the other program.", 103.0)
    assert (health.state.since_s, health.state.says) == (101.3, "Close the other program.")


def test_the_same_picture_again_and_again_is_frozen_within_two_seconds(health: Health) -> None:
    end_s = fed(health, [noisy(7)] * 8, 101.2)
    assert health.state.condition is Condition.FROZEN
    assert end_s < 101.2 + 2
    fed(health, [noisy(8)], 103.0)
    assert health.state.condition is Condition.OK


def test_a_frozen_camera_is_replaced_now_and_then(health: Health) -> None:
    fed(health, [noisy(7)] * 8, 101.2)
    assert not health.tick(104.0)
    assert health.tick(102.6 + TIMEOUTS.refresh_s + 0.1)
    health.opening(107.0)
    assert not health.tick(108.0)


def test_two_pictures_alike_in_a_folder_mean_nothing() -> None:
    health = Health(0.0)
    fed(health, [plain(90)] * 20, 0.0, name="a.jpg")
    assert health.state.condition is Condition.OK


def test_dark_for_a_moment_is_no_fault_and_for_longer_is_black(health: Health) -> None:
    fed(health, [plain(3)] * 3, 101.2)
    assert health.state.condition is Condition.OK
    fed(health, [plain(3)] * 3, 101.8)
    assert health.state.condition is Condition.BLACK


def test_all_black_pictures_are_black_and_not_frozen(health: Health) -> None:
    fed(health, [plain(0)] * 20, 101.2)
    assert health.state.condition is Condition.BLACK


def test_a_camera_that_begins_black_is_black_at_once() -> None:
    health = Health(0.0)
    fed(health, [plain(2)], 0.0)
    assert health.state.condition is Condition.BLACK


def test_too_much_light_is_reported_and_ends_with_the_light(health: Health) -> None:
    fed(health, [plain(255)] * 6, 101.2)
    assert health.state.condition is Condition.OVEREXPOSED
    fed(health, [noisy(9)], 103.0)
    assert health.state.condition is Condition.OK


def test_nothing_is_read_from_pictures_that_show_nothing(health: Health) -> None:
    assert health.frame_came(Frame(noisy(60), 101.2), 101.2)
    assert not health.frame_came(Frame(plain(2), 101.4), 101.4)
    assert health.frame_came(Frame(plain(2), 101.6, "night.jpg"), 101.6), (
        "somebody put that picture there to be read"
    )


def test_an_ended_source_is_neither_silent_nor_frozen(health: Health) -> None:
    health.ended(102.0)
    assert not health.tick(500.0)
    assert health.state.condition is Condition.ENDED
    health.opening(501.0)
    assert health.state.condition is Condition.STARTING
