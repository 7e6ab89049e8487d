"""Keeps the figures of the accuracy tests at this table."""

from __future__ import annotations

import csv
import io
import logging
from pathlib import Path

from companion import files, paths
from web.accuracy_port import Report

log = logging.getLogger(__name__)

MOST_KEPT = 50
"""The number of newest tests that are kept."""
COLUMNS = (
    *("began", "camera", "light", "tiles_exact", "tiles_asked", "tiles_wrong"),
    *("throws_exact", "throws_asked", "throws_wrong"),
)
"""The columns of the CSV file."""


class ReportsFile:
    """The figures in one small file; None keeps them until the end of the program."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._reports = self._read()

    def _read(self) -> tuple[Report, ...]:
        if self._path is None:
            return ()
        try:
            return paths.read_kept(self._path, tuple[Report, ...]) or ()
        except OSError as error:
            log.warning("The figures of former accuracy tests are left aside: %s", error)
            return ()

    def all(self) -> tuple[Report, ...]:
        """The kept figures, the newest first."""
        return self._reports

    def add(self, report: Report) -> None:
        """Keep the figures of one more test. A failed write is logged."""
        self._reports = (report, *self._reports)[:MOST_KEPT]
        if self._path is None:
            return
        try:
            files.write_sealed(self._path, self._reports)
        except OSError as error:
            log.warning("The figures of the accuracy test were not kept: %s", error)


def as_csv(reports: tuple[Report, ...]) -> str:
    """The figures as a table, the newest first."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(COLUMNS)
    for each in reports:
        rows.writerow([each.began, each.source, each.light, *each.lay.all, *each.throw.all])
    return written.getvalue()
