"""The result of one check, as a sentence in any language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from companion.messages import Fact, Messages


class Finding(msgspec.Struct, frozen=True):
    """The result of one check."""

    check: str
    """The part that was checked, and the key `check.<check>` of its name."""
    ok: bool
    """Whether the part works."""
    key: str
    """The key `<check>.<key>` of the sentence: the result, or how to mend the part."""
    facts: dict[str, Fact] = {}
    """The values in the sentence."""

    def says(self, language: str = "en") -> str:
        """The sentence in `language`."""
        return words().say(f"{self.check}.{self.key}", language, **self.facts).strip()

    def line(self, language: str = "en") -> str:
        """The finding as a line for a person: the part, whether it works, the sentence."""
        verdict = words().say("verdict.ok" if self.ok else "verdict.mend", language)
        return f"{words().say(f'check.{self.check}', language)}: {verdict} {self.says(language)}"


def fine(check: str, key: str = "ok", **facts: Fact) -> Finding:
    """A part that works."""
    return Finding(check, ok=True, key=key, facts=facts)


def mend(check: str, key: str, **facts: Fact) -> Finding:
    """A part that needs a hand."""
    return Finding(check, ok=False, key=key, facts=facts)


@cache
def words() -> Messages:
    """The doctor's messages, read once."""
    return Messages.read(Path(__file__).with_name("messages.toml"))
