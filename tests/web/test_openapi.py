"""The API describes itself."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.photos.drafts import PhotoDrafts
from tests.conformance.playing import kinds_of
from tests.conftest import BED, OPENING
from tests.running import pages_of, replace_services, settings_of
from tests.service.photographed import Finds, Reads
from tests.web.conftest import ScriptedOpponent

PAGES = {
    "/",
    "/api",
    "/camera",
    "/panel",
    "/join",
    "/join.svg",
    "/join/{place}.svg",
    "/favicon.ico",
}
PAGES |= {"/app.webmanifest", "/apple-touch-icon.png", "/service-worker.js"}
PAGES |= {
    "/new",
    "/score",
    "/rules/{slug}",
    "/own/{slug}/{option}",
    "/seats",
    "/watch",
    "/display",
    "/offline",
    "/players",
    "/player",
    "/years/{year}",
    "/history",
    "/history/{number}",
    "/history/before/{number}",
    "/settings",
    "/accuracy",
}
FILES = {"/games/{slug}/{name}", "/static/{filename}"}
FILES |= {"/sheets/{name}.pdf", "/own/{slug}/{option}/{name}.toml", "/own/pictures/{name}.jpg"}
FILES |= {"/packed/{name}.js", "/packed/{slug}/{language}/{name}.js"}

CAMERA = {f"/api/camera{part}" for part in ("", "/picture", "/overlay", "/crop", "/lessons")}
TEACHING = {f"/api/camera/{part}" for part in ("empty", "teach", "corners", "whole")}
CHECKS = {f"/api/camera/{part}" for part in ("check", "check/empty", "check/lesson", "forget")}
"""What judges the set-up, and begins it again."""
DEMO = {"/api/demo", "/api/demo/rehearsal", "/api/demo/put", "/api/demo/fault"}
PANEL = {"/api/panel", "/api/panel/patterns", "/api/panel/buttons", "/api/panel/try"}
OPPONENT = {"/api/opponent", "/api/hint", "/api/hints"}
RESUME = "/api/matches/{number}/resume"
AGAIN = "/api/matches/{number}/again"
REMATCH = "/api/matches/{number}/rematch"
PLAYED = {"/api/moves", "/api/undo", "/api/redo", "/api/sighting", RESUME, AGAIN, REMATCH}
"""What the game's rules may refuse."""
WRITTEN = PLAYED | {"/api/players", "/api/matches", "/api/panel/buttons"}
"""What the journal keeps."""
SEATS = {
    f"/api/seats/{part}"
    for part in ("take", "me", "pick-up", "leave", "screen", "throw-out", "let-in", "host", "hand-over")
}
"""What the file of seats keeps."""
ACCURACY = {f"/api/accuracy{part}" for part in ("", "/reports", "/reports.csv")}
TESTING = {f"/api/accuracy/{part}" for part in ("begin", "answer", "end")}
LEARNT = "/api/camera/learnt"
SETTINGS = "/api/settings"
BROKER, TRY_BROKER, REFEREE = "/api/broker", "/api/broker/try", "/api/referee"
SEEING = (CAMERA - {"/api/camera"}) | CHECKS | {LEARNT, SETTINGS, BROKER, "/api/demo"} | ACCURACY
"""What only players see, or the host."""
PHOTOS = {
    f"/api/photos/{{number}}/{part}"
    for part in ("options", "read", "board", "keep", "corners", "remove", "drop")
}
PHOTOS |= {"/api/photos", "/api/photos/{number}", "/api/photos/{number}/pictures", "/api/photos/throw"}
PHOTOS |= {"/api/photos/{number}/pictures/{photo}", "/api/photos/{number}/crops/{tile}"}
KEPT_PHOTO = "/api/matches/{number}/photos/{photo}"
REMOVE_PHOTOS = "/api/matches/{number}/photos/remove"
PICTURES = {f"/api/matches/{{number}}/pictures{part}" for part in ("", "/{picture}", "/remove")}
REMOVE_PICTURES = {"/api/matches/{number}/pictures/remove", "/api/pictures/remove"}
A_PHOTO = {"/api/photos/{number}/pictures", "/api/photos/throw", "/api/own/picture"}
"""What takes a photo as its body."""
SHOWN = {"/api/photos/{number}", "/api/photos/{number}/pictures/{photo}"}
PHOTOS_REFUSED = {
    f"/api/photos/{{number}}/{part}" for part in ("options", "pictures", "read", "board", "keep", "corners")
}
PHOTOS_REFUSED |= {"/api/photos", "/api/photos/throw"}
"""What is refused for the photo that was sent, or the tiles in it."""
KEPT = {f"/api/matches/{{number}}/{what}" for what in ("title", "remove", "bring-back", "correct")}
"""What changes a kept match."""
ENDING = "/api/matches/{number}/ending"
REVIEW = "/api/matches/{number}/review"
SEATS_KEPT = ("take", "me", "pick-up", "hand-over", "leave", "screen", "let-in", "host", "throw-out")

