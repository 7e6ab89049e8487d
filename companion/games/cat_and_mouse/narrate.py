"""What a throw did, in sentences: those of the page."""

from __future__ import annotations

from companion.games.cat_and_mouse.rules import SLUG, RaceState
from companion.messages import Phrase


def narrate(before: RaceState, after: RaceState) -> tuple[Phrase, ...]:
    """Where a counter went, and what follows from that; throws for the start say nothing."""
    if len(after.steps) <= len(before.steps):
        return ()
    last = after.steps[-1]
    facts = {"seat": last.seat, "from": _square(last.start), "to": _square(last.to)}
    keys = ["race.stay" if last.how == "stay" else "narrated.moved"]
    if last.how in ("leap", "turn-back"):
        keys.append(f"race.how-{last.how}")
    if last.then != "next":
        keys.append(f"race.then-{last.then}")
    said = [Phrase(key, facts, SLUG) for key in keys]
    return (*said, *(Phrase("race.served", {"seat": seat}, SLUG) for seat in last.served))


def _square(square: int) -> Phrase:
    """A square in a sentence; 0 is the corner where a walk begins."""
    return Phrase("race.square", {"square": square}, SLUG) if square else Phrase("race.corner", {}, SLUG)
