"""Commands speak to people: a missing file, a folder in a file's place, a text of the wrong shape or a wrong
value is answered in plain words, with exit 2, and no sentence of a library is among them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import cli
from companion.files import BYTE_ORDER_MARK
from companion.games import registry
from tests.conftest import Companion

LIBRARY_SPEECH = re.compile(
    r"\[Errno|No such file or directory|Is a directory|Not a directory|Permission denied|Expected `|at `\$"
    r"|Invalid enum|Object (missing|contains)|JSON is malformed|Input data was|Expecting |codec can't"
    r"|Traceback|unable to open|Invalid statement|Expected '|Cannot (overwrite|declare)|NoneType|<class"
    r"|object at 0x"
)

BED = "this-bed-is-mine"
NOT_HERE = "203.0.113.1"
"""An address that no machine has: whatever else is right, `run` ends."""
TAKES_A_FILE: dict[str, tuple[str, ...]] = {
    "replay": (BED, "{}"),
    "import": ("{}",),
    "read-dice": ("{}",),
    "read-dice --list": ("{}",),
    "print panel --panel": ("{}", "-o", "{}.pdf"),
    "sd-card --name table --ssh-key": ("{}", "-o", "{}.card"),
    "run --panel": ("{}", "--host", NOT_HERE),
    "run --game cat-and-mouse --option": ("board={}.toml", "--host", NOT_HERE),
    "run --game this-bed-is-mine --option": ("board={}.toml", "--host", NOT_HERE),
    "run --game hide-and-seek --option": ("cards={}.toml", "--host", NOT_HERE),
}
TAKES_A_FOLDER = ("read-bed", "score", "evaluate")
NEITHER = {"arena", "games", "hall", "schema", "bench", "doctor", "export", "history", "restore", "teach"}
"""Commands that are given no file to read."""


def missing(path: Path) -> None:
    """Nothing is there."""


def folder(path: Path) -> None:
    """A folder."""
    path.mkdir()


def not_text(path: Path) -> None:
    """Bytes that are no text."""
    path.write_bytes(b"\x89PNG\xff\xfe\x00\x01")


def empty(path: Path) -> None:
    """A file with nothing in it."""
    path.write_bytes(b"\n")


def other_shape(path: Path) -> None:
    """JSON and TOML of another kind than is asked for."""
    path.write_bytes(b'lamps = 3\nseats = "two"\nbed = 7\n')


def broken(path: Path) -> None:
    """A text that stops in the middle."""
    path.write_bytes(b'{"match": {"game": ')


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Games are kept in a folder of the test's own."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path_factory.mktemp("home")))


WRONG = (missing, folder, not_text, empty, other_shape, broken)


def test_every_command_is_walked_or_needs_no_file() -> None:
    walked = {words.split()[0] for words in TAKES_A_FILE} | set(TAKES_A_FOLDER)
    assert walked | NEITHER == set(cli.COMMANDS)


def said_plainly(ran: object) -> None:
    """Exit 2 and one sentence of ours on stderr, nothing else there."""
    status, out, err = ran.status, ran.out, ran.err  # type: ignore[attr-defined]
    assert status == 2, (out, err)
    assert not LIBRARY_SPEECH.search(out + err), err
    assert err.strip()


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("words", TAKES_A_FILE)
def test_a_file_that_cannot_be_used(
    companion: Companion, tmp_path: Path, words: str, wrong: Callable[[Path], None]
) -> None:
    path = tmp_path / "it"
    wrong(path.with_suffix(".toml") if "--option" in words else path)
    ran = companion(*words.split(), *(each.format(path) for each in TAKES_A_FILE[words]))
    if words.startswith("print panel") and wrong is empty:
        assert ran.status == 0, "an empty panel file leaves all as it is"
    elif words == "replay" and wrong is empty:
        assert ran.status == 0, "a file without moves is a match at its start"
    elif words == "run --panel" and wrong is empty:
        assert NOT_HERE in ran.err, "an empty panel file leaves all as it is"
    else:
        said_plainly(ran)
        assert NOT_HERE not in ran.err, "it ends before it serves"


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", ["scene.json", "pictures.jsonl", "truth.jsonl"])
@pytest.mark.parametrize("command", TAKES_A_FOLDER)
def test_a_folder_whose_file_cannot_be_used(
    companion: Companion, tmp_path: Path, command: str, name: str, wrong: Callable[[Path], None]
) -> None:
    (tmp_path / "scene.json").write_text('{"rows": 2, "cols": 2}', "utf-8")
    (tmp_path / "pictures.jsonl").write_text('{"image": "a.jpg", "role": "watch"}\n', "utf-8")
    (tmp_path / "truth.jsonl").write_text('{"image": "a.jpg"}\n', "utf-8")
    (tmp_path / name).unlink()
    wrong(tmp_path / name)
    said_plainly(companion(command, tmp_path))


@pytest.mark.parametrize("command", TAKES_A_FOLDER)
def test_a_folder_that_is_not_there(companion: Companion, tmp_path: Path, command: str) -> None:
    said_plainly(companion(command, tmp_path / "gone"))


@pytest.mark.parametrize(
    ("words", "choices"),
    [
        (("--lang", "xx"), "'en', 'zh-Hant', 'ko'"),
        (("--option", "board=c"), "take one of a, b"),
        (("--option", "touch=diagonal"), "one of edge, edge-or-corner, not “diagonal”"),
        (("--option", "chips_10=many"), "a whole number"),
        (("--option", "chip=3"), "there is no “chip” here; there is: board"),
        (("--seat", "bird"), "cat, dog"),
    ],
)
def test_a_wrong_value_is_answered_with_the_choices(
    companion: Companion, tmp_path: Path, words: tuple[str, ...], choices: str
) -> None:
    (tmp_path / "moves.jsonl").write_text('{"move": "skip", "owner": "cat"}\n', "utf-8")
    ran = companion("replay", BED, tmp_path / "moves.jsonl", *words)
    said_plainly(ran)
    assert choices in ran.err


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ({"game": BED, "option": {}}, "there is no “match.option” here; there is: game, options, seats"),
        ({"game": 3}, "“match.game” must be text, not 3"),
        ({"options": {}}, "“match.game” is missing"),
    ],
)
def test_a_first_line_with_unknown_keys_is_refused(
    companion: Companion, tmp_path: Path, first: dict[str, object], reason: str
) -> None:
    file = tmp_path / "moves.jsonl"
    file.write_text(json.dumps({"match": first}), "utf-8")
    ran = companion("replay", BED, file)
    said_plainly(ran)
    assert "line 1" in ran.err
    assert reason in ran.err


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "That is not a move of this game: “owner” must be one of cat, dog, not “bird”"),
        ("zh-Hant", "這不是本遊戲的行動：「owner」必須是 cat、dog 其中之一，不能是「bird」"),
        ("ko", "이 게임의 행동이 아닙니다: “owner”에는 cat, dog 중 하나가 와야 하며 “bird”는 안 됩니다"),
    ],
)
def test_a_refused_move_names_the_choices_in_the_readers_language(
    companion: Companion, tmp_path: Path, language: str, says: str
) -> None:
    (tmp_path / "moves.jsonl").write_text('{"move": "skip", "owner": "bird"}\n', "utf-8")
    ran = companion("replay", BED, tmp_path / "moves.jsonl", "--lang", language)
    assert ran.status == 0
    assert f'"says":"{says}"' in ran.out


def test_moves_and_a_panel_with_a_byte_order_mark_are_read(companion: Companion, tmp_path: Path) -> None:
    moves = tmp_path / "moves.jsonl"
    moves.write_bytes(BYTE_ORDER_MARK + b'{"match": {"game": "this-bed-is-mine", "options": {}}}\n')
    assert companion("import", moves).status == 0
    panel = tmp_path / "panel.toml"
    panel.write_bytes(BYTE_ORDER_MARK + b"seats = 3\n")
    assert companion("print", "panel", "--panel", panel, "-o", tmp_path / "panel.pdf").status == 0


@pytest.mark.parametrize(
    ("game", "option", "data"),
    [
        (BED, "board", "boards/a.toml"),
        ("hide-and-seek", "cards", "example.toml"),
        ("chop-chop", "bag", "bags/chop.toml"),
    ],
)
def test_a_data_file_with_a_byte_order_mark_is_read(
    companion: Companion, tmp_path: Path, game: str, option: str, data: str
) -> None:
    own = tmp_path / "own.toml"
    own.write_bytes(BYTE_ORDER_MARK + (registry.game(game).folder / "data" / data).read_bytes())
    (tmp_path / "moves.jsonl").write_text("", "utf-8")
    match = tmp_path / "match.jsonl"
    match.write_text(f'{{"match": {{"game": "{game}", "options": {{"{option}": "{own}"}}}}}}\n', "utf-8")
    ran = companion("import", match)
    assert ran.status == 0, ran.err
