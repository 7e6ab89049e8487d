"""CONTRIBUTING's steps to add a game are followed to the letter, in a package of its own."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import companion
from companion.errors import IllegalMove
from companion.games import registry
from companion.journal import Journal
from companion.match import Match
from companion.words import words_of_rules
from tests.project import sources

CONTRIBUTING = sources.read(Path("CONTRIBUTING.md"))
PACKAGE = "nim_table"


def blocks(kind: str) -> list[str]:
    """The code blocks of a kind in CONTRIBUTING, in order."""
    found = re.findall(rf"^ *```{kind}\n(.*?)^ *```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for block in found]


def files() -> Iterator[tuple[str, str]]:
    """Each file that the steps write: its name in the game's folder, and its text."""
    for block in blocks("python") + blocks("toml"):
        first, _, rest = block.partition("\n")
        if first.startswith("# companion/games/nim/"):
            yield first.removeprefix("# companion/games/nim/"), rest


def forget_the_games() -> None:
    """Let the registry look anew."""
    registry.games.cache_clear()
    registry.game.cache_clear()
    words_of_rules.cache_clear()


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Nim, installed as a package with an entry point; its slug."""
    package = tmp_path / "site" / PACKAGE
    package.mkdir(parents=True)
    for name, text in files():
        (package / name).write_text(text.replace("companion.games.nim", PACKAGE), "utf-8")
    known = tmp_path / "site" / "nim_table-1.0.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-table\nVersion: 1.0\n", "utf-8")
    (known / "entry_points.txt").write_text(entry_point(), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    forget_the_games()
    yield "nim"
    forget_the_games()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def entry_point() -> str:
    """The entry point that CONTRIBUTING writes into pyproject.toml, as pip would write it down."""
    (block,) = (block for block in blocks("toml") if "entry-points" in block)
    group, line = block.strip().splitlines()
    name = group.removeprefix('[project.entry-points."').removesuffix('"]')
    return f"[{name}]\n{line.replace(chr(34), '')}\n"


def test_the_steps_write_a_game_that_is_found(nim: str) -> None:
    assert registry.game(nim).names["en"] == "Nim"
    listed = CliRunner().invoke(companion, ["games", "--json"])
    slugs = [msgspec.json.decode(line)["slug"] for line in listed.stdout.splitlines()]
    assert slugs == [*(slug for slug in slugs if slug != nim), nim]
    assert '"take"' in CliRunner().invoke(companion, ["schema", nim]).stdout


def test_it_is_played_from_the_moves_that_the_steps_show(nim: str, tmp_path: Path) -> None:
    moves = tmp_path / "moves.jsonl"
    moves.write_text(blocks("json")[0], "utf-8")
    (command,) = (line for block in blocks("sh") for line in block.splitlines() if "replay" in line)
    words = [str(moves) if word == "moves.jsonl" else word for word in command.split()[1:]]
    told = CliRunner().invoke(companion, words)
    views = [msgspec.json.decode(line) for line in told.stdout.splitlines()]
    assert [line["view"]["left"] for line in views] == [2, 0]


def test_it_is_kept_undone_and_won_like_any_other(nim: str, journal: Journal) -> None:
    match = Match.begin(journal, nim, {"stones": 4})
    match.play({"move": "take", "stones": 3}, "phone")
    with pytest.raises(IllegalMove, match="stones left: 1"):
        match.play({"move": "take", "stones": 2}, "phone")
    match.undo("phone")
    match.play({"move": "take", "stones": 1}, "phone")
    match.play({"move": "take", "stones": 3}, "phone")
    outcome = Match(journal, match.record).outcome
    assert outcome is not None
    assert outcome.winners == ("second",)


def test_each_of_its_rules_has_its_sentence(nim: str) -> None:
    words = words_of_rules(nim)
    assert all(f"rule.{rule}" in words for rule in registry.game(nim).rules)
    assert words.say("outcome.last-stone", "ko") == "마지막 돌을 가져갔습니다."
