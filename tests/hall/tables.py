"""Virtual tables on the wire: they publish what a real match showed after each of its entries, as fast as a
test wants, and begin the matches that a hall asks for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from threading import RLock
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.broker.payloads import (
    OFFLINE,
    ONLINE,
    Call,
    EndedMatch,
    NextGame,
    PublishedResults,
    PublishedState,
    Referee,
    Topics,
)
from companion.games.registry import game
from companion.play.snapshot import MatchView
from companion.service.announcements import RefereeCall

RACE = "cat-and-mouse"


@cache
def course(slug: str = RACE) -> tuple[MatchView, ...]:
    """What a spectator sees of a whole match of a game, after each of its moves: the first legal ones."""
    rules = game(slug)
    seats = min(rules.seat_counts)
    state = rules.start(rules.options({}), seats)
    views, moves = [], []
    while True:
        outcome = rules.outcome(state)
        names = rules.seat_names(state)
        views.append(
            MatchView(
                id=0, game=slug, began="2026-01-01T20:00:00.000+00:00", options={}, n=len(moves),
                moves=len(moves), seats=names, players={}, turn=rules.turn(state), outcome=outcome,
                can_undo=bool(moves), can_redo=False, by="phone",
                last=tuple(map(rules.notation, moves[-8:])), board=rules.view(rules.hide(state, None), None),
            )
        )  # fmt: skip
        if outcome is not None:
            return tuple(views)
        legal = list(rules.legal_moves(state))
        moves.append(legal[len(moves) * 7 % len(legal)])
        state = rules.play(state, moves[-1])


class Scripted:
    """A table that plays that match, and begins another one when a hall asks for it."""

    def __init__(self, name: str) -> None:
        self.topics = Topics(name)
        self.match, self.at, self.called = 1, 0, False
        self.referee: RefereeCall = ""
        self.players: Mapping[str, str] = {}
        self.begun: list[NextGame] = []
        """The commands by which it has begun a match."""
        self.ended: dict[int, EndedMatch] = {}

    @property
    def name(self) -> str:
        """Its name in topics."""
        return self.topics.table

    @property
    def is_over(self) -> bool:
        """Whether its match has ended."""
        return self.at == len(course()) - 1

    def advance(self) -> None:
        """Play one more move, if the match is not over."""
        self.at = min(self.at + 1, len(course()) - 1)

    def finish(self) -> None:
        """Play the match to its end."""
        self.at = len(course()) - 1

    def state(self) -> PublishedState:
        """What it publishes."""
        view = msgspec.structs.replace(course()[self.at], id=self.match, players=dict(self.players))
        return PublishedState(
            self.name, f"Table {self.name}", str(time.time()), view, called=self.called, referee=self.referee
        )

    def results(self) -> PublishedResults:
        """What it publishes of the matches that are over."""
        view = self.state().match
        self.ended.pop(self.match, None)
        if view.outcome is not None:
            ended = EndedMatch(view.id, view.game, view.began, view.players, view.outcome)
            self.ended[self.match] = ended
        return PublishedResults(self.name, 1, tuple(self.ended.values()))

    def begin_by_hand(self, **players: str) -> None:
        """People begin the next match themselves, with their names by seat."""
        self.results()
        self.match, self.at, self.players = self.match + 1, 0, players

    def obey(self, command: str, payload: bytes) -> None:
        """Do what a command asks."""
        if command == "call":
            self.called = msgspec.json.decode(payload, type=Call).on
        elif command == "referee":
            self.referee = "comes" if msgspec.json.decode(payload, type=Referee).comes else ""
        elif command == "next":
            asked = msgspec.json.decode(payload, type=NextGame)
            if asked.instead_of == self.match:
                self.begun.append(asked)
                self.begin_by_hand(**asked.players)


class WireTable(Scripted):
    """The same on a real broker, in a thread of its own."""

    def __init__(self, name: str, port: int, user: str = "") -> None:
        super().__init__(name)
        self._port, self._user = port, user
        self._lock = RLock()
        self._shown: mqtt.MQTTMessageInfo | None = None
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, f"wire-{name}", protocol=mqtt.MQTTv5)
        if user:
            self.client.username_pw_set(user, "any")
        self.client.on_connect = self._greet
        self.client.on_message = self._hear
        self.client.will_set(self.topics.topic("status"), OFFLINE, qos=1, retain=True)
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def show(self, do: Callable[[], None]) -> None:
        """Do something, and publish what the table shows then."""
        with self._lock:
            do()
            results = msgspec.json.encode(self.results())
            self.client.publish(self.topics.topic("results"), results, qos=1, retain=True)
            state = msgspec.json.encode(self.state())
            self._shown = self.client.publish(self.topics.topic("state"), state, qos=1, retain=True)

    @property
    def is_known(self) -> bool:
        """Whether the broker has what the table showed last."""
        return self._shown is not None and self._shown.is_published()

    def cut(self) -> None:
        """Lose power: no goodbye."""
        self.client.loop_stop()
        sock = self.client.socket()
        if sock is not None:
            sock.close()

    def again(self) -> WireTable:
        """The same table with power again: its journal knows the match."""
        other = WireTable(self.name, self._port, self._user)
        other.match, other.at, other.players, other.begun = self.match, self.at, self.players, self.begun
        other.ended = self.ended
        other.show(lambda: None)
        return other

    def close(self) -> None:
        """Leave the broker."""
        self.client.disconnect()
        self.client.loop_stop()

    def _greet(self, client: mqtt.Client, *_: Any) -> None:
        client.subscribe(self.topics.topic("commands/+"), qos=1)
        client.publish(self.topics.topic("status"), ONLINE, qos=1, retain=True)
        self.show(lambda: None)

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        self.show(lambda: self.obey(message.topic.rpartition("/")[2], message.payload))
