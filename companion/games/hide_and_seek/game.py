"""The game as the rest of the companion meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from companion.errors import InvalidMove
from companion.games.drawing import Drawing, Drawn
from companion.games.game import Decided, Game, Outcome
from companion.games.hide_and_seek import cardset, deck, legal, people, rules, score
from companion.games.hide_and_seek import view as views
from companion.games.hide_and_seek.drawing import drawing
from companion.games.hide_and_seek.moves import (
    SEATS,
    SLUG,
    Catch,
    CatchEnemy,
    DropGear,
    End,
    GoOn,
    HideMove,
    HideOptions,
    HideState,
    Hold,
    Own,
    PlayEnemy,
    RemoveFood,
    Seek,
    Taken,
    TurnUp,
)
from companion.games.hide_and_seek.notation import FORMS
from companion.games.watching import Autoplay


class HideAndSeek(Game[HideState, HideMove, HideOptions], Autoplay, Drawn):
    """Cats and dogs hide from each other, two to six players, cards of colour and speed."""

    slug = SLUG
    names: ClassVar = {"en": "Hide and Seek", "zh-Hant": "阿貓迷藏 & 阿狗迷藏", "ko": "숨바꼭질"}
    seat_counts = (2, 3, 4, 5, 6)
    minutes = (30, 45)
    editable: ClassVar = {"cards": cardset.SCRIPTED}
    options_type = HideOptions
    state_type = HideState
    move_types = (
        Own,
        PlayEnemy,
        Seek,
        TurnUp,
        GoOn,
        RemoveFood,
        Catch,
        CatchEnemy,
        Taken,
        DropGear,
        End,
        Hold,
    )
    forms = FORMS
    options_before: ClassVar = {"brawl_tie": "ends", "candy_removes": "any"}
    rules = rules.RULES
    folder = Path(__file__).parent

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> HideOptions:
        """Options from plain values. A player's own set, given by its path, is read here, and goes into
        the match whole.

        Raises `InvalidMove` with rule `not-an-option`, `MendableError` for a file that cannot be used.
        """
        options = super().options(given, from_text=from_text)
        return msgspec.structs.replace(options, cards=cardset.kept(options.cards))

    def start(self, options: HideOptions, seats: int) -> HideState:
        """Nobody has an animal yet.

        Raises `InvalidMove` for seats that do not fit, `MendableError` for a set that cannot be used.
        """
        if seats not in self.seat_counts:
            raise InvalidMove(self.slug, "not-an-option", fault=f"{seats} seats; it is for 2 to 6")
        return rules.start(options, SEATS[:seats])

    def seat_names(self, state: HideState) -> tuple[str, ...]:
        """The players around the table."""
        return state.seats

    def turn(self, state: HideState) -> str | None:
        """Who decides now: the seeker, or whose animal a candy or a gear is about; None when all act."""
        return legal.turn(state)

    def legal_moves(self, state: HideState) -> Iterable[HideMove]:
        """Every move forward; the note of a hand is left out."""
        return legal.legal_moves(state)

    def likely_move(self, state: HideState, below: Callable[[int], int]) -> HideMove:
        """What people at a table that plays by itself may do: `people` says how."""
        return people.likely_move(state, below)

    def play(self, state: HideState, move: HideMove) -> HideState:
        """The state after a move. Raises `MoveError`."""
        return rules.play(state, move)

    def progress(self, state: HideState) -> dict[str, int]:
        """The points of every seat, if it ended now."""
        return score.points(state)

    def decided(self, course: Sequence[tuple[HideState, HideMove]], state: HideState) -> Decided | None:
        """What the points of the winner are made of, and how far behind the next one is."""
        best, *others = sorted(state.seats, key=score.points(state).__getitem__, reverse=True)
        margin = score.points(state)[best] - max(score.points(state)[seat] for seat in others)
        if not margin:
            return None
        own = score.lines(state, best)
        animals = sum(line.points for line in own if line.what in ("animal", "food"))
        enemies = sum(line.points for line in own) - animals
        return Decided("points", {"seat": best, "margin": margin, "animals": animals, "enemies": enemies})

    def outcome(self, state: HideState) -> Outcome | None:
        """Who has most points, once the rounds are played or the players end it."""
        return score.outcome(state)

    def view(self, state: HideState, seat: str | None) -> views.HideView:
        """Every animal, card by card; the points; the chances as `seat` may know them."""
        return views.view(state, seat)

    def drawing(self, view: views.HideView, name: Callable[[str], str]) -> Drawing:
        """The animals of each player."""
        return drawing(view, name)

    def hide(self, state: HideState, seat: str | None) -> HideState:
        """The state without the noted hands of other players."""
        return deck.without_notes(state, seat)

    def private_to(self, move: HideMove) -> str | None:
        """A noted hand is for that player's own phone alone."""
        return move.seat if isinstance(move, Hold) else None

    def pressed(self, state: HideState, seat: str) -> HideMove | None:
        """The seeker's button: all cards are up, or nobody else is caught. Who is asked lets the enemy go."""
        if state.seeker is None or not legal.may_go_on(state):
            return None
        return GoOn() if seat == (self.turn(state) or state.seats[state.seeker]) else None

    def drawn_values(self) -> dict[str, object]:
        """The first animals of the example, and its enemy's speed."""
        example = cardset.card_set("example")
        enemy = next(kind for kind in example.cards.values() if kind.does == "enemy")
        return {"animals": list(example.animals.values()), "enemy_speed": enemy.speed}


GAME = HideAndSeek()
