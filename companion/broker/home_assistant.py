"""How Home Assistant finds a table: one retained message describes it as a device with all its entities.

See https://www.home-assistant.io/integrations/mqtt/, "Device discovery payload". The entities read the
table's own topics, so nothing is published twice.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

import msgspec

from companion import __version__
from companion.broker.payloads import OFFLINE, ONLINE, PICTURE_TYPE, Topics
from companion.messages import messages_of_game
from web.app_state import AppState

PREFIX = "homeassistant"
"""The first level of the topics that Home Assistant looks at."""

KINDS = ["move", "undo", "redo", "players"]
"""The kinds of entries, each an event of its own."""

MOVE_EVENT = (
    "{{ {'event_type': value_json.kind, 'id': value_json.id, 'notation': value_json.notation,"
    " 'says': value_json.says, 'match': value_json.match, 'game': value_json.game, 'n': value_json.n,"
    " 'source': value_json.source}"
    " | tojson }}"
)
"""An entry as Home Assistant wants an event."""

POINTS = "{{ value_json.points.items() | map('join', ' ') | join(' · ') }}"
"""The points of all seats in one line; an empty one is unknown to Home Assistant."""

CAMERA_PROBLEM = "{{ 'OFF' if value_json.camera_ok or value_json.camera == 'none' else 'ON' }}"
"""Whether something is wrong with the camera. A table without one has no problem."""


def device_id(table: str) -> str:
    """The name of a table's device: what Home Assistant allows there, one for each table."""
    plain = re.sub(r"[^a-z0-9-]", "", table)
    if plain != table:
        plain += blake2b(table.encode(), digest_size=3).hexdigest()
    return f"table-companion-{plain}"


def discovery(app: AppState, topics: Topics) -> tuple[tuple[str, bytes], ...]:
    """The message by which a home finds the table, with its topic."""
    device = device_id(topics.table)
    described = {
        "device": {
            "identifiers": [device],
            "name": app.table_name or topics.table,
            "manufacturer": "Table Companion",
            "sw_version": __version__,
        },
        "origin": {"name": "Table Companion", "sw_version": __version__},
        "availability": [
            {"topic": topics.status, "payload_available": ONLINE, "payload_not_available": OFFLINE}
        ],
        "qos": 1,
        "components": {
            name: {"unique_id": f"{device}-{name}", "name": _name(app, name), **entity}
            for name, entity in _entities(topics).items()
        },
    }
    return ((f"{PREFIX}/device/{device}/config", msgspec.json.encode(described)),)


def _entities(topics: Topics) -> dict[str, dict[str, Any]]:
    """Every entity by its name: where it reads, or what it sends."""
    return {
        **_of_match(topics),
        **_of_machine(topics),
        "pause": {**_button(topics, "pause"), "icon": "mdi:pause"},
        "undo": {**_button(topics, "undo"), "icon": "mdi:undo"},
    }


def _of_match(topics: Topics) -> dict[str, dict[str, Any]]:
    state = {"platform": "sensor", "state_topic": topics.state}
    return {
        "turn": {
            **state,
            "value_template": "{{ value_json.match.turn or '-' }}",
            "json_attributes_topic": topics.state,
            "json_attributes_template": _attributes("seats", "players", "turn"),
            "icon": "mdi:account-arrow-right",
        },
        "points": {
            **state,
            "value_template": POINTS,
            "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ value_json.points | tojson }}",
            "icon": "mdi:counter",
        },
        "game": {
            **state,
            "value_template": "{{ value_json.match.game }}",
            "json_attributes_topic": topics.state,
            "json_attributes_template": _attributes("id", "began", "moves", "players", "outcome"),
            "icon": "mdi:dice-multiple",
        },
        "board": {
            "platform": "image",
            "image_topic": topics.picture,
            "content_type": PICTURE_TYPE,
            "icon": "mdi:image-frame",
        },
        "move": {
            "platform": "event",
            "state_topic": topics.moves,
            "event_types": KINDS,
            "value_template": MOVE_EVENT,
            "icon": "mdi:cursor-move",
        },
    }


def _of_machine(topics: Topics) -> dict[str, dict[str, Any]]:
    health = {"state_topic": topics.health, "entity_category": "diagnostic"}
    return {
        "camera": {
            **health,
            "platform": "binary_sensor",
            "device_class": "problem",
            "value_template": CAMERA_PROBLEM,
        },
        "temperature": {
            **health,
            "platform": "sensor",
            "device_class": "temperature",
            "unit_of_measurement": "°C",
            "value_template": "{{ value_json.temperature_c }}",
        },
    }


def _attributes(*fields: str) -> str:
    """A template that gives these fields of the match as attributes."""
    pairs = ", ".join(f"'{field}': value_json.match.{field}" for field in fields)
    return f"{{{{ {{{pairs}}} | tojson }}}}"


def _button(topics: Topics, command: str) -> dict[str, Any]:
    """A button that sends a command."""
    return {"platform": "button", "command_topic": topics.of(f"commands/{command}"), "payload_press": "{}"}


def _name(app: AppState, entity: str) -> str:
    """The name of an entity, in the table's language."""
    return messages_of_game("").say(f"home.{entity}", app.language or "en")
