"""Files made to break a reader are answered in one sentence, with exit 2, within 2 s and 300 MB."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import pytest

from companion import MOST_PIXELS, messages
from tests.commands.test_plain_speech import BED, LIBRARY_SPEECH, NOT_HERE, TAKES_A_FILE
from tests.conftest import Companion

pytestmark = pytest.mark.usefixtures("soon")

DEEP = "[" * 5000 + "]" * 5000
DIGITS = "9" * 5000

TEXTS = {
    "nested": f'{{"match": {DEEP}}}',
    "nested toml": f"rows = {DEEP}",
    "tables": f"[{'.'.join('a' * 5000)}]\nb = 1",
    "digits": f'{{"rows": {DIGITS}, "match": {DIGITS}}}',
    "digits toml": f"rows = {DIGITS}\nname = {DIGITS}",
    "nul": '{"match": "\0"}\0',
    "nul toml": 'name = "\0"\0',
    "no text": b"\xff\xfe\x00\xd8" * 50,
    "one line": "x" * 3_000_000,
}
"""Files of text, by what is wrong with them."""

MOST_MEMORY_KIB = 300 * 1024
"""What a command may take that reads a picture."""

HOME = "home"


@pytest.fixture(autouse=True)
def kept_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games are kept in a folder of the test's own."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / HOME))


def write(path: Path, wrong: str) -> None:
    """Write one of the texts."""
    text = TEXTS[wrong]
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def said_in_one_sentence(ran: object) -> None:
    """Exit 2, and a sentence of ours."""
    status, out, err = ran.status, ran.out, ran.err  # type: ignore[attr-defined]
    assert status == 2, (out[:300], err[:300])
    assert not LIBRARY_SPEECH.search(out + err), err[:300]
    assert err.startswith(("Error: ", "Usage: "))
    assert len(err) < 1200


@pytest.mark.parametrize("wrong", TEXTS)
@pytest.mark.parametrize("words", TAKES_A_FILE)
def test_a_text(companion: Companion, tmp_path: Path, words: str, wrong: str) -> None:
    path = tmp_path / "it"
    write(path.with_suffix(".toml") if "--option" in words else path, wrong)
    ran = companion(*words.split(), *(each.format(path) for each in TAKES_A_FILE[words]))
    said_in_one_sentence(ran)
    assert NOT_HERE not in ran.err, "it ends before it serves"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of pictures: a board of 4 × 3 squares with one kind of tile, and a grey picture of it."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "scene.json").write_text('{"rows": 4, "cols": 3, "tile_shapes": {"1": ["#."]}}', "utf-8")
    (folder / "pictures.jsonl").write_text(f"{EMPTY}\n{WATCH}\n", "utf-8")
    (folder / "truth.jsonl").write_text('{"image": "a.png"}\n', "utf-8")
    (folder / "a.png").write_bytes(png(400, 400, 400))
    return folder


CORNERS = '"corners_px": [[10, 10], [390, 10], [390, 390], [10, 390]]'
EMPTY = f'{{"image": "a.png", "role": "empty", {CORNERS}}}'
WATCH = f'{{"image": "a.png", "role": "watch", {CORNERS}}}'
"""Lines of pictures.jsonl."""

A_FOLDER = (
    ("read-bed", ("scene.json", "pictures.jsonl")),
    ("score", ("scene.json", "pictures.jsonl")),
    ("evaluate", ("scene.json", "pictures.jsonl", "truth.jsonl")),
    ("run --host 203.0.113.1 --camera", ("scene.json", "pictures.jsonl")),
)
"""What takes a folder of pictures, and which of its files it reads."""


@pytest.mark.parametrize("wrong", TEXTS)
@pytest.mark.parametrize(("command", "name"), [(words, name) for words, names in A_FOLDER for name in names])
def test_a_folder(companion: Companion, folder: Path, command: str, name: str, wrong: str) -> None:
    write(folder / name, wrong)
    given = f"folder:{folder}" if command.startswith("run") else folder
    said_in_one_sentence(companion(*command.split(), given))


def test_the_folder_itself_is_read(companion: Companion, folder: Path) -> None:
    assert [line["tiles"] for line in companion("read-bed", folder).lines] == [[]]
    assert companion("evaluate", folder, "--json").status == 0


@pytest.mark.parametrize("wrong", TEXTS)
def test_a_folder_of_photographs_of_dice(companion: Companion, tmp_path: Path, wrong: str) -> None:
    write(tmp_path / "truth.jsonl", wrong)
    said_in_one_sentence(companion("evaluate", tmp_path))


@pytest.mark.parametrize("command", ["read-bed", "score", "evaluate"])
@pytest.mark.parametrize(
    "scene",
    [
        '{"rows": 0, "cols": 3}',
        '{"rows": 1' + "0" * 30 + ', "cols": 3}',
        '{"rows": 1e30, "cols": 3}',
        '{"rows": 4, "cols": 3, "pillows": [[[1' + "0" * 30 + ", 0]]]}",
        '{"rows": 256, "cols": 256, "tile_shapes": {"1": ["#"]}}',
        '{"rows": 4, "cols": 3, "tile_shapes": {"1": ["' + "#" * 1_000_000 + '"]}}',
        '{"rows": 4, "cols": 3, "tile_shapes": {' + ", ".join(f'"{n}": ["#"]' for n in range(20_000)) + "}}",
        '{"rows": 4, "cols": 3, "markers_in_cells": {"0": [[1e300, 0], [1e300, 1], [0, 1], [0, 0]]}}',
        '{"rows": 4, "cols": 3, "tray_in_cells_at_table_height": [1e300, -1e300, 1e300, 1e300]}',
    ],
    ids=lambda scene: scene[:50],
)
def test_a_scene_that_cannot_be(companion: Companion, folder: Path, command: str, scene: str) -> None:
    (folder / "scene.json").write_text(scene, "utf-8")
    said_in_one_sentence(companion(command, folder))


def taught(row: str, turns: str = "0", digit: str = "1") -> str:
    """A line that teaches a tile which lies there."""
    tile = f'{{"owner": "cat", "digit": {digit}, "turns": {turns}, "row": {row}, "col": 0}}'
    return f'{{"image": "a.png", "role": "teach", {CORNERS}, "tiles": [{tile}]}}'


@pytest.mark.parametrize("command", ["read-bed", "score", "evaluate"])
@pytest.mark.parametrize(
    "line",
    [
        taught(row="1" + "0" * 30),
        taught(row="1e30"),
        taught(row="-1"),
        taught(row="0", turns="1" + "0" * 5000),
        taught(row="0", digit='"\\u0000"'),
        taught(row="0", digit="7"),
        f'{{"image": "a.png", "role": "start", {CORNERS}, "covered": [[1{"0" * 30}, 0]]}}',
        '{"image": "a.png", "role": "teach", "corners_px": [[1e300, 10], [390, 10], [390, 390], [10, 390]]}',
        '{"image": "a.png", "role": "teach", "corners_px": [[0, 0], [0, 0], [0, 0], [0, 0]]}',
        '{"image": "a\\u0000.png", "role": "watch"}',
        '{"image": "/dev/zero", "role": "watch"}',
        '{"image": ".", "role": "watch"}',
        f'{{"image": "{"a" * 9000}.png", "role": "watch"}}',
    ],
    ids=lambda line: line[:60],
)
def test_a_line_about_a_picture(companion: Companion, folder: Path, command: str, line: str) -> None:
    (folder / "pictures.jsonl").write_text(f"{EMPTY}\n{line}\n{WATCH}\n", "utf-8")
    said_in_one_sentence(companion(command, folder))


@pytest.mark.parametrize("wrong", TEXTS)
def test_the_messages_of_a_game(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    write(tmp_path / "messages.toml", wrong)
    (tmp_path / "moves.jsonl").write_text('{"move": "skip", "owner": "dog"}\n', "utf-8")
    monkeypatch.setitem(messages._folders, BED, tmp_path)
    messages.messages_of_game.cache_clear()
    ran = companion("replay", BED, tmp_path / "moves.jsonl")
    said_in_one_sentence(ran)
    assert str(tmp_path / "messages.toml") in ran.err
    messages.messages_of_game.cache_clear()


@pytest.mark.parametrize(
    "move",
    [
        '{"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 1e30, "col": 3}',
        '{"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 1' + "0" * 30 + ', "col": 3}',
        '{"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": -9223372036854775809, "col": 0}',
        '{"move": "lay", "owner": "\\u0000", "digit": 4, "turns": 0, "row": 0, "col": 0}',
        '{"move": "undo", "seat": "\\ud800"}',
        "c4@99999999999999999999999999999999,3",
        "c4@0,0",
    ],
)
def test_a_move_with_a_number_or_name_that_cannot_be(companion: Companion, tmp_path: Path, move: str) -> None:
    path = tmp_path / "moves.jsonl"
    path.write_text(move, "utf-8")
    ran = companion("replay", BED, path)
    assert ran.status in (0, 2)
    if ran.status == 0:
        assert [line["ok"] for line in ran.lines] == [False]
    else:
        said_in_one_sentence(ran)


@pytest.mark.parametrize(
    "option", [f"chips_1={DIGITS}", "chips_1=1e30", "board=\0", f"board={'/' * 9000}.toml"]
)
def test_an_option(companion: Companion, tmp_path: Path, option: str) -> None:
    path = tmp_path / "moves.jsonl"
    path.write_text("", "utf-8")
    said_in_one_sentence(companion("replay", BED, path, "--option", option))


def png(width: int, height: int, rows: int) -> bytes:
    """A PNG that says it is `width` × `height` px, with the first rows of it, all black."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    black = zlib.compress(bytes((1 + 3 * width) * rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", black) + chunk(b"IEND", b"")


