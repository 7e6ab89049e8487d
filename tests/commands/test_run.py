"""`companion run` as a person starts it: a process of its own, the virtual table, pages over HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from companion.commands.run import panel_wires
from companion.games.registry import games
from companion.play.journal import open_journal
from companion.play.match_folders import NO_MATCH
from companion.play.table import new_table
from companion.service.address import ConsoleIssue, address, greeting
from companion.service.running_table import running_table
from tests.conftest import BED
from tests.running import settings_of

MOST_MEMORY_BYTES = 200_000_000
STOPS_WITHIN_S = 3.0
PATIENCE_S = 60.0

PHOTOS = Path(__file__).parents[3] / "shared" / "photos" / "bed"


class Running:
    """A companion that runs until the test is over."""

    def __init__(self, home: Path, *words: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        output = ["run", "--host", "127.0.0.1", "--port", str(self.port), *words]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *output],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"COMPANION_HOME": str(home), "PYTHONUNBUFFERED": "1"},
        )

    @property
    def address(self) -> str:
        """What it prints first."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()

    def get(self, path: str) -> Any:
        """A JSON answer of its API."""
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def post(self, path: str, body: object) -> Any:
        """The JSON answer to a request that changes something."""
        asked = Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode())
        asked.add_header("Content-Type", "application/json")
        with urlopen(asked, timeout=10) as answer:
            return json.load(answer)

    def until(self, done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The match as soon as `done` says so of it."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            match: dict[str, Any] = self.get("/api/match")
            if done(match):
                return match
            time.sleep(0.1)
        raise AssertionError(f"not within {PATIENCE_S} s; the match stands at {match['n']}")

    def stop(self) -> float:
        """Ask it to stop; returns how long that took in seconds."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        return time.monotonic() - began


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts a companion with these words of the command line; its home is the test's."""
    running: list[Running] = []

    def begin(*words: str) -> Running:
        running.append(Running(tmp_path / "home", *words))
        assert running[-1].address == f"http://127.0.0.1:{running[-1].port}/"
        return running[-1]

    yield begin
    for each in running:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait()
        assert each.process.stdout is not None
        each.process.stdout.close()


@pytest.mark.slow
def test_the_virtual_table_plays_by_itself_and_stops_when_told(start: Callable[..., Running]) -> None:
    running = start("--camera", "virtual?speed=20")
    # Its people answer what the camera asks, and their answers are moves as well.
    running.until(lambda match: match["n"] >= 4 and match["by"] == "camera")
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    peak_kib = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    assert peak_kib * 1024 < MOST_MEMORY_BYTES
    assert running.stop() < STOPS_WITHIN_S
    assert running.process.returncode == 0


def test_without_a_camera_a_match_is_played_by_taps(start: Callable[..., Running]) -> None:
    running = start("--game", "cat-and-mouse")
    assert running.get("/health") == {"ok": True, "says": "", "camera": "none"}
    assert running.get("/api/table")["camera"] is None
    running.post("/api/moves", {"move": "throw", "dice": [6, 5]})
    assert running.get("/api/match")["n"] == 1
    assert running.stop() < STOPS_WITHIN_S
    assert running.process.returncode == 0
    again = start("--camera", "none")
    assert (again.get("/api/match")["game"], again.get("/api/match")["n"]) == ("cat-and-mouse", 1)


@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted(games()))
def test_every_game_can_be_begun_on_the_virtual_table(start: Callable[..., Running], slug: str) -> None:
    running = start("--camera", "virtual", "--game", slug)
    assert running.get("/api/match")["game"] == slug
    assert running.get("/health")["ok"]


@pytest.mark.slow
def test_after_kill_9_the_same_match_goes_on(start: Callable[..., Running]) -> None:
    running = start("--camera", "virtual?speed=20")
    before = running.until(lambda match: match["n"] >= 3)
    running.process.kill()
    running.process.wait()
    again = start("--camera", "virtual?speed=20")
    match = again.get("/api/match")
    assert match["id"] == before["id"]
    assert match["n"] >= before["n"]
    laid = [(tile["owner"], tile["digit"], tile["row"], tile["col"]) for tile in before["board"]["tiles"]]
    now = [(tile["owner"], tile["digit"], tile["row"], tile["col"]) for tile in match["board"]["tiles"]]
    assert now[: len(laid)] == laid
    goes_on = again.until(lambda later: later["n"] > match["n"])
    assert goes_on["id"] == before["id"]


@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the labelled pictures (../shared/photos) are not here")
def test_a_folder_is_played_to_its_end_and_scores_as_companion_score_says(
    start: Callable[..., Running],
) -> None:
    folder = PHOTOS / "game-1"
    running = start("--camera", f"folder:{folder}", "--game", "this-bed-is-mine")
    match = running.until(lambda match: match["outcome"] is not None)
    output = subprocess.run(
        [sys.executable, "-m", "companion", "score", str(folder), "--json"],
        capture_output=True,
        check=True,
    )
    score = json.loads(output.stdout)
    for key in ("points", "chips", "toy_count", "outcome"):
        assert score[key] == match["board"][key]
    assert [region["points"] for region in score["regions"]] == [
        region["points"] for region in match["board"]["regions"]
    ]


def run_once(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", "run", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env=os.environ | {"COMPANION_HOME": str(home)},
    )


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = run_once(tmp_path, "--camera", "virtual", "--host", "127.0.0.1", "--port", str(port))
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert f"Port {port} is in use" in ran.stderr


