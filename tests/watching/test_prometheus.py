"""The alert rules and the dashboard's queries, as the real Prometheus from Debian takes them."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from time import sleep
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from companion import machine
from companion.games.watching import Verdict
from companion.hall import app as hall_app
from companion.hall.hall import Hall
from companion.play.journal import Journal
from companion.play.table import new_table
from tests.conftest import BED, OPENING
from tests.project import sources
from tests.running import pages_of
from tests.web.conftest import ScriptedCamera
from web.server import Server

FILES = sources.ROOT / "docs/watching"
DASHBOARD = json.loads((FILES / "grafana.json").read_text("utf-8"))
QUERIES = {panel["title"]: [each["expr"] for each in panel["targets"]] for panel in DASHBOARD["panels"]}
ROUNDS = 600
"""Looks at Prometheus, a tenth of a second apart, until each query has its answer."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("prometheus"), reason="no Prometheus here: apt install prometheus"),
]


@pytest.fixture(scope="module")
def table_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table that serves its figures, where something of each kind has happened."""
    journal = Journal(tmp_path_factory.mktemp("table") / "journal.sqlite")
    table, camera = new_table(journal, BED, {}), ScriptedCamera()
    table.play(OPENING[0], "phone")
    camera.counted.pictures += 1
    camera.counted.outcomes[Verdict.PLAY] += 1
    camera.counted.count_stages({"squares": 4.0})
    server = Server(pages_of(table, camera), "127.0.0.1", 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "temperature_c", lambda: 48.3)
        server.start()
        yield f"127.0.0.1:{server.port}"
        server.stop()
    journal.close()


@pytest.fixture(scope="module")
def hall_address() -> Iterator[str]:
    """A hall that serves its figures."""
    server = Server(hall_app.create_app(Hall("tonight", "one")), "127.0.0.1", 0)
    server.start()
    yield f"127.0.0.1:{server.port}"
    server.stop()


@pytest.fixture(scope="module")
def prometheus(
    table_address: str, hall_address: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a Prometheus that watches that table and that hall, with our files sped up."""
    folder = tmp_path_factory.mktemp("prometheus")
    given = (FILES / "prometheus.yml").read_text("utf-8").replace("15s", "1s")
    ours = "table-1.local:8000, table-2.local:8000, hall.local:8100"
    configured = given.replace(ours, f'"{table_address}", "{hall_address}"')
    assert hall_address in configured
    (folder / "prometheus.yml").write_text(configured, "utf-8")
    shutil.copy(FILES / "alerts.yml", folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    storage = ["--storage.tsdb.path", str(folder / "kept"), "--web.listen-address", address]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            ["prometheus", "--config.file", str(folder / "prometheus.yml"), *storage], stdout=log, stderr=log
        ) as process,
    ):
        yield f"http://{address}/api/v1"
        process.terminate()


def ask(prometheus: str, path: str, **query: str) -> list[Any]:
    """What Prometheus answers; nothing while it begins."""
    try:
        with urlopen(f"{prometheus}/{path}?{urlencode(query)}", timeout=10) as answer:
            data = json.load(answer)["data"]
    except URLError:
        return []
    results: list[Any] = data.get("result", data.get("groups"))
    return results


def answered(prometheus: str, path: str, **query: str) -> list[Any]:
    """The first answer that is not empty."""
    for _ in range(ROUNDS):
        if results := ask(prometheus, path, **query):
            return results
        sleep(0.1)
    return []


def test_promtool_takes_the_rules_and_the_configuration() -> None:
    ran = subprocess.run(
        ["promtool", "check", "config", str(FILES / "prometheus.yml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "rules found" in ran.stdout


@pytest.mark.parametrize("served", ["table_address", "hall_address"])
def test_promtool_takes_the_figures(served: str, request: pytest.FixtureRequest) -> None:
    with urlopen(f"http://{request.getfixturevalue(served)}/metrics", timeout=10) as answer:
        figures = answer.read()
    ran = subprocess.run(["promtool", "check", "metrics"], input=figures, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()


def test_the_query_of_each_panel_returns_something(prometheus: str) -> None:
    empty = {
        title
        for title, queries in QUERIES.items()
        for query in queries
        if not answered(prometheus, "query", query=query)
    }
    assert not empty


def test_each_rule_is_evaluated_without_a_fault(prometheus: str) -> None:
    (group,) = answered(prometheus, "rules")
    names = {rule["name"] for rule in group["rules"]}
    assert {"TableGone", "MovesNotKept", "BrokerBehind"} <= names
    assert {rule.get("lastError", "") for rule in group["rules"]} == {""}


def test_each_figure_that_a_rule_names_is_one_of_ours(prometheus: str) -> None:
    (group,) = answered(prometheus, "rules")
    for rule in group["rules"]:
        for name in re.findall(r"table_companion_\w+", rule["query"]):
            assert answered(prometheus, "query", query=name), (rule["name"], name)
