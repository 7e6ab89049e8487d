"""Running tables for tests: with the services that a test names, and no others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from flask import Flask

from companion.broker.service import BrokerService
from companion.play.table import Table
from companion.service.announcements import Announcements
from companion.service.running_table import RunningTable
from companion.service.table_settings import TableSettings
from companion.service.wall_clock import WallClock
from companion.settings import SettingsFile, Value
from web.app import create_app
from web.app_state import AppState


def running(table: Table, camera: Any = None, panel: Any = None, **services: Any) -> RunningTable:
    """The table with these services; `camera` is a vision loop, or what stands in for one."""
    services.setdefault("settings", settings_of(table))
    services.setdefault("clock", WallClock(table.notify))
    if camera is not None:
        services.setdefault("cameras", SimpleNamespace(loop=camera))
    return RunningTable(table, announcements=Announcements(table.notify), panel=panel, **services)


def settings_of(table: Table, **given: Value) -> TableSettings:
    """The settings of a table, with some as on the command line; changes are kept beside its journal."""
    return TableSettings(SettingsFile(table.journal.path.with_suffix(".settings.toml")), given)


def pages_of(
    table: Table,
    camera: Any = None,
    panel: Any = None,
    *,
    names: Iterable[str] = (),
    broker: BrokerService | None = None,
    **services: Any,
) -> Flask:
    """The pages of such a table."""
    return create_app(running(table, camera, panel, **services), broker, names)


def state_of(app: Flask) -> AppState:
    """The state of an app."""
    state: AppState = app.extensions["companion"]
    return state


def replace_services(app: Flask, **services: Any) -> None:
    """Let the table behind these pages have other services from now on."""
    state = state_of(app)
    state.running = replace(state.running, **services)
