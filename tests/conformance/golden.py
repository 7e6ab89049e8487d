"""Golden playthroughs: a match of each game, move by move, as the program has been seen to play it right.

A file `tests/golden*.jsonl` in a game's folder tells on its first line how the match was set up, then a
move a line with what came of it: whose turn it is, a digest of what every seat sees, how it ended; or
the rule that refused it. Only the set-up and the moves are written by hand (or by chance); the rest is
filled in:

    python -m tests.conformance.golden this-bed-is-mine                  # fill in again
    python -m tests.conformance.golden this-bed-is-mine --play 7         # a new match of random moves
    python -m tests.conformance.golden this-bed-is-mine --play 7 --option board=b --seats 2 --name dream

Read what changed (`git diff`) before it is kept.
"""

from __future__ import annotations

import argparse
import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import MoveError
from companion.games.game import State
from companion.games.registry import AnyGame, game

MOST_MOVES = 400
"""A match of random moves is cut off here: some games need not end by chance."""

Line = dict[str, Any]


def files(of: AnyGame) -> list[Path]:
    """The golden playthroughs of a game."""
    return sorted((of.folder / "tests").glob("golden*.jsonl"))


def playthrough(path: Path) -> list[Line]:
    """A golden playthrough as it is written."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def replayed(of: AnyGame, lines: list[Line]) -> list[Line]:
    """The same playthrough as the game plays it now."""
    head, *rest = lines
    state = of.start(of.options(head["options"]), head["seats"])
    again: list[Line] = [
        {"game": of.slug, "seats": head["seats"], "options": msgspec.to_builtins(state.options)}
    ]
    for line in rest:
        try:
            state = of.play(state, of.move(line["move"]))
        except MoveError as error:
            again.append({"move": line["move"], "refused": error.rule})
        else:
            again.append({"move": line["move"], **_shown(of, state)})
    return again


def _shown(of: AnyGame, state: State) -> Line:
    views = [of.view(state, seat) for seat in (None, *of.seat_names(state))]
    shown: Line = {"turn": of.turn(state), "views": sha256(msgspec.json.encode(views)).hexdigest()[:16]}
    ended = of.outcome(state)
    return shown if ended is None else {**shown, "outcome": msgspec.json.decode(msgspec.json.encode(ended))}


def by_chance(of: AnyGame, seed: int, seats: int, options: Line) -> list[Line]:
    """The set-up and moves of a match of random moves."""
    chance = random.Random(seed)
    state = of.start(of.options(options, from_text=True), seats)
    lines: list[Line] = [{"seats": seats, "options": msgspec.to_builtins(state.options)}]
    for _ in range(MOST_MOVES):
        legal = list(of.legal_moves(state))
        if not legal:
            break
        move = chance.choice(legal)
        state = of.play(state, move)
        lines.append({"move": msgspec.to_builtins(move)})
    return lines


def write(path: Path, lines: list[Line]) -> None:
    """Write a playthrough down."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Fill in the golden playthroughs of a game again.")
    parser.add_argument("slug")
    parser.add_argument("--play", type=int, metavar="SEED", help="make a new one of random moves")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--name", help="golden-NAME.jsonl instead of golden.jsonl")
    given = parser.parse_args()
    of = game(given.slug)
    if given.play is not None:
        options = dict(option.split("=", 1) for option in given.option)
        path = of.folder / "tests" / (f"golden-{given.name}.jsonl" if given.name else "golden.jsonl")
        write(path, by_chance(of, given.play, given.seats or of.seat_counts[0], options))
    for path in files(of):
        write(path, replayed(of, playthrough(path)))


if __name__ == "__main__":
    main()
