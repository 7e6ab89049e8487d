"""The wheel holds all that the product needs, and runs where nothing else of the project is."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.project import sources

LARGEST_WHEEL_BYTES = 7_500_000
"""The wheel of today is 7.2 MB, 6.2 of them the networks' weights."""
PATIENCE_S = 180.0
"""How long a start may take on a busy machine."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, with what the compiler made where there is one."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=sources.ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in an environment of its own, as `pipx install` makes it."""
    venv = tmp_path_factory.mktemp("pipx") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    # What the companion needs is lent from here, so that the test needs no internet; the companion is not.
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--python", str(venv), "install", "--no-deps", "--no-index", "-q"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel)], check=True, env=plain_environment())
    return venv / "bin" / "companion"


def plain_environment(home: Path | None = None) -> dict[str, str]:
    """The environment without what a checkout sets."""
    left = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    return left | ({} if home is None else {"COMPANION_HOME": str(home)})


def test_it_holds_all_that_the_product_needs(wheel: Path) -> None:
    assert not [name for name in ZipFile(wheel).namelist() if "lab/" in name or "torch" in name]
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = (path for package in sources.PACKAGES for path in (sources.ROOT / package).rglob("*"))
    ours = {path.relative_to(sources.ROOT) for path in files if path.is_file()}
    needed = {path.as_posix() for path in ours if not {"tests", "__pycache__"} & set(path.parts)}
    assert packed == needed
    assert wheel.stat().st_size < LARGEST_WHEEL_BYTES


@pytest.fixture
def address(installed: Path, tmp_path: Path) -> Iterator[str]:
    """A companion that runs from the wheel."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = subprocess.Popen(
        [str(installed), "run", "--camera", "none", "--host", "127.0.0.1", "--port", str(port)],
        cwd=tmp_path,
        env=plain_environment(tmp_path / "home"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield f"http://127.0.0.1:{port}"
    running.terminate()
    running.wait(PATIENCE_S)


def test_it_runs_without_a_checkout(address: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            health = json.load(urlopen(f"{address}/health", timeout=10))
            break
        except (URLError, ConnectionError, TimeoutError):
            assert time.monotonic() < until, "it never answered"
            time.sleep(0.2)
    assert health["ok"]
    assert b"Table Companion" in urlopen(f"{address}/", timeout=60).read()


def test_it_says_that_the_lab_stays_in_the_checkout(installed: Path, tmp_path: Path) -> None:
    ran = subprocess.run(
        [str(installed), "bench"], cwd=tmp_path, env=plain_environment(), capture_output=True, text=True
    )
    assert ran.returncode == 2
    assert ran.stderr == "Error: companion bench is for developers: run it in a checkout of the project.\n"


@pytest.mark.slow
def test_it_writes_a_card_without_a_checkout(installed: Path, tmp_path: Path) -> None:
    command = [str(installed), "sd-card", "--name", "table", "-o", str(tmp_path / "card")]
    subprocess.run(command, cwd=tmp_path, env=plain_environment(tmp_path / "home"), check=True)
    assert (tmp_path / "card" / "user-data").is_file()
