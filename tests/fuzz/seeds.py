"""Inputs to begin with: one good one for each parser, and the signs that matter to it."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import cv2
import msgspec
import numpy as np

from companion.games.registry import games
from companion.hall.payloads import Topics
from companion.play.backup import back_up
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.settings import SETTINGS, as_toml
from hardware.vision.board import reader_state
from hardware.vision.board.reader_state import ReaderState
from hardware.vision.board.scene import Scene
from hardware.vision.cards import book
from hardware.vision.cards.book import CardBook
from tests.conftest import OPENING
from tests.hall.tables import Scripted

CORPUS = Path(__file__).with_name("corpus")
"""What fuzzing has found: one file each, begun with the name of its parser."""

EVENING = "tonight"

MOVE = b'{"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 5, "col": 3}'


def _board() -> bytes:
    folders = (each.folder for each in games().values())
    return b"\n".join(file.read_bytes() for folder in folders for file in sorted(folder.rglob("*.toml"))[:1])


def _shown() -> bytes:
    shape = (4 + 2 * reader_state.MARGIN, 3 + 2 * reader_state.MARGIN, reader_state.SAMPLES**2, 3)
    covered = np.zeros((4, 3), bool)
    return reader_state.pack(
        Scene(4, 3), ReaderState(np.ones(shape, np.float32), covered, None, np.eye(3), {1: 2.0})
    )


@cache
def evening_so_far() -> tuple[tuple[str, bytes], ...]:
    """What a hall has heard: a match of an evening is over at its table."""
    table, topics = Scripted("table-1"), Topics(EVENING)
    table.begin_by_hand(cat="Mei", mouse="Jun")
    table.finish()
    return (
        (topics.topic("plan"), b'{"name": "Cup", "kind": "free", "game": "cat-and-mouse"}'),
        (topics.topic("players", "m"), b'{"id": "m", "name": "Mei", "place": 1}'),
        (topics.topic("players", "j"), b'{"id": "j", "name": "Jun", "place": 2}'),
        (
            topics.topic("rounds", "1"),
            b'{"number": 1, "game": "cat-and-mouse", "pairings": [{"id": "1-1", "players": ["m", "j"],'
            b' "seats": ["cat", "mouse"], "table": "table-1", "after": 1}]}',
        ),
        (topics.topic("results", "1-1"), b'{"pairing": "1-1", "scores": {"m": 120, "j": 0}, "match": 2}'),
        (table.topics.topic("status"), b"online"),
        (table.topics.topic("results"), msgspec.json.encode(table.results())),
        (table.topics.topic("state"), msgspec.json.encode(table.state())),
    )


@cache
def dealt_match() -> Match:
    """A match of two that the table deals: one seat let the first card pass, and a card was drawn."""
    journal = Journal(Path(mkdtemp(prefix="companion-fuzz-")) / "journal.sqlite")
    table = Table(journal, Match.begin(journal, "cat-and-mouse", {}))
    table.begin("exploding-kittens", {}, 2, dealt_to={"second": "top"})
    table.deals.decline(table.snapshot.match, "first")
    table.play({"move": "draw"}, "phone", seat="first")
    record = table.snapshot.match.record
    return Match(journal, record)


def _deal() -> bytes:
    sealed = dealt_match().journal.path.with_suffix(".deals.json").read_bytes()
    return sealed.partition(b'"kept":')[2][:-1]


def _backup() -> bytes:
    folder = Path(mkdtemp(prefix="companion-fuzz-"))
    with closing(Journal(folder / "journal.sqlite")) as journal:
        Match.begin(journal, "this-bed-is-mine", {}).play(OPENING[0], "phone")
        made = back_up(journal.path, folder / "backups")
    return made.read_bytes()


def _picture() -> bytes:
    return bytes(cv2.imencode(".png", np.arange(192, dtype=np.uint8).reshape(8, 8, 3))[1])


SEEDS: dict[str, tuple[bytes, ...]] = {
    "moves": (MOVE, b'{"move": "throw", "dice": [3, 5]}', b'{"move": "play", "cards": ["taco", "taco"]}'),
    "notation": (b"c4@5,3", b"3-5", b"m1>2,5", MOVE),
    "options": (b"board=b", b"chips_1=7", b"first_zone=touching", b"stake=5", b"enemies=false"),
    "data_files": (b'side = "A"\nbed = ["++", "++"]\n', b"name = 'x'\n[effects]\n4 = -1\n", _board()),
    "imported": (
        b'{"match": {"game": "this-bed-is-mine", "players": {"cat": "Ada"}}}\n' + MOVE + b"\nundo\n",
    ),
    "scenes": (b'{"rows": 4, "cols": 3, "blocked": [[[0, 0]]], "tile_shapes": {"1": ["#."]}}',),
    "picture_lines": (
        b'{"image": "a.jpg", "role": "watch", "corners_px": [[0, 0], [1, 0], [1, 1], [0, 1]]}\n',
    ),
    "wiring": (Path("hardware/panel/panel.toml").read_bytes(),),
    "toml": (b"a = [1, 2]\n[b.c]\nd = 1979-05-27T07:32:00Z\n",),
    "shown": (_shown(),),
    "cards": (book.pack(CardBook()),),
    "picture": (_picture(),),
    "sealed": (b'{"check":"0123456789abcdef","kept":{"a":1}}',),
    "last_kept": (b"1:2 0011223344556677 01234567".ljust(511) + b"\n",),
    "hall_messages": tuple(topic.encode() + b"\n" + payload for topic, payload in evening_so_far()),
    "own_boards": (
        b'{"game": "this-bed-is-mine", "option": "board", "name": "Ours", "rows": ["++", "+#"]}',
        b'{"game": "exploding-kittens", "option": "deck", "name": "Ours", "numbers": {"kitten": 4}}',
        b'{"game": "hide-and-seek", "option": "cards", "name": "Ours", "text": "hand = 5\\n"}',
    ),
    "broker_commands": (
        b'a/commands/next\n{"game": "chop-chop", "seats": 3, "options": {"board": "a"}, "instead_of": 1}',
        b'a/commands/message\n{"text": "Tea!"}',
        b'a/commands/pause\n{"on": true}',
        b'a/commands/undo\n{"n": 1}',
        b'a/commands/call\n{"on": true}',
    ),
    "settings_file": (
        as_toml({setting.name: setting.default for setting in SETTINGS}).encode(),
        b'broker = "mqtts://home:8883"\nbroker_password = "secret"\ntime_limit = 12.5\nopen = true\n',
    ),
    "seats_file": (
        b'{"sittings": [{"match": 1, "identity": "x", "places": [{"seat": "cat", "phone": "a", "last": ["b"],'
        b' "keepers": {"2": ["b"]}, "seen": ["a"]}, {"seat": "dog"}]}], "screens": ["s"], "hosts": ["a"],'
        b' "guests": ["g"], "by_pin": ["a"], "players": {"a": {"name": "Mei", "colour": "red"}}}',
    ),
    "deals_file": (_deal(),),
    "backup": (_backup(),),
}
"""Good inputs by the parser's name."""

SIGNS = (
    *(b"{", b"}", b"[", b"]", b'"', b"=", b",", b"-", b"@", b">", b"#", b"\n", b"\r", b"'''"),
    *(b"\\u0000", b"\\ud800", b"\0", b"\xff", b"\xef\xbb\xbf", b"1e999", b"-0", b"NaN", b"null", b"true"),
    *(b"9" * 30, b"9" * 5000, b"[" * 5000),
)
"""What an input may be spoilt with."""
