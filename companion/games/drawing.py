"""A game's board as a drawing in SVG, for those who have no page of ours: a home's panel, a message.

A drawing needs no browser, no font of ours and no library; its texts are drawn by whoever shows it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from html import escape
from typing import Any, NamedTuple, Protocol, runtime_checkable

from companion.games.watching import Square

INK = "#2b2420"
"""The colour of lines and texts."""

PAPER = "#fffaf2"
"""The colour of the ground."""

FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK TC', 'Noto Sans CJK KR', sans-serif"
"""The fonts of all texts, the first that is there."""


HEADS = {
    "cat": "M-.46-.62L-.2-.44Q0-.5 .2-.44L.46-.62L.5-.1Q.5 .46 0 .46T-.5-.1z",
    "mouse": "M-.36-.2A.24 .24 0 1 1-.14-.44Q0-.48 .14-.44A.24 .24 0 1 1 .36-.2Q.42 .1 0 .52Q-.42 .1-.36-.2z",
}
"""The outlines of heads, about one unit wide, with their middle at (0, 0)."""


class Drawing(NamedTuple):
    """SVG in a box of `width` × `height` units with (0, 0) at its top left."""

    width: float
    height: float
    inside: str


@runtime_checkable
class Drawn(Protocol):
    """A game that draws its board without a browser."""

    @abstractmethod
    def drawing(self, view: Any, name: Callable[[str], str]) -> Drawing:
        """The board of a view; `name` gives the name of who sits on a seat."""


def element(tag: str, text: str = "", /, **attributes: object) -> str:
    """An element with a text in it; `stroke_width=2` stands for the attribute `stroke-width`."""
    return _element(tag, escape(text), attributes)


def group(parts: Iterable[str], **attributes: object) -> str:
    """Several elements as one, with the attributes that they share."""
    return _element("g", "".join(parts), attributes)


def label(text: str | int, x: float, y: float, size: float, **attributes: object) -> str:
    """A text whose middle is at (x, y), in what `drawn` puts together."""
    return element("text", str(text), x=x, y=y, font_size=size, **attributes)


def squares(cells: Iterable[Square]) -> str:
    """The path around each of these squares of a board; a square is one unit wide."""
    return "".join(f"M{col} {row}h1v1h-1z" for row, col in cells)


def edges(cells: Iterable[Square]) -> str:
    """The path along the edge of all these squares together, their holes included."""
    covered = frozenset(cells)
    sides = (((-1, 0), (0, 0), "h1"), ((1, 0), (1, 0), "h1"), ((0, -1), (0, 0), "v1"), ((0, 1), (0, 1), "v1"))
    return "".join(
        f"M{col + right} {row + down}{along}"
        for row, col in sorted(covered)
        for (up, aside), (down, right), along in sides
        if (row + up, col + aside) not in covered
    )


def head(kind: str, x: float, y: float, size: float, **attributes: object) -> str:
    """The head of a cat (pointed ears) or of a mouse (round ears) with its middle at (x, y)."""
    moved = f"translate({_number(x)} {_number(y)}) scale({_number(size)})"
    return element("path", d=HEADS[kind], transform=moved, **attributes)


def drawn(parts: Iterable[str]) -> str:
    """A whole drawing: its texts are dark, and centred at their places, where they do not say otherwise."""
    centred = {"text_anchor": "middle", "dominant_baseline": "central"}
    return group(parts, font_family=FONT, fill=INK, **centred)


def _element(tag: str, inside: str, attributes: dict[str, object]) -> str:
    given = "".join(f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{tag}{given}>{inside}</{tag}>" if inside else f"<{tag}{given}/>"


def _value(value: object) -> str:
    return _number(value) if isinstance(value, int | float) else escape(str(value))


def _number(value: float) -> str:
    """A length with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
