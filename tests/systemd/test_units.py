"""The units that systemd reads: shut in as far as they can be, and true to what the code does."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion import paths
from companion.service import address, updates
from tests.project import sources

UNITS = sources.ROOT / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
MOST_EXPOSED = 2.5
"""Of 10, by systemd's own reckoning."""
NO_ANALYZE = "systemd-analyze is not here (apt install systemd)"


class Unit(ConfigParser):
    """A unit file; keys keep their letters, and one that stands twice keeps both."""

    def __init__(self, name: str) -> None:
        super().__init__(strict=False, interpolation=None)
        self.text = (UNITS / name).read_text("utf-8")
        self.read_string(self.text)

    def optionxform(self, optionstr: str) -> str:
        return optionstr

    def all(self, key: str) -> list[str]:
        """Every value of a key."""
        return re.findall(rf"^{key}=(.*)$", self.text, re.MULTILINE)


@pytest.fixture
def service() -> dict[str, str]:
    """What the service is told."""
    return dict(Unit("table-companion.service")["Service"])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason=NO_ANALYZE)
@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.name)
def test_a_service_is_shut_in(unit: Path) -> None:
    ran = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    )
    output = re.search(r"Overall exposure level for \S+: ([\d.]+)", ran.stdout)
    assert output, ran.stdout
    assert float(output[1]) <= MOST_EXPOSED


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason=NO_ANALYZE)
def test_systemd_understands_every_line() -> None:
    units = map(str, sorted([*SERVICES, *UNITS.glob("*.timer")]))
    ran = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    others = [line for line in ran.stderr.splitlines() if "is not executable" not in line]
    assert not [line for line in others if "table-companion" in line]


def test_the_service_is_watched_and_not_begun_anew_for_ever(service: dict[str, str]) -> None:
    assert (service["Type"], service["Restart"]) == ("notify", "on-failure")
    assert int(service["WatchdogSec"]) >= 30
    unit = Unit("table-companion.service")["Unit"]
    assert (unit["StartLimitBurst"], unit["StartLimitIntervalSec"]) == ("5", "300")


def test_the_service_has_a_user_and_places_of_its_own(service: dict[str, str]) -> None:
    assert (service["User"], service["SupplementaryGroups"]) == ("table-companion", "gpio video")
    assert service["StateDirectory"] == service["RuntimeDirectory"] == "table-companion"
    assert "LG_WD=%t/table-companion" in Unit("table-companion.service").all("Environment")
    assert (service["ProtectSystem"], service["NoNewPrivileges"]) == ("strict", "yes")


def test_only_cameras_and_pins_may_be_opened(service: dict[str, str]) -> None:
    assert service["DevicePolicy"] == "closed"
    assert set(Unit("table-companion.service").all("DeviceAllow")) == {
        f"char-{kind} rw" for kind in ("video4linux", "media", "dma_heap", "gpiochip")
    }


def test_only_what_a_service_needs_may_be_asked_of_the_kernel(service: dict[str, str]) -> None:
    assert Unit("table-companion.service").all("SystemCallFilter") == [
        "@system-service",
        "~@privileged @resources",
    ]
    assert service["MemoryDenyWriteExecute"] == "yes"


def test_what_is_known_of_the_machine_can_still_be_read(service: dict[str, str]) -> None:
    # Which Pi it is stands in /proc/device-tree, which ProcSubset=pid would hide.
    assert "ProcSubset" not in service


def test_a_fault_in_it_leaves_the_machine_usable(service: dict[str, str]) -> None:
    assert 0 < int(service["MemoryMax"].removesuffix("%")) < 100
    # Forty threads answer phones; cameras, OpenCV and the panel have some more.
    assert 100 <= int(service["TasksMax"]) <= 512
    backup = Unit("table-companion-backup.service")["Service"]
    assert {"MemoryMax", "TasksMax"} <= backup.keys()


def test_what_it_writes_is_for_its_own_user(service: dict[str, str]) -> None:
    assert service["UMask"] == "0077"


def test_every_unit_starts_what_the_package_puts_there() -> None:
    assert "private := $(package)/usr/lib/table-companion" in sources.read(Path("systemd/debian/rules"))
    for unit in SERVICES:
        assert Unit(unit.name)["Service"]["ExecStart"].startswith("/usr/bin/python3 -sP -m companion")
        assert "PYTHONPATH=/usr/lib/table-companion" in Unit(unit.name).all("Environment")


def test_the_screen_shows_what_the_companion_writes() -> None:
    output = (UNITS / "table-companion.tmpfiles").read_text("utf-8")
    assert f"/run/table-companion/{address.CONSOLE}" in output


def test_the_network_is_told_of_the_port_that_is_served(service: dict[str, str]) -> None:
    tree = ElementTree.parse(UNITS / "table-companion.avahi")
    assert f"--port {tree.findtext('service/port')} " in service["ExecStart"]


def test_the_network_is_told_of_a_port_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [line] = [each for each in Unit("table-companion.service").all("ExecStartPost") if "tell-network" in each]
    prefix, _, script = line.split()[0].partition("/usr/lib/table-companion/")
    assert prefix == "-+", "as root, and a network that cannot be told stops nothing"
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    for port in (8123, 80):
        paths.tell_running(port)
        subprocess.run([UNITS / script, tmp_path / paths.RUNNING, tmp_path], check=True, umask=0o077)
        tree = ElementTree.parse(tmp_path / "table-companion.service")
        assert tree.findtext("service/port") == str(port)
    assert {path.name for path in tmp_path.iterdir()} == {paths.RUNNING, "table-companion.service"}
    assert (tmp_path / "table-companion.service").stat().st_mode & 0o777 == 0o644, "avahi's user reads it"


def test_the_backup_is_made_every_night() -> None:
    timer = Unit("table-companion-backup.timer")["Timer"]
    assert timer["OnCalendar"] == "*-*-* 04:00:00"
    assert timer["Persistent"] == "yes"
    backup = Unit("table-companion-backup.service")["Service"]
    assert backup["ExecStart"].endswith(" -m companion.play.backup")


def test_the_repository_is_asked_every_day_and_only_where_there_is_one() -> None:
    assert Unit("table-companion-updates.timer")["Timer"]["OnCalendar"] == "daily"
    asks = Unit("table-companion-updates.service")
    assert asks["Service"]["ExecStart"].endswith(" -m companion.service.updates %C/table-companion")
    assert asks["Service"]["User"] == "table-companion"
    assert asks["Unit"]["ConditionPathExists"] == updates.SOURCES


@pytest.mark.parametrize("script", ["companion", "first-start", "tell-network"])
def test_the_scripts_can_be_read_by_their_shell(script: str) -> None:
    path = UNITS / script
    shell = path.read_text("utf-8").partition("\n")[0].split("/")[-1].split()[-1]
    subprocess.run([shell, "-n", str(path)], check=True)
    assert path.stat().st_mode & 0o111
