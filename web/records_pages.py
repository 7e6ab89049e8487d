"""The players and the house: names kept over the years, records, a year in one page; also as JSON."""

from __future__ import annotations

from flask import abort, render_template, request

from companion.games.registry import games
from companion.play import records
from companion.play.records import House, Player, Year
from web.app_state import app_state
from web.language import messages_of_page
from web.openapi import Routes

records_pages = Routes("records")

USUAL_ERRORS, SELDOM_ERRORS, RARE_ERRORS = 1.0, 2.0, 3.0
"""Standard errors that chance passes about once in 3, in 22 and in 370 times."""


@records_pages.route("GET", "/api/records", gives=House, refusals=(503,))
def house_as_json() -> House:
    """Every player and record of this house, worked out from the finished matches kept here."""
    return house()


@records_pages.route("GET", "/api/records/<int:year>", gives=Year, refusals=(503,))
def year_as_json(year: int) -> Year:
    """One year of this house."""
    return app_state().records.year(year)


@records_pages.blueprint.get("/players")
def players() -> str:
    """The players and the house's records."""
    return _page("players.html", house=house())


@records_pages.blueprint.get("/player")
def player() -> str:
    """One player, by the name in `?name=`."""
    wanted = records.known_as(request.args.get("name", ""))
    one = next((each for each in house().players if records.known_as(each.name) == wanted), None)
    if one is None:
        abort(404)
    return _page("player.html", player=one, luck_means={slug: _means(one, slug) for slug in one.games})


@records_pages.blueprint.get("/years/<int:year>")
def year(year: int) -> str:
    """One year of the house in one page."""
    shown = app_state().records.year(year)
    if not shown.house.matches:
        abort(404)
    return _page("year.html", year=shown)


def house() -> House:
    """The house as the journal knows it now. Raises `JournalError`."""
    return app_state().records.house()


def _page(template: str, **shown: object) -> str:
    every = games()
    return render_template(
        template,
        game=app_state().table.match.game,
        page="players",
        games=every,
        game_words={slug: messages_of_page(slug) for slug in every},
        **shown,
    )


def _means(player: Player, slug: str) -> str:
    """How often chance alone does what it did to a player: the end of a key `players.luck-…`."""
    luck = player.games[slug].luck
    away = 0.0 if luck is None else abs(luck.errors)
    if away < USUAL_ERRORS:
        return "usual"
    return "seldom" if away < SELDOM_ERRORS else "rare" if away < RARE_ERRORS else "very-rare"
