"""What the broker has of the journal: nothing is left out, whatever becomes of matches and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.broker.cursor import Cursor, read_match
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED, OPENING
from tests.whispers.moves import DRAW, lay, tell


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the cursor is kept; it is not yet."""
    return tmp_path / "journal.broker.json"


@pytest.fixture
def table(journal: Journal) -> Table:
    """A table with two moves of its first match."""
    begun = Table(journal, Match.begin(journal, BED, {}))
    for move in OPENING[:2]:
        begun.play(move, "phone")
    return begun


def sent(cursor: Cursor) -> list[str]:
    """Send all that the broker lacks, and let it acknowledge that: the match and number of each entry."""
    ids = []
    for record in cursor.behind():
        reading = read_match(cursor.journal, "one", record, cursor.reached(record), language="en")
        for outgoing in reading.outgoing:
            cursor.reach(outgoing.match, outgoing.position)
            ids.append(outgoing.message.id.rpartition("-")[0])
    return ids


def test_the_first_broker_gets_the_match_on_the_table(table: Table, path: Path) -> None:
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    cursor = Cursor(path, table.journal, table.match.record.id)
    assert cursor.unsent("one") == 1
    assert sent(cursor) == ["2-1"]
    assert cursor.unsent("one") == 0


def test_a_match_that_is_resumed_goes_on_where_it_was(table: Table, path: Path) -> None:
    cursor = Cursor(path, table.journal, 1)
    assert sent(cursor) == ["1-1", "1-2"]
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    table.resume(1)
    table.play(OPENING[2], "phone")
    assert sent(cursor) == ["1-3", "2-1"]


def test_what_was_kept_of_the_cursor_holds_after_a_restart(table: Table, path: Path) -> None:
    cursor = Cursor(path, table.journal, 1)
    sent(cursor)
    cursor.write()
    table.play(OPENING[2], "phone")
    assert sent(Cursor(path, table.journal, 99)) == ["1-3"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_id_is_the_same_whenever_it_is_read(table: Table, path: Path, tmp_path: Path) -> None:
    def ids() -> list[str]:
        record = table.match.record
        after = Cursor(tmp_path / "none", table.journal, 1).reached(record)
        reading = read_match(table.journal, "one", record, after)
        return [each.message.id for each in reading.outgoing]

    first = ids()
    table.undo("phone")
    assert ids()[:2] == first
    assert len(set(ids())) == 3


def test_what_the_table_does_not_show_yet_is_read_with_its_next_news(table: Table, path: Path) -> None:
    record, shown = table.match.record, table.snapshot.match
    after = Cursor(path, table.journal, 1).reached(record)
    table.play(OPENING[2], "phone")
    early = read_match(table.journal, "one", record, after, playing=shown, language="en")
    assert [each.message.n for each in early.outgoing] == [1, 2]
    later = read_match(table.journal, "one", record, early.end, playing=table.snapshot.match, language="en")
    assert [each.message.n for each in later.outgoing] == [3]


@pytest.mark.parametrize("replayed", [False, True], ids=["on the table", "read again"])
def test_each_move_says_what_it_did_until_it_is_undone(table: Table, path: Path, replayed: bool) -> None:
    def said(language: str = "en") -> list[str]:
        record = table.match.record
        after = Cursor(path, table.journal, 1).reached(record)
        playing = None if replayed else table.snapshot.match
        reading = read_match(table.journal, "one", record, after, playing=playing, language=language)
        return [each.message.says for each in reading.outgoing]

    assert said() == ["Cat 1 is on the bed", "Dog 1 is on the bed"]
    table.name_players({"dog": "Mei"}, "phone")
    assert said() == ["Cat 1 is on the bed", "Mei 1 is on the bed", ""]
    assert said("ko")[0] == "고양이 1: 침대 위에 있음"
    table.undo("phone")
    assert said() == ["", "", "", ""]
    table.play(OPENING[1], "phone")
    assert said()[-1] == "Mei 1 is on the bed"


def test_after_a_damaged_cursor_everything_is_sent_once_more(table: Table, path: Path) -> None:
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    path.write_text('{"check": "not whole"', "utf-8")
    assert sent(Cursor(path, table.journal, 2)) == ["1-1", "1-2", "2-1"]


def test_another_journal_under_the_same_numbers_is_sent_whole(
    table: Table, path: Path, tmp_path: Path
) -> None:
    cursor = Cursor(path, table.journal, 1)
    sent(cursor)
    cursor.write()
    restored = Journal(tmp_path / "restored.sqlite")
    other = Table(restored, Match.begin(restored, BED, {}))
    for move in OPENING[:2]:
        other.play(move, "phone")
    assert sent(Cursor(path, restored, 1)) == ["1-1", "1-2"]
    restored.close()


def test_a_match_that_was_cut_and_went_on_is_sent_with_its_new_entries(table: Table, path: Path) -> None:
    cursor = Cursor(path, table.journal, 1)
    sent(cursor)
    entry = table.journal.stamped(2, "players", {"dog": "Bo"}, "phone")
    table.journal.append_all(1, [entry], None, cut="it could not be played")
    assert sent(cursor) == ["1-1", "1-2"]


def test_a_match_that_was_removed_is_not_published_until_it_is_brought_back(table: Table, path: Path) -> None:
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    cursor = Cursor(path, table.journal, 1)
    table.journal.remove(1)
    assert set(table.journal.ends()) == {2}
    assert (cursor.unsent("one"), sent(cursor)) == (1, ["2-1"])
    table.journal.bring_back(1)
    assert (cursor.unsent("one"), sent(cursor)) == (2, ["1-1", "1-2"])


def test_an_old_match_that_is_brought_back_after_the_first_broker_stays_old(table: Table, path: Path) -> None:
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    table.journal.remove(1)
    cursor = Cursor(path, table.journal, 2)
    table.journal.bring_back(1)
    assert sent(cursor) == ["2-1"]


def test_only_matches_that_changed_are_read_for_a_count(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    cursor = Cursor(path, table.journal, 1)
    assert cursor.unsent("one") == 3
    read: list[int] = []
    course = table.journal.course
    monkeypatch.setattr(table.journal, "course", lambda match: read.append(match) or course(match))
    assert (cursor.unsent("one"), read) == (3, [])
    table.play(OPENING[1], "phone")
    assert (cursor.unsent("one"), cursor.counted, read) == (4, 4, [2])


def test_entries_that_nobody_may_see_are_neither_sent_nor_counted(
    journal: Journal, path: Path, whispers: str
) -> None:
    table = Table(journal, Match.begin(journal, whispers, {}))
    cursor = Cursor(path, journal, 1)
    for move in [DRAW] * 4:
        table.play(move, "phone")
    table.play(tell("north", 4), "phone", seat="north")
    table.play(lay(4), "phone")
    assert sent(cursor) == [f"1-{n}" for n in range(1, 6)]
    table.play(tell("east", 3), "phone", seat="east")
    assert cursor.unsent("one") == 0
    assert sent(cursor) == []
