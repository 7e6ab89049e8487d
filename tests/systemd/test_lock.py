"""The packages that the installer takes are pinned with their hashes, and are those of pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from tests.project import sources

PROJECT = tomllib.loads(sources.read(Path("pyproject.toml")))
EXTRAS = PROJECT["project"]["optional-dependencies"]
ASKED = [
    *PROJECT["project"]["dependencies"],
    *EXTRAS["print"],
    *EXTRAS["pi"],
    *EXTRAS["mqtt"],
    *PROJECT["build-system"]["requires"],
    "pip",  # a Pi without the internet may have none
]
LOCK = sources.read(Path("systemd/requirements.lock"))
INSTALLER = sources.read(Path("systemd/install"))
TARGETS = [(python, machine) for python in ("3.11", "3.13") for machine in ("aarch64", "x86_64")]


def locked(python: str, machine: str) -> dict[str, str]:
    """Name and version of each package for a Python on a machine."""
    environment = default_environment() | {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": machine,
        "sys_platform": "linux",
        "extra": "",
    }
    pins = {}
    for line in re.findall(r"^(?!#| )(.+?) \\$", LOCK, re.MULTILINE):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            assert requirement.name not in pins, line
            [pin] = requirement.specifier
            assert pin.operator == "=="
            pins[requirement.name] = pin.version
    return pins


@pytest.mark.parametrize(("python", "machine"), TARGETS)
def test_each_package_that_is_asked_for_is_pinned(python: str, machine: str) -> None:
    pins = locked(python, machine)
    environment = {"python_version": python, "python_full_version": f"{python}.2", "extra": ""}
    for line in ASKED:
        asked = Requirement(line)
        if asked.marker is None or asked.marker.evaluate(environment):
            assert asked.specifier.contains(pins[asked.name]), f"make lock ({line})"


def test_each_pin_has_hashes() -> None:
    for block in re.split(r"\n(?=[^ #])", LOCK)[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block.partition("\n")[0]


def test_the_installer_takes_these_and_nothing_else() -> None:
    installs = re.findall(r'"\$\{pip\[@\]\}" (.*)', INSTALLER)
    assert [line.removesuffix(" 2>/dev/null; } ||") for line in installs] == [
        '--no-index "${here[@]}" "${locked[@]}"',
        '"${here[@]}" "${locked[@]}"',
        '--no-deps --no-build-isolation --no-index "$itself"',
    ]
    assert "locked=(--require-hashes --only-binary :all: -r systemd/requirements.lock)" in INSTALLER
    assert INSTALLER.count("-m pip") == 1
