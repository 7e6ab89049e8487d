"""What the house's matches say of players: held against sums made in another way."""

from __future__ import annotations

import math
from contextlib import closing
from random import Random

import msgspec
import pytest

from companion.games.game import Outcome
from companion.games.registry import games
from companion.games.retrospect import Luck
from companion.play.journal import Journal
from companion.play.match import FROM_PHOTO, Match
from companion.play.records import Against, Records, house_of, year_of
from companion.play.schema import MatchRecord, Summary
from tests.conformance.golden import files, playthrough
from tests.conftest import BED, Cost

RACE, KITTENS, CHOP = "cat-and-mouse", "exploding-kittens", "chop-chop"
MOST_FOR_2000 = 60
"""Yardsticks that the players of 2,000 matches may take; on a quiet machine of 2024 that is 100 ms."""

Row = tuple[MatchRecord, Summary | None]


def finished(
    number: int, players: dict[str, str], winners: tuple[str, ...], points: dict[str, int], **more: object
) -> Row:
    """A finished match of the bed with its summary; `more` is put into either."""
    record = MatchRecord(number, BED, {}, 2, "2026-05-01T12:00:00.000+00:00")
    outcome = Outcome("most-points", winners, points)
    summary = Summary(9, 9, ("cat", "dog"), players, None, outcome, True, False, "phone")
    for name, value in more.items():
        if name in MatchRecord.__struct_fields__:
            record = msgspec.structs.replace(record, **{name: value})
        else:
            summary = msgspec.structs.replace(summary, **{name: value})
    return record, summary


ADA_BEN = {"cat": "Ada", "dog": "Ben"}


def test_a_match_counts_for_each_name_in_it() -> None:
    house = house_of([finished(1, ADA_BEN, ("cat",), {"cat": 30, "dog": 12})])
    ada, ben = house.players
    assert (ada.name, ada.matches, ada.won, ada.games[BED].best) == ("Ada", 1, 1, 30)
    assert (ben.name, ben.matches, ben.won, ben.games[BED].mean) == ("Ben", 1, 0, 12)
    assert ada.against == (Against("Ben", 1, 1, 0),)
    assert ben.against == (Against("Ada", 1, 0, 1),)


def test_a_shared_win_is_nobodys() -> None:
    house = house_of([finished(1, ADA_BEN, ("cat", "dog"), {"cat": 9, "dog": 9})])
    assert [(player.won, player.against[0].won, player.against[0].lost) for player in house.players] == [
        (0, 0, 0)
    ] * 2


def test_who_plays_both_sides_alone_beats_nobody() -> None:
    [ada] = house_of([finished(1, {"cat": "Ada", "dog": "Ada"}, ("cat",), {})]).players
    assert (ada.matches, ada.won, ada.against) == (1, 0, ())


def test_those_who_win_together_did_not_play_against_each_other() -> None:
    players = {"mice-1": "Ada", "mice-2": "Ben", "cat": "Cleo"}
    row = finished(1, players, ("mice-1", "mice-2"), {}, seats=("mice-1", "mice-2", "cat"), game=CHOP)
    against = {player.name: player.against for player in house_of([row]).players}
    assert against["Ada"] == (Against("Cleo", 1, 1, 0),)
    assert {other.name for other in against["Cleo"]} == {"Ada", "Ben"}


def test_a_name_is_the_same_however_it_was_typed_and_is_written_as_it_was_last() -> None:
    rows = [finished(n, {"cat": name}, ("cat",), {}) for n, name in enumerate(("ADA", " ada ", "Ada"), 1)]
    [ada] = house_of(rows).players
    assert (ada.name, ada.matches, ada.won) == ("Ada", 3, 3)


def test_a_run_of_wins_ends_with_a_match_that_is_not_won() -> None:
    results = ("cat", "cat", "cat", "dog", "cat")
    rows = [finished(n, ADA_BEN, (seat,), {}) for n, seat in enumerate(results, 1)]
    ada = house_of(reversed(rows)).players[0]
    assert (ada.longest_streak, ada.streak) == (3, 1)


