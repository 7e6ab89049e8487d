"""The figures for `companion bench`."""

from __future__ import annotations

import pytest

from companion.games.registry import games
from companion.play.journal import Journal
from lab.bench import history


def test_the_journal_that_is_measured_holds_matches_of_all_games(journal: Journal) -> None:
    history.keep_matches(journal)
    summaries = journal.summaries()
    assert len(summaries) == history.MATCHES
    assert {record.game for record, _ in summaries} == games().keys()
    assert all(summary is not None and summary.moves for _, summary in summaries)


def test_what_is_measured_has_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MATCHES", 10)
    measures = {each.name: each for each in history.measures()}
    assert measures.keys() == {"history: the page", "history: the command's rows"}
    assert all(each.limit_ms == 50 and each.value_ms > 0 for each in measures.values())
