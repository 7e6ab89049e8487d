"""A match that an older companion kept is replayed by the rules that it was played by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.games.exploding_kittens.state import KittensState
from companion.games.hide_and_seek.moves import HideState
from companion.play import match_file
from companion.play.journal import Journal
from companion.play.match import Match
from tests.conftest import Companion

HIDE, KITTENS = "hide-and-seek", "exploding-kittens"

BOX = """
name = "Two each"
animals_each = 1
hand = 6
rounds_each = 9
[animals]
Ivy = { species = "cat", colours = ["black"], speed = 9 }
Rex = { species = "dog", colours = ["black"], speed = 9 }
[cards]
food = { does = "food", speed = -1, count = 9 }
candy = { does = "candy", speed = 1, count = 9 }
magician = { does = "enemy", colours = ["black"], speed = 9, count = 1 }
"""
"""Two animals that are as fast as the enemy and may catch it."""

OPTIONS = {"cards": BOX, "tie_speed": "escape", "one_victim": "ask", "spent_candy": "stays"}
"""Of a match that was kept before `brawl_tie` and `candy_removes` could be chosen."""


def turn_up(card: str) -> dict[str, Any]:
    """A card on Ivy."""
    return {"move": "turn-up", "by": "player-1", "card": card, "on": "Ivy"}


GO_ON: dict[str, Any] = {"move": "go-on"}

MOVES: list[dict[str, Any]] = [
    {"move": "animal", "seat": "player-1", "animal": "Ivy"},
    {"move": "animal", "seat": "player-2", "animal": "Rex"},
    {"move": "enemy", "by": "player-1", "card": "magician"},
    {"move": "seek", "animal": "Ivy"},
    *(GO_ON, GO_ON),  # no cards, nobody is caught
    *(GO_ON, GO_ON),  # nor in the brawl: the first of two lets the enemy go
    {"move": "seek", "animal": "Rex"},
    *map(turn_up, ("candy", "candy", "food")),
    GO_ON,
    {"move": "candy", "on": "Ivy", "food": "candy"},  # though food lies there
]


def kept(journal: Journal, options: dict[str, Any], moves: list[dict[str, Any]], slug: str = HIDE) -> Match:
    """A match as a journal holds it."""
    record = journal.begin(slug, options, 2)
    for n, body in enumerate(moves, 1):
        journal.append(record.id, n, "move", body, "phone")
    return Match(journal, record)


def test_a_kept_match_is_played_back_by_the_choices_of_its_day(journal: Journal) -> None:
    match = kept(journal, OPTIONS, MOVES)
    state = match.state
    assert isinstance(state, HideState)
    assert (state.round, state.phase, match.n) == (2, "catch", len(MOVES))
    assert sorted(each.card for each in state.lying) == ["candy", "food"]
    assert (state.options.brawl_tie, state.options.candy_removes) == ("ends", "any")


def test_two_cats_were_once_three_and_answers_were_forgotten_with_a_nope(journal: Journal) -> None:
    options = {"special_combos": "off", "kitten_back": "anywhere", "exploded_had_defuse": "no"}
    asks = {"move": "three", "card": "cat-a", "target": "second", "named": "skip"}
    gave, none = ({"move": "answer", "given": given} for given in (True, False))
    nopes = [{"move": "nope", "seat": seat} for seat in ("second", "first")]
    match = kept(journal, options, [asks, gave, *nopes, none], KITTENS)
    state = match.state
    assert isinstance(state, KittensState)
    assert (match.n, state.standing.hands, state.phase) == (5, (2, 5), "turn")
    assert (state.options.special_combos, state.options.seen_before_nope) == ("cats", "forgotten")


def test_a_match_that_is_begun_now_has_the_choices_of_today(journal: Journal) -> None:
    begun = Match.begin(journal, HIDE, {"cards": BOX})
    again = Match(journal, begun.record)
    assert again.record.options["candy_removes"] == "food-first"
    assert again.state == begun.state


def test_a_file_that_was_exported_then_is_played_back_alike(
    tmp_path: Path, journal: Journal, companion: Companion
) -> None:
    """It says when its match began; a file without that is of today."""
    lines = list(match_file.lines_of(kept(journal, OPTIONS, MOVES), {}, journal.entries(1)))
    file = tmp_path / "match.jsonl"
    for began, last in (("2026-01-01T00:00:00+00:00", True), ("", False)):
        lines[0]["match"]["began"] = began
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        answers = companion("replay", HIDE, file).lines
        assert answers[-1]["ok"] is last
