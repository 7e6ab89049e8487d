"""The options of the command line that are settings of the table, made from the list of settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from companion.settings import LEAST_MINUTES, SETTINGS, Setting

METAVARS = {
    "camera": "SOURCE",
    "panel": "FILE",
    "time_limit": "MINUTES",
    "table_name": "NAME",
    "broker": "URL",
    "broker_user": "NAME",
    "broker_password": "PASSWORD",
    "broker_table": "NAME",
}
"""What stands for the value in the help."""

Command = Callable[..., Any]


def setting_options(command: Command) -> Command:
    """Add an option for each setting; None stands for one that was not given."""
    for setting in reversed(SETTINGS):
        command = _option(setting)(command)
    return command


def _option(setting: Setting) -> Callable[[Command], Command]:
    metavar = METAVARS.get(setting.name)
    if isinstance(setting.default, bool):
        flags = f"{setting.flag}/--no-{setting.name}"
        return click.option(flags, setting.name, default=None, help=setting.help)
    kind: Any = str
    if setting.name == "time_limit":
        kind = click.FloatRange(LEAST_MINUTES)
    elif setting.choices and metavar is None:
        kind = click.Choice([each for each in setting.choices if each])
    return click.option(setting.flag, setting.name, type=kind, metavar=metavar, help=setting.help)
