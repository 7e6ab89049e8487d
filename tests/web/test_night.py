"""A night of matches of all games leaves memory, threads and files as they were."""

from __future__ import annotations

import pytest

from tests.web import night
from tests.web.night import Look, grown

FLAT = [Look(matches, 30 * matches, 150.0, 15, 26) for matches in range(5, 100, 5)]


def test_what_stays_as_it_is_is_flat() -> None:
    assert grown(FLAT) == []
    filling = [Look(each.matches, each.moves, 90.0, 10, 20) for each in FLAT[:3]]
    assert grown([*filling, *FLAT[3:]]) == [], "caches fill in the first third"


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (Look(95, 2850, 220.0, 15, 26), "memory: 150.0 to 220.0 MB, 46.0 more at most"),
        (Look(95, 2850, 150.0, 16, 26), "threads: 15 to 16"),
        (Look(95, 2850, 150.0, 15, 32), "files: 26 to 32"),
    ],
)
def test_what_grows_is_said(last: Look, says: str) -> None:
    assert grown([*FLAT[:-1], last]) == [says]


@pytest.mark.slow
def test_twenty_five_matches_leave_threads_and_files_as_they_were_and_hardly_more_memory() -> None:
    looks = night.night(25)
    assert [look.matches for look in looks] == [5, 10, 15, 20, 25]
    assert looks[-1].moves > 400
    assert grown(looks) == []
