"""The end of a first start from a card: its settings are the table's own, and its secrets are gone."""

from __future__ import annotations

import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from companion.commands import sd_card
from tests.project import sources


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """A card's boot partition."""
    (tmp_path / "network-config").write_text("secret")
    return tmp_path


def first_start(boot: Path) -> None:
    """The first start, on a machine without systemd."""
    tools = boot / "tools"
    tools.mkdir()
    # Whoever runs the tests has no such user: what it would write lies beside the tools.
    (tools / "systemctl").write_text("#!/bin/sh\n")
    (tools / "setpriv").write_text(f'#!/bin/sh\necho "$@" >{tools}/asked\ncat >{tools}/written\n')
    for name in ("systemctl", "setpriv"):
        (tools / name).chmod(0o755)
    subprocess.run(
        ["sh", sources.ROOT / "systemd" / "first-start", boot],
        env={"PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
        check=True,
    )


def test_the_wifi_password_is_taken_off_the_card(boot: Path) -> None:
    first_start(boot)
    assert not (boot / "network-config").exists()


def test_the_settings_on_the_card_become_the_tables_own(boot: Path) -> None:
    (boot / "settings.toml").write_text('broker = "mqtt://192.168.1.10"\n')
    first_start(boot)
    assert (boot / "tools" / "written").read_text() == 'broker = "mqtt://192.168.1.10"\n'
    asked = (boot / "tools" / "asked").read_text()
    assert "--reuid=table-companion" in asked
    assert "umask 077" in asked
    assert asked.endswith(" /var/lib/table-companion/settings.toml\n")
    assert not (boot / "settings.toml").exists(), "any computer can read what is on this partition"


def test_the_unit_installs_until_it_works_and_is_gone_then() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read_string(sd_card.FIRST_START.replace("\\\n", " "))
    assert unit["Service"]["ExecStart"] == "/usr/lib/table-companion/first-start"
    assert unit["Service"]["Restart"] == "on-failure"
    assert unit["Unit"]["RequiresMountsFor"] == sd_card.BOOT
    assert f"rm -f {sd_card.UNIT_FILE}\n" in sources.read(Path("systemd/first-start"))
