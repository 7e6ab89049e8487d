"""The deck's own file: what it lacks, or holds too much of, is said with the file and the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import MendableError
from companion.games.exploding_kittens import GAME, cards
from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens.tests.playing import began, play

TRAVEL = (cards.FOLDER / "travel.toml").read_text("utf-8")


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a deck of its own, from which the game is played."""
    monkeypatch.setattr(cards, "FOLDER", tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Forget the deck, and what was worked out with it."""
    cards.deck.cache_clear()
    known_module._kept.clear()


@pytest.mark.parametrize("kind", ["kitten", "defuse", "attack", "shuffle", "skip", "future", "nope"])
def test_a_kind_that_is_missing_is_said_with_the_file(box: Path, kind: str) -> None:
    lines = [line for line in TRAVEL.splitlines() if not line.startswith(f"{kind} = ")]
    (box / "travel.toml").write_text("\n".join(lines), "utf-8")
    with pytest.raises(MendableError) as refusal:
        began(2)
    at = lines.index("[cards]") + 1
    assert str(refusal.value).startswith(
        f"{box / 'travel.toml'}, line {at}: cards has no {kind}; write how many"
    )
    with pytest.raises(MendableError, match=f"cards has no {kind}"):
        _ = GAME.card_kinds


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
def test_what_cannot_be_played_with_is_said_with_its_line(box: Path, line: str, to: str, fault: str) -> None:
    assert line in TRAVEL
    (box / "travel.toml").write_text(TRAVEL.replace(line, to), "utf-8")
    with pytest.raises(MendableError, match=r"travel\.toml(, line \d+)?: ") as refusal:
        began(4)
    assert fault in str(refusal.value)


def test_a_box_without_shuffles_is_played_as_well(box: Path) -> None:
    (box / "travel.toml").write_text(TRAVEL.replace("shuffle = 4", "shuffle = 0"), "utf-8")
    state = play(began(4), "draw", "skip")
    assert not any(getattr(move, "card", "") == "shuffle" for move in GAME.legal_moves(state))
