"""Questions to the table, for people who see it badly: one list of them for all games.

Answers are spoken aloud, so they come from what everybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Literal

import msgspec
from flask import request
from msgspec import UNSET, Meta, UnsetType

from companion.games.game import STOPPED
from companion.messages import Fact, Phrase, capital, seat_label
from web.app_state import running
from web.error_pages import say
from web.language import language, messages_of_page
from web.openapi import Asked, Routes
from web.permissions import LOOK

ask_api = Routes("ask")

MOST_LISTED = 12
"""The most places that an answer lists: it is spoken."""
MOST_LETTERS = 40


class Question(Asked, frozen=True):
    """A question; `place` asks about one, which people name as they call it."""

    question: (
        Annotated[
            Literal["turn", "standing", "throw", "place"],
            Meta(description="Whose turn it is, how it stands, what was thrown, or what lies at a place"),
        ]
        | UnsetType
    ) = UNSET
    place: (
        Annotated[str, Meta(max_length=MOST_LETTERS, description="The place, as people call it")] | UnsetType
    ) = UNSET


class Answer(msgspec.Struct, frozen=True):
    """An answer in the asker's language."""

    says: str


class OpenTable:
    """The table that answers, as everybody sees it."""

    def __init__(self) -> None:
        snapshot = running().table.snapshot
        self._match, self._shown = snapshot.match, snapshot.view(None).match
        known = self._match.game.hide(self._match.state, None)
        self._lying = self._match.game.retrospect.lying(known)

    def turn(self) -> str:
        """Whose turn it is, or who has won."""
        outcome, seat = self._shown.outcome, self._shown.turn
        if outcome is None:
            return say("web.turn", seat=self._label(seat)) if seat else say("web.nobodys-turn")
        if outcome.reason == STOPPED:
            return say("outcome.stopped")
        names = tuple(map(self._label, outcome.winners))
        return say("display.won", names=names, winners=len(names)) if names else say("display.nobody-won")

    def standing(self) -> str:
        """The points, else what each seat has, and whose turn it is."""
        counted = {seat: (points,) for seat, points in self._shown.standing.items()} or self._lying
        has = {seat: ", ".join(self._names(counted[seat])) for seat in self._shown.seats if seat in counted}
        rows = ", ".join(f"{self._label(seat)}: {it}" for seat, it in has.items())
        return ". ".join(filter(None, (rows, self.turn())))

    def throw(self) -> str:
        """The last throw of dice, and whose it was."""
        for state, move in reversed(tuple(self._match.open_course())):
            dice = getattr(move, "dice", ())
            if dice:
                seat, values = (
                    getattr(move, "seat", "") or self._match.game.turn(state),
                    tuple(map(str, dice)),
                )
                return say("ask.threw", seat=self._label(seat), dice=values) if seat else ", ".join(values)
        return say("ask.not-thrown")

    def place(self) -> str:
        """What lies at the place that is asked for; without one, the places where something lies."""
        wanted = request.args.get("place", "")[:MOST_LETTERS].strip()
        lies = {place: things for place, things in self._lying.items() if things}
        for place, things in lies.items():
            if _bare(wanted) in (_bare(place), _bare(self._label(place))):
                return say("ask.lies", place=self._label(place), things=tuple(self._names(things)))
        said = [say("ask.nothing", place=capital(wanted))] if wanted else []
        if lies and not (wanted and len(lies) > MOST_LISTED):
            said.append(say("ask.places", places=tuple(map(self._label, lies))[:MOST_LISTED]))
        return " ".join(said) or say("ask.empty")

    def _names(self, things: Iterable[Fact]) -> Iterable[str]:
        return (
            thing.says(language()) if isinstance(thing, Phrase) else self._label(str(thing))
            for thing in things
        )

    def _label(self, name: str) -> str:
        """A seat, a thing or a place, as people call it."""
        slug, players = self._match.game.slug, self._shown.players
        known = f"name.{name}" in messages_of_page(slug)
        return seat_label(slug, players, name, language()) if known else name


def _bare(name: str) -> str:
    return "".join(name.split()).casefold()


QUESTIONS: dict[str, Callable[[OpenTable], str]] = {
    "turn": OpenTable.turn,
    "standing": OpenTable.standing,
    "throw": OpenTable.throw,
    "place": OpenTable.place,
}
"""Each question by its name."""


@ask_api.route("GET", "/api/ask", who=LOOK, asks=Question, gives=Answer)
def ask() -> Answer:
    """Ask whose turn it is, how it stands, what was thrown, or what lies at a place."""
    question = QUESTIONS.get(request.args.get("question", ""), OpenTable.turn)
    return Answer(question(OpenTable()))
