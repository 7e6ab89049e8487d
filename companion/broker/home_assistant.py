"""How Home Assistant finds a table: one message that describes it as a device with all its entities."""

from __future__ import annotations

from companion.broker.payloads import Topics
from web.app_state import AppState


def discovery(app: AppState, topics: Topics) -> tuple[tuple[str, bytes], ...]:
    """The messages by which a home finds the table, each with its topic."""
    return ()
