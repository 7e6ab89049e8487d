"""Every parser of what comes from outside. Each may raise errors of our own, and no others."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from itertools import count
from pathlib import Path

import msgspec
from flask import Flask
from paho.mqtt.client import MQTTMessage

from companion import files, paths
from companion.broker.address import broker_address
from companion.broker.commands import Commands
from companion.broker.connection import Connection
from companion.commands.keeping import _played
from companion.errors import CompanionError
from companion.errors.causes import NOT_JSON
from companion.files import TomlText, read_sealed
from companion.games.registry import games
from companion.hall import view
from companion.hall.hall import GONE_S, Hall
from companion.play import exports
from companion.play.backup import REPLACED, backups, bring_back
from companion.play.journal import LastKeptFile
from companion.play.match import Match, begin_in_memory
from companion.play.seats import Seats
from companion.play.table import Table
from companion.service.table_settings import TableSettings
from companion.settings import SettingsFile
from hardware import pictures
from hardware.panel.wiring import read_wiring
from hardware.vision.board import reader_state
from hardware.vision.board.scene import Scene, read_picture_lines, read_scene
from hardware.vision.cards import book
from tests.fuzz.seeds import EVENING, dealt_match, evening_so_far
from tests.running import running
from web.app import create_app
from web.settings_api import TablePages

FOLDER = Path(tempfile.mkdtemp(prefix="companion-fuzz-"))
"""Where a parser that reads files finds its input."""


def _file(name: str, data: bytes) -> Path:
    path = FOLDER / name
    path.write_bytes(data)
    return path


def moves(data: bytes) -> None:
    """A move of each game, as JSON."""
    try:
        given = msgspec.json.decode(data)
    except NOT_JSON:
        return
    for game in games().values():
        try:
            move = game.move(given)
            game.play(game.start(game.options({}), min(game.seat_counts)), move)
        except CompanionError:
            continue


def notation(data: bytes) -> None:
    """A move of each game, in its notation."""
    for game in games().values():
        try:
            game.parse(data.decode("utf-8", "replace"))
        except CompanionError:
            continue


def options(data: bytes) -> None:
    """Options of each game, as they are typed."""
    name, _, value = data.decode("utf-8", "replace").partition("=")
    for game in games().values():
        try:
            game.start(game.options({name: value}, from_text=True), min(game.seat_counts))
        except CompanionError:
            continue


def data_files(data: bytes) -> None:
    """Boards, tiles, bags, dice and sets of cards, as their text in an option."""
    text = data.decode("utf-8", "replace") + "\n"
    for slug, names in DATA_OPTIONS.items():
        game = games()[slug]
        for name in names:
            try:
                game.start(game.options({name: text}), min(game.seat_counts))
            except CompanionError:
                continue


DATA_OPTIONS = {
    "this-bed-is-mine": ("board", "tiles"),
    "cat-and-mouse": ("board",),
    "chop-chop": ("bag", "dice", "board"),
    "hide-and-seek": ("cards",),
}
"""The options of each game that name a data file."""


def imported(data: bytes) -> None:
    """A file of moves, read and played."""
    path = _file("moves.jsonl", data)
    file = exports.read_moves(path, default="this-bed-is-mine")
    if file.header is not None:
        _played(path, file.header, file.lines)


def scenes(data: bytes) -> None:
    """A folder's scene."""
    _file("scene.json", data)
    read_scene(FOLDER)


def picture_lines(data: bytes) -> None:
    """A folder's lines about its pictures."""
    _file("pictures.jsonl", data)
    read_picture_lines(FOLDER)


def wiring(data: bytes) -> None:
    """The panel's wires."""
    read_wiring(_file("panel.toml", data))


def toml(data: bytes) -> None:
    """Any TOML file."""
    TomlText.from_file(_file("any.toml", data)).values()


def shown(data: bytes) -> None:
    """What the camera was shown."""
    reader_state.unpack(Scene(rows=4, cols=3), data)


def cards(data: bytes) -> None:
    """What was taught of cards."""
    book.unpack(data)


def picture(data: bytes) -> None:
    """A picture."""
    pictures.decoded(data)


