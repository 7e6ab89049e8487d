"""The demo: a table at which virtual people play, until a person takes over or tries the set-up."""

from __future__ import annotations

import msgspec
from flask import abort

from companion.games.watching import Kind
from web.app_state import TableNow, app_state
from web.demo_port import Demo, Put
from web.identity import phone
from web.openapi import Routes

demo_api = Routes("demo")


class Nothing(msgspec.Struct, frozen=True):
    """A body without content."""


class DemoNow(msgspec.Struct, frozen=True):
    """The virtual table: whether a person tries the set-up there, and its faults that can be switched."""

    rehearses: bool
    faults: dict[str, bool]


class Rehearsal(msgspec.Struct, frozen=True):
    """Whether a person tries the set-up."""

    on: bool


class PutThere(msgspec.Struct, frozen=True):
    """What to put on the virtual table; the tiles are those of a lesson."""

    what: Put
    owner: str = ""
    kinds: tuple[Kind, ...] = msgspec.field(name="digits", default=())


class FaultSwitch(msgspec.Struct, frozen=True):
    """A fault of the virtual camera to switch on or off."""

    name: str
    on: bool


def _demo() -> Demo:
    """The virtual table; 404 where there is none."""
    demo = app_state().demo
    if demo is None:
        abort(404)
    return demo


def _now(demo: Demo) -> DemoNow:
    return DemoNow(demo.rehearses, demo.fault_names())


@demo_api.route("POST", "/api/demo/leave", takes=Nothing, gives=TableNow, refusals=(400, 403))
def leave(nothing: Nothing) -> TableNow:
    """Let the virtual people leave: the match on the table is the asker's. Without them, nothing changes."""
    state = app_state()
    if state.demo is not None:
        state.demo.leave()
        state.table.notify()
    return state.now(phone())


@demo_api.route("GET", "/api/demo", gives=DemoNow, refusals=(403, 404))
def now() -> DemoNow:
    """The virtual table as a person who tries the set-up finds it."""
    return _now(_demo())


@demo_api.route("POST", "/api/demo/rehearsal", takes=Rehearsal, gives=DemoNow, refusals=(400, 403, 404))
def rehearse(given: Rehearsal) -> DemoNow:
    """Begin to try the set-up on the virtual table, from a camera that knows nothing; or end it."""
    state, demo = app_state(), _demo()
    if given.on:
        demo.begin_rehearsal()
        if state.camera is not None:
            state.camera.forget()
    else:
        demo.end_rehearsal()
    state.table.notify()
    return _now(demo)


@demo_api.route("POST", "/api/demo/put", takes=PutThere, gives=DemoNow, refusals=(400, 403, 404, 409))
def put(given: PutThere) -> DemoNow:
    """Put something on the virtual table."""
    demo = _demo()
    demo.put(given.what, given.owner, given.kinds)
    return _now(demo)


@demo_api.route("POST", "/api/demo/fault", takes=FaultSwitch, gives=DemoNow, refusals=(400, 403, 404, 409))
def fault(given: FaultSwitch) -> DemoNow:
    """Switch a fault of the virtual camera."""
    demo = _demo()
    demo.set_fault(given.name, on=given.on)
    return _now(demo)
