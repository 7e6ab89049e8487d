"""A summary is kept with each entry, and says what playing the match back would say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import MoveError, UserError
from companion.play.journal import Journal, JournalError
from companion.play.match import Match, summary_of
from companion.play.schema import Summary
from companion.play.table import Table
from tests.conftest import BED, OPENING
from tests.whispers.moves import DRAW, lay, tell


def kept(journal: Journal, match: int) -> Summary | None:
    """The summary that a journal holds of a match."""
    return {record.id: summary for record, summary in journal.summaries()}[match]


def test_a_new_match_has_one_at_once(journal: Journal) -> None:
    match = Match.begin(journal, BED, {})
    assert kept(journal, match.record.id) == Summary(
        n=0, moves=0, seats=("cat", "dog"), players={}, turn="cat", outcome=None,
        can_undo=False, can_redo=False, by="",
    )  # fmt: skip


def test_it_is_written_with_each_entry(journal: Journal, match: Match) -> None:
    match.name_players({"cat": "Ada"}, "phone")
    match.play_all(OPENING[:2], "camera")
    match.undo("button")
    assert kept(journal, match.record.id) == Summary(
        n=4, moves=1, seats=("cat", "dog"), players={"cat": "Ada"}, turn="dog", outcome=None,
        can_undo=True, can_redo=True, by="button",
    )  # fmt: skip


def test_it_tells_how_a_match_ended(journal: Journal) -> None:
    tiny = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'
    match = Match.begin(journal, BED, {"board": tiny})
    while match.outcome is None:
        match.play(next(iter(match.game.legal_moves(match.state))), "phone")
    summary = kept(journal, match.record.id)
    assert summary is not None
    assert summary.outcome is not None
    assert summary.outcome.points.keys() == {"cat", "dog"}
    assert summary.turn is None


@pytest.mark.parametrize("table", ["summary", "entry"])
def test_entries_and_their_summary_are_kept_together_or_not_at_all(
    journal: Journal, match: Match, table: str
) -> None:
    before = kept(journal, match.record.id)
    broken = f"CREATE TRIGGER broken BEFORE INSERT ON {table} WHEN new.n = 2"
    journal._connection.execute(f"{broken} BEGIN SELECT RAISE(FAIL, 'disk'); END")
    with pytest.raises(JournalError):
        match.play_all(OPENING[:2], "phone")
    assert journal.entries(match.record.id) == []
    assert kept(journal, match.record.id) == before
    assert (match.n, len(match.moves)) == (0, 0)
    journal._connection.execute("DROP TRIGGER broken")
    match.play_all(OPENING[:2], "phone")
    assert match.n == len(journal.entries(match.record.id)) == 2


def test_of_an_entry_written_without_one_the_match_is_played_back(journal: Journal, match: Match) -> None:
    match.play(OPENING[0], "phone")
    journal.append(match.record.id, 2, "move", dict(OPENING[1]), "phone")
    assert kept(journal, match.record.id) is None
    summary, cut = summary_of(journal, match.record, None)
    assert not cut
    assert (summary.n, summary.moves, summary.turn) == (2, 2, "cat")


def test_it_holds_nothing_that_a_seat_keeps_to_itself(journal: Journal, whispers: str) -> None:
    secretive, frank = (Match.begin(journal, whispers, {}) for _ in range(2))
    for match in (secretive, frank):
        match.play_all([DRAW] * 4, "phone")
    secretive.play(tell("north", 4), "button", seat="north")
    secretive.play(tell("north", 5), "button", seat="north")
    secretive.undo("button", seat="north")
    bodies = journal._connection.execute("SELECT body FROM summary").fetchall()
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]


Do = tuple[str, int]
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(
            (
                "draw",
                "draw",
                "lay",
                "tell",
                "tell",
                "undo",
                "undo-north",
                "redo",
                "redo-north",
                "names",
                "resume",
            )
        ),
        st.integers(0, 9),
    ),
    max_size=30,
)


def plain(value: object) -> dict[str, Any]:
    """The fields of a value, as they cross a wire."""
    fields: dict[str, Any] = json.loads(msgspec.json.encode(value))
    return fields


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(deeds=DEEDS)
def test_whatever_is_done_it_says_what_playing_back_says(whispers: str, deeds: list[Do]) -> None:
    journal = Journal(Path(":memory:"))
    table = Table(journal, Match.begin(journal, whispers, {}))
    other = Match.begin(journal, whispers, {}).record.id
    for do, number in deeds:
        try:
            done(table, do, number, other)
        except MoveError:
            continue
    for record, summary in journal.summaries():
        assert summary is not None
        assert plain(Match(journal, record).view()).items() >= plain(summary).items()


def done(table: Table, do: str, number: int, other: int) -> None:
    """One deed at the table. Raises `MoveError`."""
    seat = "north" if do.endswith("north") else None
    match do.removesuffix("-north"):
        case "draw":
            table.play(DRAW, "phone")
        case "lay":
            table.play(lay(number), "phone")
        case "tell":
            table.play(tell("north", number), "phone", seat="north")
        case "undo":
            table.undo("phone", seat=seat)
        case "redo":
            table.redo("phone", seat=seat)
        case "names":
            table.name_players({"east": "Bo" * (number % 2)}, "phone")
        case _:
            table.resume(other if table.match.record.id != other else 1)


def test_a_match_whose_game_is_gone_says_so_though_it_was_summed_up(journal: Journal) -> None:
    summary = Match.begin(journal, BED, {}).snapshot.summary()
    record = journal.begin("gone-fishing", {}, 2, summary)
    with pytest.raises(UserError, match="gone-fishing"):
        summary_of(journal, record, kept(journal, record.id))


def test_a_match_is_found_by_its_number(journal: Journal) -> None:
    first, second = (Match.begin(journal, BED, {}).record for _ in range(2))
    assert (journal.match(first.id), journal.match(second.id)) == (first, second)
    assert journal.match(3) is None