def sealed(data: bytes) -> None:
    """A small file with a check on it."""
    try:
        read_sealed(_file("kept.json", data), dict[str, int])
    except ValueError:
        return


def last_kept(data: bytes) -> None:
    """The note of what was kept last."""
    try:
        LastKeptFile(_file("journal.last", data)).read_note()
    except ValueError:
        return


def hall_messages(data: bytes) -> None:
    """A message to a hall: its topic, a line end, its payload. Then the hall works, and shows all."""
    topic, _, payload = data.partition(b"\n")
    hall = Hall(EVENING, "one", clock=partial(next, count(step=GONE_S)))
    hall.connect(connected=True)
    hall.catch_up()
    for message in evening_so_far():
        hall.receive(*message)
    hall.receive(topic.decode("utf-8", "replace"), payload)
    with suppress(CompanionError):
        hall.next_round()
    hall.work()
    msgspec.json.encode(view.shown(hall))


@cache
def _bed() -> Match:
    return begin_in_memory("this-bed-is-mine", {})


@cache
def _running() -> tuple[Flask, Commands, Connection]:
    """A table's pages, what answers its broker, and a connection that is not open."""
    table = Table(_bed().journal, _bed())
    on_table = running(table, settings=TableSettings(SettingsFile(FOLDER / "none.toml"), {}))
    app = create_app(on_table, None)
    address = broker_address("localhost")
    return app, Commands(on_table, TablePages(app)), Connection(address, "fuzz")


def own_boards(data: bytes) -> None:
    """A board or deck of one's own, posted to a table."""
    client = _running()[0].test_client()
    answer = client.post("/api/own", data=data, content_type="application/json")
    assert answer.status_code in (200, 400, 503), answer.text


def broker_commands(data: bytes) -> None:
    """A message to a table on a broker: its topic, a line end, its payload."""
    topic, _, payload = data.partition(b"\n")
    _, commands, connection = _running()
    message = MQTTMessage(topic=topic)
    message.payload = payload
    connection._on_message(None, None, message)
    while connection.heard:
        heard = connection.heard.popleft()
        msgspec.json.encode(commands.answer(heard.topic.rpartition("/")[2], heard.payload))


def settings_file(data: bytes) -> None:
    """What was chosen on the settings page."""
    TableSettings(SettingsFile(_file("settings.toml", data)), {}).listed()


def _tidy(folder: Path) -> None:
    """Delete what was put aside: many names would take long to go through."""
    for mark in (paths.DAMAGED, REPLACED):
        for aside in folder.glob(f"*{mark}*"):
            aside.unlink()


def seats_file(data: bytes) -> None:
    """The phones at the seats. Then a match goes on, and another begins."""
    match = _bed()
    files.write_sealed(FOLDER / "seats.json", msgspec.Raw(data))
    seats = Seats(FOLDER / "seats.json", match.journal)
    seats.go_on(match.record.id, match.seat_names)
    seats.take_seat(match.seat_names[0], "phone")
    seats.go_on(match.record.id + 1, match.seat_names, new=True)
    seats.players()
    _tidy(FOLDER)


def deals_file(data: bytes) -> None:
    """The deal of a match, and how the match stands then."""
    match = dealt_match()
    files.write_sealed(match.journal.path.with_suffix(".deals.json"), msgspec.Raw(data))
    Table(match.journal, match)
    _tidy(match.journal.path.parent)


def backup(data: bytes) -> None:
    """A backup, looked at and brought back."""
    folder = FOLDER / "backups"
    folder.mkdir(exist_ok=True)
    _file("backups/journal-2026.sqlite", data)
    for found in backups(folder):
        bring_back(found, FOLDER / "brought" / "journal.sqlite")
    _tidy(FOLDER / "brought")


PARSERS: tuple[Callable[[bytes], None], ...] = (
    *(moves, notation, options, data_files, imported, scenes, picture_lines, wiring, toml),
    *(shown, cards, picture, sealed, last_kept, hall_messages),
    *(own_boards, broker_commands, settings_file, seats_file, deals_file, backup),
)
"""All of them."""
