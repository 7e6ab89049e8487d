"""Budgets by the clock, which the players themselves do not know."""

from __future__ import annotations

from time import perf_counter

from companion.games.choosing import Budget


def seconds(limit_s: float, nodes: int | None = None) -> Budget:
    """A budget of time from now on, and of nodes if there is a number of them."""
    end = perf_counter() + limit_s
    return Budget(nodes, lambda: perf_counter() >= end)
