"""The deck's own file: what it lacks, or holds too much of, is said with the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UserError
from companion.games.exploding_kittens import GAME, cards
from companion.games.exploding_kittens.tests.playing import began, play, refused

TRAVEL = (cards.FOLDER / "travel.toml").read_text("utf-8")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Where a person's own deck is."""
    return tmp_path / "ours.toml"


@pytest.mark.parametrize("kind", ["kitten", "defuse", "attack", "shuffle", "skip", "future", "nope"])
def test_a_kind_that_is_missing_is_said_with_the_file(own: Path, kind: str) -> None:
    lines = [line for line in TRAVEL.splitlines() if not line.startswith(f"{kind} = ")]
    own.write_text("\n".join(lines), "utf-8")
    with pytest.raises(UserError) as refusal:
        GAME.options({"deck": str(own)})
    at = lines.index("[cards]") + 1
    assert str(refusal.value).startswith(f"{own}, line {at}: cards has no “{kind}”; write how many")


@pytest.mark.parametrize(
    ("line", "to", "fault"),
    [
        ("skip = 3", "skip = -1", "skip must be 0 to 20, not -1"),
        ("cat-d = 4", "cat-d = 400", "cat-d must be 0 to 20, not 400"),
        ("kitten = 3", "kitten = 2", "kitten must be 3 to 20, not 2"),
        ("defuse = 5", "defuse = 3", "defuse must be 4 to 20, not 3"),
        ("cat-d = 4", "cow = 4", "'cow' is no kind of card"),
        ("cat-d = 4", '"cat-d e" = 4', "'cat-d e' is no kind of card"),
        ("dealt = 5", "dealt = 0", "dealt must be 1 to 10, not 0"),
        ("dealt = 5", "dealt = 9", "too few to deal 9 and a defuse to each of 4 players"),
        ("seen = 2", "seen = 0", "seen must be 1 to 10, not 0"),
        ("attack_turns = 2", "", "attack_turns"),
        ("attack_turns = 2", "attack_turns = -2", "attack_turns must be 1 to 10, not -2"),
    ],
)
def test_what_cannot_be_played_with_is_said_with_its_line(own: Path, line: str, to: str, fault: str) -> None:
    assert line in TRAVEL
    own.write_text(TRAVEL.replace(line, to), "utf-8")
    with pytest.raises(UserError, match=r"ours\.toml(, line \d+)?: ") as refusal:
        GAME.options({"deck": str(own)})
    assert fault in str(refusal.value)


def test_a_box_without_shuffles_is_played_as_well() -> None:
    state = play(began(4, deck=TRAVEL.replace("shuffle = 4", "shuffle = 0")), "draw", "skip")
    assert not any(getattr(move, "card", "") == "shuffle" for move in GAME.legal_moves(state))


def test_a_match_keeps_the_text_of_an_own_deck_and_is_played_with_it(own: Path) -> None:
    own.write_text(
        "dealt = 2\nseen = 3\nattack_turns = 3\n[cards]\nkitten = 3\ndefuse = 4\nattack = 6\nshuffle = 0\n"
        "skip = 0\nfuture = 4\nnope = 2\ncat-e = 4\n",
        "utf-8",
    )
    options = GAME.options({"deck": str(own)})
    own.unlink()
    state = GAME.start(options, 2)
    assert GAME.view(state, None).deck == 4 + 6 + 4 + 2 + 4 - 2 * 3 + 1
    assert GAME.view(play(state, "attack"), None).owed == 3
    kittens = GAME.view(state, None).odds.kinds[0]
    assert (kittens.card, kittens.within[0].exact) == ("kitten", "1/15")
    seen = play(state, "future", "saw first cat-e kitten attack", "draw", "drew first cat-e")
    mine = GAME.view(GAME.hide(seen, "first"), "first").mine
    assert mine is not None
    assert [kind.card for kind in mine.hand] == ["defuse", "cat-e"]
    assert refused(state, "shuffle") == "none-left"


def test_a_deck_put_together_on_the_page_is_the_file_that_the_rules_read() -> None:
    travel = cards.deck(cards.TRAVEL)
    numbers = {each.key: each.value for each in cards.COUNTABLE.numbers(travel)}
    assert list(numbers)[:2] == ["cards.kitten", "cards.defuse"]
    assert cards.deck(cards.COUNTABLE.write(numbers)) == travel
    assert cards.deck(cards.COUNTABLE.write({**numbers, "cards.skip": 9, "seen": 3})).cards["skip"] == 9
