"""The panel over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import add

import pytest
from flask.testing import FlaskClient

from companion.messages import Messages
from companion.play.table import Table
from companion.service.panel import TablePanel
from companion.service.turn_clock import COUNTS, ClockRules
from hardware.panel.patterns import PATTERNS
from hardware.panel.wires import _REASONS
from tests.conftest import OPENING
from tests.running import pages_of
from tests.web.conftest import ScriptedCamera
from web.language import PAGE_MESSAGES


@pytest.fixture
def panel(table: Table) -> TablePanel:
    """A panel without wires."""
    return TablePanel(table, rules=ClockRules(reserve_s=600.0))


@pytest.fixture
def wired(table: Table, camera: ScriptedCamera, panel: TablePanel) -> Iterator[FlaskClient]:
    """A browser at a table with a panel."""
    app = pages_of(table, camera, panel)
    yield app.test_client()
    app.extensions["companion"].stop()


def test_the_panel_tells_lamps_and_clocks(wired: FlaskClient) -> None:
    answer = wired.get("/api/panel").json
    assert [(seat["seat"], seat["pattern"]) for seat in answer["seats"]] == [
        ("cat", "your-turn"), ("dog", "off")
    ]  # fmt: skip
    assert (answer["paused"], answer["wired"], answer["faults"]) == (False, False, [])
    assert answer["clock"] == {"kind": "total", "reserve_s": 600, "extra_s": 0, "at_zero": "sound"}
    assert wired.get("/api/table").json["timed"]


def test_every_pattern_is_told_as_the_lamps_follow_it(wired: FlaskClient) -> None:
    answer = wired.get("/api/panel/patterns").json
    assert answer.keys() == PATTERNS.keys()
    for name, pattern in PATTERNS.items():
        assert [tuple(point) for point in answer[name]["points"]] == list(pattern.points)
        assert answer[name]["period_s"] == pattern.period_s


def test_a_press_answers_with_what_it_did(wired: FlaskClient, table: Table) -> None:
    answer = wired.post("/api/panel/buttons", json={"button": "dog", "does": "tap"}).json
    assert (answer["seats"][1]["pattern"], answer["seats"][1]["rule"]) == ("no", "press-out-of-turn")
    table.play(OPENING[0], "phone")
    wired.post("/api/panel/buttons", json={"button": "undo", "does": "tap"})
    assert table.match.moves == ()
    assert wired.post("/api/panel/buttons", json={"button": "pause", "does": "tap"}).json["paused"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"button": "fox", "does": "tap"}, id="no-such-seat"),
        pytest.param({"button": "cat", "does": "kick"}, id="no-such-deed"),
        pytest.param({"button": 1, "does": "tap"}, id="a-number"),
        pytest.param({}, id="nothing"),
    ],
)
def test_what_is_no_press_is_refused(wired: FlaskClient, body: dict[str, object]) -> None:
    answer = wired.post("/api/panel/buttons", json=body)
    assert answer.status_code == 400
    assert answer.json["says"]


def test_the_end_says_who_took_what_part_of_the_time(
    wired: FlaskClient, panel: TablePanel, table: Table
) -> None:
    now_s = panel._clock()
    for move, later_s in ((OPENING[0], 0), (OPENING[1], 30), ({"move": "stop"}, 40)):
        panel._clock = partial(add, now_s, later_s)
        table.play(move, "phone")
        panel.step()
    ending = wired.get(f"/api/matches/{table.match.record.id}/ending").json
    assert ending["times"] == "Share of the time: Cat 25 %, Dog 75 %"
    panel.set_clock(COUNTS)
    assert wired.get(f"/api/matches/{table.match.record.id}/ending").json["times"] == ""


def test_a_page_of_another_site_presses_nothing(wired: FlaskClient) -> None:
    answer = wired.post(
        "/api/panel/buttons",
        json={"button": "cat", "does": "tap"},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 403
    assert not wired.get("/api/panel").json["seats"][0]["done"]


@pytest.mark.parametrize("path", ["/panel", "/api/panel", "/api/panel/patterns"])
def test_without_a_panel_there_is_none(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_set_up_leads_to_the_panel_where_there_is_one(wired: FlaskClient, client: FlaskClient) -> None:
    assert 'href="/panel"' in wired.get("/settings").text
    assert 'href="/panel"' not in client.get("/settings").text


@pytest.mark.parametrize("language", ["en", "zh-Hant", "ko"])
def test_the_page_speaks_each_language(wired: FlaskClient, language: str) -> None:
    wired.set_cookie("language", language)
    page = wired.get("/panel")
    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text


def test_each_pattern_and_each_fault_has_its_words() -> None:
    words = Messages.from_files(PAGE_MESSAGES)
    of_the_status_lamp = {"well", "trouble"}
    assert not [
        name for name in PATTERNS.keys() - of_the_status_lamp if f"web.panel-lamp-{name}" not in words
    ]
    assert not [why for why in _REASONS if f"web.panel-fault-{why}" not in words]
