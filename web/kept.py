"""A kept match on a page: shown as it was left, while the table goes on with another."""

from __future__ import annotations

from flask import g

from companion.games.registry import AnyGame, game
from companion.play.snapshot import MatchView
from web.app_state import TableNow, app_state
from web.identity import phone


def look_at(match: MatchView) -> None:
    """Show `match` on the page that this request asks for, in place of the one on the table."""
    g.kept_match = match


def kept_match() -> MatchView | None:
    """The kept match that this page shows; None on a page of the table itself."""
    match: MatchView | None = g.get("kept_match")
    return match


def speak_of(shown: AnyGame) -> None:
    """Let the page that this request asks for be about a game, whatever is played at the table."""
    g.game_spoken_of = shown


def game_shown() -> AnyGame:
    """The game that this page is about: that of the match it shows, unless it speaks of another."""
    other: AnyGame | None = g.get("game_spoken_of")
    if other is not None:
        return other
    match = kept_match()
    return app_state().table.match.game if match is None else game(match.game)


def now_shown() -> TableNow:
    """What this page shows: the table, or a kept match to which nobody sits down."""
    match = kept_match()
    if match is None:
        return app_state().now(phone())
    return TableNow(id=f"kept-{match.n}", match=match, sighting=None, camera=None, seat=None, sitting=())
