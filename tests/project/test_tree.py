"""Nothing in the tree belongs to one machine, or is left for later."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion
from tests.project import sources

HERE = Path("tests/project/test_tree.py")
OF_ONE_MACHINE = re.compile(r"/(?:work|root|home|Users)/\w")
LEFT_FOR_LATER = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
SHARED = "../shared"
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
