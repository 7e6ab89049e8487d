"""A program made from the API's description by openapi-python-client plays a match."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from flask import Flask

from companion.games.registry import game
from companion.play.table import Table
from tests.conformance.golden import files, playthrough
from tests.readers import reader
from web.app import DESCRIBED
from web.openapi import describe
from web.server import Server

BYTES = "application/octet-stream"
CONFIG = {
    "content_type_overrides": {
        "application/x-ndjson": "text/plain",
        "image/*": BYTES,
        "image/jpeg": BYTES,
        "text/csv": "text/plain",
    }
}
"""Media types that the generator knows under these names only."""

PLAYS = """
import json, sys
from table import AuthenticatedClient, Client
from table.api.match import get_match, post_moves
from table.api.matches import post_matches
from table.api.seats import post_seats_take
from table.models import NewMatch, Refusal, Sit, Throw

address, match = sys.argv[1], json.load(sys.stdin)
wanted = NewMatch.from_dict({"game": match[0]["game"], "options": match[0]["options"]})
begun = post_matches.sync(client=Client(address), body=wanted)
sat = post_seats_take.sync(client=Client(address), body=Sit(seat=begun.match.seats[0], program=True))
client = AuthenticatedClient(address, sat.secret)
assert isinstance(post_moves.sync(client=Client(address), body=Throw.from_dict(match[1]["move"])), Refusal)
for line in match[1:]:
    now = post_moves.sync(client=client, body=Throw.from_dict(line["move"]))
    assert isinstance(now, Refusal) == ("refused" in line), now
print(json.dumps(get_match.sync(client=client).outcome.to_dict()))
"""
"""A match of throws, by the seat that the program takes; a stranger is refused."""


@pytest.mark.slow
def test_a_generated_program_plays_a_match(app: Flask, table: Table, tmp_path: Path) -> None:
    program = reader("bin/openapi-python-client")
    described, config = tmp_path / "openapi.json", tmp_path / "config.json"
    described.write_text(json.dumps(describe(DESCRIBED, "/")))
    config.write_text(json.dumps(CONFIG))
    made = ["generate", "--path", described, "--config", config, "--output-path", tmp_path / "table"]
    named = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    options = {"env": named, "capture_output": True, "text": True, "check": False}
    generated = subprocess.run([program, *made, "--meta", "none", "--fail-on-warning"], **options)
    assert generated.returncode == 0, generated.stdout
    lines = playthrough(files(game("cat-and-mouse"))[-1])
    server = Server(app, "127.0.0.1", 0, threads=4)
    server.start()
    try:
        asked = [program.parent / "python", "-c", PLAYS, f"http://127.0.0.1:{server.port}"]
        played = subprocess.run(asked, cwd=tmp_path, input=json.dumps(lines), **options)
    finally:
        server.stop()
    assert played.returncode == 0, played.stderr
    outcome = lines[-1]["outcome"]
    assert json.loads(played.stdout)["winners"] == outcome["winners"]
