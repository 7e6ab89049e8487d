"""The settings over HTTP and their page, the broker's state, notices from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from flask import Flask, Response, abort, render_template
from msgspec import Meta

from companion import __version__
from companion.broker.payloads import MOST_MESSAGE
from companion.broker.service import BrokerService
from companion.service import updates
from companion.service.table_settings import SettingNow
from companion.settings import SETTINGS
from web.app_state import AppState, TableNow, app_state, or_404, running
from web.error_pages import not_allowed, say, sentence_of
from web.identity import phone
from web.openapi import Refusal, Routes
from web.permissions import CALL_REFEREE, CHANGE_SETTINGS, CONNECT, SAY

settings_api = Routes("settings")


class BrokerNow(msgspec.Struct, frozen=True):
    """The table's connection to its broker: `off` without one.

    `says` is the fault of the last attempt in one sentence, or empty. `topics` is the beginning of the
    table's topics.
    """

    state: Literal["off", "connecting", "connected"]
    says: str = ""
    topics: str = ""


class NewNotice(msgspec.Struct, frozen=True):
    """A line for every page of the table (empty: none), a call of the table, the referee's answer.

    `referee_comes` false ends the call for the referee. None changes nothing.
    """

    message: Annotated[str, Meta(max_length=MOST_MESSAGE)] | None = None
    called: bool | None = None
    referee_comes: bool | None = None


class CallForReferee(msgspec.Struct, frozen=True):
    """A call for the referee, or its end."""

    on: bool


def _broker() -> BrokerService:
    return or_404(app_state().broker)


def broker_now(broker: BrokerService) -> BrokerNow:
    """The table's connection to its broker, in the asker's language."""
    fault = broker.fault
    return BrokerNow(broker.state, "" if fault is None else sentence_of(fault), broker.topics)


@settings_api.route("GET", "/api/broker", who=CHANGE_SETTINGS, gives=BrokerNow, refusals=(404,))
def broker() -> BrokerNow:
    """The table's connection to its broker."""
    return broker_now(_broker())


@settings_api.route("POST", "/api/broker/try", who=CONNECT, gives=BrokerNow, refusals=(404, 409))
def try_out() -> BrokerNow:
    """Connect to the broker once, as the settings stand."""
    broker = _broker()
    broker.try_out()
    return BrokerNow(broker.state, topics=broker.topics)


@settings_api.route("POST", "/api/notices", who=SAY, takes=NewNotice, gives=TableNow)
def notice(new: NewNotice) -> TableNow:
    """Show a line on every page of the table, or call the table."""
    announcements = running().announcements
    if new.message is not None:
        announcements.say(new.message.strip())
    if new.called is not None:
        announcements.call(on=new.called)
    if new.referee_comes is not None:
        announcements.call_referee("comes" if new.referee_comes else "")
    return app_state().table_now(phone())


@settings_api.route(
    "POST", "/api/referee", who=CALL_REFEREE, takes=CallForReferee, gives=TableNow, refusals=(404,)
)
def call_referee(call: CallForReferee) -> TableNow:
    """Call the referee of a club's evening on the hall's page, or end the call."""
    if _broker().state == "off":
        abort(404)
    announcements = running().announcements
    # A second tap by another player takes back no answer of the referee.
    if call.on != bool(announcements.referee):
        announcements.call_referee("called" if call.on else "")
    return app_state().table_now(phone())


class TablePages:
    """An app's pages, for the broker."""

    def __init__(self, app: Flask, address: Callable[[], str] = str) -> None:
        self._app, self._address = app, address
        self._state: AppState = app.extensions["companion"]

    def open_view(self) -> bytes:
        """The JSON of a spectator's page."""
        return self._state.encoded("")[1]

    def address(self) -> str:
        """The address of the pages for other devices; empty if nobody knows it."""
        return self._address()

    def listeners(self) -> int:
        """The number of listening phones."""
        return self._state.places.taken

    def ask_as_host(self, path: str, body: dict[str, Any]) -> tuple[str, str] | None:
        """Send a request as the host; its refusal's rule and sentence, or None if it was done."""
        headers = {
            "Authorization": f"Bearer {self._state.host_secret}",
            "Accept-Language": self._state.language or "en",
        }
        answer = self._app.test_client(use_cookies=False).post(path, json=body, headers=headers)
        if answer.status_code < 400:
            return None
        refusal = msgspec.json.decode(answer.data, type=Refusal)
        return refusal.rule, refusal.says


class Changes(msgspec.Struct, frozen=True):
    """Settings to change, by name."""

    values: dict[str, str | float | bool | None]


BY_PIN = frozenset(setting.name for setting in SETTINGS if setting.by_pin)


NAMED_CAMERAS = frozenset({"none", "picamera", "virtual"})
"""Cameras with a name, the message `settings.camera-<source>`."""


def camera_name(source: str) -> str:
    """The name of a camera; a stream, a file or a folder keeps its own."""
    kind, _, which = source.partition(":")
    if kind == "usb":
        return say("settings.camera-usb", which=which)
    return say(f"settings.camera-{source}") if source in NAMED_CAMERAS else source


@settings_api.route("GET", "/api/settings", who=CHANGE_SETTINGS, gives=tuple[SettingNow, ...])
def settings() -> tuple[SettingNow, ...]:
    """List the settings as they stand."""
    return _settings_now()


def _settings_now() -> tuple[SettingNow, ...]:
    """The settings, and what a person should know of the broker."""
    broker = app_state().broker
    readable = broker is not None and broker.is_readable
    return tuple(
        msgspec.structs.replace(setting, says=say("settings.broker-readable"))
        if setting.name == "broker" and readable
        else setting
        for setting in running().settings.listed()
    )


@settings_api.route(
    "POST", "/api/settings", who=CHANGE_SETTINGS, takes=Changes, gives=tuple[SettingNow, ...], refusals=(409,)
)
def change(changes: Changes) -> tuple[SettingNow, ...] | Response:
    """Change and keep settings; they apply at once where possible.

    A new address of the broker without a new password in the same request forgets the broker's user and
    password. Those of the broker, and `open`, are for a phone that has typed the PIN.
    """
    if BY_PIN & changes.values.keys() and not app_state().may(phone(), CONNECT):
        return not_allowed(CONNECT)
    running().settings.change(changes.values)
    running().table.notify()
    return _settings_now()


@settings_api.page("/settings", who=CHANGE_SETTINGS)
def settings_page() -> str:
    """The settings as a page."""
    broker, pictures = app_state().broker, running().pictures
    return render_template(
        "settings.html",
        game=running().table.match.game,
        page="settings",
        settings=_settings_now(),
        camera_name=camera_name,
        version=__version__,
        newer=updates.newer(),
        broker=None if broker is None else broker_now(broker),
        pictures=None if pictures is None else pictures.kept(),
    )