def test_matches_that_go_on_do_not_count_and_those_without_a_summary_are_named() -> None:
    record, summary = finished(1, ADA_BEN, ("cat",), {})
    assert summary is not None
    house = house_of([(record, msgspec.structs.replace(summary, outcome=None)), (record, None)])
    assert (house.matches, house.players, house.left_out) == (0, (), 1)


def test_points_a_tile_are_over_all_matches() -> None:
    rows = [
        finished(1, ADA_BEN, ("cat",), {"cat": 30, "dog": 1}, pieces={"cat": 6, "dog": 5}),
        finished(2, ADA_BEN, ("cat",), {"cat": 10, "dog": 1}, pieces={"cat": 4, "dog": 5}),
    ]
    assert house_of(rows).players[0].games[BED].points_a_piece == 4


def test_luck_is_in_standard_errors_over_all_matches() -> None:
    """100 throws of two dice that came 20 above 700: the variance of 100 throws is 583.3, its root 24.15."""
    of_one = {"cat": Luck(50, 360.0, 350.0, 50 * 35 / 6)}
    rows = [finished(n, ADA_BEN, ("cat",), {}, luck=of_one) for n in (1, 2)]
    luck = house_of(rows).players[0].games[BED].luck
    assert luck is not None
    assert (luck.times, luck.total, luck.expected) == (100, 720, 700)
    assert luck.errors == pytest.approx(20 / 24.152, abs=0.001)
    assert house_of(rows).players[1].games[BED].luck is None


def test_records_name_the_match_that_holds_them() -> None:
    rows = [
        finished(1, ADA_BEN, ("cat",), {"cat": 30, "dog": 1}, moves=12),
        finished(2, ADA_BEN, ("dog",), {"cat": 2, "dog": 44}, moves=10),
    ]
    house = house_of(rows)
    best, longest = house.games[BED].best, house.games[BED].longest
    assert best is not None
    assert longest is not None
    assert (best.match, best.value, best.names) == (2, 44, ("Ben",))
    assert (longest.match, longest.value, longest.names) == (1, 12, ("Ada", "Ben"))
    assert house.last is not None
    assert (house.last.match, house.last.winners) == (2, ("dog",))


def test_a_board_scored_from_a_photo_is_no_longest_match() -> None:
    photo = finished(1, ADA_BEN, ("cat",), {"cat": 30, "dog": 1}, moves=1, by=FROM_PHOTO)
    only, best = house_of([photo]).games[BED].longest, house_of([photo]).games[BED].best
    assert only is None
    assert best is not None
    longest = house_of([finished(2, ADA_BEN, ("dog",), {"dog": 2}, moves=1), photo]).games[BED].longest
    assert longest is not None
    assert longest.match == 2


def test_a_year_holds_its_own_matches_by_month() -> None:
    begins = ("2025-12-15T12:00:00+00:00", "2026-01-15T12:00:00+00:00", "2026-03-15T12:00:00+00:00")
    rows = [finished(n, ADA_BEN, ("cat",), {}, began=began) for n, began in enumerate(begins, 1)]
    assert house_of(rows).years == (2026, 2025)
    year = year_of(rows, 2026)
    assert year.months == (1, 0, 1, *[0] * 9)
    assert year.house.players[0].matches == 2


def some_rows(count: int) -> list[Row]:
    """Matches of eight people against each other, drawn by chance, the same in every run."""
    chance, names = Random(5), ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]
    rows = []
    for number in range(1, count + 1):
        cat, dog = chance.sample(names, 2)
        points = {"cat": chance.randrange(60), "dog": chance.randrange(60)}
        winners = tuple(seat for seat in points if points[seat] == max(points.values()))
        luck = {"cat": Luck(9, float(chance.randrange(80)), 63.0, 52.5)}
        rows.append(finished(number, {"cat": cat, "dog": dog}, winners, points, luck=luck))
    return rows


