"""What a phone keeps of the table for when it has no connection. Browsers keep it over https alone."""

from __future__ import annotations

from flask import Blueprint, current_app, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from web.app_state import app_state
from web.kept import look_at
from web.pages import game_page

offline_pages = Blueprint("offline_pages", __name__)


@offline_pages.get("/service-worker.js")
def service_worker() -> AnyResponse:
    """The service worker. It stands at the root, because it answers for every page."""
    answer = send_from_directory(str(current_app.static_folder), "service_worker.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@offline_pages.get("/offline")
def offline() -> str:
    """The table as everybody may see it now, for a phone to show while it has no connection.

    Whoever picks the phone up sees no hand of a seat.
    """
    look_at(app_state().table.snapshot.match.view())
    return game_page(offline=True)
