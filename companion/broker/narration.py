"""What the moves of a match did, in sentences in the table's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.narrated import Narrated
from companion.messages import Fact, Phrase, messages_of_game
from companion.play.snapshot import MatchSnapshot
from web.pages import capital

APART = " · "
"""Between two sentences about one move: not all end with a full stop."""


def backwards(match: MatchSnapshot, language: str) -> Iterator[str]:
    """What each open move that stands did, the newest first; empty where the game has no words for it."""
    game, states = match.game, match.history.states
    for at in range(len(match.history.moves) - 1, -1, -1):
        if game.private_to(match.history.moves[at]) is not None:
            continue
        phrases: tuple[Phrase, ...] = ()
        if isinstance(game, Narrated):
            phrases = game.narrate(game.hide(states[at], None), game.hide(states[at + 1], None))
        yield APART.join(_said(phrase, match.players, language) for phrase in phrases)


def _said(phrase: Phrase, players: Mapping[str, str], language: str) -> str:
    """A sentence; who sits on a seat stands there by the player's own name."""
    facts: dict[str, Fact] = dict(phrase.facts)
    for name, fact in phrase.facts.items():
        if isinstance(fact, str) and fact in players:
            facts[name] = players[fact]
    return capital(messages_of_game(phrase.game).say(phrase.key, language, **facts))