MAY_REFUSE = {
    404: CAMERA
    | KEPT
    | PICTURES
    | REMOVE_PICTURES
    | TEACHING
    | CHECKS
    | PANEL
    | OPPONENT
    | DEMO
    | ACCURACY
    | TESTING
    | PHOTOS
    | {"/api/matches/{number}/export", "/api/matches/{number}/at/{moves}", "/api/matches/{number}/course"}
    | {
        ENDING,
        REVIEW,
        LEARNT,
        KEPT_PHOTO,
        REMOVE_PHOTOS,
        BROKER,
        TRY_BROKER,
        REFEREE,
        RESUME,
        AGAIN,
        REMATCH,
        "/api/own/remove",
        "/api/own/picture",
        "/api/seats/take",
        "/api/seats/throw-out",
        "/api/seats/let-in",
        "/api/seats/hand-over",
    },
    409: PLAYED
    | OPPONENT
    | {"/api/matches/{number}/remove", "/api/matches/{number}/correct"}
    | TEACHING
    | CHECKS
    | SEATS
    | PHOTOS_REFUSED
    | REMOVE_PICTURES
    | {"/api/matches", "/api/accuracy/begin", REMOVE_PHOTOS, "/api/own/picture", SETTINGS, TRY_BROKER}
    | {"/api/demo/put", "/api/demo/fault", "/api/players"},
    413: A_PHOTO,
    429: {"/api/seats/take", "/api/seats/host", "/api/seats/ask"},
    503: WRITTEN
    | KEPT
    | PICTURES
    | {ENDING, REVIEW}
    | (PHOTOS - SHOWN - {"/api/photos/{number}/board", "/api/photos/{number}/drop"})
    | {"/api/matches/{number}/export", "/api/camera/whole", "/api/own/picture"}
    | {
        "/api/matches/{number}/at/{moves}",
        "/api/matches/{number}/course",
        "/api/records",
        "/api/records/{year}",
    }
    | {f"/api/seats/{end}" for end in SEATS_KEPT}
    | {"/api/matches/before/{number}", "/api/events", "/health", "/api/demo/leave"},
}
"""Each status, and the paths that may answer with it."""


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
    kinds = {kind.__name__ for game in games().values() for kind in (*kinds_of(game), game.options_type)}
    # What two games call the same is named with its module.
    assert kinds <= {name.rpartition("_")[2] for name in answer["components"]["schemas"]}
    body = answer["paths"]["/api/moves"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert len(body["anyOf"]) == len(games()) + 1


def test_numbers_in_an_address_are_told(answer: dict[str, Any]) -> None:
    (number, *_) = answer["paths"]["/api/matches/{number}/resume"]["post"]["parameters"]
    assert number == {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}


def operations(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """All that the description says of each route."""
    return [operation for of in answer["paths"].values() for operation in of.values()]


def test_each_route_has_a_name_of_its_own_a_tag_and_a_server(answer: dict[str, Any]) -> None:
    names = [operation["operationId"] for operation in operations(answer)]
    assert len(names) == len(set(names))
    assert {"get_match", "post_moves", "post_seats_take", "get_matches_number_at_moves"} <= set(names)
    assert all(len(operation["tags"]) == 1 for operation in operations(answer))
    assert answer["servers"] == [{"url": "http://localhost"}]


def test_a_short_page_has_recipes_and_every_route(client: FlaskClient, answer: dict[str, Any]) -> None:
    page = client.get("/api").text
    assert len(re.findall(r"^\d\. ", page, re.MULTILINE)) == 5
    assert all(operation["summary"] in page for operation in operations(answer))


def test_what_may_stand_behind_an_address_is_told(answer: dict[str, Any]) -> None:
    told = {}
    for path in ("/api/matches", "/api/matches/{number}/export", "/api/events", "/api/match"):
        asked = [one for one in answer["paths"][path]["get"]["parameters"] if one["in"] == "query"]
        assert all(one["description"] for one in asked)
        told[path] = [one["name"] for one in asked]
    assert told == {
        "/api/matches": ["game", "player", "from", "to", "lang", "seat"],
        "/api/matches/{number}/export": ["format", "lang", "seat"],
        "/api/events": ["last", "lang", "seat"],
        "/api/match": ["lang", "seat"],
    }


def test_where_to_wait_is_told(answer: dict[str, Any]) -> None:
    waits = {
        (operation["operationId"], status)
        for operation in operations(answer)
        for status, refused in operation["responses"].items()
        if "headers" in refused
    }
    asked = {"post_seats_take", "post_seats_host", "post_seats_ask"}
    assert waits == {*((name, "429") for name in asked), ("get_events", "503")}


def test_a_streams_events_are_described(client: FlaskClient, answer: dict[str, Any]) -> None:
    content = answer["paths"]["/api/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    schema = content["schema"]["contentSchema"] | {"components": answer["components"]}
    table = {"event": "table", "id": "a-1", "data": client.get("/api/table").text}
    jsonschema.Draft202012Validator(schema).validate([table, {"event": "beat", "data": "{}"}])
    data = schema["items"]["oneOf"][0]["properties"]["data"]["contentSchema"]
    inside = data | {"components": answer["components"]}
    jsonschema.Draft202012Validator(inside).validate(json.loads(table["data"]))


def posts(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the description says of each POST, by its path."""
    return {path: of["post"] for path, of in answer["paths"].items() if "post" in of}


def test_each_refusal_is_described_where_it_may_come_and_nowhere_else(answer: dict[str, Any]) -> None:
    takes_body = {path for path, post in posts(answer).items() if "requestBody" in post}
    assert {status: paths_with(answer, status) for status in (400, 403, 404, 409, 413, 429, 503)} == {
        400: takes_body - A_PHOTO,
        403: posts(answer).keys() | PICTURES | SEEING | {KEPT_PHOTO},
        **MAY_REFUSE,
    }


def paths_with(answer: dict[str, Any], status: int) -> set[str]:
    """The paths that the description says may answer with `status`."""
    return {
        path
        for path, operations in answer["paths"].items()
        if any(str(status) in operation["responses"] for operation in operations.values())
    }


def test_what_another_site_sends_is_refused_by_each_post(client: FlaskClient, answer: dict[str, Any]) -> None:
    for path in posts(answer):
        sent = client.post(path.format(number=1), json={}, headers={"Sec-Fetch-Site": "cross-site"})
        assert sent.status_code == 403, path


def test_a_body_that_is_no_json_is_refused_by_each_route_that_takes_one(
    client: FlaskClient, answer: dict[str, Any]
) -> None:
    for path, post in posts(answer).items():
        status = client.post(path.format(number=1), data=b"{").status_code
        takes_json = "application/json" in post.get("requestBody", {}).get("content", {})
        assert (status == 400) == takes_json, path


@pytest.mark.parametrize(
    ("path", "body", "rule"),
    [
        ("/api/matches", {"game": "chess"}, "not-an-option"),
        ("/api/matches", {"game": BED, "seats": 9}, "not-an-option"),
        ("/api/matches", {"game": "chess"}, "not-an-option"),
        ("/api/photos", {"game": "chess"}, "not-an-option"),
        ("/api/own", {"game": "chess", "option": "board", "name": "x"}, "not-an-option"),
        ("/api/own", {"game": BED, "option": "hens", "name": "x"}, "not-an-option"),
        ("/api/own/remove", {"game": "chess", "option": "board", "name": "x"}, "not-an-option"),
        ("/api/settings", {"values": {"nothing": "x"}}, "not-an-option"),
        ("/api/settings", {"values": {"rotate": "17"}}, "not-an-option"),
        ("/api/seats/take", {"seat": "cow"}, "no-such-seat"),
        ("/api/seats/throw-out", {"seat": "cow"}, "no-such-seat"),
        ("/api/players", {"players": {"cow": "Mei"}}, "no-such-seat"),
    ],
)
def test_a_body_that_names_what_there_is_not_is_a_bad_one_everywhere(
    path: str, body: dict[str, Any], rule: str, table: Table
) -> None:
    photos = PhotoDrafts(reads=Reads(), finds=Finds())
    app = pages_of(table, None, settings=settings_of(table, open=True), photos=photos)
    replace_services(app, opponent=ScriptedOpponent())
    answer = app.test_client().post(path, json=body)
    app.extensions["companion"].stop()
    photos.stop()
    assert (answer.status_code, answer.json["rule"]) == (400, rule)


def test_without_camera_and_panel_there_is_nothing_at_their_addresses(blind: FlaskClient) -> None:
    for path in CAMERA | PANEL - {"/api/panel/buttons", "/api/panel/try"}:
        assert blind.get(path).status_code == 404, path


@pytest.mark.parametrize("path", ["/api/match", "/api/table", "/api/seats", "/api/camera", "/metrics"])
def test_what_is_only_read_is_answered_while_nothing_can_be_kept(
    path: str, client: FlaskClient, table: Table, journal: Journal
) -> None:
    journal._connection.execute("PRAGMA query_only = ON")
    assert client.post("/api/moves", json=OPENING[0]).status_code == 503
    assert client.get(path).status_code == 200
