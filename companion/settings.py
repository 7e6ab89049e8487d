"""The settings of a table: one list that the command line, the settings page and the docs all read.

A setting is given on the command line, else it is the one kept in `settings.toml`, else the default.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion import files, paths
from companion.errors import SettingError, UserError
from companion.errors.causes import cause_of
from companion.messages import plain_name

Value = str | float | bool | None
"""The value of a setting; None without one, such as no time limit."""

MOST_NAME = 40
"""The longest name of a table, in characters."""
LEAST_MINUTES = 0.1
CLOCKS = ("quick", "family", "tournament", "none", "total", "turn", "fischer", "delay", "sand", "advisory")
AT_ZERO = ("nothing", "sound", "lost")


Login = Annotated[str, Meta(max_length=200)]
"""The broker's address, the user or the password. No error quotes one: a password may be part of it."""

TableName = Annotated[str, Meta(max_length=MOST_NAME)]
"""The table's name on its pages, as plain as a person's."""

TopicName = Annotated[str, Meta(max_length=MOST_NAME, pattern=r"^([\w-]*)$")]
"""A level of a topic: letters, digits and hyphens."""


class Setting(msgspec.Struct, frozen=True):
    """One setting.

    `kind` is the type of its value, `default` its value if nobody has chosen one; None: as `help` says.
    `at_once`: a change on the page is taken without a restart. `choices` are its values if they are few. A
    `secret` one is never shown. `by_pin`: only a phone that has typed the PIN may change it. `login` are the
    settings that belong to this address alone, the password last.
    """

    name: str
    kind: Any
    default: Value
    help: str
    at_once: bool = True
    choices: tuple[str, ...] = ()
    secret: bool = False
    by_pin: bool = False
    login: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """Its option on the command line."""
        return f"--{self.name.replace('_', '-')}"


SETTINGS = (
    Setting(
        "camera",
        str,
        None,
        "The camera: none, picamera, usb:0, a URL, a file, folder:DIR, virtual.  [picamera, else none]",
    ),
    Setting(
        "rotate",
        Literal["0", "90", "180", "270"],
        "0",
        "Turn the camera's pictures clockwise, in degrees.",
        choices=("0", "90", "180", "270"),
    ),
    Setting(
        "clock",
        Literal[CLOCKS],
        "total",
        "The clock: a ready one (quick, family, tournament), or a kind, with the three settings below.",
        choices=CLOCKS,
    ),
    Setting(
        "time_limit",
        Annotated[float, Meta(ge=LEAST_MINUTES)] | None,
        None,
        "Each seat's time in minutes: for a match, or for a turn with turn or advisory.  [no limit]",
    ),
    Setting(
        "time_added",
        Annotated[float, Meta(ge=0, le=600)],
        10.0,
        "The seconds that fischer adds after each turn, or that delay gives free.",
    ),
    Setting(
        "time_out",
        Literal[AT_ZERO],
        "sound",
        "At the end of a seat's time: nothing, sound, or lost.",
        choices=AT_ZERO,
    ),
    Setting(
        "panel",
        str,
        None,
        "The wiring of buttons and lamps: a file, standard, off.  [panel.toml in COMPANION_HOME, if any]",
        at_once=False,
        choices=("off", "standard"),
    ),
    Setting("table_name", TableName, "", "The table's name on its pages."),
    Setting(
        "language",
        Literal["", "en", "zh-Hant", "ko"],
        "",
        "The language of phones that have chosen none.  [that of the phone]",
        choices=("", "en", "zh-Hant", "ko"),
    ),
    Setting("sound", bool, default=True, help="Let the panel's buzzer beep."),
    Setting(
        "move_pictures",
        bool,
        default=False,
        help="Keep a small picture of the board or the dice for each move where the camera saw it.",
    ),
    Setting(
        "open",
        bool,
        default=False,
        help="Let every phone do everything, even once seats are taken.",
        by_pin=True,
    ),
    Setting(
        "broker",
        Login,
        "",
        "The MQTT broker: HOST, mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS.  [none]",
        by_pin=True,
        login=("broker_user", "broker_password"),
    ),
    Setting("broker_user", Login, "", "The broker's name for this table's user.", by_pin=True),
    Setting(
        "broker_password",
        Login,
        "",
        "That user's password; on a command line, others on this machine can read it.",
        secret=True,
        by_pin=True,
    ),
    Setting(
        "broker_table",
        TopicName,
        "",
        "The table's name in the broker's topics.  [the machine's name]",
        by_pin=True,
    ),
    Setting(
        "broker_root",
        TopicName,
        "",
        "The first level of the table's topics at the broker.  [table-companion]",
        by_pin=True,
    ),
    Setting("broker_home", TopicName, "", "Home Assistant's discovery prefix.  [homeassistant]", by_pin=True),
)
"""Every setting, in the order in which people are asked."""

BY_NAME = {setting.name: setting for setting in SETTINGS}


def checked(name: str, value: object) -> Value:
    """A value that somebody has chosen. Raises `SettingError` for one that the setting cannot have."""
    setting = BY_NAME.get(name)
    if setting is None:
        raise SettingError("no-such", name=repr(name), names=", ".join(BY_NAME))
    kind = setting.kind if setting.default is not None else setting.kind | None
    try:
        chosen: Value = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        given = "•••" if setting.kind is Login else value
        cause = cause_of(error, kind, given)
        raise SettingError("bad-value", name=name, value=repr(given), cause=cause) from error
    return plain_name(chosen) if setting.kind is TableName and isinstance(chosen, str) else chosen


def as_toml(chosen: Mapping[str, Value]) -> str:
    """The text of a settings file with these settings."""
    head = "# What was chosen on the settings page. The command line has the last word.\n"
    lines = [
        f"# {BY_NAME[name].help}\n{name} = {json.dumps(value, ensure_ascii=False)}\n"
        for name, value in chosen.items()
        if value is not None
    ]
    return "\n".join([head, *lines])


class SettingsFile:
    """The chosen settings, in a commented TOML file for its owner alone: a password may be among them."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or paths.home() / "settings.toml"

    def load(self) -> dict[str, Value]:
        """The chosen settings by name. Raises `UserError`, with the line that cannot be read."""
        if not self.path.is_file():
            return {}
        text = files.TomlText.from_file(self.path)
        chosen: dict[str, Value] = {}
        for name, value in text.values().items():
            try:
                chosen[name] = checked(name, value)
            except UserError as error:
                raise text.error(str(error), name) from error
        return chosen

    def write(self, chosen: Mapping[str, Value]) -> None:
        """Keep these settings alone. Raises `SettingError`."""
        try:
            files.write(self.path, as_toml(chosen).encode(), mode=files.SECRET_MODE)
        except OSError as error:
            raise SettingError("not-kept", path=str(self.path), cause=cause_of(error)) from error
