"""Figures in Prometheus' text format: gauges, counters and histograms.

The library prometheus-client does the same and much more. It costs 40 ms of each start and 2.8 MB of memory,
so a board with 512 MB goes without it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Literal, NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of the text."""

PREFIX = "table_companion_"
"""The beginning of every name."""

BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of a histogram's buckets in seconds: from a stage on a laptop to a reading on a small one."""


class Histogram:
    """How many durations were at most each of `BOUNDS_S`. One thread adds, any thread reads."""

    def __init__(self) -> None:
        self._counts = (0,) * (len(BOUNDS_S) + 1)
        self._sum_s = 0.0

    def add(self, duration_s: float) -> None:
        """Count one duration."""
        bucket = bisect_left(BOUNDS_S, duration_s)
        self._counts = (*self._counts[:bucket], self._counts[bucket] + 1, *self._counts[bucket + 1 :])
        self._sum_s += duration_s

    def samples(self) -> Iterator[tuple[str, dict[str, str], float]]:
        """The samples by the end of their name, labels and value."""
        sums = list(accumulate(self._counts))
        for bound, count in zip((*map(repr, BOUNDS_S), "+Inf"), sums, strict=True):
            yield "_bucket", {"le": bound}, count
        yield "_sum", {}, self._sum_s
        yield "_count", {}, sums[-1]


class Figure(NamedTuple):
    """One value: its name without `PREFIX`, its kind, what it says, its labels."""

    name: str
    kind: Literal["gauge", "counter", "histogram"]
    says: str
    value: float | Histogram
    labels: Mapping[str, str] = {}


def as_text(figures: Iterable[Figure]) -> str:
    """All figures as text; those of one name stand together."""
    return "".join(_lines(figures))


def _lines(figures: Iterable[Figure]) -> Iterator[str]:
    described = set()
    for name, kind, says, value, labels in figures:
        if name not in described:
            described.add(name)
            yield f"# HELP {PREFIX}{name} {says}\n# TYPE {PREFIX}{name} {kind}\n"
        samples = value.samples() if isinstance(value, Histogram) else [("", {}, value)]
        for end, more, number in samples:
            inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in {**labels, **more}.items())
            yield f"{PREFIX}{name}{end}{f'{{{inside}}}' if inside else ''} {float(number)!r}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