class Child(NamedTuple):
    """How a command ended in a process of its own, and the memory that it took."""

    status: int
    err: str
    memory_kib: int


def in_a_child(*words: object) -> Child:
    """Run a command, and measure its memory."""
    measured = (
        "import resource, subprocess, sys;"
        "ran = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, timeout=50);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(ran.returncode)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", measured, sys.executable, "-m", "companion", *map(str, words)],
        capture_output=True, text=True, check=False, timeout=60, env=os.environ,
    )  # fmt: skip
    return Child(ran.returncode, ran.stderr, int(ran.stdout.splitlines()[-1]))


TEACH = "teach cards --game exploding-kittens --kind skip"

WANTS_GIGABYTES = {"40,000 x 40,000": (40_000, 40_000, 10), "2.4 GB of black": (28_000, 28_000, 300)}
"""Pictures by what is said of them: their size in px, and the rows that are there."""


@pytest.mark.parametrize(
    ("command", "size"),
    [
        *((command, size) for command in ("read-dice", "read-bed") for size in WANTS_GIGABYTES),
        ("score", "40,000 x 40,000"),
        ("evaluate", "2.4 GB of black"),
        (TEACH, "2.4 GB of black"),
    ],
)
def test_a_picture_that_wants_gigabytes(folder: Path, command: str, size: str) -> None:
    (folder / "a.png").write_bytes(png(*WANTS_GIGABYTES[size]))
    given = folder if command in ("read-bed", "score", "evaluate") else folder / "a.png"
    ran = in_a_child(*command.split(), given)
    assert ran.status == 2, ran.err
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("Error: ")
    assert "megapixels" in ran.err
    assert ran.memory_kib < MOST_MEMORY_KIB


