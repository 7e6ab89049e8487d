"""What was done on the card table, in a sentence: the same one as on the page."""

from __future__ import annotations

from companion.games.exploding_kittens.state import SLUG, KittensState
from companion.messages import Phrase


def narrate(before: KittensState, after: KittensState) -> tuple[Phrase, ...]:
    """What was done last, and whether a Nope stopped it; nothing where no card was played or drawn."""
    last = after.last
    if last is None or last == before.last:
        return ()
    facts = {"seat": last.seat, "card": last.card or "kitten", "target": last.target, "named": last.named}
    done = Phrase(f"boom.did-{last.what}", facts, SLUG)
    if not last.nopes:
        return (done,)
    stopped = "noped-back" if last.works else "noped"
    return done, Phrase(f"boom.{stopped}", {"count": len(last.nopes)}, SLUG)
