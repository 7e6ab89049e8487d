"""Commands from the broker: each is handled like a host's tap on a page."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.broker.payloads import (
    COMMANDS,
    Call,
    CommandReply,
    NextGame,
    PageMessage,
    Pause,
    Press,
    Referee,
    Undo,
)
from companion.broker.reports import Pages
from companion.errors.causes import NOT_JSON, cause_of
from companion.messages import messages_of_game
from companion.service.running_table import RunningTable

Request = tuple[str, dict[str, Any]]
"""A path of the API, and the body that is sent there."""


CLOCK_STEP_S = 0.002
"""Twice the step in which the panel tells its times, in seconds."""


class Commands:
    """Carries out commands through the pages' own API, with its permissions, checks and refusals."""

    def __init__(self, running: RunningTable, pages: Pages) -> None:
        self._running, self._pages = running, pages

    def answer(self, name: str, payload: bytes) -> CommandReply:
        """Carry out the command `name`. A refused one has changed nothing."""
        kind = COMMANDS.get(name)
        if kind is None:
            return self._refused(name, "no-such-command", command=name, commands=", ".join(COMMANDS))
        given: object = None
        try:
            given = msgspec.json.decode(payload or b"{}")
            command = msgspec.convert(given, kind)
        except NOT_JSON as error:
            return self._refused(name, "not-a-command", command=name, cause=cause_of(error, kind, given))
        if isinstance(command, Pause) and command.on is not None and command.on == self._running.is_paused:
            return CommandReply(name, ok=True)
        if isinstance(command, Referee) and command.comes and not self._running.announcements.referee:
            return self._refused(name, "nobody-calls-referee")
        before, panel = self._running.is_paused, self._running.panel
        began_s = 0.0 if panel is None else panel.status().at_s
        refusal = self._pages.ask_as_host(*self._request(command))
        if refusal is not None:
            return CommandReply(name, ok=False, rule=refusal[0], says=refusal[1])
        if isinstance(command, Pause) and self._running.is_paused == before:
            return self._refused(name, "nothing-to-pause")
        if isinstance(command, Press):
            return self._pressed(name, command.button, began_s)
        return CommandReply(name, ok=True)

    def _pressed(self, name: str, button: str, began_s: float) -> CommandReply:
        """The answer to a press at `began_s`: the lamp's, in words."""
        panel = self._running.panel
        assert panel is not None
        now = panel.status()
        for n, seat in enumerate(now.seats, 1):
            is_new = seat.rule and now.at_s - seat.age_s >= began_s - CLOCK_STEP_S
            if is_new and button in (seat.seat, str(n)):
                game = self._running.table.match.game.slug
                language = self._running.settings.text("language") or "en"
                says = messages_of_game(game).say(f"rule.{seat.rule}", language, **seat.facts)
                return CommandReply(name, ok=False, rule=seat.rule, says=says)
        return CommandReply(name, ok=True)

    def _request(self, command: msgspec.Struct) -> Request:
        """The request that a host's page would send for a command."""
        record = self._running.table.snapshot.match.record
        if isinstance(command, NextGame) and command == NextGame(instead_of=command.instead_of):
            return f"/api/matches/{record.id}/again", {"instead_of": command.instead_of}
        if isinstance(command, NextGame):
            return "/api/matches", {**msgspec.to_builtins(command), "game": command.game or record.game}
        if isinstance(command, Pause):
            return "/api/panel/buttons", {"button": "pause", "does": "tap"}
        if isinstance(command, Press):
            does = "tap" if command.gesture == "press" else command.gesture
            return "/api/panel/buttons", {"button": command.button, "does": does}
        if isinstance(command, Undo):
            return "/api/undo", msgspec.to_builtins(command)
        if isinstance(command, PageMessage):
            return "/api/notices", {"message": command.text}
        if isinstance(command, Referee):
            return "/api/notices", {"referee_comes": command.comes}
        assert isinstance(command, Call)
        return "/api/notices", {"called": command.on}

    def _refused(self, name: str, rule: str, **facts: Any) -> CommandReply:
        language = self._running.settings.text("language") or "en"
        says = messages_of_game("").say(f"command-fault.{rule}", language, **facts)
        return CommandReply(name, ok=False, rule=rule, says=says)
