"""Matches that the table deals: each seat knows its own cards, and nothing is lost at a restart."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.errors import IllegalMove
from companion.games.choosing import Lots
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import DEFUSE, NOPE
from companion.games.exploding_kittens.opponent.dealer import KittensDealer
from companion.play.dealt import Deals
from companion.play.exports import as_lines
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table

KITTENS = GAME.slug
PLAYERS = {"second": "beginner", "third": "middle"}

Dealing = Callable[[int], Table]


@pytest.fixture
def dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dealing]:
    """A table that deals for a person and two players of its own, by a seed."""
    made: list[Table] = []

    def make(seed: int) -> Table:
        monkeypatch.setattr("secrets.randbits", lambda bits: seed)
        journal = Journal(tmp_path / f"journal-{len(made)}.sqlite")
        table = Table(journal, Match.begin(journal, KITTENS, {}))
        made.append(table)
        table.begin(KITTENS, {}, 3, dealt_to=PLAYERS)
        return table

    yield make
    for table in made:
        table.journal.close()


def cards(seed: int) -> KittensDealer:
    """The cards that a seed deals."""
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 3), Lots(seed))
    return dealer


def seed_with(wanted: Callable[[KittensDealer], bool]) -> int:
    """The first seed that deals such cards."""
    return next(seed for seed in range(10_000) if wanted(cards(seed)))


def own_hand(table: Table, seat: str) -> Counter[str]:
    """The hand that a seat's own page shows."""
    mine = table.view(seat).match.board.mine
    assert mine.unknown == 0
    return Counter({kind.card: kind.count for kind in mine.hand})


def refused(table: Table, move: dict[str, object], seat: str | None) -> str:
    """The rule that refuses a move."""
    with pytest.raises(IllegalMove) as refusal:
        table.play(move, "phone", seat=seat)
    return refusal.value.rule


def test_each_seat_is_told_its_own_hand_alone(dealt: Dealing) -> None:
    table = dealt(seed=7)
    for seat in ("first", "second", "third"):
        assert own_hand(table, seat) == Counter(cards(7).hands[seat])
    assert table.view(None).match.board.mine is None
    assert table.match.seen(None) == ()
    assert "hand" not in as_lines(table.match)


def test_a_draw_is_the_top_card_and_only_its_player_sees_it(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: dealer.deck[-1] != "kitten")
    table, top = dealt(seed), cards(seed).deck[-1]
    table.play({"move": "kitten"}, "phone", seat="first")
    assert [GAME.notation(move) for move in table.match.seen(None)] == ["draw"], "whatever the page asked for"
    assert own_hand(table, "first") == Counter([*cards(seed).hands["first"], top])
    assert table.view("second").match.board.seats[0].cards == 7
    assert [note.seat for note in GAME.hide(table.match.state, "second").notes] == ["second"]


def test_a_kitten_on_top_is_drawn_and_hidden_where_its_player_says(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: dealer.deck[-1] == "kitten")
    table = dealt(seed)
    table.play({"move": "draw"}, "phone", seat="first")
    assert table.match.state.phase == "kitten"
    assert refused(table, {"move": "explode"}, "first") == "dealt-defuse"
    table.play({"move": "defuse"}, "phone", seat="first")
    assert refused(table, {"move": "draw"}, "second") == "dealt-hide-first"
    assert table.snapshot.dealt
    assert table.snapshot.dealt.in_secret == "first"
    table.play({"move": "hid", "seat": "first", "place": 0}, "phone", seat="first")
    assert not table.snapshot.dealt.in_secret
    assert refused(table, {"move": "hid", "seat": "first", "place": 3}, "first") == "dealt-told"
    table.play({"move": "draw"}, "phone", seat="second")
    assert table.match.state.phase == "kitten", "it lay on top"


def test_a_seat_plays_the_cards_of_its_own_hand_in_its_turn(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: "attack" not in dealer.hands["first"])
    table = dealt(seed)
    assert refused(table, {"move": "draw"}, None) == "dealt-on-phones"
    assert refused(table, {"move": "draw"}, "second") == "dealt-turn"
    assert refused(table, {"move": "play", "card": "attack"}, "first") == "dealt-not-in-hand"
    assert refused(table, {"move": "hand", "seat": "first", "cards": ["attack"] * 6}, "first") == "dealt-told"
    assert table.match.seen(None) == ()


