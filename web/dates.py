"""How pages write days and times: each language in its own way, in this machine's time."""

from __future__ import annotations

from datetime import datetime

from companion.messages import Messages
from companion.play.records import local
from web.language import PAGE_MESSAGES, language

WORDS = Messages.read(PAGE_MESSAGES)


def local_day(began: str) -> str:
    """The day of a time of the journal: "23 November 2026"."""
    return _day(local(began))


def local_time(began: str) -> str:
    """The day with the time: "23 November 2026, 20:05"."""
    then = local(began)
    return WORDS.say("date.time", language(), day=_day(then), time=f"{then:%H:%M}")


def month_name(month: int) -> str:
    """A month (1 to 12) as it is written alone."""
    return WORDS.say(f"date.month-{month}", language())


def _day(then: datetime) -> str:
    month = month_name(then.month)
    return WORDS.say("date.day", language(), year=then.year, month=month, day=then.day)
