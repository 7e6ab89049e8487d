"""`companion run --player NAME … --lot`: who plays, and who draws which side."""

from __future__ import annotations

import pytest

from companion.commands.seating import name_players
from companion.errors import MendableError
from companion.play.journal import Journal
from companion.play.lot import draw_lots
from companion.play.match import Match
from companion.play.table import Table

BED = "this-bed-is-mine"


@pytest.fixture
def table(journal: Journal) -> Table:
    """A new match of the bed."""
    return Table.begun(journal, BED, {})


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
    monkeypatch.setattr("companion.commands.seating.draw_lots", lambda _: ("dog", "cat"))
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
    monkeypatch.setattr("companion.commands.seating.draw_lots", lambda _: other)
    name_players(table, ("Ada", "Bo"), by_lot=True)
    assert named(table) == before
    assert "not drawn again" in capsys.readouterr().out


@pytest.mark.parametrize(("players", "by_lot"), [(("Ada",), False), (("Ada", "Bo", "Cy"), True), ((), True)])
def test_there_must_be_a_name_for_each_seat(table: Table, players: tuple[str, ...], *, by_lot: bool) -> None:
    with pytest.raises(MendableError, match=r"2 seats \(cat, dog\); give --player 2 times"):
        name_players(table, players, by_lot=by_lot)
    assert table.match.n == 0


def test_without_names_nothing_is_done(table: Table) -> None:
    name_players(table, (), by_lot=False)
    assert table.match.n == 0


def test_a_lot_gives_each_seat_once_and_every_order_comes() -> None:
    orders = {draw_lots(("cat", "dog")) for _ in range(200)}
    assert orders == {("cat", "dog"), ("dog", "cat")}
