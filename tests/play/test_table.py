"""The table: one place where moves arrive, and all who wait are told."""

from __future__ import annotations

from threading import Thread

import pytest
from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.chop_chop import GAME as CHOP_CHOP
from companion.games.watching import Alternative, Die, Observation, Tile, Verdict
from companion.play.journal import Journal, JournalError
from companion.play.table import PutAside, Table, new_table
from tests.conformance.playing import rules_of
from tests.conftest import BED, OPENING

CAT = Tile("cat", 1, 0, 5, 3)
CAT_ELSEWHERE = Tile("cat", 1, 0, 5, 4)
DOG = Tile("dog", 1, 0, 0, 0)


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table.open(journal, BED)


def test_it_goes_on_with_the_match_that_is_not_over(journal: Journal, table: Table) -> None:
    table.play(OPENING[0], "phone")
    again = Table.open(journal, BED)
    assert again.match.record == table.match.record
    assert again.match.n == 1


def test_other_options_begin_another_match(journal: Journal, table: Table) -> None:
    again = Table.open(journal, BED, {"touch": "edge-or-corner"})
    assert again.match.record.id != table.match.record.id


@pytest.mark.parametrize("jump_fee", ["declared", "auto"])
def test_a_match_that_is_over_stays_while_it_takes_corrections(journal: Journal, jump_fee: str) -> None:
    """A chip for a jump may be claimed until the next match begins, after a restart too."""
    table = Table.open(journal, "cat-and-mouse", {"jump_fee": jump_fee, "stake": 7})
    for dice in ((6, 5), (1, 2)):
        table.play({"move": "throw", "dice": dice}, "phone")
    of_cat = iter([(1, 1), (1, 2), (2, 2), (1, 3), (3, 3), (1, 2), (4, 4), (1, 2), (5, 5), (1, 2), (6, 6)])
    while table.match.outcome is None:
        dice = next(of_cat) if table.match.game.turn(table.match.state) == "cat" else (1, 2)
        table.play({"move": "throw", "dice": dice}, "phone")
    before = table.match.outcome.points["cat"]
    again = Table.open(journal, "cat-and-mouse")
    if jump_fee == "auto":
        assert again.match.record.id == table.match.record.id + 1
        return
    assert again.match.record.id == table.match.record.id
    again.play({"move": "jump-fee"}, "phone")
    assert again.match.outcome is not None
    assert again.match.outcome.points["cat"] == before - 1
    assert Table.open(journal, "cat-and-mouse").match.n == 0, "nothing is left to claim, so another begins"


def test_whoever_waits_is_told_of_a_move(table: Table) -> None:
    before = table.snapshot.version
    versions: list[int] = []
    waiting = Thread(target=lambda: versions.append(table.wait_for_change(before, 5)))
    waiting.start()
    table.play(OPENING[0], "phone")
    waiting.join()
    assert versions == [table.snapshot.version]
    assert table.wait_for_change(table.snapshot.version, 0.01) == table.snapshot.version


def test_a_tap_on_an_old_page_changes_nothing(table: Table) -> None:
    table.play(OPENING[0], "phone", n=0)
    with pytest.raises(IllegalMove, match="has changed"):
        table.undo("phone", n=0)
    assert len(table.match.moves) == 1


def test_nobody_but_the_clock_says_that_time_is_up(table: Table) -> None:
    with pytest.raises(IllegalMove) as refused:
        table.play({"move": "stop", "late": "cat"}, "phone")
    assert (refused.value.rule, table.match.outcome) == ("only-the-clock", None)


def test_a_sure_and_legal_sighting_is_played(table: Table) -> None:
    assert table.see(Observation(tiles=(CAT,))).verdict is Verdict.PLAY
    assert table.match.n == 1
    assert table.snapshot.view().match.by == "camera"
    assert table.see(Observation(tiles=(CAT,))).verdict is Verdict.NOTHING
    assert table.match.n == 1


def test_what_breaks_a_rule_is_shown_and_not_played(table: Table) -> None:
    sighting = table.see(Observation(tiles=(DOG,)))
    assert sighting.verdict is Verdict.BREAKS
    shown = table.snapshot.view().sighting
    assert shown is not None
    assert shown.rule in rules_of(table.match.game)
    assert table.match.n == 0
    table.see(Observation(tiles=()))
    assert table.snapshot.view().sighting is None


def test_an_unsure_sighting_waits_for_an_answer(table: Table) -> None:
    table.see(Observation(unsure=True, why="not-told-apart", tiles=(), alternatives=UNSURE))
    shown = table.snapshot.view().sighting
    assert shown is not None
    assert shown.verdict is Verdict.ASK
    table.answer(shown.id, 1, "phone")
    assert table.match.view().board.tiles[0].col == CAT_ELSEWHERE.col
    assert table.snapshot.view().sighting is None
    with pytest.raises(IllegalMove, match="already settled"):
        table.answer(shown.id, 0, "phone")


UNSURE = (Alternative((CAT,), 0.6), Alternative((CAT_ELSEWHERE,), 0.3))


