"""Clocks that run, stand and come back; buttons and pins that fail; the panel's own thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import InvalidMove
from companion.games.watching import Tile
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service import panel_inputs as panels
from companion.service.panel import SAVE_S, TablePanel
from companion.service.panel_inputs import PAGE_SILENT_S
from companion.service.panel_state import CAMERA_S, LATE_S, ClockFile
from companion.service.turn_clock import AtZero, ClockRules
from hardware.panel.presses import STUCK_S
from hardware.panel.wires import Wires
from hardware.panel.wiring import read_wiring
from tests.conftest import BED, OPENING
from tests.panel.conftest import BUZZER, CAT_BUTTON, DOG_BUTTON, DOG_LAMP, STATUS_LAMP, WHOLE, At
from tests.panel.test_wires import UnluckyPin

CAT_1 = Tile("cat", 1, 0, 5, 3)


class ShortedPin(MockPWMPin):
    """A pin whose button's contact is closed before anybody looks: no pull can lift it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == f"GPIO{CAT_BUTTON}":
            self.drive_low()


PATIENCE_S = 30.0
"""Seconds for what comes soon, on a machine with much else to do."""


def until(done: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    ends = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.005)


class TestClock:
    """Whose time runs, and since when."""

    def test_time_stands_until_somebody_presses_or_plays(self, at: At) -> None:
        at.wait(600)
        assert not at.panel.status().begun
        assert at.seat("cat").spent_s == 0
        at.table.play(OPENING[0], "phone")
        at.wait(30)
        assert at.panel.status().begun
        assert at.seat("dog").spent_s == pytest.approx(30, abs=0.2)
        assert (at.seat("dog").running, at.seat("cat").running) == (True, False)

    def test_the_time_that_the_camera_needs_is_nobodys(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(20)
        at.press(DOG_BUTTON)
        at.wait(5)
        assert at.seat("dog").spent_s == pytest.approx(20.2, abs=0.2)
        at.table.play(OPENING[1], "camera")
        at.wait(7)
        assert at.seat("dog").spent_s == pytest.approx(20.2, abs=0.2)
        assert at.seat("cat").spent_s == pytest.approx(7, abs=0.2)

    def test_who_presses_without_a_move_wins_no_time(self, at: At) -> None:
        at.press(CAT_BUTTON)
        for _ in range(5):
            at.wait(CAMERA_S - 1)
            at.press(CAT_BUTTON)
        assert at.seat("cat").spent_s == pytest.approx(5 * (CAMERA_S - 1) - CAMERA_S, abs=2)
        assert at.pattern("cat") == "waiting"

    def test_in_a_pause_and_after_the_end_no_time_runs(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(10)
        at.panel.button("pause", "tap")
        at.wait(100)
        assert at.seat("dog").spent_s == pytest.approx(10, abs=0.2)
        assert not at.seat("dog").running

    def test_it_is_kept_across_a_restart_and_stands_until_play_goes_on(
        self, at: At, pins: MockFactory, kept: Path, journal: Journal
    ) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(42)
        at.panel.stop()
        again = At(Table.open(journal, BED), MockFactory(pin_class=MockPWMPin), read_wiring(), kept)
        again.wait(500)
        assert again.seat("dog").spent_s == pytest.approx(42, abs=0.2)
        again.table.play(OPENING[1], "phone")
        again.wait(3)
        assert again.seat("cat").spent_s == pytest.approx(3, abs=0.2)

    def test_after_a_power_cut_at_most_a_minute_is_lost(self, at: At, kept: Path, journal: Journal) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(3 * SAVE_S + 40)
        # Nobody stops anything: the next one finds what lies on the disk.
        spent_s = ClockFile(kept).read_clock(at.table.match.record.id).spent_s["dog"]
        assert 3 * SAVE_S - 1 <= spent_s <= 3 * SAVE_S + 40

    def test_a_pause_is_kept_too(self, at: At, kept: Path, journal: Journal) -> None:
        at.table.play(OPENING[0], "phone")
        at.panel.button("pause", "tap")
        again = At(Table.open(journal, BED), MockFactory(pin_class=MockPWMPin), read_wiring(), kept)
        assert again.panel.status().paused
        assert again.pattern("dog") == "paused"

    def test_each_match_has_its_own(self, at: At) -> None:
        first = at.table.match.record.id
        at.table.play(OPENING[0], "phone")
        at.wait(20)
        at.table.begin(BED, {})
        at.wait(20)
        assert at.seat("dog").spent_s == at.seat("cat").spent_s == 0
        at.table.resume(first)
        at.wait(20)
        assert at.seat("dog").spent_s == pytest.approx(20, abs=0.2)

    def test_at_the_limit_the_buzzer_sounds_once_and_play_goes_on(
        self, table: Table, pins: MockFactory, kept: Path
    ) -> None:
        at = At(table, pins, read_wiring(**WHOLE), kept, rules=ClockRules(reserve_s=60.0))
        table.play(OPENING[0], "phone")
        at.wait(59.5)
        pins.pin(BUZZER).clear_states()
        at.wait(0.6)
        assert pins.pin(BUZZER).state
        at.wait(30)
        pins.pin(BUZZER).assert_states([False, True, False])
        assert at.panel.status().clock.reserve_s == 60.0
        table.play(OPENING[1], "phone")
        assert len(table.match.moves) == 2

    def test_in_the_last_ten_seconds_the_lamp_blinks_with_the_seconds(
        self, table: Table, pins: MockFactory, kept: Path
    ) -> None:
        at = At(table, pins, read_wiring(), kept, rules=ClockRules("turn", 30.0))
        table.play(OPENING[0], "phone")
        at.wait(19.9)
        assert at.pattern("dog") == "your-turn"
        for tenths in range(1, 100):
            at.wait(0.1)
            left_s = at.seat("dog").left_s
            assert left_s == pytest.approx(10.1 - tenths / 10, abs=0.2)
            if tenths % 5 not in (0, 1):  # the lamp is on in the first half of each second
                assert (at.lamp(DOG_LAMP) > 0) == ((-left_s) % 1 < 0.5), left_s
        assert at.pattern("dog") == "last-seconds"
        table.play(OPENING[1], "phone")
        at.wait(0.1)
        assert (at.pattern("dog"), at.pattern("cat")) == ("off", "your-turn")
        assert at.seat("dog").left_s == 30

    def test_who_runs_out_loses_where_that_is_chosen_and_undo_takes_it_back(
        self, table: Table, pins: MockFactory, kept: Path
    ) -> None:
        at = At(table, pins, read_wiring(), kept, rules=ClockRules("total", 30.0, at_zero="lost"))
        table.play(OPENING[0], "phone")
        at.wait(31)
        outcome = table.match.outcome
        assert outcome is not None
        assert (outcome.reason, outcome.winners, outcome.stopped) == ("stopped-late", ("cat",), False)
        assert at.pattern("cat") == "over"
        table.undo("phone")
        at.wait(60)
        assert table.match.outcome is None  # it is lost once: what is taken back goes on
        table.play(OPENING[1], "phone")
        at.wait(31)
        assert table.match.outcome.winners == ("dog",)

    @pytest.mark.parametrize("at_zero", ["nothing", "sound", "lost"])
    def test_advice_ends_nothing(self, table: Table, pins: MockFactory, kept: Path, at_zero: AtZero) -> None:
        at = At(table, pins, read_wiring(**WHOLE), kept, rules=ClockRules("advisory", 30.0, at_zero=at_zero))
        table.play(OPENING[0], "phone")
        at.wait(29.5)
        pins.pin(BUZZER).clear_states()
        at.wait(30)
        assert table.match.outcome is None
        pins.pin(BUZZER).assert_states([False] if at_zero == "nothing" else [False, True, False])

    def test_undo_gives_the_time_back_even_after_a_restart(
        self, table: Table, pins: MockFactory, kept: Path, journal: Journal
    ) -> None:
        fischer = ClockRules("fischer", 300.0, 10.0)
        at = At(table, pins, read_wiring(), kept, rules=fischer)
        table.play(OPENING[0], "phone")
        at.wait(40)
        before = at.seat("dog").left_s
        table.play(OPENING[1], "phone")
        at.wait(25)
        assert at.seat("dog").left_s == pytest.approx(270, abs=0.1)
        at.panel.stop()
        pins.reset()
        table = Table.open(journal, BED)
        again = At(table, MockFactory(pin_class=MockPWMPin), read_wiring(), kept, rules=fischer)
        table.undo("phone")
        again.panel.step()
        assert again.seat("dog").left_s == before
        assert again.seat("cat").left_s == 310
        assert again.panel.shares(table.match.record.id) == {"dog": 100}

    def test_an_hour_of_play_writes_little(self, at: At, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        written: list[int] = []
        write = ClockFile.write

        def counted(self: ClockFile, match: int, spent: object) -> None:
            write(self, match, spent)  # type: ignore[arg-type]
            written.append(kept.stat().st_size)

        monkeypatch.setattr(ClockFile, "write", counted)
        at.table.play(OPENING[0], "phone")
        for _ in range(60):
            at.wait(57)
            at.press(DOG_BUTTON)
            at.wait(1)
            at.panel.button("pause", "tap")
            at.wait(2)
            at.panel.button("pause", "tap")
        assert len(written) <= 60 * 5
        assert max(written) < 4096  # one block of a file system each


class TestFaults:
    """What does not work is said, and the rest does."""

    def test_a_button_that_is_down_from_the_start_is_stuck_and_takes_nothing_back(
        self, table: Table, kept: Path
    ) -> None:
        pins = MockFactory(pin_class=ShortedPin)
        table.play(OPENING[0], "phone")
        at = At(table, pins, read_wiring(), kept)
        at.wait(5)
        (fault,) = at.panel.status().faults
        assert (fault.part, fault.seat, fault.gpio, fault.pin, fault.why) == ("button", 0, 17, 11, "stuck")
        assert len(table.match.moves) == 1
        at.press(DOG_BUTTON)
        assert at.seat("dog").done
        at.up(CAT_BUTTON)
        at.wait(1)
        assert at.panel.status().faults == ()

    def test_a_button_that_gets_stuck_is_said_and_left_aside(
        self, at: At, caplog: pytest.LogCaptureFixture
    ) -> None:
        at.down(CAT_BUTTON)
        at.wait(STUCK_S + 1)
        assert [fault.why for fault in at.panel.status().faults] == ["stuck"]
        assert "The button of seat 1 (GPIO17, header pin 11) is held down all the time" in caplog.text
        at.table.play(OPENING[0], "phone")
        at.wait(1)
        at.press(DOG_BUTTON)
        assert at.seat("dog").done
        at.wait(10)
        assert not at.panel.status().paused
        at.panel.button("cat", "tap")  # the page's button of that seat still counts
        assert at.seat("cat").rule == "press-out-of-turn"

    def test_an_edge_that_was_lost_is_found_within_a_second(self, at: At) -> None:
        at.down(CAT_BUTTON)
        at.wait(0.1)
        at.pins.pin(CAT_BUTTON).drive_high()
        at.wires.edges()  # nobody hears of it
        at.wait(0.3)
        assert at.panel._inputs.presses.due_s() < 1e9
        at.wait(1)
        assert len(at.panel.status().faults) == 0
        assert at.panel._inputs.presses.due_s() > 1e9

    def test_pins_in_use_are_said_on_the_page_and_tried_again(self, table: Table, kept: Path) -> None:
        pins = MockFactory(pin_class=UnluckyPin)
        UnluckyPin.busy.update({CAT_BUTTON, STATUS_LAMP})
        try:
            at = At(table, pins, read_wiring(**WHOLE), kept)
            assert {(fault.part, fault.gpio, fault.pin, fault.why) for fault in at.panel.status().faults} == {
                ("button", 17, 11, "in-use"),
                ("status", 4, 7, "in-use"),
            }
            at.press(DOG_BUTTON)
            assert at.pattern("dog") == "no"
            UnluckyPin.busy.clear()
            at.wait(panels.RETRY_S + 1)
            assert at.panel.status().faults == ()
            at.press(CAT_BUTTON)
            assert at.seat("cat").done
        finally:
            UnluckyPin.busy.clear()

    def test_a_button_whose_pin_goes_away_while_it_is_held_takes_nothing_back(
        self, table: Table, kept: Path
    ) -> None:
        pins = MockFactory(pin_class=UnluckyPin)
        table.play(OPENING[0], "phone")
        try:
            at = At(table, pins, read_wiring(), kept)
            at.wait(0.8)
            at.down(DOG_BUTTON)
            UnluckyPin.broken.add(DOG_BUTTON)
            at.wait(5)
            assert len(table.match.moves) == 1
            assert [fault.why for fault in at.panel.status().faults] == ["broken"]
        finally:
            UnluckyPin.broken.clear()


class TestPage:
    """The same panel without wires."""

    @pytest.fixture
    def bare(self, table: Table) -> TablePanel:
        """A panel with no wires."""
        return TablePanel(table)

    def test_a_tap_there_is_a_press(self, bare: TablePanel) -> None:
        assert bare.button("dog", "tap").seats[1].pattern == "no"
        assert bare.button("cat", "tap").seats[0].done
        assert not bare.status().wired

    def test_a_hold_there_is_a_hold_as_long_as_it_is_said(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        for _ in range(4):
            at.panel.button("cat", "down")
            at.wait(0.4)
        assert len(at.table.match.moves) == 0

    def test_a_page_that_falls_silent_has_let_go(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.panel.button("cat", "down")
        at.wait(0.7)
        assert at.pattern("cat") == "undoing"
        at.wait(PAGE_SILENT_S)
        assert at.pattern("cat") == "off"
        assert len(at.table.match.moves) == 1

    @pytest.mark.parametrize("late_s", [0.9, 5])
    def test_a_short_press_over_a_slow_network_is_a_press(self, at: At, late_s: float) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(LATE_S + 1)
        at.panel.button("dog", "down")
        at.wait(late_s)
        at.panel.button("dog", "up", 0.2)
        assert at.seat("dog").done
        assert len(at.table.match.moves) == 1

    def test_a_hold_that_comes_late_at_once_is_no_press(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.wait(LATE_S + 1)
        at.panel.button("dog", "down")
        at.panel.button("dog", "up", 0.9)
        assert not at.seat("dog").done

    def test_undo_over_a_slow_network_takes_one_move_back(self, at: At) -> None:
        for move in OPENING[:2]:
            at.table.play(move, "phone")
        at.panel.button("undo", "down")
        at.wait(5)
        at.panel.button("undo", "up", 0.2)
        assert len(at.table.match.moves) == 1

    def test_what_is_cancelled_means_nothing(self, at: At) -> None:
        at.table.play(OPENING[0], "phone")
        at.panel.button("dog", "down")
        at.panel.button("dog", "cancel")
        at.wait(1)
        assert not at.seat("dog").done

    def test_wire_and_page_together_pause(self, at: At) -> None:
        at.down(CAT_BUTTON)
        for _ in range(8):
            at.panel.button("dog", "down")
            at.wait(0.4)
        assert at.panel.status().paused

    def test_another_button_is_refused(self, bare: TablePanel) -> None:
        with pytest.raises(InvalidMove, match="no seat fox"):
            bare.button("fox", "tap")

    def test_pages_are_woken_when_a_lamp_changes_and_not_without(self, at: At) -> None:
        version = at.table.snapshot.version
        at.panel.button("dog", "tap")
        assert at.table.snapshot.version > version
        at.wait(1)
        version = at.table.snapshot.version
        at.wait(120)
        assert at.table.snapshot.version == version


class TestThread:
    """The panel as it runs."""

    def test_it_hears_wires_and_table_by_itself_and_ends_when_told(
        self, table: Table, kept: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # However long this machine takes from low to high: it is a press.
        monkeypatch.setattr("hardware.panel.presses.FADE_AFTER_S", PATIENCE_S)
        pins = MockFactory(pin_class=MockPWMPin)
        panel = TablePanel(table, Wires(read_wiring(), pin_factory=pins), kept=kept)
        panel.start()
        until(lambda: pins.pin(27).state == 0.6)
        pins.pin(CAT_BUTTON).drive_low()
        time.sleep(0.05)
        pins.pin(CAT_BUTTON).drive_high()
        until(lambda: panel.status().seats[0].done)
        Thread(target=table.play, args=(OPENING[0], "phone")).start()
        until(lambda: pins.pin(24).state == 0.6)
        panel.stop()
        assert not pins.pin(24).state
        panel.stop()

    def test_whatever_trips_it_does_not_end_it(
        self, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(panels, "IDLE_S", 0.02)
        panel = TablePanel(table)
        works = panel._state.patterns
        monkeypatch.setattr(panel._state, "patterns", lambda now: 1 / 0)
        panel.start()
        until(lambda: "panel failed" in caplog.text)
        monkeypatch.setattr(panel._state, "patterns", works)
        table.play(OPENING[0], "phone")
        until(lambda: panel.status().seats[1].pattern == "your-turn")
        panel.stop()

    def test_it_rests_while_nothing_happens(self, at: At) -> None:
        steps, at.clock.now_s = 0, at.clock.now_s + 1
        ends = at.clock.now_s + 60
        while at.clock.now_s < ends:
            at.clock.now_s += max(0.001, min(panels.IDLE_S, at.panel.step()))
            steps += 1
        assert steps < 100

    def test_other_matches_bring_other_seats(self, at: At) -> None:
        at.table.begin("cat-and-mouse", {})
        at.wait(0.1)
        assert [seat.seat for seat in at.panel.status().seats] == ["cat", "mouse"]
        assert {seat.pattern for seat in at.panel.status().seats} == {"your-turn"}
        at.press(CAT_BUTTON)
        assert (at.pattern("cat"), at.pattern("mouse")) == ("off", "your-turn")
        at.table.play({"move": "throw", "dice": [6, 5]}, "phone")
        at.table.play({"move": "throw", "dice": [1, 2]}, "phone")
        at.wait(0.1)
        assert (at.pattern("cat"), at.pattern("mouse")) == ("your-turn", "off")

    def test_a_match_that_is_over_is_taken_up_quietly(
        self, journal: Journal, pins: MockFactory, kept: Path
    ) -> None:
        table = Table(
            journal,
            Match.begin(journal, BED, {"board": 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'}),
        )
        table.play({"move": "lay", "owner": "cat", "digit": 1, "turns": 0, "row": 0, "col": 0}, "phone")
        table.play({"move": "lay", "owner": "dog", "digit": 1, "turns": 0, "row": 0, "col": 1}, "phone")
        at = At(table, pins, read_wiring(), kept)
        assert "over" not in {seat.pattern for seat in at.panel.status().seats}
