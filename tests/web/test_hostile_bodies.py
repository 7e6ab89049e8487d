"""Bodies made to break the server are refused in one sentence, with 400, soon, and change nothing."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.play.table import Table
from tests.commands.test_hostile_files import DEEP, DIGITS

pytestmark = pytest.mark.usefixtures("soon")

BODIES = {
    "nested": DEEP,
    "a nested move": f'{{"move": {DEEP}}}',
    "nested options": f'{{"game": "this-bed-is-mine", "options": {{"board": {DEEP}}}}}',
    "a nested board": f'{{"game": "this-bed-is-mine", "options": {{"board": "a = {DEEP}\\n"}}}}',
    "digits": f'{{"move": "lay", "row": {DIGITS}}}',
    "a seat number of digits": f'{{"game": "this-bed-is-mine", "seats": {DIGITS}}}',
    "a board of digits": f'{{"game": "this-bed-is-mine", "options": {{"board": "a = {DIGITS}\\n"}}}}',
    "nul": '{"move": "\\u0000"}',
    "nul itself": '{"move": "\0"}',
    "half a letter": '{"players": {"cat": "\\ud800"}}',
    "no text": b"\xff\xfe\x00\xd8",
    "cut off": '{"move": {"move": "lay", ',
}


@pytest.mark.parametrize("route", ["moves", "undo", "matches", "players", "sighting"])
@pytest.mark.parametrize("body", BODIES)
def test_a_body(client: FlaskClient, table: Table, route: str, body: str) -> None:
    before = table.match.n, table.match.record.id
    answer = client.post(f"/api/{route}", data=BODIES[body], content_type="application/json")
    assert answer.status_code in (200, 400, 409) if route == "undo" else answer.status_code == 400
    if answer.status_code != 200:
        assert answer.json["says"]
        assert len(answer.json["says"]) < 400
        assert (table.match.n, table.match.record.id) == before
