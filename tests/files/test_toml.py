"""TOML files that a person wrote: each fault is said with the file, the line and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec import Meta

from companion.errors import MendableError
from companion.files import FileFault, Key, TomlText, line_of


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
        (("plan",), 4),
        (("plan", 1), 6),
        (("plan", 2), 4),
        (("label",), 8),
        (("tree",), 12),
        (("tree", 0, "sort"), 13),
        (("tree", 0, "age"), 12),
        (("tree", 1), 15),
        (("tree", 1, "age"), 18),
        (("beds", "north", "peas"), 21),
        (("beds", "north", "beans", "white"), 22),
        (("beds", "north", "maize"), 20),
        (("depth",), None),
        ((), None),
    ],
)
def test_the_line_of_a_key(key: Key, line: int | None) -> None:
    assert line_of(GARDEN, key) == line


ORCHARD = """trees = [
  { sort = "apple", ages = [
    3,  # a ] that ends nothing
    90,
  ], 'of "old"' = 1 },
  [[], [4, 5],
   [6]], "a, b]", '''
  c''', { "x.y".z = [
    1 ] },
  -7, 2020-01-02 03:04:05,
  8,
]
gate.width = [
  1,
  2]
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("trees", 0), 2),
        (("trees", 0, "ages", 0), 3),
        (("trees", 0, "ages", 1), 4),
        (("trees", 0, 'of "old"'), 5),
        (("trees", 1, 1, 1), 6),
        (("trees", 1, 2, 0), 7),
        (("trees", 2), 7),
        (("trees", 3), 7),
        (("trees", 4, "x.y", "z", 0), 9),
        (("trees", 5), 10),
        (("trees", 6), 10),
        (("trees", 7), 11),
        (("trees", 0, "height"), 2),
        (("gate", "width", 1), 15),
    ],
)
def test_the_line_of_an_entry_of_a_list(key: Key, line: int) -> None:
    assert line_of(ORCHARD, key) == line


@given(
    some.lists(some.sampled_from(["", "# a = 1", "   "]), max_size=5),
    some.sampled_from(["wanted = 1", "'wanted' = 1", "wanted.inner = 1", "wanted = [\n1,\n2]", "[wanted]"]),
)
def test_the_line_is_that_of_the_key_whatever_stands_before(before: list[str], statement: str) -> None:
    text = "\n".join(["other = 1", *before, statement, "# wanted = 2"])
    if statement != "[wanted]":
        text += "\nlast = 3"
    assert line_of(text, ("wanted",)) == len(before) + 2


def test_a_list_of_very_many_lines_is_looked_into() -> None:
    text = "a = [\n" + "1,  # ]\n" * 9000 + "]\nb = 2\n"
    assert line_of(text, ("a", 8999)) == 9001
    assert line_of(text, ("b",)) == 9003


@pytest.mark.parametrize("sign", ["\u2028", "\x85"])
def test_lines_are_those_of_toml(sign: str) -> None:
    """Some readers of text begin a line at such a sign; TOML and editors do not."""
    assert line_of(f"# a{sign}b\na = 'x{sign}y'\nb = [\n  1,\n]\n", ("b", 0)) == 4


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
            "garden.toml, line 5: “tree[1].sort” must be one of apple, pear, not “plum”.",
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
    assert TomlText.read(path).parse(Garden).rows == 5


def test_a_file_that_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "garden.toml"
    with pytest.raises(MendableError, match=r"garden\.toml cannot be read: there is no such file\.$"):
        TomlText.read(path)
    path.write_bytes(b"rows = 1 # \xff")
    with pytest.raises(
        MendableError, match=r"garden\.toml cannot be read: it is not text; save it as UTF-8\.$"
    ):
        TomlText.read(path)
    path.write_bytes(b"#" * 11)
    with pytest.raises(MendableError, match=r"garden\.toml is too large; 10 bytes are the most\.$"):
        TomlText.read(path, most_bytes=10)
