"""Data files of a person's own with something in them changed: played with, or refused with file and line."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import InvalidMove, UserError
from companion.games.game import Options
from companion.games.registry import AnyGame, game

FILES = [
    ("cat-and-mouse", "board", "classic.toml"),
    ("chop-chop", "bag", "bags/chop.toml"),
    ("chop-chop", "board", "boards/middle.toml"),
    ("chop-chop", "dice", "dice/chop.toml"),
    ("hide-and-seek", "cards", "example.toml"),
    ("score-sheet", "sheet", "points.toml"),
    ("this-bed-is-mine", "board", "boards/b.toml"),
    ("this-bed-is-mine", "tiles", "tiles/digits.toml"),
]
"""A data file of each kind: the game, its option, and the file in its `data` folder."""

ODD = (
    *("-1", "0", "1", "7", "67", "1000", "99999999999999999999", "1.5", "nan", "-inf", "true", '""', '"x"'),
    *("[]", "[[]]", "[1, 1]", "{}", "{ x = 1 }", "1979-05-27", "'''\nx'''", ""),
)
"""What a value is changed to."""

VALUE = re.compile(r"-?\b\d+\b|\"[^\"\n]*\"|\[[^\[\]]*\]")
"""A number, a text or a list of a TOML text."""

MOVES = 8
"""Moves that are played with what is accepted."""

QUICK = 40
"""Changes of each file that the quick test tries."""

kinds_of_file = pytest.mark.parametrize(("slug", "option", "file"), FILES)


def changed(text: str, chance: random.Random) -> str:
    """The text with a value, a line or a sign of it changed."""
    lines = text.splitlines(keepends=True)
    said = [n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    n = chance.choice(said)
    match chance.randrange(6):
        case 0:
            lines[n] = ""
        case 1:
            lines[n] *= 2
        case 2:
            at = chance.randrange(len(lines[n]))
            lines[n] = lines[n][:at] + chance.choice("o.T#+xbM1=]\"' -é\0") + lines[n][at + 1 :]
        case _:
            values = list(VALUE.finditer(lines[n]))
            if values:
                value = chance.choice(values)
                lines[n] = lines[n][: value.start()] + chance.choice(ODD) + lines[n][value.end() :]
    return "".join(lines)


def tried(slug: str, option: str, file: str, path: Path, seed: int) -> str:
    """What is said of the file of one seed; empty where it can be played with."""
    of, chance = game(slug), random.Random(seed)
    text = (of.folder / "data" / file).read_text("utf-8")
    for _ in range(chance.choice((1, 1, 2))):
        text = changed(text, chance)
    path.write_text(text, "utf-8")
    try:
        options = of.options({option: str(path)})
    except UserError as error:
        return str(error)
    play(of, options, chance.choice(of.seat_counts), chance)
    return ""


def play(of: AnyGame, options: Options, seats: int, chance: random.Random) -> None:
    """Begin a match and play some moves, looking at each state; a set may be too small for these players."""
    try:
        state = of.start(options, seats)
    except InvalidMove as error:
        assert "players need" in str(error)
        return
    for _ in range(MOVES):
        of.view(state, None)
        legal = list(of.legal_moves(state))
        if not legal:
            break
        state = of.play(state, chance.choice(legal))


def unclear(path: Path, sayings: Iterator[str]) -> list[str]:
    """What does not name the file, or no line though one is at fault."""
    place = re.compile(rf"{re.escape(str(path))}(, line \d+)?: .+\.", re.DOTALL)
    lineless = re.compile(r"is missing|line \d+|is not valid TOML|there is no “")
    return [
        says
        for says in sayings
        if says
        and not (
            (match := place.fullmatch(says)) and "\n" not in says and (match[1] or lineless.search(says))
        )
    ]


@kinds_of_file
def test_a_changed_file_is_played_with_or_refused_with_file_and_line(
    slug: str, option: str, file: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    sayings = [tried(slug, option, file, path, seed) for seed in range(QUICK)]
    assert unclear(path, iter(sayings)) == []
    assert len(set(sayings)) > QUICK / 4, "the changes are of many kinds"
