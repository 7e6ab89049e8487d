"""The notation of moves.

| text | move |
| --- | --- |
| `3-5` | a throw: the values of the two dice |
| `fee` | a player says that the last throw jumped over the other's counter |
"""

from __future__ import annotations

from companion.games.cat_and_mouse.rules import JumpFee, Throw
from companion.games.game import Form

FORMS = (
    Form(
        Throw,
        r"(\d+)-(\d+)",
        lambda move: "-".join(map(str, move.dice)),
        lambda one, two: Throw((int(one), int(two))),
    ),
    Form(JumpFee, "fee", lambda _: "fee", JumpFee),
)
"""Each kind of move as text."""
