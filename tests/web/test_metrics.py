"""Figures for Prometheus."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import machine
from companion.games.watching import Verdict
from companion.play.table import Table
from companion.service.camera_status import Histogram
from tests.conftest import OPENING
from tests.running import state_of
from tests.web.conftest import ScriptedCamera
from web.metrics import Figure, as_text

LINE = re.compile(r'table_companion_[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? -?\d+(\.\d+)?(e[+-]?\d+)?')


def figures(client: FlaskClient) -> dict[str, float]:
    """Each figure by its name and labels, without the beginning that all names share."""
    lines = [line for line in client.get("/metrics").text.splitlines() if not line.startswith("#")]
    assert all(LINE.fullmatch(line) for line in lines)
    parted = (line.removeprefix("table_companion_").rpartition(" ") for line in lines)
    return {name: float(value) for name, _, value in parted}


def test_the_text_is_in_prometheus_format(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    names = re.findall(r"^# TYPE (\S+) (?:gauge|counter|histogram)$", answer.text, re.MULTILINE)
    assert len(names) == len(set(names)) == answer.text.count("# HELP")
    assert answer.text.endswith("\n")


def test_what_happens_is_counted(client: FlaskClient) -> None:
    client.post("/api/moves", json=OPENING[0])
    client.post("/api/moves", json=OPENING[0])
    counted = figures(client)
    assert counted["moves_tapped_total"] == 1
    assert counted['entries_total{source="phone"}'] == 1
    assert counted['refusals_total{status="409"}'] == 1
    assert counted['match_number{game="this-bed-is-mine"}'] == 1
    assert counted["match_moves"] == 1
    assert counted["camera_ok"] == 1
    assert counted["broker_queue"] == 0


def test_an_undo_is_an_entry_too_and_a_match_that_is_brought_back_is_none(table: Table) -> None:
    table.play(OPENING[0], "phone")
    table.undo("panel")
    table.begin("cat-and-mouse", {})
    table.resume(1)
    assert table.entries_by_source == {"phone": 1, "panel": 1}


def test_what_the_camera_reads_is_counted_by_outcome_and_stage(
    client: FlaskClient, camera: ScriptedCamera
) -> None:
    camera.counted.pictures += 2
    camera.counted.count_stages({"squares": 4.0})
    camera.counted.count_stages({"squares": 300.0})
    camera.counted.outcomes[Verdict.ASK] += 1
    counted = figures(client)
    assert counted["pictures_read_total"] == 2
    assert counted['readings_total{outcome="ask"}'] == 1
    assert counted['readings_total{outcome="play"}'] == 0
    assert counted['reading_stage_seconds_bucket{stage="squares",le="0.005"}'] == 1
    assert counted['reading_stage_seconds_bucket{stage="squares",le="+Inf"}'] == 2
    assert counted['reading_stage_seconds_sum{stage="squares"}'] == pytest.approx(0.304)


def test_the_machine_is_measured(client: FlaskClient, tmp_path: Path) -> None:
    thermal = tmp_path / "temp"
    thermal.write_text("48312\n", "ascii")
    assert machine.temperature_c(thermal) == 48.312
    counted = figures(client)
    assert counted["memory_peak_bytes"] > 1e6
    assert 0 <= counted["disk_free_bytes"] <= counted["disk_size_bytes"]


def test_a_machine_that_says_nothing_of_itself_has_no_figure_for_it(tmp_path: Path) -> None:
    assert machine.temperature_c(tmp_path / "nothing") is None
    assert machine.disk(tmp_path / "nothing") is None


def test_without_a_camera(blind: FlaskClient) -> None:
    counted = figures(blind)
    assert counted["camera_ok"] == counted["pictures_read_total"] == 0


def test_what_could_not_be_counted_hides_no_other_figure(app: Flask, client: FlaskClient) -> None:
    state_of(app).broker = SimpleNamespace(unsent=lambda: None, state="connected")
    counted = figures(client)
    assert "broker_queue" not in counted
    assert counted["camera_ok"] == 1


def test_a_bucket_counts_what_is_at_most_its_bound() -> None:
    histogram = Histogram()
    for duration_s in (0.001, 0.0011, 9.0):
        histogram.add(duration_s)
    buckets = {labels.get("le", end): value for end, labels, value in histogram.samples()}
    assert (buckets["0.001"], buckets["0.0025"], buckets["2.5"], buckets["+Inf"]) == (1, 2, 2, 3)


def test_a_label_may_hold_any_text() -> None:
    text = as_text([Figure("moves", "gauge", "Moves", 1, {"game": 'a "b"\\\n'})])
    assert text.splitlines()[-1] == r'table_companion_moves{game="a \"b\"\\\n"} 1.0'


def test_a_figure_in_bytes_says_no_other_unit(client: FlaskClient) -> None:
    helps = [line for line in client.get("/metrics").text.splitlines() if line.startswith("# HELP")]
    assert any("disk_free_bytes" in line for line in helps)
    assert not any("MiB" in line for line in helps)
