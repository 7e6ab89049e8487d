"""The settings over HTTP, and their page."""

from __future__ import annotations

import msgspec
from flask import abort, render_template

from web.app_state import app_state
from web.broker_api import broker_now
from web.openapi import Routes
from web.settings_port import SettingNow, SettingsPort

settings_api = Routes("settings")


class Changes(msgspec.Struct, frozen=True):
    """Settings to change, by name."""

    values: dict[str, str | float | bool | None]


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
        broker=None if broker is None else broker_now(broker),
        pictures=None if pictures is None else pictures.kept(),
    )
