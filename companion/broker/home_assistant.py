"""The retained message by which Home Assistant finds a table: a device with all its entities.

See https://www.home-assistant.io/integrations/mqtt/, "Device discovery payload". The entities read the
table's own topics, so nothing is published twice.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from typing import Any

import msgspec

from companion import __version__
from companion.broker.payloads import MOST_MESSAGE, OFFLINE, ONLINE, Topics
from companion.broker.reports import points_of
from companion.games.registry import games
from companion.messages import messages_of_game, seat_label
from companion.play.snapshot import MatchSnapshot
from companion.service.table_settings import TableSettings

PREFIX = "homeassistant"
"""The first level of the topics that Home Assistant looks at, where nobody has set another."""

KINDS = ["move", "undo", "redo", "players"]

MOVE_EVENT = (
    "{{ {'event_type': value_json.kind, 'id': value_json.id, 'notation': value_json.notation,"
    " 'says': value_json.says, 'match': value_json.match, 'game': value_json.game, 'n': value_json.n,"
    " 'source': value_json.source}"
    " | tojson }}"
)

POINTS = "{{ value_json.points.items() | map('join', ' ') | join(' · ') }}"
"""The points of all seats in one line; an empty one is unknown to Home Assistant."""

NOBODY = "-"
"""The turn while it is nobody's."""

MESSAGE = "{{ {'text': value | truncate(MOST, true, '…', 0)} | tojson }}".replace("MOST", str(MOST_MESSAGE))
"""A notification as the command `message`, visibly cut if it is longer than a page's line may be."""

CAMERA_PROBLEM = "{{ 'OFF' if value_json.camera_ok or value_json.camera == 'none' else 'ON' }}"
"""ON if something is wrong with the camera. A table without one has no problem."""


def device_id(table: str) -> str:
    """The name of a table's device: what Home Assistant allows there, one for each table."""
    plain = re.sub(r"[^a-z0-9-]", "", table)
    if plain != table:
        plain += blake2b(table.encode(), digest_size=3).hexdigest()
    return f"table-companion-{plain}"


@cache
def every_seat() -> tuple[str, ...]:
    """The seats of all games. A sensor's values are all of them, so that no turn comes before its values."""
    return tuple(
        sorted(
            {
                seat
                for game in games().values()
                for count in game.seat_counts
                for seat in game.seat_names(game.start(game.options({}), count))
            }
        )
    )


def discovery(
    settings: TableSettings, topics: Topics, match: MatchSnapshot, address: str
) -> tuple[tuple[str, bytes], ...]:
    """The message by which a home finds the table of that match, with its topic. `address` is that of the
    table's pages; empty if nobody knows it."""
    device = device_id(topics.table)
    page = {"configuration_url": f"{address}settings"} if address else {}
    entities = {
        **{name: {"name": _name(settings, name), **entity} for name, entity in _entities(topics).items()},
        **_points_of_seats(settings, topics, match),
    }
    described = {
        "device": {
            "identifiers": [device],
            "name": settings.text("table_name") or topics.table,
            "manufacturer": "Table Companion",
            "model": "Table",
            "sw_version": __version__,
            **page,
        },
        "origin": {"name": "Table Companion", "sw_version": __version__},
        "availability": [
            {"topic": topics.topic("status"), "payload_available": ONLINE, "payload_not_available": OFFLINE}
        ],
        "qos": 1,
        "components": {
            **{seat: {"platform": "sensor"} for seat in map(_points, every_seat())},
            **{name: {"unique_id": f"{device}-{name}", **entity} for name, entity in entities.items()},
        },
    }
    return (
        (f"{settings.text('broker_home') or PREFIX}/device/{device}/config", msgspec.json.encode(described)),
    )


def _entities(topics: Topics) -> dict[str, dict[str, Any]]:
    """Every entity by its name: where it reads, or what it sends."""
    return {
        **_of_match(topics),
        **_of_machine(topics),
        "pause": {
            "platform": "switch",
            "state_topic": topics.topic("state"),
            "value_template": "{{ 'ON' if value_json.paused else 'OFF' }}",
            "state_on": "ON",
            "state_off": "OFF",
            "command_topic": topics.topic("commands/pause"),
            "payload_on": '{"on": true}',
            "payload_off": '{"on": false}',
            "icon": "mdi:pause",
        },
        "undo": {
            "platform": "button",
            "command_topic": topics.topic("commands/undo"),
            "payload_press": "{}",
            "icon": "mdi:undo",
        },
        "message": {
            "platform": "notify",
            "command_topic": topics.topic("commands/message"),
            "command_template": MESSAGE,
            "icon": "mdi:message-text",
        },
    }


def _of_match(topics: Topics) -> dict[str, dict[str, Any]]:
    state = {"platform": "sensor", "state_topic": topics.topic("state")}
    return {
        "turn": {
            **state,
            "device_class": "enum",
            "options": [*every_seat(), NOBODY],
            "value_template": f"{{{{ value_json.match.turn or '{NOBODY}' }}}}",
            "json_attributes_topic": topics.topic("state"),
            "json_attributes_template": _attributes("seats", "players", "turn"),
            "icon": "mdi:account-arrow-right",
        },
        "points": {
            **state,
            "value_template": POINTS,
            "json_attributes_topic": topics.topic("state"),
            "json_attributes_template": "{{ value_json.points | tojson }}",
            "icon": "mdi:counter",
        },
        "game": {
            **state,
            "value_template": "{{ value_json.match.game }}",
            "json_attributes_topic": topics.topic("state"),
            "json_attributes_template": _attributes("id", "began", "moves", "players", "outcome"),
            "icon": "mdi:dice-multiple",
        },
        "move": {
            "platform": "event",
            "state_topic": topics.topic("moves"),
            "event_types": KINDS,
            "value_template": MOVE_EVENT,
            "icon": "mdi:cursor-move",
        },
    }


def _of_machine(topics: Topics) -> dict[str, dict[str, Any]]:
    health = {"state_topic": topics.topic("health"), "entity_category": "diagnostic"}
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


def _points(seat: str) -> str:
    """The entity of a seat's points."""
    return f"points-{seat}"


def _points_of_seats(
    settings: TableSettings, topics: Topics, match: MatchSnapshot
) -> dict[str, dict[str, Any]]:
    """A number for each seat of the match that has points."""
    language = settings.text("language") or "en"
    return {
        _points(seat): {
            "platform": "sensor",
            "name": messages_of_game("").say(
                "home.points-of", language, seat=seat_label(match.record.game, {}, seat, language)
            ),
            "state_topic": topics.topic("state"),
            "value_template": f"{{{{ value_json.points.get('{seat}', 'None') }}}}",
            "state_class": "measurement",
            "icon": "mdi:counter",
        }
        for seat in points_of(match)
    }


def _name(settings: TableSettings, entity: str) -> str:
    return messages_of_game("").say(f"home.{entity}", settings.text("language") or "en")
