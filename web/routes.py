"""Every route of the API, and the description made from them."""

from __future__ import annotations

from typing import Any

from web.accuracy_api import accuracy_api
from web.broker_api import broker_api
from web.camera_api import camera_api
from web.demo_api import demo_api
from web.events import events
from web.kept_api import kept_api
from web.look_back_api import look_back_api
from web.match_api import match_api
from web.matches import matches_api
from web.metrics import metrics
from web.openapi import Routes, describe
from web.opponent_api import opponent_api
from web.own_api import own_api
from web.panel_api import panel_api
from web.photos_api import photos_api
from web.pictures_api import pictures_api
from web.records_pages import records_pages
from web.review_api import review_api
from web.seats_api import seats_api
from web.settings_api import settings_api

description = Routes("description")

EVERY_ROUTE = (
    match_api,
    matches_api,
    camera_api,
    seats_api,
    panel_api,
    demo_api,
    settings_api,
    broker_api,
    accuracy_api,
    photos_api,
    pictures_api,
    records_pages,
    own_api,
    opponent_api,
    look_back_api,
    review_api,
    kept_api,
    events,
    metrics,
    description,
)
"""All that `/api/openapi.json` describes."""


@description.route("GET", "/api/openapi.json", gives=dict[str, Any])
def openapi() -> dict[str, Any]:
    """This description."""
    return describe([route for each in EVERY_ROUTE for route in each.described])
