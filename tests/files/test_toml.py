"""TOML files that a person wrote: each fault is said with the file, the line and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from companion.errors import UserError
from companion.errors.causes import Key
from companion.files import FileFault, TomlText, find_line


class Tree(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tree of the garden below."""

    sort: Literal["apple", "pear"]
    age: Annotated[int, Meta(ge=0, le=300)] = 0


class Garden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The garden below."""

    rows: Annotated[int, Meta(ge=1, le=64)]
    fence: bool = False
    height: Annotated[float, Meta(gt=0)] = 1.0
    label: Annotated[str, Meta(max_length=8)] = ""
    corner: tuple[int, int] = (0, 0)
    plan: tuple[str, ...] = ()
    tree: tuple[Tree, ...] = ()
    beds: dict[str, dict[str, int]] = {}
    gate: int | None = None


GARDEN = '''# A garden.
rows = 3
fence = true
plan = [
  "..#",
  "rows = 9",
]
label = """
a
b"""

[[tree]]
sort = "apple"

[[tree]]
# The old one.
sort = "pear"
age = 90

[beds.north]
peas = 4
beans = { white = 1 }
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("rows",), 2),
        (("fence",), 3),
        (("plan", 1), 4),
        (("label",), 8),
        (("tree", 1, "age"), 18),
        (("beds", "north", "peas"), 21),
        (("beds", "north", "beans", "white"), 22),
        (("beds", "north", "maize"), 20),
    ],
)
def test_the_line_of_a_key(key: Key, line: int) -> None:
    assert find_line(GARDEN, key) == line


@pytest.mark.parametrize("key", [("tree", 0, "sort"), ("depth",), ()], ids=["twice", "not there", "the file"])
def test_no_line_is_said_where_a_plain_search_finds_none_or_several(key: Key) -> None:
    assert find_line(GARDEN, key) is None


@pytest.mark.parametrize("sign", ["\u2028", "\x85"])
def test_lines_are_those_of_toml(sign: str) -> None:
    """Some readers of text begin a line at such a sign; TOML and editors do not."""
    assert find_line(f"# a{sign}b\na = 'x{sign}y'\nb = [\n  1,\n]\n", ("b", 0)) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("a = " + "[" * 5000, "nested too deeply", id="lists"),
        pytest.param("a = " + "{a=" * 5000 + "1" + "}" * 5000, "nested too deeply", id="tables"),
        pytest.param(".".join("a" * 50_000) + " = 1", "nested too deeply", id="dots"),
        pytest.param("a = { " + " . ".join("a" * 50_000) + " = 1 }", "nested too deeply", id="dots inside"),
        pytest.param("[" + ".".join("a" * 50_000) + "]", "nested too deeply", id="dots in a header"),
        pytest.param("a = " + "9" * 5000, "too many digits", id="digits"),
        pytest.param("a = 1\0", "not valid TOML", id="NUL"),
    ],
)
def test_a_text_beyond_measure_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(FileFault, match=says):
        TomlText(text, "garden.toml").values()


def test_a_drawing_may_have_many_dots() -> None:
    rows = ["." * 100, "b.m." * 25]
    assert TomlText(f"plan = {rows}\n# {'.' * 100}\n", "garden.toml").values() == {"plan": rows}


def said(text: str) -> str:
    """What is said of a garden's text."""
    with pytest.raises(FileFault) as fault:
        TomlText(text, "garden.toml").parse(Garden)
    return str(fault.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\nrows = 0", "garden.toml, line 2: “rows” must be a whole number from 1 to 64, not 0."),
        ("rows = 'x'", "garden.toml, line 1: “rows” must be a whole number from 1 to 64, not “x”."),
        ("rows = 1\nfence = 1", "garden.toml, line 2: “fence” must be true or false, not 1."),
        ("rows = 1\nplan = ['', 7]", "garden.toml, line 2: “plan[1]” must be text, not 7."),
        ("rows = 1\nbeds = 3", "garden.toml, line 2: “beds” must be a group of named values, not 3."),
        (
            "rows = 1\n[beds.a]\nx = 1\n[beds.b]\ny = 'z'",
            "garden.toml, line 5: “beds.b.y” must be a whole number, not “z”.",
        ),
        (
            "rows = 1\n[[tree]]\nsort = 'pear'\n[[tree]]\nsort = 'plum'",
            "garden.toml: “tree[1].sort” must be one of apple, pear, not “plum”.",
        ),
        ("rows = 1\n[[tree]]\nage = 1", "garden.toml, line 2: “tree[0].sort” is missing."),
        (
            "rows = 1\n[[tree]]\nsort = 'pear'\nold = 1",
            "garden.toml, line 4: there is no “tree[0].old” here; there is: sort, age.",
        ),
        ("fence = true", "garden.toml: “rows” is missing."),
        ("rows = \n", "garden.toml: line 1, column 8: this is not valid TOML."),
        ("rows = 1\nfence = ?\n", "garden.toml: line 2, column 9: this is not valid TOML."),
        ("rows = ", "garden.toml: it is not valid TOML."),
    ],
)
def test_a_fault_is_said_with_its_line(text: str, says: str) -> None:
    assert said(text) == says


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "garden.toml"
    path.write_bytes(b"\xef\xbb\xbfrows = 5\n")
    assert TomlText.from_file(path).parse(Garden).rows == 5


def test_a_file_that_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "garden.toml"
    with pytest.raises(UserError, match=r"garden\.toml cannot be read: there is no such file\.$"):
        TomlText.from_file(path)
    path.write_bytes(b"rows = 1 # \xff")
    with pytest.raises(UserError, match=r"garden\.toml cannot be read: it is not text; save it as UTF-8\.$"):
        TomlText.from_file(path)
    path.write_bytes(b"#" * 11)
    with pytest.raises(UserError, match=r"garden\.toml is too large; 10 bytes are the most\.$"):
        TomlText.from_file(path, most_bytes=10)
