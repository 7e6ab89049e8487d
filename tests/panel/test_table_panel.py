"""The panel at the table: each test is a thing that people do with buttons, and what lamps say to it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.games.registry import game
from companion.games.watching import Observation, Tile
from companion.play.journal import Journal, JournalError
from companion.play.match import Match
from companion.play.table import Table
from companion.service.panel_inputs import TRY_S
from companion.service.panel_state import DANCE_S, LATE_S, WAIT_SHOWN_S
from companion.service.turn_clock import COUNTS, ClockRules
from hardware.panel import patterns
from hardware.panel.wiring import read_wiring
from tests.conftest import BED, OPENING, lay
from tests.panel.conftest import (
    BUZZER,
    CAT_BUTTON,
    CAT_LAMP,
    DOG_BUTTON,
    DOG_LAMP,
    FULL,
    STATUS_LAMP,
    UNDO_BUTTON,
    WHOLE,
    At,
)

CAT_1 = Tile("cat", 1, 0, 5, 3)
DOG_1_ON_IT = Tile("dog", 1, 0, 5, 3)
TINY = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'


class TestPresses:
    """What a press, a hold and two at once do."""

    def test_a_press_says_that_the_turn_is_done_and_the_camera_is_waited_for(self, at: At) -> None:
        at.press(CAT_BUTTON)
        assert at.pattern("cat") == "waiting"
        assert at.table.match.n == 0
        at.sees(CAT_1)
        assert (at.pattern("cat"), at.pattern("dog")) == ("off", "your-turn")
        assert at.table.match.n == 1

    @pytest.mark.parametrize("bounces", [0, 1, 9])
    def test_however_contacts_bounce_a_press_is_one_press(self, at: At, bounces: int) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(LATE_S + 1)
        at.down(DOG_BUTTON, bounces=bounces)
        at.wait(0.1)
        at.up(DOG_BUTTON, bounces=bounces)
        at.wait(0.05)
        assert at.seat("dog").done
        assert at.pattern("cat") == "off"

    def test_a_spike_on_the_wire_is_no_press(self, at: At) -> None:
        at.pins.pin(CAT_BUTTON).drive_low()
        at.clock.now_s += 0.002
        at.pins.pin(CAT_BUTTON).drive_high()
        at.wait(1)
        assert not at.seat("cat").done

    def test_the_panel_wakes_when_a_contact_may_have_settled(
        self, table: Table, pins: MockFactory, kept: Path
    ) -> None:
        at = At(table, pins, read_wiring(buttons={"debounce_ms": 40}), kept)
        assert at.panel.step() > 0.5, "nothing is due while no button moves"
        at.pins.pin(CAT_BUTTON).drive_low()
        assert at.panel.step() == pytest.approx(0.04)
        at.clock.now_s += 0.03
        assert at.panel.step() == pytest.approx(0.01)
        at.clock.now_s += 0.011
        at.panel.step()
        at.pins.pin(CAT_BUTTON).drive_high()
        at.clock.now_s += 0.041
        at.panel.step()
        assert at.seat("cat").done

    def test_a_press_that_comes_in_late_is_timed_by_its_edges(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(0.1)
        pin = at.pins.pin(DOG_BUTTON)
        pin.drive_low()
        at.clock.now_s += 0.2
        pin.drive_high()
        at.clock.now_s += 3.0  # a busy machine comes to it only now
        at.panel.step()
        assert at.seat("dog").done
        assert len(at.table.match.moves) == 1

    def test_a_press_out_of_turn_gets_a_no_and_changes_nothing(self, at: At) -> None:
        at.press(DOG_BUTTON)
        assert at.pattern("dog") == "no"
        assert (at.seat("dog").rule, at.seat("dog").facts) == ("press-out-of-turn", {"seat": "cat"})
        at.wait(1)
        assert (at.pattern("cat"), at.pattern("dog")) == ("your-turn", "off")
        assert at.table.match.n == 0
        assert not at.panel.status().begun

    def test_a_press_just_after_the_camera_was_quicker_is_not_told_off(self, at: At) -> None:
        at.sees(CAT_1)
        at.wait(1)
        at.press(CAT_BUTTON)
        assert at.pattern("cat") == "off"
        at.wait(LATE_S)
        at.press(CAT_BUTTON)
        assert at.pattern("cat") == "no"

    def test_holding_takes_the_last_move_back_and_the_lamp_fades_before(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(0.1)
        at.down(CAT_BUTTON)
        at.wait(0.7)
        assert at.pattern("cat") == "undoing"
        bright = at.lamp(CAT_LAMP)
        at.wait(0.6)
        assert 0 < at.lamp(CAT_LAMP) < bright
        assert len(at.table.match.moves) == 1
        at.wait(0.3)
        assert len(at.table.match.moves) == 0
        assert at.table.snapshot.view().match.by == "button"
        at.up(CAT_BUTTON)
        at.wait(0.1)
        assert at.pattern("cat") == "your-turn"
        assert not at.seat("cat").done

    def test_letting_go_before_the_lamp_is_dark_does_nothing(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(LATE_S + 1)
        at.press(DOG_BUTTON, 1.2)
        assert len(at.table.match.moves) == 1
        assert not at.seat("dog").done

    def test_where_nothing_is_to_be_taken_back_the_lamp_says_no(self, at: At) -> None:
        at.press(DOG_BUTTON, 1.6)
        assert at.seat("dog").rule == "nothing-to-undo"

    def test_the_undo_button_takes_back_at_once(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.press(UNDO_BUTTON)
        assert len(at.table.match.moves) == 0
        at.press(UNDO_BUTTON)
        assert {at.seat(seat).rule for seat in ("cat", "dog")} == {"nothing-to-undo"}

    def test_two_at_once_for_three_seconds_pause_and_go_on(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(0.1)
        for pause in (True, False):
            at.down(CAT_BUTTON)
            at.down(DOG_BUTTON)
            at.wait(2.5)
            assert at.pattern("cat") == at.pattern("dog") == "pausing"
            assert at.panel.status().paused is not pause
            at.wait(0.7)
            assert at.panel.status().paused is pause
            at.up(CAT_BUTTON)
            at.up(DOG_BUTTON)
            at.wait(0.1)
            assert at.pattern("dog") == ("paused" if pause else "your-turn")
        assert len(at.table.match.moves) == 1

    def test_in_a_pause_any_press_goes_on_and_does_no_more(self, at: At) -> None:
        at.panel.button("pause", "tap")
        at.press(DOG_BUTTON)
        assert not at.panel.status().paused
        assert at.pattern("dog") == "off"

    def test_a_move_ends_a_pause(self, at: At) -> None:
        at.panel.button("pause", "tap")
        at.sees(CAT_1)
        assert not at.panel.status().paused

    def test_the_button_of_a_seat_that_nobody_plays_does_nothing(
        self, table: Table, pins: MockFactory, kept: Path
    ) -> None:
        at = At(table, pins, read_wiring(seats=3), kept)
        at.table.play(OPENING[0], "phone")
        at.wait(1)
        at.press(5)
        at.press(5, 1.6)
        assert len(at.table.match.moves) == 1
        assert at.lamp(12) == 0


class TestWhatTheGameSays:
    """A press that is a move."""

    @pytest.fixture
    def lays(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
        """The move that each seat's press makes."""
        moves: dict[str, Any] = {}
        bed = game(BED)
        monkeypatch.setattr(
            type(bed), "pressed", lambda self, state, seat: moves.get(seat) and bed.move(moves[seat])
        )
        return moves

    def test_a_press_makes_the_move_that_the_game_says(self, at: At, lays: dict[str, Any]) -> None:
        lays["cat"] = OPENING[0]
        at.press(CAT_BUTTON)
        assert at.table.snapshot.view().match.by == "button"
        assert len(at.table.match.moves) == 1
        assert at.pattern("dog") == "your-turn"

    def test_a_move_that_the_rules_refuse_gets_a_no_with_the_rule(self, at: At, lays: dict[str, Any]) -> None:
        lays["dog"] = OPENING[1]
        at.press(DOG_BUTTON)
        assert at.seat("dog").rule == "not-your-turn"
        assert at.table.match.n == 0

    def test_a_journal_that_cannot_be_written_gets_a_no(
        self, at: At, lays: dict[str, Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def full(*_: object, **__: object) -> None:
            raise JournalError("unusable", path="journal.sqlite", cause="the disk is full")

        lays["cat"] = OPENING[0]
        monkeypatch.setattr(at.table.journal, "append_all", full)
        at.press(CAT_BUTTON)
        assert at.seat("cat").rule == "press-not-kept"
        assert "the disk is full" in caplog.text


class TestLamps:
    """What real lamps do."""

    def test_the_lamp_of_the_seat_in_turn_burns(self, at: At) -> None:
        assert (at.lamp(CAT_LAMP), at.lamp(DOG_LAMP)) == (FULL, 0)
        at.table.play(OPENING[0], "phone")
        at.wait(0.1)
        assert (at.lamp(CAT_LAMP), at.lamp(DOG_LAMP)) == (0, FULL)

    def test_waiting_is_a_slow_blink_on_the_pin_itself(self, at: At) -> None:
        at.press(CAT_BUTTON)
        assert at.pattern("cat") == "waiting"
        assert blinks(at, CAT_LAMP, 8.0) == pytest.approx(2 * 8.0 / patterns.WAITING.period_s, abs=1)

    def test_what_breaks_a_rule_is_a_quick_blink_until_it_is_mended(self, at: At) -> None:
        at.sees(CAT_1)
        at.sees(CAT_1, DOG_1_ON_IT)
        assert at.pattern("dog") == "breaks"
        assert blinks(at, DOG_LAMP, 3.0) == pytest.approx(2 * 3.0 / patterns.BREAKS.period_s, abs=1)
        at.sees(CAT_1)
        assert at.pattern("dog") == "your-turn"

    def test_a_hand_that_stays_is_waited_for_and_one_that_passes_is_not(self, at: At) -> None:
        at.table.see(Observation(unsure=True, why="hand"))
        at.wait(WAIT_SHOWN_S - 0.1)
        assert at.pattern("cat") == "your-turn"
        at.wait(0.2)
        assert at.pattern("cat") == "waiting"
        at.sees()
        assert at.pattern("cat") == "your-turn"

    def test_paused_lamps_breathe(self, at: At) -> None:
        at.panel.button("pause", "tap")
        at.pins.pin(CAT_LAMP).clear_states()
        at.wait(patterns.PAUSED.period_s)
        levels = [state.state for state in at.pins.pin(CAT_LAMP).states]
        assert len(levels) > 25
        assert max(levels) == pytest.approx(FULL, abs=0.03)
        assert max(abs(a - b) for a, b in pairwise(levels[1:])) < 0.06

    def test_at_the_end_they_dance_and_then_the_winners_burns(
        self, journal: Journal, pins: MockFactory, kept: Path
    ) -> None:
        table = Table(journal, Match.begin(journal, BED, {"board": TINY}))
        at = At(table, pins, read_wiring(), kept)
        table.play(lay("cat", 1, 0, 0), "phone")
        table.play(lay("dog", 1, 0, 1), "phone")
        outcome = table.match.outcome
        assert outcome is not None
        at.wait(0.1)
        assert at.pattern("cat") == at.pattern("dog") == "over"
        assert {at.lamp(CAT_LAMP), at.lamp(DOG_LAMP)} == {0, FULL}
        at.wait(DANCE_S)
        shown = {seat: at.pattern(seat) for seat in ("cat", "dog")}
        assert shown == {seat: "won" if seat in outcome.winners else "off" for seat in shown}
        at.press(CAT_BUTTON)
        assert at.seat("cat").rule == "match-over"
        table.undo("phone")
        at.wait(1)
        assert at.pattern("dog") == "your-turn"

    def test_the_buzzer_says_no_and_is_quiet_again(self, at: At) -> None:
        at.pins.pin(BUZZER).clear_states()
        at.press(DOG_BUTTON)
        at.wait(1)
        at.pins.pin(BUZZER).assert_states([False, True, False, True, False])

    def test_the_status_lamp_blinks_while_the_camera_is_away(
        self, table: Table, pins: MockFactory, kept: Path
    ) -> None:
        well = [True]
        at = At(table, pins, read_wiring(**WHOLE), kept, camera_well=lambda: well[0])
        at.wait(2)
        assert at.lamp(STATUS_LAMP) == FULL
        well[0] = False
        table.notify()
        assert blinks(at, STATUS_LAMP, 5.0) >= 8

    def test_lamps_go_dark_when_the_companion_ends(self, at: At) -> None:
        at.panel.stop()
        assert at.lamp(CAT_LAMP) == 0


def blinks(at: At, gpio: int, seconds: float) -> int:
    """How often a lamp's pin changes in so long."""
    at.pins.pin(gpio).clear_states()
    at.wait(seconds)
    return len(at.pins.pin(gpio).states) - 1


class TestSeveralSeats:
    """More than two seats, and what one of them keeps to itself."""

    @pytest.fixture
    def kittens(self, journal: Journal, pins: MockFactory, kept: Path) -> At:
        """Exploding Kittens with four seats on a panel for five."""
        table = Table(journal, Match.begin(journal, "exploding-kittens", {}, 4))
        return At(table, pins, read_wiring(seats=5), kept)

    def test_the_button_of_the_seat_in_turn_says_that_it_drew(self, kittens: At) -> None:
        first, second, third, _ = (seat.seat for seat in kittens.panel.status().seats)
        assert [kittens.lamp(gpio) for gpio in (27, 24, 12, 13, 16)] == [FULL, 0, 0, 0, 0]
        kittens.press(17)
        assert [type(move).__name__ for move in kittens.table.match.moves] == ["Draw"]
        assert (kittens.pattern(first), kittens.pattern(second)) == ("off", "your-turn")
        kittens.press(5)
        assert kittens.seat(third).rule == "press-out-of-turn"
        kittens.press(23)
        assert len(kittens.table.match.moves) == 2

    def test_a_press_knows_no_more_than_lies_open(self, kittens: At, monkeypatch: pytest.MonkeyPatch) -> None:
        first = kittens.panel.status().seats[0].seat
        cards = ["defuse", "skip", "attack", "cat-a", "cat-b", "nope"]
        kittens.table.play({"move": "hand", "seat": first, "cards": cards}, "phone", seat=first)
        known: list[Any] = []
        rules = type(kittens.table.match.game)
        monkeypatch.setattr(rules, "pressed", lambda self, state, seat: known.append(state.notes))
        kittens.press(17)
        assert known == [()]
        assert kittens.table.match.state != kittens.table.match.game.hide(kittens.table.match.state, None)

    def test_what_a_seat_tells_its_own_phone_moves_no_lamp_and_no_clock(self, kittens: At) -> None:
        first = kittens.panel.status().seats[0].seat
        before, version = kittens.panel.status(), kittens.table.snapshot.version
        cards = ["defuse", "skip", "attack", "cat-a", "cat-b", "nope"]
        kittens.table.play({"move": "hand", "seat": first, "cards": cards}, "phone", seat=first)
        kittens.panel._version = -1
        kittens.panel.step()
        assert len(kittens.table.match.moves) == 1
        assert not kittens.panel.status().begun
        assert kittens.panel.status() == before
        assert kittens.table.snapshot.version == version


class TestTrying:
    """Lamps and buttons tried one by one, before anybody plays."""

    def test_one_lamp_shines_and_a_press_is_but_noted(self, at: At) -> None:
        at.panel.try_out(1)
        at.wait(0.1)
        assert (at.lamp(CAT_LAMP), at.lamp(DOG_LAMP)) == (0, FULL)
        at.press(DOG_BUTTON)
        assert at.panel.status().tried == ("2",)
        assert not at.seat("dog").done
        assert at.table.match.n == 0

    def test_it_ends_once_no_page_asks_for_it(self, at: At) -> None:
        at.panel.try_out(1)
        at.wait(TRY_S + 0.1)
        assert at.panel.status().tried is None
        assert at.lamp(CAT_LAMP) == FULL
        at.press(CAT_BUTTON)
        assert at.seat("cat").done

    def test_the_next_trial_begins_with_no_button_pressed(self, at: At) -> None:
        at.panel.try_out(0)
        at.press(CAT_BUTTON)
        at.wait(TRY_S + 1)
        assert at.panel.try_out(0).tried == ()


class TestSettings:
    """What is set while the panel is in use."""

    def test_a_clock_holds_at_once_for_the_match_on_the_table(self, at: At) -> None:
        assert at.seat("cat").left_s is None
        at.panel.set_clock(ClockRules(reserve_s=60.0))
        at.press(CAT_BUTTON)
        assert at.seat("dog").left_s == 60.0
        assert at.panel.counts_down
        at.panel.set_clock(COUNTS)
        assert at.seat("cat").left_s is None

    def test_a_silent_panel_does_not_beep_when_it_refuses(self, at: At) -> None:
        at.panel.let_beep(on=False)
        at.press(DOG_BUTTON)
        assert at.seat("dog").rule == "press-out-of-turn"
        assert at.lamp(BUZZER) == 0


def test_a_panels_file_says_what_presses_do(table: Table, pins: MockFactory, kept: Path) -> None:
    actions = {"press": "done", "hold": "call", "both": "undo"}
    calls: list[str] = []
    at = At(table, pins, read_wiring(actions=actions), kept, on_other=calls.append)
    table.play(OPENING[0], "phone")
    at.wait(1)
    at.press(DOG_BUTTON)
    assert at.seat("dog").done
    at.press(CAT_BUTTON, 2.0)
    assert (calls, len(table.match.moves)) == (["call"], 1)
    at.down(CAT_BUTTON)
    at.press(DOG_BUTTON, 4.0)
    assert not table.match.moves
    assert at.panel.status().actions.hold == "call"


def test_a_further_button_does_what_the_panels_file_says_of_its_name(
    table: Table, pins: MockFactory, kept: Path
) -> None:
    wiring = read_wiring(
        actions={"buttons": {"bell": "ask-standing", "pass": "next", "home": "ask-turn"}},
        beside={"buttons": {"bell": 7, "pass": 8}},
    )
    asked: list[str] = []
    at = At(table, pins, wiring, kept, on_other=asked.append)
    at.press(7)
    assert asked == ["ask-standing"]
    at.panel.button("home", "tap")
    assert asked == ["ask-standing", "ask-turn"], "one that the panel does not wire"
    at.press(8)
    assert at.seat("cat").done, "it is a press of the seat in turn"
    at.panel.try_out(0)
    at.press(7)
    assert at.panel.status().tried == ("bell",)
    assert len(asked) == 2
