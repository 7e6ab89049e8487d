"""The table plays a seat by itself, or shows what a person should lay for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import msgspec
import pytest

from companion.errors import IllegalMove, InvalidMove
from companion.games.chance import Chance, key_of
from companion.games.players import Choice, player_of
from companion.games.registry import game
from companion.kept_state import KeptState
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.players import worker
from companion.players.table_players import SOURCE, KeptSeat, Playing, TablePlayers
from companion.service.panel import TablePanel
from tests.conftest import BED, OPENING

PATIENCE_S = 60.0
"""Seconds after which a test gives up waiting for what must come; it never waits that long."""

OPPONENTS = count()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[..., tuple[Table, TablePlayers]]]:
    """A table with its opponent, at work; `lays`: it plays by itself."""
    made: list[tuple[Table, TablePlayers]] = []

    def make(slug: str = BED, *, lays: bool = True) -> tuple[Table, TablePlayers]:
        journal = Journal(tmp_path / f"journal-{next(OPPONENTS)}.sqlite")
        table = Table(journal, Match.begin(journal, slug, {}))
        opponent = TablePlayers(table, lambda: lays)
        opponent.start()
        made.append((table, opponent))
        return table, opponent

    yield make
    for table, opponent in made:
        opponent.stop()
        table.journal.close()


def wait_until(table: Table, done: Callable[[], bool]) -> None:
    """Wait for news of the table until that is so."""
    seen = table.snapshot
    while not done():
        news = table.wait_for_news(seen, PATIENCE_S)
        assert news is not seen, "nothing came"
        seen = news


def test_it_answers_each_move_where_no_camera_watches(
    tables: Callable[..., tuple[Table, TablePlayers]],
) -> None:
    table, opponent = tables()
    opponent.sit_down("dog", "middle")
    table.play(OPENING[0], "phone")
    wait_until(table, lambda: len(table.snapshot.match.state.tiles) == 2)
    assert table.snapshot.match.state.tiles[1].owner == "dog"
    assert table.snapshot.match.sources[None] == SOURCE
    assert table.snapshot.match.state.turn == "cat"


def test_under_a_camera_it_shows_its_move_until_a_person_has_laid_it(
    tables: Callable[..., tuple[Table, TablePlayers]],
) -> None:
    table, opponent = tables(lays=False)
    opponent.sit_down("cat", "middle")
    wait_until(table, lambda: bool((now := opponent.status()) and now.move))
    shown = opponent.status()
    assert shown
    assert (shown.seat, shown.thinks) == ("cat", False)
    assert table.snapshot.match.state.tiles == ()
    table.play(shown.move, "camera")
    wait_until(table, lambda: bool((now := opponent.status()) and not now.move))
    assert table.snapshot.match.state.turn == "dog"


def test_it_throws_its_own_dice(tables: Callable[..., tuple[Table, TablePlayers]]) -> None:
    table, opponent = tables("cat-and-mouse")
    for dice in ([6, 5], [1, 2]):
        table.play({"move": "throw", "dice": dice}, "phone")
    assert table.snapshot.match.game.turn(table.snapshot.match.state) == "cat"
    opponent.sit_down("cat", "top")
    wait_until(table, lambda: table.snapshot.match.sources[None] == SOURCE)


def test_it_keeps_its_seat_across_a_restart(tmp_path: Path) -> None:
    """So it keeps that a player has switched hints off for the match."""
    kept = tmp_path / "opponent.json"
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        table = Table(journal, Match.begin(journal, BED, {}))
        before = TablePlayers(table, lambda: True, kept)
        before.sit_down("dog", "beginner")
        before.let_hint(None, on=False)
        after = TablePlayers(table, lambda: True, kept)
        now = after.status()
        assert now
        assert (now.seat, now.level) == ("dog", "beginner")
        assert not after.hints()
        after.stand_up()
        assert TablePlayers(table, lambda: True, kept).status() is None


def test_a_kept_seat_at_a_level_that_is_gone_plays_at_the_best_one(tmp_path: Path) -> None:
    kept = tmp_path / "opponent.json"
    KeptState(kept, KeptSeat).save(KeptSeat(Playing("cat-and-mouse", "cat", "middle")))
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        table = Table(journal, Match.begin(journal, "cat-and-mouse", {}))
        assert TablePlayers(table, lambda: True, kept).playing() == {"cat": "top"}


def test_a_kept_seat_that_cannot_be_read_is_left_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = tmp_path / "opponent.json"
    kept.write_text("torn")
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        assert (
            TablePlayers(Table(journal, Match.begin(journal, BED, {})), lambda: True, kept).status() is None
        )
    assert "was damaged" in caplog.text


def test_the_lamp_of_its_seat_says_that_a_person_lays_for_it(
    tables: Callable[..., tuple[Table, TablePlayers]],
) -> None:
    table, opponent = tables(lays=False)
    panel = TablePanel(table, shows_for=opponent.shows_for)
    opponent.sit_down("cat", "beginner")
    wait_until(table, lambda: opponent.shows_for() is not None)
    panel.step()
    assert {each.seat: each.pattern for each in panel.status().seats} == {
        "cat": "lay-for-table",
        "dog": "off",
    }
    table.play(OPENING[0], "camera")
    panel.step()
    assert {each.seat: each.pattern for each in panel.status().seats} == {"cat": "off", "dog": "your-turn"}


def test_its_dice_are_fair() -> None:
    """Chi-square of 6,000 dice, five degrees of freedom: fair dice stay below 20.5 in 999 of 1,000 tries."""
    dealer = player_of("cat-and-mouse").dealer()
    dealer.begin(None, Chance(key_of(20)))
    thrown = [value for _ in range(3_000) for value in dealer.chance(None).dice]
    expected = len(thrown) / 6
    assert sum((thrown.count(face) - expected) ** 2 / expected for face in range(1, 7)) < 20.5


def test_it_sits_only_where_it_can_play(tables: Callable[..., tuple[Table, TablePlayers]]) -> None:
    table, opponent = tables()
    with pytest.raises(InvalidMove, match="no seat"):
        opponent.sit_down("mouse", "top")
    with pytest.raises(InvalidMove, match="at the level"):
        opponent.sit_down("cat", "random")
    table.seats.take_seat("dog", "a phone")
    with pytest.raises(IllegalMove, match="sits there"):
        opponent.sit_down("dog", "top")
    assert opponent.status() is None
    assert tables("exploding-kittens")[1].levels() == ()


def test_a_hint_is_what_the_best_level_would_play_unless_it_is_switched_off(
    tables: Callable[..., tuple[Table, TablePlayers]],
) -> None:
    table, opponent = tables()
    table.match.game.play(table.match.state, opponent.hint("cat").move)
    with pytest.raises(IllegalMove, match="your turn"):
        opponent.hint("dog")
    opponent.let_hint(None, on=False)
    with pytest.raises(IllegalMove, match="switched off"):
        opponent.hint("cat")
    table.begin(BED, {})
    assert opponent.hints(), "it is another match"


def test_hints_that_another_player_switched_off_stay_off_in_that_match(
    tables: Callable[..., tuple[Table, TablePlayers]],
) -> None:
    table, opponent = tables()
    table.seats.take_seat("cat", "one phone")
    table.seats.take_seat("dog", "another phone")
    opponent.let_hint("dog", on=False)
    opponent.let_hint("cat", on=False)
    for asks in ("cat", None):
        with pytest.raises(IllegalMove, match="another player \\(dog\\)"):
            opponent.let_hint(asks, on=True)
        with pytest.raises(IllegalMove, match="switched off"):
            opponent.hint("cat")
    opponent.let_hint("dog", on=True)
    assert opponent.hints()
    opponent.let_hint("dog", on=False)
    table.seats.release("another phone")
    opponent.let_hint("cat", on=True)
    assert opponent.hints(), "nobody sits there any more who could switch them on"


def test_a_hint_in_a_card_game_is_for_the_phone_of_the_seat_alone(
    tables: Callable[..., tuple[Table, TablePlayers]],
) -> None:
    table, opponent = tables("exploding-kittens")
    with pytest.raises(IllegalMove):
        opponent.hint(None)
    hand = ["attack", "defuse", "nope", "nope", "skip", "skip"]
    table.play({"move": "hand", "seat": "first", "cards": hand}, "phone", seat="first")
    choice = opponent.hint("first")
    assert choice.move in set(table.match.game.legal_moves(table.match.state))
    assert choice.facts["percent"] == 4, "one kitten among 28 cards"


def test_a_process_chooses_from_what_the_seat_may_know() -> None:
    bed = game(BED)
    state = bed.start(bed.options({}), 2)
    known = msgspec.Raw(msgspec.json.encode(bed.hide(state, "cat")))
    process = worker.begin(worker.Choose(BED, known, "cat", "middle", 1))
    choice = worker.choice_of(process, BED)
    assert choice
    assert choice.move in set(bed.legal_moves(state))
    kittens = game("exploding-kittens")
    asked = msgspec.Raw(msgspec.json.encode(kittens.start(kittens.options({}), 2)))
    lets_be = worker.begin(worker.Choose(kittens.slug, asked, "second", "beginner", 1, answers=True))
    assert worker.choice_of(lets_be, kittens.slug) == Choice(None)
    ended = worker.begin(worker.Choose(BED, known, "cat", "top", 1))
    ended.kill()
    assert worker.choice_of(ended, BED) is None


def goes_on(table: Table) -> None:
    """Undo what the table thinks about."""
    table.undo("phone")


def ends(table: Table) -> None:
    """Begin another match."""
    table.begin("cat-and-mouse", {})


def is_resumed(table: Table) -> None:
    """Go on with a match of before."""
    table.resume(1)


@pytest.mark.parametrize("change", [goes_on, ends, is_resumed, None], ids=["undo", "end", "resume", "stop"])
def test_nothing_thinks_any_more_once_the_turn_is_over(
    tables: Callable[..., tuple[Table, TablePlayers]],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Table], None] | None,
) -> None:
    """No process is left, not even one that has ended and that nobody asked how."""
    started: list[subprocess.Popen[bytes]] = []

    def think_for_ever(_: worker.Choose) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(["sleep", "600"], stdout=subprocess.PIPE))
        return started[-1]

    monkeypatch.setattr(worker, "begin", think_for_ever)
    table, opponent = tables("cat-and-mouse")
    table.begin(BED, {})
    opponent.sit_down("dog", "top")
    table.play(OPENING[0], "phone")
    wait_until(table, lambda: bool((now := opponent.status()) and now.thinks))
    if change is not None:
        change(table)
        wait_until(table, lambda: (now := opponent.status()) is None or not now.thinks)
    opponent.stop()
    [thinking] = started
    with pytest.raises(ProcessLookupError):
        os.kill(thinking.pid, 0)


def test_a_process_that_thinks_has_the_lowest_priority_from_its_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "LOWEST", 19)
    bed = game(BED)
    known = msgspec.Raw(msgspec.json.encode(bed.start(bed.options({}), 2)))
    thinking = worker.begin(worker.Choose(BED, known, "cat", "top", 1))
    assert os.getpriority(os.PRIO_PROCESS, thinking.pid) == 19
    thinking.kill()
    worker.choice_of(thinking, BED)
