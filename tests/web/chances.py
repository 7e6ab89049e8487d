"""Chances and how pages write them: one table for the templates and for the pages' JavaScript."""

from __future__ import annotations

WRITTEN = [
    (0, "0 %"),  # cannot happen
    (1e-9, "< 0.1 %"),
    (0.0009, "< 0.1 %"),
    (0.001, "0.1 %"),
    (0.0044, "0.4 %"),
    (0.0099, "1 %"),  # not "1.0 %"
    (0.0149, "1 %"),
    (0.0869, "9 %"),
    (0.125, "13 %"),
    (0.5, "50 %"),
    (0.9896, "99 %"),
    (0.9944, "99.4 %"),
    (0.999, "99.9 %"),
    (0.9995, "> 99.9 %"),
    (1 - 1e-9, "> 99.9 %"),
    (1, "100 %"),  # certain
]
