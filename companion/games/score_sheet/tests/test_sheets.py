"""The sheets that come with the game, sheets of one's own, and what is said about faulty ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.games import data_files
from companion.games.score_sheet import GAME
from companion.games.score_sheet.sheet import FOLDER, sheet
from companion.messages import LANGUAGES, messages_of_game


def test_four_sheets_come_with_it_each_offered_in_every_language() -> None:
    names = data_files.names(FOLDER)
    assert names == ["five_dice", "melds", "points", "tricks"]
    words = messages_of_game(GAME.slug)
    for name in names:
        assert {words.say(f"choice.sheet.{name}", language) for language in LANGUAGES}
        assert GAME.start(GAME.options({"sheet": name}), 4).sheet == sheet(name)


def test_a_sheet_of_ones_own_is_about_ten_lines() -> None:
    for path in FOLDER.glob("*.toml"):
        lines = [line for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
        assert len(lines) <= 10, path


def test_a_file_of_ones_own_is_kept_with_the_match(tmp_path: Path) -> None:
    path = tmp_path / "Our evening.toml"
    path.write_text('wins = "least"\nrounds = 3\n', "utf-8")
    options = GAME.options({"sheet": str(path)})
    path.unlink()
    state = GAME.start(options, 2)
    assert (state.sheet.name, state.sheet.rounds, state.sheet.wins) == ("Our evening", 3, "least")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (
            'entries = "free"\nrounds = 3\n',
            2,
            'rounds needs rounds: write entries = "rounds", or take rounds out',
        ),
        ('entries = "free"\nrows = ["a"]\n', 2, "take rows out"),
        ('rows = ["a"]\nrounds = 3\n', 2, "rows are as many rounds as there are rows: take rounds out"),
        ('rows = ["a", "b", "a"]\n', 1, "the row “a” stands there twice: give one another name"),
        ("start = 10\ntarget = 10\n", 2, "target must be more than the start, 10: make it larger"),
        ('counts = "down"\ntarget = 5\n', 2, "target must be less than the start, 0: make it smaller"),
        ('wins = "all"\n', 1, "must be"),
        ("dice = 13\n", 1, "must be"),
        ("rounds = -1\n", 1, "must be"),
        ("dices = 5\n", 1, "there is no “dices” here; there is: name, entries"),
        ("dice = \n", 1, "not valid TOML"),
    ],
)
def test_a_faulty_sheet_is_refused_with_its_line_and_how_to_mend_it(
    text: str, line: int, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError) as caught:
        GAME.options({"sheet": str(path)})
    assert says in str(caught.value)
    assert re.search(rf"line {line}\b", str(caught.value))
    assert "\n" not in str(caught.value)


def test_an_unknown_sheet_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UserError, match="five_dice, melds, points, tricks"):
        GAME.start(GAME.options({"sheet": "whist"}), 2)
