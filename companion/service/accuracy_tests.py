"""The guided accuracy tests of a table: the one that goes on, and the figures of those before."""

from __future__ import annotations

from pathlib import Path

from companion.service.accuracy import AccuracyTest
from companion.service.accuracy_reports import ReportsFile, as_csv
from companion.service.senses.sense import Corners
from hardware.camera.frame import Frame
from web.accuracy_port import AccuracyNow, Report


class AccuracyTests:
    """At most one test goes on, until somebody ends it. Not thread-safe, but `now` may be asked at any time.

    `path` is the file that keeps the figures; None keeps them until the end of the program.
    """

    def __init__(self, path: Path | None) -> None:
        self._file = ReportsFile(path)
        self._test: AccuracyTest | None = None
        self._is_kept = False

    @property
    def go_on(self) -> bool:
        """Whether a test was begun and not ended yet, completed or not."""
        return self._test is not None

    def begin(self, test: AccuracyTest) -> None:
        """Begin a test, in place of one that goes on."""
        self._test, self._is_kept = test, False

    def take(self, frame: Frame, corners_px: Corners | None) -> None:
        """Let the test look at a frame."""
        if self._test is not None:
            self._test.take(frame, corners_px)
            self._keep_completed(self._test)

    def answer(self, *, right: bool) -> None:
        """Whether the tile lies as it was asked, or the throw was read right."""
        if self._test is not None:
            self._test.answer(right=right)
            self._keep_completed(self._test)

    def end(self) -> None:
        """End the test, completed or not."""
        self._test = None

    def now(self) -> AccuracyNow:
        """The test as it stands."""
        test = self._test
        return AccuracyNow() if test is None else test.now()

    def reports(self) -> tuple[Report, ...]:
        """The figures of all completed tests, the newest first."""
        return self._file.all()

    def csv(self) -> str:
        """The same as a table."""
        return as_csv(self._file.all())

    def _keep_completed(self, test: AccuracyTest) -> None:
        if test.done and not self._is_kept:
            self._file.add(test.report)
            self._is_kept = True