@pytest.mark.parametrize("wrong", ["nested", "nul", "no text", "one line"])
@pytest.mark.parametrize("command", ["read-bed", "score", "evaluate", "read-dice", TEACH])
def test_a_text_that_is_called_a_picture(
    companion: Companion, folder: Path, command: str, wrong: str
) -> None:
    lines = (folder / "pictures.jsonl").read_text("utf-8")
    (folder / "pictures.jsonl").write_text(lines.replace("a.png", "a.jpg"), "utf-8")
    write(folder / "a.jpg", wrong)
    given = folder if command in ("read-bed", "score", "evaluate") else folder / "a.jpg"
    ran = companion(*command.split(), given)
    said_in_one_sentence(ran)
    assert "a.jpg" in ran.err


@pytest.mark.parametrize("command", [f"replay {BED}", "import"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"move": [' + "[]," * 1_600_000 + "[]]}\n", ""),
        ("{}\n" * 1_600_000, "more lines than any match"),
        (f'{{"move": "{"a" * 5_000_000}"}}\n', "too large"),
    ],
    ids=["lists", "lines", "larger than any"],
)
def test_moves_that_want_memory(tmp_path: Path, command: str, line: str, said: str) -> None:
    path = tmp_path / "moves.jsonl"
    path.write_text(f'{{"match": {{"game": "{BED}"}}}}\n{line}', "utf-8")
    ran = in_a_child(*command.split(), path)
    assert ran.status == (0 if command.startswith("replay") and not said else 2), ran.err[:300]
    assert ran.memory_kib < MOST_MEMORY_KIB
    if ran.status:
        assert ran.err.count("\n") == 1
        assert said in ran.err
        assert len(ran.err) < 1200


def test_a_picture_of_a_phone_is_within_the_limit() -> None:
    assert 8160 * 6144 <= MOST_PIXELS < 30_000 * 30_000
