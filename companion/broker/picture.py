"""The picture of a table for a home: its board, whose turn it is, and the points, as one small SVG."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from companion.broker.payloads import PublishedState
from companion.games.drawing import PAPER, Drawing, Drawn, drawn, element, group, label
from companion.games.registry import AnyGame, game
from web.language import messages_of_page
from web.pages import capital, seat_label

WIDTH, HEAD, ROW, EDGE = 800, 120, 44, 20
"""In px: the picture's width, the height of its head, the height of a seat's row, and the edge around all."""

TALLEST_BOARD = 700
"""In px: a board is drawn at most so high."""

MOST_BYTES = 60_000
"""The size of the largest picture; of a board that needs more, only what stands around it is drawn."""

FIRST = "#fde9c4"
"""The colour behind the seat whose turn it is, and behind winners."""


def picture_of(state: PublishedState, language: str) -> bytes:
    """The picture of what a table has published, so that it shows nothing more."""
    played = game(state.match.game)
    picture = _picture(state, language, _board(state, played, language))
    return picture if len(picture) <= MOST_BYTES else _picture(state, language, Drawing(1, 0, ""))


def _picture(state: PublishedState, language: str, board: Drawing) -> bytes:
    scale = min((WIDTH - 2 * EDGE) / board.width, TALLEST_BOARD / board.height) if board.height else 0
    left, below = (WIDTH - board.width * scale) / 2, HEAD + board.height * scale + EDGE
    height = below + len(state.points) * ROW + EDGE
    moved = f"translate({left:.2f} {HEAD}) scale({scale:.4f})"
    parts = (
        element("rect", width=WIDTH, height=height, fill=PAPER),
        *_head(state, language),
        group((board.inside,), transform=moved) if board.inside else "",
        *_seats(state, language, below),
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
        f' height="{height:.0f}">{drawn(parts)}</svg>'
    ).encode()


def _board(state: PublishedState, played: AnyGame, language: str) -> Drawing:
    """The game's own drawing of its board; an empty one where it has none."""
    if not isinstance(played, Drawn):
        return Drawing(1, 0, "")
    kind: Any = get_type_hints(type(played).view)["return"]
    view = msgspec.convert(state.match.board, kind, strict=False)
    return played.drawing(view, lambda seat: _name(state, seat, language))


def _head(state: PublishedState, language: str) -> tuple[str, str]:
    """The name of the game, and whose turn it is or who has won."""
    match, words = state.match, messages_of_page(state.match.game)
    title = game(match.game).names.get(language, match.game)
    if match.outcome is not None:
        names = tuple(_name(state, seat, language) for seat in match.outcome.winners)
        won = words.say("display.won", language, names=names, winners=len(names))
        said = won if names else words.say("display.nobody-won", language)
    elif match.turn is not None:
        said = words.say("web.turn", language, seat=_name(state, match.turn, language))
    else:
        said = words.say("web.nobodys-turn", language)
    at = {"text_anchor": "start"}
    return label(title, EDGE, 40, 34, font_weight="bold", **at), label(capital(said), EDGE, 88, 28, **at)


def _seats(state: PublishedState, language: str, y: float) -> list[str]:
    """A row for each seat: who sits there, and the points; none where nothing is counted."""
    match = state.match
    first = match.outcome.winners if match.outcome is not None else (match.turn,)
    parts: list[str] = []
    for seat in state.points:
        if seat in first:
            parts.append(element("rect", x=EDGE / 2, y=y, width=WIDTH - EDGE, height=ROW, rx=8, fill=FIRST))
        parts.append(label(_name(state, seat, language), EDGE, y + ROW / 2, 26, text_anchor="start"))
        right = {"text_anchor": "end", "font_weight": "bold"}
        parts.append(label(state.points[seat], WIDTH - EDGE, y + ROW / 2, 28, **right))
        y += ROW
    return parts


def _name(state: PublishedState, seat: str, language: str) -> str:
    return seat_label(state.match.game, state.match.players, seat, language)
