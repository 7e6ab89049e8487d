"""The demo: a table at which virtual people play, until a person takes over."""

from __future__ import annotations

import msgspec

from web.app_state import TableNow, app_state
from web.identity import phone
from web.openapi import Routes

demo_api = Routes("demo")


class Nothing(msgspec.Struct, frozen=True):
    """A body without content."""


@demo_api.route("POST", "/api/demo/leave", takes=Nothing, gives=TableNow, refusals=(400, 403))
def leave(nothing: Nothing) -> TableNow:
    """Let the virtual people leave: the match on the table is the asker's. Without them, nothing changes."""
    state = app_state()
    if state.demo is not None:
        state.demo.leave()
        state.table.notify()
    return state.now(phone())
