"""The messages that halls publish of an evening; retained, they hold all that any hall knows of it.

The topics are `table-companion/hall/<evening>/…`. Each message replaces the one before on its topic, so one
that comes twice changes nothing, and a hall that starts again reads them all.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.broker.payloads import ROOT
from companion.broker.payloads import Topics as TableTopics
from companion.hall.pairing import WIN
from companion.messages import MOST_NAME

HALL = "hall"
"""The second level of the topics of halls; no table has this name."""

Here = Literal["online"]
"""The payload of the topic `halls/<id>`, as plain text; an empty one says that the hall is gone."""

Kind = Literal["round-robin", "swiss", "free"]
"""The ways to play an evening."""

Name = Annotated[str, Meta(min_length=1, max_length=MOST_NAME)]
"""A person's name, or an evening's."""

MOST_PLACE = 1_000_000

MOST_ROUND = 999_999
"""Free play draws a round for each free table: more than an evening of any size needs."""

Score = Annotated[int, Meta(ge=0, le=WIN)]
"""A share of a win."""


class Topics(msgspec.Struct, frozen=True):
    """The topics of one evening."""

    evening: str
    root: str = ROOT

    def topic(self, *levels: str) -> str:
        """The topic with these last levels."""
        return "/".join((self.root, HALL, self.evening, *levels))

    def of_table(self, table: str) -> TableTopics:
        """The topics of a table of that name."""
        return TableTopics(table, self.root)

    def levels(self, topic: str) -> tuple[str, ...]:
        """The last levels of a topic of this evening; empty for any other topic."""
        begins = self.topic("")
        return tuple(topic.removeprefix(begins).split("/")) if topic.startswith(begins) else ()


class Plan(msgspec.Struct, frozen=True):
    """The plan of the evening, on the topic `plan`.

    `seats` are the most players of one match. `rounds` are those of a Swiss evening; 0 leaves it open.
    """

    name: Name
    kind: Kind
    game: str
    options: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=2, le=6)] = 2
    rounds: Annotated[int, Meta(ge=0, le=99)] = 0


class Member(msgspec.Struct, frozen=True):
    """A player of the evening, on the topic `players/<id>`. `place` counts the arrivals.

    `here`: the player has not gone home.
    """

    id: str
    name: Name
    place: Annotated[int, Meta(ge=0, le=MOST_PLACE)]
    here: bool = True


class Pairing(msgspec.Struct, frozen=True):
    """A match of the evening: its players by id, and the game's names of their `seats`, in the same order.

    `id` is the number of its round, a dash, and its number in the round. `table` is empty until one is free.
    `after` is the number of the match that was on that table before.
    """

    id: Annotated[str, Meta(pattern=r"^[0-9]{1,6}-[0-9]{1,6}$")]
    players: tuple[str, ...]
    seats: tuple[str, ...]
    table: str = ""
    after: int = 0

    @property
    def round(self) -> int:
        """The number of its round."""
        return int(self.id.partition("-")[0])


class PublishedRound(msgspec.Struct, frozen=True):
    """A round, on the topic `rounds/<number>`, with the game and the options as planned when it was drawn."""

    number: int
    game: str
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()
    options: dict[str, Any] = {}


class Result(msgspec.Struct, frozen=True):
    """The result of a match of the evening, on the topic `results/<pairing>`.

    `scores` are shares of a win (`pairing.WIN`), `points` the game's own, by player. `by`: the table sent it,
    or the referee wrote it. `match` is the number of the match at its table; 0 where the referee wrote it.
    """

    pairing: str
    scores: dict[str, Score]
    points: dict[str, int] = {}
    by: Literal["table", "referee"] = "table"
    match: int = 0
