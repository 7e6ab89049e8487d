"""The commands that come from the broker: each goes the road of a host's tap on a page."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask

from companion.broker.payloads import COMMANDS, Answer, Call, NextGame, PageMessage, Pause, Referee, Undo
from companion.errors.causes import NOT_JSON, cause_of
from companion.messages import messages_of_game
from web.app_state import AppState
from web.openapi import Refusal

Request = tuple[str, dict[str, Any]]
"""A path of the API, and the body that is sent there."""


class Commands:
    """Does what commands ask, through the pages' own API: its permissions, its checks, its refusals."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._state: AppState = app.extensions["companion"]

    def answer(self, name: str, payload: bytes) -> Answer:
        """Do the command `name`, and say what became of it. A refused one has changed nothing."""
        kind = COMMANDS.get(name)
        if kind is None:
            return self._refused(name, "no-such-command", command=name, commands=", ".join(COMMANDS))
        given: object = None
        try:
            given = msgspec.json.decode(payload or b"{}")
            command = msgspec.convert(given, kind)
        except NOT_JSON as error:
            return self._refused(name, "not-a-command", command=name, cause=cause_of(error, kind, given))
        if isinstance(command, Pause) and command.on is not None and command.on == self._paused():
            return Answer(name, ok=True)
        if isinstance(command, Referee) and command.comes and not self._state.referee:
            return self._refused(name, "nobody-calls-referee")
        before = self._paused()
        refusal = self._asked(*self._request(command))
        if refusal is not None:
            return Answer(name, ok=False, rule=refusal.rule, says=refusal.says)
        if isinstance(command, Pause) and self._paused() == before:
            return self._refused(name, "nothing-to-pause")
        return Answer(name, ok=True)

    def _request(self, command: msgspec.Struct) -> Request:
        """The request that a host's page would send for a command."""
        record = self._state.table.snapshot.match.record
        if isinstance(command, NextGame) and command == NextGame(instead_of=command.instead_of):
            return f"/api/matches/{record.id}/again", {"instead_of": command.instead_of}
        if isinstance(command, NextGame):
            return "/api/matches", {**msgspec.to_builtins(command), "game": command.game or record.game}
        if isinstance(command, Pause):
            return "/api/panel/buttons", {"button": "pause", "does": "tap"}
        if isinstance(command, Undo):
            return "/api/undo", msgspec.to_builtins(command)
        if isinstance(command, PageMessage):
            return "/api/notices", {"message": command.text}
        if isinstance(command, Referee):
            return "/api/notices", {"referee_comes": command.comes}
        assert isinstance(command, Call)
        return "/api/notices", {"called": command.on}

    def _asked(self, path: str, body: dict[str, Any]) -> Refusal | None:
        """Send a request as the host; its refusal, or None where it was done."""
        headers = {
            "Authorization": f"Bearer {self._state.host_secret}",
            "Accept-Language": self._state.language or "en",
        }
        client = self._app.test_client(use_cookies=False)
        answer = client.post(path, json=body, headers=headers)
        return None if answer.status_code < 400 else msgspec.json.decode(answer.data, type=Refusal)

    def _paused(self) -> bool:
        return self._state.panel is not None and self._state.panel.now().paused

    def _refused(self, name: str, rule: str, **facts: Any) -> Answer:
        says = messages_of_game("").say(f"command-fault.{rule}", self._state.language or "en", **facts)
        return Answer(name, ok=False, rule=rule, says=says)