def test_a_card_lies_there_until_nobody_can_stop_it_any_more(dealt: Dealing) -> None:
    seed = seed_with(
        lambda dealer: "skip" in dealer.hands["first"] and NOPE in dealer.hands["second"]
        and NOPE not in dealer.hands["third"]
    )  # fmt: skip
    table = dealt(seed)
    table.play({"move": "play", "card": "skip"}, "phone", seat="first")
    assert table.snapshot.dealt
    assert table.snapshot.dealt.waits
    assert refused(table, {"move": "draw"}, "second") == "dealt-wait"
    assert refused(table, {"move": "nope", "seat": "third"}, "third") == "dealt-not-in-hand"
    assert refused(table, {"move": "nope", "seat": "second"}, "third") == "dealt-turn"
    table.deal_on(table.snapshot.match, close=True)
    assert table.snapshot.dealt
    assert not table.snapshot.dealt.waits
    assert refused(table, {"move": "nope", "seat": "second"}, "second") == "dealt-too-late"


def test_a_nope_in_time_stops_a_card(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: "skip" in dealer.hands["first"] and NOPE in dealer.hands["second"])
    table = dealt(seed)
    table.play({"move": "play", "card": "skip"}, "phone", seat="first")
    table.play({"move": "nope", "seat": "second"}, "opponent", seat="second")
    table.deal_on(table.snapshot.match, close=True)
    assert table.match.state.standing.turn == "first"
    assert own_hand(table, "second") == Counter(cards(seed).hands["second"]) - Counter([NOPE])


def test_a_named_card_is_handed_over_by_the_table(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: max(Counter(dealer.hands["first"]).values()) >= 3)
    table = dealt(seed)
    hand = Counter(cards(seed).hands["first"])
    card = hand.most_common(1)[0][0]
    table.play({"move": "three", "card": card, "target": "third", "named": DEFUSE}, "phone", seat="first")
    table.deal_on(table.snapshot.match, close=True)
    assert table.match.state.last.given is True
    assert own_hand(table, "first") == hand - Counter([card] * 3) + Counter([DEFUSE])
    assert own_hand(table, "third")[DEFUSE] == cards(seed).hands["third"].count(DEFUSE) - 1


def test_nothing_is_taken_back_where_it_would_show_the_next_card(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: dealer.deck[-1] != "kitten")
    table = dealt(seed)
    table.play({"move": "draw"}, "phone", seat="first")
    for change in (table.undo, table.redo):
        with pytest.raises(IllegalMove, match="stays played"):
            change("phone", seat="first")
    with pytest.raises(IllegalMove, match="stays played"):
        table.correct(table.match.record.id, 1, None, "phone", n=table.match.n_of(None))


def test_the_same_cards_lie_there_after_a_restart(dealt: Dealing, tmp_path: Path) -> None:
    seed = seed_with(lambda dealer: dealer.deck[-1] == "kitten" and "shuffle" in dealer.hands["second"])
    table = dealt(seed)
    for move in ({"move": "draw"}, {"move": "defuse"}, {"move": "hid", "seat": "first", "place": 4}):
        table.play(move, "phone", seat="first")
    table.play({"move": "play", "card": "shuffle"}, "opponent", seat="second")
    table.deal_on(table.snapshot.match, close=True)
    hands = {seat: own_hand(table, seat) for seat in ("first", "second", "third")}
    shutil.copytree(tmp_path, tmp_path / "later")
    journal = Journal(tmp_path / "later" / table.journal.path.name)
    again = Table(journal, Match(journal, table.match.record))
    drawn = []
    for each in (table, again):
        assert {seat: own_hand(each, seat) for seat in hands} == hands
        each.play({"move": "draw"}, "opponent", seat="second")
        drawn.append(each.match.moves[-1])
    journal.close()
    assert drawn[0] == drawn[1]


def test_the_file_of_the_deals_is_for_its_owner_alone(dealt: Dealing, tmp_path: Path) -> None:
    table = dealt(seed=7)
    path = table.journal.path.with_suffix(".deals.json")
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("torn")
    assert Deals(path).players(table.match.record.id) == {}