def test_the_sums_of_many_matches_are_those_of_a_plain_count() -> None:
    """Each figure is counted again from the rows themselves, one question at a time."""
    rows = some_rows(300)
    house = house_of(rows)
    played = [(s.players, s.outcome.points) for _, s in rows if s and s.outcome]
    for player in house.players:
        mine = [
            (
                points[seat],
                points["dog" if seat == "cat" else "cat"],
                players["dog" if seat == "cat" else "cat"],
            )
            for players, points in played
            for seat in ("cat", "dog")
            if players[seat] == player.name
        ]
        assert player.matches == len(mine)
        assert player.won == sum(own > other for own, other, _ in mine)
        assert player.games[BED].best == max(own for own, _, _ in mine)
        assert player.games[BED].mean == pytest.approx(math.fsum(own for own, _, _ in mine) / len(mine))
        for other in player.against:
            ours = [(own, theirs) for own, theirs, name in mine if name == other.name]
            assert (other.matches, other.won, other.lost) == (
                len(ours), sum(a > b for a, b in ours), sum(a < b for a, b in ours)
            )  # fmt: skip


def test_two_thousand_matches_take_no_longer_than_a_page_may(cost: Cost) -> None:
    rows = some_rows(2000)
    assert cost(lambda: house_of(rows)) < MOST_FOR_2000


def test_a_match_that_ends_keeps_the_luck_of_its_throws(journal: Journal) -> None:
    """The dice are read from the playthrough's own lines: whoever is in turn threw them."""
    head, *lines = playthrough(files(games()[RACE])[0])
    match = Match.begin(journal, RACE, head["options"], head["seats"])
    thrown: dict[str, list[int]] = {"cat": [], "mouse": []}
    for line in lines:
        if "refused" not in line:
            turn = match.view().turn
            if turn is not None and line["move"]["move"] == "throw":
                thrown[turn].append(sum(line["move"]["dice"]))
            match.play(line["move"], "phone")
    assert match.outcome is not None
    [(_, summary)] = journal.summaries()
    assert summary is not None
    for seat, totals in thrown.items():
        luck = summary.luck[seat]
        assert (luck.times, luck.total, luck.expected) == (len(totals), sum(totals), 7 * len(totals))


def test_the_luck_of_draws_is_the_share_of_kittens_in_the_deck(journal: Journal) -> None:
    match = Match.begin(journal, KITTENS, {}, 2)
    deck = match.view().board.deck
    for move in ("draw", "kitten", "explode"):
        match.play({"move": move}, "phone")
    [(_, summary)] = journal.summaries()
    assert summary is not None
    assert summary.luck == {
        "first": Luck(1, 0.0, 1 / deck, 1 / deck * (1 - 1 / deck)),
        "second": Luck(1, 1.0, 1 / (deck - 1), 1 / (deck - 1) * (1 - 1 / (deck - 1))),
    }


def test_the_bed_keeps_how_many_tiles_each_side_laid(journal: Journal) -> None:
    head, *lines = playthrough(files(games()[BED])[0])
    match = Match.begin(journal, BED, head["options"], head["seats"])
    laid = {"cat": 0, "dog": 0}
    for line in lines:
        if "refused" not in line:
            match.play(line["move"], "phone")
            laid[line["move"].get("owner", "cat")] += {"lay": 1, "take-off": -1}.get(line["move"]["move"], 0)
    [(_, summary)] = journal.summaries()
    assert summary is not None
    assert summary.outcome is not None
    assert summary.pieces == laid


def test_the_house_is_worked_out_again_once_the_journal_has_changed(
    journal: Journal, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, summaries, read = Records(journal), journal.summaries, []
    monkeypatch.setattr(journal, "summaries", lambda: read.append(1) or summaries())
    first = kept.house()
    assert kept.house() is first
    assert len(read) == 1
    record, summary = finished(1, ADA_BEN, ("cat",), {"cat": 30, "dog": 12})
    assert summary is not None
    journal.begin(BED, record.options, 2, msgspec.structs.replace(summary, n=0))
    [year] = kept.house().years
    assert kept.year(year).house.matches == kept.house().matches == 1
    with closing(Journal(journal.path)) as other:
        other.begin(BED, record.options, 2, msgspec.structs.replace(summary, n=0))
    assert kept.house().matches == 2, "another program has written to the journal"
