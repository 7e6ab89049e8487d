"""Figures for Prometheus."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from tests.conftest import OPENING

LINE = re.compile(r'companion_[a-z_]+(\{[a-z_]+="[^"]*"\})? -?\d+(\.\d+)?(e[+-]?\d+)?')


def figures(client: FlaskClient) -> dict[str, float]:
    """Each figure by its name and labels."""
    lines = [line for line in client.get("/metrics").text.splitlines() if not line.startswith("#")]
    assert all(LINE.fullmatch(line) for line in lines)
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_the_text_is_in_prometheus_format(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    names = re.findall(r"^# TYPE (\S+) (?:gauge|counter)$", answer.text, re.MULTILINE)
    assert len(names) == len(set(names)) == answer.text.count("# HELP")
    assert answer.text.endswith("\n")


def test_what_happens_is_counted(client: FlaskClient) -> None:
    client.post("/api/moves", json=OPENING[0])
    client.post("/api/moves", json=OPENING[0])
    counted = figures(client)
    assert counted["companion_moves_tapped_total"] == 1
    assert counted['companion_refusals_total{status="409"}'] == 1
    assert counted['companion_match{game="this-bed-is-mine"}'] == 1
    assert counted["companion_match_moves"] == 1
    assert counted["companion_camera_ok"] == 1
    assert counted["companion_memory_most_bytes"] > 1e6


def test_without_a_camera(blind: FlaskClient) -> None:
    assert figures(blind)["companion_camera_ok"] == 0
