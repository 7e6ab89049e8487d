"""What a library's error means to a person: by number, by type, by place; in three languages."""

from __future__ import annotations

import errno
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from companion.errors import InvalidMove
from companion.errors.causes import cause_of


class Lay(msgspec.Struct, tag_field="move", tag="lay", forbid_unknown_fields=True):
    """A move with values of each kind."""

    n: Annotated[int, msgspec.Meta(ge=1, le=6)]
    side: Literal["a", "b"] = "a"
    at: tuple[int, int] = (0, 0)
    names: dict[str, str] = {}
    note: str | None = None
    sure: bool = False
    speed: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    tags: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ()


ALL = "n, side, at, names, note, sure, speed, tags"
AT_LEAST_ONE = "a list of at least 1 value"


class Skip(msgspec.Struct, tag_field="move", tag="skip"):
    """A move without values."""


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "“move” is missing; it must be one of lay, skip"),
        ({"move": "fly"}, "“move” must be one of lay, skip, not “fly”"),
        ({"move": "lay"}, "“n” is missing"),
        ({"move": "lay", "n": 7}, "“n” must be a whole number from 1 to 6, not 7"),
        ({"move": "lay", "n": "7"}, "“n” must be a whole number from 1 to 6, not “7”"),
        ({"move": "lay", "n": None}, "“n” must be a whole number from 1 to 6, not nothing"),
        ({"move": "lay", "n": True}, "“n” must be a whole number from 1 to 6, not true"),
        ({"move": "lay", "n": 1, "side": "c"}, "“side” must be one of a, b, not “c”"),
        ({"move": "lay", "n": 1, "at": [1]}, "“at” must be a list of 2 values, not a list of 1 value"),
        ({"move": "lay", "n": 1, "at": [1, "x"]}, "“at[1]” must be a whole number, not “x”"),
        ({"move": "lay", "n": 1, "note": 3}, "“note” must be text, not 3"),
        ({"move": "lay", "n": 1, "sure": "no"}, "“sure” must be true or false, not “no”"),
        ({"move": "lay", "n": 1, "speed": 0}, "“speed” must be a number above 0, not 0"),
        (
            {"move": "lay", "n": 1, "tags": []},
            "“tags” must be a list of at least 1 value, not a list of 0 values",
        ),
        (
            {"move": "lay", "n": 1, "m": 2},
            "there is no “m” here; there is: n, side, at, names, note, sure, speed, tags",
        ),
        ({"move": "lay", "n": "x" * 99}, f"“n” must be a whole number from 1 to 6, not “{'x' * 40}…”"),
        ([1], "it must be a group of named values, not a list of 1 value"),
        ("lay", "it must be a group of named values, not “lay”"),
    ],
)
def test_a_value_that_does_not_fit_its_type(given: Any, says: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(given, Lay | Skip)
    assert str(cause_of(caught.value, Lay | Skip, given)) == says


def test_it_is_said_in_the_readers_language() -> None:
    given = {"move": "lay", "n": 0}
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(given, Lay | Skip)
    refusal = InvalidMove("", "not-a-move", fault=cause_of(caught.value, Lay | Skip, given))
    assert refusal.says("zh-Hant") == "這不是本遊戲的行動：「n」必須是 1 到 6 的整數，不能是 0"
    assert (
        refusal.says("ko")
        == "이 게임의 행동이 아닙니다: “n”에는 1에서 6까지의 정수가 와야 하며 0은 안 됩니다"
    )


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOENT, "there is no such file"),
        (errno.EISDIR, "it is a folder, not a file"),
        (errno.ENOTDIR, "a part of its path is a file, not a folder"),
        (errno.EACCES, "this user is not allowed to"),
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "the disk takes no writes"),
        (errno.EADDRINUSE, "another program is using it"),
        (errno.ELOOP, f"the system refuses it (error {errno.ELOOP})"),
    ],
)
def test_the_systems_errors(number: int, says: str) -> None:
    assert str(cause_of(OSError(number, "in the system's words"))) == says


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "it").write_bytes(b"no database at all" * 99)
    with (
        closing(sqlite3.connect(tmp_path / "it")) as database,
        pytest.raises(sqlite3.DatabaseError) as caught,
    ):
        database.execute("PRAGMA user_version = 1")
    assert str(cause_of(caught.value)) == "the file is damaged"


def test_a_database_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite3.connect(tmp_path / "gone" / "it")
    assert str(cause_of(caught.value)) == "it cannot be opened"


def test_text_that_is_not_what_it_should_be() -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as toml:
        tomllib.loads("a = 1\nb = ?")
    assert str(cause_of(toml.value)) == "line 2, column 5: this is not valid TOML"
    with pytest.raises(msgspec.DecodeError) as cut:
        msgspec.json.decode(b'{"a": ')
    assert str(cause_of(cut.value)) == "the JSON ends too early"
    with pytest.raises(msgspec.DecodeError) as malformed:
        msgspec.json.decode(b'{"a": ?}')
    assert str(cause_of(malformed.value)) == "it is not valid JSON (at character 7)"
    with pytest.raises(UnicodeDecodeError) as raw:
        b"\xff".decode("utf-8")
    assert str(cause_of(raw.value)) == "it is not text; save it as UTF-8"
