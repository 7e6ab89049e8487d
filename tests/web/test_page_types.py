"""The types that the pages' JavaScript is checked by are those of what the server sends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from flask.testing import FlaskClient

from tests.web import page_types

ROOT = Path(__file__).parents[2]


class Paw(msgspec.Struct, frozen=True, tag_field="move", tag="paw", omit_defaults=True):
    """Whose paw it is. What follows is not repeated."""

    owner: Literal["cat", "dog"]
    square: tuple[int, int] | None
    claws: tuple[float, ...] = ()


def fields(text: str, interface: str) -> set[str]:
    """The names that an interface gives to what it holds."""
    inside = re.search(
        rf"^export interface {interface}(?:<.*?>)? {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL
    )
    assert inside, interface
    return set(re.findall(r"^  (\w+)\??:", inside.group(1), re.MULTILINE))


def test_a_python_type_is_an_interface_with_the_same_fields() -> None:
    interfaces = page_types.Interfaces()
    assert interfaces.name(tuple[Paw, ...] | None) in {"Paw[] | null", "null | Paw[]"}
    assert interfaces.text() == (
        "/** Whose paw it is. What follows is not repeated. */\n"
        "export interface Paw {\n"
        '  move: "paw";\n'
        '  owner: "cat" | "dog";\n'
        "  square: [number, number] | null;\n"
        "  claws?: number[];\n"
        "}"
    )


def test_two_types_of_one_name_are_refused() -> None:
    interfaces = page_types.Interfaces()
    interfaces.name(Paw)
    other = msgspec.defstruct("Paw", [("owner", str)])
    with pytest.raises(ValueError, match="two types are called Paw"):
        interfaces.name(other)


@pytest.mark.parametrize(
    "path, text",
    page_types.made(ROOT).items(),
    ids=lambda value: value.parent.name if isinstance(value, Path) else "",
)
def test_each_file_of_types_is_current(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "make page-types"


def test_what_the_server_sends_has_the_fields_of_its_types(client: FlaskClient) -> None:
    shared = (ROOT / "web/static/types.d.ts").read_text("utf-8")
    bed = (ROOT / "companion/games/this_bed_is_mine/page_types.d.ts").read_text("utf-8")
    shown = re.search(r'id="now">(.*?)</script>', client.get("/").text)
    assert shown
    now: dict[str, Any] = json.loads(shown.group(1))
    seats: dict[str, Any] = client.get("/api/seats").json
    assert now.keys() == fields(shared, "TableNow")
    assert now["match"].keys() == fields(shared, "MatchView")
    assert now["match"]["board"].keys() == fields(bed, "BedView")
    assert now["match"]["options"].keys() == fields(bed, "BedOptions")
    assert seats.keys() == fields(shared, "SeatsNow")
    assert seats["seats"][0].keys() == fields(shared, "SeatNow")
