"""The pages around a match: the big screen across the table."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.games.registry import AnyGame, game, games
from web.app_state import app_state
from web.identity import phone
from web.packing import file_at
from web.pages import join_address
from web.records_pages import house

match_pages = Blueprint("match_pages", __name__)


@match_pages.get("/display")
def display() -> str:
    """The table for a television: whoever sits at the asking device, it shows what lies open alone."""
    match = app_state().now(phone()).match
    played = game(match.game)
    idle = bool(match.outcome) or not match.moves
    return render_template(
        "display.html",
        game=played,
        games=games(),
        idle=match.id if idle else "",
        house=house() if idle else None,
        page="display",
        address=join_address(),
        own_styles=[each for each in _own(played, "page.css", "page_display.css") if file_at(each)],
        own_script=_display_script(played),
    )


def _own(played: AnyGame, *names: str) -> list[str]:
    """The addresses of files in a game's own folder."""
    return [f"/games/{played.slug}/{name}" for name in names]


def _display_script(played: AnyGame) -> str:
    """The script with which a game draws itself on the big screen; a plain one for a game without its own."""
    [own] = _own(played, "page_display.js")
    return own if file_at(own) else "/static/display_plain.js"
