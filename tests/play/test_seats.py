"""Who sits where: kept beside the journal, by hashes alone, from match to match."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion import files
from companion.errors import UserError
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import Player, Seats, phone_of
from companion.play.table import Table

ADA, BO = phone_of("ada's secret"), phone_of("bo's secret")
RACE = ("cat", "mouse")
ROUND = ("north", "east", "south")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.seats.json"


@pytest.fixture
def seats(path: Path) -> Seats:
    """Ada sits at north, Bo at east."""
    made = Seats(path)
    made.go_on(1, ROUND, new=True)
    assert made.take_seat("north", ADA)
    assert made.take_seat("east", BO)
    return made


def test_at_a_new_match_phones_sit_in_the_same_order_or_as_a_lot_has_drawn(seats: Seats) -> None:
    seats.go_on(2, ROUND, new=True)
    assert (seats.seating.seat_of(ADA), seats.seating.seat_of(BO)) == ("north", "east")
    seats.go_on(3, ROUND, new=True, order=("south", "north", "east"))
    assert (seats.seating.seat_of(ADA), seats.seating.seat_of(BO)) == ("south", "north")
    assert [place.seat for place in seats.at(3).places] == list(ROUND)


def test_a_phone_sits_where_it_sat_down(seats: Seats) -> None:
    assert (seats.seating.seat_of(ADA), seats.seating.seat_of(BO)) == ("north", "east")
    assert (seats.seating.taken, seats.free()) == (("north", "east"), ("south",))


@pytest.mark.parametrize("phone", ["", phone_of("guessed"), "north"])
def test_another_sits_nowhere(seats: Seats, phone: str) -> None:
    assert seats.seating.seat_of(phone) is None


def test_a_seat_is_not_taken_twice(seats: Seats) -> None:
    assert not seats.take_seat("north", phone_of("another"))
    assert not seats.take_seat("west", phone_of("another"))
    assert seats.seating.seat_of(ADA) == "north"


def test_who_takes_another_seat_gives_up_the_first(seats: Seats) -> None:
    assert seats.take_seat("south", phone_of("new"), former=ADA)
    assert seats.seating.taken == ("east", "south")
    assert seats.seating.seat_of(ADA) is None


def test_a_phone_that_is_thrown_out_sits_nowhere_at_once(seats: Seats) -> None:
    assert seats.evict("north")
    assert not seats.evict("north")
    assert seats.seating.seat_of(ADA) is None
    assert seats.take_seat("north", phone_of("newcomer"))


def test_a_restart_changes_nothing(seats: Seats, path: Path) -> None:
    again = Seats(path)
    assert (again.seating.seat_of(ADA), again.seating.seat_of(BO)) == ("north", "east")
    seats.release(ADA)
    assert Seats(path).seating.seat_of(ADA) is None


def test_who_has_seen_a_dealt_hand_is_kept_after_leaving_and_over_a_restart(seats: Seats, path: Path) -> None:
    assert seats.place("north").is_face_down
    seats.pick_up(ADA)
    assert not seats.place("north").is_face_down
    seats.release(ADA)
    again = Seats(path)
    again.go_on(1, ROUND)
    assert again.place("north").others == 1
    assert again.take_seat("north", phone_of("another"))
    assert again.place("north").is_face_down
    assert again.take_seat("south", phone_of("Ada again"), former=ADA)
    assert again.place("north").seen == (phone_of("Ada again"),)


def test_who_sat_when_the_cards_were_dealt_has_its_hand(seats: Seats) -> None:
    seats.go_on(2, ROUND, new=True)
    assert not seats.place("north").is_face_down
    assert seats.place("south").seen == ()


def test_no_secret_stands_in_the_file_and_nobody_else_may_read_it(seats: Seats, path: Path) -> None:
    assert "secret" not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0


def test_a_new_match_is_sat_at_in_the_same_order(seats: Seats) -> None:
    seats.go_on(2, RACE, new=True)
    assert (seats.seating.seat_of(ADA), seats.seating.seat_of(BO)) == ("cat", "mouse")
    seats.go_on(3, ROUND, new=True)
    assert (seats.seating.seat_of(ADA), seats.seating.seat_of(BO)) == ("north", "east")


def test_who_finds_no_seat_at_a_new_match_stands(seats: Seats) -> None:
    cy = phone_of("cy")
    seats.take_seat("south", cy)
    seats.go_on(2, RACE, new=True)
    assert seats.seating.seat_of(cy) is None


def test_a_match_gone_on_with_is_sat_at_by_those_who_sat_there(seats: Seats) -> None:
    seats.go_on(2, RACE, new=True)
    seats.evict("cat")
    cy = phone_of("cy")
    seats.take_seat("cat", cy)
    seats.go_on(1, ROUND)
    assert seats.seating.seat_of(cy) is None
    assert seats.seating.seat_of(BO) == "east"


def test_who_was_thrown_out_is_so_from_every_match(seats: Seats) -> None:
    seats.go_on(2, RACE, new=True)
    seats.evict("cat")
    seats.go_on(1, ROUND)
    assert seats.seating.seat_of(ADA) is None


def test_at_a_match_from_elsewhere_nobody_sits(seats: Seats) -> None:
    seats.go_on(9, ROUND)
    assert seats.seating.taken == ()


def test_a_file_that_cannot_be_read_is_no_hindrance(
    seats: Seats, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_text('{"sittings": [')
    with caplog.at_level(logging.WARNING):
        again = Seats(path)
    assert again.seating.taken == ()
    assert "was damaged" in caplog.text


class TestFullDisk:
    """What cannot be kept is not done; but who is thrown out is out, and it is said."""

    @pytest.fixture(autouse=True)
    def full(self, seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
        def no_room(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("companion.files.os.fsync", no_room)

    def test_nobody_sits_down(self, seats: Seats) -> None:
        with pytest.raises(UserError, match="free some space"):
            seats.take_seat("south", phone_of("cy"))
        assert seats.free() == ("south",)

    def test_a_phone_is_out_all_the_same(self, seats: Seats) -> None:
        with pytest.raises(UserError, match="free some space"):
            seats.evict("north")
        assert seats.seating.seat_of(ADA) is None

    def test_a_new_match_is_begun_all_the_same(self, seats: Seats, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.WARNING):
            seats.go_on(2, RACE, new=True)
        assert seats.seating.seat_of(ADA) == "cat"
        assert "free some space" in caplog.text


def test_a_journal_in_memory_keeps_no_seats(journal: Journal) -> None:
    assert Seats.beside(Journal(Path(":memory:")))._file.path is None
    assert Seats.beside(journal)._file.path == journal.path.with_name("journal.seats.json")


def test_the_table_seats_its_guests(journal: Journal, whispers: str) -> None:
    table = Table(journal, Match.begin(journal, whispers, {}, 3))
    table.seats.take_seat("north", ADA)
    first = table.match.record.id
    table.begin("cat-and-mouse", {})
    assert table.seats.seating.seat_of(ADA) == "cat"
    table.seats.evict("cat")
    table.resume(first)
    assert table.seats.seating.taken == ()
    table.seats.take_seat("south", BO)
    assert Table.open(journal, whispers).seats.seating.seat_of(BO) == "south"


def test_who_holds_a_phone_is_kept_over_matches_and_restarts_until_it_leaves(tmp_path: Path) -> None:
    seats = Seats(tmp_path / "seats.json")
    seats.go_on(1, ("cat", "dog"))
    seats.take_seat("dog", "phone", player=Player("Mei", "green"))
    seats.go_on(2, ("cat", "mouse"), new=True)
    assert seats.players() == {"mouse": Player("Mei", "green")}
    seats.take_seat("cat", "renamed", former="phone")
    again = Seats(tmp_path / "seats.json")
    assert again.players() == {"cat": Player("Mei", "green")}
    again.release("renamed")
    again.take_seat("cat", "renamed")
    assert again.players() == {}


def played(journal: Journal) -> Table:
    """A table with a match in which something was done."""
    match = Match.begin(journal, "cat-and-mouse", {})
    match.play({"move": "throw", "dice": [3, 5]}, "phone")
    return Table(journal, match)


def test_a_journal_put_in_the_place_of_another_seats_nobody_at_its_matches(tmp_path: Path) -> None:
    here, away = tmp_path / "here", tmp_path / "away"
    ours = Journal(here / "journal.sqlite", clock=lambda: "2026-01-01T10:00:00.000Z")
    played(ours).seats.take_seat("cat", ADA)
    ours.close()
    here.rename(away)
    here.mkdir()
    (here / "journal.seats.json").write_bytes((away / "journal.seats.json").read_bytes())
    theirs = Journal(here / "journal.sqlite", clock=lambda: "2026-01-02T10:00:00.000Z")
    assert played(theirs).seats.seating.taken == ()
    theirs.close()
    (away / "journal.seats.json").write_bytes((here / "journal.seats.json").read_bytes())
    back = Journal(away / "journal.sqlite")
    assert Seats.beside(back).at(1).seat_of(ADA) == "cat"
    back.close()


def test_an_older_file_with_a_number_below_0_is_read(journal: Journal) -> None:
    identity = played(journal).snapshot.match.record.identity
    sitting = {"match": -1, "identity": identity, "places": [{"seat": "cat", "phone": ADA}]}
    files.write_sealed(journal.path.with_suffix(".seats.json"), {"sittings": [sitting]})
    assert Seats.beside(journal).at(1).seat_of(ADA) == "cat"
