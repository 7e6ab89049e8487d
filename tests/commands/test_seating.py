"""`companion run --player NAME … --lot`: who plays, and who draws which side."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.run import name_players, set_table
from companion.errors import UserError
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import draw_lots
from companion.play.table import Table, new_table
from tests.running import settings_of

BED = "this-bed-is-mine"


@pytest.fixture
def table(journal: Journal) -> Table:
    """A new match of the bed."""
    return new_table(journal, BED, {})


def named(table: Table) -> dict[str, str]:
    """Who sits where, by the names in the match."""
    return table.match.view().players


def test_names_are_given_in_the_order_of_the_seats(table: Table) -> None:
    name_players(table, ("Ada", "Bo"), by_lot=False)
    assert named(table) == {"cat": "Ada", "dog": "Bo"}
    name_players(table, ("Ada", "Bo"), by_lot=False)
    assert table.match.n == 1, "the same names once more are no news"


def test_a_lot_says_who_is_the_cat_and_is_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.commands.run.draw_lots", lambda _: ("dog", "cat"))
    name_players(table, ("Ada", "Bo"), by_lot=True)
    assert named(table) == {"cat": "Bo", "dog": "Ada"}
    assert capsys.readouterr().out == "By lot: Bo plays cat, Ada plays dog.\n"
    (entry,) = table.match.entries()
    assert entry.source == "lot"
    assert Match(table.journal, table.match.record).view().players == named(table)


def test_a_lot_is_drawn_once_for_a_match(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name_players(table, ("Ada", "Bo"), by_lot=True)
    before = named(table)
    other = ("dog", "cat") if before["cat"] == "Ada" else ("cat", "dog")
    monkeypatch.setattr("companion.commands.run.draw_lots", lambda _: other)
    name_players(table, ("Ada", "Bo"), by_lot=True)
    assert named(table) == before
    assert "not drawn again" in capsys.readouterr().out


@pytest.mark.parametrize(("players", "by_lot"), [(("Ada",), False), (("Ada", "Bo", "Cy"), True), ((), True)])
def test_there_must_be_a_name_for_each_seat(table: Table, players: tuple[str, ...], *, by_lot: bool) -> None:
    with pytest.raises(UserError, match=r"2 seats \(cat, dog\); give --player 2 times"):
        name_players(table, players, by_lot=by_lot)
    assert table.match.n == 0


def test_without_names_nothing_is_done(table: Table) -> None:
    name_players(table, (), by_lot=False)
    assert table.match.n == 0


def test_a_lot_gives_each_seat_once_and_every_order_comes() -> None:
    orders = {draw_lots(("cat", "dog")) for _ in range(200)}
    assert orders == {("cat", "dog"), ("dog", "cat")}


def test_virtual_people_take_over_no_match_that_people_began(home: Path, table: Table) -> None:
    settings = settings_of(table)
    _, played = set_table("virtual", None, {}, settings)
    first = played.match.record.id
    played.journal.close()
    _, played = set_table("virtual", None, {}, settings)
    assert played.match.record.id == first, "their own match goes on"
    played.seats.take_seat("cat", "a phone")
    played.name_players({"cat": "Mei"}, "phone")
    played.journal.close()
    _, played = set_table("virtual", None, {}, settings)
    assert played.match.record.id != first
    assert named(played) == {}
    assert played.seats.seating.taken == ()
    played.journal.close()