def test_a_question_that_stays_open_is_asked_once_however_its_readings_waver(table: Table) -> None:
    unsure = Observation(unsure=True, why="not-told-apart", tiles=())
    table.see(replace(unsure, alternatives=UNSURE))
    asked = table.snapshot
    for picture in range(30):
        share = 0.3 + 0.01 * picture
        alike = Alternative((CAT,), 0.9 - share), Alternative((CAT_ELSEWHERE,), share)
        table.see(replace(unsure, alternatives=alike))
    assert table.snapshot is asked


def test_another_tile_that_is_seen_meanwhile_makes_it_a_new_question(table: Table) -> None:
    unsure = Observation(unsure=True, why="not-told-apart", tiles=())
    table.see(replace(unsure, alternatives=UNSURE))
    before = table.snapshot.view().sighting
    more = tuple(Alternative((*board.tiles, DOG), board.confidence) for board in UNSURE)
    table.see(replace(unsure, alternatives=more))
    after = table.snapshot.view().sighting
    assert before is not None
    assert after is not None
    assert after.id != before.id
    assert [len(guess.moves) for guess in after.guesses[:2]] == [2, 2]


def test_a_match_put_aside_can_be_gone_on_with(table: Table) -> None:
    first = table.match.record.id
    table.play(OPENING[0], "phone")
    table.begin(BED, {"touch": "edge-or-corner"})
    assert table.match.n == 0
    table.resume(first)
    assert table.match.n == 1
    with pytest.raises(IllegalMove, match="no saved match number 99"):
        table.resume(99)


def test_options_that_do_not_fit_leave_the_match_as_it_was(table: Table) -> None:
    first = table.match.record
    with pytest.raises(InvalidMove, match="can't be set up"):
        table.begin(BED, {"touch": "diagonal"})
    assert table.match.record == first


def test_what_the_camera_saw_and_nobody_could_keep_is_asked_until_there_is_space(
    journal: Journal, table: Table
) -> None:
    journal._connection.execute("PRAGMA query_only = ON")
    version = table.snapshot.version
    for _ in range(2):
        with pytest.raises(JournalError):
            table.see(Observation(tiles=(CAT,)))
    assert table.snapshot.version == version + 2, "of the fault and of the question, once each"
    asked = table.snapshot.sighting
    assert asked is not None
    assert (asked.verdict, asked.why, table.match.n) == (Verdict.ASK, "not-kept", 0)
    journal._connection.execute("PRAGMA query_only = OFF")
    table.answer(asked.id, 0, "phone")
    assert table.match.n == 1
    assert table.snapshot.sighting is None


def test_a_question_about_dice_stays_while_the_board_is_read(journal: Journal) -> None:
    table = new_table(journal, "chop-chop", {})
    table.play({"move": "place", "row": 2, "col": 3}, "phone")
    table.see(Observation(unsure=True, why="dice", dice=(Die(2, "grey", 0.6),)))
    asked = table.snapshot.sighting
    assert asked is not None
    assert asked.verdict is Verdict.ASK
    standing = CHOP_CHOP.standing_pieces(table.match.state)
    table.see(Observation(pieces=standing))
    table.see(Observation(unsure=True, why="hand", pieces=standing))
    assert table.snapshot.sighting == asked
    table.answer(asked.id, 0, "phone")
    assert table.snapshot.sighting is None


class TestAnotherMatch:
    """While a match is being played, another that takes its place says so, and gives it back."""

    def test_the_match_that_was_being_played_is_named(self, table: Table) -> None:
        table.play(OPENING[0], "phone")
        first = table.match.record.id
        table.begin(BED, {})
        assert table.snapshot.put_aside == PutAside(first, moves=1)
        table.resume(first, instead_of=table.match.record.id)
        assert table.match.record.id == first
        assert table.snapshot.put_aside is None, "the new match had no moves: nobody misses it"

    def test_names_for_the_players_are_no_move_and_a_move_ends_it(self, table: Table) -> None:
        table.play(OPENING[0], "phone")
        table.begin(BED, {})
        table.name_players({"cat": "Mei"}, "phone")
        assert table.snapshot.put_aside is not None
        table.play(OPENING[0], "phone")
        assert table.snapshot.put_aside is None
        table.undo("phone")
        assert table.snapshot.put_aside is None

    def test_a_match_without_moves_or_that_is_over_is_not_missed(self, table: Table) -> None:
        table.begin(BED, {"board": 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'})
        assert table.snapshot.put_aside is None
        for col, move in enumerate(OPENING[:2]):
            table.play({**move, "row": 0, "col": col}, "phone")
        assert table.match.outcome is not None
        table.begin(BED, {})
        assert table.snapshot.put_aside is None

    @pytest.mark.parametrize("to", ["begin", "resume"])
    def test_only_the_match_that_was_asked_about_is_put_aside(self, table: Table, to: str) -> None:
        asked = table.match.record.id
        table.begin(BED, {})
        now = table.match.record.id
        with pytest.raises(IllegalMove, match="changed meanwhile"):
            if to == "begin":
                table.begin(BED, {}, instead_of=asked)
            else:
                table.resume(asked, instead_of=asked)
        assert table.match.record.id == now
