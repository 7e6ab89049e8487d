"""The settings over HTTP, and their page."""

from __future__ import annotations

import msgspec
from flask import abort, render_template

from web.app_state import app_state
from web.broker_api import broker_now
from web.error_pages import say
from web.openapi import Routes
from web.settings_port import SettingNow, SettingsPort

settings_api = Routes("settings")


class Changes(msgspec.Struct, frozen=True):
    """Settings to change, by name."""

    values: dict[str, str | float | bool | None]


NAMED_CAMERAS = frozenset({"none", "picamera", "virtual"})
"""The cameras that have a name of their own; it is the message `settings.camera-<source>`."""


def camera_name(source: str) -> str:
    """What people call a camera; a stream, a file or a folder is called as it was given."""
    kind, _, which = source.partition(":")
    if kind == "usb":
        return say("settings.camera-usb", which=which)
    return say(f"settings.camera-{source}") if source in NAMED_CAMERAS else source


def _settings() -> SettingsPort:
    """The settings; 404 for a table without."""
    settings = app_state().settings
    if settings is None:
        abort(404)
    return settings


@settings_api.route("GET", "/api/settings", gives=tuple[SettingNow, ...], refusals=(403, 404))
def now() -> tuple[SettingNow, ...]:
    """Every setting as it stands."""
    return _settings().now()


@settings_api.route(
    "POST", "/api/settings", takes=Changes, gives=tuple[SettingNow, ...], refusals=(400, 403, 404, 409)
)
def change(changes: Changes) -> tuple[SettingNow, ...]:
    """Change settings. They are kept, and taken at once where that can be."""
    settings = _settings()
    settings.change(changes.values)
    app_state().table.notify()
    return settings.now()


@settings_api.blueprint.get("/settings")
def page() -> str:
    """The settings as a page."""
    broker, pictures = app_state().broker, app_state().pictures
    return render_template(
        "settings.html",
        game=app_state().table.match.game,
        page="settings",
        settings=_settings().now(),
        camera_name=camera_name,
        broker=None if broker is None else broker_now(broker),
        pictures=None if pictures is None else pictures.kept(),
    )
