"""Files made to break a reader are answered in one sentence, with exit 2, soon and in little memory."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from companion import MOST_PIXELS
from tests.commands.test_plain_speech import BED, LIBRARY_SPEECH, NOT_HERE, TAKES_A_FILE
from tests.conftest import Companion

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


@pytest.mark.parametrize("wrong", TEXTS)
@pytest.mark.parametrize("name", ["scene.json", "pictures.jsonl"])
@pytest.mark.parametrize("command", ["read-bed", "run --host 203.0.113.1 --camera"])
def test_a_folder(companion: Companion, tmp_path: Path, command: str, name: str, wrong: str) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "scene.json").write_text('{"rows": 2, "cols": 2}', "utf-8")
    (folder / "pictures.jsonl").write_text('{"image": "a.jpg", "role": "watch"}\n', "utf-8")
    write(folder / name, wrong)
    given = f"folder:{folder}" if command.startswith("run") else folder
    said_in_one_sentence(companion(*command.split(), given))


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


@pytest.mark.parametrize("command", ["read-dice", "read-bed"])
@pytest.mark.parametrize("size", [(40_000, 40_000, 10), (28_000, 28_000, 300)])
def test_a_picture_that_wants_gigabytes(tmp_path: Path, command: str, size: tuple[int, int, int]) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.png").write_bytes(png(*size))
    (folder / "scene.json").write_text('{"rows": 4, "cols": 4}', "utf-8")
    (folder / "pictures.jsonl").write_text(
        '{"image": "a.png", "role": "empty"}\n{"image": "a.png", "role": "watch"}', "utf-8"
    )
    given = folder if command == "read-bed" else folder / "a.png"
    measured = (
        "import resource, subprocess, sys; ran = subprocess.run(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(ran.returncode)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", measured, sys.executable, "-m", "companion", *command.split(), str(given)],
        capture_output=True, text=True, check=False, timeout=60, env=os.environ,
    )  # fmt: skip
    assert ran.returncode == 2, ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("Error: ")
    assert "megapixels" in ran.stderr
    assert int(ran.stdout.splitlines()[-1]) < MOST_MEMORY_KIB


def test_a_picture_of_a_phone_is_within_the_limit() -> None:
    assert 8160 * 6144 <= MOST_PIXELS < 30_000 * 30_000
