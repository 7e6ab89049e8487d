"""How long each seat has thought, and what is left of that after a restart."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.service.panel_state import MOST_KEPT, ChessClock, ClockFile, Spent


def test_time_runs_for_whom_it_is_told_to() -> None:
    clock = ChessClock()
    assert clock.run(frozenset({"cat"}), 100.0)
    assert not clock.run(frozenset({"cat"}), 105.0)
    assert clock.spent_s("cat", 110.0) == 10.0
    clock.run(frozenset({"dog"}), 112.0)
    clock.run(frozenset(), 115.0)
    assert clock.kept(200.0) == Spent({"cat": 12.0, "dog": 3.0})


def test_several_may_think_at_once() -> None:
    clock = ChessClock()
    clock.run(frozenset({"a", "b"}), 0.0)
    clock.run(frozenset({"b"}), 4.0)
    assert (clock.spent_s("a", 6.0), clock.spent_s("b", 6.0)) == (4.0, 6.0)


def test_it_goes_on_from_what_was_kept() -> None:
    clock = ChessClock(Spent({"cat": 60.0}, paused=True))
    assert clock.paused
    clock.run(frozenset({"cat"}), 5.0)
    assert clock.spent_s("cat", 6.5) == 61.5


def test_the_clocks_of_the_newest_matches_are_kept(tmp_path: Path) -> None:
    file = ClockFile(tmp_path / "clocks.json")
    assert file.read_clocks(1) == Spent()
    for match in range(1, MOST_KEPT + 3):
        file.write(match, Spent({"cat": float(match)}))
    again = ClockFile(tmp_path / "clocks.json")
    assert again.read_clocks(MOST_KEPT + 2).spent_s == {"cat": MOST_KEPT + 2.0}
    assert again.read_clocks(2) == Spent()
    assert [each.name for each in tmp_path.iterdir()] == ["clocks.json"]


def test_an_old_match_that_is_gone_on_with_is_kept_too(tmp_path: Path) -> None:
    file = ClockFile(tmp_path / "clocks.json")
    for match in range(2, MOST_KEPT + 3):
        file.write(match, Spent())
    file.write(1, Spent({"cat": 1.0}))
    assert file.read_clocks(1).spent_s == {"cat": 1.0}


@pytest.mark.parametrize("broken", [b"", b"{", b"[1]", b'{"1": {"spent_s": 3}}', b"\xff"])
def test_a_file_that_cannot_be_read_begins_anew_and_that_is_said(
    tmp_path: Path, broken: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "clocks.json"
    path.write_bytes(broken)
    file = ClockFile(path)
    assert file.read_clocks(1) == Spent()
    assert "was damaged" in caplog.text
    file.write(1, Spent({"cat": 2.0}))
    assert file.read_clocks(1).spent_s == {"cat": 2.0}


def test_a_folder_that_cannot_be_written_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    file = ClockFile(tmp_path / "taken" / "clocks.json")
    with caplog.at_level(logging.WARNING):
        file.write(1, Spent())
        file.write(1, Spent({"cat": 1.0}))
    assert caplog.text.count("cannot be kept") == 1
