"""Matches that the table deals: each seat knows its own cards, and nothing is lost at a restart."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion import files
from companion.errors import IllegalMove
from companion.games.chance import Chance, key_of
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import DEFUSE, NOPE
from companion.games.exploding_kittens.player.dealer import KittensDealer
from companion.play.backup import back_up
from companion.play.dealt import MOST_DEALS, Deal, Deals
from companion.play.exports import as_lines
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.rescue import fault_of
from companion.play.table import Table
from tests.conftest import BED, OPENING
from tests.running import pages_of

KITTENS = GAME.slug
PLAYERS = {"second": "beginner", "third": "top"}

Dealing = Callable[[int], Table]


@pytest.fixture
def dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dealing]:
    """A table that deals for a person and two players of its own, by a seed."""
    made: list[Table] = []

    def make(seed: int) -> Table:
        monkeypatch.setattr("companion.play.dealt.token_bytes", lambda size: key_of(seed))
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
    dealer.begin(GAME.start(GAME.options({}), 3), Chance(key_of(seed)))
    return dealer


def seed_with(wanted: Callable[[KittensDealer], bool]) -> int:
    """The first seed that deals such cards."""
    return next(seed for seed in range(10_000) if wanted(cards(seed)))


def own_hand(table: Table, seat: str) -> Counter[str]:
    """The hand that a seat's own page shows."""
    mine = table.snapshot.view(seat).match.board.mine
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
    assert table.snapshot.view(None).match.board.mine is None
    assert table.match.snapshot.seen(None) == ()
    assert "hand" not in as_lines(table.match)


def test_a_draw_is_the_top_card_and_only_its_player_sees_it(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: dealer.deck[-1] != "kitten")
    table, top = dealt(seed), cards(seed).deck[-1]
    table.play({"move": "kitten"}, "phone", seat="first")
    assert [GAME.notation(move) for move in table.match.snapshot.seen(None)] == ["draw"], (
        "whatever the page asked for"
    )
    assert own_hand(table, "first") == Counter([*cards(seed).hands["first"], top])
    assert table.snapshot.view("second").match.board.seats[0].cards == 7
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
    assert table.match.snapshot.seen(None) == ()


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
    table.continue_dealing(table.snapshot.match, close=True)
    assert table.snapshot.dealt
    assert not table.snapshot.dealt.waits
    assert refused(table, {"move": "nope", "seat": "second"}, "second") == "dealt-too-late"


def test_a_nope_in_time_stops_a_card(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: "skip" in dealer.hands["first"] and NOPE in dealer.hands["second"])
    table = dealt(seed)
    table.play({"move": "play", "card": "skip"}, "phone", seat="first")
    table.play({"move": "nope", "seat": "second"}, "opponent", seat="second")
    table.continue_dealing(table.snapshot.match, close=True)
    assert table.match.state.standing.turn == "first"
    assert own_hand(table, "second") == Counter(cards(seed).hands["second"]) - Counter([NOPE])


def test_a_named_card_is_handed_over_by_the_table(dealt: Dealing) -> None:
    seed = seed_with(lambda dealer: max(Counter(dealer.hands["first"]).values()) >= 3)
    table = dealt(seed)
    hand = Counter(cards(seed).hands["first"])
    card = hand.most_common(1)[0][0]
    table.play({"move": "three", "card": card, "target": "third", "named": DEFUSE}, "phone", seat="first")
    table.continue_dealing(table.snapshot.match, close=True)
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
    table.continue_dealing(table.snapshot.match, close=True)
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
    assert Deals(table.journal).players(table.match.record) == {}


def test_a_deal_that_was_kept_with_a_seed_has_the_same_cards_again() -> None:
    kept = msgspec.json.decode(b'{"match": 3, "seed": 7, "players": {}}', type=Deal)
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 3), kept.chance)
    assert dealer.hands == {
        "first": ["defuse", "cat-a", "cat-b", "shuffle", "cat-d", "cat-c"],
        "second": ["defuse", "defuse", "skip", "cat-d", "attack", "future"],
        "third": ["defuse", "cat-d", "future", "shuffle", "cat-a", "skip"],
    }
    dealer._shuffles.shuffle(dealer.deck)
    assert dealer.deck[-4:] == ["future", "nope", "nope", "nope"]
    assert dealer._thefts.choice(dealer.deck) == "attack"


def another_journal(table: Table) -> Journal:
    """A new journal in the place of the table's, beside its deals."""
    table.journal.close()
    for file in table.journal.path.parent.glob(f"{table.journal.path.name}*"):
        file.unlink()
    return Journal(table.journal.path)


def begun(journal: Journal, slug: str, seats: int = 2) -> Match:
    """The second match of a journal."""
    Match.begin(journal, BED, {})
    return Match.begin(journal, slug, {}, seats)


def test_a_match_of_another_journal_is_not_dealt_because_it_has_the_number_of_one(dealt: Dealing) -> None:
    journal = another_journal(dealt(seed=7))
    table = Table(journal, begun(journal, BED))
    assert table.snapshot.dealt is None
    table.play(OPENING[0], "phone")
    table.undo("phone")
    assert table.match.moves == ()
    table.begin(KITTENS, {}, 3)
    table.play({"move": "draw"}, "phone")
    assert table.snapshot.dealt is None
    journal.close()


