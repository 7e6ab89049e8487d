"""Nothing in the tree belongs to one machine, or is left for later."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import companion
from tests.project import sources

HERE = Path("tests/project/test_tree.py")
OF_ONE_MACHINE = re.compile(r"/(?:work|root|home|Users)/\w")
LEFT_FOR_LATER = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
SHARED = "../shared"
LARGEST_WHEEL_BYTES = 2_500_000
"""The wheel of today is 2.0 MB, 1.4 of them the networks' weights."""
TEXTS = [path for path in sources.texts() if path != HERE]


@pytest.mark.parametrize("path", TEXTS, ids=str)
def test_no_text_names_a_place_of_one_machine(path: Path) -> None:
    assert not OF_ONE_MACHINE.findall(sources.read(path))


@pytest.mark.parametrize("path", TEXTS, ids=str)
def test_nothing_is_left_for_later(path: Path) -> None:
    assert not LEFT_FOR_LATER.findall(sources.read(path))


def test_the_product_does_not_know_the_photos_that_tests_use() -> None:
    knowing = [path for path in sources.modules() if SHARED in sources.read(path)]
    assert not knowing


def test_the_changelog_begins_with_this_version() -> None:
    versions = re.findall(r"^## (\S+)", sources.read(Path("CHANGELOG.md")), re.MULTILINE)
    assert versions[0] == companion.__version__
    assert len(versions) == len(set(versions))


@pytest.mark.slow
def test_the_wheel_holds_all_that_the_product_needs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=sources.ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert not [name for name in ZipFile(wheel).namelist() if "training" in name or "torch" in name]
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = (path for package in sources.PACKAGES for path in (sources.ROOT / package).rglob("*"))
    needed = {
        path.relative_to(sources.ROOT).as_posix()
        for path in ours
        if path.is_file() and not {"tests", "training", "__pycache__"} & set(path.parts)
    }
    assert packed == needed
    assert wheel.stat().st_size < LARGEST_WHEEL_BYTES
