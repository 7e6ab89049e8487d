"""The API describes itself."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import games

PAGES = {"/", "/camera", "/panel", "/join", "/join.svg", "/join/{place}.svg", "/favicon.ico"}
PAGES |= {"/history", "/history/before/{number}"}
FILES = {"/games/{slug}/{name}", "/static/{filename}"}


@pytest.fixture
def answer(client: FlaskClient) -> dict[str, Any]:
    """The description."""
    matches: dict[str, Any] = client.get("/api/openapi.json").json
    return matches


def test_each_route_is_described_and_nothing_else(app: Flask, answer: dict[str, Any]) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, operations in answer["paths"].items() for method in operations}
    assert {path for path, _ in served - described} == PAGES | FILES
    assert described <= served


def test_each_route_says_what_it_is_for_and_what_it_answers(answer: dict[str, Any]) -> None:
    for path, operations in answer["paths"].items():
        for operation in operations.values():
            assert operation["summary"].endswith("."), path
            assert operation["responses"]["200"]["content"], path


def test_every_reference_leads_somewhere(answer: dict[str, Any]) -> None:
    names = set(re.findall(r"'#/components/schemas/([^']+)'", repr(answer)))
    assert names
    assert names <= answer["components"]["schemas"].keys()


def test_the_moves_and_options_of_every_game_are_in_it(answer: dict[str, Any]) -> None:
    kinds = {kind.__name__ for game in games().values() for kind in (*game.move_types, game.options_type)}
    # What two games call the same is named with its module.
    assert kinds <= {name.rpartition(".")[2] for name in answer["components"]["schemas"]}
    body = answer["paths"]["/api/moves"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert len(body["anyOf"]) == len(games()) + 1


def test_numbers_in_an_address_are_told(answer: dict[str, Any]) -> None:
    (number,) = answer["paths"]["/api/matches/{number}/resume"]["post"]["parameters"]
    assert number == {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}
