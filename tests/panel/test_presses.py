"""What people mean by pressing, told from times alone."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel.patterns import FADE_AFTER_S, PAUSE_HOLD_S, UNDO_HOLD_S
from hardware.panel.presses import STUCK_S, UNDO, Button, Debounce, Gesture, Meaning, Presses

CAT, DOG = Button("1"), Button("2")
CAT_ON_PAGE = Button("1", "page")


def meant(gestures: list[Gesture]) -> list[Meaning]:
    """What the gestures mean, without who and when."""
    return [each.meaning for each in gestures]


def test_a_short_press_is_a_press_when_it_is_let_go() -> None:
    presses = Presses()
    assert presses.down(CAT, 10.0) == []
    assert presses.up(CAT, 10.2) == [Gesture(Meaning.PRESS, CAT, 10.2)]


def test_a_hold_takes_back_once_while_it_is_still_held() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    assert presses.advance(10.0 + UNDO_HOLD_S - 0.01) == []
    assert presses.advance(10.0 + UNDO_HOLD_S) == [Gesture(Meaning.UNDO, CAT, 10.0 + UNDO_HOLD_S)]
    assert presses.advance(10.0 + 2 * UNDO_HOLD_S) == []
    assert presses.up(CAT, 10.0 + 2 * UNDO_HOLD_S) == []


def test_who_lets_go_while_the_lamp_still_fades_has_done_nothing() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    presses.advance(10.0 + FADE_AFTER_S + 0.1)
    assert presses.undoing() == {"1": 10.0 + FADE_AFTER_S}
    assert presses.up(CAT, 10.0 + UNDO_HOLD_S - 0.1) == []
    assert presses.undoing() == {}


def test_two_at_once_pause_and_are_neither_presses_nor_holds() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    assert presses.down(DOG, 10.4) == []
    assert presses.pausing() == {"1": 10.4, "2": 10.4}
    assert presses.advance(10.4 + PAUSE_HOLD_S - 0.01) == []
    assert meant(presses.advance(10.4 + PAUSE_HOLD_S)) == [Meaning.PAUSE]
    assert presses.up(CAT, 14.0) == []
    assert presses.up(DOG, 14.1) == []


def test_two_that_are_let_go_too_soon_mean_nothing() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    presses.down(DOG, 10.1)
    assert presses.up(CAT, 10.3) == []
    assert presses.advance(20.0) == []
    assert presses.up(DOG, 20.0) == []


def test_a_held_button_that_has_done_its_work_does_not_pause_with_the_next_press() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    presses.advance(12.0)
    presses.down(DOG, 12.0)
    assert presses.pausing() == {}
    assert meant(presses.up(DOG, 12.2)) == [Meaning.PRESS]


def test_the_same_seats_button_on_wire_and_page_is_not_two_at_once() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    presses.down(CAT_ON_PAGE, 10.1)
    assert presses.pausing() == {}


def test_a_button_that_nobody_lets_go_is_stuck_and_harms_no_other() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    assert meant(presses.advance(10.0 + STUCK_S)) == [Meaning.UNDO, Meaning.STUCK]
    assert meant(presses.tap(DOG, 40.0)) == [Meaning.PRESS]
    assert meant(presses.tap(CAT_ON_PAGE, 41.0)) == [Meaning.PRESS]
    assert meant(presses.up(CAT, 42.0)) == [Meaning.FREED]
    assert meant(presses.tap(CAT, 43.0)) == [Meaning.PRESS]


def test_a_button_that_is_down_from_the_start_takes_nothing_back() -> None:
    presses = Presses()
    assert meant(presses.down_at_start(CAT, 0.0)) == [Meaning.STUCK]
    assert presses.advance(100.0) == []
    assert meant(presses.up(CAT, 101.0)) == [Meaning.FREED]


def test_the_undo_button_takes_back_at_once() -> None:
    presses = Presses()
    assert meant(presses.down(Button(UNDO), 10.0)) == [Meaning.UNDO]
    assert presses.up(Button(UNDO), 13.0) == []
    assert presses.pausing() == {}


def test_a_button_that_is_forgotten_means_nothing() -> None:
    presses = Presses()
    presses.down(CAT, 10.0)
    presses.down(DOG, 10.1)
    presses.forget(CAT)
    assert presses.pausing() == {}
    assert presses.advance(20.0) == []


@pytest.mark.parametrize("held_s", [0.05, 0.59, 0.61, 1.49, 1.51, 3.0, 25.0])
def test_what_is_due_is_told_in_time(held_s: float) -> None:
    presses = Presses()
    presses.down(CAT, 0.0)
    now, output = 0.0, []
    while presses.due_s() <= held_s:
        now = presses.due_s()
        output += presses.advance(now)
        assert presses.due_s() > now
    output += presses.up(CAT, held_s)
    kinds = meant(output)
    assert kinds[:1] == (
        [Meaning.PRESS] if held_s < FADE_AFTER_S else [Meaning.UNDO] if held_s >= UNDO_HOLD_S else []
    )
    assert all(each.at_s <= held_s for each in output)


@given(st.lists(st.tuples(st.sampled_from([CAT, DOG, CAT_ON_PAGE]), st.booleans(), st.floats(0.0, 4.0))))
def test_whatever_is_pressed_nothing_is_meant_twice(events: list[tuple[Button, bool, float]]) -> None:
    presses, now, downs, output = Presses(), 0.0, 0, []
    for button, down, later_s in events:
        now += later_s
        downs += down
        output += presses.down(button, now) if down else presses.up(button, now)
    output += presses.advance(now + 100.0)
    meanings = [each for each in meant(output) if each in (Meaning.PRESS, Meaning.UNDO, Meaning.PAUSE)]
    assert len(meanings) <= downs
    assert [each.at_s for each in output if each.meaning is Meaning.PRESS] == sorted(
        each.at_s for each in output if each.meaning is Meaning.PRESS
    )


QUIET_S = 0.015


def settled(bounce: Debounce, edges: list[tuple[float, bool]], until_s: float) -> list[tuple[bool, float]]:
    """What is believed of these edges, looked at before each and often afterwards."""
    output = []
    now = edges[0][0]
    for at_s, down in [*edges, (until_s, edges[-1][1])]:
        while now < at_s:
            now = min(at_s, now + 0.004)
            output += [each for each in [bounce.settled(now)] if each]
        bounce.edge(at_s, down=down)
    return output


@given(st.lists(st.floats(0.0001, QUIET_S * 0.9), min_size=1, max_size=40))
def test_however_contacts_bounce_it_is_one_press(gaps: list[float]) -> None:
    edges, at_s, down = [(1.0, True)], 1.0, True
    for gap in gaps:
        at_s, down = at_s + gap, not down
        edges.append((at_s, down))
    if not down:
        edges.append((at_s + 0.001, True))
    output = settled(Debounce(QUIET_S, down=False), edges, at_s + 1.0)
    assert [each for each, _ in output] == [True]
    assert output[0][1] == edges[-1][0]


def test_a_spike_is_no_press() -> None:
    assert settled(Debounce(QUIET_S, down=False), [(1.0, True), (1.002, False)], 2.0) == []


def test_a_quiet_wire_has_nothing_due() -> None:
    bounce = Debounce(QUIET_S, down=False)
    assert bounce.due_s() == inf
    bounce.edge(1.0, down=True)
    assert bounce.due_s() == pytest.approx(1.0 + QUIET_S)