@pytest.mark.parametrize("sits", [3, 2])
def test_a_match_of_the_same_game_is_not_dealt_by_the_deal_of_another(dealt: Dealing, sits: int) -> None:
    journal = another_journal(dealt(seed=7))
    table = Table(journal, begun(journal, KITTENS, sits))
    assert table.snapshot.dealt is None
    assert table.seats.free() == table.match.seat_names
    table.play({"move": "draw"}, "phone")
    table.undo("phone")
    journal.close()


def put_in_place(table: Table, file: Path) -> Table:
    """The table after a restart with a journal that was kept aside, beside the newest deals."""
    journal = another_journal(table)
    journal.close()
    shutil.copyfile(file, journal.path)
    journal.path.with_suffix(".last").unlink()
    return Table.open(Journal(journal.path), KITTENS)


def hides(table: Table, place: int) -> None:
    """The first seat draws the kitten and puts it back."""
    for move in ({"move": "draw"}, {"move": "defuse"}, {"move": "hid", "seat": "first", "place": place}):
        table.play(move, "phone", seat="first")


def test_what_was_done_in_secret_after_a_backup_is_not_done_again_by_itself(
    dealt: Dealing, tmp_path: Path
) -> None:
    table = dealt(seed_with(lambda dealer: dealer.deck[-1] == "kitten"))
    backup = back_up(table.journal.path, tmp_path / "backups")
    assert backup
    hides(table, 0)
    table.journal.fold()
    newer = shutil.copyfile(table.journal.path, tmp_path / "newer.sqlite")

    restored = put_in_place(table, backup)
    assert restored.snapshot.match.seen(None) == ()
    restored.play({"move": "draw"}, "phone", seat="first")
    restored.play({"move": "defuse"}, "phone", seat="first")
    assert restored.snapshot.dealt
    assert restored.snapshot.dealt.in_secret == "first", "the place is asked for again"
    restored.play({"move": "hid", "seat": "first", "place": 3}, "phone", seat="first")
    again = Table.open(restored.journal, KITTENS)
    again.play({"move": "draw"}, "opponent", seat="second")
    assert again.match.state.phase != "kitten"

    back = put_in_place(again, newer)
    assert back.snapshot.dealt
    assert not back.snapshot.dealt.in_secret, "the newer journal goes on with what was done in it"
    back.play({"move": "draw"}, "opponent", seat="second")
    assert back.match.state.phase == "kitten"
    back.journal.close()


def test_a_match_whose_cards_are_kept_no_longer_is_not_gone_on_with(dealt: Dealing) -> None:
    table = dealt(seed=7)
    oldest = table.match.record.id
    for _ in range(MOST_DEALS - 1):
        table.begin(KITTENS, {}, 3, dealt_to=PLAYERS)
    table.resume(oldest)
    table.begin(KITTENS, {}, 3, dealt_to=PLAYERS)
    on_the_table = table.match.record
    with pytest.raises(IllegalMove, match="begin another match") as refusal:
        table.resume(oldest)
    assert refusal.value.rule == "dealt-gone"
    assert table.match.record == on_the_table
    assert table.snapshot.dealt
    with pytest.raises(IllegalMove, match="stays played"):
        table.correct(oldest, 1, None, "phone", n=0)
    assert table.kept(oldest).snapshot.seat_names, "it can be looked at"


def test_a_table_without_the_cards_of_its_match_begins_another(dealt: Dealing) -> None:
    table = dealt(seed=7)
    table.journal.path.with_suffix(".deals.json").unlink()
    again = Table.open(table.journal, KITTENS)
    assert again.match.record.id != table.match.record.id
    [notice] = pages_of(again, None).test_client().get("/api/table").json["notices"]
    assert notice == {"key": "undealt", "facts": {"match": table.match.record.id}}


def with_seed_7(table: Table) -> Table:
    """The table after a restart with a deal as it was kept at first: a number and a seed."""
    path = table.journal.path.with_suffix(".deals.json")
    files.write_sealed(path, [{"match": 2, "seed": 7, "players": PLAYERS}])
    return Table.open(table.journal, KITTENS)


def test_a_deal_that_was_kept_with_a_number_goes_on_in_the_match_that_it_dealt(
    dealt: Dealing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Deals, "begin", lambda deals, match, _: deals._keep(Deal(match.identity, PLAYERS, seed=7))
    )
    again = with_seed_7(dealt(seed=7))
    assert again.match.record.id == 2
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 3), Deal(2, {}, seed=7).chance)
    again.play({"move": "draw"}, "phone", seat="first")
    assert own_hand(again, "first") == Counter([*dealer.hands["first"], dealer.deck[-1]])


def test_a_deal_that_was_kept_with_a_number_is_not_that_of_another_match(dealt: Dealing) -> None:
    """The match of that number was dealt as well, with other cards."""
    table = with_seed_7(dealt(seed=7))
    assert table.match.record.id == 3
    assert table.undealt == 2


def test_an_act_that_nobody_sees_leaves_the_journal_whole(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, BED, {}))
    table.begin("hide-and-seek", {}, 3, dealt_to={"player-3": "top"})
    while not (seat := table.snapshot.dealt.in_secret if table.snapshot.dealt else ""):
        table.continue_dealing(table.snapshot.match)
    table.play({"move": "go-on"}, "phone", seat=seat)
    assert journal.summaries()[0][1] is not None
    journal.close()
    assert fault_of(journal.path) == ""
