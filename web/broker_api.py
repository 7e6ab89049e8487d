"""The broker over HTTP: how the table stands with it, a test of the connection, and notices from outside."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import abort
from msgspec import Meta

from web.app_state import TableNow, app_state
from web.broker_port import BrokerNow, BrokerPort
from web.error_pages import sentence_of
from web.identity import phone
from web.openapi import Routes

MOST_MESSAGE = 200
"""Characters of a line that is shown on every page."""

broker_api = Routes("broker")


class NewNotice(msgspec.Struct, frozen=True):
    """A line for every page of the table (empty: none), whether the table is called, and whether the referee
    comes (false: the call is over). None: as it is.
    """

    message: Annotated[str, Meta(max_length=MOST_MESSAGE)] | None = None
    called: bool | None = None
    referee_comes: bool | None = None


class CallForReferee(msgspec.Struct, frozen=True):
    """Whether somebody at this table wants the referee."""

    on: bool


def _broker() -> BrokerPort:
    """The broker; 404 for a table that can have none."""
    broker = app_state().broker
    if broker is None:
        abort(404)
    return broker


def broker_now(broker: BrokerPort) -> BrokerNow:
    """How the table stands with its broker, in the asker's language."""
    fault = broker.fault
    return BrokerNow(broker.state, "" if fault is None else sentence_of(fault), broker.topics)


@broker_api.route("GET", "/api/broker", gives=BrokerNow, refusals=(403, 404))
def now() -> BrokerNow:
    """How the table stands with its broker."""
    return broker_now(_broker())


@broker_api.route("POST", "/api/broker/try", gives=BrokerNow, refusals=(403, 404, 409))
def try_out() -> BrokerNow:
    """Connect to the broker once, as the settings stand."""
    broker = _broker()
    broker.try_out()
    return BrokerNow(broker.state, topics=broker.topics)


@broker_api.route("POST", "/api/notices", takes=NewNotice, gives=TableNow, refusals=(400, 403))
def notice(new: NewNotice) -> TableNow:
    """Show a line on every page of the table, or call the table."""
    state = app_state()
    if new.message is not None:
        state.say_everywhere(new.message.strip())
    if new.called is not None:
        state.call(on=new.called)
    if new.referee_comes is not None:
        state.call_referee("comes" if new.referee_comes else "")
    return state.now(phone())


@broker_api.route("POST", "/api/referee", takes=CallForReferee, gives=TableNow, refusals=(400, 403, 404))
def call_referee(call: CallForReferee) -> TableNow:
    """Call the referee of a club's evening, who sees it on the hall's page; or end the call."""
    if _broker().state == "off":
        abort(404)
    state = app_state()
    # A second tap by another player takes back no answer of the referee.
    if call.on != bool(state.referee):
        state.call_referee("called" if call.on else "")
    return state.now(phone())