@pytest.mark.parametrize(
    ("words", "output"),
    [
        pytest.param(("--camera", "folder:no-such-folder"), "no-such-folder", id="no-folder"),
        pytest.param(("--camera", "periscope"), "periscope", id="no-camera"),
        pytest.param(("--camera", "virtual:haunted"), "haunted", id="no-such-fault"),
        pytest.param(("--camera", "virtual", "--game", "chess"), "no game 'chess'", id="no-game"),
        pytest.param(("--camera", "virtual", "--option", "touch=nose"), "nose", id="no-such-option"),
    ],
)
def test_what_cannot_be_started_is_said_in_one_sentence(
    tmp_path: Path, words: tuple[str, ...], output: str
) -> None:
    ran = run_once(tmp_path, *words)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert output in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = run_once(tmp_path / "file" / "home", "--camera", "virtual")
    assert ran.returncode == 2
    assert "COMPANION_HOME" in ran.stderr


@pytest.mark.parametrize(
    ("host", "output"),
    [
        pytest.param("192.0.2.7", "http://192.0.2.7:8000/", id="an-address"),
        pytest.param("::1", "http://[::1]:8000/", id="ipv6"),
    ],
)
def test_the_greeting_is_an_address_and_its_qr_code(host: str, output: str) -> None:
    first, *drawn, last = greeting(host, 8000).splitlines()
    assert first == output
    assert len(drawn) > 10
    assert "Scan it" in last


def test_where_every_address_is_served_one_is_named() -> None:
    named = greeting("0.0.0.0", 8000).splitlines()[0]
    assert named != "http://0.0.0.0:8000/"


@pytest.mark.slow
def test_a_panel_is_served_on_pins_and_page_and_its_clock_outlives_a_restart(
    start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    words = ("--camera", "virtual?speed=20", "--panel", "standard", "--time-limit", "20")
    running = start(*words)
    running.until(lambda match: match["n"] >= 2)
    panel = running.get("/api/panel")
    assert (panel["wired"], panel["clock"]["reserve_s"], panel["faults"]) == (True, 1200, [])
    assert len(panel["seats"]) == 2
    assert running.stop() < STOPS_WITHIN_S
    again = start(*words).get("/api/panel")
    assert again["match"] == panel["match"]
    for before, now in zip(panel["seats"], again["seats"], strict=True):
        assert now["spent_s"] >= before["spent_s"]


@pytest.mark.slow
def test_a_panel_without_a_gpio_chip_is_said_and_play_goes_on(start: Callable[..., Running]) -> None:
    running = start("--camera", "virtual?speed=20", "--panel", "standard")
    running.until(lambda match: match["n"] >= 1)
    (fault,) = running.get("/api/panel")["faults"]
    assert fault["why"] in ("no-chip", "no-gpiozero")


def test_a_panels_file_that_cannot_be_used_is_said_before_anything_starts(tmp_path: Path) -> None:
    ran = run_once(tmp_path, "--camera", "virtual", "--panel", str(tmp_path / "none.toml"))
    assert ran.returncode == 2
    assert "none.toml" in ran.stderr


@pytest.mark.parametrize(
    ("output", "kept", "wired"),
    [
        pytest.param(None, False, False, id="nothing-told"),
        pytest.param(None, True, True, id="a-file-where-games-are-kept"),
        pytest.param("off", True, False, id="off"),
        pytest.param("standard", False, True, id="standard"),
    ],
)
def test_the_panels_wires(
    output: str | None, kept: bool, wired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    if kept:
        (tmp_path / "panel.toml").write_text("seats = 3\n", "utf-8")
    wires = panel_wires(output)
    assert (wires is not None) == wired
    if wires is not None:
        assert wires.wiring.seats == (3 if kept else 2)


def test_the_usual_port_of_the_web_is_not_named() -> None:
    assert address("192.0.2.7", 80) == "http://192.0.2.7/"


def test_without_a_network_the_machine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(self: socket.socket, address: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    assert address("0.0.0.0", 80) == f"http://{socket.gethostname().partition('.')[0]}.local/"


def test_with_one_the_address_in_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda self, address: None)
    monkeypatch.setattr(socket.socket, "getsockname", lambda self: ("192.168.1.7", 43210))
    assert address("0.0.0.0", 80) == "http://192.168.1.7/"


def test_a_screen_shows_the_address_and_follows_it(tmp_path: Path) -> None:
    shown = tmp_path / "run" / "console.issue"
    console = ConsoleIssue(tmp_path / "run", "192.0.2.7", 80)
    console.update()
    assert shown.read_text("utf-8").startswith("Table Companion: http://192.0.2.7/\n")
    shown.unlink()
    console.update()
    assert not shown.exists(), "nothing has changed: nothing is written"


def test_a_screen_that_cannot_be_told_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ConsoleIssue(tmp_path / "file", "192.0.2.7", 80).update()


@pytest.mark.parametrize(
    ("journal", "stay"), [("journal", 0), ("virtual", 3)], ids=["the real table", "the virtual table"]
)
def test_at_its_start_it_deletes_what_belonged_to_matches_that_are_gone_from_this_journal(
    home: Path, journal: str, stay: int
) -> None:
    """The virtual table, which has a journal of its own, leaves what belongs to real matches alone."""
    a_month_ago_s = time.time() - 31 * 86_400
    folders = [home / name / "7-20260101" for name in ("journal.pictures", "photos", "journal.reviews")]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / NO_MATCH).touch()
        os.utime(folder / NO_MATCH, (a_month_ago_s, a_month_ago_s))
    table = new_table(open_journal(journal), BED, {})
    running = running_table(table, None, "none", None, settings_of(table), lambda *_: None)
    table.journal.close()
    assert running.photos is not None
    running.photos.stop()
    assert sum(folder.exists() for folder in folders) == stay
