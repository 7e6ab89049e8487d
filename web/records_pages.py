"""The players and the house: names, records, a year in one page; also as JSON."""

from __future__ import annotations

from flask import abort, render_template, request

from companion.games.registry import games
from companion.play import records
from companion.play.records import House, Player, Year
from web.app_state import app_state, or_404, running
from web.language import messages_of_page
from web.openapi import Routes
from web.permissions import LOOK

records_pages = Routes("records")

USUAL_ERRORS, SELDOM_ERRORS, RARE_ERRORS = 1.0, 2.0, 3.0
"""Standard errors that chance passes about once in 3, in 22 and in 370 times."""


@records_pages.route("GET", "/api/records", who=LOOK, gives=House, refusals=(503,))
def house_as_json() -> House:
    """Every player and record of this house, from its finished matches."""
    return house()


@records_pages.route("GET", "/api/records/<int:year>", who=LOOK, gives=Year, refusals=(503,))
def year_as_json(year: int) -> Year:
    """One year of this house."""
    return app_state().records.year(year)


@records_pages.page("/players", who=LOOK)
def players() -> str:
    """The players and the house's records."""
    return _page("players.html", house=house())


@records_pages.page("/player", who=LOOK)
def player() -> str:
    """One player, by the name in `?name=`."""
    wanted = records.known_as(request.args.get("name", ""))
    one = or_404(next((who for who in house().players if records.known_as(who.name) == wanted), None))
    return _page("player.html", player=one, luck_means={slug: _means(one, slug) for slug in one.games})


@records_pages.page("/years/<int:year>", who=LOOK)
def year(year: int) -> str:
    """One year of the house in one page."""
    shown = app_state().records.year(year)
    if not shown.house.matches:
        abort(404)
    return _page("year.html", year=shown)


def house() -> House:
    """The house from the current journal. Raises `JournalError`."""
    return app_state().records.house()


def _page(template: str, **shown: object) -> str:
    every = games()
    return render_template(
        template,
        game=running().table.match.game,
        page="players",
        games=every,
        game_words={slug: messages_of_page(slug) for slug in every},
        **shown,
    )


def _means(player: Player, slug: str) -> str:
    """The end of a key `players.luck-…`: how rarely chance alone gives this luck."""
    luck = player.games[slug].luck
    away = 0.0 if luck is None else abs(luck.errors)
    if away < USUAL_ERRORS:
        return "usual"
    return "seldom" if away < SELDOM_ERRORS else "rare" if away < RARE_ERRORS else "very-rare"
