"""Nothing in the tree belongs to one machine, or is left for later."""

from __future__ import annotations

import re
from pathlib import Path

import companion
from tests.project import sources

HERE = Path("tests/project/test_tree.py")
OF_ONE_MACHINE = re.compile(r"/(?:work|root|home|Users)/\w")
LEFT_FOR_LATER = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
SHARED = "../shared"
TEXTS = [path for path in sources.texts() if path != HERE]


def test_no_text_names_a_place_of_one_machine() -> None:
    assert {path: places for path in TEXTS if (places := OF_ONE_MACHINE.findall(sources.read(path)))} == {}


def test_nothing_is_left_for_later() -> None:
    assert [path for path in TEXTS if LEFT_FOR_LATER.search(sources.read(path))] == []


def test_the_product_does_not_know_the_photos_that_tests_use() -> None:
    knowing = [path for path in sources.modules() if SHARED in sources.read(path)]
    assert not knowing


def test_the_changelog_begins_with_this_version() -> None:
    versions = re.findall(r"^## (\S+)", sources.read(Path("CHANGELOG.md")), re.MULTILINE)
    assert next(version for version in versions if version != "Next") == companion.__version__
    assert len(versions) == len(set(versions))
