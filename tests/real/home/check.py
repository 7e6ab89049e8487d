"""The real Home Assistant beside the real Mosquitto: the table is there by itself, and stays right.

Run by Home Assistant's own Python: `check.py FOLDER BROKER_PORT TABLE_PORT COMMAND…`; the command starts the
table.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.setup import async_setup_component

FOLDER, BROKER_PORT, TABLE_PORT, COMMAND = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
BLUEPRINT = Path(__file__).parents[3] / "docs" / "home-assistant" / "turn-lamp.yaml"
PATIENCE_S = 60.0
FIRST_MOVE = {"move": "lay", "owner": "cat", "digit": 1, "turns": 0, "row": 5, "col": 3}
ENTITIES = {
    *(f"sensor.one_{name}" for name in ("turn", "points", "points_cat", "points_dog", "game", "temperature")),
    *("event.one_move", "switch.one_pause", "button.one_undo", "binary_sensor.one_camera"),
    "notify.one_message",
}


async def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is true, and say so."""
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > ends_s:
            sys.exit(f"FAILED: {what}")
        await asyncio.sleep(0.1)
    sys.stdout.write(f"  ok: {what}\n")
    sys.stdout.flush()


def free_port() -> int:
    """A port of loopback that nothing uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(path: str, body: object = None) -> Any:
    """What the table's own page would ask."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"http://127.0.0.1:{TABLE_PORT}{path}", data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


class Table:
    """The table, a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def serves(self) -> bool:
        """Whether its pages are there."""
        with suppress(OSError):
            return bool(ask("/health")["ok"])
        return False

    def kill(self) -> None:
        """A power cut."""
        self.process.kill()
        self.process.wait()


@asynccontextmanager
async def home(*, new: bool) -> AsyncIterator[core.HomeAssistant]:
    """Home Assistant without its pages; a `new` one is told once where the broker is."""
    hass = core.HomeAssistant(str(FOLDER))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [{"type": "homeassistant"}], [])
    assert await async_setup_component(
        hass, "http", {"http": {"server_port": free_port(), "server_host": ["127.0.0.1"]}}
    )
    for each in ("homeassistant", "persistent_notification"):
        assert await async_setup_component(hass, each, {}), each
    if not new:
        assert await async_setup_component(hass, "mqtt", {})
    await hass.async_start()
    if new:
        flow = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
        address = {"broker": "127.0.0.1", "port": BROKER_PORT}
        done = await hass.config_entries.flow.async_configure(flow["flow_id"], address)
        assert done["type"] == "create_entry", done
    yield hass
    await hass.async_stop(force=True)


def state(hass: core.HomeAssistant, entity: str) -> str:
    """What an entity shows; empty where there is none."""
    shown = hass.states.get(entity)
    return "" if shown is None else shown.state


def shows(hass: core.HomeAssistant, entity: str, value: str) -> Callable[[], bool]:
    """Whether an entity shows a value."""
    return lambda: state(hass, entity) == value


async def with_lamp(hass: core.HomeAssistant) -> list[list[int]]:
    """A lamp, and the blueprint's automation for it; the colours that it was given."""
    colours: list[list[int]] = []
    hass.services.async_register(
        "light", "turn_on", lambda call: colours.append(list(call.data["rgb_color"]))
    )
    there = FOLDER / "blueprints" / "automation" / "table"
    there.mkdir(parents=True, exist_ok=True)
    shutil.copy(BLUEPRINT, there / "turn-lamp.yaml")
    inputs = {"turn": "sensor.one_turn", "lamp": {"entity_id": "light.room"}}
    use = {"use_blueprint": {"path": "table/turn-lamp.yaml", "input": inputs}}
    assert await async_setup_component(hass, "automation", {"automation": [use]})
    return colours


async def an_evening(hass: core.HomeAssistant, table: Table) -> Table:
    """A move, the buttons, a power cut of the table."""
    await until(lambda: set(hass.states.async_entity_ids()) >= ENTITIES, "the table is one device, by itself")
    await until(shows(hass, "sensor.one_turn", "cat"), "whose turn it is")
    await until(shows(hass, "sensor.one_game", "this-bed-is-mine"), "the game")
    await until(shows(hass, "binary_sensor.one_camera", "off"), "no problem with a camera that is not there")
    colours = await with_lamp(hass)
    await hass.async_add_executor_job(ask, "/api/moves", FIRST_MOVE)
    await until(shows(hass, "sensor.one_turn", "dog"), "the turn passes on")
    moved = lambda: hass.states.get("event.one_move").attributes.get("notation")  # noqa: E731
    await until(lambda: moved() == "c1@5,3", "the move is an event, in the game's notation")
    await until(lambda: colours == [[0, 110, 255]], "the lamp takes the dog's colour")
    await until(lambda: state(hass, "sensor.one_points").startswith("cat "), "the points")
    await hass.services.async_call("button", "press", {"entity_id": "button.one_undo"})
    await until(shows(hass, "sensor.one_turn", "cat"), "the undo button takes the move back")
    await hass.services.async_call("switch", "turn_on", {"entity_id": "switch.one_pause"})
    await until(lambda: ask("/api/panel")["paused"], "the pause switch stops the clocks")
    await until(shows(hass, "switch.one_pause", "on"), "and shows that they stand")
    said = {"entity_id": "notify.one_message", "message": "Tea is ready"}
    await hass.services.async_call("notify", "send_message", said)
    await until(lambda: "Tea is ready" in json.dumps(ask("/api/table")), "a notification is on the pages")
    table.kill()
    await until(shows(hass, "sensor.one_turn", "unavailable"), "after a power cut the table is unavailable")
    table = Table()
    await until(shows(hass, "sensor.one_turn", "cat"), "and is back by itself")
    return table


async def main() -> None:
    """An evening; then Home Assistant starts again."""
    table = Table()
    await until(table.serves, "the table serves its pages")
    try:
        async with home(new=True) as hass:
            table = await an_evening(hass, table)
        async with home(new=False) as hass:
            await until(shows(hass, "sensor.one_turn", "cat"), "after its restart all is as it was")
            await until(
                lambda: len(ENTITIES & set(hass.states.async_entity_ids())) == len(ENTITIES), "no doubles"
            )
            assert not [each for each in hass.states.async_entity_ids() if each.endswith("_2")]
    finally:
        table.kill()


asyncio.run(main())
