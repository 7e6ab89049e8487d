"""The settings of a running table: what holds now, and changes that are taken at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock

from companion.errors import SettingError
from companion.settings import BY_NAME, SETTINGS, Setting, SettingsFile, Value, checked
from web.settings_port import SettingNow


class TableSettings:
    """Settings of the command line, over those in the file, over the defaults. Safe from any thread."""

    def __init__(self, file: SettingsFile, given: Mapping[str, Value]) -> None:
        """`given` are those of the command line. Raises `MendableError` for a file that cannot be read."""
        self._file = file
        self._given = {name: checked(name, value) for name, value in given.items() if value is not None}
        self._chosen = file.read()
        self._holds = {each.name: each.default for each in SETTINGS} | self._chosen | self._given
        self._takers: dict[str, Callable[[Value], None]] = {}
        self._choices: dict[str, Callable[[], tuple[str, ...]]] = {}
        self._lock = RLock()

    def value(self, name: str) -> Value:
        """What holds now."""
        return self._holds[name]

    def took(self, name: str, value: Value) -> None:
        """Note what holds where the setting left the choice to the machine."""
        self._holds[name] = value

    def when_changed(self, name: str, take: Callable[[Value], None]) -> None:
        """Let `take` take a change at once. It raises `MendableError` where it cannot."""
        self._takers[name] = take

    def follow(self, name: str, take: Callable[[Value], None]) -> None:
        """Let `take` take what holds now, and each change at once."""
        self.when_changed(name, take)
        take(self.value(name))

    def offer(self, name: str, choices: Callable[[], tuple[str, ...]]) -> None:
        """Offer these choices on the page."""
        self._choices[name] = choices

    def change(self, values: Mapping[str, object]) -> None:
        """Take changes at once where that can be, and keep them. Raises `MendableError`."""
        chosen = {name: checked(name, value) for name, value in values.items()}
        with self._lock:
            for name, value in chosen.items():
                self._check_offered(name, value)
                if value != self._holds[name] and BY_NAME[name].at_once:
                    if name in self._takers:
                        self._takers[name](value)
                    self._holds[name] = value
            self._chosen |= chosen
            self._file.write(self._chosen)

    def _check_offered(self, name: str, value: Value) -> None:
        """Refuse what a phone may not name: a file of the machine."""
        offered = self._offered(name)
        if offered and value is not None and str(value) not in offered:
            raise SettingError(
                "not-offered",
                name=name,
                value=repr(value),
                choices=", ".join(offered),
                flag=BY_NAME[name].flag,
            )

    def _offered(self, name: str) -> tuple[str, ...]:
        choices = self._choices[name]() if name in self._choices else BY_NAME[name].choices
        holds = self._holds[name]
        extra = () if not choices or holds is None or str(holds) in choices else (str(holds),)
        return (*extra, *choices)

    def now(self) -> tuple[SettingNow, ...]:
        """Every setting as it stands."""
        with self._lock:
            return tuple(
                SettingNow(
                    name=each.name,
                    value=self._shown(each),
                    default=each.default,
                    choices=self._offered(each.name),
                    at_once=each.at_once,
                    on_command_line=each.name in self._given,
                    waits=self._waits(each.name),
                    secret=each.secret,
                    is_set=each.secret and bool(self._holds[each.name]),
                )
                for each in SETTINGS
            )

    def _shown(self, setting: Setting) -> Value:
        """The value that the page shows: where a change waits, that of the next start; never a secret."""
        if setting.secret:
            return ""
        holds = self._holds[setting.name]
        return holds if setting.at_once else self._chosen.get(setting.name, holds)

    def _waits(self, name: str) -> bool:
        """Whether a change waits for the next start."""
        return not BY_NAME[name].at_once and self._chosen.get(name, self._holds[name]) != self._holds[name]
