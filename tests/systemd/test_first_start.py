"""The first start from a card installs what `companion sd-card` wrote, and nothing that has changed since."""

from __future__ import annotations

import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from companion.commands import sd_card
from companion.commands.card_program import write_program
from tests.project import sources

UNIT = "systemd/table-companion.first-start"


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """A card's boot partition, whose installer only says that it ran."""
    program = tmp_path / "boot" / "table-companion"
    write_program(program)
    installer = program / "systemd" / "install"
    sums = (program / "SHA256SUMS").read_text().splitlines(keepends=True)
    installer.write_text("echo installed\n")
    (program / "SHA256SUMS").write_text("".join(line for line in sums if not line.endswith("/install\n")))
    (program.parent / "network-config").write_text("secret")
    return program.parent


def first_start(boot: Path) -> subprocess.CompletedProcess[str]:
    """The first start, on a machine without systemd."""
    tools = boot / "tools"
    tools.mkdir(exist_ok=True)
    # Whoever runs the tests has no such user: what it would write lies beside the tools.
    (tools / "systemctl").write_text("#!/bin/sh\n")
    (tools / "setpriv").write_text(f'#!/bin/sh\necho "$@" >{tools}/asked\ncat >{tools}/written\n')
    for each in ("systemctl", "setpriv"):
        (tools / each).chmod(0o755)
    return subprocess.run(
        ["bash", str(boot / "table-companion" / "systemd" / "first-start")],
        env={"PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_installs_and_takes_the_wifi_password_off_the_card(boot: Path) -> None:
    ran = first_start(boot)
    assert (ran.returncode, ran.stdout) == (0, "installed\n")
    assert not (boot / "network-config").exists()


def test_the_settings_on_the_card_become_the_tables_own(boot: Path) -> None:
    (boot / "settings.toml").write_text('broker = "mqtt://192.168.1.10"\n')
    assert first_start(boot).returncode == 0
    assert (boot / "tools" / "written").read_text() == 'broker = "mqtt://192.168.1.10"\n'
    asked = (boot / "tools" / "asked").read_text()
    assert "--reuid=table-companion" in asked
    assert "umask 077" in asked
    assert asked.endswith(" /var/lib/table-companion/settings.toml\n")
    assert not (boot / "settings.toml").exists(), "any computer can read what is on this partition"


def test_a_damaged_file_is_not_installed(boot: Path) -> None:
    (wheel,) = boot.glob("table-companion/wheels/*.whl")
    wheel.write_bytes(wheel.read_bytes()[:-1])
    ran = first_start(boot)
    assert ran.returncode == 1
    assert f"wheels/{wheel.name}: FAILED" in ran.stderr
    assert "installed" not in ran.stdout
    assert "copy the folder table-companion onto it again" in ran.stderr
    assert (boot / "network-config").exists(), "it may be needed for another try"


def test_the_unit_starts_what_the_card_holds_until_it_works() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read_string(sources.read(Path(UNIT)))
    assert unit["Service"]["ExecStart"] == f"/bin/bash {sd_card.PROGRAM}/systemd/first-start"
    assert unit["Service"]["Restart"] == "on-failure"
    assert unit["Unit"]["RequiresMountsFor"] == sd_card.BOOT
    assert f"{sd_card.PROGRAM}/{UNIT}" == sd_card.FIRST_START
    assert sd_card.UNIT in sources.read(Path("systemd/first-start"))
