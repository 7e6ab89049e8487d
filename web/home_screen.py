"""What "Add to home screen" takes from the table: its name, icons and colours; it fills the screen."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, current_app, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from companion.messages import Messages
from web.app_state import app_state
from web.language import PAGE_MESSAGES, language

home_screen = Blueprint("home_screen", __name__)

GROUND = "#101816"
"""The ground of every page in the dark (`--ground` in base.css): what is shown while the first page loads."""

ICONS = (
    ("icon-192.png", 192, "any"),
    ("icon-512.png", 512, "any"),
    ("icon-maskable-512.png", 512, "maskable"),
)
"""The files of the icons in px; a maskable one has room to be cut into a circle."""


@home_screen.get("/app.webmanifest")
def manifest() -> Response:
    """The manifest, in the language of the page that names it."""
    name = app_state().table_name or Messages.read(PAGE_MESSAGES).say("web.name", language())
    icons = [
        {"src": f"/static/{file}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    described = {
        "id": "/",
        "name": name,
        "short_name": name,
        "lang": language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return Response(msgspec.json.encode(described), mimetype="application/manifest+json")


@home_screen.get("/apple-touch-icon.png")
def touch_icon() -> AnyResponse:
    """The icon for an iPhone's home screen: it asks for it by this name."""
    return send_from_directory(str(current_app.static_folder), "icon-180.png")
