"""CONTRIBUTING's steps to add a game are followed to the letter, in a package of its own."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect

from companion.cli import companion
from companion.errors import IllegalMove
from companion.games import registry
from companion.games.watching import SeesPieces, SeesTiles
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.project import sources
from tests.project.installed import forget_the_games, install
from tests.running import pages_of
from web.server import Server

CONTRIBUTING = sources.read(Path("CONTRIBUTING.md"))
PACKAGE = "nim_table"


def blocks(kind: str) -> list[str]:
    """The code blocks of a kind in CONTRIBUTING, in order."""
    inside = re.findall(rf"^ *```{kind}\n(.*?)^ *```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for block in inside]


def files() -> Iterator[tuple[str, str]]:
    """Each file that the steps write: its name in the game's folder, and its text."""
    for kind in ("python", "toml", "html", "js"):
        for block in blocks(kind):
            first, _, rest = block.partition("\n")
            named = re.search(r"companion/games/nim/(\S+)", first)
            if named:
                yield named.group(1), rest


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages with Nim in it, as pip would leave it."""
    site = tmp_path / "site"
    (site / PACKAGE / "tests").mkdir(parents=True)
    for name, text in files():
        (site / PACKAGE / name).write_text(text.replace("companion.games.nim", PACKAGE), "utf-8")
    install(site, PACKAGE, entry_point())
    return site


@pytest.fixture
def nim(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Nim, found by its entry point; its slug."""
    monkeypatch.syspath_prepend(str(site))
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
    ran = CliRunner().invoke(companion, words)
    views = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
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
    words = messages_of_game(nim)
    assert "rule.too-many" in words
    assert words.say("outcome.last-stone", "ko") == "마지막 돌을 가져갔습니다."


def test_what_games_call_their_things_stands_in_no_module_of_hardware() -> None:
    named = set[str]()
    for game in registry.games().values():
        state = game.start(game.options({}), min(game.seat_counts))
        named |= set(game.seat_names(state))
        named |= set(game.turn_order(state).owners) if isinstance(game, SeesTiles) else set()
        named |= (
            {piece.kind for piece in game.standing_pieces(state)} if isinstance(game, SeesPieces) else set()
        )
    assert {"cat", "dog", "mouse"} <= named
    written = {
        (str(path), node.value)
        for path in sources.modules()
        if path.parts[0] == "hardware"
        for node in ast.walk(sources.tree(path))
        if isinstance(node, ast.Constant) and node.value in named
    }
    assert written == set()


def test_the_conformance_suite_finds_it_and_it_passes(site: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=sources.ROOT,
            env=os.environ | {"PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    (golden,) = (line for block in blocks("sh") for line in block.splitlines() if "golden" in line)
    run(*golden.split()[2:])
    assert (site / PACKAGE / "tests" / "golden.jsonl").is_file()
    said = run("pytest", "tests/conformance", "-k", "nim", "-q", "-p", "no:cacheprovider")
    assert re.search(r"\d\d passed", said)


def test_it_is_played_on_its_page(nim: str, journal: Journal, chromium: Browser) -> None:
    table = Table(journal, Match.begin(journal, nim, {"stones": 4}))
    server = Server(pages_of(table, None), "127.0.0.1", 0)
    server.start()
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    try:
        page.goto(f"http://127.0.0.1:{server.port}/watch")
        page.get_by_role("button", name="3", exact=True).click()
        expect(page.locator("#left")).to_have_text("1")
        page.get_by_role("button", name="1", exact=True).click()
        expect(page.locator("#left")).to_have_text("0")
    finally:
        page.close()
        server.stop()
    outcome = table.match.outcome
    assert outcome is not None
    assert outcome.winners == ("second",)
