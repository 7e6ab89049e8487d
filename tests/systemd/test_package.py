"""The Debian package: its version and needs are the project's."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import companion
from companion.cli import COMMANDS
from companion.commands import sd_card
from tests.project import sources

CONTROL = sources.read(Path("systemd/debian/control"))
PROJECT = tomllib.loads(sources.read(Path("pyproject.toml")))["project"]
TRIXIE = {
    "click": "8.1.8",
    "flask": "3.1.1",
    "imagesize": "1.4.1",
    "msgspec": "0.19.0",
    "networkx": "3.2.1",
    "numpy": "2.2.4",
    "paho-mqtt": "2.1.0",
    "reportlab": "4.3.1",
    "segno": "1.6.6",
    "waitress": "3.0.2",
}
"""The versions in Debian trixie, which has gpiozero only without a Pi 5, and no OpenCV without windows."""


def names(lines: list[str]) -> set[str]:
    """The packages that lines of pyproject.toml ask for."""
    return {re.split(r"[<>=; ]", line)[0] for line in lines}


def field(name: str) -> str:
    """A field of the package, with its further lines."""
    found = re.search(rf"^{name}: (.*(?:\n .*)*)", CONTROL, re.MULTILINE)
    assert found
    return found[1]


def test_the_package_is_of_this_version() -> None:
    newest = sources.read(Path("systemd/debian/changelog")).partition("\n")[0]
    assert newest.startswith(f"table-companion ({companion.__version__}) ")


def test_what_the_program_needs_comes_from_debian_but_for_opencv() -> None:
    needed = names(PROJECT["dependencies"]) - {"opencv-python-headless"}
    assert {f"python3-{name}" for name in needed} <= set(re.findall(r"python3-\w+", field("Depends")))
    extras = set().union(
        *(names(PROJECT["optional-dependencies"][key]) for key in ("print", "mqtt", "hall", "pi"))
    )
    assert all(f"python3-{name}" in field("Recommends") + field("Suggests") for name in extras)


def test_the_versions_of_debian_trixie_are_taken() -> None:
    extras = (line for lines in PROJECT["optional-dependencies"].values() for line in lines)
    for line in (*PROJECT["dependencies"], *extras):
        asked = Requirement(line)
        assert asked.name not in TRIXIE or asked.specifier.contains(TRIXIE[asked.name]), line


@pytest.mark.parametrize("file", ["docs/on-a-pi.md", "systemd/debian/for-card"])
def test_no_windows_come_with_the_camera(file: str) -> None:
    assert f"_arm64.deb {sd_card.NO_WINDOWS}" in sources.read(Path(file))
    assert f"table-companion {sd_card.NO_WINDOWS}" in sd_card.FIRST_START


def test_opencv_is_pinned_to_wheels_that_the_project_takes() -> None:
    pinned = sources.read(Path("systemd/debian/opencv.txt"))
    (asked,) = (Requirement(line) for line in PROJECT["dependencies"] if line.startswith("opencv"))
    found = re.search(rf"^{asked.name}==(\S+) ", pinned, re.MULTILINE)
    assert found
    assert asked.specifier.contains(found[1])
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", pinned)) == 2, "for arm64 and amd64"


@pytest.mark.parametrize(
    "script", ["preinst", "postinst", "prerm", "postrm", "package", "repository", "for-card"]
)
def test_its_scripts_can_be_read_by_their_shell(script: str) -> None:
    path = sources.ROOT / "systemd" / "debian" / script
    subprocess.run(["sh", "-n", str(path)], check=True)
    assert path.stat().st_mode & 0o111


def test_the_man_page_names_every_command() -> None:
    command = [sys.executable, "systemd/debian/man_page.py"]
    page = subprocess.run(
        command, cwd=sources.ROOT, env={"PYTHONPATH": "."}, capture_output=True, text=True, check=True
    )
    named = page.stdout.replace("\\-", "-")
    assert all(f"\n.B {name}\n" in named for name in COMMANDS)


def test_what_changed_fits_into_a_field_of_the_package(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## Next\n\n- **One**\n  line.\n" + "- More.\n" * 999)
    command = [sys.executable, sources.ROOT / "systemd/debian/changes.py"]
    text = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert text.startswith("- One line.\n- More.\n")
    assert text.endswith("- More.\n- …\n")
    assert len(text) < 5000, "lintian's limit"


def test_the_installer_of_before_is_taken_off_and_the_options_stay(tmp_path: Path) -> None:
    old, options = (
        tmp_path / "opt/table-companion/current/systemd/uninstall",
        tmp_path / "etc/default/table-companion",
    )
    for path in (old, options):
        path.parent.mkdir(parents=True)
    old.write_text(f'rm -rf {tmp_path}/opt {options}; echo "games: ${{GAMES:-keep}}"\n')
    options.write_text('COMPANION_ARGS="--port 8080"\n')

    def runs(script: str, action: str) -> str:
        text = sources.read(Path("systemd/debian") / script)
        moved = re.sub(r"/(opt|var|etc)/", rf"{tmp_path}/\1/", text)
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GAMES": "delete"}
        command = ["sh", "-c", moved, script, action]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert runs("preinst", "install") == "games: keep\n"
    assert not old.exists()
    options.write_text('COMPANION_ARGS=""\n')
    runs("postinst", "abort-upgrade")
    assert options.read_text() == 'COMPANION_ARGS="--port 8080"\n'
    assert [path.name for path in options.parent.iterdir()] == [options.name]
    assert runs("preinst", "upgrade") == "", "the next version finds nothing of it"
