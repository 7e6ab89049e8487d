"""The settings of a running table: current values, and changes at once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from threading import RLock

import msgspec

from companion.errors import SettingError
from companion.settings import BY_NAME, SETTINGS, Setting, SettingsFile, Value, checked

log = logging.getLogger(__name__)


class SettingNow(msgspec.Struct, frozen=True):
    """A setting's state.

    `choices` are its values if they are few. `at_once`: a change needs no restart. `waits`: a change waits
    for the next start. `on_command_line`: the next start has the command line's value again. A `secret`
    setting's value is never sent: `is_set` is true if it has one. `by_pin`: only a phone that has typed the
    PIN may change it. `says` is what a person should know of its value, in the asker's language.
    """

    name: str
    value: str | float | bool | None
    default: str | float | bool | None
    choices: tuple[str, ...] = ()
    at_once: bool = True
    waits: bool = False
    on_command_line: bool = False
    secret: bool = False
    is_set: bool = False
    by_pin: bool = False
    says: str = ""


class TableSettings:
    """Settings of the command line, over those in the file, over the defaults. Safe from any thread."""

    def __init__(self, file: SettingsFile, given: Mapping[str, Value]) -> None:
        """`given` are those of the command line. Raises `UserError` for an unreadable file."""
        self._file = file
        self._given = {name: checked(name, value) for name, value in given.items() if value is not None}
        self._chosen = _with_own_login(file.load(), self._given)
        self._holds = {setting.name: setting.default for setting in SETTINGS} | self._chosen | self._given
        self._takers: dict[tuple[str, ...], Callable[..., None]] = {}
        self._choices: dict[str, Callable[[], tuple[str, ...]]] = {}
        self._lock = RLock()

    def value(self, name: str) -> Value:
        """The current value."""
        return self._holds[name]

    def text(self, name: str) -> str:
        """The current value of a text setting; empty by default."""
        return str(self._holds[name] or "")

    def took(self, name: str, value: Value) -> None:
        """Note a value that the machine has chosen."""
        self._holds[name] = value

    def when_changed(self, take: Callable[..., None], *names: str) -> None:
        """Let `take` apply changes of these settings at once, with the values of all of them. It raises
        `UserError` where it cannot."""
        self._takers[names] = take

    def follow(self, take: Callable[..., None], *names: str) -> None:
        """Let `take` apply the current values, and changes at once."""
        self.when_changed(take, *names)
        take(*map(self.value, names))

    def offer(self, name: str, choices: Callable[[], tuple[str, ...]]) -> None:
        """Offer these choices."""
        self._choices[name] = choices

    def change(self, values: Mapping[str, object]) -> None:
        """Keep changes, and apply them at once where possible. Raises `UserError`."""
        chosen = {name: checked(name, value) for name, value in values.items()}
        with self._lock:
            for name, value in chosen.items():
                # A phone may not choose files of the machine.
                offered = self._offered(name)
                if offered and value is not None and str(value) not in offered:
                    raise SettingError(
                        "not-offered",
                        name=name,
                        value=repr(value),
                        choices=", ".join(offered),
                        flag=BY_NAME[name].flag,
                    )
            chosen = self._forgotten(chosen) | chosen
            changed = {
                name: value
                for name, value in chosen.items()
                if value != self._holds[name] and BY_NAME[name].at_once
            }
            for names, take in self._takers.items():
                theirs = {name: changed[name] for name in names if name in changed}
                if theirs:
                    take(*map((self._holds | theirs).__getitem__, names))
                    self._holds |= theirs
            self._holds |= changed
            self._chosen |= chosen
            self._file.write(self._chosen)

    def _forgotten(self, chosen: Mapping[str, Value]) -> dict[str, Value]:
        """The login that a new address without a new password forgets. Raises `SettingError` if the command
        line would give it to that address at the next start."""
        forgotten: dict[str, Value] = {}
        for name, value in chosen.items():
            login = BY_NAME[name].login
            if not login or value == self._holds[name]:
                continue
            given = [part for part in login if part in self._given]
            if given and name not in self._given:
                raise SettingError(
                    "login-given",
                    flags=" ".join(BY_NAME[part].flag for part in given),
                    flag=BY_NAME[name].flag,
                )
            if login[-1] not in chosen:
                forgotten |= dict.fromkeys(login, "")
        return forgotten

    def _offered(self, name: str) -> tuple[str, ...]:
        choices = self._choices[name]() if name in self._choices else BY_NAME[name].choices
        holds = self._holds[name]
        extra = () if not choices or holds is None or str(holds) in choices else (str(holds),)
        return (*extra, *choices)

    def listed(self) -> tuple[SettingNow, ...]:
        """Every setting's state."""
        with self._lock:
            return tuple(
                SettingNow(
                    name=setting.name,
                    value=self._shown(setting),
                    default=setting.default,
                    choices=self._offered(setting.name),
                    at_once=setting.at_once,
                    on_command_line=setting.name in self._given,
                    waits=self._waits(setting.name),
                    secret=setting.secret,
                    is_set=setting.secret and bool(self._holds[setting.name]),
                    by_pin=setting.by_pin,
                )
                for setting in SETTINGS
            )

    def _shown(self, setting: Setting) -> Value:
        """The page's value: the next start's where a change waits; never a secret."""
        if setting.secret:
            return ""
        holds = self._holds[setting.name]
        return holds if setting.at_once else self._chosen.get(setting.name, holds)

    def _waits(self, name: str) -> bool:
        return not BY_NAME[name].at_once and self._chosen.get(name, self._holds[name]) != self._holds[name]


def _with_own_login(chosen: dict[str, Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """The settings of the file, without a login for another address than that of the command line."""
    for setting in SETTINGS:
        address = chosen.get(setting.name)
        if setting.login and address is not None and given.get(setting.name, address) != address:
            log.warning("The settings file's login is not used: it is for another %s.", setting.name)
            chosen = {name: value for name, value in chosen.items() if name not in setting.login}
    return chosen
