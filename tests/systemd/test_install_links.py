"""The installer is root, and the service's user may put links where games are kept: it follows none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import sources

INSTALLER = sources.read(Path("systemd/install")).replace("\\\n", " ")
HELPERS = re.findall(r"^(?:as_service|say|give_up)\(\) \{.*?\}$", INSTALLER, re.MULTILINE | re.DOTALL)
FUNCTIONS = INSTALLER.partition("# --- from apt")[2].partition("\n")[2].partition("# --- all of it")[0]
NOBODY = 65534

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can follow a link that it should not")


class Machine:
    """A machine with games, on which single functions of the installer run; the service's user is nobody."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.folder, self.state, self.log = folder, folder / "state", folder / "log"
        (self.state / "backups").mkdir(parents=True)
        (self.state / "journal.sqlite").write_bytes(b"games")
        self.log.touch()
        self.log.chmod(0o666)
        for path in (self.state, self.state / "backups", self.state / "journal.sqlite"):
            os.chown(path, NOBODY, NOBODY)
        tools = folder / "tools"
        tools.mkdir()
        setpriv = tools / "setpriv"
        setpriv.write_text(
            f'#!/bin/sh\necho "$@" >>{self.log}\n'
            'while [ "${1#--}" != "$1" ]; do shift; done\n'
            f'exec /usr/bin/setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups "$@"\n'
        )
        setpriv.chmod(0o755)
        # Whatever root would do for the service's user, it does for nobody here.
        for name in ("chown", "install"):
            tool = tools / name
            tool.write_text(
                f'#!/bin/sh\nexec /usr/bin/{name} $(echo "$@" | sed s/table-companion/{NOBODY}/g)\n'
            )
            tool.chmod(0o755)
        self.tools = tools
        self.program = folder / "release" / "venv" / "bin" / "python"
        self.program.parent.mkdir(parents=True)
        self.program.write_text(f'#!/bin/sh\necho "$PWD $COMPANION_HOME $@" >>{self.log}\n')
        self.program.chmod(0o755)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run one function of the installer in the folder of a new checkout."""
        script = "\n".join(
            [
                "set -euo pipefail",
                f"state={self.state} run={self.state} opt={self.folder}",
                *HELPERS,
                FUNCTIONS,
            ]
        )
        return subprocess.run(
            ["bash", "-c", f"{script}\n{command}"],
            cwd=sources.ROOT,
            env={"PATH": f"{self.tools}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine that others may look into, as /var/lib is."""
    folder = tmp_path_factory.mktemp("machine")
    for each in (folder, *folder.parents):
        if each.stat().st_uid == os.getuid() and each != Path("/"):
            each.chmod(each.stat().st_mode | 0o011)
    return Machine(folder)


@as_root
def test_the_backup_before_an_update_is_made_by_the_release_that_runs_as_the_services_user(
    machine: Machine,
) -> None:
    assert machine.run(f"keep_games_aside {machine.folder}/release").returncode == 0
    user, ran = machine.log.read_text().splitlines()
    assert "--reuid=table-companion --regid=table-companion --init-groups --no-new-privs" in user
    assert ran == f"/ {machine.state} -I -m companion.play.backup before-update"


def test_python_takes_no_module_from_the_folder_that_it_is_started_in(tmp_path: Path) -> None:
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "__init__.py").write_text("raise SystemExit(99)")
    for flags, status in (([], 99), (["-I"], 0)):
        code = "import importlib.util as u; u.find_spec('companion') and __import__('companion')"
        ran = subprocess.run([sys.executable, *flags, "-c", code], cwd=tmp_path, check=False, env={})
        assert ran.returncode == status or status == 0, flags


@as_root
def test_a_link_in_place_of_the_backups_changes_nothing_elsewhere(machine: Machine) -> None:
    elsewhere = machine.folder / "etc"
    elsewhere.mkdir()
    (machine.state / "backups").rmdir()
    (machine.state / "backups").symlink_to(elsewhere)
    machine.run(f"keep_games_aside {machine.folder}/release")
    assert (elsewhere.stat().st_uid, list(elsewhere.iterdir())) == (0, [])


@as_root
def test_a_link_in_place_of_the_backup_shows_no_secret(machine: Machine) -> None:
    secret = machine.folder / "shadow"
    secret.write_text("root's secret")
    secret.chmod(0o600)
    (machine.state / "backups" / "before-update.sqlite").symlink_to(secret)
    # As if the two were of different versions, so that the games are put back.
    machine.run("version_of() { echo $RANDOM$1; }\ngames_as_before")
    assert (machine.state / "journal.sqlite").read_text() == "games"


@as_root
def test_a_link_in_place_of_the_journal_overwrites_nothing(machine: Machine) -> None:
    victim = machine.folder / "passwd"
    victim.write_text("root's file")
    (machine.state / "journal.sqlite").unlink()
    (machine.state / "journal.sqlite").symlink_to(victim)
    backup = machine.state / "backups" / "before-update.sqlite"
    backup.write_text("games")
    os.chown(backup, NOBODY, NOBODY)
    machine.run("version_of() { echo $RANDOM$1; }\ngames_as_before")
    assert victim.read_text() == "root's file"
    assert (machine.state / "journal.sqlite").read_text() == "games"


def test_root_touches_nothing_that_the_service_may_write() -> None:
    touched = re.compile(r'"\$(?:state|run|journal|aside)\b')
    harmless = re.compile(r"as_service|COMPANION_HOME=|^\s*(?:\[|local) |\[ -e ")
    lines = [line for line in INSTALLER.splitlines() if touched.search(line) and not line.startswith("#")]
    assert len(lines) > 5
    assert [line for line in lines if not harmless.search(line)] == []


def test_the_installed_command_is_run_as_the_services_user() -> None:
    wrapper = sources.read(Path("systemd/companion"))
    assert "setpriv --reuid=table-companion" in wrapper
    assert '"${1:-}" != doctor' in wrapper
